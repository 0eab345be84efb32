"""What a seat saw of a deal, rebuilt from its row of bytes alone: version 1 with the history.

All that is known beside the row is which game it is of, and where in the row each section stands. House rules are read
from the row, and the deal is walked through from its first call on, all hands face down. The seat's own cards are those
that it has, has played and has given away. Which of its cards a banker found in the kitty no row tells.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.notation import parse_cards
from renege.core.position import Position, View
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.encoding import Encoding
from renege.games.row import UNSEEN
from renege.native.arrays import U8
from support.env_lanes import full_encoding

RENONCES = ("", " renonce", "Z")  # of a Rufspiel, by how often its declarer is said to have named it


@lru_cache(1 << 12)
def told_rules(names: tuple[str, ...], told: bytes) -> tuple[tuple[str, str], ...]:
    """The house rules that a row tells, as texts."""
    rules, numbers = dict[str, str](), dict[str, int]()
    for name, byte in zip(names, told, strict=True):
        rule, is_choice, answer = name.partition("=")
        if not is_choice:
            numbers[rule] = numbers.get(rule, 0) << 8 | byte
        elif byte:
            assert byte == 1 and rule not in rules
            rules[rule] = answer
    return tuple((rules | {rule: str(number) for rule, number in numbers.items()}).items())


@lru_cache(1 << 8)
def _encoding(name: str, rules: tuple[tuple[str, str], ...]) -> Encoding:
    return full_encoding(find_game(name, dict(rules)))


class Step(NamedTuple):
    """An action of the history: who did what; None for a card face down."""

    seat: int
    number: int | None


class Walk(NamedTuple):
    """A deal up to a point of its history, as somebody sees it who sees no hand."""

    position: Position
    acts: tuple[Act, ...]


class Decoder:
    """Reads rows of the game whose layout it is given; `kind` is that of a game of this kind under any rules."""

    def __init__(self, kind: Encoding) -> None:
        self.name, self.sections, self.rule_names = kind.game.name, kind.sections, kind.rule_names
        self.seats = kind.game.players
        self._walks: dict[object, Walk] = {}  # rows of one deal begin alike

    def view(self, row: U8, seat: int) -> View:
        """What this seat saw; in a row seats are counted from it."""
        rules = told_rules(self.rule_names, self._part(row, "rules").tobytes())
        encoding = _encoding(self.name, rules)
        standing, steps = self._standing(row, encoding.game, seat), tuple(self._steps(row, seat))
        walk = self._walk(_Reader(encoding, standing, seat, self._renonce(row, encoding)), steps)
        return View(self._start(row, encoding.game, standing, seat, walk.acts), walk.acts, seat)

    def _part(self, row: U8, section: str) -> U8:
        return row[self.sections[section]]

    def _standing(self, row: U8, game: Game, seat: int) -> Standing:
        dealer = (seat + int(self._part(row, "dealer").argmax())) % game.players
        if "levels" not in self.sections:
            return Standing(dealer, game.opening.score)
        told = self._part(row, "levels").tolist()  # of both sides or of every seat, from this one on
        levels = [told[(who - seat) % len(told)] for who in range(len(told))]
        return Standing(dealer, (*levels, int(not self._part(row, "first")[0])))

    def _renonce(self, row: U8, encoding: Encoding) -> str:
        """What a Rufspiel is called by more than its suit: a Renonce has the number of the Rufspiel in its suit."""
        said = self._part(row, "said").reshape(self.seats, -1)
        often = [int(said[:, i].max()) for i, name in enumerate(encoding.calls) if name.startswith("rufspiel ")]
        return RENONCES[max(0, max(often, default=0) - 1)]

    def _steps(self, row: U8, seat: int) -> Iterator[Step]:
        history = self._part(row, "history").reshape(-1, 2).tolist()
        for number, who in history:
            if not who:
                assert not any(map(any, history[history.index([number, who]) :])), "nothing comes after the end"
                return
            yield Step((seat + who - 1) % self.seats, None if number == UNSEEN else number - 1)

    def _walk(self, reader: "_Reader", steps: tuple[Step, ...]) -> Walk:
        """The acts that the steps come to; those of the longest beginning that was read before are known."""
        read = len(steps)
        while read and (reader.goes_on(steps, read) or (reader, steps[:read]) not in self._walks):
            read -= 1
        walk = self._walks[reader, steps[:read]] if read else Walk(reader.start(), ())
        while read < len(steps):
            act, count = reader.act(walk.position, steps[read:])
            walk, read = Walk(walk.position.then(act), (*walk.acts, act)), read + count
            if len(self._walks) > 1 << 12:
                self._walks.clear()
            self._walks[reader, steps[:read]] = walk
        return walk

    def _start(self, row: U8, game: Game, standing: Standing, seat: int, acts: Sequence[Act]) -> Position:
        """The deal before its first call, as the seat saw it: what it has, has played and has given away, it had."""
        had = Counter(dict(enumerate(self._part(row, "hand").tolist())))
        for section in ("table", "played"):
            had += Counter(dict(enumerate(self._part(row, section).reshape(self.seats, -1)[0].tolist())))
        if "gave" in self.sections:
            had += Counter(dict(enumerate(self._part(row, "gave").tolist())))
        had -= self._got(row, game, seat, acts)
        own, kitty = sorted(had.elements()), list[int]()
        if len(own) > game.hand_size:  # it took up the kitty; what it has shown before was in its hand
            shown = [card for act in acts if act.seat == seat for card in _shown(game, act)]
            own.sort(key=lambda card: card not in shown)
            own, kitty = own[: game.hand_size], own[game.hand_size :]
        hidden, deck = game.deck.hidden, game.deck
        hands = tuple(deck.cards(own) if other == seat else hidden(game.hand_size) for other in game.all_seats)
        unseen = deck.cards(kitty) if kitty else hidden(game.kitty_size)
        return Position(game, standing, hands, unseen, talk=game.talk(game.rules, standing))

    def _got(self, row: U8, game: Game, seat: int, acts: Sequence[Act]) -> Counter[int]:
        if "got" in self.sections:
            return Counter(dict(enumerate(self._part(row, "got").tolist())))
        partner = (seat + 2) % self.seats  # who alone gives anything in 42
        given = [str(act.what) for act in acts if act.seat == partner and str(act.what).startswith("give ")]
        return Counter(card for call in given for card in parse_cards(game.deck, call.removeprefix("give ")))


def _shown(game: Game, act: Act) -> Iterator[int]:
    if isinstance(act.what, str) and act.what.startswith("show "):
        yield from parse_cards(game.deck, act.what.removeprefix("show "))


class _Reader(NamedTuple):
    """Reads a history act by act."""

    encoding: Encoding
    standing: Standing
    seat: int
    renonce: str

    def start(self) -> Position:
        game = self.encoding.game
        hands, kitty = (game.deck.hidden(game.hand_size),) * game.players, game.deck.hidden(game.kitty_size)
        return Position(game, self.standing, hands, kitty, talk=game.talk(game.rules, self.standing))

    def goes_on(self, steps: Sequence[Step], read: int) -> bool:
        """Is the lead that was read last a throw that was stopped, so that what was led after all is still to come?"""
        last, after = steps[read - 1], steps[read : read + 1]
        return last.number is not None and last.number == self.encoding.done and last.seat in [s.seat for s in after]

    def act(self, position: Position, steps: Sequence[Step]) -> tuple[Act, int]:
        """The next act, and how many steps it has."""
        encoding, (seat, number) = self.encoding, steps[0]
        if position.talking and encoding.steps_open(position, ()) is not None:
            numbers = tuple(step.number for step in steps if step.number is not None)
            calls = ((encoding.stepped_call(position, numbers[:count]), count) for count in range(1, len(steps) + 1))
            return next((Act(seat, call), count) for call, count in calls if call is not None)
        if number is not None and number >= encoding.first_call:
            return Act(seat, self._call(position, number)), 1
        if not position.talking:
            return self._play(position, steps)
        asked = encoding.asked(position)
        assert asked is not None
        word, count = asked
        if number is not None:
            return Act(seat, f"{word} {self._cards(steps[:count])}"), count
        any_cards = encoding.game.deck.cards(list(encoding.game.deck.all)[:count])
        return Act(seat, position.floor(seat).heard(f"{word} {any_cards}", self.seat)), count

    def _call(self, position: Position, number: int) -> str:
        name = self.encoding.calls[number - self.encoding.first_call]
        if not position.talking:
            return name
        if name.startswith("rufspiel "):
            return f"{name}{self.renonce}"
        return self.encoding.call_of(position, name)

    def _cards(self, steps: Sequence[Step]) -> Cards:
        return self.encoding.game.deck.cards([step.number for step in steps if step.number is not None])

    def _play(self, position: Position, steps: Sequence[Step]) -> tuple[Act, int]:
        seat, trick = steps[0].seat, position.trick
        assert trick is not None
        if self.encoding.done is None:
            return Act(seat, Play(self._cards(steps[:1]))), 1
        if trick.lead is not None:
            count = len(trick.lead.cards)
            return Act(seat, Play(self._cards(steps[:count]))), count
        numbers = [step.number for step in steps]
        end = numbers.index(self.encoding.done)
        led = self._cards(steps[:end])
        if end + 1 == len(steps) or steps[end + 1].seat != seat:
            return Act(seat, Play(led)), end + 1
        last = numbers.index(self.encoding.done, end + 1)  # the throw was stopped
        return Act(seat, Play(self._cards(steps[end + 1 : last]), tried=led)), last + 1
