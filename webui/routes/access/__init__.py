"""Joining, and the devices that have joined."""
