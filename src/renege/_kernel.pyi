"""The compiled kernel. Call it through `renege.native.cards`, which checks arguments and makes the arrays."""

import numpy as np
from numpy.typing import NDArray

class Tables:
    """One order, checked and copied; `bytes(tables)` is the C++ struct `renege::Order`, `sight` what a search makes of
    it, `renege::solve::Sight`.
    """

    def __init__(
        self,
        led_suit: NDArray[np.uint8],
        follow: NDArray[np.uint32],
        strength: NDArray[np.uint8],
        points: NDArray[np.uint8],
        trick_points: int,
        cards: int,
        called: int,
        run_from: int,
    ) -> None: ...
    @property
    def cards(self) -> int: ...
    @property
    def called(self) -> int | None: ...
    @property
    def sight(self) -> bytes: ...
    def __bytes__(self) -> bytes: ...

def has_bmi2() -> bool: ...
def compiler() -> str: ...
def legal_masks(tables: Tables, states: NDArray[np.uint32], out: NDArray[np.uint32]) -> None: ...
def winners(tables: Tables, plays: NDArray[np.uint8], out: NDArray[np.uint8]) -> None: ...
def step(tables: Tables, states: NDArray[np.uint32], cards: NDArray[np.uint8]) -> None: ...
def claims(
    tables: Tables,
    states: NDArray[np.uint32],
    claimers: NDArray[np.uint8],
    takers: NDArray[np.uint8],
    out: NDArray[np.uint8],
    most_plays: int,
    threads: int,
) -> None: ...
def playouts(
    tables: Tables,
    states: NDArray[np.uint32],
    plays: NDArray[np.uint8] | None,
    seed: int,
    first_lane: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def deals(
    deck: int,
    sizes: NDArray[np.uint8],
    out: NDArray[np.uint32],
    seed: int,
    first_lane: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def random_deals(
    tables: Tables,
    count: int,
    duty: int,
    out: NDArray[np.uint64],
    seed: int,
    first_lane: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def boundary_keys(states: NDArray[np.uint32], out: NDArray[np.uint32]) -> None: ...
def from_boundary_keys(keys: NDArray[np.uint32], starts: NDArray[np.uint32], out: NDArray[np.uint32]) -> None: ...
def mix64(z: int, /) -> int: ...
def words(seed: int, purpose: int, lane: int, out: NDArray[np.uint64]) -> None: ...
def schafkopf_legal(
    tables: Tables,
    hands: NDArray[np.uint32],
    leads: NDArray[np.uint8],
    led_called: NDArray[np.uint8],
    seats: NDArray[np.uint8],
    out: NDArray[np.uint32],
    threads: int,
) -> None: ...
def schafkopf_judge(
    tables: Tables,
    hands: NDArray[np.uint32],
    leads: NDArray[np.uint8],
    led_called: NDArray[np.uint8],
    seats: NDArray[np.uint8],
    cards: NDArray[np.uint8],
    out: NDArray[np.uint8],
    threads: int,
) -> None: ...
def schafkopf_taken(
    tables: Tables,
    states: NDArray[np.uint32],
    plays: NDArray[np.uint8],
    out: NDArray[np.uint32],
    threads: int,
) -> None: ...
def solve(
    tables: Tables,
    states: NDArray[np.uint32],
    takers: NDArray[np.uint8],
    maximisers: NDArray[np.uint8],
    targets: NDArray[np.uint8],
    bounds: NDArray[np.int16],
    plays: NDArray[np.int16] | None,
    nodes: NDArray[np.uint64],
    most_nodes: int,
    most_seconds: float | None,
    slots: int,
    merge: bool,
    threads: int,
) -> None: ...
def solve_state_tables(
    tables: Tables,
    positions: NDArray[np.uint32],
    takers: NDArray[np.uint8],
    maximisers: NDArray[np.uint8],
    values: NDArray[np.int16],
    states: NDArray[np.uint64],
    transitions: NDArray[np.uint64],
    keep: bool,
    threads: int,
) -> list[bytes] | None: ...
def state_table_tiles(
    tables: Tables, positions: NDArray[np.uint32], tiles: NDArray[np.uint8], in_trick: bool
) -> None: ...
def state_table_rounds(
    tables: Tables,
    positions: NDArray[np.uint32],
    takers: NDArray[np.uint8],
    maximisers: NDArray[np.uint8],
    players: int,
) -> bytes: ...
def state_table_levels(tiles: int, players: int) -> tuple[bytes, bytes, int, int, list[int]]: ...

class TractorPacking:
    """What shapes hold of each other; `bytes(packing)` is the C++ struct `renege::tractor::Packing`."""

    def __init__(
        self,
        code: NDArray[np.uint16],
        seam: NDArray[np.uint16],
        weight: NDArray[np.uint16],
        tail: NDArray[np.uint8],
        shape: NDArray[np.uint8],
        runs: NDArray[np.uint32],
        match: NDArray[np.uint8],
    ) -> None: ...
    def __bytes__(self) -> bytes: ...

class TractorOrder:
    """One declaration; `bytes(order)` is the C++ struct `renege::tractor::Order`."""

    def __init__(self, steps: NDArray[np.uint64], trump: int) -> None: ...
    def __bytes__(self) -> bytes: ...

class TractorPackOrder:
    """One declaration for any number of packs."""

    def __init__(self, steps: NDArray[np.uint64]) -> None: ...

def tractor_judge_packs(
    order: TractorPackOrder,
    leads: NDArray[np.uint64],
    hands: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    out: NDArray[np.uint8],
    duty: list[int],
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_wide_rollouts(
    order: TractorPackOrder,
    house: list[int],
    worlds: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    units: NDArray[np.uint8],
    seen: NDArray[np.uint64],
    taken: NDArray[np.int32],
    fines: NDArray[np.int32],
    voids: NDArray[np.uint8],
    friends: NDArray[np.uint8],
    lying: int,
    leader: int,
    banker: int,
    candidates: NDArray[np.uint64],
    fined: NDArray[np.int32],
    points: NDArray[np.int32],
    teams: NDArray[np.uint16],
    most_seconds: float,
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_wide_choices(
    order: TractorPackOrder,
    house: list[int],
    worlds: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    units: NDArray[np.uint8],
    seen: NDArray[np.uint64],
    taken: NDArray[np.int32],
    fines: NDArray[np.int32],
    voids: NDArray[np.uint8],
    friends: NDArray[np.uint8],
    lying: int,
    leader: int,
    banker: int,
    out: NDArray[np.uint64],
) -> None: ...
def tractor_shapes(
    order: TractorOrder,
    packing: TractorPacking,
    piles: NDArray[np.uint64],
    suits: NDArray[np.uint8],
    runs: NDArray[np.uint32],
    rest: NDArray[np.uint8],
) -> None: ...
def tractor_judge_follows(
    order: TractorOrder,
    packing: TractorPacking,
    leads: NDArray[np.uint64],
    hands: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    out: NDArray[np.uint8],
    house: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_follow_picks(
    order: TractorOrder,
    packing: TractorPacking,
    leads: NDArray[np.uint64],
    hands: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
    out: NDArray[np.uint64],
    house: int,
) -> None: ...
def tractor_winners(
    order: TractorOrder,
    packing: TractorPacking,
    plays: NDArray[np.uint64],
    out: NDArray[np.uint8],
    house: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_solve(
    order: TractorOrder,
    packing: TractorPacking,
    hands: NDArray[np.uint64],
    table: NDArray[np.uint64],
    leaders: NDArray[np.uint8],
    bankers: NDArray[np.uint8],
    kitties: NDArray[np.uint16],
    attackers: NDArray[np.int32],
    past: NDArray[np.uint64],
    voids: NDArray[np.uint8],
    house: int,
    bounds: NDArray[np.int32],
    nodes: NDArray[np.uint64],
    most_nodes: int,
    most_seconds: float,
    slots: int,
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_solve_plays(
    order: TractorOrder,
    packing: TractorPacking,
    hands: NDArray[np.uint64],
    table: NDArray[np.uint64],
    leaders: NDArray[np.uint8],
    bankers: NDArray[np.uint8],
    kitties: NDArray[np.uint16],
    attackers: NDArray[np.int32],
    past: NDArray[np.uint64],
    voids: NDArray[np.uint8],
    house: int,
    plays: NDArray[np.uint64],
    bounds: NDArray[np.int32],
    nodes: NDArray[np.uint64],
    most_nodes: int,
    most_seconds: float,
    slots: int,
    bmi2: bool,
) -> int: ...
def tractor_rollouts(
    order: TractorOrder,
    packing: TractorPacking,
    house: int,
    worlds: NDArray[np.uint64],
    kitties: NDArray[np.int32],
    buried: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    lying: int,
    leader: int,
    banker: int,
    attackers: int,
    played: NDArray[np.uint64],
    voids: NDArray[np.uint8],
    candidates: NDArray[np.uint64],
    out: NDArray[np.int32],
    chance: int,
    seed: int,
    first_lane: int,
    solve_from: int,
    most_seconds: float,
    threads: int,
    bmi2: bool,
) -> None: ...
def tractor_policy_plays(
    order: TractorOrder,
    packing: TractorPacking,
    house: int,
    hands: NDArray[np.uint64],
    plays: NDArray[np.uint64],
    lying: NDArray[np.uint8],
    leaders: NDArray[np.uint8],
    bankers: NDArray[np.uint8],
    played: NDArray[np.uint64],
    voids: NDArray[np.uint8],
    whims: NDArray[np.uint32],
    out: NDArray[np.uint64],
    threads: int,
) -> None: ...

class WorldTable:
    """All deals of a problem: states, edges and exact counts."""

    def __init__(
        self,
        kinds: NDArray[np.uint8],
        copies: NDArray[np.uint8],
        sizes: NDArray[np.uint8],
        least: NDArray[np.uint8],
        most: NDArray[np.uint8],
        groups: NDArray[np.uint8],
        group_weights: NDArray[np.uint32],
        watches: NDArray[np.uint8],
        heights: NDArray[np.uint8],
        moves: NDArray[np.uint8],
        accepts: NDArray[np.uint8],
        most_bytes: int,
    ) -> None: ...
    @property
    def too_large(self) -> bool: ...
    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    def total(self, labelled: bool) -> bytes: ...
    def forced_ways(self, out: NDArray[np.uint32]) -> None: ...
    def draw(self, out: NDArray[np.uint64], seed: int, first_lane: int, threads: int) -> None: ...
    def draw_weighted(
        self, weights: NDArray[np.float64], out: NDArray[np.uint64], seed: int, first_lane: int, threads: int
    ) -> None: ...
    def parts(self) -> dict[str, bytes]: ...
    def chances(self, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
    def list(self, first: NDArray[np.uint64], out: NDArray[np.uint64]) -> None: ...
    def odds(self, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...

class PoolTable:
    """All deals of a problem with many hands, walked from both ends."""

    def __init__(
        self,
        kinds: NDArray[np.uint8],
        copies: NDArray[np.uint8],
        sizes: NDArray[np.uint16],
        least: NDArray[np.uint8],
        most: NDArray[np.uint8],
        groups: NDArray[np.uint16],
        group_weights: NDArray[np.uint32],
        watches: NDArray[np.uint16],
        heights: NDArray[np.uint8],
        moves: NDArray[np.uint8],
        accepts: NDArray[np.uint8],
        weights: NDArray[np.float64],
        order: NDArray[np.uint8],
        segments: NDArray[np.uint8],
        roles: NDArray[np.uint8],
        members: NDArray[np.uint16],
        all_sizes: NDArray[np.uint16],
        exact: bool,
        most_bytes: int,
    ) -> None: ...
    @property
    def too_large(self) -> bool: ...
    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def possible(self) -> bool: ...
    def total(self) -> bytes: ...
    def odds(self, out: NDArray[np.float64]) -> None: ...
    def draw(self, out: NDArray[np.uint64], seed: int, first_lane: int, threads: int) -> None: ...

class RegretTree:
    """A flat tree, checked."""

    def __init__(
        self,
        levels: NDArray[np.int64],
        sets: NDArray[np.int32],
        children: NDArray[np.int32],
        weights: NDArray[np.float64],
        payoffs: NDArray[np.float64],
        seats: NDArray[np.uint8],
        first_slots: NDArray[np.int32],
        parents: NDArray[np.int32],
    ) -> None: ...
    @property
    def slots(self) -> int: ...
    def sweep(self, seat: int, strategy: NDArray[np.float64], gains: NDArray[np.float64], threads: int) -> float: ...
    def match(self, seat: int, regrets: NDArray[np.float64], strategy: NDArray[np.float64]) -> None: ...
    def regret_more(
        self,
        seat: int,
        gains: NDArray[np.float64],
        strategy: NDArray[np.float64],
        regrets: NDArray[np.float64],
    ) -> None: ...
    def average_more(
        self, seat: int, strategy: NDArray[np.float64], weight: float, average: NDArray[np.float64]
    ) -> None: ...
    def sample(
        self,
        seat: int,
        strategy: NDArray[np.float64],
        weight: float,
        regrets: NDArray[np.float64],
        average: NDArray[np.float64],
        seed: int,
        first_lane: int,
        lanes: int,
    ) -> None: ...
    def open_hands(self, gains: NDArray[np.float64]) -> None: ...

class EnvOne:
    """One table of a game, stepped by plain numbers; a deal that is over stays so until the next is dealt."""

    @property
    def turn(self) -> int:
        """The seat to act; 4 when the deal is over."""
    def deal(self, seed: int, number: int) -> None:
        """Deal `number` of a lane with this seed."""
    def legal(self) -> list[int]:
        """The actions that are open, in order."""
    def act(self, action: int) -> None:
        """`ValueError` if it is not open."""
    def observe(self, seat: int) -> bytes: ...
    def hidden(self, seat: int) -> bytes:
        """What a seat does not see."""
    @property
    def standing(self) -> tuple[int, int, int, int]:
        """Where the deal stood when it began: the dealer, the levels of both sides, whether it is a first deal."""
    def begin(self, dealer: int, even: int, odd: int, first: int, piles: NDArray[np.uint64]) -> None:
        """A deal from outside; `ValueError` if it is none."""
    def rewards(self) -> tuple[float, float, float, float]: ...
    def dealt(self, piles: NDArray[np.uint64]) -> None:
        """`uint64[5, 2]`: the piles as they were dealt."""
    def copy(self) -> EnvOne: ...

class Env:
    """Many tables of a game, a lane each; `kernel/bindings/env_batch.hpp` is all of them, a class for each game.

    Arrays are the caller's: `observation uint8[lanes, width]` and `hidden uint8[lanes, HIDDEN]`, what the seat to act
    does not see, both of which may be None where nobody looks, `mask uint8[lanes, actions]`, `mover uint8[lanes]`,
    `reward float32[lanes, 4]`, `done uint8[lanes]`. A deal that ends shows `done` and `reward` beside the first
    observation of the next one.
    """

    ACTIONS: int
    HIDDEN: int
    SETTING_BYTES: int
    LANE_BYTES: int
    TABLE_BYTES: int
    def __init__(self, setting: bytes, lanes: int, bmi2: bool) -> None: ...
    @property
    def lanes(self) -> int: ...
    @property
    def width(self) -> int:
        """The bytes of an observation."""
    def one(self) -> EnvOne:
        """One more table under the same rules, stepped by itself."""
    def reset(
        self,
        seeds: NDArray[np.uint64],
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
        threads: int,
    ) -> None:
        """The first deal of every lane, by its own seed `uint64[lanes]`."""
    def step(
        self,
        actions: NDArray[np.int32],
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
        reward: NDArray[np.float32],
        done: NDArray[np.uint8],
        threads: int,
    ) -> None:
        """One action on every lane; `ValueError` names the lane where it is not open, and nothing has changed then."""
    def observe(self, seats: NDArray[np.uint8], rows: NDArray[np.uint8]) -> None:
        """What a seat of each lane sees, whoever is to move."""
    def dealt(self, piles: NDArray[np.uint64]) -> None:
        """`uint64[lanes, 5, 2]`: the hands and the kitty as they were dealt, as `game.Drawn` has them."""
    def standings(self, out: NDArray[np.uint8]) -> None:
        """`uint8[lanes, 4]`: where the deals stood when they began, as `EnvOne.standing` has it."""
    def begin(
        self,
        standings: NDArray[np.uint8],
        piles: NDArray[np.uint64],
        actions: NDArray[np.int32],
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
    ) -> None:
        """Deals from outside, played on by `int32[lanes, n]`; `ValueError` names the lane, and nothing has changed."""
    def choose(self, mask: NDArray[np.uint8], actions: NDArray[np.int32], salt: int, threads: int) -> None:
        """For each lane one of the actions that `mask` has open, all as likely."""
    def run(
        self,
        steps: int,
        salt: int,
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
        reward: NDArray[np.float32],
        done: NDArray[np.uint8],
        threads: int,
    ) -> int:
        """So many steps by chance, every one written to the arrays; how many deals came to their end."""
    def save(self) -> bytes:
        """All tables, for `load`."""
    def load(
        self,
        saved: bytes,
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
    ) -> None:
        """Tables as they were saved, under the same rules."""
    def seal(self, tables: NDArray[np.uint8]) -> bytes:
        """Tables that lie elsewhere, `TABLE_BYTES` each, as `save` gives them."""
    def unseal(self, saved: bytes, lanes: int) -> bytes:
        """The tables in what was saved; `ValueError` where `load` would refuse it."""

class Env42(Env): ...
class Env42Exchange(Env): ...
class EnvSchafkopf(Env): ...
class EnvSchafkopfShort(Env): ...
class EnvSchafkopfSmall(Env): ...

class EnvSeveral(Env):
    """Many tables of a game whose plays have several cards."""

    def play(
        self,
        piles: NDArray[np.uint64],
        actions: NDArray[np.int32],
        observation: NDArray[np.uint8] | None,
        hidden: NDArray[np.uint8] | None,
        mask: NDArray[np.uint8],
        mover: NDArray[np.uint8],
        reward: NDArray[np.float32],
        done: NDArray[np.uint8],
        threads: int,
    ) -> None:
        """One whole play on every lane, `uint64[lanes, 2]`, or what is buried; where a pile is empty, an action.

        What was picked before is put back.
        """

class EnvTractor(EnvSeveral): ...
class EnvTractorSmall(EnvSeveral): ...

class Net:
    """A trained network: layers in order, the first by input, the others by output (`kernel/include/renege/net`)."""

    def __init__(
        self,
        weights: list[NDArray[np.int16]],
        scales: list[NDArray[np.float32]],
        biases: list[NDArray[np.float32]],
    ) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def actions(self) -> int: ...
    def logits(self, rows: NDArray[np.uint8], out: NDArray[np.float32], path: str, threads: int) -> None:
        """`float32[rows, actions]`: a number for each action, from what is seen, by one of `net_paths()`."""

def net_paths() -> list[str]:
    """The ways to look through a network that this processor has, the quickest first; `portable` is the last."""
