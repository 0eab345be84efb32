"""Every question of `data/tractor/examples.jsonl`, put to the engine: the brute force has answered them as well."""

import json
from pathlib import Path
from typing import Any

import pytest

from reference import tractor as reference
from renege import parse_position
from renege.core.house_rules import read_rules
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.follow import beats, why_not
from renege.games.tractor.memory import Memory
from renege.games.tractor.rules import Rules, StoppedThrow, ThrowTest
from renege.games.tractor.throws import beater, could_beat, lands, others, smallest_stop, unseen
from renege.games.tractor.units import led_units, serve, shape_of
from support.tractor_turns import Setting, cards, pile, shape, suit_id, turn

EXAMPLES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "tractor" / "examples.jsonl").read_text().splitlines()
]
EXCLUDED = {
    "mixed": ("of several suits",),
    "suit": ("does not follow",),
    "shape": ("cannot be cut", "by a ruff alone"),
    "throw": ("by a ruff alone",),
}


def of_kind(kind: str) -> pytest.MarkDecorator:
    chosen = [pytest.param(example, id=example["name"]) for example in EXAMPLES if example["kind"] == kind]
    assert chosen
    return pytest.mark.parametrize("example", chosen)


def rules_of(example: dict[str, Any], **more: object) -> Rules:
    chosen = read_rules(Rules(), example.get("rules", {}))
    return read_rules(chosen, {name: getattr(choice, "value", choice) for name, choice in more.items()})


def setting_of(example: dict[str, Any]) -> Setting:
    chosen = rules_of(example)
    return Setting(example["declaration"], chosen.level_gap.value, chosen.shorter_runs.value)


def play_of(text: str, grouping: list[str] | None) -> Play:
    return Play(cards(text), units=tuple(map(cards, grouping or ())))


def test_no_kind_of_example_is_left_out():
    assert {example["kind"] for example in EXAMPLES} == {"legal", "winner", "shape", "match", "throw"}


@of_kind("legal")
def test_a_play_is_judged_as_the_example_says(example: dict[str, Any]):
    expect = example["expect"]
    if example["lead"]:
        lead = " + ".join(example.get("grouping") or [example["lead"]])
        line = f"trump {example['declaration']} | led {lead} | hand {example['hand']}"
        position = parse_position(tractor.game(rules_of(example)), line)
        verdict = position.judge(example["play"])
        assert (example["play"] in position.legal_plays) == expect["legal"]
    else:
        # the examples ask whether a throw stands; at the table a stopped one may also be led in part
        rules = rules_of(example, stopped_throw=StoppedThrow.REFUSED)
        told = tuple(map(cards, example.get("others", ())))
        now = turn(setting_of(example), example["hand"], rules=rules)
        now = turn(setting_of(example), example["hand"], rules=rules, hands=(now.hand, *(told or now.hands[1:])))
        verdict = tractor.game(rules).judge(now, play_of(example["play"], example.get("grouping")))
    assert verdict.legal == expect["legal"], (verdict, example["note"])
    assert (None if verdict.rule is None else verdict.rule.id) == (expect["duty"] and f"tractor.{expect['duty']}")


@of_kind("winner")
def test_the_trick_goes_to_the_play_of_the_example(example: dict[str, Any]):
    at, rules = setting_of(example), rules_of(example)
    plays = [play_of(example["plays"][0], example.get("grouping")), *(play_of(p, None) for p in example["plays"][1:])]
    best = 0
    for place in range(1, len(plays)):
        if beats(turn(at, example["plays"][place], plays[:place], rules=rules), plays[best], plays[place]):
            best = place
        why, told = why_not(at.order, plays[0], plays[place]), example["expect"]["excluded"][place]
        assert (why is None) == (told is None), (why, told)
        assert why is None or any(words in why for words in EXCLUDED[told])
    assert best == example["expect"]["winner"], example["note"]
    assert sum(at.order.worth(play.cards) for play in plays) == example["expect"]["points"]


@of_kind("shape")
def test_a_lead_has_the_shape_of_the_example(example: dict[str, Any]):
    at, expect = setting_of(example), example["expect"]
    suit = at.order.suit_of(cards(example["cards"]))
    assert suit is not None
    assert at.order.suits[suit] == expect["suit"]
    found = shape_of(at.order, suit, cards(example["cards"]))
    assert (list(found.runs), found.pairs, found.singles) == (expect["runs"], expect["pairs"], expect["singles"])


@of_kind("match")
def test_a_play_is_cut_into_the_led_shape_as_the_example_says(example: dict[str, Any]):
    at, expect = setting_of(example), example["expect"]
    led = reference.shape(reference.parse(example["lead"]), example["declaration"], at.gap)
    suit = at.order.suit_of(cards(example["play"]))
    assert suit is not None
    served = serve(at.order, suit, cards(example["play"]), shape(led))
    assert (served is not None) == expect["conforms"], example["note"]
    if served is not None and expect.get("cuttings") == 1 and "units" in expect:
        assert [pile(unit) for unit in served] == [reference.parse(unit) for unit in expect["units"]]


@of_kind("throw")
def test_a_throw_stands_or_falls_as_the_example_says(example: dict[str, Any]):
    at, expect = setting_of(example), example["expect"]
    play = play_of(example["cards"], example.get("grouping"))
    suit = suit_id(reference.led_suit(reference.parse(example["cards"]), example["declaration"]))
    units = reference.order_units([pile(unit) for unit in led_units(at.order, play)], example["declaration"], at.gap)
    if "others" in example:
        hands = (play.cards, *map(cards, example["others"]))
        now = turn(at, example["cards"], rules=rules_of(example), hands=hands)
        landed = lands(now, play)
        assert landed is not None
        assert landed.tried == (None if expect["stands"] else play.cards), example["note"]
        assert " ".join(pile(landed.cards)) == expect["led"], example["note"]
        safe = [all(beater(at.order, suit, cards(unit), hand) is None for _, hand in others(now)) for unit in units]
        stopping = [stop for stop in [smallest_stop(at.order, play, others(now))] if stop is not None]
        if now.rules.stopped_throw is StoppedThrow.LEAD_SMALLEST:
            assert [stop.seat for stop in stopping] == [seat for seat in [expect["stopped_by"]] if seat is not None]
    else:
        voids = (0, *(sum(1 << suit_id(name) for name in void) for void in example["voids"]))
        kitty = cards(example["kitty"]) if "kitty" in example else None
        rules = rules_of(example, throw_test=ThrowTest.PUBLIC_INFO)
        now = turn(at, example["hand"], rules=rules, memory=Memory(cards(example["seen"]), voids), kitty=kitty)
        objection = tractor.game(rules).objection(now, play)
        assert (objection is None) == (expect["stands"] is True), example["note"]
        beating = [could_beat(at.order, suit, cards(unit), unseen(now), voids[1:]) for unit in units]
        safe = [not kinds for kinds in beating]
        for kinds, told in zip(beating, expect.get("beaters", []), strict=False):
            assert kinds == sum(1 << card for card in set(cards(" ".join(sorted(set(" ".join(told).split()))))))
    assert safe == expect.get("safe", safe), example["note"]
