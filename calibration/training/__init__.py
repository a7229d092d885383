"""How the networks are trained: pictures with exact truth, eight small networks, one loop (the `train` extra)."""
