"""Networks that teach themselves: self-play by PPO on many tables at once, with a critic that sees all hands."""
