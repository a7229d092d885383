"""Games and pictures as they are kept."""
