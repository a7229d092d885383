"""The rules: house rules, the referee who names every breach, and the points of words."""
