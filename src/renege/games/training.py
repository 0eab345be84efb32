"""What a game says of how a network learns it: under which house rules, and what a deal there is usually worth."""

from dataclasses import dataclass

from renege.core.game import Game


@dataclass(frozen=True, slots=True)
class House:
    """House rules that a network trains under, by name; its share of the tables; what a deal is worth there, about."""

    rules: tuple[tuple[str, str], ...] = ()
    share: float = 1.0
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class Training:
    """How a game is learnt. One of the houses must force a contract where all may pass, or nobody learns to play."""

    houses: tuple[House, ...] = (House(),)
    trace: float = 0.95
    deal_length: int = 40
    """The actions of a deal, about."""


def training_of(game: Game) -> Training:
    """How a game is learnt: as it says, or under its default rules."""
    return game.facet(Training) or Training()
