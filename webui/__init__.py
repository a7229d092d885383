"""The scoresheet page: a Flask application with live updates, cameras, stored games and a demo."""
