"""Who comes back finds the table as it was, and who sits at one table sees one hand: the own."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.clients import Server
from e2e.pages import CARD, GAMES, LOST, PHONE, WIDE, Json, Mouse, Player, Screen, name_of, window

Window = Callable[..., Screen]


def seen(screen: Screen) -> Json:
    """What lies open before one at the table."""
    trick = screen.trick_shown()
    return {
        "hand": [held["key"] for held in screen.hand()],
        "trick": trick,
        "score": screen.get("sheet").inner_text(),
        "contract": screen.get("contract").inner_text(),
        "plates": screen.page.locator("[data-turn]").all_inner_texts(),
    }


def halfway(state: Json) -> bool:
    """In the second trick, or a later one, with something on the table."""
    return bool(state["phase"] == "play" and state["last_trick"] and state["trick"] and state["trick"]["plays"])


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_in_mid_deal_changes_nothing(screen: Screen, game: str) -> None:
    Player(screen.make(game), Mouse(screen)).until(halfway)
    before, number = seen(screen), screen.state["number"]
    screen.state = {}
    screen.page.reload()
    screen.my_turn()
    assert screen.state["number"] == number
    assert seen(screen) == before


def test_the_page_plays_on_after_a_kill(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, seed=42).start()
    try:
        with (
            window(browser, server.address) as first,
            window(browser, server.address) as second,
            window(browser, server.address) as third,
        ):
            players = [
                Player(screen.make(game), Mouse(screen))
                for game, screen in zip(GAMES, (first, second, third), strict=True)
            ]
            for player in players:
                player.until(halfway)
            before = [seen(player.screen) for player in players]
            for player in players:
                player.screen.forgiven = LOST
            server.kill()
            for player in players:
                expect(player.screen.get("lost")).to_be_visible()
            server.start()  # the same port, the same data folder
            for player, was in zip(players, before, strict=True):
                expect(player.screen.get("lost")).to_be_hidden(timeout=30_000)
                player.screen.forgiven = ()
                assert seen(player.screen) == was
                held = len(was["hand"])
                player.act()
                assert len(player.screen.hand()) < held
                player.act()
    finally:
        server.stop()


# -- several people


def cards_shown(states: Iterable[Json]) -> set[str]:
    """Cards that everybody could see: in tricks, and shown to name trumps."""
    found: set[str] = set()
    for state in states:
        for trick in (state["trick"], state["last_trick"]):
            for play in (trick or {"plays": []})["plays"]:
                found.update(play["cards"], play["tried"])
    return found


def names_cards(text: str, cards: set[str], game: str) -> set[str]:
    """Those of the cards that a text names, in letters or in words."""
    words = re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(name_of(card, game)) for card in cards) + r")(?![\w-])")
    return (set(CARD.findall(text)) & cards) | set(words.findall(text))


@pytest.mark.parametrize("game", GAMES)
def test_two_people_at_one_table_see_their_own_hands_only(screens: Window, game: str) -> None:
    host, friend, watcher = screens(), screens(), screens()
    host.open("/").get(f"more-{game}").click()
    host.get("name").fill("Ada")
    host.get("pace").select_option("0")
    host.get("seat-2").select_option("open")
    host.get("make").click()
    expect(host.get("waiting")).to_be_visible()
    link = host.get("waiting").get_by_role("textbox").input_value()
    assert link.startswith(host.address)

    friend.open(link.removeprefix(host.address))
    friend.page.locator('[data-testid="take-2"], [data-seat="2"] [data-testid="sit"]').first.click()
    for screen in (host, friend):
        expect(screen.get("hand")).to_be_visible()
    watcher.open(link.removeprefix(host.address))
    watcher.page.locator('[data-testid="watch"], [data-testid="trick"], [data-testid="contract"]').first.wait_for()
    if watcher.get("watch").count():
        watcher.get("watch").click()

    hands = {screen.state["me"]: {held["card"] for held in screen.state["hand"]} for screen in (host, friend)}
    assert set(hands) == {0, 2} and hands[0] != hands[2]
    assert {held["card"] for held in host.hand()} == hands[0]
    assert {held["card"] for held in friend.hand()} == hands[2]

    players = [Player(host, Mouse(host)), Player(friend, Mouse(friend))]
    states: list[Json] = []
    buried: set[str] = set()
    while not (host.state["last_trick"] and friend.state["last_trick"] and watcher.state["last_trick"]):
        for player in players:
            states.append(player.screen.state)
            buried.update(player.screen.state["kitty_cards"])
            if player.screen.state["asked"]:
                player.act()
        host.page.wait_for_timeout(20)
    states += [host.state, friend.state]
    assert {play["seat"] for play in host.state["last_trick"]["plays"]} == {0, 1, 2, 3}

    public = cards_shown(states) | set(CARD.findall(" ".join(seat["said"] for s in states for seat in s["seats"])))
    public |= {card for s in states for card in CARD.findall((s["contract"] or {"what": ""})["what"])}
    public |= {"EA", "GA", "SA"} if game == "schafkopf" else set()  # who calls one names it, whoever has it
    secret = {0: hands[0] - public - hands[2] - buried, 2: hands[2] - public - hands[0] - buried}
    assert all(len(cards) >= 3 for cards in secret.values())
    for screen, cards in ((host, secret[2]), (friend, secret[0]), (watcher, secret[0] | secret[2])):
        for text in (*screen.frames, *received(screen), screen.page.content()):
            assert not (found := names_cards(text, cards, game)), found
    # the same search finds the own cards, so it would find others
    for screen, cards in ((host, secret[0]), (friend, secret[2])):
        for text in (screen.frames[-1], screen.page.content()):
            assert names_cards(text, cards, game)

    assert watcher.state["me"] is None and watcher.state["hand"] == []
    expect(watcher.get("hand")).to_have_count(0)
    expect(watcher.get("play")).to_have_count(0)
    assert host.state["seats"][2]["place"]["online"] and host.state["seats"][2]["place"]["kind"] == "person"
    expect(host.page.locator('[data-seat="2"]')).to_contain_text(friend.state["seats"][2]["place"]["name"])


def received(screen: Screen) -> list[str]:
    """What came over HTTP about tables."""
    about = [answer for answer in screen.answers if "/api/tables" in answer.url and answer.request.method != "OPTIONS"]
    return [answer.text() for answer in about if answer.ok]


# -- what one need not do, and what one sees


def only_passes(state: Json) -> bool:
    return state["asked"] and [call["what"] for call in state["calls"]] == ["pass"]


def test_who_can_only_pass_is_told_so_and_need_not_press_anything(screen: Screen) -> None:
    for _ in range(30):
        state = screen.make("tractor").my_turn()
        if only_passes(state):
            break
    else:
        raise LookupError("a hand with something to show each time")
    number, events = state["number"], len(screen.frames)
    expect(screen.get("todo")).to_have_text("Your turn: only one call is possible: pass")
    screen.page.wait_for_timeout(1500)
    assert screen.state["number"] == number, "it was switched off"
    screen.get("tool-settings").click()
    screen.get("passes").check()
    screen.until(lambda: screen.state["number"] > number, "nothing was said")
    said = [event for frame in screen.frames[events:] for event in json.loads(frame).get("events", [])]
    assert (said[0]["seat"], said[0]["what"]) == (state["me"], "pass")
    assert not screen.refusals


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_the_own_plate_stays_at_the_hand_and_spectators_turn_the_table(screens: Window, size: tuple[int, int]) -> None:
    screen = screens(size)
    state = screen.make("texas42").my_turn()
    screen.page.keyboard.press("f")
    assert not screen.get("tool-flip").count()
    mine = screen.page.locator(f'.bottom [data-seat="{state["me"]}"]')
    expect(mine).to_be_visible()
    watching = screens(size).open(f"/t/{state['table']}")
    expect(watching.page.locator('.bottom [data-seat="0"]')).to_be_visible()
    watching.page.keyboard.press("f")
    expect(watching.page.locator('.bottom [data-seat="1"]')).to_be_visible()


def test_the_log_goes_trick_by_trick(screen: Screen) -> None:
    Player(screen.make("texas42"), Mouse(screen)).until(halfway)
    log = screen.page.get_by_role("region", name="What happened")
    heads = log.get_by_role("heading").all_inner_texts()
    assert heads[0] == f"Trick {screen.state['trick']['number']}" and heads[-1] == "Before the first lead"
    number = screen.state["last_trick"]["number"]
    lines = log.get_by_role("region", name=f"Trick {number}", exact=True).get_by_role("listitem").all_inner_texts()
    assert len(lines) == len(screen.state["last_trick"]["plays"]) and " leads " in lines[0]
