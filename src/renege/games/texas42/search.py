"""PIMC search of Texas 42: every world is solved with open hands, and the payoff is marks.

A play is worth what the hand then pays with best play by all, so that a bid made by one point counts like one made by
ten; while few tiles are left, points speak for a play besides, since others do not play as if they saw all hands. A bid
or a pass is worth the hand it leads to, those who are still to bid going as high as the rulebook would and naming its
trumps; what open hands promise a bidder is worth less at a table (`kept_if_made`). Worlds are chosen by how likely the
bids so far are in them. A hand for nello, sevens or a plunge is bid by the rulebook.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from renege.core.game import SEATS, Game
from renege.core.position import Position, View, begin
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.core.world import World, piles_of
from renege.games.strategy import Option, Search, Strategy, Worth
from renege.games.texas42.bidders import finished, likely, losers
from renege.games.texas42.contract import Bid, Hand42, Kind, contract_of, format_declaration, parse_declaration, partner
from renege.games.texas42.declare import Auction
from renege.games.texas42.order import DECK, doubles_policy, order_of
from renege.games.texas42.packed import pack, tables
from renege.games.texas42.rulebook import USUAL, by_cost, is_special, limit_of, rulebook
from renege.games.texas42.rules import ForcedSweep, Rules, Scoring, SevensTie
from renege.native import cards as native
from renege.native import solve as native_solve
from renege.native.arrays import F64, U32
from renege.native.engine import CPU, Engine
from renege.native.solve import SolveQuery

ALL_POINTS = 42
EXACT_FROM = 5  # tiles a hand from which on every play is solved to the point
TIE = 0.003  # marks that a point weighs there
DECLARATIONS_TRIED = 4
BIDS_AT_ONCE = 4  # worlds whose auctions are weighed together
# What is left, at a table that does not see the hands, of what open hands pay for a contract: measured on 2,500 deals
# whose first bidder was made to bid 30, and on 1,200 with 34, by how many losers its hand had.
KEPT_IF_SET, DOUBT_PER_LOSER, MOST_DOUBT = 0.72, 0.22, 0.95
LEAST_BID, MOST_ABOVE, DOUBT_PER_POINT = 30, 6, 0.05
PASSED_OVER = ("33", "35", "37", "38", "40")  # bids that few hands tell from the one below

TIES = "sevens whose ties go to the declarers are not solved"


@cache
def strategy(game: Game) -> Strategy:
    """The rules of thumb and the search for a table with these house rules."""
    unit = "points" if game.rules.scoring is Scoring.POINTS else "marks"
    return Strategy(rulebook, search=Search(unit, options, weigh, likely=likely, unweighed=unweighed))


def options(view: View) -> tuple[Option, ...]:
    usual = rulebook(view).what
    if view.position.talking:
        others = _calls(view) if _solvable(view, str(usual)) else ()
    elif _packable(view.position) and not _lies_open(view):
        others = tuple(play for play in view.legal_plays if play.suit is None)
    else:
        others = ()
    return (usual, *(option for option in others if option != usual))


def weigh(
    view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
) -> Worth:
    """What the seat's side wins more than the other by each option."""
    if not view.position.talking:
        return _weigh_plays(view, worlds, [option for option in options if isinstance(option, Play)], until, engine)
    calls = [str(option) for option in options]
    paid = (_weigh_bids if len(view.acts) < 4 else _weigh_declarations)(view, worlds, calls, until, engine)
    paid[np.isnan(paid).any(axis=1)] = np.nan
    return Worth(paid, np.zeros_like(paid))


def unweighed(view: View) -> str:
    position, said = view.position, len(view.acts)
    if position.talking:
        if said < len(SEATS):
            special = "bids for nello, sevens, a splash or a plunge are not weighed"
            return special if is_special(view) else "the bids that are left are not weighed"
        return TIES if said == len(SEATS) else "the tiles that are passed for nello are not weighed"
    if _lies_open(view):
        return "a tile lies face up, and worlds are not solved with its duty"
    if _packable(position):
        return "a lead for the small end is not weighed"
    assert position.trick is not None
    named = any(play.suit is not None for play in position.trick.plays)
    return "a trick that was led for its small end is not solved" if named else TIES


