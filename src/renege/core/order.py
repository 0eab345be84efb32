"""Orders: a declaration compiled to tables of suits, strengths and points.

In games whose trumps move, a card's suit is not what is printed on it. `Order` answers once and for all, per
declaration: which suit a card leads, which cards follow that suit, how strong each is once it is led, and what it is
worth. Nothing after it asks "is it trump?" again.
"""

from dataclasses import dataclass
from functools import cached_property

from renege.core.cards import Cards, Deck, kinds_in
from renege.core.message import say


@dataclass(frozen=True)
class Order:
    """One declaration, as tables over the cards of a deck.

    A card leads one suit but may follow several (a plain tile of Texas 42 follows two). `strength[suit][card]` is 0
    where the card cannot win a trick in which that suit was led; the greatest strength wins and, between equals, the
    card played first.
    """

    deck: Deck
    suits: tuple[str, ...]  # name of each suit, as the wire protocol spells it
    nouns: tuple[str, ...]  # the same in table talk: "sixes", "trumps"
    led_suit: tuple[int, ...]  # [card]
    follow: tuple[int, ...]  # [suit] mask of the cards that follow it
    strength: tuple[tuple[int, ...], ...]  # [suit][card]
    points: tuple[int, ...]  # [card]
    trick_points: int = 0  # what a trick is worth besides its cards
    last_suit_first: bool = False  # as a hand is held: pips from six to blank

    def suit_of(self, cards: Cards) -> int | None:
        """The suit that these cards would lead together; None if they are of several."""
        kinds = cards.kinds
        if not kinds:
            return None
        suit = self.led_suit[kinds.bit_length() - 1]
        return None if kinds & ~self.leads[suit] else suit

    def suit_named(self, name: str) -> int:
        """The suit of this name, which must have a card under the declaration."""
        if name not in self.suits:
            raise ValueError(say("{quoted} is no suit here: {rest}", repr(name), " ".join(self.suits)))
        suit = self.suits.index(name)
        if not self.follow[suit]:
            raise ValueError(say(f"no {self.deck.noun} follows {{quoted}} under this declaration", repr(name)))
        return suit

    def in_suit(self, hand: Cards, suit: int) -> Cards:
        """The part of a hand that follows a suit."""
        return hand.only(self.follow[suit])

    def worth(self, cards: Cards) -> int:
        """The card points of a pile."""
        card = cards.single()
        return sum(self.points[card] for card in cards) if card is None else self.points[card]

    @cached_property
    def leads(self) -> tuple[int, ...]:
        """[suit] mask of the cards that lead it."""
        masks = [0] * len(self.suits)
        for card, suit in enumerate(self.led_suit):
            masks[suit] |= 1 << card
        return tuple(masks)

    @cached_property
    def trumps(self) -> int:
        """The mask of the cards that win tricks of suits they do not follow."""
        return sum(
            1 << card
            for card in range(len(self.led_suit))
            if any(row[card] and not follow >> card & 1 for row, follow in zip(self.strength, self.follow, strict=True))
        )

    @cached_property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """[suit][step] mask of the cards that lead a suit, weakest first; several may share a step, and one that no
        card stands on is empty, so that neighbours in this list are neighbours in the suit."""
        return tuple(self._steps(suit) for suit in range(len(self.suits)))

    def _steps(self, suit: int) -> tuple[int, ...]:
        own = list(kinds_in(self.leads[suit]))
        if not own:
            return ()
        strength = self.strength[suit]
        lowest, highest = min(strength[card] for card in own), max(strength[card] for card in own)
        return tuple(sum(1 << card for card in own if strength[card] == s) for s in range(lowest, highest + 1))
