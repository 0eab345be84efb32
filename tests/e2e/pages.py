"""The page in a real browser: how it is opened, what it is listened to for, and how a deal is played through it.

A `Screen` is one person's browser window. It keeps every frame and answer that came, and whatever went wrong: a page
that complains in its console, or asks another host than its own for something, has a fault. `Mouse` and `Keys` are two
ways to do the same things; whoever plays by `Keys` never touches the mouse.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    WebSocket,
    WebSocketRoute,
    sync_playwright,
)

Json = dict[str, Any]
GAMES = ("texas42", "tractor", "schafkopf")
CARD = re.compile(r"\b(?:[SHDCEG][2-9TJQKAZUO]|LJ|BJ|[0-6]-[0-6])\b")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = dict(zip("23456789TJQKA", NUMBERS, strict=True))
FRENCH = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
GERMAN = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
COURT = {**RANKS, "Z": "ten", "O": "Ober", "U": "Unter"}
WIDE = (1280, 800)
PHONE = (390, 844)
PATIENCE = 30.0  # seconds, on a busy machine
ARGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-quic",
)  # fmt: skip
LOST = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "WebSocket connection to")


def find_chromium() -> str | None:
    """The chromium of this machine."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for as long as the block lasts; without one the tests are left out, but not where CI asks for them."""
    path = find_chromium()
    if path is None:
        told = "no chromium, chromium-browser or google-chrome is installed"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGS))
        try:
            yield browser
        finally:
            browser.close()


# what can be moved sideways; a region that can be reached by key may be, for the sake of long lines
SIDEWAYS = """() => [...document.querySelectorAll("html, body *")].filter((one) => {
  if (one.scrollWidth <= one.clientWidth + 1 || one.matches('[role="region"][tabindex="0"]')) return false;
  return one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX);
}).map((one) => one.outerHTML.slice(0, 120))"""


# whoever is tested here says everything himself, also where he could only pass
SAYS_ALL = """
const kept = JSON.parse(localStorage.getItem("renege.prefs") ?? "{}");
localStorage.setItem("renege.prefs", JSON.stringify({passes: false, ...kept}));
"""

# -- a window


