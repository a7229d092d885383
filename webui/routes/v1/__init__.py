"""The interface for programs, version 1 (docs/api.md)."""
