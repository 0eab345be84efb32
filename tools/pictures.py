"""Take the pictures of the page for the docs: a server of our own, a real chromium, and deals that are always the same.

.venv/bin/python tools/pictures.py [NAME ...]            writes docs/pictures/*.png
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # how to play through the page is known there

from e2e.clients import Server  # noqa: E402
from e2e.pages import PHONE, WIDE, Json, Mouse, Player, Screen, bold, chromium, dimmed, named_first, window  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
SEED = 1
TALL = (1280, 880)  # where the rule stands open above the hand
MOST = 200_000  # bytes
CHOOSE = """(chosen) => {
  const kept = JSON.parse(localStorage.getItem("renege.prefs") ?? "{}");
  localStorage.setItem("renege.prefs", JSON.stringify({...kept, ...chosen}));
}"""


def follow(state: Json) -> bool:
    """In the second trick or later, with two cards or more on the table."""
    trick = state["trick"]
    return state["phase"] == "play" and state["last_trick"] and trick is not None and len(trick["plays"]) >= 2


def lead(state: Json) -> bool:
    return state["phase"] == "play" and not (state["trick"] and state["trick"]["plays"])


def sensible(state: Json) -> str:
    """Of trumps in Texas 42 those that the hand has most of; else what a bold player says."""
    trumps = [call["what"] for call in state["calls"] if re.fullmatch(r"trump \d", call["what"])]
    tiles = " ".join(held["card"] for held in state["hand"])
    return max(trumps, key=lambda call: tiles.count(call[-1]), default="") or bold(state)


def player(screen: Screen, game: str) -> Player:
    return Player(screen.make(game, name="Ada"), Mouse(screen), sensible)


# -- what is in the pictures


def lobby(screen: Screen) -> None:
    screen.open("/").get("play-texas42").wait_for()


def texas42(screen: Screen) -> None:
    player(screen, "texas42").until(lambda state: follow(state) and len(state["hand"]) > 4)
    screen.trick_shown()


def tractor(screen: Screen) -> None:
    """A throw is being thought about, of which one part is safe and another is not."""
    best: list[str] = []

    def throw(state: Json) -> bool:
        best[:] = safest(screen) if lead(state) and not state["choose"] else []
        return bool(best)

    player(screen, "tractor").until(throw)
    for card in best:
        held = next(one for one in screen.hand() if one["card"] == card and one["raised"] != "true")
        Mouse(screen).raises(held["key"], alone=True)
    screen.get("unit").nth(1).wait_for()


def safest(screen: Screen) -> list[str]:
    """The top of a suit as a throw, with a pair in it and something that is safe; nothing where no suit has it."""
    suits: dict[str, list[str]] = {}
    for told in screen.state["hand"]:
        suits.setdefault(told["suit"], []).append(told["card"])
    for cards in suits.values():
        for most in (5, 4, 3):
            what = " ".join(cards[:most])
            url = f"{screen.address}/api/tables/{screen.state['table']}/seats/0/check"
            units = screen.context.request.post(url, data={"what": what}).json()["units"]
            kinds = {unit["kind"] for unit in units}
            if len({unit["safe"] for unit in units}) == 2 and kinds & {"pair", "run"} and len(units) <= 3:
                return cards[:most]
    return []


def schafkopf(screen: Screen) -> None:
    player(screen, "schafkopf").until(follow)
    screen.trick_shown()


def refusal(screen: Screen) -> None:
    player(screen, "schafkopf").until(lambda state: dimmed(state) and follow(state))
    screen.trick_shown()
    wrong = next(held for held in screen.hand() if held["playable"] == "false")
    Mouse(screen).raises(wrong["key"])
    screen.heard_after(Mouse(screen).plays)
    screen.get("rule").click()


def hint(screen: Screen) -> None:
    """Somebody may play several tiles."""
    several = player(screen, "texas42")
    several.until(lambda state: follow(state) and sum(held["playable"] for held in state["hand"]) > 2)
    screen.trick_shown()
    screen.get("tool-hint").click()
    screen.get("hint-more").click()
    screen.get("odds").wait_for()


def belief(screen: Screen) -> None:
    player(screen, "schafkopf").until(lambda state: follow(state) and len(state["hand"]) < 6)
    screen.trick_shown()
    screen.get("tool-belief").click()
    screen.get("heat").wait_for()
    zero = screen.page.locator('[data-testid^="odds-"]').filter(has_text="impossible").first
    zero.hover()


def review(screen: Screen) -> None:
    over = player(screen, "texas42").deal()
    screen.open(f"/t/{over['table']}/1/5").get("board").wait_for()
    screen.until(lambda: not screen.get("progress").count(), "the review does not end", seconds=120)
    screen.get("costs").get_by_role("button").first.click()


def settings(screen: Screen, **chosen: str) -> None:
    """Choose a language or a light, as somebody did who comes back."""
    screen.open("/").get("play-texas42").wait_for()
    screen.page.evaluate(CHOOSE, chosen)


def german(screen: Screen) -> None:
    settings(screen, language="de")
    refusal(screen)


def chinese(screen: Screen) -> None:
    settings(screen, language="zh")
    tractor(screen)


def dark(screen: Screen) -> None:
    settings(screen, theme="dark")
    player(screen, "tractor").until(follow)
    screen.trick_shown()


def friends(screen: Screen) -> None:
    """Two friends are being named, of whom one is chosen."""
    seats = ["me", *["simple"] * 5]
    several = Player(screen.make("tractor", name="Ada", preset="friends-six", seats=seats), Mouse(screen))
    state = several.until(lambda state: bool(state["compose"]))
    (card, _), _ = named_first(state["compose"])
    Mouse(screen).names(card, 2)
    screen.page.mouse.move(0, 0)


def eight(screen: Screen) -> None:
    """Somebody has joined, and seven have played."""
    seats = ["me", *["simple"] * 7]
    several = Player(screen.make("tractor", name="Ada", preset="friends-eight", seats=seats), Mouse(screen))

    def joined(state: Json) -> bool:
        trick = state["trick"]
        return any(one["seat"] for one in state["named"]) and trick is not None and len(trick["plays"]) == 7

    several.until(joined)
    screen.trick_shown()


PICTURES: dict[str, tuple[Callable[[Screen], None], tuple[int, int]]] = {
    "lobby": (lobby, WIDE),
    "texas42": (texas42, WIDE),
    "tractor": (tractor, WIDE),
    "schafkopf": (schafkopf, PHONE),
    "refusal": (refusal, TALL),
    "hint": (hint, WIDE),
    "belief": (belief, WIDE),
    "review": (review, WIDE),
    "german": (german, TALL),
    "chinese": (chinese, WIDE),
    "dark": (dark, WIDE),
    "friends": (friends, WIDE),
    "eight": (eight, PHONE),
}


def take(browser: Browser, name: str) -> None:
    """One picture, from a server that has dealt nothing yet."""
    arrange, size = PICTURES[name]
    with (
        tempfile.TemporaryDirectory() as data,
        Server(Path(data), seed=SEED) as server,
        window(browser, server.address, size) as screen,
    ):
        arrange(screen)
        screen.page.wait_for_timeout(300)
        shot = Image.open(io.BytesIO(screen.page.screenshot())).convert("RGB")
    path = FOLDER / f"{name}.png"
    shot.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    length = path.stat().st_size
    print(f"wrote {path.relative_to(ROOT)}, {length // 1000} kB{' (large)' if length > MOST else ''}", flush=True)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    with chromium() as browser:
        for name in names or PICTURES:
            take(browser, name)


if __name__ == "__main__":
    main(sys.argv[1:])
