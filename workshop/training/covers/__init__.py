"""Things on boards that are no hands, pasted on drawn pictures."""
