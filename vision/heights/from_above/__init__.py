"""Heights of boards seen from above: how large faces look, how much of their walls shows, and all of it weighed."""
