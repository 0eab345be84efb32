"""The encoding of Texas 42: its calls, the tile that is passed where nello has a swap, and the house rules as tables.

The kernel steps the game without knowing a rule. The auction is walked call by call with the rules themselves: what may
come next depends on the highest bid, on who was forced and on what the hand holds of doubles and sevens, and on nothing
else; so there are some hundred places to be in, and the kernel walks from one to the next. The layout of the tables is
that of `kernel/include/renege/env/texas42.hpp`.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards
from renege.core.game import SEATS, Game
from renege.core.position import Position
from renege.games.encoding import Encoding, Moment
from renege.games.rows import LAYOUT, KernelTables, Rows, with_layout
from renege.games.texas42.contract import LEAST_MARKS, format_declaration, parse_declaration
from renege.games.texas42.declare import Auction
from renege.games.texas42.order import (
    ALL_DOUBLES,
    CALLED,
    CHOICES,
    COUNT,
    DECK,
    DECLARATIONS,
    TRUMPS,
    doubles_policy,
    order_of,
    pips,
)
from renege.games.texas42.rules import (
    Doubles,
    EarlyEnd,
    ForcedSweep,
    MarkRaise,
    NelloExchange,
    OpeningLead,
    PartnerLead,
    Rules,
    Scoring,
    SevensTie,
    UnsaidTrump,
)
from renege.native.cards import MAX_CARDS, MAX_SUITS

MOST_MARKS = 10  # a plunge of four, raised three times by two
DECLARED = tuple(
    dict.fromkeys(
        format_declaration(name, doubles)
        for name in DECLARATIONS
        for doubles in (doubles_policy(name), *(Doubles if name in CHOICES else ()))
    )
)
BIDS = (
    "pass",
    *(str(points) for points in range(30, 42)),
    *(f"{marks} mark{'s' * (marks > 1)}" for marks in range(1, MOST_MARKS + 1)),
    "splash",
    "plunge",
)


MAX_NODES = 240
NONE = 0xFF
HAND = 7
ACTS = 36  # of a history: bids, a declaration, a swap and all tiles are 35
_SEVENS = sum(1 << tile for tile in range(len(DECK.names)) if sum(pips(tile)) == 7)

SHEET = np.dtype(
    [
        ("follow", "u4", MAX_SUITS),
        ("trumps", "u4"),
        ("opening", "u4"),
        ("nearest", "u4", 8),
        ("led_suit", "u1", MAX_CARDS),
        ("strength", "u1", (MAX_SUITS, MAX_CARDS)),
        ("nello", "u4"),
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("open", "u4", 3),
        ("declares", "u4", 2),
        ("next", "u1", len(BIDS)),
        *((name, "u1") for name in ("spoken", "points", "marks")),
        *((name, "u1") for name in ("partner_names", "partner_leads", "sweep_pays", "spare")),
    ],
    align=True,
)
SETTING = np.dtype(
    [
        ("layout", LAYOUT),
        ("sheets", SHEET, len(DECLARED)),
        ("nodes", NODE, MAX_NODES),
        ("doubles", "u4"),
        ("sevens", "u4"),
        ("points", "u1", MAX_CARDS),
        *((name, "u4") for name in ("count", "dealer", "in_points", "stops", "ties_to_declarers", "exchange")),
    ],
    align=True,
)


@cache
def setting(rules: Rules, dealer: int) -> NDArray[np.void]:
    """The house rules as the kernel has them, but for the layout of rows."""
    out = np.zeros((), SETTING)
    for sheet, call in zip(out["sheets"], DECLARED, strict=True):
        _fill_sheet(sheet, call, rules)
    out["count"] = _fill_nodes(out["nodes"], rules, dealer)
    out["doubles"], out["sevens"], out["dealer"] = ALL_DOUBLES, _SEVENS, dealer
    out["points"][: len(COUNT)] = COUNT
    out["in_points"] = rules.scoring is Scoring.POINTS
    out["stops"] = rules.early_end is EarlyEnd.STOP
    out["ties_to_declarers"] = rules.sevens_tie is SevensTie.DECLARERS
    out["exchange"] = rules.nello_exchange is not NelloExchange.OFF
    return out


def _fill_sheet(sheet: NDArray[np.void], call: str, rules: Rules) -> None:
    name, _, policy = call.removeprefix("trump ").partition(" doubles ")
    if name == "follow-me" and policy == "own-inverted":
        return  # it has a number, and nobody may say it
    name, doubles = parse_declaration(call)
    tables = order_of(rules, name, doubles)
    cards = len(tables.led_suit)
    sheet["follow"] = tables.follow
    sheet["trumps"] = tables.trumps
    sheet["led_suit"][:cards] = tables.led_suit
    sheet["strength"][:, :cards] = tables.strength
    sheet["nello"] = name == "nello"
    if rules.opening_lead is OpeningLead.TRUMP and name in TRUMPS:
        sheet["opening"] = tables.follow[CALLED]
    if name == "sevens":
        nearness = tables.strength[CALLED]
        levels = sorted(set(nearness), reverse=True)
        masks = [sum(1 << tile for tile, near in enumerate(nearness) if near == level) for level in levels]
        sheet["nearest"][: len(masks)] = masks


# hands with so many doubles, and with or without a tile of seven pips: all that an auction asks of a hand
_PLAIN = [tile for tile in range(len(DECK.names)) if not ALL_DOUBLES >> tile & 1 and not _SEVENS >> tile & 1]
_DOUBLES = [tile for tile in range(len(DECK.names)) if ALL_DOUBLES >> tile & 1]


def _hand(doubles: int, *, seven: bool) -> Cards:
    tiles = [*_DOUBLES[:doubles], *[_SEVENS.bit_length() - 1] * seven, *_PLAIN]
    return DECK.cards(tiles[:HAND])


def _fill_nodes(nodes: NDArray[np.void], rules: Rules, dealer: int) -> int:
    """Walks through all auctions, those that leave the same bid standing taken as one; how many places there are."""
    found: dict[Any, int] = {}
    waiting: list[Auction] = []

    def place(talk: Auction) -> int:
        high = None if talk.high is None else talk.high[0]
        key = len(talk.said), high, talk.forced
        if key not in found:
            found[key] = len(found)
            waiting.append(talk)
        return found[key]

    place(Auction(rules, dealer))
    for talk in waiting:  # which grows on the way
        node = nodes[place(talk)]
        _fill_node(node, talk, rules)
        if len(talk.said) == len(SEATS):
            continue
        node["next"] = NONE
        for i, doubles in enumerate((2, 3, 4)):
            for call in talk.calls(_hand(doubles, seven=False)):
                bid = BIDS.index(call)
                node["open"][i] |= np.uint32(1 << bid)
                node["next"][bid] = place(talk.after(call))
    return len(found)


def _fill_node(node: NDArray[np.void], talk: Auction, rules: Rules) -> None:
    node["spoken"] = len(talk.said)
    if talk.high is None:
        return
    bid, _ = talk.high
    jumps = bid.word != "bid"
    node["points"], node["marks"] = bid.points, bid.marks
    node["partner_names"] = jumps
    node["partner_leads"] = jumps and rules.partner_lead is PartnerLead.PARTNER
    forced_thirty = talk.forced and bid.points == 30
    node["sweep_pays"] = forced_thirty and rules.forced_sweep is ForcedSweep.TWO_MARKS
    if len(talk.said) == len(SEATS):
        for i, seven in enumerate((False, True)):
            open_calls = talk.calls(_hand(0, seven=seven))
            node["declares"][i] = sum(1 << DECLARED.index(call) for call in open_calls)


ALL_POINTS = 42  # of a deal, and what a mark counts where points are played for


class Encoding42(Encoding):
    """Bids and declarations are calls; a tile that is passed is an action of its own."""

    rules_not_felt = frozenset({"target", "win_by", "renege_penalty"})

    def __init__(self, game: Game) -> None:
        rules: Rules = game.rules
        if rules.unsaid_trump is not UnsaidTrump.NOT_ALLOWED:
            unsaid = f"unsaid_trump={rules.unsaid_trump.value}"
            raise ValueError(f"{unsaid} has no actions in an environment, where trumps are named")
        _check_ends(rules)
        super().__init__(game, (*BIDS, *DECLARED), acts=ACTS)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert position.talk is not None
        return ("give", 1) if len(position.talk.said) > len(SEATS) else None

    def _lay_out(self, rows: Rows) -> None:
        rules: Rules = self.game.rules
        swaps = rules.nello_exchange is not NelloExchange.OFF
        self.gives = swaps or rows.version > 0  # so that a row of version 1 is the same under all house rules
        super()._lay_out(rows)

    def sees(self, moment: Moment, speaker: int, seat: int | None) -> bool:
        return seat is not None and seat % 2 == speaker % 2

    def kernel(self, *, difference: bool = False, score: tuple[int, ...] | None = None) -> KernelTables:
        filled = setting(self.game.rules, self.game.opening.dealer)
        told = with_layout(self.layout(difference=difference), filled)
        return KernelTables("Env42Exchange" if self.gives else "Env42", told)

    def longest(self) -> int:
        """Four bids, a declaration and all tiles; a nello with its swap has fewer, since a hand lies face down."""
        return len(SEATS) + 1 + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        """The highest bid there is: the first as high as it may be, and three seats raise it as far as they may."""
        rules: Rules = self.game.rules
        first = max(2, LEAST_MARKS.get(rules.plunge.value, 0), LEAST_MARKS.get(rules.splash.value, 0))
        marks = first + 3 * (2 if rules.mark_raise is MarkRaise.ONE_OR_TWO else 1)
        return 0, marks * (ALL_POINTS if rules.scoring is Scoring.POINTS else 1)


class SmallEncoding42(Encoding):
    """The shrunk game, which has no bids."""

    rules_not_felt = Encoding42.rules_not_felt

    def __init__(self, game: Game) -> None:
        _check_ends(game.rules)
        super().__init__(game, DECLARED)

    def longest(self) -> int:
        return 1 + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        """A mark; or all points, and the bid on top where it was set."""
        rules = self.game.rules
        return 0, rules.bids[-1] + rules.bid if rules.scoring is Scoring.POINTS else 1


def _check_ends(rules: Rules) -> None:
    """A tile is one action, and it leads its high end."""
    if rules.opening_lead is OpeningLead.SMALL_END:
        raise ValueError("opening_lead=small-end has no actions in an environment, where a tile leads its high end")
