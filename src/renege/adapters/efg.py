"""Export of a small game as an extensive-form tree in Gambit's .efg format, which OpenSpiel and others read.

OpenSpiel's algorithms ask a game in Python for every node again and again, which takes milliseconds each; of a tree in
this form they know all nodes, and run at full speed. Where one action alone is open nothing is written.
"""

from collections.abc import Iterator

from renege.adapters.deal_state import CHANCE, OVER, DealState, GameSetup
from renege.adapters.spiel_observer import Observer
from renege.games.small import gains


def efg(table: GameSetup, payoff: str = "difference") -> str:
    """The whole tree; the table must deal all at once."""
    if table.deal != "whole":
        raise ValueError("a tree is written of a table that deals all at once: deal=whole")
    return _Writer(table, payoff).text()


class _Writer:
    def __init__(self, table: GameSetup, payoff: str) -> None:
        self.table, self.payoff = table, payoff
        self.seen = Observer(table, recall=True, public=True, private="single")
        self.sets: list[dict[str, int]] = [{} for _ in table.game.all_seats]
        self.ends: dict[tuple[float, ...], int] = {}

    def text(self) -> str:
        players = " ".join(f'"seat {seat}"' for seat in self.table.game.all_seats)
        head = f'EFG 2 R "{self.table.game.name}" {{ {players} }}'
        return "\n".join([head, *self._node(self.table.start())]) + "\n"

    def _node(self, place: DealState) -> Iterator[str]:
        while place.player >= 0 and place.moment is not None and len(place.moment.legal) == 1:
            place = place.after(place.moment.legal[0])
        if place.player == OVER:
            yield self._end(place)
            return
        if place.player == CHANCE:
            chances = place.chances
            listed = " ".join(f'"{number}" {chance!r}' for number, chance in chances)
            yield f'c "" 1 "" {{ {listed} }} 0'
            actions = [number for number, _ in chances]
        else:
            assert place.moment is not None
            actions, seat = list(place.moment.legal), place.player
            seen = self.seen.text(place, seat)
            number = self.sets[seat].setdefault(seen, len(self.sets[seat]) + 1)  # of its information set
            names = " ".join(f'"{self.table.encoding.actions[action]}"' for action in actions)
            yield f'p "" {seat + 1} {number} "{seen}" {{ {names} }} 0'
        for action in actions:
            yield from self._node(place.after(action))

    def _end(self, place: DealState) -> str:
        assert place.moment is not None
        score = place.moment.rewards
        paid = (
            gains(score, sides=self.table.encoding.has_sides)
            if self.payoff == "difference"
            else tuple(map(float, score))
        )
        number = self.ends.setdefault(paid, len(self.ends) + 1)
        return f't "" {number} "" {{ {" ".join(map(str, paid))} }}'
