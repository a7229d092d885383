"""Who may do what: roles, what a route needs, the devices that were let in, and how they get in."""
