"""The page invites others to an address that they can open, with its code, and deletes what its person asks it to."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from e2e.clients import Server
from e2e.pages import Screen, window


def wait_for_people(screen: Screen) -> Screen:
    screen.open("/").get("more-texas42").click()
    screen.get("seat-2").select_option("open")
    screen.get("make").click()
    expect(screen.get("waiting")).to_be_visible()
    return screen


def test_the_invitation_goes_by_the_public_address(browser: Browser, tmp_path: Path) -> None:
    public = "http://cards.localhost:8042"
    with Server(tmp_path, options=("--origin", public)) as server, window(browser, server.address) as screen:
        waiting = wait_for_people(screen).get("waiting")
        expect(waiting.get_by_role("textbox")).to_have_value(f"{public}/t/{screen.state['table']}")
        code = screen.get("code")
        expect(code).to_be_visible()
        assert code.evaluate("image => image.complete && image.naturalWidth > 0")
        expect(screen.get("local")).to_have_count(0)


def test_a_server_for_this_machine_says_so(screen: Screen) -> None:
    wait_for_people(screen)
    expect(screen.get("local")).to_be_visible()
    expect(screen.get("code")).to_have_count(0)


def test_a_table_is_deleted_from_the_list(screen: Screen) -> None:
    screen.make("schafkopf")
    screen.open("/").get("my-tables").wait_for()
    kept = screen.get("delete").count()
    screen.page.once("dialog", lambda dialog: dialog.dismiss())
    screen.get("delete").first.click()
    expect(screen.get("delete")).to_have_count(kept)
    screen.page.once("dialog", lambda dialog: dialog.accept())
    screen.get("delete").first.click()
    expect(screen.get("delete")).to_have_count(kept - 1)
    screen.page.reload()
    expect(screen.get("play-texas42")).to_be_visible()
    expect(screen.get("delete")).to_have_count(kept - 1)
