"""The views of the pages on which people set up a game."""
