"""How the networks are trained: pictures with exact truth, eleven small networks, one loop (the `train` extra)."""
