"""How high each stack is: the elevations of the faces by every source of evidence, and one thickness for all."""
