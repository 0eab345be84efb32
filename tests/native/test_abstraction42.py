"""The trainer of straight 42: are its deals the rulebook's, its lanes those of a slow twin, its sums in any order?"""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from renege import texas42
from renege.core.cards import Cards
from renege.core.game import Standing
from renege.core.position import Position
from renege.core.record import Record
from renege.games.texas42.abstraction import sheets
from renege.games.texas42.contract import Hand42
from renege.games.texas42.packed import tables
from renege.games.texas42.rulebook import rulebook
from renege.games.texas42.rules import PRESETS
from renege.native import abstraction42 as native_abstract42
from renege.native import cards as native
from renege.native.abstraction42 import Ledger, contracts, fold, look, traverse
from renege.search.regret.train import Training, load_training
from support.steering import SOAK
from support.texas42_rows import unpack

SHEETS = sheets()
ORDERS = [tables(texas42.order(name)) for name in texas42.DECLARATIONS[:9]]
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


# -- deals


def test_deals_are_bid_by_the_rulebook():
    """Four rulebooks at a table of straight 42 come to the contract that the kernel deals."""
    game = texas42.game(PRESETS["tournament"])
    for row in contracts(SHEETS, 120 * SOAK, 5).tolist():
        position = unpack(game, row)
        contract = position.contract
        assert isinstance(contract, Hand42)
        found = [bid_by_rulebooks(position, shaker) for shaker in range(4)]
        assert contract in found, row


def bid_by_rulebooks(position: Position, shaker: int) -> Hand42 | None:
    game = position.game
    hands = tuple(hand for hand in position.hands if isinstance(hand, Cards))
    standing = Standing(shaker, (0, 0))
    talk = game.talk(game.rules, standing)
    record = Record(Position(game, standing, hands, game.deck.none, talk=talk))
    while record.position.talking:
        seat = record.position.turn
        assert seat is not None
        said = record.position.read(rulebook(record.view(seat)).what, seat)
        record = replace(record, acts=(*record.acts, said))
    contract = record.position.contract
    assert contract is None or isinstance(contract, Hand42)
    return contract


def test_every_kind_of_contract_is_dealt():
    states = contracts(SHEETS, 20_000, 3)
    terms = states[:, 5]
    assert set((terms >> 16 & 0xFF).tolist()) == set(range(9))
    assert set((terms >> 24 & 7).tolist()) == {0, 1}
    bids = set((30 + (terms[terms >> 24 & 7 == 0] >> 27 & 15)).tolist())
    assert {30, 31, 32, 36} <= bids <= set(range(30, 42))
    shares = np.bincount(terms >> 12 & 3) / len(states)
    assert (abs(shares - 0.25) < 0.02).all()
    assert (contracts(SHEETS, 50, 3, 70, threads=2) == states[70:120]).all()


# -- a lane, as a slow twin walks it


class Twin:
    """External sampling, recursively, in fractions; it asks the kernel what a seat may do and nothing else."""

    def __init__(self, regret: dict[int, np.ndarray]) -> None:
        self.regret, self.gain, self.share = regret, {}, {}
        self.nodes = 0

    def lane(self, seed: int, lane: int) -> Fraction:
        state = contracts(SHEETS, 1, seed, lane)[0]
        self.words = words(seed, 1, lane)
        self.declarer = int(state[5]) >> 12 & 3
        self.traverser = (self.declarer + lane) % 4
        self.order = ORDERS[int(state[5]) >> 16 & 0xFF]
        return self.walk(state, 0)

    def walk(self, state: np.ndarray, voids: int) -> Fraction:
        ended = self.outcome(state)
        if ended:
            return Fraction(ended if (self.traverser - self.declarer) % 2 == 0 else -ended)
        self.nodes += 1
        found = look(SHEETS, state[None], np.array([voids], np.uint32))
        key, tiles = int(found.keys[0]), {w: int(t) for w, t in enumerate(found.tiles[0]) if t != 255}
        if key == 0:
            return self.walk(*self.after(state, voids, tiles[min(tiles)]))
        strategy = self.match(key, list(tiles))
        if seat_of(state) != self.traverser:
            left, drawn = Fraction(next(self.words) >> 40, 2**24), max(tiles)
            for way in sorted(tiles):
                if left < strategy[way]:
                    drawn = way
                    break
                left -= strategy[way]
            self.add(self.share, key, strategy)
            return self.walk(*self.after(state, voids, tiles[drawn]))
        values = {way: self.walk(*self.after(state, voids, tiles[way])) for way in sorted(tiles)}
        worth = sum((strategy[way] * values[way] for way in tiles), Fraction(0))
        self.add(self.gain, key, {way: values[way] - worth for way in tiles})
        return worth

    def match(self, key: int, ways: list[int]) -> dict[int, Fraction]:
        held = self.regret.get(key)
        good = {way: Fraction(0) if held is None else max(Fraction(0), Fraction(float(held[way]))) for way in ways}
        whole = sum(good.values())
        return {way: good[way] / whole if whole else Fraction(1, len(ways)) for way in ways}

    def after(self, state: np.ndarray, voids: int, tile: int) -> tuple[np.ndarray, int]:
        lead = int(state[4]) & 0xFF
        if lead != 0xFF:
            followers = texas42.order(texas42.DECLARATIONS[int(state[5]) >> 16 & 0xFF])
            led = followers.led_suit[lead]
            if not followers.follow[led] >> tile & 1:
                voids |= 1 << 8 * seat_of(state) + led
        return native.step(self.order, state[None], np.array([tile], np.uint8))[0], voids

    def outcome(self, state: np.ndarray) -> int:
        terms, points = int(state[5]), [int(state[6]) >> 8 * seat & 0xFF for seat in range(4)]
        bid = 42 if terms >> 24 & 7 else 30 + (terms >> 27 & 15)
        taken, against = sum(points[self.declarer % 2 :: 2]), sum(points[1 - self.declarer % 2 :: 2])
        return 1 if taken >= bid else -1 if against > 42 - bid else 0

    @staticmethod
    def add(sums: dict[int, dict[int, Fraction]], key: int, of: dict[int, Fraction]) -> None:
        row = sums.setdefault(key, {})
        for way, amount in of.items():
            row[way] = row.get(way, Fraction(0)) + amount


