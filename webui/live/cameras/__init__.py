"""Cameras: what they are called, opened and chosen by, and the frames that come from them."""
