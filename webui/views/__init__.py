"""The data that the pages show, prepared for their templates."""
