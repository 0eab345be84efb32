"""Reviews of deals, streamed line by line: each takes up to a minute of solving.

They have a worker to themselves. It keeps the review it is at between two questions, each of which asks for one line
more, so that one who goes away costs no more than the line that is being worked out.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from typing import Any, TypeVar

from renege.server.messages import Language
from renege.server.present.replay import Source, review_of
from renege.server.workers.pool import WorkerLost, Workers

Answer = TypeVar("Answer")
MOST_KEPT = 100


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
        for line in self._kept.get(asked, ()):
            yield line
        if asked in self._kept:
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
            return await self._worker.run(function, *arguments)
        except (TimeoutError, WorkerLost):
            raise BrokenOff from None

    async def close(self) -> None:
        await self._worker.close()


# -- in the worker

_going: list[Iterator[str]] = []  # the one review that it is at


def _begin(*about: Any) -> None:
    _going[:] = [review_of(*about)]


def _go_on() -> str | None:
    """The next line; None at the end."""
    if not _going:  # another worker was at this review
        raise BrokenOff
    return next(_going[0], None)
