"""A whole deal of each game through the page: by mouse at a desk, and by keys alone on a phone's screen."""

import pytest
from playwright.sync_api import Browser

from e2e.clients import Server
from e2e.pages import GAMES, PHONE, WIDE, Fingers, Keys, Mouse, Player, Screen, window
from renege.core.registry import parse_record

SEED = 2  # the person names trumps in Tractor and buries the kitty
COUNT = """
window.touched = {mouse: 0, keys: 0};
for (const name of ["mousedown", "pointerdown", "touchstart", "wheel"])
  addEventListener(name, () => (window.touched.mouse += 1), {capture: true});
// Shift goes with a click too: it means one card alone
addEventListener("keydown", ({key}) => (window.touched.keys += key === "Shift" ? 0 : 1), {capture: true});
"""


def from_lobby(screen: Screen, game: str, fingers: Fingers) -> None:
    """Makes a table as people do, with bots that do not dawdle."""
    screen.open("/").get(f"more-{game}").wait_for()
    fingers.presses(f"more-{game}")
    if isinstance(fingers, Keys):
        fingers.tabs_to('[data-testid="pace"]')
        fingers.press("Home")
    else:
        screen.get("pace").select_option("0")
    fingers.presses("make")
    screen.until(lambda: bool(screen.state), "the table says nothing")


@pytest.mark.parametrize(("way", "size"), [(Mouse, WIDE), (Keys, PHONE)], ids=["mouse", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, game: str, way: type[Mouse] | type[Keys], size: tuple
) -> None:
    data = tmp_path_factory.mktemp("deal")
    with Server(data, seed=SEED) as server, window(browser, server.address, size, reduced_motion=None) as screen:
        screen.context.add_init_script(COUNT)
        player = Player(screen, way(screen))
        from_lobby(screen, game, player.fingers)
        held = screen.state["hand"]
        over = player.deal()

        touched = screen.page.evaluate("window.touched")
        idle, busy = ("mouse", "keys") if way is Keys else ("keys", "mouse")
        assert touched[idle] == 0 and touched[busy] > len(held), touched
        assert player.buried == (game == "tractor")
        assert over["phase"] == "over" and over["deal"] == 1
        assert screen.get("result").get_by_role("heading").inner_text().strip()
        if size == PHONE:
            assert screen.no_sideways()

        text = screen.context.request.get(f"{server.address}/api/tables/{over['table']}/deals/1/record").text()
        record = parse_record(text)
        assert record.position.over
        mine = [act for act in record.acts if act.seat == over["me"]]
        assert len(mine) > len(record.acts) / 5, "somebody else has played this deal"
        assert sorted(card["card"] for card in held) == sorted(str(record.start.hands[over["me"]]).split())


def test_the_page_checks_that_a_deal_is_fair(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two deals of chance: the first was promised before the table was made, the second with the first."""
    with Server(tmp_path_factory.mktemp("fair")) as server, window(browser, server.address, WIDE) as screen:
        player = Player(screen, Mouse(screen))
        from_lobby(screen, "texas42", player.fingers)
        for deal in (1, 2):
            over = player.deal()
            assert over["deal"] == deal and over["fair"]["added"] == [over["me"]]
            screen.get("fair").wait_for()
            assert screen.get("fair").get_attribute("data-finding") == "fair"
            if deal == 1:
                screen.heard_after(lambda: player.fingers.presses("next"))
        # a page that comes later has not seen the promise
        screen.page.evaluate("sessionStorage.clear()")
        screen.page.reload()
        screen.get("fair").wait_for()
        assert screen.get("fair").get_attribute("data-finding") == "unwatched"
        screen.get("fair").locator("summary").click()
        assert over["fair"]["commitment"] in screen.get("fair").inner_text()
