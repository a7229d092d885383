"""Which letter each face shows: the network, the set's own letters, Tesseract."""
