"""Does the small game see what a seat sees, and no more? Python reads a view, the kernel a table with open hands."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from renege import texas42
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.game import SEATS
from renege.core.position import Position
from renege.core.record import Record
from renege.games.abstraction import AbstractView
from renege.games.strategy import policy_of
from renege.games.texas42.abstraction import WAYS, see, voids
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.packed import pack, tables
from renege.games.texas42.rules import OpeningLead
from renege.native import abstraction42 as native_abstract42
from support.steering import CONTRACTS, SOAK, deals_for, steer

SHEETS = native_abstract42.sheets([tables(texas42.order(name)) for name in texas42.DECLARATIONS[:9]])
STRAIGHT = [
    (bid, call)
    for bid, call in CONTRACTS
    if not call.startswith(("nello", "sevens")) and bid not in ("plunge", "splash")
]
NO_TILE = 255


def courses(bid: str, declared: str, deals: int) -> Iterator[Record]:
    """Deals under a contract, before each play."""
    game, choose = texas42.game(), steer(bid, declared)
    seeds = deals_for(bid)
    for _ in range(deals):
        seed = next(seeds)
        table, rng = Arbiter(game, seed), random.Random(seed)
        while (seat := table.position.turn) is not None:
            if not table.position.talking:
                yield table.record
            assert table.act(seat, choose(table.position, rng))


def seen_by_kernel(record: Record) -> tuple[int, dict[int, int]]:
    """The key and the tile of each way, from all four hands."""
    position = record.position
    shown = voids(record.view(position.turn or 0))
    bits = sum(1 << 8 * seat + suit for seat in SEATS for suit in shown[seat])
    found = native_abstract42.look(SHEETS, pack(position)[None], np.array([bits], np.uint32))
    return int(found.keys[0]), {way: int(tile) for way, tile in enumerate(found.tiles[0]) if tile != NO_TILE}


def tiles_of(found: AbstractView) -> dict[int, int]:
    return {way: next(iter(advice.what.cards)) for way, advice in found.ways.items()}  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("bid", "declared"), [row for row in STRAIGHT if "doubles l" not in row[1] and "doubles o" not in row[1]]
)
def test_the_kernel_sees_what_the_seat_sees(bid: str, declared: str):
    """From all hands or from one seat's view: the same key, ways and tiles. So nothing hidden is used."""
    chosen = 0
    for record in courses(bid, declared, 6 * SOAK):
        seat = record.position.turn
        assert seat is not None
        found, (key, tiles) = see(record.view(seat)), seen_by_kernel(record)
        if found is None:
            assert key == native_abstract42.NO_KEY and len(tiles) == 1
            continue
        chosen += 1
        assert (key, tiles) == (found.key, tiles_of(found)), record
    assert chosen > 5


@pytest.mark.parametrize(("bid", "declared"), [("30", "trump 5"), ("31", "trump doubles"), ("1 mark", "follow-me")])
def test_the_other_hands_may_be_dealt_anew(bid: str, declared: str):
    """Tiles that change hands among the others, none of them shown, change neither key nor ways."""
    rng = random.Random(bid)
    for record in courses(bid, declared, 4 * SOAK):
        seat = record.position.turn
        assert seat is not None
        other = replace(record, start=replace(record.start, hands=shuffled(record, seat, rng)))
        assert see(other.view(seat)) == see(record.view(seat))


def shuffled(record: Record, seat: int, rng: random.Random) -> tuple[Cards, ...]:
    """The same start with what others still hold dealt to them anew; who was void may hold the suit now, unseen."""
    now = record.position.hands
    pool = [card for other in SEATS if other != seat for card in now[other]]  # pyright: ignore[reportGeneralTypeIssues]
    rng.shuffle(pool)
    hands = list[Cards]()
    for other in SEATS:
        held, start = now[other], record.start.hands[other]
        assert isinstance(held, Cards) and isinstance(start, Cards)
        if other == seat:
            hands.append(start)
            continue
        given, pool = pool[: len(held)], pool[len(held) :]
        kinds = (start.kinds & ~held.kinds) | sum(1 << card for card in given)
        hands.append(texas42.DECK.of(kinds))
    return tuple(hands)


@pytest.mark.parametrize(("bid", "declared"), STRAIGHT)
def test_every_way_is_a_legal_play_and_no_two_are_one(bid: str, declared: str):
    for record in courses(bid, declared, 2 * SOAK):
        position = record.position
        found = see(record.view(position.turn or 0))
        if found is None:
            continue
        plays = [advice.what for advice in found.ways.values()]
        assert len(set(map(str, plays))) == len(plays) >= 2
        assert all(position.judge(play).legal for play in plays)  # pyright: ignore[reportArgumentType]
        assert 0 < found.key < 1 << 39 and max(found.ways) < WAYS


def test_what_the_rulebook_plays_is_often_a_way():
    """It is by design: leads but for ties among equals, follows but for count that wins where it need not."""
    game = texas42.game()
    met = same = 0
    for seed in range(60):
        table = Arbiter(game, seed)
        while (seat := table.position.turn) is not None:
            view = table.record.view(seat)
            advice = policy_of(game)(view)
            found = see(view)
            if found is not None:
                met += 1
                same += advice.what in [other.what for other in found.ways.values()]
            assert table.act(seat, advice.what)
    assert met > 300 and same / met > 0.85


@pytest.mark.parametrize(("bid", "declared"), [row for row in CONTRACTS if row not in STRAIGHT])
def test_other_contracts_have_no_key(bid: str, declared: str):
    record = next(courses(bid, declared, 1))
    assert isinstance(record.position.contract, Hand42) and record.position.contract.kind not in (
        Kind.POINTS,
        Kind.MARKS,
    )
    assert see(record.view(record.position.turn or 0)) is None


def test_talk_and_bound_leads_have_no_key():
    game = texas42.game()
    table = Arbiter(game, 1)
    assert see(table.record.view(table.position.turn or 0)) is None
    bound = texas42.position("trump 5 | hand 6-6 5-1 3-1", replace(game.rules, opening_lead=OpeningLead.TRUMP))
    assert see(_view_at(bound)) is None


def test_a_position_read_by_a_player():
    """Fives are trumps. Of the rest 4-3 has two tiles above it, 4-1 is count, and nothing is lower than 2-0."""
    position = texas42.position("trump 5 | hand 5-5 5-1 6-6 4-3 4-1 3-1 2-0")
    found = see(_view_at(position))
    assert found is not None
    names = {advice.why: str(advice.what) for advice in found.ways.values()}
    assert names == {
        "the top trump": "5-5", "a low trump": "5-1", "a master": "6-6", "count": "4-1", "the next highest": "4-3",
        "the least": "2-0",
    }  # fmt: skip


def _view_at(position: Position):
    from renege.core.position import View

    return View(position, (), position.turn or 0)
