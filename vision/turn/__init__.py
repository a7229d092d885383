"""From readings to turns: the belief about a game, the stories that explain its looks, and the reasons to ask."""
