"""The commands of `upscore`, one module each."""
