"""Where deals of an environment begin: the standings that are drawn with the cards, and how each is told in numbers."""

import random
from collections.abc import Sequence

from renege.core.game import Game, Standing


class Beginnings:
    """The part of an encoding that says where deals begin."""

    game: Game

    def standings(self) -> tuple[tuple[Standing, int], ...]:
        """Where a deal of version 1 may begin, and how likely: with any dealer, and as a game begins."""
        return tuple((Standing(dealer, self.game.opening.score), 1) for dealer in self.game.all_seats)

    def draws(self, drawn: Sequence[int]) -> tuple[int, ...] | Standing:
        """How likely each number is that chance may draw next, after these; at the end, the standing.

        One number says it all where the standings can be listed; a game with more of them draws several.
        """
        if drawn:
            return self.standings()[drawn[0]][0]
        return tuple(weight for _, weight in self.standings())

    def drawn_by(self, standing: Standing) -> tuple[int, ...]:
        """The numbers by which a standing is drawn; none where no deal begins so."""
        return tuple(number for number, (one, _) in enumerate(self.standings()) if one == standing)

    def standing(self, rng: random.Random, score: tuple[int, ...] | None = None) -> Standing:
        """One of them by chance; with a score that is given, any dealer."""
        if score is not None:
            return Standing(rng.choices(self.game.all_seats, [1] * self.game.players)[0], score)
        drawn: list[int] = []
        while not isinstance(weights := self.draws(drawn), Standing):
            drawn += rng.choices(range(len(weights)), weights)
        return weights

    @property
    def told_numbers(self) -> int:
        """How many numbers tell a standing: those that the kernel knows are told by four."""
        return 4

    def standing_of(self, told: Sequence[int], score: tuple[int, ...] | None = None) -> Standing:
        """A standing as the kernel tells it, in numbers, at tables with this score; `told_standing` turned round."""
        return Standing(told[0], self.game.opening.score if score is None else score)

    def told_standing(self, standing: Standing, score: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """The dealer, the levels of both sides, whether it is the first deal of a game: 0 where there are none.

        `ValueError` if no deal stands so, or none at tables with this score.
        """
        if standing.dealer not in self.game.all_seats:
            raise ValueError(f"the dealer is a seat, 0..{self.game.players - 1}")
        return standing.dealer, 0, 0, 0
