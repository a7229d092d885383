"""Measurements of the word lists against lists that are given and never shipped."""
