"""Schafkopf on the wire: answers written out by hand, and answers of the literal reference."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference import schafkopf as reference
from renege.ask.serve import reply
from support import answers
from support.cases import each
from support.steering import SOAK

PAIRS = answers.pairs("schafkopf_*.jsonl")
DECKS = {"long": False, "short": True}
RUNNERS = ("rufspiel", "hochzeit", "solo", "wenz", "geier", "farbwenz", "farbgeier", "sie")
TARIFF = {"base": 20, "solo": 50, "extra": 10, "runners_from": 3, "ramsch": 10}


def ask(question: str, **fields: Any) -> dict[str, Any]:
    line, _ = reply(json.dumps({"ask": question, "game": "schafkopf", **fields}).encode())
    return json.loads(line)


def text(cards: Sequence[str]) -> str:
    return " ".join(cards)


# --- answers written out by hand ------------------------------------------------------------------


@each(PAIRS, answers.name)
def test_the_answer_is_the_one_that_the_rules_give(pair: answers.Pair):
    answers.check(pair)


# --- answers of the literal reference -------------------------------------------------------------


def cases(name: str, number: int) -> Iterator[tuple[random.Random, str, str]]:
    """Random numbers, a deck and a declaration, all in turn."""
    for deck in DECKS:
        for declaration in (*reference.DECLARATIONS, "rufspiel E renonce", "rufspiel GZ"):
            # nearly all that is special has to do with the called ace
            for i in range(number * SOAK * (4 if declaration.startswith("rufspiel") else 1)):
                yield random.Random(f"{name} {deck} {declaration} {i}"), deck, declaration


def a_turn(rng: random.Random, pack: list[str], declaration: str, most: int) -> tuple[list[str], list[str]]:
    """A trick on the table and a hand; often of few suits, and in a Rufspiel often with the called ace."""
    suits = rng.sample("EGHS", rng.choice([2, 3, 4]))
    called = reference.called_at_first(declaration)
    if called is not None and rng.random() < 0.9:
        suits.append(called.suit)
    few = [card for card in pack if card[0] in suits]
    rng.shuffle(few)
    if called is not None and called.ace in few and rng.random() < 0.8:
        few.sort(key=lambda card: card != called.ace)
    size = rng.randint(1, min(most, len(few) - 3))
    return few[size : size + rng.randint(0, 3)], rng.sample(few[:size], size)


def test_legal_plays_and_verdicts_are_those_of_the_reference():
    broken = set[str | None]()
    for rng, deck, declaration in cases("legal", 20):
        pack = reference.deck(DECKS[deck])
        trick, hand = a_turn(rng, pack, declaration, len(pack) // 4)
        called = reference.called_at_first(declaration)
        about: dict[str, Any] = {"declaration": declaration, "hand": text(hand), "rules": {"deck": deck}}
        about |= {"trick": text(trick)} if trick else {}
        if called is not None and rng.random() < 0.5:
            state = {"searched": rng.random() < 0.5, "ran": rng.random() < 0.5}
            called = replace(called, **state)
            about |= {"called": state}
        legal = reference.legal(hand, trick, declaration, called)
        assert ask("legal_plays", **about) == {"count": len(legal), "plays": sorted(legal)}, about
        for card in hand:
            said = ask("legal", play=card, **about)
            rule = reference.broken(hand, trick, card, declaration, called)
            assert (said["legal"], said["rule"]) == (rule is None, rule), (about, card)
            assert said["why"]
            assert ("instead" in said) is (rule is not None)
            assert rule is None or said["instead"] in legal
            broken.add(rule)
    assert {reference.FOLLOW_SUIT, reference.ANSWER_SEARCH, reference.ACE_STAYS, reference.NO_RUNNING} <= broken


BETTELS = {"ace-king": "bettel", "ace-ten": "bettel ace-ten", "herz": "bettel herz", "unter": "bettel unter"}
HEADS = {"nowhere": (), "bettel": ("bettel",), "ramsch": ("ramsch",), "both": ("bettel", "ramsch")}


def test_house_rules_of_play_are_those_of_the_reference():
    """The orders of a Bettel, the duty to beat the trick, and how many cards it takes to run."""
    broken = Counter[tuple[str, str | None]]()
    for i in range(600 * SOAK):
        rng, deck = random.Random(f"house {i}"), ("long", "short")[i % 2]
        declaration = ("bettel", "ramsch", "rufspiel G")[i % 3]
        bettel, head, run_from = rng.choice([*BETTELS]), rng.choice([*HEADS, "both", "both"]), rng.randint(2, 7)
        told = BETTELS[bettel] if declaration == "bettel" else declaration
        trick, hand = a_turn(rng, reference.deck(DECKS[deck]), declaration, 6 if DECKS[deck] else 8)
        house = {"deck": deck, "bettel_order": bettel, "head_trick": head, "run_from": run_from}
        about: dict[str, Any] = {"declaration": declaration, "hand": text(hand), "trick": trick, "rules": house}
        legal = reference.legal(hand, trick, told, heads=HEADS[head], run_from=run_from)
        assert ask("legal_plays", **about) == {"count": len(legal), "plays": sorted(legal)}, about
        for card in hand:
            said = ask("legal", play=card, **about)
            rule = reference.broken(hand, trick, card, told, heads=HEADS[head], run_from=run_from)
            assert (said["legal"], said["rule"]) == (rule is None, rule), (about, card)
            assert rule is None or said["instead"] in legal
            broken[declaration, rule] += 1
        four = rng.sample(reference.deck(DECKS[deck]), 4)
        answer = ask("winner", declaration=declaration, plays=four, rules=house)
        assert answer["winner"] == reference.winner(four, told), (told, four)
    for game, rule in (("bettel", "head-trick"), ("ramsch", "head-trick"), ("rufspiel G", "no-running")):
        assert broken[game, f"schafkopf.{rule}"] >= 2, broken


def test_winners_are_those_of_the_reference():
    for rng, deck, declaration in cases("winner", 40):
        trick = rng.sample(reference.deck(DECKS[deck]), 4)
        answer = ask("winner", declaration=declaration, plays=trick, rules={"deck": deck})
        assert answer["winner"] == reference.winner(trick, declaration), (declaration, trick)
        assert answer["points"] == reference.card_points(trick)
        led = reference.suit_of(trick[0], declaration)
        may_win = [reference.suit_of(card, declaration) in ("T", led) for card in trick]
        assert [why is None for why in answer["excluded"]] == may_win


@dataclass
class Played:
    """A deal that is played out: at random, and lawfully or nearly so."""

    hands: list[list[str]]
    leader: int
    tricks: list[list[str]]
    declarer: int | None
    partner: int | None


def play_out(
    rng: random.Random, declaration: str, short: bool, lawless: float, heads: Sequence[str] = (), run_from: int = 4
) -> Played:
    """A deal; with some probability a card is played without asking what is owed."""
    size = 6 if short else 8
    pack = reference.deck(short)
    rng.shuffle(pack)
    if rng.random() < 0.5:  # strong hands, so that Schneider, Schwarz and long runs of trumps come up
        high = reference.trumps(declaration, short)
        strong = high[: rng.randint(0, size)]
        pack = strong + [card for card in pack if card not in strong]
    hands = [rng.sample(pack[i : i + size], size) for i in range(0, 4 * size, size)]
    turn = rng.randrange(4)
    hands = hands[turn:] + hands[:turn]
    leader = rng.randrange(4)
    called = reference.called_at_first(declaration)
    seats = [seat for seat in range(4) if called is None or called.ace not in hands[seat]]
    declarer = None if declaration == "ramsch" else rng.choice(seats)
    partner = None
    if declaration == "hochzeit":
        partner = rng.choice([seat for seat in range(4) if seat != declarer])
    left, tricks, first = [list(hand) for hand in hands], list[list[str]](), leader
    for _ in range(size):
        trick: list[str] = []
        for place in range(4):
            hand = left[(first + place) % 4]
            legal = reference.legal(hand, trick, declaration, called, heads=heads, run_from=run_from)
            card = rng.choice(hand if rng.random() < lawless else legal)
            if called is not None:
                called = reference.called_after(called, hand, trick, card)
            hand.remove(card)
            trick.append(card)
        tricks.append(trick)
        first = (first + reference.winner(trick, declaration)) % 4
    return Played(hands, leader, tricks, declarer, partner)


def about(deal: Played, declaration: str, deck: str) -> dict[str, Any]:
    question: dict[str, Any] = {
        "declaration": declaration,
        "declarer": deal.declarer,
        "hands": list(map(text, deal.hands)),
        "leader": deal.leader,
        "tricks": list(map(text, deal.tricks)),
        "rules": {"deck": deck},
    }
    return question if deal.partner is None else question | {"partner": deal.partner}


def test_deals_score_as_the_reference_says():
    seen = set[Any]()
    for rng, deck, declaration in cases("score", 4):
        deal = play_out(rng, declaration, DECKS[deck], rng.choice([0, 0, 0.05]))
        tariff: dict[str, Any] = TARIFF | {name: rng.randint(1, 60) for name in TARIFF if rng.random() < 0.2}
        tariff["runners_from"] = rng.choice([1, 2, 3, 3, 4, 9])
        tariff |= {name: rng.randint(0, 60) for name in ("schneider", "schwarz", "runner") if rng.random() < 0.3}
        if rng.random() < 0.5:
            tariff["runners_from"] = {kind: rng.choice([1, 2, 3, 4, 9]) for kind in RUNNERS}
        doubled = rng.choice([0, 0, 1, 3])
        end = reference.settle(
            deal.hands,
            deal.declarer,
            declaration,
            deal.leader,
            deal.tricks,
            tariff,
            doubled,
            deal.partner,
            DECKS[deck],
        )
        answer = ask("score", tariff=tariff, doubled=doubled, **about(deal, declaration, deck))
        renege = answer.pop("renege")
        assert answer == {
            "payouts": end.payouts,
            "points": end.points,
            "schneider": end.schneider,
            "schwarz": end.schwarz,
            "runners": end.runners,
        }, (declaration, deal)
        found = renege and reference.Renege(renege["trick"], renege["seat"], renege["rule"])
        assert found == reference.first_renege(deal.hands, deal.leader, deal.tricks, declaration), (declaration, deal)
        assert not renege or renege["why"]
        seen |= {renege and renege["rule"], ("schneider", end.schneider), ("schwarz", end.schwarz), end.runners}
    assert {None, reference.FOLLOW_SUIT, ("schneider", True), ("schwarz", True), 0, 3, 4, 8} <= seen


def test_a_solo_that_was_raised_needs_what_was_promised():
    deal = play_out(random.Random(8), "wenz", short=False, lawless=0)
    asked = about(deal, "wenz", "long")
    points = ask("score", **asked)["points"][0]
    for need in (71, 81, 91, 101, 111):
        asked["rules"] = {"precedence": "raising"}
        won = ask("score", need=need, **asked)["payouts"][deal.declarer or 0] > 0
        assert won == (points >= need)
    assert ask("score", need=72, **asked)["error"] == "'need' is 71, 81, 91, 101 or 111, and not 72"
    tout = ask("score", need=71, **asked | {"declaration": "wenz tout"})["error"]
    assert tout == "'need' is 71, and 'wenz tout' is not raised by points: a solo is, no Tout"
    asked["rules"] = {}
    assert "only with precedence=raising" in ask("score", need=71, **asked)["error"]


def test_points_are_bid_and_not_declared():
    for named in ("solo 75", "solo G 71", "wenz 61"):
        answer = ask("legal", declaration=named, hand="EO", play="EO", rules={"precedence": "raising"})
        assert answer["error"] == f"'{named}' names points: they are bid, and a game is declared without them"


def test_house_prices_are_those_of_the_tariff():
    """The same numbers as house rules and as a tariff come to the same; runners by contract, and what is left out."""
    for rng, deck, declaration in cases("house prices", 2):
        deal = play_out(rng, declaration, DECKS[deck], 0)
        question = about(deal, declaration, deck)
        prices = {name: rng.randint(0, 60) for name in ("schneider", "schwarz", "runner") if rng.random() < 0.7}
        least = {kind: rng.choice([1, 2, 3, 4, 9]) for kind in RUNNERS if rng.random() < 0.8}
        rules = {"runners_from" if kind == "rufspiel" else f"runners_from_{kind}": n for kind, n in least.items()}
        usual = {kind: 3 for kind in RUNNERS if kind not in least}
        tariff = {**TARIFF, **prices, "runners_from": usual | least}
        end = reference.settle(
            deal.hands, deal.declarer, declaration, deal.leader, deal.tricks, tariff, 0, deal.partner, DECKS[deck]
        )
        by_tariff = ask("score", **question, tariff={**prices, "runners_from": least})
        kind = declaration.split()[0]
        if kind in least or "rufspiel" not in least:  # else it has the number of a Rufspiel, by the rules
            own = question | {"rules": {"deck": deck, **prices, **rules}}
            wenz = kind == "geier" and "geier" not in least and "wenz" in least
            assert wenz or ask("score", **own)["payouts"] == end.payouts, own
        assert by_tariff["payouts"] == end.payouts, question


VIRGINS = {"price": "price", "own": "own", "own-each": "own-each", "nothing": "none"}
MARCHES = {"all-tricks": "all-tricks", "none": "none", **{f"from-{n}": f"{n}-points" for n in (90, 91, 120)}}
TIES = {
    "highest-trump": ("highest-trump",),
    "most-tricks": ("most-tricks",),
    "most-trumps": ("most-trumps",),
    "highest-taken": ("highest-taken",),
    "all": (),
    "all-one": (),
}


def test_ramsch_is_paid_as_the_house_plays_it():
    lost, level = Counter[int](), 0
    for i in range(200 * SOAK):
        rng, deck = random.Random(f"ramsch {i}"), ("long", "short")[i % 2]
        ties = [*TIES, *["highest-taken"] * 3]  # which most depends on
        tie, virgins, march, head = (rng.choice([*of]) for of in (ties, VIRGINS, MARCHES, HEADS))
        losers = rng.choice([1, 2])
        deal = play_out(rng, "ramsch", DECKS[deck], 0, HEADS[head])
        if rng.random() < 0.7:  # many ties: each seat takes two of the tricks, whatever lies in them
            deal = even(rng, deal, DECKS[deck])
        house = reference.RamschHouse(
            TIES[tie], VIRGINS[virgins], MARCHES[march], losers, pays_one=losers == 2 or tie == "all-one"
        )
        end = reference.settle_ramsch(deal.hands, deal.leader, deal.tricks, 10, house)
        question = about(deal, "ramsch", deck)
        question["rules"] |= {"ramsch_tie": tie, "virgins": virgins, "march": march, "head_trick": head}
        question["rules"] |= {"ramsch_losers": ("most-points", "two-most")[losers - 1]}
        answer = ask("score", **question)
        assert (answer["payouts"], answer["points"]) == (end.payouts, end.points), question
        lost[sum(pay < 0 for pay in end.payouts)] += 1
        first, *rest = sorted(end.points, reverse=True)
        level += losers == 2 and not TIES[tie] and first > rest[0] == rest[-1]
    assert level >= min(SOAK - 1, 1)  # rare: one deal in a thousand
    assert lost[1] and lost[2] and lost[3], lost


def even(rng: random.Random, deal: Played, short: bool) -> Played:
    """Whatever they played: hands of few points each, so that several seats may take equally many."""
    size, pack = (6 if short else 8), reference.deck(short)
    pack.sort(key=lambda card: (reference.POINTS[card[1]], rng.random()))
    tricks = [rng.sample(pack[i::size], 4) for i in range(size)]
    hands: list[list[str]] = [[], [], [], []]
    leader = deal.leader
    for trick in tricks:
        for place, card in enumerate(trick):
            hands[(leader + place) % 4].append(card)
        leader = (leader + reference.winner(trick, "ramsch")) % 4
    return Played(hands, deal.leader, tricks, None, None)


def test_payments_come_out_even():
    """Whoever reneges, and whatever it costs."""
    for rng, deck, declaration in cases("even", 1):
        deal = play_out(rng, declaration, DECKS[deck], 0.1)
        question = about(deal, declaration, deck)
        question["rules"] |= {"renege_penalty": "lose-game", "virgins": "price", "march": "all-tricks"}
        answer = ask("score", **question)
        assert sum(answer["payouts"]) == 0
        assert sum(answer["points"]) == 120
        if answer["renege"] is not None:
            assert answer["payouts"][answer["renege"]["seat"]] < 0


def test_why_a_card_that_heads_the_trick_is_legal():
    asked = {"declaration": "ramsch", "trick": "EK EA", "hand": "GA GO", "play": "GO"}
    answer = ask("legal", **asked, rules={"head_trick": "both"})
    assert (answer["legal"], answer["why"]) == (True, "the hand holds no Eichel, and GO heads the trick")
    assert ask("legal", **asked)["why"] == "the hand holds no Eichel, so any card will do"


# --- odd questions --------------------------------------------------------------------------------

FIELDS = sorted({key for pair in PAIRS for key in pair["q"]})
VALUES = [value for pair in PAIRS for value in pair["q"].values()]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(PAIRS), st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES) | JSON, max_size=2))
def test_whatever_is_asked_there_is_one_line_of_json_and_no_fault(pair: dict[str, Any], changed: dict[str, Any]):
    line, good = reply(json.dumps(pair["q"] | changed).encode())
    answer = json.loads(line)
    assert b"\n" not in line
    assert ("error" in answer) is not good
    assert "a fault of renege" not in answer.get("error", "")
