"""Looking back over HTTP: finished deals of a table and pasted records, their reviews and what seats could believe."""

import re
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from renege.core.game import MOST
from renege.i18n import Speech, say
from renege.server.http.errors import documented
from renege.server.http.rate_limits import network_of
from renege.server.http.state import AnySeat, Lang, ServerHere, ServerState, TableHere, address_of
from renege.server.lookback import Drawn, Pasted, Recognised, Replay
from renege.server.messages import Language, Trouble
from renege.server.present import replay as shelf
from renege.server.present.pasted import recognise
from renege.server.store.store import Quota, QuotaReached
from renege.server.tables.state import games_of
from renege.server.teaching import BeliefShown
from renege.server.workers.shares import Asker

Answer = TypeVar("Answer")
DealNumber = Annotated[int, Path(ge=1, le=100_000, description="the deal, from 1")]
RecordId = Annotated[str, Path(pattern="^[a-z0-9]{6,40}$", description="the id under which the text is kept")]
PASTED_ENOUGH = "No more records are kept from your address; those that nobody looks at go with time."
UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The record."}
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        "description": "A `Judged` a line, each as soon as it is known; a `Trouble` at the end where it breaks off.",
    }
}


# -- whose deals


@dataclass(frozen=True, slots=True)
class Looked:
    """Deals that somebody looks at, who asks, and in which language."""

    server: ServerState
    key: str
    source: str | Callable[[], shelf.ReplayedDeal]  # a pasted text, or how a deal of a table is told
    names: tuple[str, ...]
    lang: Language
    asker: str

    async def ask(self, question: Callable[..., Answer], *arguments: Any) -> Answer:
        """Let a worker answer a question about these deals."""
        async with self.server.queue.turn(("look", self.asker)):
            try:
                return await self.server.ask(
                    Asker(self.server.guests.mark(self.asker)), "long", question, await self._deals(), *arguments
                )
            except ValueError as wrong:
                raise self._told(wrong) from None

    async def review(self, deal: int) -> AsyncGenerator[str, None]:
        """A line an act; what is wrong is said before the first."""
        async with self.server.queue.turn(("review", self.asker)):
            begun = False
            try:
                source = await self._deals()
                async for line in self.server.reviews.lines(self.key, source, deal, self.lang, self.names):
                    begun = True
                    yield f"{line}\n"
            except ValueError as wrong:
                raise self._told(wrong) from None
            except shelf.BrokenOff:
                said = "The review has broken off; ask for it again."
                if not begun:
                    raise HTTPException(503, said) from None
                yield f"{Trouble(detail=Speech(self.lang).say(said)).model_dump_json(exclude_none=True)}\n"

    async def _deals(self) -> shelf.Source:
        return self.source if isinstance(self.source, str) else await self.server.beside(self.source)

    def _told(self, wrong: Exception) -> HTTPException:
        said = Speech(self.lang, self.names).say(str(wrong.args[0] if wrong.args else wrong))
        return HTTPException(404 if isinstance(wrong, shelf.NoDeal) else 409, said)


async def _of_table(
    request: Request, server: ServerHere, table: TableHere, deal: DealNumber, lang: Lang = "en"
) -> None:
    played, names = table.played(deal), table.names
    if played is None:
        why = say("there is no deal {n}: they run from 1 to {n2}", deal, len(table.over))
        raise HTTPException(404, Speech(lang, names).say(why))
    request.state.looked = Looked(server, table.id, played, names, lang, network_of(address_of(request)))


async def _of_record(request: Request, server: ServerHere, record: RecordId, lang: Lang = "en") -> None:
    source = await server.store.record(record)
    if source is None:
        raise HTTPException(404, Speech(lang).say("there is no such record here"))
    names = tuple(Speech(lang).say(say("{seat}", seat)) for seat in range(MOST))
    request.state.looked = Looked(server, record, source, names, lang, network_of(address_of(request)))


async def _looked(request: Request) -> Looked:
    return getattr(request.state, "looked", None)  # pyright: ignore[reportReturnType]  # a bad request gets no further


Here = Annotated[Looked, Depends(_looked)]


