"""Word lists, meanings and verdicts on words: the packaged data and what loads it."""
