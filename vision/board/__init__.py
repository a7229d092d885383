"""Finding the board: from the whole picture to the lattice of its squares, and which way the letters stand."""
