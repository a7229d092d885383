"""Word lists, meanings and verdicts on words: the packaged data and the code that loads it."""
