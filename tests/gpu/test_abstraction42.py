"""Straight 42 made small: does a device see, deal and learn what the CPU does, bit for bit?"""

import numpy as np
import pytest

from renege.games import texas42
from renege.native import abstraction42 as cpu
from renege.native import cards as native
from renege.native.abstraction42 import Ledger
from renege.native.gpu.abstraction42 import LedgerOnDevice, contracts, look
from renege.search.regret import train as regret42
from renege.search.regret.train import Training

ORDERS = [native.tables(texas42.order(name)) for name in texas42.DECLARATIONS[:9]]
SHEETS = cpu.sheets(ORDERS)


def stages(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Tables at every stage of play that are not decided, with voids at random: keys read what they are told."""
    rng = np.random.default_rng(seed)
    rows = []
    for start in cpu.contracts(SHEETS, n, seed):
        state, order = start[None], ORDERS[int(start[5]) >> 16 & 0xFF]
        for _ in range(int(rng.integers(0, 27))):
            (mask,) = native.legal_masks(order, state).tolist()
            tile = rng.choice([card for card in range(28) if mask >> card & 1])
            after = native.step(order, state, np.array([tile], np.uint8))
            if decided(after[0]):
                break
            state = after
        rows.append(state[0])
    return np.stack(rows), rng.integers(0, 2**32, n, dtype=np.uint32) & rng.integers(0, 2**32, n, dtype=np.uint32)


def decided(state: np.ndarray) -> bool:
    terms, points = int(state[5]), [int(state[6]) >> 8 * seat & 0xFF for seat in range(4)]
    bid, side = 42 if terms >> 24 & 7 else 30 + (terms >> 27 & 15), terms >> 12 & 1
    return sum(points[side::2]) >= bid or sum(points[1 - side :: 2]) > 42 - bid


def test_keys_and_ways_are_the_cpus(gpu, many: int):
    states, voids = stages(300 if many == 1 else 5000, 3)
    found, expected = look(gpu, SHEETS, states, voids), cpu.look(SHEETS, states, voids)
    assert (found.keys == expected.keys).all() and (expected.keys != 0).mean() > 0.4
    assert (found.open == expected.open).all() and (found.tiles == expected.tiles).all()


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    states, voids = stages(5, 1)
    states[3, 5] |= np.uint32(9 << 16)
    with pytest.raises(ValueError, match="row 3"):
        look(gpu, SHEETS, states, voids)


def test_contracts_are_the_cpus(gpu, many: int):
    for n, lane in ((1, 0), (90, 2**40), (200 * many, 7)):
        assert (contracts(gpu, SHEETS, n, 6, lane) == cpu.contracts(SHEETS, n, 6, lane)).all()


def test_a_ledger_is_the_cpus(gpu, many: int):
    """Three batches: every sum at every key, to the last bit, whatever order the lanes came in."""
    slots, lanes = (1 << 16, 60) if many == 1 else (1 << 20, 60 * many)
    here, there = Ledger(slots), LedgerOnDevice(gpu, SHEETS, Ledger(slots))
    for batch in range(3):
        expected = cpu.traverse(SHEETS, here, lanes, 5, batch * lanes, threads=2)
        assert there.traverse(lanes, 5, batch * lanes) == expected and expected.dropped == 0
        cpu.fold(here, batch / (batch + 1))
        there.fold(batch / (batch + 1))
    cpu.traverse(SHEETS, here, lanes, 5, 3 * lanes)
    there.traverse(lanes, 5, 3 * lanes)  # a batch under way is there too
    found = there.fetch()
    a, b = here.order(), found.order()
    assert (here.keys[a] == found.keys[b]).all()
    for name in ("regret", "average", "gain", "share"):
        assert (getattr(here, name)[a] == getattr(found, name)[b]).all(), name


def test_a_ledger_moves_between_cpu_and_device(gpu, many: int):
    """Begun here, carried on there."""
    whole, part = Ledger(1 << 16), Ledger(1 << 16)
    for batch in range(2):
        cpu.traverse(SHEETS, whole, 40, 2, 40 * batch)
        cpu.fold(whole, 0.5)
    cpu.traverse(SHEETS, part, 40, 2)
    cpu.fold(part, 0.5)
    there = LedgerOnDevice(gpu, SHEETS, part)
    there.traverse(40, 2, 40)
    there.fold(0.5)
    found = there.fetch()
    a, b = whole.order(), found.order()
    assert (whole.keys[a] == found.keys[b]).all() and (whole.regret[a] == found.regret[b]).all()


def test_a_training_is_the_cpus(gpu, many: int, monkeypatch: pytest.MonkeyPatch):
    """Batch by batch, with a table that has to grow on the way."""
    monkeypatch.setattr(regret42, "gpu_or_none", lambda: gpu)
    batch = 40 if many == 1 else 2000
    here, there = (Training(texas42.game(), 3, batch, Ledger(1 << (13 if many == 1 else 18))) for _ in range(2))
    told, expected = list(there.run(4 * batch, device="gpu")), list(here.run(4 * batch))
    assert told == expected and expected[-1].dropped == 0
    assert here.ledger.slots == there.ledger.slots > 1 << 13
    a, b = here.ledger.order(), there.ledger.order()
    assert (here.ledger.keys[a] == there.ledger.keys[b]).all()
    assert (here.ledger.average[a] == there.ledger.average[b]).all()


def test_a_full_table_says_so(gpu):
    there = LedgerOnDevice(gpu, SHEETS, Ledger(32))
    assert there.traverse(8, 1).dropped > 0
    with pytest.raises(ValueError, match="weight is -1"):
        there.fold(-1)
