"""The page as browsers have it: what it weighs, when it is first painted, and how soon a score is on another screen."""
