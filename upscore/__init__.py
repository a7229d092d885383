"""The composition root: the ``upscore`` command, and the word lists and meanings that come with it."""
