"""Do rows of version 1 forget nothing? From a row alone all is rebuilt that a belief is made of."""

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial, reduce
from itertools import islice
from typing import Any

import numpy as np
import pytest

from reference import schafkopf as schafkopf_words
from reference import suits_shown
from reference import texas42 as texas42_words
from reference import tractor as tractor_words
from renege import texas42
from renege.belief import Belief
from renege.core.cards import Cards, known_cards
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.core.view import view_of
from renege.games.encoding import Moment, encoding_of
from renege.games.rows import Rows
from renege.games.tractor.encoding import EncodingTractor, told_as
from renege.native.arrays import U8
from support.row_deals import DEALS
from support.row_decoder import Decoder
from support.steering import SOAK

# a million with RENEGE_SOAK=100, and three thousand without
OFTEN = SOAK if SOAK == 1 else 3 * SOAK
ROWS = {"texas42": 1600 * OFTEN, "schafkopf": 1500 * OFTEN, "tractor": 400 * OFTEN}
ROWS |= {"larger tables": 400 * OFTEN}
ROWS |= {name: 60 * OFTEN for name in DEALS if name.endswith("-small")}
BELIEFS = {"texas42": 150 * SOAK, "schafkopf": 100 * SOAK, "tractor": 30 * SOAK, "larger tables": 30 * SOAK}
SUITS = {"texas42": 600 * SOAK, "schafkopf": 600 * SOAK, "tractor": 300 * SOAK, "larger tables": 300 * SOAK}


def moments(name: str, seed: int) -> Iterator[tuple[Moment, View, int]]:
    """Moments of many deals, each with what a seat has seen, and the seat."""
    rng = random.Random(f"{name} {seed}")
    for deal in DEALS[name](rng):
        passed = list[Position]()
        for moment in deal:
            if len(passed) == len(moment.acts):
                passed.append(moment.position)
            seat = rng.choice([rng.randrange(moment.encoding.game.players), moment.turn or 0])
            yield moment, view_of(moment.course, seat, passed), seat


# -- the view


class Decoders:
    """Those of a game: a short pack has narrower rows, and so a layout of its own, as has every size of table."""

    def __init__(self) -> None:
        self._by_layout: dict[tuple[object, ...], Decoder] = {}

    def view(self, moment: Moment, seat: int) -> View:
        layout = tuple((name, part.start, part.stop) for name, part in moment.encoding.sections.items())
        if layout not in self._by_layout:
            self._by_layout[layout] = Decoder(moment.encoding)
        return self._by_layout[layout].view(moment.observe(seat), seat)


def told(moment: Moment, rules: Any) -> dict[str, object]:
    """House rules by name, as far as a deal feels them; that a number is another rule's no row tells."""
    rules = told_as(rules) if isinstance(moment.encoding, EncodingTractor) else rules
    own = [rule.name for rule in fields(rules) if rule.metadata.get("own")]
    names = [rule.name for rule in fields(rules) if rule.name not in moment.encoding.rules_not_felt]
    return {name: rules.number(name) if name in own else getattr(rules, name) for name in names}


def check_view(found: View, true: View, moment: Moment) -> None:
    where, tell = f"seat {true.seat}: {moment.position}", moment.encoding.told_standing
    assert found.seat == true.seat
    assert found.acts == true.acts, where
    assert tell(found.start.standing) == tell(true.start.standing), where
    assert told(moment, found.game.rules) == told(moment, true.game.rules), where
    assert all(
        found.start.hands[seat] == true.start.hands[seat] for seat in true.game.all_seats if seat != true.seat
    ), where
    mine, own = found.start.hands[true.seat], true.start.hands[true.seat]
    if isinstance(true.start.kitty, Cards):  # it was taken up: no row tells which of the cards lay in it
        both = known_cards(mine) + known_cards(found.start.kitty)
        assert both == known_cards(own) + true.start.kitty, where
    else:
        assert (mine, found.start.kitty) == (own, true.start.kitty), where


def events(view: View) -> Iterator[str]:
    """What is rare, or hard to tell from a row."""
    for act in view.acts:
        if isinstance(act.what, Play):
            yield from ["stopped"] * (act.what.tried is not None)
            continue
        word, _, rest = act.what.partition(" ")
        if word in ("give", "bury"):
            yield f"{word} unseen" if rest.endswith(("a tile", "a card", "cards")) else f"{word} seen"
        yield "a ten" if rest.endswith("Z") else "renonce" if rest.endswith("renonce") else word


