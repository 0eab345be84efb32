"""Tables over HTTP: making one, sitting down, what a seat is shown, and what it is taught."""

import io
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar

import segno
from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from renege.core.house_rules import write_rules
from renege.i18n import Speech
from renege.server.http.errors import documented
from renege.server.http.reach import public_address
from renege.server.http.state import (
    AnySeat,
    Asking,
    Lang,
    Mine,
    SeatNumber,
    ServerHere,
    ServerState,
    TableHere,
    Token,
    address_of,
    check_seat,
    set_guest,
)
from renege.server.messages import GameCard, Invitation, NewTable, Promise, Seated, Sit, State, TableCard, WantedPromise
from renege.server.people import AskForSeat
from renege.server.present import teach
from renege.server.present.house_rules import game_cards
from renege.server.present.state import plain, title_of
from renege.server.tables.registry import Table, find_rules
from renege.server.teaching import Asked, BeliefShown, Check, Hint
from renege.server.workers.pool import Lane
from renege.server.workers.shares import Asker

HINT_MS = 1200.0
HURRIED_MS = 400.0  # where others wait for a hint too
MOST_HINTS = 200  # kept for their second step

Answer = TypeVar("Answer")
SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}, "description": "The picture."}
}
router = APIRouter(prefix="/api")


@router.get("/games", responses=documented(), tags=["tables"])
async def games(lang: Lang = "en") -> list[GameCard]:
    """The games, their house rules and presets."""
    return list(game_cards(lang))


# -- tables


@router.post("/tables", status_code=201, responses=documented(409, 413), tags=["tables"])
async def make(new: NewTable, request: Request, response: Response, server: ServerHere, lang: Lang = "en") -> Seated:
    """Make a table and sit down. Who was never here becomes a guest, by a cookie."""
    if not server.makes.allows(address_of(request)):
        raise HTTPException(429, "That is too many tables at once; wait a little.")
    guest = server.guest(request) or server.guests.new()
    network = server.network(request)
    if await server.store.hardly_begun(network) >= server.settings.limits.unplayed:
        raise HTTPException(
            429, "Too many tables were begun from your address and left; play on at one, or delete some."
        )
    table, seat = await server.registry.make(new, guest, network)
    return _seated(request, response, server, table, seat, guest)


@router.post("/promises", status_code=201, responses=documented(409), tags=["tables"])
async def promise(wanted: WantedPromise, request: Request, server: ServerHere, lang: Lang = "en") -> Promise:
    """Commit to the first deal of a table that is about to be made, before its seats add to it."""
    if not server.makes.allows(address_of(request)):
        raise HTTPException(429, "That is too many tables at once; wait a little.")
    game = find_rules(wanted.game, wanted.preset, wanted.rules)
    return Promise(commitment=server.registry.chance.promise(game))


@router.get("/tables", responses=documented(), tags=["tables"])
async def tables(request: Request, server: ServerHere, lang: Lang = "en") -> list[TableCard]:
    """The tables where this guest sits, the one touched last first."""
    guest = server.guest(request)
    found = [] if guest is None else await server.registry.tables_of(guest)
    return [_card(table, guest, lang) for table in found]


@router.get("/tables/{table}", responses=documented(404), tags=["tables"])
async def table_card(request: Request, server: ServerHere, table: TableHere, lang: Lang = "en") -> TableCard:
    """Who sits where."""
    return _card(table, server.guest(request), lang)


@router.get("/tables/{table}/invitation", responses=documented(404), tags=["tables"])
async def invitation(request: Request, server: ServerHere, table: TableHere, lang: Lang = "en") -> Invitation:
    """The address that others open to join."""
    return Invitation(
        link=f"{public_address(server.settings, request)}/t/{table.id}",
        local=server.settings.is_local and not server.settings.origins,
    )


@router.get("/tables/{table}/invitation.svg", responses=documented(404) | SVG, response_class=Response, tags=["tables"])
async def invitation_code(request: Request, server: ServerHere, table: TableHere, lang: Lang = "en") -> Response:
    """The same address as a QR code."""
    code = segno.make(f"{public_address(server.settings, request)}/t/{table.id}", micro=False)
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, light="#fff")
    return Response(drawn.getvalue(), media_type="image/svg+xml")


@router.delete("/tables/{table}", status_code=204, responses=documented(404, 409), tags=["tables"])
async def delete(request: Request, server: ServerHere, table: TableHere, lang: Lang = "en") -> None:
    """Have a table no longer among one's own, standing up where one sits. It is deleted with the last who has it."""
    guest = server.guest(request)
    gone = None if guest is None else await server.registry.delete(table, guest)
    if gone is None:
        raise HTTPException(403, "That table is not yours.")
    if gone:
        request.app.state.connections.end_at(table)


@router.post("/tables/{table}/seats/{seat}", responses=documented(404, 409, 413), tags=["tables"])
async def sit(
    new: Sit,
    request: Request,
    response: Response,
    server: ServerHere,
    table: TableHere,
    seat: SeatNumber,
    lang: Lang = "en",
) -> Seated:
    """Sit down where the seat is open or a bot's; while a deal is played, only where one has sat in it."""
    guest = server.guest(request) or server.guests.new()
    await table.sit(seat, guest, new.name)
    return _seated(request, response, server, table, seat, guest)


