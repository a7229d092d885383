"""What of a board cannot be seen: behind stacks, under hands and things, beyond the picture's edge."""
