"""Fair deals: anybody can check afterwards that nobody chose the cards.

Before a deal the table draws a secret of 256 bits and publishes its commitment, the SHA-256 of a text that names the
game, the pack and the secret. Then each seat may add something of its own, a salt. The secret and the salts give the
deal by an unbiased shuffle; when the deal is over the secret is shown. So the table could not choose the cards once it
had committed itself, and as it did not know the salts then, it could not choose the secret by them.

All that is hashed is plain text, so that the check needs no program of ours:

    renege deal 1
    game texas42 version 1
    rules default
    sizes 7 7 7 7 0
    pack 0-0 1-0 1-1 ...
    secret 1f2e...
    salt 2 anything

The commitment is the SHA-256 of the lines up to the secret; the key is that of all of them. The numbers of the shuffle
are the words of four bytes, the highest first, of SHA-256("KEY 0"), SHA-256("KEY 1") and so on.
"""

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.game import Game
from renege.core.house_rules import format_rules
from renege.core.message import say
from renege.core.notation import NotationError

SECRET = re.compile(r"[0-9a-f]{64}")
SALT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD = 1 << 32


@dataclass(frozen=True, slots=True)
class FairDeal:
    """What a deal is drawn from: a secret of 64 hexadecimal digits, and what seats have added, by seat."""

    secret: str
    salts: tuple[tuple[int, str], ...] = ()

    def commitment(self, game: Game) -> str:
        """What is published before the deal."""
        return _hash(f"{terms(game)}secret {self.secret}\n")

    def deal(self, game: Game) -> tuple[tuple[Cards, ...], Cards]:
        """The hands and the kitty that come of it."""
        pack, numbers = game.deck.pack, _numbers(self._key(game))
        for last in range(len(pack) - 1, 0, -1):
            place = _below(last + 1, numbers)
            pack[last], pack[place] = pack[place], pack[last]
        *hands, kitty = game.deck.piles(pack, game.sizes)
        return tuple(hands), kitty

    def _key(self, game: Game) -> str:
        salts = "".join(f"salt {seat} {salt}\n" for seat, salt in self.salts)
        return _hash(f"{terms(game)}secret {self.secret}\n{salts}")

    def __str__(self) -> str:
        """As a record writes it."""
        return " ".join([self.secret, *(f"{seat}:{salt}" for seat, salt in self.salts)])


def new_secret() -> str:
    """A secret from the system's own generator."""
    return secrets.token_hex(32)


def parse_fair(text: str, game: Game) -> FairDeal:
    """Read what a record says that a deal was drawn from."""
    secret, *added = text.split()
    if not SECRET.fullmatch(secret):
        raise NotationError(say("{quoted} is not a secret of 64 hexadecimal digits", repr(secret)))
    salts: list[tuple[int, str]] = []
    for item in added:
        found = re.fullmatch(rf"({game.seat_digits}):({SALT.pattern})", item)
        if found is None or (salts and int(found[1]) <= salts[-1][0]):
            raise NotationError(say("{quoted} is not what a seat adds: SEAT:TEXT, the seats in order", repr(item)))
        salts.append((int(found[1]), found[2]))
    return FairDeal(secret, tuple(salts))


def terms(game: Game) -> str:
    """What a commitment binds besides the secret: the game with its rules, how many cards each gets, and the pack."""
    cards = " ".join(game.deck.names[card] for card in game.deck.pack)
    sizes = " ".join(map(str, game.sizes))
    return (
        f"renege deal 1\ngame {game.name} version {game.version}\n"
        f"rules {format_rules(game.rules)}\nsizes {sizes}\npack {cards}\n"
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _numbers(key: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(f"{key} {block}".encode()).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4])
        block += 1


def _below(count: int, numbers: Iterator[int]) -> int:
    """One of so many numbers, each equally likely: words beyond the last whole multiple are passed over."""
    whole = _WORD - _WORD % count
    return next(word for word in numbers if word < whole) % count
