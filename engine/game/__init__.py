"""One game as an append-only log of events, and the states that follow from it."""
