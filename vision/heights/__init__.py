"""Heights of the stacks: elevations of the faces by every source of evidence, and one thickness for all tiles."""
