"""How the networks are trained: pictures with exact truth, four small networks, one loop (the `train` extra)."""
