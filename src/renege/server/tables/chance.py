"""What the deals of a server are drawn from: a secret each that was promised before, or one number that is known.

A promise is the commitment to the secret of a deal that is still to come (`renege.core.fair`). That of the first deal
may be asked for before the table is made; those of the others come with the deal before them.
"""

import hashlib
from dataclasses import dataclass

from renege.core.fair import FairDeal, new_secret
from renege.core.game import Game
from renege.core.message import say
from renege.core.notation import NotationError

MOST_PROMISED = 10_000  # to tables that nobody has made yet


@dataclass(frozen=True, slots=True)
class Source:
    """What one deal is drawn from: a number, or a secret and what seats have added; and the secret of the next."""

    seed: int = 0
    fair: FairDeal | None = None
    promised: str = ""  # empty where deals come from a number


class Chance:
    """Where a server's deals come from; with a `seed` they are the same again, and anybody who knows it knows them."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._promises: dict[str, str] = {}  # the secrets of tables that nobody has made yet, by their commitments

    def new_promise(self) -> str:
        """The secret of a deal to come."""
        return "" if self._seed is not None else new_secret()

    def source(self, ordinal: int, deal: int, promised: str, salts: dict[int, str]) -> Source:
        """What a deal of a table is drawn from. A table that was made before there were promises has none yet."""
        if self._seed is not None:
            text = f"{self._seed} {ordinal} {deal}"
            return Source(int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]))
        fair = FairDeal(promised or new_secret(), tuple(sorted(salts.items())))
        return Source(0, fair, new_secret())

    # -- promises to tables that are not made yet

    def promise(self, game: Game) -> str:
        """The commitment for the first deal of a table; empty where deals come from a number."""
        secret = self.new_promise()
        if not secret:
            return ""
        commitment = FairDeal(secret).commitment(game)
        self._promises[commitment] = secret
        while len(self._promises) > MOST_PROMISED:
            del self._promises[next(iter(self._promises))]
        return commitment

    def redeem(self, commitment: str, game: Game) -> str:
        """The secret behind a promise, which serves once."""
        secret = self._promises.get(commitment)
        if secret is None or FairDeal(secret).commitment(game) != commitment:
            why = "the promise {quoted} is not for this game, or is not known any more: ask for another"
            raise NotationError(say(why, repr(commitment[:12])))
        return self._promises.pop(commitment)
