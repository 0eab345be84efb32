"""PIMC search of Tractor: every world is rolled out by a heuristic policy, and the payoff is levels.

Plays are tried one for each of a kind (`rulebook_lead.leads`, `rulebook_follow.follows`), since a hand may have
thousands. In each world the kernel plays every one of them on to the end, all seats by its rules of thumb and the last
cards with open hands; once the seat itself has few cards left every play is solved. The attackers' points, the kitty
times its multiplier included, come to level steps, and the points speak for a play besides. Showing and burying are
weighed by the rounds that follow from them.
"""

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards
from renege.core.game import KITTY
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.core.world import World, piles_of
from renege.games.strategy import Option, Search, Strategy, Worth
from renege.games.tractor.declare import Drawing
from renege.games.tractor.order import DECK
from renege.games.tractor.rulebook import answer, burials, order_named, rulebook
from renege.games.tractor.rulebook_follow import follows
from renege.games.tractor.rulebook_lead import leads
from renege.games.tractor.score import ENOUGH, enough, outcome
from renege.games.tractor.solve import house, kernel_order, scene_of, words, worths
from renege.native.arrays import U64
from renege.native.engine import CPU, Engine
from renege.native.rollouts import PublicState, RolloutQuery, rollouts
from renege.native.tractor_solve import solve_candidates

MOST_PLAYS, MOST_BURIALS = 12, 6
SOLVE_ALL, SOLVE_ENDS = 4, 3  # cards a hand from which on every play, or the end of every round, is solved
POINT = 0.004  # levels that a point weighs among equals, counted from those that turn the bank over
BY_THUMB = np.zeros((1, 2), np.uint64)  # the candidate that leaves it to the kernel's rules of thumb


def options(view: View) -> tuple[Option, ...]:
    usual, position = rulebook(view).what, view.position
    others: Iterable[Option] = ()
    if isinstance(position.talk, Drawing) and position.talking:
        others = _calls(view, position.talk)
    elif _packable(position):
        turn = position.turn_to_play()
        piles = leads(turn) if turn.trick.lead is None else follows(turn)
        others = map(Play, dict.fromkeys(piles))
    found = (usual, *(option for option in others if option != usual))
    return found[:MOST_PLAYS]


def weigh(
    view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
) -> Worth:
    """The levels that the seat's side gains more than the other by each option."""
    position = view.position
    if not position.talking:
        plays = [option for option in options if isinstance(option, Play)]
        assert position.contract is not None and position.contract.declarer is not None
        points = _points_of_plays(position, worlds, plays, until, engine)
        return _Levels(position, view.seat, position.contract.declarer).worth(points)
    assert isinstance(position.talk, Drawing)
    calls = [str(option) for option in options]
    if calls[0].startswith("bury"):
        return _weigh_burials(view, position.talk, worlds, calls, until, engine)

    def round_after(end: Drawing, world: World) -> tuple[float, float]:
        return _round_after(view, end, world, until, engine)

    return weigh_shows(view, position.talk, worlds, calls, until, round_after)


def unweighed(view: View) -> str:
    position = view.position
    if not position.talking and not _packable(position):
        return "a lead that its leader grouped otherwise than the cards lie is not played on"
    return "nothing else wins, gives or saves points, or empties a suit"


STRATEGY = Strategy(rulebook, search=Search("levels", options, weigh, unweighed=unweighed))


class _Levels:
    """What the attackers' points come to for a seat."""

    def __init__(self, position: Position, seat: int, banker: int) -> None:
        self.rules, self.levels = position.game.rules, (position.standing.score[0], position.standing.score[1])
        self.banker, self.side = banker, seat % 2

    def worth(self, points: NDArray[np.int32]) -> Worth:
        """By points; a world with a negative number was not reached."""
        totals, which = np.unique(points, return_inverse=True)
        paid = np.array([self.paid(total) for total in totals.tolist()])[which.reshape(points.shape)]
        paid[np.isnan(paid).any(axis=1)] = np.nan
        return Worth(paid, self._tie_break(points))

    def _tie_break(self, points: NDArray[np.int32]) -> NDArray[np.float64]:
        """What points weigh beside the levels: the more for the attackers, the fewer for the banker's side.

        They count from the threshold on, to either side as far as it is from nothing, so that being the banker or not
        weighs nothing by itself and no kitty outweighs a level.
        """
        middle = enough(self.rules)
        sign = 1 if self.side != self.banker % 2 else -1
        beyond = np.clip(points.astype(np.float64) - middle, -middle, middle)
        return sign * POINT * ENOUGH / max(middle, 1) * beyond

    def paid(self, points: int) -> float:
        """Levels that the seat's side gains more than the other."""
        if points < 0:
            return np.nan
        end = outcome(self.rules, self.levels, self.banker, points, 0, 1)
        gains = [end.levels[side] - self.levels[side] + (end.winner == side) for side in (0, 1)]
        return float(gains[self.side] - gains[1 - self.side])


# -- plays


