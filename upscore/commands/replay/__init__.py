"""`upscore replay`: games from folders of photographs and from videos."""
