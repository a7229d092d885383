"""The views of a game's page: board, sheet, question, challenge."""
