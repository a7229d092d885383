"""How well single pictures are read."""
