"""Word lists: membership, and the word graph that the solver walks."""
