"""The views for charts, replay, television, the end of a game and looking back."""
