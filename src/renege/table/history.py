"""What has happened at a table, as each seat heard it: in time, or after having been away."""

from collections.abc import Sequence
from dataclasses import dataclass

from renege.table import events
from renege.table.live import Heard
from renege.table.messages import Event, Language
from renege.table.shown import event_text
from renege.table.told import Speech
from renege.trick import Play
from renege.words import speech_in

# What is told of events that are no acts; {seat} is "seat 2".
SENTENCES = (
    "the table is made", "{seat} sits down", "{seat} stands up", "bots take the open seats", "deal {number}",
    "{seat} takes that back",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with what is needed to tell it: an act as it was heard, or the name of who came or went."""

    number: int
    deal: int
    event: events.Event
    heard: Heard | None = None


class History:
    """The events of a table, in order."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._deal_begins = 0

    def add(self, entry: Entry) -> None:
        if isinstance(entry.event, events.Dealt):
            self._deal_begins = len(self._entries)
        self._entries.append(entry)

    def since(self, seat: int | None, after: int | None, names: Sequence[str], language: Language) -> "Retelling":
        """The events after a number, or those of this deal, as a seat heard them."""
        first = self._deal_begins if after is None else max(0, after)  # event n stands at n - 1
        return Retelling(tuple(self._entries[first:]), seat, tuple(names), language)


@dataclass(frozen=True, slots=True)
class Retelling:
    """Events that are told when this is called."""

    entries: tuple[Entry, ...]
    seat: int | None
    names: tuple[str, ...]
    language: Language

    def __len__(self) -> int:
        return len(self.entries)

    def __call__(self) -> list[Event]:
        return [told(entry, self.seat, self.names, self.language) for entry in self.entries]


def told(entry: Entry, seat: int | None, names: Sequence[str], language: Language) -> Event:
    """An event as a seat heard it, in its language."""
    event, what = entry.event, ""
    if isinstance(event, events.Sat | events.Left):  # by the name of then: a bot may sit there now
        names = [event.name if other == event.seat else name for other, name in enumerate(names)]
    speech = speech_in(language, names)
    if entry.heard is None:
        text = speech.say(_sentence(event))
    else:
        what, text = _act_told(entry.heard, seat, speech)
    return Event(
        number=entry.number, deal=entry.deal, kind=events.kind_of(event), seat=_seat(event), what=what, text=text
    )


def _act_told(heard: Heard, seat: int | None, speech: Speech) -> tuple[str, str]:
    act, scene = heard.by(seat), heard.scene
    text = event_text(scene, act, speech)
    if not isinstance(act.what, Play):
        return act.what, text
    assert scene.order is not None
    return scene.game.write_play(act.what, scene.order), text


def _seat(event: events.Event) -> int | None:
    match event:
        case events.Sat(seat=seat) | events.Left(seat=seat) | events.Act(seat=seat) | events.Undone(seat=seat):
            return seat
        case events.Dealt(dealer=dealer):
            return dealer
        case _:
            return None


def _sentence(event: events.Event) -> str:
    match event:
        case events.Made():
            return "the table is made"
        case events.Sat(seat=seat):
            return f"seat {seat} sits down"
        case events.Left(seat=seat):
            return f"seat {seat} stands up"
        case events.Filled():
            return "bots take the open seats"
        case events.Dealt(deal=number):
            return f"deal {number}"
        case events.Undone(seat=seat):
            return f"seat {seat} takes that back"
        case events.Act(seat=seat, what=what):
            return f"seat {seat}: {what}"
