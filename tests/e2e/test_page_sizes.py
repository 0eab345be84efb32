"""Tables of five to eight seats on the page: everybody is seen, on a desk and on a phone, and deals are played out."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser

from e2e.clients import Server
from e2e.pages import PHONE, WIDE, Json, Mouse, Player, Screen, window

Boxes = dict[str, tuple[float, float, float, float]]
BOXES = """(all) => Object.fromEntries(all.map((one) => {
    const box = one.getBoundingClientRect();
    return [one.dataset.seat ?? one.dataset.seatPlayed, [box.left, box.top, box.right, box.bottom]];
}))"""


@pytest.fixture
def address(browser: Browser, tmp_path: Path, ring: ModuleType) -> Iterator[str]:
    """A server that knows the game."""
    with Server(tmp_path / "data", seed=42) as server:
        yield server.address


def boxes(screen: Screen, selector: str) -> Boxes:
    return screen.page.locator(selector).evaluate_all(BOXES)


def check_apart(found: Boxes) -> None:
    """No two lie over each other."""
    placed = list(found.items())
    for i, (one, (left, top, right, bottom)) in enumerate(placed):
        for other, (x, y, far, low) in placed[i + 1 :]:
            assert right <= x + 1 or far <= left + 1 or bottom <= y + 1 or low <= top + 1, (one, other)


def full(state: Json) -> bool:
    """Does the trick want this seat's card alone?"""
    return bool(state["trick"]) and len(state["trick"]["plays"]) == len(state["seats"]) - 1


def look_round(screen: Screen, players: int, size: tuple[int, int]) -> None:
    """Everybody is there, in the window, and nobody in another's place."""
    plates, plays = boxes(screen, "[data-seat]"), boxes(screen, "[data-seat-played]")
    assert sorted(plates, key=int) == [str(seat) for seat in range(players)]
    for left, top, right, bottom in (*plates.values(), *plays.values()):
        assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    check_apart(plates)
    check_apart(plays)
    check_apart({f"plate {seat}": box for seat, box in plates.items()} | {f"play {s}": box for s, box in plays.items()})
    assert screen.no_sideways()
    names = [seat["place"]["name"] for seat in screen.state["seats"]]
    assert all(screen.page.locator(f'[data-seat="{seat}"] b').inner_text() == names[seat] for seat in range(players))


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