@dataclass
class Screen:
    """One person's browser, with one page."""

    context: BrowserContext
    page: Page
    address: str
    frames: list[str] = field(default_factory=list)  # all that came over WebSockets, as it came
    questions: list[str] = field(default_factory=list)  # what was asked over HTTP
    answers: list[Response] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    forgiven: tuple[str, ...] = ()  # what the console may say, where a test makes something go wrong
    state: Json = field(default_factory=dict)  # what the table last said
    refusals: list[Json] = field(default_factory=list)

    def listen(self) -> "Screen":
        self.context.on("request", self._asked)
        self.context.on("response", lambda answer: self.answers.append(answer))
        self.context.on("console", self._complained)
        self.context.on("weberror", lambda wrong: self.troubles.append(f"page error: {wrong.error}"))
        self.page.on("websocket", self._connected)
        return self

    def _asked(self, request: Request) -> None:
        self.questions.append(request.url)
        if not request.url.startswith((self.address, "data:", f"blob:{self.address}")):
            self.troubles.append(f"another host: {request.url}")

    def _complained(self, message: ConsoleMessage) -> None:
        forgiven = any(word in message.text for word in self.forgiven)
        if message.type in ("error", "warning") and not forgiven:
            self.troubles.append(f"console: {message.text}")

    def _connected(self, socket: WebSocket) -> None:
        if not socket.url.startswith(self.address.replace("http", "ws", 1)):
            self.troubles.append(f"another host: {socket.url}")
        socket.on("framereceived", lambda text: self._heard(str(text)))

    def _heard(self, text: str) -> None:
        self.frames.append(text)
        frame = json.loads(text)
        if frame["type"] == "moved":
            self.state = frame["state"]
        elif frame["type"] == "refused":
            self.refusals.append(frame["why"])

    def change(self, rewrite: Callable[[Json], None]) -> None:
        """From now on what the table says is rewritten on its way to the page: a layout wants plays that are rare."""

        def relay(page: WebSocketRoute) -> None:
            def pass_on(text: str | bytes) -> None:
                frame = json.loads(text)
                if frame["type"] == "moved":
                    rewrite(frame["state"])
                said = json.dumps(frame)
                self._heard(said)
                page.send(said)

            page.connect_to_server().on_message(pass_on)

        self.page.route_web_socket("**/ws?*", relay)

    # -- where to go

    def get(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def open(self, path: str = "/") -> "Screen":
        self.page.goto(self.address + path)
        return self

    def make(self, game: str, **more: Any) -> "Screen":
        """Makes a table with three bots that do not dawdle, and sits down at it."""
        made = self.context.request.post(f"{self.address}/api/tables", data={"game": game, "pace": 0, **more})
        assert made.status == 201, made.text()
        self.state = {}
        self.open(f"/t/{made.json()['table']}")
        self.until(lambda: bool(self.state), "the table says nothing")
        return self

    def resize(self, size: tuple[int, int]) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    # -- what to wait for

    def until(self, done: Callable[[], bool], otherwise: str, seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"{otherwise}; troubles: {self.troubles}"
            self.page.wait_for_timeout(15)  # the browser is heard meanwhile

    def settle(self) -> None:
        """Until the page shows what it has heard."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    @property
    def ended(self) -> bool:
        return self.state.get("result") is not None

    def my_turn(self) -> Json:
        """The table as it is when this seat is to act, or the deal is over."""
        self.until(lambda: bool(self.state) and (self.state["asked"] or self.ended), "it is never this seat's turn")
        self.settle()
        if not self.ended:
            self.page.locator(f'[data-seat="{self.state["me"]}"][data-turn="true"]').wait_for()
        return self.state

    def heard_after(self, act: Callable[[], None]) -> bool:
        """Does something and waits for the answer: was it done? False where it was refused."""
        number, refused = self.state["number"], len(self.refusals)
        act()
        self.until(lambda: self.state["number"] > number or len(self.refusals) > refused, "no answer came")
        self.settle()
        return len(self.refusals) == refused

    # -- what is seen

    def hand(self) -> list[Json]:
        """The cards of the hand as the page shows them."""
        script = "(all) => all.map((one) => ({...one.dataset, name: one.ariaLabel, tab: one.tabIndex}))"
        return self.page.locator('[data-testid="hand"] button[data-card]').evaluate_all(script)

    def raised(self) -> list[str]:
        return [held["card"] for held in self.hand() if held["raised"] == "true"]

    def on_table(self) -> dict[int, list[str]]:
        """The trick that lies there, by seat."""
        script = """(all) => all.map((one) => [Number(one.dataset.seatPlayed),
            [...one.querySelectorAll('[data-card]')].map((card) => card.dataset.card)])"""
        return dict(self.page.locator('[data-testid="trick"] [data-seat-played]').evaluate_all(script))

    def trick_shown(self) -> dict[int, list[str]]:
        """The trick that lies there, once the page shows that one: a full trick stays for a moment."""
        plays = (self.state["trick"] or {"plays": []})["plays"]
        wanted = {play["seat"]: play["cards"] for play in plays}
        self.until(lambda: self.on_table() == wanted, f"the page shows another trick than {wanted}")
        return wanted

    def no_sideways(self) -> bool:
        """Does the page fit, so that nothing has to be moved sideways, neither the page nor a panel of it?"""
        return not self.page.evaluate(SIDEWAYS)

    def check(self) -> None:
        assert not self.troubles, self.troubles


@contextmanager
def window(browser: Browser, address: str, size: tuple[int, int] = WIDE, **more: Any) -> Iterator[Screen]:
    """A browser of somebody new. What went wrong in it fails the test in the end."""
    more = {"reduced_motion": "reduce", "locale": "en-GB", **more}
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
    context.set_default_timeout(1000 * PATIENCE)
    context.add_init_script(SAYS_ALL)
    screen = Screen(context, context.new_page(), address).listen()
    try:
        yield screen
        screen.check()
    finally:
        context.close()


# -- two ways to do things


class Fingers(Protocol):
    """How a person does things."""

    def raises(self, key: str, alone: bool = False) -> None:
        """Raise or lower a card."""

    def says(self, what: str) -> None:
        """Make a call."""

    def names(self, card: str, nth: int) -> None:
        """Choose which copy of a card a call names."""

    def presses(self, name: str) -> None:
        """Press a button."""

    def plays(self) -> None:
        """Play, or give, what is raised."""


@dataclass
class Mouse:
    screen: Screen

    def raises(self, key: str, alone: bool = False) -> None:
        card = self.screen.page.locator(f'[data-key="{key}"]')
        # a dimmed card can be clicked, though it says that it is disabled
        card.click(modifiers=["Shift"] if alone else [], force=card.get_attribute("aria-disabled") == "true")

    def says(self, what: str) -> None:
        self.screen.page.locator(f'[data-call="{what}"]').click()

    def names(self, card: str, nth: int) -> None:
        page, suit = self.screen.page, "" if card in ("LJ", "BJ") else card[0]
        page.locator(f'label:has([data-naming-suit="{suit}"])').click()
        page.locator(f'label:has([data-naming-card="{card}"])').click()
        page.locator(f'[data-naming-nth="{nth}"]').click()

    def presses(self, name: str) -> None:
        self.screen.get(name).click()

    def plays(self) -> None:
        self.presses("confirm" if self.screen.state["choose"] or self.screen.state["compose"] else "play")


@dataclass
class Keys:
    """Tab, arrows, Space and Enter; `pressed` counts them."""

    screen: Screen
    pressed: int = 0

    def press(self, key: str) -> None:
        self.screen.page.keyboard.press(key)
        self.pressed += 1

    def focused(self, selector: str) -> bool:
        return self.screen.page.evaluate("(wanted) => document.activeElement?.matches(wanted) ?? false", selector)

    def tabs_to(self, selector: str) -> None:
        """Tab until something is reached."""
        for _ in range(90):
            if self.focused(selector):
                return
            self.press("Tab")
        raise AssertionError(f"the Tab key never reaches {selector}")

    def walks_to(self, selector: str, place: str) -> None:
        """Tab to a group, then arrows within it."""
        self.tabs_to(f"{place}, {selector}")
        for key in ("Home", *["ArrowRight"] * 60):
            if self.focused(selector):
                return
            self.press(key)
        raise AssertionError(f"the arrow keys never reach {selector}")

    def raises(self, key: str, alone: bool = False) -> None:
        self.walks_to(f'[data-key="{key}"]', '[data-testid="hand"] button')
        self.press("Shift+Space" if alone else "Space")

    def says(self, what: str) -> None:
        self.walks_to(f'[data-call="{what}"]', '[data-testid="calls"] button')
        self.press("Enter")

    def names(self, card: str, nth: int) -> None:
        suit = "" if card in ("LJ", "BJ") else card[0]
        self.turns_to(f'[data-naming-suit="{suit}"]', "[data-naming-suit]:checked")
        self.turns_to(f'[data-naming-card="{card}"]', "[data-naming-card]:checked")
        self.tabs_to(f'[data-naming-nth="{nth}"]')
        self.press("Enter")

    def turns_to(self, selector: str, place: str) -> None:
        """Tab to a choice that is made, then arrows until another is."""
        self.tabs_to(place)
        for _ in range(30):
            if self.focused(f"{selector}:checked"):
                return
            self.press("ArrowRight")
        raise AssertionError(f"the arrow keys never reach {selector}")

    def presses(self, name: str) -> None:
        self.tabs_to(f'[data-testid="{name}"]')
        self.press("Enter")

    def plays(self) -> None:
        """Enter plays what is raised, from wherever it was raised."""
        if not self.focused('[data-testid="hand"] button'):
            self.tabs_to('[data-testid="hand"] button')
        self.press("Enter")


# -- playing


def bold(state: Json) -> str:
    """What somebody says who likes to play: names trumps, bids a little, calls an ace."""
    calls = [call["what"] for call in state["calls"]]
    wanted = ("show ", "30", "trump ", "rufspiel")
    return next((call for start in wanted for call in calls if call.startswith(start)), meek(state))


def meek(state: Json) -> str:
    """What somebody says who would rather not."""
    calls = [call["what"] for call in state["calls"]]
    return next((call for call in calls if call in ("pass", "no")), calls[0])


@dataclass
class Player:
    """Somebody who plays a deal through the page, simply but lawfully."""

    screen: Screen
    fingers: Fingers
    say: Callable[[Json], str] = bold
    buried: bool = False
    refused: int = 0

    def deal(self) -> Json:
        """To the end of the deal; how it stands then."""
        while not self.screen.my_turn()["result"]:
            self.act()
        self.screen.get("result").wait_for()
        return self.screen.state

    def until(self, there: Callable[[Json], bool]) -> Json:
        """Play on until something is so, deal after deal."""
        for _ in range(200):
            state = self.screen.my_turn()
            if state["result"]:
                assert state["phase"] == "over", "the game was won before it came to that"
                self.screen.get("next").wait_for()
                self.screen.heard_after(lambda: self.fingers.presses("next"))
            elif there(state):
                return state
            else:
                self.act()
        raise AssertionError("it never came to that")

    def act(self) -> None:
        """One call or play."""
        state = self.screen.my_turn()
        if state["choose"]:
            self.gives(state)
        elif state["compose"]:
            self.names(state)
        elif state["phase"] == "talk":
            what = self.say(state)
            assert self.screen.heard_after(lambda: self.fingers.says(what)), self.screen.refusals[-1]
        else:
            self.plays(state)

    def gives(self, state: Json) -> None:
        """Bury or hand over the last cards of the hand."""
        for held in self.screen.hand()[-state["choose"]["count"] :]:
            self.fingers.raises(held["key"])
        assert self.screen.heard_after(self.fingers.plays), self.screen.refusals[-1]
        self.buried = True

    def names(self, state: Json) -> None:
        """Name what is asked for: the highest card of each suit that may be named, its first copy, and so on round."""
        for card, nth in named_first(state["compose"]):
            self.fingers.names(card, nth)
        assert self.screen.heard_after(lambda: self.fingers.presses("confirm")), self.screen.refusals[-1]

    def plays(self, state: Json) -> None:
        """A card that is not dimmed; where more are owed, others with it, and what would do where they will not."""
        self.choose(state)
        if not self.screen.heard_after(self.fingers.plays):
            self.refused += 1
            self.fingers.presses("instead")
            assert self.screen.heard_after(self.fingers.plays), self.screen.refusals[-1]

    def choose(self, state: Json) -> None:
        led = state["trick"]["plays"] if state["trick"] else []
        count = len(led[0]["cards"]) if led else 1
        ranked = sorted(self.screen.hand(), key=lambda held: held["playable"] != "true")
        for place, held in enumerate(ranked):
            raised = {one["key"] for one in self.screen.hand() if one["raised"] == "true"}
            if len(raised) >= count:
                return
            if held["key"] not in raised:
                self.fingers.raises(held["key"], alone=place > 0)


def named_first(compose: Json) -> list[tuple[str, int]]:
    """Parts of a call that names cards: the highest of each suit, first copies before second ones."""
    highest = list({card[0]: card for card in compose["cards"]}.values())
    ways = [(card, nth + 1) for nth in range(compose["copies"]) for card in highest]
    return ways[: compose["count"]]


def dimmed(state: Json) -> bool:
    """Is one card to be answered, by a hand with others that cannot be played?"""
    led = state["trick"]["plays"][:1] if state["phase"] == "play" and state["trick"] else []
    return bool(led and len(led[0]["cards"]) == 1) and not all(held["playable"] for held in state["hand"])


def like(text: str) -> re.Pattern[str]:
    """A text of the server as the page may show or say it: its cards by signs or by names."""
    parts = [re.escape(part) for part in CARD.split(text)]
    return re.compile(r"\s*" + "[^.]{1,24}?".join(parts) + r"\s*", re.IGNORECASE)


def name_of(card: str, game: str) -> str:
    """A card as one says it."""
    if game == "texas42":
        high, _, low = card.partition("-")
        return f"double {high}" if high == low else card
    if card in ("LJ", "BJ"):
        return "little joker" if card == "LJ" else "big joker"
    suit, rank = card
    return f"{GERMAN[suit]} {COURT[rank]}" if game == "schafkopf" else f"{RANKS[rank]} of {FRENCH[suit]}"


# -- what is written


TEXTS = """
() => {
  const found = [document.title];
  const skip = "script, style, option, [lang]:not(html), [aria-live]"; // what was said before is past
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const place = node instanceof Element ? node : node.parentElement;
    if (!place || place.closest(skip) || !place.checkVisibility({visibilityProperty: true})) continue;
    if (node instanceof Text) found.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
  }
  for (const option of document.querySelectorAll("option:not([lang])")) found.push(option.textContent);
  return [...new Set(found.map((text) => text.replace(/\\s+/g, " ").trim()).filter((text) => /\\p{L}/u.test(text)))];
}
"""


def texts(screen: Screen) -> set[str]:
    """All that is written on the page or said of it, for eyes and ears."""
    return set(screen.page.evaluate(TEXTS))
