"""Who may show what: every pair of showings under every house rule, against the brute force."""

from itertools import product
from typing import Any

import pytest

from reference import tractor_tables as reference
from renege.core.cards import Cards
from renege.games import tractor
from renege.games.testing import check_game
from renege.games.tractor.declare import Drawing
from renege.games.tractor.rules import JokersShown, Overruling, OwnShowing, Rules
from support.steering import SOAK
from support.tractor_tables import choose

KINDS = ["C7", "D7", "H7", "S7", "LJ", "BJ", "H8"]


def talk_at(rules: Rules, *shown: tuple[int, str]) -> Drawing:
    """The talk at level 7 after these showings."""
    talk = Drawing(rules, 0, (7, 7), first=True)
    for seat, cards in shown:
        talk = talk.by(seat).after(f"show {cards}")
    return talk


@pytest.mark.parametrize("packs", [2, 3])
@pytest.mark.parametrize("overruling", Overruling, ids=lambda choice: choice.value)
@pytest.mark.parametrize("jokers", JokersShown, ids=lambda choice: choice.value)
def test_what_may_be_shown_is_as_the_brute_force_says(packs: int, overruling: Overruling, jokers: JokersShown):
    piles = [(kind,) * size for kind in KINDS for size in range(1, packs + 1)]
    for own in OwnShowing:
        rules = Rules(packs=packs, overruling=overruling, jokers_shown=jokers, own_showing=own)
        hand = rules.deck.all
        named = [pile for pile in piles if reference.names_trumps(pile, "7", jokers.value, packs)]
        for pile in piles:
            objection = talk_at(rules).objection(f"show {' '.join(pile)}", hand)
            assert (objection is None) == (pile in named), pile
            assert objection is None or ("names no trumps at level 7" in objection.why)
        for old, new in product(named, named):
            told = reference.overrules(new, old, overruling.value)
            talk = talk_at(rules, (1, " ".join(old)))
            call = f"show {' '.join(new)}"
            assert (talk.by(2).objection(call, hand) is None) == told, (old, new)
            mine = told and (own is OwnShowing.OVERTURN or new[0] == old[0])
            assert (talk.by(1).objection(call, hand) is None) == mine, (old, new)
            assert (call in talk.by(2).calls(_cards(rules, new))) == told


def _cards(rules: Rules, pile: tuple[str, ...]) -> Cards:
    return rules.deck.cards([rules.deck.spellings[card] for card in pile])


def test_the_bank_goes_to_the_first_or_the_last_who_showed():
    for choice, banker in (("last-to-show", 3), ("first-to-show", 1)):
        rules = tractor.game(first_banker=choice).rules
        talk = talk_at(rules, (1, "S7"), (3, "H7 H7"))
        assert talk.banker == banker
        for seat in (0, 1, 2):
            talk = talk.by(seat).after("pass")
        assert (talk.turn, talk.declaration) == (banker, "H7")
    later = Drawing(tractor.game(first_banker="first-to-show").rules, 2, (7, 7), first=False).by(1).after("show S7")
    assert later.banker == 2  # not the first deal: the bank is where it was


@pytest.mark.parametrize(
    "rules",
    [
        {
            "overruling": "jokers-or-suit",
            "jokers_shown": "any",
            "own_showing": "overturn",
            "first_banker": "first-to-show",
        },
        {"overruling": "length-alone", "jokers_shown": "none", "no_call": "turn-kitty"},
        {"jokers_shown": "all", "packs": 3, "seats": 5, "mode": "friends", "first_banker": "first-to-show"},
    ],
    ids=lambda rules: " ".join(map(str, rules.values())),
)
def test_tables_that_talk_otherwise_conform(rules: dict[str, Any]):
    assert check_game(tractor.game(**rules), deals=SOAK, choose=choose).acts > 40
