"""Recovery links: how somebody who lost the cookie becomes the same guest again, with all seats.

A link holds a signed secret of its own, made for one guest; it opens everything that the cookie opens, and no seat's
token or cookie can be made from it but by using it. It stands behind the # of its address, which browsers send to
nobody. The server keeps a digest, so that a link can be withdrawn; a new one withdraws the one before.
"""

import hashlib
import secrets

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from renege.server.http.errors import documented
from renege.server.http.state import Lang, ServerHere, set_guest
from renege.server.people import Recover, Recovery, RecoveryLink

router = APIRouter(prefix="/api/me", tags=["who one is"])

NOBODY = "This browser is not known here yet: sit down at a table first."
WITHDRAWN = "This recovery link is not valid, or was withdrawn."


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@router.get("/recovery", responses=documented())
async def recovery(request: Request, server: ServerHere, lang: Lang = "en") -> Recovery:
    """Is there a recovery link of this guest, and since when?"""
    guest = server.guest(request)
    kept = None if guest is None else await server.store.recovery(guest)
    return Recovery(guest=guest is not None, made=None if kept is None else kept.created)


@router.post("/recovery", status_code=201, responses=documented(409))
async def make_recovery(request: Request, server: ServerHere, lang: Lang = "en") -> RecoveryLink:
    """Make a recovery link; the one before no longer works. It is shown this once."""
    guest = server.guest(request)
    if guest is None:
        raise HTTPException(409, NOBODY)
    secret = secrets.token_urlsafe(24)
    await server.store.put_recovery(guest, _digest(secret))
    return RecoveryLink(link=f"{request.url_for('back')}#{server.guests.recovery(guest, secret)}")


@router.delete("/recovery", status_code=204, responses=documented())
async def withdraw_recovery(request: Request, server: ServerHere, lang: Lang = "en") -> None:
    """Withdraw the recovery link. Browsers that have used it stay who they are."""
    guest = server.guest(request)
    if guest is not None:
        await server.store.drop_recovery(guest)


@router.post("/recover", status_code=204, responses=documented(413))
async def recover(wanted: Recover, request: Request, response: Response, server: ServerHere, lang: Lang = "en") -> None:
    """Become the guest for whom a recovery link was made."""
    guest, secret = server.guests.recovered(wanted.secret) or ("", "")
    kept = await server.store.recovery(guest) if guest else None
    if kept is None or not secrets.compare_digest(kept.digest, _digest(secret)):
        raise HTTPException(403, WITHDRAWN)
    set_guest(request, response, server, guest)
