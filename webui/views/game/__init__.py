"""What the page of one game shows: board, sheet, question, challenge."""
