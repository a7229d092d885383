"""Heights of the stacks: sources of evidence about where faces lie, and one thickness that explains all of them."""
