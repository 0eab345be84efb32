"""How well a bot plays: by rules of thumb, by search, or as the best player of its game does."""

from typing import Literal

Level = Literal["simple", "middle", "strong"]
Chair = Literal["open", "simple", "middle", "strong"]
"""Who has a seat: nobody yet, or a bot of a level."""
