"""The contest problem TRACTOR of SPOJ, judged exactly: who takes each trick, the points, the levels, the next leader.

The problem assumes that every play is legal, so no duty is judged here, and a lead of several units is one that stands.
The text is the number of cases, then for each a line `M L r1 r2` (trump suit or `O`, first leader, level of each
team) and a line for each trick: four plays from its leader on, cards without spaces between them. A card is suit and
rank, `T` is a ten; `R` and any letter is a big joker, `B` and any letter a little one. A case ends with the 25th card
of a hand.

Line ends count as spaces; what cannot be read is refused with its line and column.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from renege.core.cards import Cards
from renege.core.game import SEATS
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.games.formats import ContestProblem, Formats
from renege.games.tractor.order import BIG, DECK, LITTLE, POINTS, RANKS, TRUMP, order
from renege.games.tractor.rules import Rules
from renege.games.tractor.score import multiplier, outcome
from renege.games.tractor.units import shape_of, top_step

NAMES = ("Alice", "Bob", "Charles", "David")
TRUMPS = {"S": "S", "H": "H", "C": "C", "D": "D", "O": "NT"}
CARDS = {name: card for card, name in enumerate(DECK.names) if card not in (LITTLE, BIG)}
JOKERS = {"B": LITTLE, "R": BIG}
HAND_SIZE = 25
ALL_POINTS = sum(POINTS) * DECK.copies
RULES = Rules()
TOKEN = re.compile(r"\S+")
BYTE_ORDER_MARK = "\ufeff"
MOST_DIGITS = 18  # of the number of cases


def judge(lines: Iterable[str]) -> Iterator[str]:
    """The lines of the answer, case by case as they are read."""
    reader = _Reader(lines)
    cases = reader.take("the number of cases")
    if not (cases.isascii() and cases.isdigit()):
        raise reader.error(say("{quoted} is no number of cases", _quote(cases)))
    if len(cases) > MOST_DIGITS:
        raise reader.error(say("{quoted} are too many cases: the number has {n} digits", _quote(cases), len(cases)))
    for number in range(1, int(cases) + 1):
        answer = _judge_round(reader, say("case {n}", number))
        yield f"Case #{number}:"
        yield from answer
    reader.close(say("after the last of {n} cases", cases))


class _Reader:
    """The words of a text, and where the last one stood."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words = _words(lines)
        self._line, self._column, self._word = 1, 1, ""

    def take(self, what: str, *fills: object) -> str:
        """The next word; what it should be is a template and its fills, which only an error needs."""
        if self._next():
            return self._word
        raise self.error(say("the text ends where {thing} should stand", say(what, *fills)), len(self._word))

    def close(self, where: str) -> None:
        """There must be no word left."""
        if self._next():
            raise self.error(say("{quoted} stands {where}", _quote(self._word), where))

    def _next(self) -> bool:
        found = next(self._words, None)
        if found is None:
            return False
        self._line, self._column, self._word = found
        return True

    def error(self, why: str, offset: int = 0) -> NotationError:
        """An error at the last word, or so many letters after its start."""
        return NotationError(say("line {n}, column {n2}: {error}", self._line, self._column + offset, why))


