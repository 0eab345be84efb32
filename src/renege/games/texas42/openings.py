"""Opening hands of Texas 42, for surveys: each declaration with the kernel's tables, and what is counted under it."""

from functools import partial

from renege.core.notation import NotationError
from renege.games.openings import Call, Openings
from renege.games.texas42.contract import declared_at, format_declaration
from renege.games.texas42.counting import USUAL, count_hand, usual_call
from renege.games.texas42.fit_bids import fit
from renege.games.texas42.order import DECLARATIONS, TRUMPS, order
from renege.games.texas42.packed import tables
from renege.games.texas42.rules import OpeningLead, Rules, SevensTie
from renege.native.cards import FOUR_SEATS, Duty

SIDE, OTHERS = 0b0101, 0b1010  # the declarer is seat 0 and leads


def make_call(rules: Rules, text: str) -> Call:
    """A declaration at a table: `5`, `trump 5`, `doubles`, `follow-me doubles low`, `nello`, `sevens`."""
    if rules.opening_lead is not OpeningLead.ANY:
        raise NotationError(f"opening_lead={rules.opening_lead.value} cannot be solved: here the first lead is free")
    name, doubles = declared_at(rules, text)
    if name == "sevens" and rules.sevens_tie is SevensTie.DECLARERS:
        raise NotationError("sevens with ties to the declarers cannot be solved; name other declarations")
    policy, nello = doubles if name in ("nello", "follow-me") else None, name == "nello"
    called, ranked = format_declaration(name, doubles), rules.doubles_trump
    return Call(
        called,
        name,
        tables(order(name, policy, ranked)),
        seats=0b1011 if nello else FOUR_SEATS,  # the partner lays the hand face down
        takers=0b0001 if nello else SIDE,
        maximisers=OTHERS if nello else SIDE,
        duty=Duty.STRONGEST if name == "sevens" else Duty.FOLLOW_SUIT,
        count=partial(count_hand, declaration=name, doubles=policy, ranked=ranked) if name in USUAL else None,
        usual=name in USUAL and " doubles " not in called,
        has_trumps=name in TRUMPS,
        in_marks=name in ("nello", "sevens"),
        made=0 if nello else 42,
    )


def _usual(rules: Rules, hand: int) -> str:
    return usual_call(hand, rules.doubles_trump)


OPENINGS = Openings(DECLARATIONS, make_call, _usual, fit)
