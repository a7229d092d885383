"""The page in a browser: weight, first paint, and the time from photograph to score. `python -m
workshop.bench.page`."""
