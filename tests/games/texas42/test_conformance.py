"""The conformance run passes for every contract, every preset and every choice of house rule."""

from dataclasses import fields
from enum import Enum

import pytest

from renege import texas42
from renege.core.house_rules import read_rules
from renege.games.testing import check_game
from renege.games.texas42.rules import PRESETS, Rules
from support.steering import CONTRACTS, SOAK, deals_for, steer

CHOICES = [
    (field.name, str(choice.value))
    for field in fields(Rules)
    if isinstance(default := getattr(Rules(), field.name), Enum)
    for choice in type(default)
    if choice is not default  # every contract above is played with it
    and (field.name, choice.value) != ("follow_me_doubles", "own-inverted")  # unknown in follow-me
]
# where a choice shows: the contract to steer to, and what else it needs
SHOWN_BY: dict[str, tuple[tuple[str, str], dict[str, str]]] = {
    "all_pass": (("30", "trump 5"), {}),
    "mark_raise": (("2 marks", "trump 5"), {}),
    "follow_me_doubles": (("30", "follow-me"), {}),
    "doubles_trump": (("30", "trump doubles"), {}),
    "nello": (("2 marks", "nello"), {}),
    "nello_doubles": (("1 mark", "nello"), {}),
    "nello_exchange": (("1 mark", "nello"), {}),
    "plunge": (("plunge", "trump 5"), {}),
    "splash": (("splash", "trump 5"), {}),
    "partner_lead": (("plunge", "trump 5"), {}),
    "sevens": (("1 mark", "sevens"), {}),
    "sevens_tie": (("1 mark", "sevens"), {}),
    "opening_lead": (("30", "trump 5"), {}),
    "forced_sweep": (("30", "trump 5"), {"all_pass": "force-30"}),
}


def check(rules: Rules, contract: tuple[str, str], deals: int, first: int) -> None:
    game = texas42.game(rules)
    seeds = deals_for(contract[0], game, first)
    for _ in range(deals):
        assert check_game(game, deals=1, seed=next(seeds), choose=steer(*contract)).acts >= 4


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_every_contract_conforms(contract: tuple[str, str]):
    check(Rules(), contract, deals=1 * SOAK, first=0)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_conforms_whatever_is_bid(name: str):
    assert check_game(texas42.game(PRESETS[name]), deals=2 * SOAK, seed=1000).deals == 2 * SOAK


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_choice_of_house_rule_conforms(name: str, value: str):
    contract, others = SHOWN_BY.get(name, (("31", "trump 5"), {}))
    check(read_rules(Rules(), {**others, name: value}), contract, deals=1 * SOAK, first=500)


@pytest.mark.parametrize("value", ["force-30", "force-31", "force-mark", "force-nello"])
def test_a_shaker_who_is_forced_conforms(value: str):
    rules = read_rules(Rules(), {"all_pass": value, "forced_sweep": "two-marks"})
    check(rules, ("nothing", "nello"), deals=1 * SOAK, first=200)  # all pass, and then the shaker must


def test_the_exchange_conforms_with_every_way_that_doubles_may_stand():
    for doubles in ("", " doubles high", " doubles low", " doubles own-inverted"):
        rules = read_rules(Rules(), {"nello_exchange": "one-tile", "early_end": "play-on"})
        check(rules, ("1 mark", f"nello{doubles}"), deals=1 * SOAK, first=300)
