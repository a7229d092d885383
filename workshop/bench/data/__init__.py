"""The datasets: what each is, where it comes from, its checksum, and the reader of its truth."""
