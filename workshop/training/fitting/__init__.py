"""The networks and the loop that fits them."""
