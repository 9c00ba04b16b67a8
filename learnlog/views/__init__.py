"""What is known as texts for people and agents: `markdown` makes one, `keeping` puts it beside the log."""
