"""The order of Schafkopf: what is trump under a declaration, and how suits stand.

Ober and Unter are trumps, or only one of them, or none, and with them perhaps a whole suit. What is no trump follows
its own suit, where an Ober or Unter that is left stands between king and nine; in a Bettel the ten stands below them.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from renege.core.cards import Card, Deck
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.games.schafkopf.rules import BettelOrder, PackSize, Rules

PRINTED = "SHGE"  # the suits, lowest first: Schellen, Herz, Gras, Eichel
RANKS = "789UOKZA"
BETTEL_RANKS = "789ZUOKA"
SUIT_WORDS = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
RANK_WORDS = {"A": "Ass", "Z": "Zehn", "K": "König", "O": "Ober", "U": "Unter", "9": "Neun", "8": "Acht", "7": "Sieben"}


def in_words(name: str) -> str:
    """A card as it is called at the table.

    >>> in_words("EO"), in_words("S7")
    ('Eichel-Ober', 'Schellen-Sieben')
    """
    return f"{SUIT_WORDS[name[0]]}-{RANK_WORDS[name[1]]}"


def say_game(text: str) -> str:
    """A game, as it is called, in a sentence: `solo G tout`, `wenz 71`."""
    game, _, more = text.rpartition(" ")
    if more == "tout":
        return say("{game} tout", game)
    return say("{game} {n}", game, more) if more.isdigit() else text


def _pack(name: str, ranks: str) -> Deck:
    names = tuple(suit + rank for suit in PRINTED for rank in ranks)
    return Deck(name, names, aliases=tuple((in_words(card), i) for i, card in enumerate(names)))


LONG = _pack("long pack", RANKS)
SHORT = _pack("short pack", RANKS[2:])
DECKS = {PackSize.LONG: LONG, PackSize.SHORT: SHORT}
SUITS = ("T", "E", "G", "H", "S")  # the effective suits
NOUNS = ("trumps", "Eichel", "Gras", "Herz", "Schellen")
TRUMP = 0
VALUES = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}
ALL_POINTS = 120

# kind: the ranks that are trumps in every suit, the higher first, and whether a suit is (None: one that is named)
TRUMPS: dict[str, tuple[str, str | None]] = {
    "rufspiel": ("OU", "H"),
    "hochzeit": ("OU", "H"),
    "ramsch": ("OU", "H"),
    "sie": ("OU", "H"),
    "solo": ("OU", None),
    "wenz": ("U", ""),
    "geier": ("O", ""),
    "farbwenz": ("U", None),
    "farbgeier": ("O", None),
    "bettel": ("", ""),
}
BETTEL_TRUMPS = {BettelOrder.HERZ: ("OU", "H"), BettelOrder.UNTER: ("U", "")}  # where a Bettel has some
SOLOS = ("solo", "wenz", "farbwenz", "geier", "farbgeier")
CALLED_SUITS = "EGS"
EXAMPLES = (
    "rufspiel E, solo G, wenz, geier, farbwenz H, farbgeier S (each also tout), "
    "sie, bettel, ramsch, hochzeit, rufspiel E renonce, rufspiel EZ"
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A game as it is named: its kind, a suit (the called card's in a Rufspiel, else trumps), and whether it is Tout.

    A Renonce is a Rufspiel of who must play and can call no ace by the rules: he calls the ace of a suit that he
    lacks (`rufspiel E renonce`) or, holding all aces, a ten (`rufspiel EZ`).
    """

    kind: str
    suit: str | None = None
    tout: bool = False
    renonce: bool = False
    ten: bool = False

    def __str__(self) -> str:
        suit = f"{self.suit}Z" if self.ten else self.suit
        void = self.renonce and not self.ten
        return " ".join(filter(None, (self.kind, suit, "tout" if self.tout else "", "renonce" if void else "")))

    @property
    def called(self) -> str | None:
        """The card that a Rufspiel calls."""
        return f"{self.suit}{'Z' if self.ten else 'A'}" if self.kind == "rufspiel" else None

    @property
    def alone(self) -> bool:
        """Does one play against three?"""
        return self.kind not in ("rufspiel", "hochzeit", "ramsch")

    @property
    def every_trick(self) -> bool:
        """Is every trick promised?"""
        return self.tout or self.kind == "sie"


