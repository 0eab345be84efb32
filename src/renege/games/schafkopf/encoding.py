"""The encoding of Schafkopf: its calls, the Stoss beside the play, and the two cards that a Hochzeit moves face down.

The calls, and with them the layout of a row, are the same under all house rules but two: the short pack numbers its
cards anew, which makes a row narrower, and `precedence=raising` adds its bids after all other calls. A kind of game has
one number as a bid and as the game that is named (`wenz`); a Tout is bid under the number of the first game that the
bid may become (`solo tout` under `solo E tout`). A Renonce is named under the number of the Rufspiel in its suit. The
kernel counts on this order: `kernel/include/renege/schafkopf/table.hpp` has the layout of the tables, field by field.

    got           [cards]   what was given to the seat face down, in a Hochzeit       (the whole game)
    partners      [4]       1 for each seat that may be the declarer's partner, for all that everybody has seen
    led_called    [4]       1 for each seat that has led the called suit with another card than its ace
    trumps_taken  [4]       in a Ramsch, the trumps in the tricks that each seat took (the whole game); where ties are
                            broken by the highest of them, how high that is: 1 for the lowest trump, 0 for none

In rows of version 1, where suits are trumps, then the plain ones:

    stock         [1]       what lies in the stock, in prices of a Rufspiel, at most 255
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.core.game import SEATS, Game, Standing
from renege.core.notation import parse_cards
from renege.core.position import Position
from renege.games.encoding import MOST, Encoding, Moment
from renege.games.rows import LAYOUT, KernelTables, with_layout
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import LADDER, OLD, RAISED, Bidding, bid_of, bids_of, kinds_played, rank_of
from renege.games.schafkopf.follow import heads
from renege.games.schafkopf.memory import public_partners
from renege.games.schafkopf.order import (
    CALLED_SUITS,
    DECKS,
    DECLARATIONS,
    PRINTED,
    RENONCES,
    SUITS,
    Declaration,
    parse_declaration,
    trumps,
)
from renege.games.schafkopf.packed import called_ace, tables_of
from renege.games.schafkopf.rules import (
    AllPass,
    Doubling,
    HochzeitCards,
    HochzeitCouples,
    HochzeitReturn,
    March,
    PackSize,
    Played,
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
from renege.games.schafkopf.stakes import WORDS
from renege.native.arrays import U8
from renege.native.cards import NO_CARD

RAMSCH = "ramsch"  # which nobody names
UNNAMED = "tout"  # a number that is free: Touts were once bid without their name
BIDS = ("rufspiel", "hochzeit", "bettel", "farbgeier", "geier", "farbwenz", "wenz", "solo", UNNAMED, "sie")
NAMED = tuple(name for name in DECLARATIONS if name != RAMSCH)
CALLS = tuple(dict.fromkeys(("pass", "double", *BIDS, *NAMED, "accept", "no", "old", WORDS[0])))
SMALL_CALLS = ("pass", *(f"rufspiel {suit}" for suit in CALLED_SUITS), *(f"solo {suit}" for suit in PRINTED[::-1]))

# the names under which a bid, and a Renonce, are numbered
BID_NAMES = {bid: bid if bid in CALLS else bid.replace(" tout", " E tout") for bid in LADDER}
RENONCE_NAMES = {name: name.removesuffix(" renonce").removesuffix("Z") for name in RENONCES}


ORDERS, ORDER_BYTES, MAX_TRUMPS = 24, 360, 14
TENS = tuple(f"rufspiel {suit}Z" for suit in CALLED_SUITS)  # of a Renonce; no call has their numbers
EXACT = 1 << 24  # the whole numbers that a float32 tells apart

NOTHING, AN_ACE, THIS_ACE, ALL_OF_SIE, LONE_TRUMP = range(5)  # what a game asks of a hand
BID_NEEDS = {"rufspiel": AN_ACE, "sie": ALL_OF_SIE, "hochzeit": LONE_TRUMP}
NEEDS = BID_NEEDS | {"rufspiel": THIS_ACE}
POINTS, NO_TRICK, EVERY_TRICK = range(3)  # what a declarer is after
MARCHES, MARCH_BY_POINTS = {March.ALL_TRICKS: 0, March.NONE: 2}, 1
ALL_PASS = {AllPass.RAMSCH: 0, AllPass.REDEAL: 1, AllPass.STOCK: 1, AllPass.OLD_MUST: 2}

_GAME = (
    "order", "called", "bid", "bid_rank", "named", "rank", "bid_need", "need", "aim", "alone", "factor", "least",
    "trumps",
)  # fmt: skip
_PRICES = ("base", "solo", "schneider", "schwarz", "runner", "ramsch")
_CHOICES = (
    "dealer", "size", "doubling", "stoss_limit", "takes_over", "all_pass", "deadline", "tie", "virgins", "march",
    "enough", "free", "marching", "all_points", "two_losers", "names_only", "may_pass", "stoss_adds", "any_back",
)  # fmt: skip
GAME = np.dtype([*((name, "u1") for name in _GAME), ("top", "u1", MAX_TRUMPS), ("heads", "u1")])
SETTING = np.dtype(
    [
        ("layout", LAYOUT),
        ("orders", "u1", (ORDERS, ORDER_BYTES)),
        ("games", GAME, len(CALLS) + 1 + len(TENS)),  # by the call that names them, then the Ramsch and the called tens
        *((name, "u4") for name in ("deck", "sie", "old")),
        *((name, "i4") for name in (*_PRICES, "stock")),
        *((name, "u1") for name in _CHOICES),
    ],
    align=True,
)


def _most(rules: Rules) -> int:
    """No seat is paid more: a Sie, doubled and raised as often as can be, or a Ramsch that all seats double."""
    price = max(rules.base, rules.solo) + rules.number("schneider") + rules.number("schwarz")
    price += rules.number("runner") * MAX_TRUMPS
    return 3 * max(4 * price * most_times(rules), rules.ramsch << most_doubled(rules) + len(SEATS))


@cache
def setting(
    rules: Rules, standing: Standing, names: tuple[str, ...] = (), *, may_pass: bool = False
) -> NDArray[np.void]:
    """The house rules, the dealer and the stock as the kernel has them, but for the layout of rows.

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
    for name in (*_PRICES, "stoss_limit"):
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
    return out


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


