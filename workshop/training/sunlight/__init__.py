"""Sunlight on boards that were drawn or photographed without it: through slats, bars and leaves, past an edge."""
