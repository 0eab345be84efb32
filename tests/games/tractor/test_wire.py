"""Tractor on the wire: the examples, answers written out by hand, and answers of the literal reference."""

import json
import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from reference import tractor as reference
from reference import tractor_round
from reference.tractor import parse
from renege.ask.serve import reply
from renege.games.tractor.order import DECK, RANKS
from study import paper
from support import answers
from support.cases import each
from support.steering import SOAK
from support.tractor_rounds import Round, play_round

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = [json.loads(line) for line in (DATA / "tractor" / "examples.jsonl").read_text("utf-8").splitlines()]
PAIRS = answers.pairs("tractor_*.jsonl")
FIELDS = {
    "declaration",
    "rules",
    "lead",
    "hand",
    "play",
    "others",
    "grouping",
    "plays",
    "cards",
    "seen",
    "voids",
    "kitty",
}


def ask(question: str, **fields: Any) -> dict[str, Any]:
    line, _ = reply(json.dumps({"ask": question, "game": "tractor", **fields}).encode())
    return json.loads(line)


def pile(text: str | None) -> reference.Pile | None:
    return None if text is None else parse(text)


def alike(cards: Sequence[str] | None, declaration: str) -> list[int] | None:
    """The steps of cards of one suit: which of several level pairs is in a run is nobody's rule."""
    return None if cards is None else sorted(reference.step(card, declaration) for card in cards)


def text(cards: Sequence[str]) -> str:
    return " ".join(cards)


# --- examples and answers written out by hand -----------------------------------------------------


@each(EXAMPLES, lambda example: example["name"])
def test_examples_are_answered_as_expected(example: dict[str, Any]):
    answer = ask(example["kind"], **{key: value for key, value in example.items() if key in FIELDS})
    assert "error" not in answer, answer
    expected = example["expect"]
    if example["kind"] == "legal":
        rule = expected["duty"] and f"tractor.{expected['duty']}"
        assert (answer["legal"], answer["rule"]) == (expected["legal"], rule), answer
    elif example["kind"] == "winner":
        assert (answer["winner"], answer["points"]) == (expected["winner"], expected["points"])
        assert [why is None for why in answer["excluded"]] == [why is None for why in expected["excluded"]]
    elif example["kind"] == "shape":
        assert answer == expected
    elif example["kind"] == "match":
        assert answer["conforms"] is expected["conforms"]
        for name in ("units", "degraded"):
            if name in expected:
                assert list(map(parse, answer[name])) == list(map(parse, expected[name]))
    else:
        assert answer["stands"] is expected["stands"]
        assert [unit["safe"] for unit in answer["units"]] == expected["safe"]
        led, declaration = pile(expected["led"]), example["declaration"]
        assert alike(pile(answer["led"]), declaration) == alike(led, declaration)
        assert answer["stopped_by"] == expected["stopped_by"]
        for unit, beaters in zip(answer["units"], expected.get("beaters", []), strict=False):
            assert set(parse(unit["beaten_by"])) == {card for beater in beaters for card in parse(beater)}


@each(PAIRS, answers.name)
def test_the_answer_is_the_one_that_the_rules_give(pair: answers.Pair):
    answers.check(pair)


# --- answers of the literal reference -------------------------------------------------------------


def cases(name: str, number: int) -> Iterator[tuple[random.Random, str]]:
    """Random numbers and a declaration, all in turn."""
    for i in range(number * SOAK):
        yield random.Random(f"{name} {i}"), reference.DECLARATIONS[i % len(reference.DECLARATIONS)]


