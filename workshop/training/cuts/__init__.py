"""Faces and walls cut from rendered boards, as the reader cuts them: what the networks for one window learn from."""
