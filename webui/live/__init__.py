"""Cameras, hands-free play, the demo, and background work."""
