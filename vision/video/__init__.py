"""Following a table in a video: when the board lies still, and which turns were made."""
