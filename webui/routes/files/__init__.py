"""Games as files: exports, imports, backups, and pictures in other sizes."""
