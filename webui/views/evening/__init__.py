"""What is shown once a game is under way or over: charts, replay, television, looking back."""
