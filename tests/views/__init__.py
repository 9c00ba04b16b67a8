"""The views: texts made of what is known."""