# -- plays


@dataclass(frozen=True, slots=True)
class _Stakes:
    """What a hand is played for: whose points are asked for, how many are needed, and what it pays the seat."""

    rules: Rules
    contract: Hand42
    seat: int
    taken: int = 0  # points of the declarers so far

    @property
    def nello(self) -> bool:
        return self.contract.kind is Kind.NELLO

    @property
    def tables(self) -> native.Tables:
        return tables(order_of(self.rules, self.contract.declaration, self.contract.doubles))

    @property
    def takers(self) -> int:
        return 1 << self.contract.declarer | (0 if self.nello else 1 << partner(self.contract.declarer))

    @property
    def maximisers(self) -> int:
        return 15 & ~self.takers if self.nello else self.takers

    @property
    def needed(self) -> int:
        """The points that still decide it: to be made or, in nello, not to be taken; below 1 it is decided."""
        if self.nello:
            return 1 - self.taken
        return (self.contract.bid.points or ALL_POINTS) - self.taken

    @property
    def in_steps(self) -> bool:
        """Does it pay by whether `needed` is reached, and by nothing else?"""
        bid = self.contract.bid
        if bid.points and self.rules.scoring is Scoring.POINTS:
            return False
        return not (self.contract.forced and bid.points == 30 and self.rules.forced_sweep is ForcedSweep.TWO_MARKS)

    def pays(self, values: NDArray[np.int16]) -> F64:
        """By the points that the takers still get."""
        bid, mine = self.contract.bid, self.seat % 2 == self.contract.declarer % 2
        got = values >= self.needed
        kept = ~got if self.nello else got
        taken = values + float(self.taken)
        if self.rules.scoring is Scoring.POINTS:
            lost = ALL_POINTS - taken + bid.points
            pays = (
                np.where(kept, 2 * taken - ALL_POINTS, -lost) if bid.points else _signed(kept) * ALL_POINTS * bid.marks
            )
        else:
            swept = (taken == ALL_POINTS) & (not self.in_steps)
            pays = _signed(kept) * (bid.marks or 1) * np.where(swept, 2, 1)
        return pays if mine else -pays


def _signed(kept: NDArray[np.bool_]) -> F64:
    return np.where(kept, 1.0, -1.0)


def _weigh_plays(view: View, worlds: Sequence[World], plays: Sequence[Play], until: float, engine: Engine) -> Worth:
    position, contract = view.position, _contract(view.position)
    stakes = _Stakes(view.game.rules, contract, view.seat, sum(position.points[contract.declarer % 2 :: 2]))
    exact = len(view.hand) <= EXACT_FROM or not stakes.in_steps or stakes.needed < 1
    values, open_still = _asked(engine, native_solve.solve_plays, stakes, _states(position, worlds), until, exact=exact)
    cards = [next(iter(play.cards)) for play in plays]
    values = values[:, cards]
    paid, tie_break = stakes.pays(values), np.zeros(values.shape)
    if exact:
        sign = 1 if stakes.nello != (view.seat % 2 == contract.declarer % 2) else -1
        tie_break = sign * TIE * values.astype(np.float64)
    paid[open_still[:, cards].any(axis=1)] = np.nan
    return Worth(paid, tie_break)


