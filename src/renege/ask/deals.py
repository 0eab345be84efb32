"""The question `deals` of `renege ask`: hidden cards and what is known of the hands, counted, with odds and samples.

With a `game` the cards are those of its deck and suits are the effective ones of its `declaration`; without one they
are any words, a word that comes twice being two copies of one card.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec

from renege.belief.conflict import Conflict, violator
from renege.belief.listing import TooManyDistinct
from renege.belief.problem import MOST_HANDS, MOST_KINDS, Problem, Watch, pair_watch
from renege.belief.worlds import Worlds
from renege.core.cards import Cards, Deck, kinds_in
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.games.wire import NOTHING, Answer, quote

MOST_SAMPLES = 10_000
Count = Annotated[int, msgspec.Meta(ge=0)]
Want = Literal["count", "odds", "sample"]


class HandFacts(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename={"barred": "not"}):
    """What is known of one hand. Kinds in `may` and `not` are meant with every copy, `has` counts copies."""

    size: Count
    may: str | None = None
    barred: str = ""
    has: str = ""
    void: list[str] = []
    no_pair: list[str] = []
    at_most_pairs: dict[str, Count] = {}


class DealsQuestion(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    ask: str
    cards: str
    hands: list[HandFacts]
    game: str | None = None
    declaration: str | None = None
    want: tuple[Want, ...] = ("count",)
    samples: Annotated[int, msgspec.Meta(ge=0, le=MOST_SAMPLES)] = 1
    seed: Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)] = 0
    id: msgspec.Raw = NOTHING
    rules: msgspec.Raw = NOTHING


def answer(question: DealsQuestion, deck: Deck | None, order: Callable[[], Order] | None) -> Answer:
    """The deals; `deck` and `order` are those of the game and the declaration, where they are named."""
    pack = _deck_of(question.cards) if deck is None else deck
    hidden = parse_cards(pack, question.cards)
    problem = _Reader(pack, hidden, question.hands, order).problem()
    worlds = Worlds(problem)
    found: Answer = {"deals": str(worlds.count())}
    with suppress(TooManyDistinct):  # of many hands
        found["distinct"] = str(worlds.distinct())
    if not worlds.count():
        conflict = violator(problem)
        assert conflict is not None
        return found | {"conflict": _told(conflict, pack, len(question.hands))}
    if "odds" in question.want:
        expected = worlds.expected()[:, : len(question.hands)]
        found["odds"] = {
            pack.names[kind]: [float(copies) for copies in row]
            for kind, row in zip(problem.kinds, expected, strict=True)
        }
    if "sample" in question.want:
        drawn = worlds.draw(question.samples, question.seed)[:, : len(question.hands)]
        found["samples"] = [
            [str(Cards(pack, tuple(int(mask) for mask in layers if mask))) for layers in deal] for deal in drawn
        ]
    return found


def _told(conflict: Conflict, deck: Deck, hands: int) -> dict[str, Any]:
    return {
        "hands": [hand for hand in conflict.hands if hand < hands],
        "cards": " ".join(deck.names[card] for card in conflict.cards),
        "need": conflict.need,
        "have": conflict.have,
        "why": conflict.tell(lambda card: deck.names[card]),
    }


def _deck_of(text: str) -> Deck:
    """A deck of any words."""
    typed = {word.upper(): word for word in reversed(text.replace(",", " ").split())}  # as it was written first
    words = text.replace(",", " ").upper().split()
    names = tuple(sorted(typed, reverse=True))
    if len(names) > MOST_KINDS:
        raise NotationError(f"at most {MOST_KINDS} different cards are dealt, and there are {len(names)}")
    most = max((words.count(name) for name in names), default=1)
    return Deck("these cards", tuple(typed[name] for name in names), copies=most)


class _Reader:
    """Turns what is told of each hand into caps and watches."""

    def __init__(self, deck: Deck, hidden: Cards, hands: list[HandFacts], order: Callable[[], Order] | None) -> None:
        if not 1 <= len(hands) <= MOST_HANDS:
            raise NotationError(f"1 to {MOST_HANDS} hands are dealt, and there are {len(hands)}")
        if (size := sum(hand.size for hand in hands)) != len(hidden):
            shown = quote(str(hidden))
            raise NotationError(f"the hands get {size} cards, and {len(hidden)} are hidden: {shown}")
        self.deck, self.hidden, self.hands, self.order = deck, hidden, hands, order
        self.kinds = tuple(sorted(kinds_in(hidden.kinds)))
        self.copies = tuple(hidden.count(kind) for kind in self.kinds)

    def problem(self) -> Problem:
        told = [*self.hands, *[HandFacts(size=0)] * (len(self.hands) == 1)]  # a problem has two hands at least
        most = [self._most(hand) for hand in told]
        least = [self._least(hand) for hand in told]
        watches = [watch for i, hand in enumerate(told) for watch in self._watches(i, hand)]
        for hand, facts in enumerate(told):
            for suit in facts.no_pair:
                pairs = self._suit(suit)
                rooms = zip(self.kinds, most[hand], strict=True)
                most[hand] = [min(room, 1) if pairs >> kind & 1 else room for kind, room in rooms]
        return Problem(
            self.kinds,
            self.copies,
            tuple(hand.size for hand in told),
            tuple(zip(*most, strict=True)),
            tuple(zip(*least, strict=True)),
            watches=tuple(watches),
        )

    def _most(self, hand: HandFacts) -> list[int]:
        allowed = self.deck.kinds if hand.may is None else self._kinds_named(hand.may)
        allowed &= ~self._kinds_named(hand.barred)
        for suit in hand.void:
            allowed &= ~self._suit(suit)
        return [copies if allowed >> kind & 1 else 0 for kind, copies in zip(self.kinds, self.copies, strict=True)]

    def _least(self, hand: HandFacts) -> list[int]:
        has = parse_cards(self.deck, hand.has)
        if not has <= self.hidden:
            raise NotationError(f"'has' names cards that are not hidden: {quote(hand.has)}")
        return [has.count(kind) for kind in self.kinds]

    def _watches(self, place: int, hand: HandFacts) -> list[Watch]:
        watches: list[Watch] = []
        for suit, most in hand.at_most_pairs.items():
            kinds = self._suit(suit)
            counted = [bool(kinds >> kind & 1) for kind in self.kinds]
            if sum(counted) > most:
                watches.append(pair_watch(place, 0, [0] * len(self.kinds), counted, self.copies, most))
        return watches

    def _kinds_named(self, text: str) -> int:
        """A mask: each may be named once or as often as it is there."""
        words = text.replace(",", " ").split()
        return sum({1 << card for word in words for card in parse_cards(self.deck, word)})

    def _suit(self, name: str) -> int:
        if self.order is None:
            raise NotationError(f"the suit {quote(name)} needs a 'game' and a 'declaration'")
        order = self.order()
        return order.follow[order.suit_named(name)]
