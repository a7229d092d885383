"""Decode encoded bytes to pictures. A file's header is checked first; untrusted files get a process of their own."""
