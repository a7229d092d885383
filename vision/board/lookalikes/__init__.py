"""What looks like a board and is none: boards for chess, grids on paper."""
