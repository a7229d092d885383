"""Which turns explain the looks: candidates, their prior, stories and how well they explain what was seen."""
