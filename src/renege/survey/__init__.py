"""How often does an opening hand of Texas 42 make each bid with each declaration? Solved worlds, counted and kept."""
