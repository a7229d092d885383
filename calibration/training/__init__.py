"""How the networks are trained: pictures with exact truth, five small networks, one loop (the `train` extra)."""
