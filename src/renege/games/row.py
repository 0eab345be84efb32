"""A row of bytes, what a seat sees of a moment; `encoding` says what is in each section."""

from typing import Any

import numpy as np

from renege.core.cards import Cards, known_cards
from renege.games.tally import counts_of
from renege.native.arrays import U8

MOST = 255  # that a byte holds
UNSEEN = 255  # in a history, what was done face down


class Row:
    """One row of bytes, filled section by section."""

    def __init__(self, moment: Any, seat: int | None) -> None:
        self.moment, self.seat = moment, seat
        self.encoding, self.seats = moment.encoding, moment.encoding.game.players
        self.row = np.zeros(self.encoding.width, np.uint8)

    def filled(self) -> U8:
        moment, position, encoding = self.moment, self.moment.position, self.encoding
        if self.seat is not None:
            hand = known_cards(position.hands[self.seat])
            self.row[encoding.sections["hand"]] = counts_of(hand, encoding.cards)
            if encoding.several and self.seat == moment.turn:
                self.row[encoding.sections["chosen"]] = counts_of(moment.chosen, encoding.cards)
        self._done()
        if position.order is not None:
            trumps = Cards(encoding.game.deck, (position.order.trumps,))
            self.row[encoding.sections["trumps"]] = counts_of(trumps, encoding.cards)
        one = {"turn": moment.turn, "dealer": position.standing.dealer}
        one["leader"] = None if position.trick is None or moment.over else position.trick.leader
        for name, who in one.items():
            if who is not None:
                self.row[encoding.sections[name].start + self._from_me(who)] = 1
        for seat in encoding.game.all_seats:
            place = self._from_me(seat)
            self.row[encoding.sections["points"].start + place] = min(position.points[seat] // encoding.point, MOST)
            self.row[encoding.sections["tricks"].start + place] = position.tricks[seat]
        encoding.add(moment, self.seat, self.row)
        if encoding.rows.version:
            self.row[encoding.sections["rules"]] = np.frombuffer(encoding.rule_bytes, np.uint8)
        if encoding.rows.history:
            self._history()
        return self.row

    def _history(self) -> None:
        first, me, sees = self.encoding.sections["history"].start, self.seat or 0, self.encoding.sees
        for i, (number, seat, face_down) in enumerate(self.moment.told):
            unseen = face_down and not sees(self.moment, seat, self.seat)
            self.row[first + 2 * i] = UNSEEN if unseen else number + 1
            self.row[first + 2 * i + 1] = 1 + (seat - me) % self.seats

    def _done(self) -> None:
        """What was said, given and played."""
        encoding, tally, trick = self.encoding, self.moment.tally, self.moment.position.trick
        table = np.zeros_like(tally.laid)
        for seat, play in () if trick is None else zip(trick.seats, trick.plays, strict=False):
            table[seat] = counts_of(play.cards, encoding.cards)
        self._by_seat("table", table)
        self._by_seat("played", tally.laid - table)
        self._by_seat("said", tally.said)
        if encoding.several:
            self._by_seat("returned", tally.returned)
        if encoding.gives and self.seat is not None:
            self.row[encoding.sections["gave"]] = tally.gave[self.seat]
        for name, marks in tally.marks.items():
            self._by_seat(name, marks)

    def _by_seat(self, section: str, parts: U8) -> None:
        """A part for each seat, from the one that looks on."""
        me = self.seat or 0
        self.row[self.encoding.sections[section]] = np.concatenate((parts[me:], parts[:me])).ravel()

    def _from_me(self, seat: int) -> int:
        return (seat - (self.seat or 0)) % self.seats
