"""The addresses of the page, and the answer of each."""
