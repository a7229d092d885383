"""Measurements of single photographs: boards, letters and heights."""
