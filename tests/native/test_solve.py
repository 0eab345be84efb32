"""Is the solver's value that of a plain minimax over the engine's own plays, and do its bounds hold when cut off?"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from reference import orders, plain
from reference import schafkopf as reference
from renege import texas42
from renege.core.position import Position, begin
from renege.games import schafkopf
from renege.games.schafkopf.memory import Memory
from renege.games.schafkopf.rules import PackSize
from renege.games.texas42.contract import read_contract as read_42
from renege.games.texas42.packed import pack
from renege.games.texas42.rules import EarlyEnd
from renege.games.texas42.rules import Rules as Rules42
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native.solve import SolveQuery
from support import solved_deals

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
FOUR = 0b1111

DECLARATIONS_42 = [
    *(f"trump {pip}" for pip in range(7)), "trump doubles",
    "follow-me", "follow-me doubles low", "follow-me doubles own",
    "nello", "nello doubles high", "nello doubles low", "nello doubles own-inverted", "sevens",
]  # fmt: skip
KINDS = ["rufspiel E", "rufspiel S", "hochzeit", "wenz", "geier", "solo H", "solo E tout", "farbwenz G",
         "farbgeier S", "sie", "bettel", "ramsch"]  # fmt: skip
# In Ramsch everybody plays alone, so no two sides are its own; any two test the search.


@dataclass(frozen=True)
class Endgame:
    """A position as the engine and as the kernel has it, and who plays for what."""

    position: Position
    tables: native.Tables
    state: np.ndarray
    takers: int
    maximisers: int
    count: str = "points"  # or "tricks": what the takers get

    def plays(self) -> dict[int, int]:
        """What each legal card is worth, the points that it wins included."""
        found: dict[int, int] = {}
        known: Known = {}
        for play in self.position.legal_plays:
            (card,) = play.cards
            found[card] = after(self.position, card, self.takers, self.maximisers, known, self.count)
        return found


Known = dict[tuple[object, ...], int]


def minimax(position: Position, takers: int, maximisers: int, known: Known, count: str) -> int:
    """Every line to its end; what was found between two tricks is kept, nothing is left out."""
    if position.over:
        return 0
    assert position.trick is not None
    assert position.turn is not None
    leaders = position.memory.leaders if isinstance(position.memory, Memory) else 0
    key = (position.hands, position.trick.leader, leaders) if not position.trick.plays else None
    if key is not None and key in known:
        return known[key]
    cards = [card for play in position.legal_plays for card in play.cards]
    values = [after(position, card, takers, maximisers, known, count) for card in cards]
    value = max(values) if maximisers >> position.turn & 1 else min(values)
    if key is not None:
        known[key] = value
    return value


def after(position: Position, card: int, takers: int, maximisers: int, known: Known, count: str) -> int:
    then = position.play(position.game.deck.of(1 << card))
    had, has = getattr(position, count), getattr(then, count)
    won = sum(has[seat] - had[seat] for seat in range(4) if takers >> seat & 1)
    return won + minimax(then, takers, maximisers, known, count)


def small_hands(rng: Random, cards: list[int], size: int) -> list[int]:
    rng.shuffle(cards)
    return [sum(1 << card for card in cards[seat * size : (seat + 1) * size]) for seat in range(4)]


def endgames_42(declaration: str, n: int, size: int = 3) -> Iterator[Endgame]:
    rules = Rules42(early_end=EarlyEnd.PLAY_ON)
    game, rng = texas42.game(rules), Random(f"{declaration} {size}")
    for _ in range(n):
        declarer = rng.randrange(4)
        contract = read_42(rules, f"{declaration} by {declarer}")
        hands = small_hands(rng, list(range(28)), size)
        idle = [seat for seat in range(4) if seat not in game.seats(contract)]
        for seat in idle:
            hands[seat] = 0
        leader = rng.choice(game.seats(contract))
        position = begin(game, contract, tuple(game.deck.of(hand) for hand in hands), leader)
        for _ in range(rng.choice([0, 1, 2, 3, 4])):
            position = position.play(position.legal_plays.choose(rng))
        takers = 0b0101 << (declarer & 1)
        if idle:  # nello: the others want the declarer to take something
            takers = 1 << declarer
        maximisers = FOUR & ~takers & ~sum(1 << seat for seat in idle) if idle else takers
        assert position.order is not None
        yield Endgame(position, native.tables(position.order), pack(position), takers, maximisers)


def endgames_schafkopf(declaration: str, n: int, size: int = 3, pack: PackSize = PackSize.LONG) -> Iterator[Endgame]:
    rules = schafkopf.Rules(deck=pack)
    game, rng = schafkopf.game(rules), Random(f"{declaration} {size}")
    deck, order = game.deck, schafkopf.order(declaration, pack)
    by = {"ramsch": "", "hochzeit": " by 0 with 2"}.get(declaration, " by 0")
    contract = schafkopf.read_contract(rules, declaration + by)
    called = reference.called_at_first(declaration)
    ace = None if called is None else deck.spellings[called.ace]
    alone = declaration == "bettel"  # the declarer must not win a trick, and the others want it to
    tables = native_schafkopf.order(replace(order, points=(0,) * 32, trick_points=1) if alone else order, ace)
    for _ in range(n):
        hands = small_hands(rng, list(range(len(deck))), size)
        if ace is not None and rng.random() < 0.8 and not any(hand >> ace & 1 for hand in hands):
            hands[1] = hands[1] & (hands[1] - 1) | 1 << ace  # it took the lowest card's place
        leaders = rng.choice([0, 0, 1, 2, 4, 8, 6]) if ace is not None else 0
        leader = rng.randrange(4)
        position = begin(game, contract, tuple(deck.of(hand) for hand in hands), leader)
        position = position.resume(memory=Memory(leaders=leaders))
        state = native_schafkopf.states(
            tables, np.array([hands], np.uint32), np.array([leader], np.uint8), np.array([leaders], np.uint8)
        )
        for _ in range(rng.choice([0, 1, 2, 3, 4])):
            play = position.legal_plays.choose(rng)
            position = position.play(play)
            state = native.step(tables, state, np.array(list(play.cards), np.uint8))
        holder = next((seat for seat in range(4) if ace is not None and hands[seat] >> ace & 1), 2)
        takers = rng.choice([1 | 1 << holder, 1, 0b0110, 0b1011])
        if alone:
            yield Endgame(position, tables, state[0], 0b0001, 0b1110, "tricks")
        else:
            yield Endgame(position, tables, state[0], takers, takers)


def check(endgames: Iterable[Endgame]) -> None:
    for game in endgames:
        states, sides = game.state[None], (game.takers, game.maximisers)
        plays = game.plays()
        wants = game.position.turn is not None and game.maximisers >> game.position.turn & 1
        value = max(plays.values()) if wants else min(plays.values())
        found = native_solve.solve(SolveQuery(game.tables, states, *sides))
        assert (found.lower[0], found.upper[0]) == (value, value), game.position
        each = native_solve.solve_plays(SolveQuery(game.tables, states, *sides))
        legal = np.flatnonzero(each.lower[0] >= 0).tolist()
        assert {card: int(each.lower[0, card]) for card in legal} == plays, game.position
        assert np.array_equal(each.lower, each.upper)
        for change in ({"slots": 0}, {"merge": False}, {"slots": 2, "merge": False}):
            again = native_solve.solve(SolveQuery(game.tables, states, *sides), **change)  # pyright: ignore[reportArgumentType]
            assert (again.lower[0], again.upper[0]) == (value, value), (change, game.position)
        for target in {1, max(value, 1), value + 1}:
            made = native_solve.solve(SolveQuery(game.tables, states, *sides, targets=target))
            assert made.lower[0] <= value <= made.upper[0]
            assert made.lower[0] >= target if value >= target else made.upper[0] < target
            tried = native_solve.solve_plays(SolveQuery(game.tables, states, *sides, targets=target))
            for card, worth in plays.items():
                lower, upper = int(tried.lower[0, card]), int(tried.upper[0, card])
                assert lower <= worth <= upper
                assert lower >= target if worth >= target else upper < target
        for limit in range(0, int(found.nodes[0]) + 1, 1 + int(found.nodes[0]) // 8):
            cut = native_solve.solve(SolveQuery(game.tables, states, *sides, most_nodes=limit))
            assert cut.lower[0] <= value <= cut.upper[0]
            assert cut.nodes[0] <= limit
            some = native_solve.solve_plays(SolveQuery(game.tables, states, *sides, most_nodes=limit))
            assert all(some.lower[0, card] <= worth <= some.upper[0, card] for card, worth in plays.items())
        for most in (0.0, 1e-6, 2e-5):
            cut = native_solve.solve(SolveQuery(game.tables, states, *sides, most_seconds=most))
            assert cut.lower[0] <= value <= cut.upper[0]
            some = native_solve.solve_plays(SolveQuery(game.tables, states, *sides, most_seconds=most))
            assert all(some.lower[0, card] <= worth <= some.upper[0, card] for card, worth in plays.items())


def sizes(n: int) -> Iterator[tuple[int, int]]:
    """So many endgames by the cards of a hand: the engine's own minimax takes long."""
    yield from ((2, 13 * n), (3, 6 * n), (4, n))


