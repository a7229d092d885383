"""The pages for an evening's end: charts, replay, television, looking back."""
