"""How good the word lists are: counted against lists that are given, never shipped."""
