"""Who has the four seats: people, bots, or nobody yet."""

from dataclasses import dataclass, replace

from renege.core.game import SEATS
from renege.server.messages import Level, Place
from renege.server.names import look_of
from renege.server.tables.events import Chair, Event, Filled, Left, Made, Sat

# Of each seat's names the bot there has the first that no person at the table has; at most three people could have one.
BOT_NAMES = (
    ("Ada", "Eva", "Ida", "Mia"),
    ("Ben", "Finn", "Jon", "Nils"),
    ("Cleo", "Gina", "Kira", "Olga"),
    ("Dan", "Hugo", "Leo", "Paul"),
)


@dataclass(frozen=True, slots=True)
class Sitter:
    """One of the seats: a guest with a name, or what kind of chair it is."""

    chair: Chair
    guest: str | None = None
    name: str = ""

    @property
    def level(self) -> Level | None:
        """How the bot here plays; None where there is none."""
        return None if self.guest is not None or self.chair == "open" else self.chair


@dataclass(frozen=True, slots=True)
class Seating:
    sitters: tuple[Sitter, ...] = (Sitter("open"),) * len(SEATS)

    @property
    def waiting(self) -> bool:
        """Is a seat still open?"""
        return any(sitter.guest is None and sitter.chair == "open" for sitter in self.sitters)

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if self.sitters[seat].guest is not None)

    @property
    def bots(self) -> dict[int, Level]:
        """The seats of bots, with the level of each."""
        return {seat: level for seat, sitter in enumerate(self.sitters) if (level := sitter.level) is not None}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._name(seat) for seat in SEATS)

    def owner(self, seat: int) -> str | None:
        return self.sitters[seat].guest

    def seat_of(self, guest: str) -> int | None:
        return next((seat for seat in SEATS if self.sitters[seat].guest == guest), None)

    def after(self, event: Event, *, begun: bool) -> "Seating":
        """The seats after an event; once cards are dealt, a bot takes the place of who leaves."""
        match event:
            case Made(chairs=chairs):
                return Seating(tuple(map(Sitter, chairs)))
            case Sat(seat=seat, guest=guest, name=name):
                return self._with(seat, replace(self.sitters[seat], guest=guest, name=name))
            case Left(seat=seat):
                chair = self.sitters[seat].chair
                return self._with(seat, Sitter("simple" if begun and chair == "open" else chair))
            case Filled():
                return Seating(tuple(replace(s, chair="simple") if s.chair == "open" else s for s in self.sitters))
            case _:
                return self

    def places(self, online: frozenset[int]) -> tuple[Place, ...]:
        """The seats as everybody sees them; `online` are those with somebody connected."""
        return tuple(self._place(seat, seat in online) for seat in SEATS)

    def _with(self, seat: int, sitter: Sitter) -> "Seating":
        return Seating((*self.sitters[:seat], sitter, *self.sitters[seat + 1 :]))

    def _place(self, seat: int, online: bool) -> Place:
        sitter = self.sitters[seat]
        if sitter.guest is not None:
            return Place(seat=seat, name=sitter.name, kind="person", online=online)
        kind = "open" if sitter.chair == "open" else "bot"
        return Place(seat=seat, name=self._name(seat), kind=kind, level=sitter.level)

    def _name(self, seat: int) -> str:
        sitter = self.sitters[seat]
        if sitter.guest is not None or not sitter.level:
            return sitter.name if sitter.guest is not None else ""
        taken = {look_of(other.name) for other in self.sitters if other.guest is not None}
        return next(name for name in BOT_NAMES[seat] if look_of(name) not in taken)
