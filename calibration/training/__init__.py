"""How the networks are trained: pictures with exact truth, six small networks, one loop (the `train` extra)."""