def _words(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(lines, start=1):
        for found in TOKEN.finditer(line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line):
            yield number, found.start() + 1, found[0]


def _quote(word: str) -> str:
    return repr(word if len(word) <= 60 else f"{word[:50]} ... {word[-6:]}")


# -- a play


@dataclass(frozen=True, slots=True)
class Blob:
    """The cards of a play: masks of the kinds and of the pairs, points, size, and the card if it is one."""

    kinds: int
    pairs: int
    points: int
    size: int
    card: int | None

    @property
    def cards(self) -> Cards:
        return Cards(DECK, (self.kinds, self.pairs) if self.pairs else (self.kinds,))


class _BadCard(ValueError):
    """What is wrong with a play, and at which letter."""


@lru_cache(maxsize=1 << 14)
def read_blob(text: str) -> Blob:
    kinds = pairs = points = 0
    card = None
    for i in range(0, len(text), 2):
        name = text[i : i + 2]
        card = CARDS.get(name)
        if card is None:
            card = JOKERS.get(name[0]) if len(name) == 2 else None
        if card is None:
            raise _BadCard(say("{quoted} is no card; write it like S2, HT or, for jokers, RJ and BJ", _quote(name)), i)
        if pairs >> card & 1:
            raise _BadCard(say("{quoted} comes three times, and there are two of it", _quote(name)), i)
        pairs |= kinds & 1 << card
        kinds |= 1 << card
        points += POINTS[card]
    return Blob(kinds, pairs, points, len(text) // 2, card if len(text) == 2 else None)


def winner_of(table: Order, plays: list[Blob]) -> int:
    """Which of four plays takes the trick: exact shape, best cutting, the longest unit decides, equals stay behind."""
    lead, best = plays[0], 0
    led = table.led_suit[lead.kinds.bit_length() - 1]
    if lead.kinds & ~table.follow[led]:
        return 0  # it is of several suits, and nothing can follow it
    if lead.card is not None:
        strength = [table.strength[led][play.card] if play.card is not None else 0 for play in plays]
        return strength.index(max(strength))
    shape = shape_of(table, led, lead.cards)
    height = top_step(table, led, lead.cards, shape) or 0
    suit = led
    for i, play in enumerate(plays[1:], start=1):
        # a throw that stands is beaten by a ruff alone, and a ruff by a ruff
        candidates = (TRUMP,) if shape.is_throw or suit == TRUMP else (led, TRUMP)
        own = next((s for s in candidates if not play.kinds & ~table.follow[s]), None)
        if own is None or (shape.is_throw and led == TRUMP):
            continue
        top = top_step(table, own, play.cards, shape)
        if top is not None and (own != suit or top > height):
            best, suit, height = i, own, top
    return best


def kitty_times(table: Order, lead: Blob) -> int:
    """What the kitty counts for: 2 to the cards of the longest unit of the last lead."""
    parts = [part for follow in table.follow if (part := lead.cards.only(follow))]
    shapes = [shape_of(table, table.led_suit[next(iter(part))], part) for part in parts]
    return max(multiplier(RULES, max(1, 2 * shape.longest), shape.led_pairs, shape.cards) for shape in shapes)


# -- a round


def _judge_round(reader: _Reader, name: str) -> tuple[str, str]:
    """One case: the attackers' points, and how the teams stand then."""
    suit = reader.take("the trump suit of {thing}", name)
    if suit not in TRUMPS:
        raise reader.error(say("{quoted} is no trump suit: {rest}", _quote(suit), " ".join(TRUMPS)))
    leader = reader.take("the first leader of {thing}", name)
    if leader not in NAMES:
        raise reader.error(say("{quoted} is no player: {rest}", _quote(leader), " ".join(NAMES)))
    banker = NAMES.index(leader)
    levels = _read_level(reader, 1, name), _read_level(reader, 2, name)
    table = order(f"{TRUMPS[suit]}{RANKS[levels[banker % 2] - 2]}")
    points, left, times = _play_out(reader, name, table, banker)
    end = outcome(RULES, levels, banker, points, left, times)
    if end.winner is not None:
        return str(end.attackers), f"Winner: Team {end.winner + 1}"
    return str(end.attackers), f"{RANKS[end.levels[0] - 2]} {RANKS[end.levels[1] - 2]} {NAMES[end.banker]}"


def _read_level(reader: _Reader, team: int, name: str) -> int:
    word = reader.take("the level of team {n} in {thing}", team, name)
    rank = "T" if word == "10" else word
    if len(rank) != 1 or rank not in RANKS:
        raise reader.error(say("{quoted} is no level: {rest}", _quote(word), " ".join(RANKS)))
    return RANKS.index(rank) + 2


def _play_out(reader: _Reader, name: str, table: Order, banker: int) -> tuple[int, int, int]:
    """The tricks of a round: the attackers' points, those left to them in the kitty, and what it is multiplied by."""
    leader, played, trick = banker, 0, 0
    attackers = counted = once = twice = 0
    plays: list[Blob] = []
    while played < HAND_SIZE:
        trick += 1
        plays = []
        for i in range(len(SEATS)):
            text = reader.take("the play of {player} in trick {n} of {thing}", NAMES[(leader + i) % 4], trick, name)
            try:
                play = read_blob(text)
            except _BadCard as wrong:
                raise reader.error(*wrong.args) from None
            if plays and play.size != plays[0].size:
                why = say("{quoted} has {n} cards, and {n2} were led", _quote(text), play.size, plays[0].size)
                raise reader.error(why)
            if again := play.kinds & twice | play.pairs & once:
                card = DECK.names[again.bit_length() - 1]
                why = "{quoted}: {cards} comes three times in {thing}, and there are two of it"
                raise reader.error(say(why, _quote(text), card, name))
            twice |= play.kinds & once | play.pairs
            once |= play.kinds
            plays.append(play)
        played += plays[0].size
        if played > HAND_SIZE:
            why = say("{n} cards of each hand are played in {thing}, and a hand has {n2}", played, name, HAND_SIZE)
            raise reader.error(why)
        worth = sum(play.points for play in plays)
        counted += worth
        leader = (leader + winner_of(table, plays)) % len(SEATS)
        if leader % 2 != banker % 2:
            attackers += worth
    left = ALL_POINTS - counted if leader % 2 != banker % 2 else 0
    return attackers, left, kitty_times(table, plays[0])


# of each case there are its number, the points, and how the teams stand
FORMATS = Formats(
    problems={
        "spoj": ContestProblem(
            "a SPOJ file starts with the number of its cases",
            lambda text: text.lstrip("\ufeff \t\r\n")[:1].isdigit(),
            judge,
            lines=3,
        )
    }
)