GIVE = "give"  # the call that names a card
GIVING = 1 + 3 + 1  # a card is offered, three answer, and one is given back


def _from(seat: int | None, other: int) -> int:
    """A seat counted from the one that looks."""
    return (other - (seat or 0)) % len(SEATS)


MORE = (("voids", 4 * len(SUITS)), ("led", 4 * len(SUITS)), ("stock", 1))
ACTS = 128  # of a history, with all that may be said in a deal


class _CalledAce(Encoding):
    """What the whole game and the shrunk one share: who may be the partner, and the highest price."""

    rules_not_felt = frozenset({"renege_penalty"})
    seats_pay = True

    def _tables(self, kind: str, filled: NDArray[np.void], *, difference: bool) -> KernelTables:
        return KernelTables(kind, with_layout(self.layout(difference=difference), filled))

    def _at(self, score: tuple[int, ...] | None) -> Standing:
        return self.standing_of((self.game.opening.dealer,), score)

    def told_standing(self, standing: Standing, score: tuple[int, ...] | None = None) -> tuple[int, ...]:
        here, there = self._at(score).score[len(SEATS)], standing.score[len(SEATS)]
        if here != there:
            raise ValueError(f"a stock of {there}, and at these tables `score` has one of {here}")
        return super().told_standing(standing)

    def worth(self) -> tuple[int, int]:
        """What who plays alone wins or loses at the highest price there is: from each of three others, all doubled."""
        rules: Rules = self.game.rules
        extras = rules.number("runner") * MAX_TRUMPS
        prices = [max(rules.base, rules.solo) + extras + rules.number("schneider") + rules.number("schwarz")]
        prices += [2 * (rules.solo + extras)] * (rules.tout is Played.YES)
        prices += [4 * (rules.solo + extras)] * (rules.sie is Played.YES)
        prices.append(rules.ramsch * 2 ** (len(SEATS) - 1))  # three virgins
        most = (len(SEATS) - 1) * max(prices) * most_times(rules)
        return -most, most

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        """Who may be the partner, and who has led the called suit: that is seen by all, and not in who played what."""
        contract, memory = moment.position.contract, moment.position.memory
        if "stock" in self.sections:
            shares = moment.position.standing.score[len(SEATS)] // max(self.game.rules.base, 1)
            row[self.sections["stock"]] = min(max(shares, 0), MOST)
        if not isinstance(contract, Bargain):
            return
        for other in public_partners(contract, memory):
            row[self.sections["partners"].start + _from(seat, other)] = 1
        for other in SEATS:
            row[self.sections["led_called"].start + _from(seat, other)] = memory.leaders >> other & 1


