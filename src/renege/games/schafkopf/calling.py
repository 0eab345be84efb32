"""Rules of thumb for the talk of Schafkopf: what a hand promises in each game, and what to say with it.

How likely a game is won is reckoned from what players count: trumps, Ober, aces, voids (`weights`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from operator import mul

from renege.core.cards import Card, Cards, kinds_in
from renege.core.message import say
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding, bid_of, kind_of, points_of
from renege.games.schafkopf.follow import heads
from renege.games.schafkopf.order import SUITS, TRUMP, Declaration, order, order_of, parse_declaration, say_game, trumps
from renege.games.schafkopf.rules import PackSize, Rules
from renege.games.schafkopf.score import price
from renege.games.schafkopf.weights import OPEN, PLAYED, Counts
from renege.games.strategy import Advice

DOUBLE_FROM, ACCEPT_FROM = 0.85, 0.6  # the chance that is enough to double before the bidding, to take up a Hochzeit
PASSING = -0.2  # of the price of a Rufspiel: what a seat that passes wins on average, since others then play
OFFER_ACES = 2  # the fewest plain aces for a Hochzeit
SURE, HOPELESS = 0.95, 0.02
ENOUGH = 61
RAISED = 0.15  # what each point above 61 that is promised takes off the log of the odds: a rough guess
LIKE = {"geier": "wenz", "farbgeier": "farbwenz", "hochzeit": "rufspiel"}  # the Ober for the Unter


@dataclass(frozen=True, slots=True)
class _Marks:
    """The cards of a game that are counted, as masks."""

    named: Declaration
    high: tuple[Card, ...]  # the trumps, from the top
    trumps: int
    tops: int
    best: int
    suits: tuple[tuple[int, int, int], ...]  # of each plain suit: all of it, its ace, its ten


@cache
def _marks(declaration: str, deck: PackSize) -> _Marks:
    table, high = order(declaration, deck), trumps(declaration, deck)
    masks = [mask for mask in table.follow[TRUMP + 1 :] if mask]
    ranked = [sorted(kinds_in(mask), key=lambda card: -table.points[card]) for mask in masks]
    return _Marks(
        named=parse_declaration(declaration),
        high=high,
        trumps=table.follow[TRUMP],
        tops=sum(1 << card for card in high[:4]) if len(high) > 4 else 0,
        best=1 << high[0] if high else 0,
        suits=tuple((mask, 1 << cards[0], 1 << cards[1]) for mask, cards in zip(masks, ranked, strict=True)),
    )


def count(declaration: str, deck: PackSize, hand: int, *, leads: bool = False) -> Counts:
    """What a hand has for a game."""
    marks = _marks(declaration, deck)
    return Counts(
        trumps=(hand & marks.trumps).bit_count(),
        tops=(hand & marks.tops).bit_count(),
        aces=sum(bool(hand & ace) for _, ace, _ in marks.suits),
        tens=sum(bool(hand & ace and hand & ten) for _, ace, ten in marks.suits),
        voids=sum(not hand & suit for suit, _, _ in marks.suits),
        best=bool(hand & marks.best),
        lead=leads,
    )


def chance(declaration: str, rules: Rules, hand: int, *, leads: bool, need: int = 0, hands_open: bool = False) -> float:
    """About how likely this hand wins the game as its declarer, where it needs more than 61 points with so many.

    At a table, that is, or if all hands lay open.
    """
    deck = rules.deck
    named = _marks(declaration, deck).named
    if named.kind == "sie":
        return 1.0
    if named.kind == "bettel":
        return HOPELESS if is_caught(rules, hand) else SURE
    if named.tout:
        return SURE if sweeps(declaration, deck, hand) else HOPELESS
    weights = (OPEN if hands_open else PLAYED)[deck][LIKE.get(named.kind, named.kind)]
    held = count(declaration, deck, hand, leads=leads)
    odds = sum(map(mul, weights, held)) - RAISED * max(need - ENOUGH, 0)
    return 1 / (1 + exp(-odds))


def is_caught(rules: Rules, hand: int) -> bool:
    """May a Bettel be made to take a trick: is, in some suit, the lowest card, the second lowest, ... too high?

    Who must beat what he can needs the very lowest cards of each suit, and no trump.
    """
    table, must_beat = order_of(rules, "bettel"), heads(rules, "bettel")
    for suit, mask in enumerate(table.follow):
        strength = sorted(table.strength[suit][card] for card in kinds_in(mask))
        held = sorted(table.strength[suit][card] for card in kinds_in(hand & mask))
        if any(strength.index(height) > (i if must_beat else 2 * i) for i, height in enumerate(held)):
            return True
    return must_beat and bool(hand & table.follow[TRUMP])


def sweeps(declaration: str, deck: PackSize, hand: int) -> bool:
    """Should a Tout be made: top trumps enough to draw the others', and plain suits from the top only?"""
    table, high = order(declaration, deck), _marks(declaration, deck).high
    row = next((i for i, card in enumerate(high) if not hand >> card & 1), len(high))
    if row < min(4, len(high) - (hand & table.follow[TRUMP]).bit_count()):
        return False
    for suit, mask in enumerate(table.follow[TRUMP + 1 :], TRUMP + 1):
        mine = [table.strength[suit][card] for card in kinds_in(hand & mask)]
        others = [table.strength[suit][card] for card in kinds_in(mask & ~hand)]
        if mine and others and min(mine) < max(others):
            return False
    return True