_CALLED = [Declaration("rufspiel", suit) for suit in CALLED_SUITS]
_SOLOS = [
    Declaration(kind, suit, tout)
    for tout in (False, True)
    for kind in SOLOS
    for suit in (PRINTED[::-1] if TRUMPS[kind][1] is None else (None,))
]
_USUAL = (*_CALLED, Declaration("hochzeit"), Declaration("bettel"), *_SOLOS, Declaration("sie"), Declaration("ramsch"))
_RENONCES = [Declaration("rufspiel", suit, renonce=True, ten=ten) for ten in (False, True) for suit in CALLED_SUITS]
_ALL = {str(declaration): declaration for declaration in (*_USUAL, *_RENONCES)}
RENONCES = tuple(map(str, _RENONCES))  # only where the old one must play
DECLARATIONS = tuple(map(str, _USUAL))


def is_by_points(text: str) -> bool:
    """Is this a solo with a number after it, as solos are bid where they are raised by points?"""
    return re.fullmatch(rf"({'|'.join(SOLOS)})( [EGHS])?( TOUT)? [0-9]+", text, re.IGNORECASE) is not None


@lru_cache(maxsize=1 << 10)
def parse_declaration(text: str) -> Declaration:
    """`rufspiel E`, `solo G tout`, `wenz`; the suit may be in either case."""
    words = " ".join(word.upper() if len(word) <= 2 else word.lower() for word in text.split())
    if is_by_points(words):
        why = say("{quoted} names points: they are bid, and a game is declared without them", repr(text.strip()))
        raise NotationError(why)
    if words not in _ALL:
        raise NotationError(say("{quoted} is no declaration: {rest}", repr(text.strip()), EXAMPLES))
    return _ALL[words]


def trumps(
    declaration: str, deck: PackSize = PackSize.LONG, bettel: BettelOrder = BettelOrder.ACE_KING
) -> tuple[Card, ...]:
    """The trumps, the highest first."""
    names, named = DECKS[deck].names, parse_declaration(declaration)
    ranks, suit = TRUMPS[named.kind]
    if named.kind == "bettel":
        ranks, suit = BETTEL_TRUMPS.get(bettel, (ranks, suit))
    suit = named.suit if suit is None else suit
    honours = [card for rank in ranks for card in reversed(range(len(names))) if names[card][1] == rank]
    return (*honours, *(card for card in reversed(range(len(names))) if names[card][0] == suit and card not in honours))


@cache
def order(declaration: str, deck: PackSize = PackSize.LONG, bettel: BettelOrder = BettelOrder.ACE_KING) -> Order:
    """The order under a declaration."""
    pack = DECKS[deck]
    high = trumps(declaration, deck, bettel)
    ten_low = bettel is BettelOrder.ACE_KING and parse_declaration(declaration).kind == "bettel"
    ranks = BETTEL_RANKS if ten_low else RANKS
    of_suit = [TRUMP if card in high else SUITS.index(name[0]) for card, name in enumerate(pack.names)]
    # plain cards stand by rank, trumps above them
    height = [
        len(ranks) + len(high) - high.index(card) if card in high else ranks.index(name[1]) + 1
        for card, name in enumerate(pack.names)
    ]
    cards = range(len(pack.names))
    return Order(
        deck=pack,
        suits=SUITS,
        nouns=NOUNS,
        led_suit=tuple(of_suit),
        follow=tuple(sum(1 << card for card in cards if of_suit[card] == suit) for suit in range(len(SUITS))),
        strength=tuple(
            tuple(height[card] if of_suit[card] in (TRUMP, suit) else 0 for card in cards) for suit in range(len(SUITS))
        ),
        points=tuple(VALUES.get(name[1], 0) for name in pack.names),
    )


def order_of(rules: Rules, declaration: str) -> Order:
    """The order under a declaration at a table."""
    return order(declaration, rules.deck, rules.bettel_order)