class EncodingSchafkopf(_CalledAce):
    """Calls are numbered whatever the table plays; a card that is offered or given for it is an action of its own."""

    def __init__(self, game: Game) -> None:
        if game.rules.hochzeit_cards is HochzeitCards.FACE_UP:
            raise ValueError("environments have no place for cards that are shown: hochzeit_cards=face-up")
        if game.rules.hochzeit_couples is HochzeitCouples.TWO:
            raise ValueError("environments have no call that offers a second trump: hochzeit_couples=two")
        adds = [("got", len(game.deck.names)), ("partners", 4), ("led_called", 4), ("trumps_taken", 4)]
        raised = RAISED if game.rules.precedence is Precedence.RAISING else ()
        acts = None if raised else ACTS
        super().__init__(game, (*CALLS, *raised), gives=True, adds=adds, more=MORE, acts=acts)

    def name_of(self, position: Position, call: str) -> str:
        bids = isinstance(position.talk, Bidding) and position.talk.step == "bid"
        return BID_NAMES.get(call, call) if bids else RENONCE_NAMES.get(call, call)

    def call_of(self, position: Position, name: str) -> str:
        if not isinstance(position.talk, Bidding):
            return name
        return next((call for call in position.legal_calls if self.name_of(position, call) == name), name)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert isinstance(position.talk, Bidding)
        return (GIVE, 1) if position.talk.step in ("offer", "give") else None

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        super().add(moment, seat, row)
        taken = self.sections["trumps_taken"].start
        contract = moment.position.contract
        if isinstance(contract, Bargain):
            if contract.named.renonce and contract.declarer is not None:
                # it counts twice as what its declarer said, and thrice where it calls a ten
                number = self.calls.index(RENONCE_NAMES[contract.declaration])
                said = self.sections["said"].start + _from(seat, contract.declarer) * len(self.calls)
                row[said + number] += 1 + contract.named.ten
            for other, count in enumerate(moment.position.memory.taken):
                row[taken + _from(seat, other)] = count
        for card in () if seat is None else self._given_to(moment, seat):
            row[self.sections["got"].start + card] = 1

    def sees(self, moment: Moment, speaker: int, seat: int | None) -> bool:
        accepted = next((act.seat for act in moment.acts if act.what == "accept"), None)
        first = next(act.seat for act in moment.acts if isinstance(act.what, str) and act.what.startswith(f"{GIVE} "))
        return seat is not None and seat in (first, accepted)

    def kernel(self, *, difference: bool = False, score: tuple[int, ...] | None = None) -> KernelTables | None:
        """None where a price would be rounded, or bids are raised by points."""
        rules: Rules = self.game.rules
        if _most(rules) >= EXACT or rules.precedence is Precedence.RAISING:
            return None
        kind = "EnvSchafkopf" if rules.deck is PackSize.LONG else "EnvSchafkopfShort"
        return self._tables(kind, setting(rules, self._at(score)), difference=difference)

    def longest(self) -> int:
        """Every seat doubles, goes through all bids and passes; a game is named and two cards are given; the play."""
        rules: Rules = self.game.rules
        talk = len(SEATS) + len(SEATS) * (len(bids_of(rules)) + 1) + 1 + GIVING
        return talk + rules.stoss_limit + len(SEATS) * self.game.hand_size

    def _given_to(self, moment: Moment, seat: int) -> list[int]:
        """What was given to a seat in a Hochzeit: the trump to who accepted it, and a plain card back."""
        accepted = next((act.seat for act in moment.acts if act.what == "accept"), None)
        given = [act for act in moment.acts if isinstance(act.what, str) and act.what.startswith(f"{GIVE} ")]
        takers = [accepted, *(act.seat for act in given)]
        return [
            card
            for act, taker in zip(given, takers, strict=False)
            if taker == seat
            for card in parse_cards(self.game.deck, str(act.what).removeprefix(f"{GIVE} "))
        ]


class SmallEncoding(_CalledAce):
    """The shrunk game: forehand names a game or passes, and nothing is given."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, SMALL_CALLS, adds=[("partners", 4), ("led_called", 4)], more=MORE, acts=ACTS)

    def longest(self) -> int:
        return 1 + len(SEATS) * self.game.hand_size

    def kernel(self, *, difference: bool = False, score: tuple[int, ...] | None = None) -> KernelTables | None:
        """None where a price would be rounded."""
        rules = self.game.rules
        if _most(rules) >= EXACT:
            return None
        told = setting(rules, self._at(score), rules.declarations, may_pass=rules.passing is Played.YES)
        return self._tables("EnvSchafkopfSmall", told, difference=difference)
