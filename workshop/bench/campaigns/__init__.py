"""Attacks on a running page: kills, power cuts, full disks, hostile pictures, crowds. `python -m
workshop.bench.campaigns`."""
