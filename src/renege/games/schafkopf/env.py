"""Schafkopf as the kernel steps it: orders, games and house rules as tables.

The layout is that of `kernel/include/renege/schafkopf/table.hpp`, field by field.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege.core.game import SEATS, Game, Standing
from renege.games.encoding import KernelEnv
from renege.games.schafkopf.calls import BID_NAMES, CALLS, NAMED, RAMSCH
from renege.games.schafkopf.declare import OLD, bid_of, kinds_played, rank_of
from renege.games.schafkopf.follow import heads
from renege.games.schafkopf.order import CALLED_SUITS, DECKS, Declaration, parse_declaration, trumps
from renege.games.schafkopf.packed import called_ace, tables_of
from renege.games.schafkopf.rules import (
    AllPass,
    Doubling,
    HochzeitReturn,
    March,
    PackSize,
    Precedence,
    RamschLosers,
    RamschTie,
    Rules,
    StossDeadline,
    StossPrice,
    StossRole,
    Virgins,
)
from renege.games.schafkopf.score import MARCH_FROM, marks, most_doubled, most_times, runners_rule
from renege.native.cards import NO_CARD, use_bmi2

ORDERS, ORDER_BYTES, MAX_TRUMPS = 24, 360, 14
TENS = tuple(f"rufspiel {suit}Z" for suit in CALLED_SUITS)  # of a Renonce; no call has their numbers
EXACT = 1 << 24  # the whole numbers that a float32 tells apart

NOTHING, AN_ACE, THIS_ACE, ALL_OF_SIE, LONE_TRUMP = range(5)  # what a game asks of a hand
BID_NEEDS = {"rufspiel": AN_ACE, "sie": ALL_OF_SIE, "hochzeit": LONE_TRUMP}
NEEDS = BID_NEEDS | {"rufspiel": THIS_ACE}
POINTS, NO_TRICK, EVERY_TRICK = range(3)  # what a declarer is after
MARCHES, MARCH_BY_POINTS = {March.ALL_TRICKS: 0, March.NONE: 2}, 1
ALL_PASS = {AllPass.RAMSCH: 0, AllPass.REDEAL: 1, AllPass.STOCK: 1, AllPass.OLD_MUST: 2}

GAME = np.dtype(
    [
        ("order", "u1"),
        ("called", "u1"),
        ("bid", "u1"),
        ("bid_rank", "u1"),
        ("named", "u1"),
        ("rank", "u1"),
        ("bid_need", "u1"),
        ("need", "u1"),
        ("aim", "u1"),
        ("alone", "u1"),
        ("factor", "u1"),
        ("least", "u1"),
        ("trumps", "u1"),
        ("top", "u1", MAX_TRUMPS),
        ("heads", "u1"),
    ]
)
SETTING = np.dtype(
    [
        ("orders", "u1", (ORDERS, ORDER_BYTES)),
        ("games", GAME, len(CALLS) + 1 + len(TENS)),  # by the call that names them, then the Ramsch and the called tens
        ("deck", "u4"),
        ("sie", "u4"),
        ("old", "u4"),
        ("base", "i4"),
        ("solo", "i4"),
        ("schneider", "i4"),
        ("schwarz", "i4"),
        ("runner", "i4"),
        ("ramsch", "i4"),
        ("stock", "i4"),
        ("dealer", "u1"),
        ("size", "u1"),
        ("doubling", "u1"),
        ("stoss_limit", "u1"),
        ("takes_over", "u1"),
        ("all_pass", "u1"),
        ("deadline", "u1"),
        ("tie", "u1"),
        ("virgins", "u1"),
        ("march", "u1"),
        ("enough", "u1"),
        ("free", "u1"),
        ("marching", "u1"),
        ("all_points", "u1"),
        ("two_losers", "u1"),
        ("names_only", "u1"),
        ("may_pass", "u1"),
        ("stoss_adds", "u1"),
        ("any_back", "u1"),
    ],
    align=True,
)


def kernel(game: Game) -> Callable[[int], KernelEnv] | None:
    """Makes so many tables in the kernel; None where a price would be rounded, or bids are raised by points."""
    rules: Rules = game.rules
    if _most(rules) >= EXACT or rules.precedence is Precedence.RAISING:
        return None
    make = _kernel.EnvSchafkopf if rules.deck is PackSize.LONG else _kernel.EnvSchafkopfShort
    return partial(_made, make, setting(rules, game.opening))


def small_kernel(game: Game, names: tuple[str, ...], *, may_pass: bool) -> Callable[[int], KernelEnv] | None:
    """The same of a shrunk game, in which forehand names one of these games."""
    if _most(game.rules) >= EXACT:
        return None
    return partial(_made, _kernel.EnvSchafkopfSmall, setting(game.rules, game.opening, names, may_pass=may_pass))


def _made(make: Callable[[bytes, int, bool], KernelEnv], rules: bytes, lanes: int) -> KernelEnv:
    return make(rules, lanes, use_bmi2(False))


def _most(rules: Rules) -> int:
    """No seat is paid more: a Sie, doubled and raised as often as can be, or a Ramsch that all seats double."""
    price = max(rules.base, rules.solo) + rules.number("schneider") + rules.number("schwarz")
    price += rules.number("runner") * MAX_TRUMPS
    return 3 * max(4 * price * most_times(rules), rules.ramsch << most_doubled(rules) + len(SEATS))


@cache
def setting(rules: Rules, standing: Standing, names: tuple[str, ...] = (), *, may_pass: bool = False) -> bytes:
    """The house rules, the dealer and the stock as the kernel has them.

    Where all the talk is that forehand names a game, `names` are those that it may, or it passes.
    """
    out, deck, points = np.zeros((), SETTING), DECKS[rules.deck].stripped(rules.left_out), marks(rules)
    size = len(deck) // len(SEATS)
    _fill_games(out, rules)
    if names:
        out["games"]["named"] = [name in names for name in (*CALLS, RAMSCH, *TENS)]
    out["names_only"], out["may_pass"] = bool(names), may_pass
    out["deck"] = deck.kinds
    out["sie"] = sum(1 << card for card in trumps("sie", rules.deck)[:size])
    out["old"] = 1 << DECKS[rules.deck].spellings[OLD]
    for name in ("base", "solo", "schneider", "schwarz", "runner", "ramsch", "stoss_limit"):
        out[name] = rules.number(name)
    out["stock"], out["dealer"], out["size"] = standing.score[len(SEATS)], standing.dealer, size
    out["doubling"] = list(Doubling).index(rules.doubling)
    out["stoss_adds"] = rules.stoss_price is StossPrice.ADDS
    out["any_back"] = rules.hochzeit_return is HochzeitReturn.ANY
    out["takes_over"] = rules.stoss_role is StossRole.TAKES_OVER
    out["all_pass"] = ALL_PASS[rules.all_pass]
    out["deadline"] = list(StossDeadline).index(rules.stoss_deadline)
    out["tie"] = list(RamschTie).index(rules.ramsch_tie)
    out["virgins"] = list(Virgins).index(rules.virgins)
    out["march"] = MARCHES.get(rules.march, MARCH_BY_POINTS)
    out["two_losers"] = rules.ramsch_losers is RamschLosers.TWO_MOST
    out["enough"], out["free"], out["marching"] = points.enough, points.free, MARCH_FROM.get(rules.march, 0)
    out["all_points"] = points.all
    return out.tobytes()


def _fill_games(out: NDArray[np.void], rules: Rules) -> None:
    numbers: dict[str, int] = {}  # of the orders; a Tout has that of its game
    kinds = kinds_played(rules)
    bids = {BID_NAMES[kind]: kind for kind in kinds}
    for row, name in zip(out["games"], (*CALLS, RAMSCH, *TENS), strict=True):
        if name in bids:
            row["bid"], row["bid_rank"] = True, rank_of(rules, bids[name])[0]
            row["bid_need"] = BID_NEEDS.get(name, NOTHING)
        row["called"] = NO_CARD
        if name not in (*NAMED, RAMSCH, *TENS):
            continue
        named = parse_declaration(name)
        ordered = str(Declaration(named.kind, named.suit, renonce=named.renonce, ten=named.ten))
        row["order"] = numbers.setdefault(ordered, len(numbers))
        out["orders"][row["order"]] = np.frombuffer(bytes(tables_of(rules, ordered)), np.uint8)
        _fill_game(row, named, rules)
        if name in NAMED:
            kind = bid_of(rules, named)
            row["named"], row["rank"] = kind in kinds, rank_of(rules, kind)[0]
            row["need"] = NEEDS.get(named.kind, NOTHING)


def _fill_game(row: NDArray[np.void], named: Declaration, rules: Rules) -> None:
    called = called_ace(str(named), rules.deck)
    row["called"] = NO_CARD if called is None else called
    row["aim"] = NO_TRICK if named.kind == "bettel" else EVERY_TRICK if named.every_trick else POINTS
    row["alone"], row["factor"] = named.alone, 2 if named.tout else 4 if named.kind == "sie" else 1
    row["heads"] = heads(rules, named.kind)
    if named.kind != RAMSCH:
        row["least"] = min(rules.number(runners_rule(named.kind)), MAX_TRUMPS + 1)
    top = [card for card in trumps(str(named), rules.deck) if not rules.left_out >> card & 1]
    row["trumps"], row["top"][: len(top)] = len(top), top
