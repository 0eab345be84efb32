"""The built page: one `index.html` for all its addresses, and the files it loads."""

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parents[1] / "static"
TABLE = "/t/{table}"  # also the link by which others join
BACK = "/back"  # where a recovery link leads
ADDRESSES = (
    "/", "/paste", BACK, TABLE, "/t/{table}/{deal}", "/t/{table}/{deal}/{step}", "/r/{record}/{deal}",
    "/r/{record}/{deal}/{step}",
)  # fmt: skip
NAMES = {TABLE: "page", BACK: "back"}  # of those that the server links to
UNBUILT = "The page is not built yet: run `make web`, then load this again.\n"


def lost_page(request: Request) -> Response | None:
    """The page, which says itself that it has no such address; None for whoever does not read pages."""
    reads = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    index: Path = request.app.state.page / "index.html"
    if not reads or request.url.path.startswith("/api/") or not index.is_file():
        return None
    return FileResponse(index, 404, {"cache-control": "no-cache"})


def add_pages(app: FastAPI, folder: Path = STATIC) -> None:
    """Serve the page at its addresses. Files keep their names when they change, so a browser asks each time."""
    app.state.page = folder
    files = StaticFiles(directory=folder, check_dir=False)

    async def page(request: Request) -> Response:
        if not (folder / "index.html").is_file():
            return PlainTextResponse(UNBUILT, status_code=404)
        name = request.scope["path"].removeprefix("/") if "file" in request.path_params else "index.html"
        response = await files.get_response(name, request.scope)
        response.headers["cache-control"] = "no-cache"
        return response

    for address in (*ADDRESSES, "/assets/{file:path}", "/{file}"):  # beside the page: the icon, the licences
        app.add_route(address, page, name=NAMES.get(address), include_in_schema=False)
