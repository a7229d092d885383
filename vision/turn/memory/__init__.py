"""What is remembered of a game from look to look, and how looks and decisions change it."""
