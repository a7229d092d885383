"""The search for the board: from the whole picture to the lattice of its squares, and checks of that lattice."""
