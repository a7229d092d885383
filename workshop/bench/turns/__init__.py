"""Measurements of turns: through the page, replayed, in films, and simulated by the thousand."""