def seat_of(state: np.ndarray) -> int:
    return (int(state[5]) + (int(state[5]) >> 2 & 3)) & 3


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def words(seed: int, purpose: int, lane: int):
    """SplitMix64 as the kernel opens it for a lane."""
    state = mix(mix(seed + GOLDEN * (purpose + 1) & MASK) + GOLDEN * (lane + 1) & MASK)
    while True:
        state = state + GOLDEN & MASK
        yield mix(state)


def numbers(ledger: Ledger, array: np.ndarray) -> dict[int, np.ndarray]:
    """What a ledger has at each key."""
    return {int(ledger.keys[place]): array[place] for place in ledger.order()}


@pytest.mark.parametrize("trained", [0, 2])
def test_lanes_are_those_of_a_slow_twin(trained: int):
    """Turn by turn: the same plays are drawn, and what they are worth agrees as far as floats go."""
    ledger = Ledger(1 << 17)
    for batch in range(trained):
        traverse(SHEETS, ledger, 300, 7, 300 * batch)
        fold(ledger, 0.5)
    regret = {key: row.copy() for key, row in numbers(ledger, ledger.regret).items()}
    twin = Twin(regret)
    lanes = 4 * SOAK
    paid = [twin.lane(11, lane) for lane in range(1000, 1000 + lanes)]
    found = traverse(SHEETS, ledger, lanes, 11, 1000)
    assert found.nodes == twin.nodes and found.dropped == 0
    assert sum(found.paid) == pytest.approx(float(sum(paid)), abs=1e-4)
    assert found.lanes == (lanes // 4,) * 4
    for sums, array in ((twin.gain, ledger.gain), (twin.share, ledger.share)):
        held = numbers(ledger, array.view(np.int64))
        filled = {key for key, row in held.items() if row.any()}
        assert filled <= set(sums)
        for key, row in sums.items():
            for way, amount in row.items():
                assert held[key][way] * 2.0**-24 == pytest.approx(float(amount), abs=1e-4)


# -- batches


def trained(threads: int, lanes: int = 200) -> Ledger:
    ledger = Ledger(1 << 17)
    for batch in range(3):
        traverse(SHEETS, ledger, lanes, 1, lanes * batch, threads)
        fold(ledger, batch / (batch + 1), threads)
    return ledger


def test_threads_change_nothing():
    one, two = trained(1), trained(3)
    a, b = one.order(), two.order()
    assert (one.keys[a] == two.keys[b]).all()
    assert (one.regret[a] == two.regret[b]).all() and (one.average[a] == two.average[b]).all()


def test_a_batch_is_the_sum_of_its_parts():
    whole, parts = Ledger(1 << 16), Ledger(1 << 16)
    told = traverse(SHEETS, whole, 60, 9, 40)
    split = [traverse(SHEETS, parts, 25, 9, 40), traverse(SHEETS, parts, 35, 9, 65)]
    assert (told.nodes, told.dropped) == (sum(part.nodes for part in split), sum(part.dropped for part in split))
    assert told.lanes == tuple(map(sum, zip(*(part.lanes for part in split), strict=True)))
    assert told.paid == tuple(map(sum, zip(*(part.paid for part in split), strict=True)))
    a, b = whole.order(), parts.order()
    assert (whole.gain[a] == parts.gain[b]).all() and (whole.share[a] == parts.share[b]).all()


def test_folding():
    ledger = Ledger(2)
    ledger.regret[1], ledger.gain[1] = 4.0, np.array([3, -3, 0, 1, 2, 5]).astype(np.uint64) << np.uint64(24)
    fold(ledger, 0.25)
    assert ledger.regret[1].tolist() == [4.0, -2.0, 1.0, 2.0, 3.0, 6.0]
    assert not ledger.gain.any() and not ledger.regret[0].any()


def test_a_full_table_drops_turns_and_says_so():
    small = Ledger(64)
    found = traverse(SHEETS, small, 20, 1)
    assert small.used == 64 and found.dropped > 0
    roomy = Ledger(1 << 16)
    assert traverse(SHEETS, roomy, 20, 1).nodes == found.nodes or found.dropped  # other draws, but it ends


def test_a_table_grows_with_all_that_is_in_it():
    small = trained(1, 50)
    large = small.grown(1 << 18)
    a, b = small.order(), large.order()
    assert large.slots == 1 << 18 and (small.keys[a] == large.keys[b]).all()
    assert (small.regret[a] == large.regret[b]).all() and (small.average[a] == large.average[b]).all()
    with pytest.raises(ValueError, match="no room"):
        small.grown(64)


def test_collisions_are_told_apart():
    """Keys that fall on one place have each their own numbers."""
    ledger = Ledger(1 << 12)
    rng = random.Random(1)
    keys = np.array(rng.sample(range(1, 1 << 39), 3500), np.uint64)
    ledger.keys[:3500] = keys
    ledger.regret[:3500] = np.arange(3500)[:, None]
    grown = ledger.grown(1 << 12)
    held = numbers(grown, grown.regret)
    assert all(held[int(key)][0] == i for i, key in enumerate(keys))


# -- what is refused


def test_what_cannot_be_looked_at_is_refused_by_row():
    states = np.repeat(contracts(SHEETS, 1, 1), 3, axis=0)
    voids = np.zeros(3, np.uint32)
    nello, twice, over = states.copy(), states.copy(), states.copy()
    nello[1, 5] = nello[1, 5] & ~np.uint32(0xFF << 16) | np.uint32(9 << 16)
    twice[2, 0] = twice[2, 1]
    over[2, 6] = 42 << 8 * (int(over[2, 5]) >> 12 & 3)
    for wrong, why in (
        (nello, "row 1: this is not straight"),
        (twice, "row 2: a card"),
        (over, "row 2: the hand is dec"),
    ):
        with pytest.raises(ValueError, match=why):
            look(SHEETS, wrong, voids)
    with pytest.raises(ValueError, match="power of two"):
        Ledger(1000)
    with pytest.raises(ValueError, match="nine orders"):
        native_abstract42.sheets(ORDERS[:3])
    with pytest.raises(ValueError, match="weight is 2"):
        fold(Ledger(1), 2)


# -- training


def test_a_training_goes_on_where_it_was_saved(tmp_path):
    whole, first = Training(texas42.game(), seed=4, batch=100), Training(texas42.game(), seed=4, batch=100)
    told = list(whole.run(500))
    assert [at.iterations for at in told] == [100, 200, 300, 400, 500] and told[-1].dropped == 0
    list(first.run(300))
    first.save(tmp_path / "half")
    second = load_training(texas42.game(), tmp_path / "half")
    list(second.run(500, threads=2))
    a, b = whole.ledger.order(), second.ledger.order()
    assert (whole.ledger.keys[a] == second.ledger.keys[b]).all()
    assert (whole.ledger.regret[a] == second.ledger.regret[b]).all()
    assert (whole.ledger.average[a] == second.ledger.average[b]).all()
    assert (whole.nodes, whole.weight) == (second.nodes, second.weight)
    (tmp_path / "other").write_bytes(b"no training")
    with pytest.raises(ValueError, match="no training"):
        load_training(texas42.game(), tmp_path / "other")


def test_training_helps():
    """Against itself untrained the declarers fare worse than after a few thousand deals, and regret falls."""
    told = list(Training(texas42.game(), seed=2, batch=1000).run(6000))
    assert told[-1].regret < 0.6 * told[0].regret
    assert told[-1].paid > told[0].paid + 0.05
