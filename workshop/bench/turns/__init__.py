"""How well turns are told, in photographs, through the page, in films and drawn at random."""
