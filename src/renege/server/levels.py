"""The choices of a table: how well a bot plays, whether there is a clock, and when a substitute may sit down."""

from typing import Literal

Level = Literal["simple", "middle", "strong"]
"""By rules of thumb, by search, or as the best player of its game does."""
LEVELS: tuple[Level, ...] = ("simple", "middle", "strong")
Chair = Literal["open", "simple", "middle", "strong"]
"""Who has a seat: nobody yet, or a bot of a level."""
ClockKind = Literal["none", "act", "deal"]
"""Whether a person has a time, for each act or for all acts of a deal together."""
Substitutes = Literal["between", "middle"]
"""When somebody new may take a seat that was left: between deals, or in the middle of one if all agree."""
RequestKind = Literal["undo", "seat"]
"""What the others can be asked for: that an act be taken back, or a seat in the middle of a deal."""
