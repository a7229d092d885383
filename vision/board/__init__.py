"""Finding the board: from the whole picture to the lattice of its squares, and whether that lies a square off."""
