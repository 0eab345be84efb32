"""Deals of Texas 42 steered to a contract, action by action, under many house rules."""

import random
from dataclasses import fields, replace
from enum import Enum
from typing import Any

from renege.games import texas42
from renege.games.encoding import Encoding, Moment
from renege.games.texas42.rules import (
    AllPass,
    DoublesTrump,
    EarlyEnd,
    FollowMeDoubles,
    ForcedSweep,
    MarkRaise,
    Nello,
    NelloDoubles,
    NelloExchange,
    OpeningLead,
    PartnerLead,
    Plunge,
    Rules,
    Scoring,
    Sevens,
    SevensTie,
    Splash,
    UnsaidTrump,
)
from support.steering import JUMPS

# Between them these tables have every answer to every question that an environment can see.
HOUSES: dict[str, Rules] = {
    **texas42.PRESETS,
    "exchange": Rules(
        nello_exchange=NelloExchange.ONE_TILE, mark_raise=MarkRaise.ONE_OR_TWO, sevens=Sevens.NEEDS_SEVEN
    ),
    "forced-nello": Rules(
        all_pass=AllPass.FORCE_NELLO,
        nello=Nello.FORCED_ONLY,
        nello_doubles=NelloDoubles.OWN_INVERTED,
        splash=Splash.OFF,
    ),
    "forced-31": Rules(
        all_pass=AllPass.FORCE_31, nello=Nello.TWO_MARKS, plunge=Plunge.TWO_MARKS, splash=Splash.TWO_MARKS
    ),
    "forced-mark": Rules(
        all_pass=AllPass.FORCE_MARK,
        nello=Nello.OFF,
        plunge=Plunge.THREE_MARKS,
        splash=Splash.THREE_MARKS,
        follow_me_doubles=FollowMeDoubles.LOW,
        partner_lead=PartnerLead.DECLARER,
    ),
    "sweeps": Rules(
        all_pass=AllPass.FORCE_30,
        forced_sweep=ForcedSweep.TWO_MARKS,
        sevens_tie=SevensTie.DECLARERS,
        opening_lead=OpeningLead.TRUMP,
        doubles_trump=DoublesTrump.INVERTED,
    ),
    "to-the-end": Rules(all_pass=AllPass.FORCE_30, forced_sweep=ForcedSweep.TWO_MARKS, early_end=EarlyEnd.PLAY_ON),
    "points": Rules(
        scoring=Scoring.POINTS,
        all_pass=AllPass.FORCE_30,
        forced_sweep=ForcedSweep.TWO_MARKS,
        follow_me_doubles=FollowMeDoubles.OWN,
        nello_doubles=NelloDoubles.LOW,
    ),
}


def random_rules(rng: random.Random) -> Rules:
    answers = {field.name: field.default for field in fields(Rules)}
    refused = (UnsaidTrump.FIRST_LEAD, OpeningLead.SMALL_END)  # see below
    chosen: dict[str, Any] = {
        name: rng.choice([choice for choice in type(value) if choice not in refused])
        for name, value in answers.items()
        if isinstance(value, Enum)
    }
    return replace(Rules(), **chosen)


class Steered:
    """Plays to a contract where the rules allow it, and by chance otherwise."""

    def __init__(self, encoding: Encoding, bid: str, declared: str, rng: random.Random) -> None:
        self.rng, self.pass_ = rng, encoding.actions.index("pass")
        self.bid, self.declared = encoding.actions.index(bid), encoding.actions.index(declared)
        self.eager = bid in JUMPS

    def choose(self, moment: Moment) -> int:
        legal = moment.legal
        if self.declared in legal:
            return self.declared
        if self.bid in legal and (self.eager or self.pass_ not in legal or self.rng.random() < 0.5):
            return self.bid
        passes = self.pass_ in legal and (self.eager or self.rng.random() < 0.9)
        return self.pass_ if passes else self.rng.choice(legal)
