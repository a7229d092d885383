"""What goes on while a page is open: photographs taken in, the camera followed, changes announced."""
