"""How the networks are trained: pictures with exact truth, seven small networks, one loop (the `train` extra)."""
