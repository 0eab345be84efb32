"""Recognise a pasted text: a record, deals or problems that a game reads, or protocol lines.

Records are read into their deals; the others are answered, as `renege spoj` and `renege ask` would.
"""

import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from renege.ask.serve import reply
from renege.core.message import say
from renege.core.notation import NotationError, on_line
from renege.core.record import FORMAT, Record
from renege.core.registry import parse_game_record
from renege.games.formats import NO_CHOICES, ContestProblem, all_formats
from renege.server.lookback import Answer, Recognised

BYTE_ORDER_MARK = "\ufeff"
MOST_ANSWERS = 200  # lines of a protocol, or cases of a problem
MOST_DEALS = 1_000
MOST_SECONDS = 20.0  # for all answers together


def recognise(text: str) -> Recognised:
    """Read a text of whatever kind; `NotationError` says what was tried, and what is wrong at which line."""
    _, first = _first_line(text)
    if first.startswith("{"):
        return Recognised(kind="protocol", answers=list(_asked(text)))
    problems = (problem for formats in all_formats() for problem in formats.problems.values())
    if problem := next((problem for problem in problems if problem.recognises(first)), None):
        return Recognised(kind="spoj", answers=list(_cases(problem, text)))
    return Recognised(kind="record", deals=len(deals_of(text)))


@lru_cache(maxsize=4)
def deals_of(text: str) -> tuple[Record, ...]:
    """The deals of a record, or of what others have recorded."""
    number, first = _first_line(text)
    readers = (reader for formats in all_formats() for reader in formats.readers)
    if first.startswith(FORMAT.split()[0]):
        deals = parse_game_record(text.removeprefix(BYTE_ORDER_MARK)).deals
    elif reader := next((reader for reader in readers if reader.recognises(text)), None):
        readings = reader.read(text.removeprefix(BYTE_ORDER_MARK), NO_CHOICES)
        deals = tuple(reading.record for reading in readings if reading.record is not None)
        if not deals:
            raise on_line(readings[0].line, readings[0].unsupported)
    else:
        shown = first if len(first) <= 60 else f"{first[:60]} ..."
        raise on_line(
            number,
            say(
                "{quoted} starts nothing that is known here: a record starts with {quoted2}, a SPOJ file "
                "with the number of its cases, a protocol line with '{', a protocol of NetSchafkopf says 'gespielt "
                "von' in its second line, and a page of sauspiel.de starts with '<'",
                repr(shown),
                repr(FORMAT),
            ),
        )
    if not 1 <= len(deals) <= MOST_DEALS:
        raise NotationError(
            say("{n} deals are in this text; from 1 to {n2} are looked at here", len(deals), MOST_DEALS)
        )
    return deals


def _first_line(text: str) -> tuple[int, str]:
    """The first line that is no comment, and its number."""
    lines = enumerate(map(str.strip, text.removeprefix(BYTE_ORDER_MARK).splitlines()), start=1)
    return next(((number, line) for number, line in lines if line and not line.startswith("#")), (1, ""))


def _asked(text: str) -> Iterator[Answer]:
    """Each line of the protocol and its answer."""
    until = time.monotonic() + MOST_SECONDS
    lines = [line for line in text.removeprefix(BYTE_ORDER_MARK).splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        if number > MOST_ANSWERS or time.monotonic() > until:
            yield Answer(asked=line, answer=f"not asked: that is enough, after {number - 1} of {len(lines)} lines")
            return
        answer, _ = reply(line.encode())
        yield Answer(asked=line, answer=answer.decode())


def _cases(problem: ContestProblem, text: str) -> Iterator[Answer]:
    """Each case of a problem and its answer."""
    lines = problem.judge(text.splitlines())
    for _ in range(MOST_ANSWERS):
        case = list(islice(lines, problem.lines))
        if not case:
            return
        yield Answer(asked=case[0], answer="\n".join(case[1:]))
    yield Answer(asked="the cases after these", answer=f"not judged: that is enough, after {MOST_ANSWERS} cases")