@pytest.mark.parametrize("declaration", DECLARATIONS_42)
def test_endgames_of_42_equal_minimax(declaration: str):
    for size, n in sizes(SOAK):
        check(endgames_42(declaration, n, size))


@pytest.mark.parametrize("declaration", KINDS)
def test_endgames_of_schafkopf_equal_minimax(declaration: str):
    for size, n in sizes(SOAK):
        check(endgames_schafkopf(declaration, n, size))


def check_plainly(endgames: Iterable[Endgame]) -> None:
    """Larger endings, against the kernel's plain recursion, which leaves nothing out."""
    for game in endgames:
        states, sides = game.state[None], (game.takers, game.maximisers)
        found = native_solve.solve(SolveQuery(game.tables, states, *sides))
        (value,) = plain.values(game.tables, states, *sides, prune=False).tolist()
        assert (found.lower[0], found.upper[0]) == (value, value), game.position


@pytest.mark.parametrize("declaration", DECLARATIONS_42)
def test_larger_endgames_of_42_equal_the_plain_solver(declaration: str):
    check_plainly(endgames_42(declaration, 20 * SOAK, size=5))


@pytest.mark.parametrize("declaration", KINDS)
def test_larger_endgames_of_schafkopf_equal_the_plain_solver(declaration: str):
    check_plainly(endgames_schafkopf(declaration, 20 * SOAK, size=5))


