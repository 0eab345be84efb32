"""Replay of a deal: step by step with all cards open, what each act cost, and what a seat could believe.

Works as well for a deal that is not finished, and for one of which not all hands are told: a card that is not is "?".
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeAlias, TypeVar

from renege.agents.best import best_player
from renege.core.cards import Hidden
from renege.core.fair import terms
from renege.core.house_rules import write_rules
from renege.core.message import say
from renege.core.position import Position
from renege.core.record import Record
from renege.core.solution import Limits
from renege.core.trick import Play
from renege.games.strategy import strategy_of
from renege.games.words import words_of
from renege.i18n import Speech, join
from renege.search import review as review_of
from renege.search.review import Known, Open, ReviewedMove
from renege.search.review import review as review_moves
from renege.server.lookback import Drawn, Judged, Replay, Step
from renege.server.messages import Language, TrickShown
from renege.server.present import state as shown
from renege.server.present import teach
from renege.server.present.hand import held_text, order_of
from renege.server.present.pasted import deals_of
from renege.server.teaching import BeliefShown, Liked
from renege.server.workers.pool import WorkerLost, Workers

Answer = TypeVar("Answer")
MOST_KEPT = 100  # reviews
REVIEW_MS = 100.0  # to search each decision
UNSAID = ("a call", "not asked for")  # reasons that go without saying


# -- step by step


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal to replay: its record, its number, and how the deals up to it ended."""

    record: Record
    deal: int  # from 1
    deals: int
    endings: tuple[tuple[int, shown.Ending], ...]  # by number, of those that are over


class NoDeal(ValueError):
    """There is no such deal, or no such step of it."""


Source: TypeAlias = str | ReplayedDeal  # a pasted text, or a finished deal of a table


def _record(source: Source, deal: int) -> Record:
    return source.record if isinstance(source, ReplayedDeal) else _one_of(deals_of(source), deal)


def _one_of(deals: Sequence[Record], deal: int) -> Record:
    if not 1 <= deal <= len(deals):
        raise NoDeal(say("there is no deal {n}: they run from 1 to {n2}", deal, len(deals)))
    return deals[deal - 1]


def pick(deals: Sequence[Record], deal: int) -> ReplayedDeal:
    record = _one_of(deals, deal)
    last = list(enumerate(deals[:deal], start=1))[-shown.MOST_LINES :]
    endings = tuple((number, shown.ending_of(one)) for number, one in last if one.position.over)
    return ReplayedDeal(record, deal, len(deals), endings)


def replay(played: ReplayedDeal, names: Sequence[str], language: Language) -> Replay:
    """A deal as the page steps through it."""
    record, speech = played.record, Speech(language, names)
    lines = tuple(shown.sheet_line(record.game, number, ending, speech) for number, ending in played.endings)
    score = shown.score_of(record.game, record.start.standing, lines, played.deal)
    return Replay(
        game=record.game.name,
        title=shown.title_of(record.game, speech),
        names=list(names)[: record.game.players],
        rules=write_rules(record.game.rules),
        look=words_of(record.game).look,
        record=str(record),
        deal=played.deal,
        deals=played.deals,
        score=score,
        result=score.lines[-1].text if record.position.over else "",
        steps=list(_steps(record, speech)),
    )


def replay_of(source: Source, deal: int, language: Language, names: Sequence[str]) -> Replay:
    return replay(source if isinstance(source, ReplayedDeal) else pick(deals_of(source), deal), names, language)


def record_of(source: Source, deal: int) -> str:
    return str(_record(source, deal))


def drawn_of(source: Source, deal: int) -> Drawn:
    """What a deal was drawn from."""
    record = _record(source, deal)
    if record.fair is None:
        raise ValueError("this record does not say what the deal was drawn from")
    hands, _ = record.fair.deal(record.game)
    return Drawn(
        terms=terms(record.game),
        secret=record.fair.secret,
        salts=dict(record.fair.salts),
        commitment=record.fair.commitment(record.game),
        hands=[str(hand).split() for hand in hands],
    )


def belief_of(source: Source, deal: int, seat: int, step: int, language: Language, names: Sequence[str]) -> BeliefShown:
    """What a seat could believe after so many acts."""
    record = _record(source, deal)
    if seat not in record.game.all_seats:
        raise NoDeal(say("seat {n} is none of 0 to {n2}", seat, record.game.players - 1))
    if step > len(record.acts):
        raise NoDeal(f"the deal has {len(record.acts)} calls and plays, not {step}")
    return teach.belief(replace(record, acts=record.acts[:step]).view(seat), language, names)


def _steps(record: Record, speech: Speech) -> Iterator[Step]:
    last_trick: TrickShown | None = None
    before, acts = record.start, (None, *record.acts)
    for number, act, position in zip(count(), acts, record.positions(), strict=False):
        if act is not None and isinstance(act.what, Play):
            last_trick = _completed(before, act.seat, act.what, position) or last_trick
        order = order_of(position)
        yield Step(
            number=number,
            seat=None if act is None else act.seat,
            what="" if act is None else before.spell(act.what),
            text="" if act is None else shown.event_text(before, act, speech),
            turn=position.turn,
            hands=[held_text(order, hand) for hand in position.hands],
            kitty=held_text(order, position.kitty),
            trick=shown.trick_shown(position),
            last_trick=last_trick,
            contract=shown.contract_shown(position, speech),
            points=list(position.points),
            tricks=list(position.tricks),
        )
        before = position


