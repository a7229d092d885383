"""Stored games and pictures: the store, its backups, and files of games."""