def test_endgames_of_the_short_pack_equal_minimax():
    check(endgames_schafkopf("rufspiel G", 6 * SOAK, pack=PackSize.SHORT))


def whole_deals(name: str, n: int) -> tuple[native.Tables, np.ndarray]:
    order, seats, duty = {
        "fives are trump": (orders.trump(5), FOUR, native.Duty.FOLLOW_SUIT),
        "no trump": (orders.trump(None), FOUR, native.Duty.FOLLOW_SUIT),
        "nello": (orders.nello(), 0b1011, native.Duty.FOLLOW_SUIT),
        "sevens": (orders.sevens(), FOUR, native.Duty.STRONGEST),
    }[name]
    hands = native.deals((1 << 28) - 1, [7] * 4, n, seed=9).tolist()
    return native.tables(order), np.stack([native.state(hand, 0, seats=seats, duty=duty) for hand in hands])


@pytest.mark.parametrize("name", ["fives are trump", "no trump", "nello", "sevens"])
def test_whole_deals_are_worth_the_same_however_they_are_searched(name: str):
    tables, states = whole_deals(name, 3 * SOAK)
    sides = (0b0001, 0b1010) if name == "nello" else (0b0101, 0b0101)
    found = native_solve.solve(SolveQuery(tables, states, *sides))
    assert np.array_equal(found.lower, found.upper)
    for slots, merge, threads in ((1 << 16, False, 2), (1 << 8, True, 1), (1 << 20, True, 3)):
        again = native_solve.solve(SolveQuery(tables, states, *sides), slots=slots, merge=merge, threads=threads)
        assert np.array_equal(again.lower, found.lower)
        assert np.array_equal(again.upper, found.upper)
    # With the sides changed round the rest of the points are counted.
    if name != "nello":
        others = native_solve.solve(SolveQuery(tables, states, 0b1010))
        assert (found.lower + others.lower == 42).all()


def test_whole_deals_of_42_equal_the_unpruned_solve():
    """Every boundary that can be reached, every play of every trick. One deal takes seconds: fifty under soak."""
    names = ["fives are trump", "no trump"]
    for i, name in enumerate(names[: 1 if SOAK == 1 else 2]):
        tables, states = whole_deals(name, 1 if SOAK == 1 else 25)
        found = native_solve.solve(SolveQuery(tables, states, 0b0101 << i))
        assert np.array_equal(found.lower, found.upper)
        assert np.array_equal(found.lower, plain.values(tables, states, 0b0101 << i, prune=False))


