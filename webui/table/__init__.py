"""The core of the page: games, the intake of photographs, questions, learned tile sets, and news for open pages."""
