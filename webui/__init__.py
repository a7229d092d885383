"""The scoresheet page: a Flask application, live updates, the camera, stored games and the demo player."""
