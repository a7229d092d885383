"""The requests by which devices join, and by which people manage them."""
