"""Tables of five to eight seats on the page: everybody is seen, on a desk and on a phone, and deals are played out."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser

from e2e.clients import Server
from e2e.layout import look_round
from e2e.pages import PHONE, WIDE, Json, Mouse, Player, Screen, window


@pytest.fixture
def address(browser: Browser, tmp_path: Path, ring: ModuleType) -> Iterator[str]:
    """A server that knows the game."""
    with Server(tmp_path / "data", seed=42) as server:
        yield server.address


def full(state: Json) -> bool:
    """Does the trick want this seat's card alone?"""
    return bool(state["trick"]) and len(state["trick"]["plays"]) == len(state["seats"]) - 1


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_everybody_is_seen(browser: Browser, address: str, players: int, size: tuple[int, int], tmp_path: Path) -> None:
    with window(browser, address, size) as screen:
        seats = [*["simple"] * (players - 1), "me"]
        screen.make("ring", rules={"seats": str(players), "target": "1000"}, seats=seats)
        player = Player(screen, Mouse(screen))
        player.until(full)
        plays = screen.trick_shown()
        assert len(plays) == players - 1
        look_round(screen, players, size)
        screen.page.screenshot(path=tmp_path / "table.png")
        player.deal()
        screen.get("result").wait_for()
        assert screen.page.locator(".result dt").count() == players + 1  # the hands, and what was laid away
        assert screen.no_sideways()


def test_a_table_of_eight_is_made_in_the_lobby(browser: Browser, address: str) -> None:
    with window(browser, address) as screen:
        screen.open("/")
        screen.get("more-ring").click()
        screen.get("wish-ring").wait_for()
        assert screen.page.locator('[data-testid^="seat-"]').count() == 5
        screen.get("preset").select_option("eight")
        assert screen.page.locator('[data-testid^="seat-"]').count() == 8
        screen.get("seat-7").select_option("me")
        screen.get("make").click()
        screen.until(lambda: bool(screen.state), "the table says nothing")
        assert (screen.state["me"], len(screen.state["seats"])) == (7, 8)


def test_people_of_one_table_see_their_own_hands(browser: Browser, address: str) -> None:
    """Two people at a table of six, and one who watches."""
    with window(browser, address) as one, window(browser, address, PHONE) as other, window(browser, address) as third:
        seats = ["me", "simple", "open", "simple", "simple", "simple"]
        one.make("ring", rules={"seats": "6"}, seats=seats)
        path = one.page.url.removeprefix(address)
        other.open(path)
        other.page.locator('[data-seat="2"] [data-testid="sit"]').click()
        third.open(path)
        playing: list[tuple[Screen, Callable[[], None]]] = []
        for screen in (one, other):
            screen.until(lambda screen=screen: screen.state.get("me") is not None, "nobody sits there")
            playing.append((screen, Player(screen, Mouse(screen)).act))
        assert (one.state["me"], other.state["me"]) == (0, 2)
        while not (one.ended and other.ended):
            for screen, act in playing:
                if screen.state["asked"] and not screen.ended:
                    act()
            one.page.wait_for_timeout(15)
            other.page.wait_for_timeout(15)
        third.until(lambda: third.ended, "who watches does not see the end")
        assert [len(hand) for hand in third.state["result"]["hands"]] == [4] * 6
        assert one.state["result"]["gained"] == other.state["result"]["gained"]