def _asked(
    engine: Engine,
    question: Callable[[SolveQuery], native_solve.Solved],
    stakes: _Stakes,
    states: U32,
    until: float,
    *,
    exact: bool,
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """What the takers still get, or as much as decides the hand, and where time left that open."""
    left = None if until == math.inf else max(0.0, until - time.perf_counter())
    target = None if exact else stakes.needed
    sides = stakes.takers, stakes.maximisers
    found = engine.run(question, SolveQuery(stakes.tables, states, *sides, targets=target, most_seconds=left))
    open_still = found.lower < found.upper
    if not exact:
        open_still &= (found.lower < stakes.needed) & (stakes.needed <= found.upper)
    return found.lower, open_still


def _states(position: Position, worlds: Sequence[World]) -> U32:
    """The position in each world, packed; a seat that sits out has no cards."""
    empty = replace(position, hands=(DECK.none,) * 4)
    states = np.repeat(pack(empty)[None], len(worlds), axis=0)
    active = list(position.active)
    states[:, active] = piles_of(worlds)[:, active, 0]
    return states


def _packable(position: Position) -> bool:
    """Does the kernel play this? Not a trick led for its small end, nor some house rules of sevens."""
    try:
        pack(replace(position, hands=(DECK.none,) * 4))
    except WrongPhase:
        return False
    return True


def _lies_open(view: View) -> bool:
    """Is a tile that was exposed still to be played? The kernel does not know when it must be."""
    shown = {tile for _, tile in _contract(view.position).exposed}
    if not shown:
        return False
    return not shown <= {tile for act in view.acts if isinstance(act.what, Play) for tile in act.what.cards}


# -- calls


def _calls(view: View) -> tuple[str, ...]:
    calls, said = view.legal_calls, len(view.acts)
    if said == 4:
        playable = [call for call in by_cost(view) if _solvable(view, call)]
        return tuple(playable[:DECLARATIONS_TRIED])
    if said > 4 or (said < 4 and is_special(view)):
        return ()
    heights = [call for call in calls if call[0].isdigit()]
    if said == 3 and heights:  # nobody is left to shut out
        heights = heights[:1]
    return tuple(call for call in ("pass", *heights) if call in calls and call not in PASSED_OVER)


def _solvable(view: View, declaration: str) -> bool:
    """Does the kernel play it? Not sevens with ties to the declarers."""
    return not declaration.startswith("sevens") or view.game.rules.sevens_tie is not SevensTie.DECLARERS


def _weigh_bids(view: View, worlds: Sequence[World], bids: Sequence[str], until: float, engine: Engine) -> F64:
    """What the hand pays that each call leads to, those who are still to bid going as high as the rulebook would."""
    paid, size = np.full((len(worlds), len(bids)), np.nan), engine.at_once(BIDS_AT_ONCE)
    for first in range(0, len(worlds), size):
        if time.perf_counter() >= until:
            break
        some = slice(first, first + size)
        paid[some] = _Auctions(view, worlds[some], until, engine).paid(bids)
    return paid


class _Auctions:
    """An auction in some worlds, in which all see how high each would go."""

    def __init__(self, view: View, worlds: Sequence[World], until: float, engine: Engine) -> None:
        self.view, self.worlds, self.until, self.engine = view, worlds, until, engine
        talk, self.rules = view.position.talk, view.game.rules
        assert isinstance(talk, Auction)
        self.talk, hands = talk, piles_of(worlds)[:, :, 0]
        found = [losers(hands[:, seat], self.rules.doubles_trump) for seat in SEATS]
        self.best: list[list[int]] = [each.argmin(axis=1).tolist() for each in found]  # what each seat would declare
        self.fewest = np.array([each.min(axis=1) for each in found]).T  # [worlds, seats]
        later = [(view.seat + i) % len(SEATS) for i in range(1, len(SEATS) - len(view.acts))]
        self.limits = [tuple(map(limit_of, row)) for row in self.fewest[:, later].tolist()]
        self.declared = by_cost(view, trumps_alone=True)[0]

    def paid(self, bids: Sequence[str]) -> F64:
        """`[worlds, bids]`: what each call comes to; NaN where time ran out."""
        paid = np.zeros((len(self.worlds), len(bids)))  # nothing where the hand is thrown in
        cells: dict[Hand42, list[tuple[int, int]]] = {}
        for row, limits in enumerate(self.limits):
            for column, call in enumerate(bids):
                end = finished(self.talk.after(call), limits)
                if end.high is not None:
                    cells.setdefault(self._played(end, row), []).append((row, column))
        for contract, where in cells.items():
            rows = sorted({row for row, _ in where})
            pays = dict(zip(rows, self._pays(contract, rows), strict=True))
            for row, column in where:
                paid[row, column] = pays[row]
        return paid

    def _played(self, end: Auction, row: int) -> Hand42:
        """The contract that an auction leads to in a world."""
        assert end.high is not None
        bid, bidder = end.high
        usual = USUAL[self.best[bidder][row]]
        declared = self.declared if bidder == self.view.seat else format_declaration(usual, doubles_policy(usual))
        return contract_of(self.rules, *parse_declaration(declared), bid, bidder, forced=end.forced)

    def _pays(self, contract: Hand42, rows: list[int]) -> list[float]:
        """What a contract pays this seat in some worlds, played by a table that does not see the hands."""
        stakes = _Stakes(self.rules, contract, self.view.seat)
        if contract.declarer == self.view.seat:
            values = self._own[rows]
        else:
            some, exact = [self.worlds[row] for row in rows], not stakes.in_steps
            values = _solved(self.view, contract, some, self.until, self.engine, exact=exact)
        known, paid = ~np.isnan(values), np.full(len(rows), np.nan)
        solved = stakes.pays(values[known].astype(np.int16))
        made = solved > 0 if contract.declarer % 2 == self.view.seat % 2 else solved < 0
        kept = kept_if_made(self.fewest[rows, contract.declarer][known], contract.bid)
        paid[known] = solved * np.where(made, kept, KEPT_IF_SET)
        return paid.tolist()

    @cached_property
    def _own(self) -> F64:
        """The points of this side in each world if this seat plays the hand."""
        contract = _contract_for(self.view, self.declared, Bid("bid", points=30))
        return _solved(self.view, contract, self.worlds, self.until, self.engine, exact=True)


def kept_if_made(fewest: F64, bid: Bid) -> F64:
    """How much a contract is worth at a table that open hands would make: the less, the more losers the bidder has."""
    above = min((bid.points or ALL_POINTS) - LEAST_BID, MOST_ABOVE)
    doubt = np.minimum(DOUBT_PER_LOSER * fewest, MOST_DOUBT)
    return 1 - doubt - DOUBT_PER_POINT * above * np.minimum(fewest, 1)  # without a loser there is nothing to doubt


def _contract_for(view: View, declared: str, bid: Bid) -> Hand42:
    """What a bid of this seat leads to, if nobody goes above it."""
    talk = view.position.talk
    assert isinstance(talk, Auction)
    name, doubles = parse_declaration(declared)
    return contract_of(view.game.rules, name, doubles, bid, view.seat, forced=talk.forced)


def _weigh_declarations(view: View, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine) -> F64:
    talk = view.position.talk
    assert isinstance(talk, Auction) and talk.high is not None
    bid, bidder = talk.high
    paid = np.full((len(worlds), len(calls)), np.nan)
    for column, call in enumerate(calls):
        name, doubles = parse_declaration(call)
        contract = contract_of(view.game.rules, name, doubles, bid, bidder, forced=talk.forced)
        stakes = _Stakes(view.game.rules, contract, view.seat)
        values = _solved(view, contract, worlds, until, engine, exact=not stakes.in_steps)
        known = ~np.isnan(values)
        paid[known, column] = stakes.pays(values[known].astype(np.int16))
    return paid


def _solved(view: View, contract: Hand42, worlds: Sequence[World], until: float, engine: Engine, *, exact: bool) -> F64:
    """The takers' points in each world at the first lead, or as many as decide it; NaN where time ran out."""
    states = _states(begin(view.game, contract, (DECK.none,) * 4), worlds)
    stakes = _Stakes(view.game.rules, contract, view.seat)
    values, open_still = _asked(engine, native_solve.solve, stakes, states, until, exact=exact)
    return np.where(open_still, np.nan, values)


def _contract(position: Position) -> Hand42:
    assert isinstance(position.contract, Hand42)
    return position.contract
