"""What is learned of the family's own tiles while they play, and forgotten when they say so."""
