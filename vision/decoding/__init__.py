"""From encoded bytes to a picture: what a file promises is checked first; strangers' files have a process apart."""
