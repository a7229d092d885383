"""What is learned of one camera and one set of tiles, and the recipe that trains the networks."""