@router.post("/tables/{table}/seats/{seat}/ask", status_code=202, responses=documented(404, 409, 413), tags=["tables"])
async def ask_for_seat(
    new: AskForSeat,
    request: Request,
    response: Response,
    server: ServerHere,
    table: TableHere,
    seat: SeatNumber,
    lang: Lang = "en",
) -> None:
    """Ask the people of a table for a seat in the middle of a deal; when all agree, it is this guest's."""
    guest = server.guest(request) or server.guests.new()
    await table.ask_for_seat(seat, guest, new.name)
    set_guest(request, response, server, guest)


@router.delete("/tables/{table}/seats/{seat}", status_code=204, responses=documented(404, 409), tags=["tables"])
async def stand(table: TableHere, seat: SeatNumber, guest: Mine, lang: Lang = "en") -> None:
    """Stand up; a bot goes on."""
    await table.leave(seat, guest)


@router.get("/tables/{table}/state", responses=documented(404), tags=["tables"])
async def state(
    request: Request,
    server: ServerHere,
    table: TableHere,
    seat: Annotated[AnySeat | None, Query(description="whose view; a spectator's without it")] = None,
    lang: Lang = "en",
    token: Token = None,
) -> State:
    """What a seat is shown; without a seat, what a spectator is."""
    if seat is not None:
        check_seat(table.game, seat)
    if seat is not None and server.opener(request, table, seat, token) is None:
        raise HTTPException(403, "That seat is not yours.")
    return await server.shown(table, seat, lang)


# -- teaching


@router.post("/tables/{table}/seats/{seat}/check", responses=documented(404, 409, 413), tags=["teaching"])
async def check(
    asked: Asked, server: ServerHere, table: TableHere, seat: SeatNumber, asker: Asking, lang: Lang = "en"
) -> Check:
    """What the arbiter would say of a call or play, without doing it."""
    return await _taught(Lesson(server, table, seat, asker, lang), "lesson", teach.check, asked.what)


@router.get("/tables/{table}/seats/{seat}/hint", responses=documented(404, 409), tags=["teaching"])
async def hint(
    server: ServerHere,
    table: TableHere,
    seat: SeatNumber,
    asker: Asking,
    step: Annotated[int, Query(ge=1, le=2, description="1 for the group alone, 2 for the play with its odds")] = 1,
    lang: Lang = "en",
) -> Hint:
    """What to do: first the group of cards or calls, then the play with its odds."""
    asked = (table.id, seat, table.number, lang, table.names)
    if asked not in server.hints:
        lesson, ms = Lesson(server, table, seat, asker, lang), HINT_MS if server.workers.is_free("hint") else HURRIED_MS
        server.hints[asked] = await _taught(lesson, "hint", teach.hints, ms, table.number)
        if len(server.hints) > MOST_HINTS:
            server.hints.popitem(last=False)
    return server.hints[asked][step - 1]


@router.get("/tables/{table}/seats/{seat}/belief", responses=documented(404, 409), tags=["teaching"])
async def belief(
    server: ServerHere, table: TableHere, seat: SeatNumber, asker: Asking, lang: Lang = "en"
) -> BeliefShown:
    """Where each unseen card may be, as far as the seat can know."""
    return await _taught(Lesson(server, table, seat, asker, lang), "lesson", teach.belief)


class Lesson(NamedTuple):
    """Where something is asked, by whom, and in which language."""

    server: ServerState
    table: Table
    seat: int
    asker: Asker
    lang: str


async def _taught(here: Lesson, lane: Lane, lesson: Callable[..., Answer], *arguments: Any) -> Answer:
    """A lesson from the seat's own view, in a worker, one at a time for each seat."""
    server, table, seat, asker, lang = here
    if table.deal is None:
        raise HTTPException(409, Speech(lang).say("the table waits for people"))
    async with server.queue.turn((table.id, seat)):
        names = table.names
        try:
            return await server.ask(asker, lane, lesson, table.view(seat), *arguments, lang, names)
        except ValueError as wrong:
            raise HTTPException(409, Speech(lang, names).say(plain(wrong))) from None


# -- what they share


def _seated(request: Request, response: Response, server: ServerState, table: Table, seat: int, guest: str) -> Seated:
    address = public_address(server.settings, request)
    set_guest(request, response, server, guest)
    token = server.guests.token(table.id, seat, guest)
    return Seated(table=table.id, seat=seat, token=token, link=f"{address}/t/{table.id}")


def _card(table: Table, guest: str | None, lang: str) -> TableCard:
    return TableCard(
        table=table.id,
        game=table.game.name,
        title=title_of(table.game, Speech(lang)),
        phase=table.phase,
        deal=table.deal_number,
        places=list(table.places),
        mine=[seat for seat in table.game.all_seats if guest is not None and table.owner(seat) == guest],
        rules=write_rules(table.game.rules),
    )
