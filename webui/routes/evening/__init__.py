"""The requests for charts, replay, television and looking back at a game."""
