"""How well a picture was taken: what is dark is lightened, and what is wrong with the rest is named."""
