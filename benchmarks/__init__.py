"""Programs that print tables of ratios: each row has its rival in it, measured in the same run on the same data."""
