"""The encoding of Tractor: what is shown, the kitty that is buried card by card, and plays of many cards.

Showings are named without the level, so that an action means the same at every level: `show S` is one spade of the
level, `show SS` a pair of it. A play is picked card by card (`legal.picks`); a lead is ended by `done`, a follow by its
last card.

The kernel steps the game by tables of the house rules and of the orders of one level, laid out as in
`kernel/include/renege/env/tractor_deal.hpp`: each of the five declarations has an order of its own at each level.

    level     [13]          1 for the level that is played, from 2 up to the ace
    levels    [2]           of both sides, 2 to 14: one's own first
    banker    [4]           1 for the banker, once the kitty is taken up
    named     [5]           1 for what names trumps so far: clubs, diamonds, hearts, spades; last, no suit
    voids     [4, 5]        1 for each suit that a seat has shown to be out of: trumps, spades, hearts, clubs, diamonds

and in rows of version 1

    led       [4, 5]        1 for each suit that a seat has led
    first     [1]           1 in the first deal of a game, whose banker is who shows

Deals of version 1 begin at any levels and with any dealer, drawn with the cards: one in 16 is a first deal, with both
sides at level 2. Where a score is given, only the dealer is drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards
from renege.core.game import SEATS, Game, Standing
from renege.core.house_rules import write_rules
from renege.core.position import Position
from renege.games.encoding import Encoding, Moment
from renege.games.rows import LAYOUT, KernelTables, told_rules, with_layout
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.legal import picks
from renege.games.tractor.order import PRINTED, RANKS, SUITS, order, parse_declaration, printed_suit
from renege.games.tractor.rules import BURIED, LevelGap, NewDeal, NoCall, NoTrump, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.score import enough, step_of, stops_of
from renege.games.tractor.solve import house, kernel_order
from renege.native.arrays import U8
from renege.native.tractor import PACKING, TABLE_BYTES

_ORDER_BYTES = len(bytes(kernel_order(order("NT2"))))
_NUMBERS = ("hand", "kitty", "dealer", "first", "ours", "theirs")
_MORE_NUMBERS = ("redeal", "enough", "step", "stops")
SETTING = np.dtype(
    [
        ("layout", LAYOUT),
        ("orders", "u1", (len(RANKS), len(PRINTED) + 1, _ORDER_BYTES)),
        ("deck", "u8"),
        ("packing", "u1", TABLE_BYTES),
        *((name, "u4") for name in _NUMBERS),
        ("house", "u8"),
        *((name, "u4") for name in _MORE_NUMBERS),
    ],
    align=True,
)


@cache
def _orders(level_gap: LevelGap, no_trump: NoTrump) -> U8:
    """`uint8[levels, declarations, bytes]`: every order there is under these rules."""
    named = [[f"{suit}{level}" for suit in (*PRINTED, "NT")] for level in RANKS]
    tables = [[bytes(kernel_order(order(name, level_gap, no_trump))) for name in level] for level in named]
    return np.frombuffer(b"".join(b"".join(level) for level in tables), np.uint8).reshape(SETTING["orders"].shape)


def setting(game: Game, dealer: int, score: tuple[int, ...] | None) -> NDArray[np.void]:
    """The house rules as the kernel has them, and where its deals begin; without a score they are drawn."""
    rules: Rules = game.rules
    out = np.zeros((), SETTING)
    low, high, deals = (0, 0, 1) if score is None else score
    out["orders"] = _orders(rules.level_gap, rules.no_trump)
    out["deck"] = game.deck.kinds
    out["packing"] = np.frombuffer(bytes(PACKING), np.uint8)
    out["hand"], out["kitty"] = game.hand_size, game.kitty_size
    out["dealer"], out["first"] = dealer, deals == 0
    out["ours"], out["theirs"] = low, high
    out["house"] = house(rules).word
    out["redeal"] = rules.no_call is NoCall.REDEAL
    out["enough"], out["step"] = enough(rules), step_of(rules)
    out["stops"] = sum(1 << stop for stop in stops_of(rules))
    return out


SUIT_SHOWS = tuple(f"show {suit * copies}" for suit in PRINTED for copies in (1, 2))
JOKER_SHOWS = ("show LJ LJ", "show BJ BJ")
CALLS = ("pass", "take", *SUIT_SHOWS, *JOKER_SHOWS)
MOST_TALK = 3 + 4 + 3 * 2 + 3 + 1  # passes, four showings each stronger, two passes between them, passes, the kitty
ADDS = (("level", len(RANKS)), ("levels", 2), ("banker", len(SEATS)), ("named", 5), ("voids", len(SEATS) * len(SUITS)))


MORE = (("led", len(SEATS) * len(SUITS)), ("first", 1))
ACTS = 512  # of a history; the kernel's header says why that is enough
LEVELS = range(2, len(RANKS) + 2)
TOLD = {  # the house rules of which rows of version 1 tell
    "throw_comparison", "shorter_runs", "follow_duty", "trump_throws", "throw_test", "stopped_throw", "throw_penalty",
    "kitty_multiplier", "level_gap", "no_trump", "no_call", "new_deal", "must_defend",
}  # fmt: skip
LATER = {  # answers that came after the rows were frozen
    "follow_duty=tuples-protected", "follow_duty=both-protected", "no_call=first-card", "no_call=level-or-joker",
}  # fmt: skip
NOT_FELT = frozenset({"renege_found", "few_points", "few_trumps"})
NOT_TOLD = frozenset({rule.name for rule in fields(Rules)} - TOLD - NOT_FELT | LATER)
FIRST_IN = 16  # deals of which one is the first of a game, where they are drawn


def told_as(rules: Rules) -> Rules:
    """The house rules in the words that rows know."""
    return replace(rules, follow_duty=rules.pair_duty)


class EncodingTractor(Encoding):
    """The whole game, or the shrunk one, in which nobody shows."""

    rules_not_felt = NOT_FELT

    def rules_told(self) -> Iterator[tuple[str, int]]:
        """Those of version 1: of two packs no tuple is wider than a pair, so that there is none to protect."""
        return told_rules(told_as(self.game.rules), NOT_FELT | NOT_TOLD)

    def __init__(self, game: Game, calls: tuple[str, ...] = CALLS) -> None:
        _check(game)
        super().__init__(game, calls, several=True, gives=True, adds=ADDS, more=MORE, acts=ACTS)

    def call_of(self, position: Position, name: str) -> str:
        if name not in SUIT_SHOWS:
            return name
        level, suits = talk_of(position).level, name.removeprefix("show ")
        return f"show {' '.join(suit + level for suit in suits)}"

    def name_of(self, position: Position, call: str) -> str:
        if not call.startswith("show ") or call in JOKER_SHOWS:
            return call
        return f"show {''.join(card[0] for card in call.split()[1:])}"

    def asked(self, position: Position) -> tuple[str, int] | None:
        rules: Rules = self.game.rules
        return ("bury", rules.buried) if is_taken(position) else None

    def picks(self, position: Position, chosen: Cards) -> tuple[int, bool]:
        return picks(position.turn_to_play(), chosen)

    def needs_done(self, position: Position) -> bool:
        return position.trick is not None and position.trick.lead is None

    def kernel(self, *, difference: bool = False, score: tuple[int, ...] | None = None) -> KernelTables:
        opening = self.game.opening
        drawn = self.rows.version > 0 and self._shows
        filled = setting(self.game, opening.dealer, opening.score if score is None and not drawn else score)
        told = with_layout(self.layout(difference=difference), filled)
        return KernelTables("EnvTractor" if self._shows else "EnvTractorSmall", told)

    @property
    def _shows(self) -> bool:
        return "pass" in self.calls

    def standings(self) -> tuple[tuple[Standing, int], ...]:
        return _drawn() if self._shows else super().standings()

    def standing_of(self, told: Sequence[int], score: tuple[int, ...] | None = None) -> Standing:
        dealer, low, high, first = told
        return Standing(dealer, (low, high, int(not first)))

    def told_standing(self, standing: Standing, score: tuple[int, ...] | None = None) -> tuple[int, int, int, int]:
        dealer, *_ = super().told_standing(standing)
        low, high, deals = standing.score
        if not (low in LEVELS and high in LEVELS):
            raise ValueError(f"a level is {LEVELS[0]}..{LEVELS[-1]}")
        return dealer, low, high, int(deals == 0)

    def longest(self) -> int:
        """Four showings with passes between them, the kitty, and tricks of single cards: before each of them the leader
        throws its whole hand, is stopped, and takes all but one card back.
        """
        rules: Rules = self.game.rules
        talk = MOST_TALK if len(self.calls) > 1 else 1
        tricks = sum(thrown + 1 + len(SEATS) - 1 for thrown in range(1, self.game.hand_size + 1))
        return talk + rules.buried + tricks

    def worth(self) -> tuple[int, int]:
        """From the level of two past the ace."""
        return 0, len(RANKS)

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        position, at, me = moment.position, self.sections, seat or 0
        standing = position.standing
        row[at["level"].start + standing.score[standing.dealer % 2] - 2] = 1
        row[at["levels"]] = standing.score[me % 2], standing.score[1 - me % 2]
        if "first" in at:
            row[at["first"]] = standing.score[2] == 0
        contract = position.contract
        if contract is not None or is_taken(position):
            banker = contract.declarer if isinstance(contract, Bank) else talk_of(position).banker
            row[at["banker"].start + (banker - me) % len(SEATS)] = 1
        if (named := named_suit(position)) is not None:
            row[at["named"].start + named] = 1
        if position.memory is not None:
            voids = row[at["voids"]].reshape(len(SEATS), len(SUITS))
            for other in SEATS:
                void = position.memory.voids[other]
                voids[(other - me) % len(SEATS)] = [void >> suit & 1 for suit in range(len(SUITS))]


@cache
def _drawn() -> tuple[tuple[Standing, int], ...]:
    """Any dealer; any levels in a later deal, and in a first one the lowest."""
    later = [((low, high, 1), FIRST_IN - 1) for low in LEVELS for high in LEVELS]
    scores = [((LEVELS[0], LEVELS[0], 0), len(later)), *later]
    return tuple((Standing(dealer, score), weight) for dealer in SEATS for score, weight in scores)


small_encoding = partial(EncodingTractor, calls=("take",))  # the kitty is taken up, and nothing else is said


def _check(game: Game) -> None:
    """Refuse the rules under which an action would be chance's, or what is open would tell what others hold."""
    rules: Rules = game.rules
    told = write_rules(rules)
    if rules.no_call not in (NoCall.NO_TRUMP, NoCall.REDEAL):
        rule, why = "no_call", "a card that is turned up by chance is nobody's action"
    elif rules.new_deal is not NewDeal.NOBODY:
        rule, why = "new_deal", "no action asks for a new deal"
    elif rules.stopped_throw is StoppedThrow.REFUSED and rules.throw_test is not ThrowTest.PUBLIC_INFO:
        rule, why = "stopped_throw", "the throws that are open would tell the leader what the others hold"
    elif not rules.is_four_in_teams or (rules.kitty and rules.buried != BURIED):
        names = ("mode", "seats", "packs", "duty_family", "tractor_width", "tractor_length", "kitty", "rainbows")
        rule = next(name for name in names if name in told)
        why = "it has rows for two packs, four seats with partners opposite, a kitty of eight and the usual units"
    elif later := [name for name in told if name in NOT_TOLD and name != "kitty"]:  # of eight it is the usual one
        rule, why = later[0], "its rows were made before this choice"
    else:
        return
    raise ValueError(f"{game.name} is not put into numbers under {rule}={told[rule]}: {why}")


def talk_of(position: Position) -> Drawing:
    assert isinstance(position.talk, Drawing)
    return position.talk


def is_taken(position: Position) -> bool:
    """Has the banker taken up the kitty, and not yet buried?"""
    return position.contract is None and any(call == "take" for _, call in talk_of(position).calls_made)


def named_suit(position: Position) -> int | None:
    """The suit that is trumps so far, by its number among the printed ones; behind them, none."""
    if isinstance(position.contract, Bank):
        suit, _ = parse_declaration(position.contract.declaration)
    elif (cards := talk_of(position).named) is not None:
        suit = printed_suit(next(iter(cards)))
    elif is_taken(position):
        suit = None
    else:
        return None
    return len(PRINTED) if suit is None else PRINTED.index(suit)
