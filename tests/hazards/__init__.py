"""What the world does to a log, and what is kept all the same."""
