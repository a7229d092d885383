"""Two games in simulated photographs, for the demo and for the accuracy test."""
