"""Squares that can't be seen: behind stacks, under hands and objects, beyond the picture's edge, under text."""
