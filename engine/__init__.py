"""The game itself: boards, plays, rules, scores, games.

Standard library only; no files, no clock, no images.
"""
