"""How the networks are trained: pictures with exact truth, nine small networks, one loop (the `train` extra)."""
