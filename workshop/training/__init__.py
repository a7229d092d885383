"""How the networks are trained: pictures with exact truth, ten small networks, one loop (the `train` extra)."""
