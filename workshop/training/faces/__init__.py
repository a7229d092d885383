"""Training examples for the networks that look at single faces."""
