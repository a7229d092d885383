"""Dictionaries that the system may have installed."""
