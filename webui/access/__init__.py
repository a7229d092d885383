"""Who may do what: roles, the permissions that routes need, the devices that were let in, and how they get in."""
