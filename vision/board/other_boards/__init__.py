"""Boards that are not the one that is looked for: of another edition, or a second one beside it."""
