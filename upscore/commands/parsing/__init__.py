"""What the parser of the commands is put together from."""