@pytest.mark.parametrize("game", ["texas42", "schafkopf"])
def test_deals_of_the_answers_have_their_values(game: str):
    """Two methods agreed when these were written down; a few are solved here in both ways again."""
    deals = solved_deals.read(game)
    assert len({tuple(deal.hands) for deal in deals}) == {"texas42": 200, "schafkopf": 100}[game]
    chosen = deals if SOAK > 1 else Random(game).sample(deals, len(deals) // 100)
    for deal in chosen:
        tables = solved_deals.kernel_tables(game, deal.declaration)
        states = solved_deals.state(game, tables, deal)[None]
        found = native_solve.solve(SolveQuery(tables, states, deal.mask))
        assert found.lower[0] == found.upper[0] == deal.value, deal
    for deal in chosen[:SOAK]:
        tables = solved_deals.kernel_tables(game, deal.declaration)
        states = solved_deals.state(game, tables, deal)[None]
        assert plain.values(tables, states, deal.mask, prune=True)[0] == deal.value, deal


def test_a_deal_needs_no_table():
    tables, states = whole_deals("fives are trump", 1)
    states[:, :4] = native.deals((1 << 28) - 1, [5] * 4, 1, seed=3)
    with_table = native_solve.solve(SolveQuery(tables, states, 0b0101))
    without = native_solve.solve(SolveQuery(tables, states, 0b0101), slots=0, merge=False)
    assert with_table.lower[0] == without.lower[0] == without.upper[0]
    assert with_table.nodes[0] < without.nodes[0]


def test_the_table_knows_who_has_led_the_called_suit():
    """The same cards may be left whether or not the suit was led, and then the ace is free or not."""
    order, ace = schafkopf.order("rufspiel E"), schafkopf.LONG.spellings["EA"]
    tables = native_schafkopf.order(order, ace)
    suit = order.follow[order.led_suit[ace]]
    n = 150 * SOAK
    own = native.deals(suit & ~(1 << ace), [3], n, seed=5) | np.uint32(1 << ace)  # enough to lead from under the ace
    hands = np.zeros((n, 4), np.uint32)
    for i, held in enumerate(own[:, 0].tolist()):
        hands[i] = native.deals(schafkopf.LONG.kinds & ~held, [2, 6, 6, 6], 1, seed=i)[0]
        hands[i, 0] |= held
    states = native_schafkopf.states(tables, hands, np.arange(n, dtype=np.uint8) % np.uint8(4))
    takers = np.arange(n, dtype=np.uint8) % np.uint8(14) + np.uint8(1)
    found = native_solve.solve(SolveQuery(tables, states, takers))
    without = native_solve.solve(SolveQuery(tables, states, takers), slots=0)
    assert np.array_equal(found.lower, without.lower)
    assert np.array_equal(found.upper, without.upper)


def test_more_nodes_never_loosen_the_bounds():
    tables, states = whole_deals("no trump", 2)
    value = native_solve.solve(SolveQuery(tables, states, 0b0101)).lower
    last = native_solve.solve(SolveQuery(tables, states, 0b0101, most_nodes=0))
    for limit in (100, 1000, 10_000, 100_000):
        found = native_solve.solve(SolveQuery(tables, states, 0b0101, most_nodes=limit))
        assert (found.lower >= last.lower).all()
        assert (found.upper <= last.upper).all()
        assert ((found.lower <= value) & (value <= found.upper)).all()
        last = found


def test_rows_that_time_leaves_out_have_bounds_all_the_same():
    tables, states = whole_deals("fives are trump", 20)
    value = native_solve.solve(SolveQuery(tables, states, 0b0101)).lower
    each = native_solve.solve_plays(SolveQuery(tables, states, 0b0101)).lower
    for most in (0.0, 1e-4, 1e-3, 3e-3):
        cut = native_solve.solve(SolveQuery(tables, states, 0b0101, most_seconds=most))
        assert ((cut.lower <= value) & (value <= cut.upper)).all()
        some = native_solve.solve_plays(SolveQuery(tables, states, 0b0101, most_seconds=most), threads=2)
        assert ((some.lower <= each) & (each <= some.upper)).all()
        assert np.array_equal(some.lower < 0, each < 0)
    none = native_solve.solve(SolveQuery(tables, states, 0b0101, most_seconds=0))
    assert not none.nodes.any()
    assert (none.lower < none.upper).any()
    enough = native_solve.solve(SolveQuery(tables, states, 0b0101, most_seconds=float("inf")))
    assert np.array_equal(enough.lower, value)


def test_wrong_arguments_are_refused():
    tables, states = whole_deals("fives are trump", 2)
    shared = states.copy()
    shared[1, 0] = shared[1, 1]
    for call, says in (
        (lambda: native_solve.solve(SolveQuery(tables, shared, 5)), "states row 1: a card is in two hands"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 16)), "takers is 16"),
        (lambda: native_solve.solve(SolveQuery(tables, states, np.array([5, 99], np.uint8))), "takers row 1"),
        (lambda: native_solve.solve(SolveQuery(tables, states, np.array([5], np.uint8))), r"takers must be uint8\[2\]"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5, targets=0)), "targets must be 1 or more"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5), slots=3), "slots is 3"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5, most_nodes=-1)), "most_nodes is -1"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5, most_seconds=-0.1)), "most_seconds is -0.1"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5, most_seconds=float("nan"))), "most_seconds is nan"),
        (lambda: native_solve.solve(SolveQuery(tables, states, 5), threads=0), "threads is 0"),
    ):
        with pytest.raises(ValueError, match=says):
            call()


