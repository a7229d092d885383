"""The data that is measured on: what it is, where it comes from, and how to read its truth."""
