"""Self-play data sets: every decision with observation, legal actions, choice and result."""
