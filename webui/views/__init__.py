"""What the pages show, gathered for their templates."""
