"""Measures how well and how fast Upscore is. `python -m workshop.bench` writes every figure to docs/figures.md."""
