"""Looking back at games: the best plays that their turns missed, and the record of solo totals."""