def promise(
    rules: Rules, declaration: str, hand: int, *, leads: bool, need: int = 0, hands_open: bool = False
) -> float:
    """About what the declarer wins on average: his chance, and the price without extras."""
    good = chance(declaration, rules, hand, leads=leads, need=need, hands_open=hands_open)
    return (2 * good - 1) * _stakes(rules, declaration)


def passing(rules: Rules) -> float:
    """About what a seat wins that passes."""
    return PASSING * rules.base


@cache
def _stakes(rules: Rules, declaration: str) -> int:
    """What the declarer wins or loses in all, without extras."""
    return price(rules, Bargain(declaration, 0, 0)) * (3 if parse_declaration(declaration).alone else 1)


def games(talk: Bidding, hand: Cards) -> list[str]:
    """The games that a hand could name if it had the bidding, but for a Hochzeit; the most promising first."""
    seat, leads = talk.turn, talk.turn == talk.forehand
    assert seat is not None
    named = replace(talk, step="declare", high=("rufspiel", seat)).calls(hand)

    def worth(declaration: str) -> tuple[float, int]:
        table, named = order_of(talk.rules, declaration), _marks(declaration, talk.rules.deck).named
        fewest = -len(table.in_suit(hand, SUITS.index(str(named.suit)))) if named.kind == "rufspiel" else 0
        trumps = len(table.in_suit(hand, TRUMP))
        return promise(talk.rules, declaration, hand.kinds, leads=leads), fewest or trumps

    return sorted(named, key=worth, reverse=True)


def lowest_bid(talk: Bidding, game: str, calls: Sequence[str]) -> str | None:
    """The lowest of the bids that may be made under which a game is named; None if there is none."""
    kind = bid_of(talk.rules, parse_declaration(game))
    return next((call for call in calls if kind_of(call) == kind), None)


def advise(talk: Bidding, hand: Cards) -> Advice:
    """What the seat to speak would say with this hand."""
    calls = tuple(talk.calls(hand))
    if len(calls) == 1:
        return Advice(calls[0], "the only call")
    if talk.step == "bid":
        return _bid(talk, hand, calls)
    if talk.step == "give":
        return _give(talk, hand, calls)
    if talk.step == "declare":
        if "hochzeit" in calls:
            return Advice("hochzeit", "as it was bid")
        return Advice(next(game for game in games(talk, hand) if game in calls), "it promises most")
    if talk.step == "second":
        if _is_offered(talk.rules, hand):
            return Advice("offer", "one trump, and aces")
        return Advice("pass", "too few aces to offer the trump")
    good = chance("rufspiel E", talk.rules, hand.kinds, leads=False)
    if talk.step == "double":
        why = say("{n}% to win a Rufspiel with this hand", f"{good:.0%}"[:-1])
        return Advice("double" if good >= DOUBLE_FROM else "pass", why)
    why = say("about {n}% to win", f"{good:.0%}"[:-1])
    return Advice("accept" if good >= ACCEPT_FROM and "accept" in calls else "pass", why)


def _bid(talk: Bidding, hand: Cards, calls: tuple[str, ...]) -> Advice:
    rules, leads = talk.rules, talk.turn == talk.forehand
    best, bid = next(((game, bid) for game in games(talk, hand) if (bid := lowest_bid(talk, game, calls))), ("", ""))
    need = points_of(bid)
    if best and promise(rules, best, hand.kinds, leads=leads, need=need) >= passing(rules):
        good = chance(best, rules, hand.kinds, leads=leads, need=need)
        return Advice(bid, say("{game}: about {n}% to win", say_game(best), f"{good:.0%}"[:-1]))
    if "hochzeit" in calls and _is_offered(talk.rules, hand):
        return Advice("hochzeit", "one trump, and aces")
    return Advice("pass", "no game is likely enough")


def _is_offered(rules: Rules, hand: Cards) -> bool:
    """Is a single trump offered with this hand?"""
    return count("hochzeit", rules.deck, hand.kinds).aces >= OFFER_ACES


def _give(talk: Bidding, hand: Cards, calls: tuple[str, ...]) -> Advice:
    """A plain card for the trump, if there is one: the last of a suit rather, and no ace."""
    table = order("hochzeit", talk.rules.deck)

    def loss(call: str) -> tuple[bool, bool, int, int]:
        card = table.deck.spellings[call.removeprefix("give ")]
        suit = table.led_suit[card]
        return suit == TRUMP, table.points[card] == 11, len(table.in_suit(hand, suit)), table.strength[suit][card]

    return Advice(min(calls, key=loss), "from the shortest suit")
