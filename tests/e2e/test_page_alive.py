"""Four people at one table, one of whom goes away: the deal ends without him, and he finds his seat when he is back.

Recovery links, substitutes, and acts that are taken back when all agree, as one does it on the page.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from e2e.pages import PHONE, WIDE, Json, Mouse, Player, Screen

Window = Callable[..., Screen]
NAMES = ("Anna", "Ben", "Clara", "David")
QUICK = {"kind": "act", "seconds": 4}  # a clock for tests, not for people


def sits(screen: Screen, table: str, seat: int) -> Screen:
    """Somebody takes a seat by the link."""
    answer = screen.context.request.post(
        f"{screen.address}/api/tables/{table}/seats/{seat}", data={"name": NAMES[seat]}
    )
    assert answer.status == 200, answer.text()
    screen.open(f"/t/{table}")
    screen.until(lambda: screen.state.get("me") == seat, "the seat is not there")
    return screen


def four(screens: Window, sizes: Sequence[tuple[int, int]] = (WIDE,) * 4, **more: Any) -> list[Screen]:
    """Four people in four windows, at a table that one of them has made."""
    host = screens(sizes[0]).make("texas42", seats=["me", "open", "open", "open"], name="Anna", **more)
    table = host.state["table"]
    everybody = [host, *(sits(screens(sizes[seat]), table, seat) for seat in (1, 2, 3))]
    for screen in everybody:
        screen.until(lambda screen=screen: screen.state["phase"] == "talk", "nothing is dealt")
    return everybody


def play_on(people: Sequence[Screen], until: Callable[[Json], bool]) -> None:
    """Everybody in these windows plays until something is so at the first one's."""
    players = [Player(screen, Mouse(screen)) for screen in people]
    first = people[0]
    for _ in range(4000):
        if until(first.state):
            return
        for player in players:
            state = player.screen.state
            if state["asked"] and state["number"] == first.state["number"] and not until(first.state):
                player.act()
        first.page.wait_for_timeout(20)
    raise AssertionError("it never came to that")


def place(screen: Screen, seat: int) -> Json:
    return screen.state["seats"][seat]["place"]


def over(state: Json) -> bool:
    return state["result"] is not None


# -- one goes away


def test_the_deal_ends_without_who_closed_the_tab_when_the_others_agree(screens: Window) -> None:
    people = four(screens, (WIDE, WIDE, PHONE, WIDE), clock={"kind": "none"})
    anna, ben, clara, david = people
    table = anna.state["table"]
    ben.page.close()
    anna.until(lambda: not place(anna, 1)["online"], "Ben is still there")
    expect(anna.page.locator('[data-seat="1"]')).to_contain_text("away")
    for screen in (anna, clara, david):
        button = screen.get("want-bot")
        expect(button).to_have_text("Let a bot play for Ben")
        assert place(anna, 1)["stand_in"] is None
        button.click()
        if screen is anna:
            expect(screen.get("idle")).to_contain_text("Clara, David")
        assert screen.no_sideways()
    for screen in (anna, clara, david):
        expect(screen.page.locator('[data-seat="1"] [data-testid="stand-in"]')).to_be_visible()
    expect(anna.get("played-for")).to_contain_text("Ben")
    play_on((anna, clara, david), over)
    assert place(anna, 1)["kind"] == "person"

    anna.get("next").click()
    anna.until(lambda: anna.state["deal"] == 2, "nothing is dealt")
    again = screens_of(ben)
    again.open(f"/t/{table}")
    again.until(lambda: again.state.get("me") == 1, "the seat is not his any more")
    anna.until(lambda: place(anna, 1)["stand_in"] is None and place(anna, 1)["online"], "a bot still plays")
    assert again.state["hand"]


def screens_of(screen: Screen) -> Screen:
    """The same person opens another tab."""
    page = screen.context.new_page()
    other = Screen(screen.context, page, screen.address).listen()
    other.page.wait_for_timeout(50)
    # an empty tab has no storage, about which the script complains that every page begins with
    screen.troubles[:] = [wrong for wrong in screen.troubles if "localStorage" not in wrong]
    return other


def test_the_deal_ends_without_who_closed_the_tab_when_the_time_is_up(screens: Window) -> None:
    people = four(screens, clock=QUICK)
    anna, ben, clara, david = people
    david.page.close()
    left = (anna, ben, clara)
    expect(anna.get("clock")).to_be_visible()

    def his_turn(state: Json) -> bool:
        return state["people"]["clock"] is not None and state["people"]["clock"]["seat"] == 3

    play_on(left, lambda state: his_turn(state) or place(anna, 3)["stand_in"] is not None)
    expect(anna.get("clock")).to_contain_text(re.compile(r"Time of David: 0:0\d"))
    anna.until(lambda: place(anna, 3)["stand_in"] is not None, "the clock does not run out")
    events = anna.page.get_by_role("region", name="What happened")
    expect(events).to_contain_text("the time of David is up")
    play_on(left, over)
    assert place(anna, 3)["name"] == "David"