def _packable(position: Position) -> bool:
    """Does the kernel know this lead on the table? Not one that its leader grouped otherwise than the cards lie."""
    lead = None if position.trick is None else position.trick.lead
    return lead is None or not (lead.units and lead.tried is None)


def _points_of_plays(
    position: Position, worlds: Sequence[World], plays: Sequence[Play], until: float, engine: Engine
) -> NDArray[np.int32]:
    """`int32[worlds, plays]`: the attackers' points in the end."""
    assert position.order is not None
    piles, candidates = piles_of(worlds), words(*(play.cards for play in plays))
    hands, kitties = piles[:, :KITTY], worths(position.order, piles[:, KITTY])
    query = RolloutQuery(
        kernel_order(position.order),
        scene_of(position),
        hands,
        kitties,
        candidates,
        house(position.game.rules),
        buried=piles[:, KITTY],
        solve_from=SOLVE_ENDS,
        most_seconds=_left(until),
    )
    return engine.run(rollouts if len(position.hand) > SOLVE_ALL else solve_candidates, query)


def _left(until: float) -> float:
    return max(0.0, until - time.perf_counter())


# -- calls


def _calls(view: View, drawing: Drawing) -> Iterable[str]:
    if drawing.on_kitty:
        return ()
    calls = view.legal_calls
    if calls[0].startswith("bury"):
        return (f"bury {pile}" for pile in burials(order_named(drawing), view.hand)[:MOST_BURIALS])
    return calls


def _weigh_burials(
    view: View, drawing: Drawing, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine
) -> Worth:
    points = np.full((len(worlds), len(calls)), -1, np.int32)
    table, hands = order_named(drawing), np.ascontiguousarray(piles_of(worlds)[:, :KITTY])
    for column, call in enumerate(calls):
        pile = parse_cards(DECK, call.removeprefix("bury "))
        hands[:, view.seat] = words(view.hand - pile)
        points[:, column] = _played(view, table, view.seat, hands, pile, until, engine)
    return _Levels(view.position, view.seat, view.seat).worth(points)


def weigh_shows(
    view: View,
    drawing: Drawing,
    worlds: Sequence[World],
    calls: Sequence[str],
    until: float,
    round_after: Callable[[Drawing, World], tuple[float, float]],
) -> Worth:
    """Each world is talked to its end by the rulebook; `round_after` says what the round then pays, and what speaks for
    it besides."""
    paid, tie_break = np.full((2, len(worlds), len(calls)), np.nan)
    for row, world in enumerate(worlds):
        if time.perf_counter() >= until:
            break
        kept: dict[tuple[int, Cards | None, bool], tuple[float, float]] = {}  # many calls lead to the same
        for column, call in enumerate(calls):
            end = _talked(drawing, view.seat, call, world)
            key = end.banker, end.named, end.turn is None
            if key not in kept:
                kept[key] = round_after(end, world)
            paid[row, column], tie_break[row, column] = kept[key]
    paid[np.isnan(paid).any(axis=1)] = np.nan
    return Worth(paid, tie_break)


def _talked(drawing: Drawing, seat: int, call: str, world: World) -> Drawing:
    """The talk after a call up to the kitty, the other seats calling by the rulebook and this one passing."""
    after = drawing.by(seat).after(call)
    while (turn := after.turn) is not None:
        calls = tuple(after.calls(world.kitty if after.on_kitty else world.hands[turn]))
        if calls[:1] == ("pass",):
            after = after.after("pass" if turn == seat else str(answer(after, turn, world.hands[turn], calls).what))
        elif after.on_kitty and calls:
            after = after.after(calls[0])
        else:
            break
    return after


def _round_after(view: View, drawing: Drawing, world: World, until: float, engine: Engine) -> tuple[float, float]:
    """What the round pays, and what speaks for it besides; nothing where the cards are thrown in."""
    if drawing.turn is None:
        return 0.0, 0.0
    table, banker = order_named(drawing), drawing.banker
    whole = world.hands[banker] + world.kitty
    pile = burials(table, whole)[0]
    hands = words(*(whole - pile if seat == banker else hand for seat, hand in enumerate(world.hands)))
    points = _played(view, table, banker, hands[None], pile, until, engine)
    worth = _Levels(view.position, view.seat, banker).worth(points[:, None])
    return float(worth.paid[0, 0]), float(worth.tie_break[0, 0])


def _played(
    view: View, table: Order, banker: int, hands: U64, kitty: Cards, until: float, engine: Engine
) -> NDArray[np.int32]:
    """`int32[rounds]`: the attackers' points when each is played from the first lead; the banker's hand is the same."""
    kitties = np.full(len(hands), table.worth(kitty), np.int32)
    scene, rules = PublicState(leader=banker, banker=banker), house(view.game.rules)
    query = RolloutQuery(kernel_order(table), scene, hands, kitties, BY_THUMB, rules, most_seconds=_left(until))
    return engine.run(rollouts, query)[:, 0]
