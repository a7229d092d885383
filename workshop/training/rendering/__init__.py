"""The ray marcher: from a scene to the picture that a phone would take of it."""
