"""How well Upscore does, and how fast: one command prints every figure of the documents."""
