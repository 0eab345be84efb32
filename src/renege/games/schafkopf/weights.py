"""Weights of the features of a Schafkopf hand: what each adds to the log-odds that its game is won.

`PLAYED` are the odds at a table, where nobody sees the others' cards: `tools/fit_calling.py` fitted them to random
hands whose games the rulebook played out. `OPEN` are those with all hands open, fitted to the solver's answers, and far
lower for who plays alone: there three defenders see everything. Both are rounded.
"""

from typing import NamedTuple

from renege.games.schafkopf.rules import PackSize


class Counts(NamedTuple):
    """What is counted in a hand, or what each of it adds to the log of the odds."""

    trumps: float
    tops: float  # the Ober, or what stands in their place above a trump suit
    aces: float  # of plain suits
    tens: float  # beside their ace
    voids: float  # plain suits without a card
    best: float  # the highest trump
    lead: float  # does the declarer lead?
    always: float = 1.0


# python tools/fit_calling.py --pack long --kind ..., rufspiel and solo --deals 8000, the others --deals 4000
_LONG = {
    "rufspiel": Counts(trumps=0.65, tops=0.35, aces=0.6, tens=-0.25, voids=0.25, best=0.25, lead=-0.05, always=-3.4),
    "solo": Counts(trumps=2.3, tops=0.7, aces=1.65, tens=0.15, voids=0.35, best=0.7, lead=0.3, always=-17.25),
    "wenz": Counts(trumps=1.8, tops=0.0, aces=1.65, tens=0.75, voids=1.0, best=1.2, lead=0.0, always=-8.85),
    "farbwenz": Counts(trumps=1.95, tops=0.75, aces=1.75, tens=0.4, voids=0.7, best=0.8, lead=0.15, always=-13.95),
}
# the same with --pack short, rufspiel --deals 4000, the others --deals 1500
_SHORT = {
    "rufspiel": Counts(trumps=0.8, tops=0.45, aces=0.4, tens=-0.05, voids=0.15, best=0.15, lead=0.05, always=-3.65),
    "solo": Counts(trumps=2.2, tops=0.8, aces=1.2, tens=-0.6, voids=0.5, best=0.75, lead=0.25, always=-14.35),
    "wenz": Counts(trumps=2.4, tops=0.0, aces=1.8, tens=0.4, voids=0.75, best=1.85, lead=-0.05, always=-9.75),
    "farbwenz": Counts(trumps=1.9, tops=1.0, aces=1.65, tens=0.0, voids=0.65, best=1.15, lead=0.15, always=-12.05),
}
_OPEN_LONG = {
    "rufspiel": Counts(trumps=0.5, tops=0.45, aces=0.55, tens=0.0, voids=0.4, best=0.55, lead=0.25, always=-2.9),
    "solo": Counts(trumps=2.4, tops=2.0, aces=2.4, tens=0.0, voids=1.6, best=1.8, lead=1.4, always=-26.0),
    "wenz": Counts(trumps=2.6, tops=0.0, aces=2.5, tens=1.5, voids=1.2, best=2.1, lead=1.5, always=-16.0),
    "farbwenz": Counts(trumps=2.3, tops=1.4, aces=2.8, tens=1.2, voids=1.4, best=1.7, lead=1.0, always=-21.6),
}
_OPEN_SHORT = {
    "rufspiel": Counts(trumps=0.65, tops=0.6, aces=0.35, tens=0.1, voids=0.45, best=0.55, lead=0.35, always=-3.7),
    "solo": Counts(trumps=3.4, tops=1.8, aces=2.1, tens=0.0, voids=0.55, best=1.95, lead=0.9, always=-24.9),
    "wenz": Counts(trumps=2.9, tops=0.0, aces=2.5, tens=0.4, voids=1.7, best=2.4, lead=2.5, always=-15.9),
    "farbwenz": Counts(trumps=2.8, tops=1.1, aces=2.6, tens=0.6, voids=1.1, best=2.0, lead=1.4, always=-19.6),
}
PLAYED = {PackSize.LONG: _LONG, PackSize.SHORT: _SHORT}
OPEN = {PackSize.LONG: _OPEN_LONG, PackSize.SHORT: _OPEN_SHORT}
