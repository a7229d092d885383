"""What is in a picture: board, tiles, clutter, hand, light and surfaces, drawn at random."""
