"""The generated parts of the documents: figures, tables of commands and calls, pictures of the tour."""