def test_a_deal_that_is_over_is_worth_nothing():
    tables, states = whole_deals("fives are trump", 1)
    states[:, :4] = 0
    found = native_solve.solve(SolveQuery(tables, states, 5))
    assert (found.lower[0], found.upper[0], found.nodes[0]) == (0, 0, 0)
    assert (native_solve.solve_plays(SolveQuery(tables, states, 5)).lower == -1).all()


@pytest.mark.parametrize(
    ("declaration", "hands", "leader", "takers"),
    [
        ("solo H", ["EO E9 G8 S8", "EK SA S9 S7", "E7 HA HO SK", "EU GU HU SU"], 1, 0b1010),
        ("solo E", ["GA HZ S8 S7", "GO G8 H9 S9", "E9 E8 E7 GU", "EK GK H7 SO"], 0, 0b1010),
        ("solo E", ["GA HA SK S7", "EK EU HO SU", "EO G7 HU H7", "GO G8 H8 S8"], 0, 0b0011),
    ],
)
def test_a_friend_who_must_trump_ends_what_the_leader_cashes(
    declaration: str, hands: list[str], leader: int, takers: int
):
    """Nobody else beats the leader's high side cards, but a friend has to take the first, and cannot lead the next."""
    tables = native.tables(schafkopf.order(declaration))
    held = [sum(1 << schafkopf.LONG.spellings[card] for card in hand.split()) for hand in hands]
    states = native.state(held, leader)[None]
    (value,) = plain.values(tables, states, takers, prune=False).tolist()
    found = native_solve.solve(SolveQuery(tables, states, takers))
    assert (found.lower[0], found.upper[0]) == (value, value)


def test_seats_that_take_together_need_not_want_the_same():
    """Any two masks are allowed: who wins tricks for the leader's side may want the leader to lose them."""
    tables, rng, rows = native.tables(schafkopf.order("wenz")), Random(1), 1500 * SOAK
    hands = native.deals(schafkopf.LONG.kinds, [4] * 4, rows, seed=8).tolist()
    states = np.stack([native.state(hand, rng.randrange(4)) for hand in hands])
    takers, maximisers = (np.array([rng.randrange(16) for _ in range(rows)], np.uint8) for _ in range(2))
    found = native_solve.solve(SolveQuery(tables, states, takers, maximisers))
    value = plain.values(tables, states, takers, maximisers, prune=True)
    assert np.array_equal(found.lower, value)
    assert np.array_equal(found.upper, value)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit on memory may not hold")
@pytest.mark.parametrize("threads", [1, 3])
def test_memory_that_runs_out_is_an_error_and_not_the_end(threads: int):
    """In a process of its own, which may have 1 GiB and asks for 2 a thread."""
    program = f"""
import resource
import numpy as np
from renege.native import cards as native, solve as native_solve
from renege import schafkopf
tables = native.tables(schafkopf.order("wenz"))
states = np.stack([native.state(hands, 0) for hands in native.deals(2**32 - 1, [2] * 4, 3, seed=1).tolist()])
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    native_solve.solve(native_solve.SolveQuery(tables, states, 1), slots=1 << 28, threads={threads})
except MemoryError:
    print("refused")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "refused\n"), ended.stderr
