"""Every page and panel for everybody: axe finds nothing serious, in light and dark, on a phone and at a desk.

On a phone nothing has to be moved sideways. What the windows hear besides is checked everywhere: no complaint in the
console, and nothing asked of any host but the server.
"""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from e2e.pages import GAMES, PHONE, SIDEWAYS, WIDE, Json, Mouse, Player, Screen, dimmed, named_first, texts
from support.steering import SOAK

Window = Callable[..., Screen]
Light = Literal["light", "dark"]
DATA = Path(__file__).parents[1] / "data"
SERIOUS = ("serious", "critical")
AXE = Axe()
TURNS = count()


def violations(screen: Screen) -> Iterator[str]:
    """What axe holds against the page as it is."""
    for found in AXE.run(screen.page).response["violations"]:
        if found["impact"] in SERIOUS:
            places = [f"{place['target']}: {place['failureSummary']}" for place in found["nodes"][:3]]
            yield f"{found['id']} ({found['impact']}): {found['help']} {places}"


def look_over(screen: Screen, what: str) -> None:
    """The page as it is now: each size and each light once, changing about; all four pairs where it may take long."""
    lights: list[Light] = ["light", "dark"] if next(TURNS) % 2 else ["dark", "light"]
    pairs = [(WIDE, lights[0]), (PHONE, lights[1])]
    pairs += [(WIDE, lights[1]), (PHONE, lights[0])] if SOAK > 1 else []
    faults: list[str] = []
    for size, light in pairs:
        screen.resize(size)
        # with less motion colours change by tiny transitions, one level of the page after the other
        screen.page.emulate_media(color_scheme=light, reduced_motion="no-preference")
        screen.page.wait_for_timeout(120)
        faults += [f"{what}, {size[0]}, {light}: {fault}" for fault in violations(screen)]
        if size == PHONE and not screen.no_sideways():
            faults.append(f"{what}: wider than a phone: {screen.page.evaluate(SIDEWAYS)}")
    screen.resize(WIDE)
    screen.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert not faults, "\n".join(faults)


def test_lobby_form_and_paste(screen: Screen) -> None:
    screen.open("/").get("play-texas42").wait_for()
    look_over(screen, "lobby")
    for game in GAMES:
        screen.get(f"more-{game}").click()
        screen.get("all-rules").locator("summary").first.click()
        screen.get("all-rules").locator("details summary").first.click()
        look_over(screen, f"form of {game}")
    screen.make("schafkopf")
    screen.open("/").get("my-tables").wait_for()
    look_over(screen, "lobby with tables")

    screen.get("to-paste").click()
    lines = (DATA / "answers" / "texas42_ask.jsonl").read_text("utf-8").splitlines()[1:4]
    screen.get("paste-text").fill("\n".join(re.sub(r'^\{"q": (.*), "a": .*$', r"\1", line) for line in lines))
    screen.get("paste-send").click()
    screen.get("answers").wait_for()
    look_over(screen, "paste")
    screen.forgiven = ("status of 4",)
    screen.get("paste-text").fill("once upon a time")
    screen.get("paste-send").click()
    screen.get("trouble").wait_for()
    look_over(screen, "paste, refused")


def test_joining_and_watching(screens: Window) -> None:
    host, friend, watcher = screens(), screens(), screens()
    host.make("tractor", seats=["me", "simple", "open", "simple"])
    expect(host.get("waiting")).to_be_visible()
    look_over(host, "waiting")
    path = f"/t/{host.state['table']}"
    friend.open(path)
    sit = friend.page.locator('[data-testid="take-2"], [data-seat="2"] [data-testid="sit"]').first
    sit.wait_for()
    look_over(friend, "join")
    sit.click()
    friend.get("hand").wait_for()
    watcher.open(path)
    watcher.page.locator('[data-testid="watch"], [data-testid="contract"]').first.wait_for()
    look_over(watcher, "join, nothing free but bots")
    if watcher.get("watch").count():
        watcher.get("watch").click()
    watcher.get("contract").wait_for()
    look_over(watcher, "watching")


@pytest.mark.parametrize("game", GAMES)
def test_the_table(screen: Screen, game: str) -> None:
    mouse = Mouse(screen)
    player = Player(screen.make(game), mouse)
    screen.my_turn()
    look_over(screen, f"{game}: talk")

    def later(state: Json) -> bool:
        return dimmed(state) and bool(state["last_trick"])

    player.until(later)
    screen.trick_shown()
    look_over(screen, f"{game}: play")
    wrong = next(held for held in screen.hand() if held["playable"] == "false")
    mouse.raises(wrong["key"], alone=True)
    screen.get("check").wait_for()
    look_over(screen, f"{game}: a card that is not allowed is raised")
    assert not screen.heard_after(mouse.plays)
    screen.get("rule").click()
    look_over(screen, f"{game}: refusal")
    mouse.presses("instead")

    mouse.presses("tool-hint")
    screen.get("hint-group").wait_for()
    look_over(screen, f"{game}: hint, first step")
    mouse.presses("hint-more")
    screen.get("hint-play").wait_for()
    look_over(screen, f"{game}: hint, second step")
    mouse.presses("hint-close")
    for name, shown in (("belief", "heat"), ("sheet", "sheet"), ("help", "help"), ("settings", "settings")):
        mouse.presses(f"tool-{name}")
        screen.get(shown).wait_for()
        look_over(screen, f"{game}: {name}")
    screen.page.keyboard.press("Escape")
    mouse.presses("tool-last")
    look_over(screen, f"{game}: last trick")
    screen.page.keyboard.press("Escape")
    player.deal()
    look_over(screen, f"{game}: result")


def test_finding_friends(screen: Screen) -> None:
    """The picker of friends, empty and full, and the table with six seats once they are named."""
    seats = ["me", *["simple"] * 5]
    player = Player(screen.make("tractor", preset="friends-six", seats=seats), Mouse(screen))
    state = player.until(lambda state: bool(state["compose"]))
    look_over(screen, "naming friends")
    for card, nth in named_first(state["compose"]):
        player.fingers.names(card, nth)
    look_over(screen, "friends chosen")
    assert screen.heard_after(player.fingers.plays)
    player.until(lambda state: bool(state["last_trick"]) and len(state["trick"]["plays"]) > 2)
    screen.trick_shown()
    look_over(screen, "six seats")


@pytest.mark.parametrize("name", ["tractor-1.txt", "texas42-30-trump-0.txt", "schafkopf-solo-G.txt"])
def test_the_review(screen: Screen, name: str) -> None:
    screen.open("/paste").get("paste-text").fill((DATA / "golden" / name).read_text("utf-8"))
    screen.get("paste-send").click()
    screen.get("board").wait_for()
    for _ in range(9):
        screen.page.keyboard.press("ArrowDown")
    if not name.startswith("tractor"):
        screen.until(lambda: screen.get("costs").count() > 0 or bool(screen.troubles), "no costs are told", seconds=90)
    look_over(screen, f"review of {name}")
    screen.get("believed").locator("summary").first.click()
    screen.get("heat").wait_for()
    look_over(screen, f"review of {name} with beliefs")


@pytest.mark.parametrize("path", ["/t/nosuchtable", "/t/nosuchtable/nodeal", "/r/nosuchrecord/1/0"])
def test_an_address_that_leads_nowhere_says_so(screen: Screen, path: str) -> None:
    screen.forgiven = ("status of 404",)
    screen.open(path)
    screen.until(lambda: bool(texts(screen)), "the page stays empty")
    screen.page.wait_for_timeout(300)
    assert screen.page.locator("body").inner_text().strip()
    look_over(screen, path)