# -- the five addresses of a deal, the same for a table and for a record

deals = APIRouter(prefix="/deals/{deal}", responses=documented(404, 409))


@deals.get("")
async def deal(here: Here, deal: DealNumber) -> Replay:
    """A finished deal, step by step."""
    return await here.ask(shelf.replay_of, deal, here.lang, here.names)


@deals.get("/record", responses=RECORD, response_class=PlainTextResponse)
async def record(here: Here, deal: DealNumber) -> PlainTextResponse:
    """The record of a deal, as text."""
    return PlainTextResponse(await here.ask(shelf.record_of, deal), headers=_saved(f"deal-{deal}"))


@deals.get("/drawn")
async def drawn(here: Here, deal: DealNumber) -> Drawn:
    """What a finished deal was drawn from, so that anybody can check it."""
    return await here.ask(shelf.drawn_of, deal)


@deals.get("/review", responses=LINES, response_class=StreamingResponse)
async def review(here: Here, deal: DealNumber) -> StreamingResponse:
    """What each act of a deal cost, a line of JSON each."""
    lines = here.review(deal)
    first = await anext(lines, "")
    return _Lines(_and_then(first, lines), media_type="application/x-ndjson")


@deals.get("/belief")
async def belief(
    here: Here,
    deal: DealNumber,
    seat: Annotated[AnySeat, Query(description="the seat")],
    step: Annotated[int, Query(ge=0, le=10_000, description="after so many acts")],
) -> BeliefShown:
    """What a seat could believe after so many acts."""
    return await here.ask(shelf.belief_of, deal, seat, step, here.lang, here.names)


async def _and_then(first: str, rest: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    try:
        yield first
        async for line in rest:
            yield line
    finally:
        await rest.aclose()


class _Lines(StreamingResponse):
    """A stream that is ended when nobody reads it any more, not when somebody sweeps up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lines: Any = self.body_iterator
        try:
            await super().__call__(scope, receive, send)
        finally:
            await lines.aclose()


def _saved(name: str) -> dict[str, str]:
    """Lets a browser offer to keep it as a file."""
    return {"content-disposition": f'inline; filename="{name}.txt"'}


# -- whole records

router = APIRouter(prefix="/api", tags=["looking back"])
router.include_router(deals, prefix="/tables/{table}", dependencies=[Depends(_of_table)])
router.include_router(deals, prefix="/records/{record}", dependencies=[Depends(_of_record)])


@router.get("/tables/{table}/record", responses=documented(404) | RECORD, response_class=PlainTextResponse)
async def whole_record(request: Request, server: ServerHere, table: TableHere, lang: Lang = "en") -> PlainTextResponse:
    """The record of all finished deals; where a game was won and another begun, one after the other."""
    over = table.over
    if not over:
        raise HTTPException(404, Speech(lang).say("no deal is finished yet"))
    async with server.queue.turn(("look", network_of(address_of(request)))):
        text = await server.beside(lambda: "\n".join(map(str, games_of(table.game, over))))
    return PlainTextResponse(text, headers=_saved(f"table-{table.id}"))


@router.post("/records", responses=documented(413))
async def paste(pasted: Pasted, request: Request, server: ServerHere, lang: Lang = "en") -> Recognised:
    """A pasted record is kept to be looked at; a SPOJ file or protocol lines are answered."""
    asker = network_of(address_of(request))
    if not server.pastes.allows(asker):
        raise HTTPException(429, "That is too much at once; wait a little.")
    if UNPRINTED.search(pasted.text):
        raise HTTPException(422, "That is no text: there are characters in it that cannot be printed.")
    async with server.queue.turn(("look", asker)):
        found = await server.ask(Asker(server.network(request)), "paste", recognise, pasted.text)
    if found.kind != "record":
        return found
    limits = server.settings.limits
    try:
        kept = await server.store.put_record(
            pasted.text, server.network(request), Quota(limits.pasted, limits.all_pasted)
        )
    except QuotaReached as full:
        raise HTTPException(429, "No more records are kept here." if full.of_all else PASTED_ENOUGH) from None
    return found.model_copy(update={"record": kept})
