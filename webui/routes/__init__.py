"""The addresses of the page, and what each answers."""
