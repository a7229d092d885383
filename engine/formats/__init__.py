"""Positions, games and plays as text, CSV and JSON."""
