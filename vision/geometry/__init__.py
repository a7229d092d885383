"""The camera and the space above the board: projection, lens, fitting and resampling."""