def some_pack(rng: random.Random, declaration: str, kinds: int = 16) -> list[str]:
    """Both copies of some kinds, shuffled: few, so that pairs are many, and often around the level step."""
    level = reference.level(declaration)
    near = [card for card in reference.CARDS if card[1] in (level, "A") or card in reference.JOKERS]
    chosen = {*rng.sample(reference.CARDS, kinds // 2), *rng.sample(near, min(len(near), kinds // 2))}
    if rng.random() < 0.7:
        led = rng.choice(reference.EFFECTIVE_SUITS)
        own = [card for card in reference.CARDS if reference.suit(card, declaration) == led]
        chosen |= set(rng.sample(own, min(len(own), 10)))
    pack = [card for card in sorted(chosen) for _ in range(2)]
    rng.shuffle(pack)
    return pack


def a_lead(rng: random.Random, pack: list[str], declaration: str, most: int) -> reference.Pile:
    """Some cards of one suit, taken out of the pack, pairs more often than not."""
    led = reference.suit(rng.choice(pack), declaration)
    own = [card for card in pack if reference.suit(card, declaration) == led]
    size = rng.randint(1, min(most, len(own)))
    cards = sorted(own)[:size] if rng.random() < 0.6 else rng.sample(own, size)
    for card in cards:
        pack.remove(card)
    return tuple(sorted(cards))


def test_follows_are_those_of_the_reference():
    for rng, declaration in cases("follow", 300):
        pack = some_pack(rng, declaration)
        lead = a_lead(rng, pack, declaration, 6)
        hand = pack[: rng.randint(len(lead), max(len(lead), 11))]
        about = {"declaration": declaration, "lead": text(lead), "hand": text(hand)}
        legal = reference.legal_follows(lead, hand, declaration)
        answer = ask("legal_plays", **about)
        assert answer["count"] == len(legal), about
        assert {parse(play) for play in answer["plays"]} == legal
        assert answer["plays"] == sorted(answer["plays"])
        for _ in range(4):
            play = tuple(sorted(rng.sample(hand, len(lead))))
            said = ask("legal", play=text(play), **about)
            good, duty = reference.legal_follow(lead, hand, play, declaration)
            assert (said["legal"], said["rule"]) == (good, duty and f"tractor.{duty}"), (about, play)
            assert said["why"]
            assert good or parse(said["instead"]) in legal


def test_leads_are_those_of_the_reference():
    for rng, declaration in cases("lead", 200):
        pack = some_pack(rng, declaration, 10)
        hands = [tuple(sorted(pack[i : i + 6])) for i in range(0, 24, 6)]
        if any(len(hand) < 6 for hand in hands):
            continue
        about = {"declaration": declaration, "hand": text(hands[0]), "others": list(map(text, hands[1:]))}
        legal = set[reference.Pile]()
        for mask in range(1, 1 << 6):
            play = tuple(card for i, card in enumerate(hands[0]) if mask >> i & 1)
            good, duty = tractor_round.legal_lead(play, declaration, hands[1:])
            legal |= {play} if good else set()
            if rng.random() < 0.2:
                said = ask("legal", play=text(play), **about)
                assert (said["legal"], said["rule"]) == (good, duty and f"tractor.{duty}"), (about, play)
        answer = ask("legal_plays", **about)
        assert answer["count"] == len(legal), about
        assert {parse(play) for play in answer["plays"]} == legal


@pytest.mark.parametrize("comparison", ["longest-unit", "all-units", "highest-card"])
def test_winners_are_those_of_the_reference(comparison: str):
    for rng, declaration in cases(f"winner {comparison}", 300):
        pack = some_pack(rng, declaration)
        lead = a_lead(rng, pack, declaration, min(6, len(pack) // 4))
        plays = [lead]
        for _ in range(3):
            led = rng.choice([reference.led_suit(lead, declaration), "T"])
            own = sorted(card for card in pack if reference.suit(card, declaration) == led)
            source = own if len(own) >= len(lead) and rng.random() < 0.8 else pack
            start = rng.randint(0, len(source) - len(lead))
            play = source[start : start + len(lead)]
            for card in play:
                pack.remove(card)
            plays.append(tuple(sorted(play)))
        rules = {"throw_comparison": comparison}
        answer = ask("winner", declaration=declaration, plays=list(map(text, plays)), rules=rules)
        best, excluded = reference.winner(plays, declaration, comparison)
        assert answer["winner"] == best, (declaration, plays)
        assert [why is None for why in answer["excluded"]] == [why is None for why in excluded]
        assert answer["points"] == sum(map(tractor_round.points, plays))


def test_shapes_and_matches_are_those_of_the_reference():
    for rng, declaration in cases("match", 400):
        pack = some_pack(rng, declaration)
        lead = a_lead(rng, pack, declaration, 8)
        shape = reference.shape(lead, declaration)
        answer = ask("shape", declaration=declaration, cards=text(lead))
        suit = reference.led_suit(lead, declaration)
        assert answer == {"suit": suit, "runs": list(shape.runs), "pairs": shape.pairs, "singles": shape.singles}
        own = sorted(card for card in pack if reference.suit(card, declaration) == "T")
        play = tuple(own[: len(lead)])
        if len(play) == len(lead):
            answer = ask("match", declaration=declaration, lead=text(lead), play=text(play))
            assert answer["conforms"] is reference.conforms(shape, play, declaration), (declaration, lead, play)
            units = list(map(parse, answer["units"]))
            if answer["conforms"]:
                ways = reference.cuttings_into(shape, play, declaration)
                assert tuple(sorted(units)) in {tuple(sorted(tuple(sorted(unit)) for unit in way)) for way in ways}
            assert set(map(parse, answer["degraded"])) <= set(units)


def test_throws_are_those_of_the_reference():
    for rng, declaration in cases("throw", 400):
        pack = some_pack(rng, declaration, 12)
        lead = a_lead(rng, pack, declaration, 7)
        others = [pack[i::4][:8] for i in range(3)]
        chosen = rng.choice(["lead-smallest", "first-found"])
        about = {"declaration": declaration, "cards": text(lead), "rules": {"stopped_throw": chosen}}
        expected = tractor_round.throw(lead, others, declaration, stopped_throw=chosen)
        answer = ask("throw", others=list(map(text, others)), **about)
        _same_throw(answer, expected)
        assert alike(pile(answer["led"]), declaration) == alike(expected.led, declaration), (about, others)


def test_throws_by_public_knowledge_are_those_of_the_reference():
    for rng, declaration in cases("public", 300):
        rest = [card for card in reference.CARDS for _ in range(2)]
        lead = a_lead(rng, rest, declaration, 6)
        rng.shuffle(rest)
        hand, seen = (*lead, *rest[:3]), rest[3 : rng.choice([10, 50, 80, 88])]
        kitty = rest[-8:] if rng.random() < 0.5 else None
        voids = [[s for s in ("S", "T", "H") if rng.random() < 0.5] for _ in range(3)]
        suits = {reference.suit(card, declaration) for card in reference.CARDS}
        voids = [[suit for suit in void if suit in suits] for void in voids]
        if kitty is not None:  # where all are void in a suit that is still out, nobody could have the cards
            voids[0] = [suit for suit in voids[0] if not (suit in voids[1] and suit in voids[2])]
            kitty = kitty[: rng.choice([8, 8, 3])]
        expected = tractor_round.throw_public(lead, hand, seen, voids, kitty, declaration)
        about = {"declaration": declaration, "hand": text(hand), "seen": text(seen), "voids": voids}
        about |= {} if kitty is None else {"kitty": text(kitty)}
        answer = ask("throw", cards=text(lead), **about)
        _same_throw(answer, expected)
        assert alike(pile(answer["led"]), declaration) == alike(expected.led, declaration), (about, lead)
        legal = ask("legal", play=text(lead), **about)
        assert legal["legal"] is expected.stands, (about, lead)
        assert (text(reference.parse(legal.get("instead") or "")) != "") is (legal["legal"] is False)


@pytest.mark.parametrize("chosen", ["lead-smallest", "first-found", "refused"])
def test_what_is_certain_of_a_throw_is_so_in_every_deal(chosen: str):
    """Few cards of the suit are out: every way that they can lie is tried."""
    certain = 0
    for rng, declaration in cases(f"certain {chosen}", 150):
        rest = [card for card in reference.CARDS for _ in range(2)]
        lead = a_lead(rng, rest, declaration, 6)
        led = reference.led_suit(lead, declaration)
        own = [card for card in rest if reference.suit(card, declaration) == led]
        out = sorted(own, key=lambda card: rng.random() - reference.step(card, declaration) * rng.choice([0, 0.1]))
        out = out[: rng.randint(1, 4)]
        seen = reference.without(own, out)
        others = [card for card in rest if reference.suit(card, declaration) != led]
        kitty = rng.sample(others, rng.choice([8, 8, 7, 6]))
        voids = [[led] if rng.random() < 0.5 else [] for _ in range(3)]
        places = [i for i, void in enumerate(voids) if not void]
        if not places:
            continue
        found = set[tuple[Any, Any, Any]]()
        for lie in product([*places, None], repeat=len(out)):
            if lie.count(None) > 8 - len(kitty):
                continue
            hands = [[card for card, where in zip(out, lie, strict=True) if where == i] for i in range(3)]
            end = tractor_round.throw(lead, hands, declaration, stopped_throw=chosen)
            steps = alike(end.led, declaration)
            found.add((end.stands, None if steps is None else tuple(steps), end.stopped_by))
        sure = [values.pop() if len(values) == 1 else None for values in map(set, zip(*found, strict=True))]
        about: dict[str, Any] = {"declaration": declaration, "hand": text(lead), "cards": text(lead), "voids": voids}
        about |= {"seen": text(seen), "kitty": text(kitty), "rules": {"stopped_throw": chosen}}
        answer = ask("throw", **about)
        steps = alike(pile(answer["led"]), declaration)
        said = [answer["stands"], None if steps is None else tuple(steps), answer["stopped_by"]]
        if chosen == "refused" and answer["stands"] is False:
            assert said[1] is None
            said[1] = sure[1]
        if chosen == "first-found" and said[1] is None:
            said[1] = sure[1]  # not all that is certain there is said
        assert said == sure, (about, found)
        certain += answer["stands"] is False
    assert certain >= 10


def _same_throw(answer: dict[str, Any], expected: tractor_round.Throw):
    assert "error" not in answer, answer
    assert (answer["stands"], answer["stopped_by"]) == (expected.stands, expected.stopped_by)
    assert sorted(unit["safe"] for unit in answer["units"]) == sorted(unit.safe for unit in expected.units)
    for unit in answer["units"]:
        beaters = next(
            (own.beaters for own in expected.units if sorted(own.cards) == sorted(parse(unit["cards"]))), None
        )
        if beaters is not None:  # which level pair is in the run is nobody's rule
            assert set(parse(unit["beaten_by"])) == {card for beater in beaters for card in beater}


# --- many plays -----------------------------------------------------------------------------------


def test_millions_of_plays_are_counted_and_few_are_listed():
    hand = "S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA LJ"
    answer = ask("legal_plays", declaration="C2", lead="H3 H5 H7 H9 HJ HK HA HQ H4 H6", hand=hand, limit=7)
    assert answer["count"] == 3268760  # 25 over 10
    assert len(answer["plays"]) == 7
    assert answer["plays"] == sorted(answer["plays"])
    assert ask("legal_plays", declaration="C2", lead="H3", hand=hand, limit=0) == {"count": 25, "plays": []}


# --- whole deals ----------------------------------------------------------------------------------


def about(deal: Round, tricks: Sequence[Sequence[reference.Pile]] | None = None) -> dict[str, Any]:
    return {
        "declaration": deal.declaration,
        "banker": deal.leader,
        "levels": list(deal.levels),
        "kitty": text(deal.kitty),
        "leader": deal.leader,
        "tricks": [list(map(text, plays)) for plays in tricks or deal.tricks],
    }


def test_deals_score_as_the_reference_says():
    reneges = set[str]()
    for seed in range(150 * SOAK):
        deal = play_round(random.Random(seed), most=seed % 6 + 1)
        end = deal.score
        answer = ask("score", **about(deal))
        renege = answer.pop("renege")
        assert answer == {
            "attackers": end.attackers,
            "multiplier": end.multiplier,
            "levels": list(end.levels),
            "banker": end.banker,
            "winner": end.winner,
        }
        found = renege and (renege["trick"], renege["seat"], renege["rule"].removeprefix("tractor."))
        assert found == tractor_round.first_renege(deal.declaration, deal.leader, deal.tricks), seed
        reneges |= {renege["rule"]} if renege else set()
        assert not renege or renege["why"]
    assert {"tractor.throw-stopped", "tractor.follow-pair"} <= reneges


def singles() -> Round:
    """A deal of single cards in which no duty is broken."""
    for seed in range(1000):
        deal = play_round(random.Random(f"singles {seed}"), most=1)
        if tractor_round.first_renege(deal.declaration, deal.leader, deal.tricks) is None:
            return deal
    raise AssertionError


def led_high(first: list[str], last: list[str]) -> tuple[str, list[list[str]]]:
    """The kitty and the tricks of a deal at S2 that begins and ends so; between, the leader plays the high trumps."""
    rest = [card for card in reference.CARDS for _ in range(2)]
    for card in text([*first, *last]).split():
        rest.remove(card)
    rest.sort(key=lambda card: (reference.suit(card, "S2") == "T", reference.step(card, "S2")))
    kitty, rest = rest[:8], rest[8:]
    tricks = [first]
    while rest:
        tricks.append([rest.pop(), *[rest.pop(0) for _ in range(3)]])
    return text(kitty), [*tricks, last] if last else tricks


S2 = {"declaration": "S2", "banker": 0, "levels": ["2", "2"], "leader": 0}


def test_a_ruff_that_reneges_wins_nothing():
    """Seat 1 ruffs hearts and has a heart, as the end shows. It leads on, but the king goes to who led it."""
    kitty, tricks = led_high(["HK", "S3", "H4", "H6"], ["H3", "C3", "C4", "C6"])
    answer = ask("score", kitty=kitty, tricks=tricks, **S2)
    assert (answer["renege"]["trick"], answer["renege"]["seat"]) == (0, 1)
    assert answer["renege"]["rule"] == "tractor.follow-suit"
    piles = [[parse(play) for play in plays] for plays in tricks]
    assert answer["attackers"] == tractor_round.score("S2", 0, ["2", "2"], parse(kitty), 0, piles).attackers - 10


def test_a_penalty_takes_no_more_than_there_is():
    """Seat 1 is an attacker and hides a heart: forty points for the other side, which has taken every trick."""
    kitty, tricks = led_high(["HK", "C7", "H4", "H6"], ["HA", "H3", "C4", "C6"])
    answer = ask("score", kitty=kitty, tricks=tricks, rules={"renege_found": "penalty"}, **S2)
    assert (answer["renege"]["trick"], answer["renege"]["seat"]) == (0, 1)
    assert (answer["attackers"], answer["levels"]) == (0, ["5", "2"])


def test_a_lead_across_suits_is_a_renege():
    kitty, tricks = led_high(["SA HA", "C3 C4", "C6 C7", "C8 C9"], [])
    answer = ask("score", kitty=kitty, tricks=tricks, **S2)
    assert (answer["renege"]["trick"], answer["renege"]["seat"]) == (0, 0)
    assert answer["renege"]["rule"] == "tractor.lead-one-suit"
    assert (answer["attackers"], answer["levels"], answer["banker"]) == (0, ["5", "2"], 2)
    refused = ask("score", kitty=kitty, tricks=tricks, rules={"renege_found": "refused"}, **S2)
    assert "tractor.lead-one-suit" in refused["error"]


def test_a_follow_of_another_length_is_a_renege():
    kitty, tricks = led_high(["HA HA", "C3", "C6 C7", "C8 C9"], ["H3", "C3 D4", "C4", "C6"])
    answer = ask("score", kitty=kitty, tricks=tricks, **(S2 | {"banker": 0}))
    assert answer["renege"]["rule"] == "tractor.length"


def test_a_deal_with_wrong_cards_is_refused():
    deal = singles()
    good = about(deal)
    tricks = good["tricks"]
    first = tricks[0][0]
    bad: list[tuple[dict[str, Any], str]] = [
        ({"kitty": text(deal.kitty[:7])}, "the kitty has 8 cards"),
        ({"tricks": tricks[:-1]}, "the tricks have 96 cards"),
        ({"tricks": [*tricks[:-1], tricks[-1][:3]]}, "trick 24 has a play of each of four seats; 1 is missing"),
        ({"tricks": [*tricks[:-1], [*tricks[-1][:3], ""]]}, "1 is missing"),
        ({"tricks": [*tricks[:-1], [*tricks[-1][:3], "SB"]]}, "'SB' is no card"),
        ({"tricks": [[first] * 4, *tricks[1:]]}, f"{first} comes 3 times"),
        ({"levels": ["2"]}, "'levels' has a rank for each side"),
        ({"levels": ["2", "1"]}, "'levels' has a rank for each side"),
        ({"banker": 4}, "banker"),
        ({"declaration": "X2"}, "'X2' is no declaration"),
        ({"tricks": []}, "the tricks have 0 cards"),
    ]
    assert "error" not in ask("score", **good)
    for change, says in bad:
        assert says in ask("score", **(good | change))["error"], change


@pytest.mark.parametrize("suit", ["S", "H", "C", "D", "NT"])
def test_phi_is_the_paper_s_map_of_every_card(suit: str):
    for level in RANKS:
        setting = paper.Setting(level, None if suit == "NT" else suit)
        question = {"ask": "phi", "game": "tractor", "declaration": f"{suit}{level}", "cards": " ".join(DECK.names)}
        answer, good = reply(json.dumps(question).encode())
        numbers = json.loads(answer)["phi"]
        contest = {"LJ": paper.JOKERS[0], "BJ": paper.JOKERS[1]}
        assert good and numbers == {card: paper.phi(contest.get(card, card), setting) for card in DECK.names}