def test_who_is_too_slow_takes_the_play_back(screens: Window) -> None:
    people = four(screens, clock={"kind": "act", "seconds": 3}, pace=5000)
    anna = people[0]
    turn = anna.state["turn"]
    slow = people[turn]
    slow.until(lambda: place(slow, turn)["stand_in"] is not None, "the clock does not run out")
    expect(slow.get("played-for-me")).to_be_visible()
    slow.get("back").click()
    slow.until(lambda: place(slow, turn)["stand_in"] is None, "a bot still plays")
    expect(slow.get("played-for-me")).to_have_count(0)


# -- what people agree on


def test_an_act_is_taken_back_when_all_others_agree(screens: Window) -> None:
    people = four(screens, (WIDE, PHONE, WIDE, WIDE))
    turn = people[0].state["turn"]
    sorry, others = people[turn], [screen for screen in people if screen.state["me"] != turn]
    Player(sorry, Mouse(sorry)).act()
    number = sorry.state["number"]
    assert sorry.state["may_undo"]
    sorry.get("tool-undo").click()
    expect(sorry.get("withdraw")).to_be_visible()
    for screen in others:
        expect(screen.get("request")).to_contain_text(NAMES[turn])
        assert screen.no_sideways()
        screen.get("agree").click()
    sorry.until(lambda: sorry.state["asked"] and sorry.state["number"] > number, "it is not taken back")
    expect(sorry.get("request")).to_have_count(0)

    Player(sorry, Mouse(sorry)).act()
    sorry.get("tool-undo").click()
    others[0].get("decline").click()
    expect(sorry.get("request")).to_have_count(0)
    assert not sorry.state["asked"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_a_substitute_plays_on_in_mid_deal(screens: Window, size: tuple[int, int]) -> None:
    people = four(screens, (size, *(WIDE,) * 3), substitutes="middle")
    anna, ben, clara, david = people
    hand = [held["card"] for held in clara.state["hand"]]
    clara.page.close()
    anna.get("tool-settings").click()
    anna.get("free-2").click()
    anna.get("free-yes").click()
    anna.get("close").click()
    anna.until(lambda: place(anna, 2)["kind"] == "bot", "the seat is not free")

    eve = screens().open(f"/t/{anna.state['table']}")
    eve.forgiven = ("409",)  # she tries to sit down first, in case the seat was hers
    eve.get("my-name").fill("Eve")
    eve.page.locator('[data-seat="2"] [data-testid="sit"]').click()
    for screen in (anna, ben, david):
        expect(screen.get("request")).to_contain_text("Eve")
        expect(screen.get("request")).to_contain_text("Agree only if you know who it is")
        assert screen.no_sideways()
        assert eve.state["hand"] == []
        screen.get("agree").click()
    eve.until(lambda: eve.state["me"] == 2, "she has no seat")
    held = {card["card"] for card in eve.state["hand"]}
    assert held and held <= set(hand)
    assert place(anna, 2)["name"] == "Eve"


# -- who one is


def test_a_recovery_link_brings_back_the_seat(screens: Window) -> None:
    people = four(screens)
    ben, table = people[1], people[0].state["table"]
    hand = [held["card"] for held in ben.state["hand"]]
    ben.get("tool-settings").click()
    ben.get("recovery").get_by_text("Recovery link").click()
    expect(ben.get("recovery")).to_contain_text("all your seats, their cards")
    ben.get("recovery-make").click()
    link = ben.get("recovery-link").input_value()
    assert link.startswith(f"{ben.address}/back#")
    ben.page.reload()
    ben.get("tool-settings").click()
    ben.get("recovery").get_by_text("Recovery link").click()
    expect(ben.get("recovery-withdraw")).to_be_visible()
    expect(ben.get("recovery-link")).to_have_count(0)  # it was shown once

    other = screens(PHONE).open(link.removeprefix(ben.address))
    expect(other.get("recover")).to_be_visible()
    assert "#" not in other.page.url
    other.get("recover").click()
    expect(other.get("my-tables")).to_be_visible()
    other.get("resume").click()
    other.until(lambda: other.state.get("me") == 1, "the seat is not his")
    assert [held["card"] for held in other.state["hand"]] == hand and other.state["table"] == table

    ben.get("recovery-withdraw").click()
    expect(ben.get("recovery")).to_contain_text("withdrawn")
    late = screens().open(link.removeprefix(ben.address))
    late.forgiven = ("403",)
    late.get("recover").click()
    expect(late.get("trouble")).to_contain_text("withdrawn")