EVENTS = {
    "texas42": {"plunge", "splash", "nello", "sevens", "give seen", "give unseen"},
    "schafkopf": {"hochzeit", "stoss", "double", "old", "renonce", "a ten", "give seen", "give unseen"},
    "tractor": {"show", "bury seen", "bury unseen", "stopped"},
    "larger tables": {"show", "bury seen", "bury unseen", "stopped", "friends"},
}


@pytest.mark.parametrize("name", ROWS)
def test_what_a_seat_saw_is_rebuilt_from_its_row(name: str):
    decoders, seen, expected = Decoders(), set[str](), EVENTS.get(name, set())
    for moment, true, seat in islice(moments(name, 1), ROWS[name]):
        check_view(decoders.view(moment, seat), true, moment)
        seen |= set(events(true))
    assert seen >= expected, f"these did not come up: {expected - seen}"


@pytest.mark.parametrize("name", ROWS)
def test_what_is_carried_on_is_what_is_counted_from_the_beginning(name: str):
    """Rows of one moment after the other, and of each by itself."""
    carried = 0
    for moment, _, seat in islice(moments(name, 5), ROWS[name] // 4):
        alone = replace(moment)
        carried += "grown" in moment.__dict__
        assert (moment.observe(seat) == alone.observe(seat)).all(), moment.position
        assert "grown" not in alone.__dict__
    assert carried


@pytest.mark.parametrize("name", BELIEFS)
def test_a_view_from_a_row_gives_the_same_belief(name: str):
    decoders = Decoders()
    for moment, true, seat in islice(moments(name, 2), 0, 11 * BELIEFS[name], 11):
        mine, theirs = Belief(decoders.view(moment, seat)), Belief(true)
        assert mine.view.facts() == theirs.view.facts(), moment.position
        assert mine.compiled.problem == theirs.compiled.problem, moment.position
        assert (mine.compiled.piles, mine.compiled.loose) == (theirs.compiled.piles, theirs.compiled.loose)
        assert mine.count() == theirs.count()


@pytest.mark.parametrize("name", BELIEFS)
def test_a_row_tells_nothing_that_its_seat_did_not_see(name: str):
    """Worlds that a seat cannot tell apart look the same to it."""
    others = 0
    for i, (moment, view, seat) in enumerate(islice(moments(name, 4), 0, 13 * BELIEFS[name] // 2, 13)):
        if moment.chosen:
            continue
        belief = Belief(view)
        (world,) = belief.draw(1, seed=i)
        record = belief.record(world)
        start = moment.encoding.begin(
            list(map(known_cards, record.start.hands)), known_cards(record.start.kitty), record.start.standing
        )
        other = reduce(Moment.act, (act.what for act in record.acts), start)
        assert (other.observe(seat) == moment.observe(seat)).all(), moment.position
        others += other.start != moment.start
    assert others


# -- voids and suits led


def words_of_texas42(moment: Moment) -> tuple[Callable[[str], str], Callable[[str, str], bool]]:
    contract: Any = moment.position.contract
    name, doubles, tile = contract.declaration, contract.doubles.value, texas42_words.parse_tile
    return (
        lambda card: texas42_words.led_suit(tile(card), name, doubles),
        lambda card, suit: texas42_words.can_follow(tile(card), suit, name, doubles),
    )


def words_of_schafkopf(moment: Moment) -> tuple[Callable[[str], str], Callable[[str, str], bool]]:
    contract, rules = moment.position.contract, moment.encoding.game.rules
    assert contract is not None
    name, order = contract.declaration, rules.bettel_order.value
    name = f"bettel {order}" if name == "bettel" and order != "ace-king" else name
    suit_of = partial(schafkopf_words.suit_of, declaration=name)
    return suit_of, lambda card, suit: suit_of(card) == suit


def words_of_tractor(moment: Moment) -> tuple[Callable[[str], str], Callable[[str, str], bool]]:
    contract, rules = moment.position.contract, moment.encoding.game.rules
    assert contract is not None
    jokers_only = contract.declaration.startswith("NT") and rules.no_trump.value == "jokers-only"
    suit_of = partial(tractor_words.suit, declaration="NT-" if jokers_only else contract.declaration)
    return suit_of, lambda card, suit: suit_of(card) == suit


WORDS = {"texas42": words_of_texas42, "schafkopf": words_of_schafkopf, "tractor": words_of_tractor}
WORDS |= {"larger tables": words_of_tractor}
NAMES = {  # of the suits, as rows number them
    "texas42": texas42_words.SUITS,
    "schafkopf": ["T", *schafkopf_words.SUITS],
    "tractor": tractor_words.EFFECTIVE_SUITS,
}


def tricks_of(moment: Moment) -> list[suits_shown.Trick]:
    """The tricks so far, in words."""
    plays = [(act.seat, str(act.what.cards).split()) for act in moment.acts if isinstance(act.what, Play)]
    size = len(moment.position.active)
    return [plays[first : first + size] for first in range(0, len(plays), size)]


def marked(moment: Moment, row: U8, section: str, seat: int) -> set[tuple[int, str]]:
    """The seats and suits of a section of a row."""
    names, players = NAMES[moment.encoding.game.name], moment.encoding.game.players
    places = np.argwhere(row[moment.encoding.sections[section]].reshape(players, len(names)))
    return {((seat + other) % players, names[suit]) for other, suit in places.tolist()}


@pytest.mark.parametrize("name", SUITS)
def test_voids_and_suits_led_are_what_somebody_at_the_table_remembers(name: str):
    played = (one for one in moments(name, 3) if one[0].position.contract is not None)
    voids = 0
    for moment, _, seat in islice(played, SUITS[name]):
        row, tricks, (suit_of, follows) = moment.observe(seat), tricks_of(moment), WORDS[name](moment)
        assert marked(moment, row, "led", seat) == suits_shown.led(tricks, suit_of), moment.position
        out = suits_shown.out_of(tricks, suit_of, follows)
        assert marked(moment, row, "voids", seat) == out, moment.position
        voids += len(out)
    assert voids > SUITS[name] / 2


# -- what rows of version 0 hide

HANDS = (
    "6-6 5-5 0-0 1-0 2-0 3-0 4-0",
    "6-5 2-1 3-1 4-1 1-1 2-2 3-2",
    "6-4 5-4 4-4 4-3 4-2 3-3 6-1",
    "6-3 5-3 6-2 5-2 5-1 6-0 5-0",
)
SIXES_FIRST = "6-6 6-5 6-4 6-3 5-5 2-1 5-4 5-3"  # to which seat 1 has a six and then no five
FIVES_FIRST = "5-5 6-5 5-4 5-3 6-6 2-1 6-4 6-3"


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_two_histories_that_look_alike_in_version_0(seat: int):
    """The same tiles lie behind each seat after either; but seat 1 is out of fives, or else of sixes."""
    found = list[dict[int, Moment]]()
    for plays in (SIXES_FIRST, FIVES_FIRST):
        acts = ("30", "pass", "pass", "pass", "trump 0", *plays.split())
        by_version = dict[int, Moment]()
        for version in (0, 1):
            encoding = encoding_of(texas42.game(), Rows(version))
            hands = [encoding.game.deck.cards(map(encoding.game.deck.card, hand.split())) for hand in HANDS]
            by_version[version] = reduce(Moment.act, acts, encoding.begin(hands, encoding.game.deck.none))
        found.append(by_version)
    sixes, fives = found
    assert (sixes[0].observe(seat) == fives[0].observe(seat)).all()
    new, other = sixes[1].observe(seat), fives[1].observe(seat)
    differ = [name for name, at in sixes[1].encoding.sections.items() if (new[at] != other[at]).any()]
    assert differ == ["voids"]
    voids = [set(moments[1].observe(seat)[moments[1].encoding.sections["voids"]].nonzero()[0]) for moments in found]
    first = ((1 - seat) % 4) * 8
    assert voids == [{first + 5}, {first + 6}]
    odds = [Belief(moments[1].view(seat)).odds("5-2" if seat < 3 else "6-1")[1] for moments in found]
    assert sorted(odds)[0] == 0 < sorted(odds)[1]
