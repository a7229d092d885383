"""Training data with exact truth: random boards, a small renderer, phone-like pictures (the `train` extra)."""
