"""The requests for games as files (exports, imports, backups), small pictures and static files."""
