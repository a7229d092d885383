"""Every legal play for a board and a rack, or for given squares, and advice on which is best."""
