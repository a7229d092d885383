"""The rules: where tiles may lie, which words a play makes, what it scores, and every way to break them."""
