"""Every legal play for a board and a rack, and what a game's turns missed."""
