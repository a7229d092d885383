"""What becomes of a photograph: games, intake, question, belief, learned tile set, and telling the pages of it."""
