"""Reading the board: from a photograph to probabilities, and from those to the play."""
