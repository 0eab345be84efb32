"""OpenSpiel observers: a tensor, its named parts, and a string, for every observation type.

The observation of a seat is its row of `Moment.observe`, part by part. An information state adds what the seat was
dealt and every act in order as it heard it: who acted, what, and whether the card came back from a stopped throw.
What all see is counted from seat 0, and so is what a seat sees of itself where all private information is shown.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.adapters.deal_state import ALL, DealState, GameSetup, HeardAct
from renege.native.arrays import U8

PRIVATE = ("hand", "chosen", "gave")
BY_SEAT = ("table", "played", "returned", "said")
WHO = ("turn", "leader", "dealer")


class Observer:
    """Observes a state for a seat, or for everybody."""

    def __init__(self, table: GameSetup, *, recall: bool, public: bool, private: str) -> None:
        """`private` is whose own cards are shown: `none`, `single` or `all`."""
        self.table, self.encoding = table, table.encoding
        self.seats, self.players = table.game.all_seats, table.game.players
        self.recall, self.public, self.private = recall, public, private
        self.longest = table.encoding.longest()
        self._shapes = dict(self._parts())
        self.tensor: NDArray[np.float32] = np.zeros(sum(int(np.prod(s)) for s in self._shapes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        at = 0
        for name, shape in self._shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def _names(self) -> Iterator[tuple[str, bool]]:
        """The parts of a row that are shown, and whether for each seat."""
        names = list(self.encoding.sections)
        added = names[names.index("tricks") + 1 :]  # by the game, and it may be of either kind
        for name in names:
            mine = name in PRIVATE or (name in added and self.private != "none")
            if mine and self.private != "none":
                yield name, self.private == "all"
            elif not mine and self.public:
                yield name, False

    def _parts(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for name, each in self._names():
            at = self.encoding.sections[name]
            size = at.stop - at.start
            shape = (self.players, size // self.players) if name in BY_SEAT else (size,)
            yield name, (self.players, *shape) if each else shape
        if self.recall:
            cards = self.encoding.cards
            if self.private != "none":
                yield "dealt", (self.players, cards) if self.private == "all" else (cards,)
            if self.public:
                yield "acts", (self.longest, self.players + len(self.encoding.actions) + self.encoding.several)

    # -- the tensor

    def set_from(self, state: Any, player: int) -> None:
        place: DealState = state.place
        self.tensor.fill(0)
        own, rows = self._rows(place, player)
        for name, each in self._names():
            at = self.encoding.sections[name]
            if each:
                for seat in self.seats:
                    self.dict[name][seat] = rows[seat][at].reshape(self._shapes[name][1:])
            else:
                self.dict[name][...] = own[at].reshape(self._shapes[name])
        if self.recall:
            self._recall(place, player)

    def _rows(self, place: DealState, player: int) -> tuple[U8, list[U8]]:
        single = self.private == "single"
        rows = [place.row(seat) for seat in self.seats] if self.private == "all" else []
        return place.row(player if single else None), rows

    def _recall(self, place: DealState, player: int) -> None:
        if self.private == "all":
            for seat in self.seats:
                np.add.at(self.dict["dealt"][seat], list(place.hand(seat)), 1)
        elif self.private == "single":
            np.add.at(self.dict["dealt"], list(place.hand(player)), 1)
        if self.public:
            acts, origin = self.dict["acts"], player if self.private == "single" else 0
            for i, (seat, action, back) in enumerate(self._acts(place, player)):
                acts[i, (seat - origin) % self.players] = 1
                if action is not None:
                    acts[i, self.players + action] = 1
                if back:
                    acts[i, -1] = 1

    def _acts(self, place: DealState, player: int) -> Iterator[tuple[int, int | None, bool]]:
        """What was done, number by number: who, what (None where that is not heard), and does it come back."""
        for told in place.told:
            if self._is_hidden(told, player):
                yield told.seat, None, False
                continue
            back = list(told.back)
            for action in self._order(told, player):
                returned = action in back
                if returned:
                    back.remove(action)
                yield told.seat, action, returned
        if self.private == "all" or (self.private == "single" and player == place.player):
            for action in place.picked:
                yield place.player, action, False

    def _order(self, told: HeardAct, player: int) -> tuple[int, ...]:
        if self.private == "all":
            return told.picked
        return told.order_for(player) if self.private == "single" else told.shown

    def _is_hidden(self, told: HeardAct, player: int) -> bool:
        if self.private == "all":
            return False
        return told.hidden[player if self.private == "single" else ALL]

    # -- the text

    def string_from(self, state: Any, player: int) -> str:
        return self.text(state.place, player)

    def text(self, place: DealState, player: int) -> str:
        """What this shows, in words."""
        return " | ".join(self._recalled(place, player) if self.recall else self._described(place, player))

    def _recalled(self, place: DealState, player: int) -> Iterator[str]:
        """The deal as it went: hands as they were dealt, then every act as it was heard."""
        if self.private == "single":
            yield f"seat {player}: {place.hand(player)}"
        elif self.private == "all":
            yield from (f"{seat}: {place.hand(seat)}" for seat in self.seats)
        if not self.public:
            return
        if place.table.draws and (standing := place.standing):
            yield f"dealer {standing.dealer} score {' '.join(map(str, standing.score))}"
        for told in place.told:
            yield f"{told.seat} {self._heard(told, player)}"
        if place.picked and (self.private == "all" or (self.private == "single" and player == place.player)):
            yield f"{place.player} picks {self._named(place.picked)}"

    @staticmethod
    def state_text(place: DealState) -> str:
        """All there is to know of a place, on a line."""
        everything = Observer(place.table, recall=True, public=True, private="all")
        kitty = [f"kitty {place.moment.start.kitty}"] if place.moment and len(place.moment.start.kitty) else []
        return " | ".join([*everything._recalled(place, 0), *kitty])

    def _heard(self, told: HeardAct, player: int) -> str:
        if self._is_hidden(told, player):
            return told.heard[player if self.private == "single" else ALL]
        order = self._order(told, player)
        text = told.heard[told.seat if self.private == "all" else player if self.private == "single" else ALL]
        return text if order == told.shown else f"{text} (picked {self._named(order)})"

    def _named(self, actions: tuple[int, ...]) -> str:
        return " ".join(self.encoding.actions[action] for action in actions)

    def _described(self, place: DealState, player: int) -> Iterator[str]:
        """The parts of the row in words, seats by their own numbers."""
        own, rows = self._rows(place, player)
        origin = player if self.private == "single" else 0
        for name, each in self._names():
            for seat in self.seats if each else (None,):
                numbers: list[int] = (own if seat is None else rows[seat])[self.encoding.sections[name]].tolist()
                if words := self._part(name, numbers, origin):
                    yield f"{name}{'' if seat is None else f' of {seat}'} {words}"

    def _part(self, name: str, numbers: list[int], origin: int) -> str:
        if not any(numbers):
            return ""
        if name in WHO:
            return " ".join(str((place + origin) % self.players) for place, here in enumerate(numbers) if here)
        if name in BY_SEAT:
            labels = self.encoding.calls if name == "said" else self.encoding.actions
            size = len(numbers) // self.players
            first = [(seat - origin) % self.players * size for seat in self.seats]
            piles = [_listed(labels, numbers[at : at + size]) for at in first]
            return ", ".join(f"{seat}: {pile}" for seat, pile in enumerate(piles) if pile)
        if len(numbers) == self.encoding.cards:
            return _listed(self.encoding.actions, numbers)
        if name in ("points", "tricks"):
            numbers = [numbers[(seat - origin) % self.players] for seat in self.seats]
        return " ".join(map(str, numbers))


def _listed(labels: tuple[str, ...], counts: list[int]) -> str:
    return " ".join(label for label, count in zip(labels, counts, strict=False) for _ in range(count))
