"""Builds the packaged word data from SCOWL and WordNet: ``python -m workshop.words``."""