def _completed(before: Position, seat: int, play: Play, after: Position) -> TrickShown | None:
    """The trick that a play has completed, if it has."""
    trick, order = before.trick, before.order
    if trick is None or order is None or after.trick is None or after.tricks_played == before.tricks_played:
        return None
    plays = [*zip(trick.seats, trick.plays, strict=False), (seat, play)]
    return shown.laid_shown(order, after.tricks_played, plays, after.trick.leader)


# -- what each act cost


def review(record: Record, language: Language, names: Sequence[str], ms: float) -> Iterator[Judged]:
    """Every call and play of a deal, and what it cost; `ms` is how long each decision is searched, 0 for not at all."""
    speech = Speech(language, names)
    told, look = not any(isinstance(hand, Hidden) for hand in record.start.hands), words_of(record.game).look
    moves = review_moves(
        record,
        best_player(record.game, ms) if ms and told else None,
        ms=ms,
        limits=Limits(seconds=0.4 if look.several else 1.0),  # where plays have several cards there are many plays
    )
    search = strategy_of(record.game).search
    unit = "" if search is None else speech.say(search.unit)
    for move, position, act in zip(moves, record.positions(), record.acts, strict=False):
        yield _judged(move, position, shown.event_text(position, act, speech), unit, speech)


def _judged(move: ReviewedMove, position: Position, text: str, unit: str, speech: Speech) -> Judged:
    opened = move.open if isinstance(move.open, Open) else None
    known, liked = move.known if isinstance(move.known, Known) else None, move.liked
    return Judged(
        number=move.number,
        seat=move.seat,
        what=move.what,
        trick=move.trick,
        text=text,
        value=None if opened is None or opened.solution.loses else _number(opened.before),
        taken=None if opened is None else float(opened.taken),
        cost=None if opened is None else _number(opened.cost),
        best=[] if opened is None else list(opened.best),
        known_cost=None if known is None else known.cost,
        known_best="" if known is None else known.best,
        known_text="" if known is None else _in_words(position, known.best, speech),
        network=None if liked is None else _liked(position, liked, speech),
        unit=unit,
        note=speech.say(join("; ", _notes(move))),
    )


def _in_words(position: Position, what: str, speech: Speech) -> str:
    """A call in words, or a play as it is spelled."""
    return speech.say(words_of(position.game).call(what)) if position.talking else what


def _liked(position: Position, liked: review_of.Liked, speech: Speech) -> Liked:
    text = _in_words(position, liked.best, speech)
    return Liked(what=liked.best, text=text, share=liked.share, done=liked.done)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _notes(move: ReviewedMove) -> Iterator[str]:
    """Why something is missing."""
    if isinstance(move.open, Open):
        if move.open.cost is None:
            yield "the open hands could not be worked out in time"
        elif move.open.solution.loses:
            yield f"by the open hands the declarer {'loses' if move.open.before else 'does not lose'} every trick"
    for missing in (move.open, move.known):
        if isinstance(missing, str) and missing not in UNSAID:
            yield missing


# -- reviews, streamed line by line: each takes up to a minute of solving
#
# They have a worker to themselves. It keeps the review it is at between two questions, each of which asks for one line
# more, so that one who goes away costs no more than the line that is being worked out.


class BrokenOff(RuntimeError):
    """The worker that was at a review is gone, and the review with it."""


class Reviews:
    """Makes one review at a time, and keeps those that are done for who asks again."""

    def __init__(self) -> None:
        self._worker = Workers(1)
        self._turn = asyncio.Lock()
        self._kept: OrderedDict[Hashable, list[str]] = OrderedDict()

    async def lines(
        self, key: Hashable, source: Source, deal: int, language: Language, names: tuple[str, ...]
    ) -> AsyncGenerator[str, None]:
        """The review of a deal, which `key` names, a line an act."""
        asked = (key, deal, language, names)
        if (kept := self._kept.get(asked)) is not None:
            for line in kept:
                yield line
            return
        made: list[str] = []
        async with self._turn:
            await self._ask(_begin, source, deal, language, names)
            while (line := await self._ask(_go_on)) is not None:
                made.append(line)
                yield line
        self._kept[asked] = made
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _ask(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        try:
            return await self._worker.run_in("long", function, *arguments)
        except (TimeoutError, WorkerLost):
            raise BrokenOff from None

    async def close(self) -> None:
        await self._worker.close()


# in the worker

_going: list[Iterator[str]] = []  # the one review that it is at


def _begin(source: Source, deal: int, language: Language, names: Sequence[str]) -> None:
    moves = review(_record(source, deal), language, names, REVIEW_MS)
    _going[:] = [(judged.model_dump_json() for judged in moves)]


def _go_on() -> str | None:
    """The next line; None at the end."""
    if not _going:  # another worker was at this review
        raise BrokenOff
    return next(_going[0], None)
