"""Decks, and piles of cards.

A card is one *kind*, a small integer in its deck; a second copy of it is a count and not another card. `Cards` is
any pile of them: a hand, a play, a kitty. It is a multiset in layers of bit masks, so that piles are compared
and divided a whole suit at a time, and all pairs are one mask.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from renege.core.message import say

Card = int


class NotationError(ValueError):
    """Text that is no card, play, call or position; or a play of cards that are not there."""


def kinds_in(mask: int) -> Iterator[Card]:
    """The kinds in a mask, highest first, as a hand is held."""
    while mask:
        yield (card := mask.bit_length() - 1)
        mask ^= 1 << card


@dataclass(frozen=True, eq=False)
class Deck:
    """A pack of cards: the name of every kind, and how many copies of each there are.

    A pack may be stripped: kinds in the mask `left_out` keep their numbers and are not dealt. Its cards are those of
    the whole pack, so that one order serves both.
    """

    name: str
    names: tuple[str, ...]
    copies: int = 1
    noun: str = "card"
    aliases: tuple[tuple[str, Card], ...] = ()
    left_out: int = 0

    def __len__(self) -> int:
        return self.kinds.bit_count() * self.copies

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return False
        return self is other or (self.name, self.copies, self.names) == (other.name, other.copies, other.names)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Deck {self.name}: {len(self)} {self.noun}s>"

    @cached_property
    def spellings(self) -> dict[str, Card]:
        """Every way to write a card, in capitals."""
        known = {name.upper(): card for card, name in enumerate(self.names)}
        known |= {text.upper(): card for text, card in self.aliases}
        return {text: card for text, card in known.items() if self.kinds >> card & 1}

    @property
    def example(self) -> str:
        """How a card is written: one from the middle, as the first and the last may be odd."""
        names = [self.names[card] for card in sorted(kinds_in(self.kinds))]
        return names[len(names) * 2 // 3] if names else "a"

    @cached_property
    def kinds(self) -> int:
        """A mask with every kind in it."""
        return (1 << len(self.names)) - 1 & ~self.left_out

    @cached_property
    def none(self) -> "Cards":
        """The empty pile."""
        return Cards(self, ())

    @cached_property
    def all(self) -> "Cards":
        """Every card of the deck."""
        return Cards(self, (self.kinds,) * self.copies)

    @property
    def layers(self) -> int:
        """The masks that a pile takes in an array: one for each copy, and never fewer than two."""
        return max(2, self.copies)

    def stripped(self, left_out: int) -> "Deck":
        """The pack without some kinds."""
        return replace(self, left_out=left_out)

    def hidden(self, size: int) -> "Hand":
        """A hand of which we know only the size; an empty one hides nothing."""
        return _hidden(size) if size else self.none

    def of(self, mask: int) -> "Cards":
        """One card of each kind in the mask."""
        return Cards(self, (mask,) if mask else ())

    def card(self, name: Card | str) -> Card:
        """A card by its name, either spelling of it and either case will do; or by its number, if it has one."""
        if not isinstance(name, str):
            if not 0 <= name < len(self.names):
                why = f"{{n}} is no {self.noun} of {{deck}}: they are 0 to {{n2}}"
                raise NotationError(say(why, name, self.name, len(self.names) - 1))
            return name
        card = self.spellings.get(name.strip().upper())
        if card is None:
            why = f"{{quoted}} is no {self.noun} of {{deck}}; write it like {{cards}}"
            raise NotationError(say(why, repr(name.strip()), self.name, self.example))
        return card

    def cards(self, kinds: "Iterable[Card | str]") -> "Cards":
        """A pile of these cards, by number or by name; a kind may come as often as the deck has copies."""
        layers: list[int] = []
        for named in kinds.split() if isinstance(kinds, str) else kinds:
            card = self.card(named) if isinstance(named, str) else named
            if not 0 <= card < len(self.names):
                raise ValueError(f"{card} is no {self.noun} of {self.name}: they run from 0 to {len(self.names) - 1}")
            bit = 1 << card
            depth = next((i for i, layer in enumerate(layers) if not layer & bit), len(layers))
            if depth == self.copies:
                why = "{cards} comes {n} times, and {count} of it"
                raise ValueError(say(why, self.names[card], depth + 1, _there_are(self.copies)))
            if depth == len(layers):
                layers.append(0)
            layers[depth] |= bit
        return Cards(self, tuple(layers))

    def deal(self, sizes: Iterable[int], seed: int) -> tuple["Cards", ...]:
        """Shuffle and deal piles of these sizes; all deals are equally likely, and a seed gives the same one again."""
        pack = self.pack
        random.Random(seed).shuffle(pack)
        return self.piles(pack, sizes)

    @property
    def pack(self) -> list[Card]:
        """All cards, unshuffled: the kinds in order, each as often as it is there."""
        return [card for card in range(len(self.names)) if self.kinds >> card & 1 for _ in range(self.copies)]

    def piles(self, pack: list[Card], sizes: Iterable[int]) -> tuple["Cards", ...]:
        """A shuffled pack, dealt out in piles of these sizes from the first card on."""
        piles: list[Cards] = []
        for size in sizes:
            if size > len(pack):
                raise ValueError(f"{self.name} has {len(self)} {self.noun}s: too few for this deal")
            piles.append(self.cards(pack[:size]))
            pack = pack[size:]
        return tuple(piles)


@dataclass(frozen=True, slots=True)
class Cards:
    """A pile: how many copies of each kind. `layers[i]` is the mask of kinds that are there more than i times."""

    deck: Deck
    layers: tuple[int, ...]

    @property
    def kinds(self) -> int:
        """The mask of kinds in the pile."""
        return self.layers[0] if self.layers else 0

    def at_least(self, copies: int) -> int:
        """The mask of kinds that are there at least so often: `at_least(2)` are the pairs."""
        if copies <= 0:
            return self.deck.kinds
        return self.layers[copies - 1] if copies <= len(self.layers) else 0

    def count(self, card: Card) -> int:
        return sum(layer >> card & 1 for layer in self.layers)

    def only(self, mask: int) -> "Cards":
        """The part of the pile whose kinds are in the mask."""
        return self._pile([layer & mask for layer in self.layers])

    def single(self) -> Card | None:
        """The card, if the pile is just one."""
        if len(self.layers) == 1 and self.layers[0].bit_count() == 1:
            return self.layers[0].bit_length() - 1
        return None

    def __len__(self) -> int:
        return sum(map(int.bit_count, self.layers))

    def __bool__(self) -> bool:
        return bool(self.layers)

    def __iter__(self) -> Iterator[Card]:
        deeper = self.layers[1:]
        for card in kinds_in(self.kinds):
            yield card
            for layer in deeper:
                if layer >> card & 1:
                    yield card

    def __contains__(self, card: Card | str) -> bool:
        """Is a card there, by number or by name (`"6-6" in hand`)?"""
        kind = self.deck.card(card) if isinstance(card, str) else card
        return kind >= 0 and bool(self.kinds >> kind & 1)

    def __le__(self, other: "Cards") -> bool:
        """Could this pile be taken out of the other?"""
        if len(self.layers) > len(other.layers):
            return False
        for ours, theirs in zip(self.layers, other.layers, strict=False):  # noqa: SIM110 (asked for every play)
            if ours & ~theirs:
                return False
        return True

    def __and__(self, other: "Cards") -> "Cards":
        """What is in both piles."""
        return self._pile([ours & theirs for ours, theirs in zip(self.layers, other.layers, strict=False)])

    def __or__(self, other: "Cards") -> "Cards":
        """As many of each kind as there are in the fuller pile."""
        depth = max(len(self.layers), len(other.layers))
        return self._pile([self.at_least(k) | other.at_least(k) for k in range(1, depth + 1)])

    def __add__(self, other: "Cards") -> "Cards":
        layers = list(self.layers)
        for more in other.layers:  # one card of each of these kinds, each into the first layer where it is missing
            for i, layer in enumerate(layers):
                layers[i], more = layer | more, layer & more
            if more:
                layers.append(more)
        if len(layers) > self.deck.copies:
            card = next(kinds_in(layers[self.deck.copies]))
            why = "{cards} would be there too often: {count} of it"
            raise ValueError(say(why, self.deck.names[card], _there_are(self.deck.copies)))
        return Cards(self.deck, tuple(layers))

    def __sub__(self, other: "Cards") -> "Cards":
        layers = list(self.layers)
        for less in other.layers:  # one card of each of these kinds, each out of the last layer where it is
            for i in range(len(layers) - 1, -1, -1):
                layers[i], less = layers[i] & ~less, less & ~layers[i]
            if less:
                raise ValueError(say("{cards} is not all in {cards2}", other, self or "an empty pile"))
        return self._pile(layers)

    def __str__(self) -> str:
        names, deeper = self.deck.names, self.layers[1:]
        words: list[str] = []
        mask = self.kinds
        while mask:  # as __iter__ goes, which costs twice as much
            card = mask.bit_length() - 1
            mask ^= 1 << card
            words.append(names[card])
            for layer in deeper:
                if layer >> card & 1:
                    words.append(names[card])
        return " ".join(words)

    def __repr__(self) -> str:
        return f"<Cards {self}>" if self else "<Cards none>"

    def _pile(self, layers: list[int]) -> "Cards":
        while layers and not layers[-1]:  # each layer lies inside the one before, so empty ones come last
            layers.pop()
        return Cards(self.deck, tuple(layers))


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hand of which we know only its size."""

    size: int

    def __len__(self) -> int:
        return self.size

    def __contains__(self, card: Card | str) -> bool:
        raise ValueError(f"the hand is not told: only that it has {self.size} cards is known, and beliefs give odds")

    def __str__(self) -> str:
        return f"?{self.size}"


Hand = Cards | Hidden


def known_cards(hand: Hand) -> Cards:
    """The cards of a hand that is not hidden."""
    assert isinstance(hand, Cards)
    return hand


_hidden = lru_cache(maxsize=1 << 8)(Hidden)


def _there_are(copies: int) -> str:
    return "there is only one" if copies == 1 else say("there are only {n}", copies)
