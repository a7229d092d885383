"""From readings to turns: what is believed of a game, and when the table is asked."""
