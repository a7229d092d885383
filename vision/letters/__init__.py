"""Letters of the faces, and which way up they are: the networks, the set's own letters, words and Tesseract."""
