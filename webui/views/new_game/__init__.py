"""What the pages show on which a game is set up."""
