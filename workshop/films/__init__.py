"""Films of games, composed with exact truth: `python -m workshop.films --help`."""
