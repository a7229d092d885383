"""Which letter each face shows, and which way round: the network, the set's own letters, words and Tesseract."""
