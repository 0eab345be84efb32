"""Finding Friends and the larger tables on the page: six people through a deal, eight seats on a phone, long hands."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.clients import Server
from e2e.layout import boxes, check_apart, check_hand, check_table
from e2e.pages import PHONE, WIDE, Json, Keys, Mouse, Player, Screen, named_first, window

SIZES = pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])


@pytest.fixture
def address(browser: Browser, tmp_path: Path) -> Iterator[str]:
    """A server whose first deals are always the same."""
    with Server(tmp_path / "data", seed=5) as server:
        yield server.address


def at_table(screen: Screen, seats: int, **more: object) -> Player:
    """Somebody at a table with bots."""
    screen.make("tractor", name="Ada", seats=["me", *["simple"] * (seats - 1)], **more)
    return Player(screen, Mouse(screen))


def wants_friends(state: Json) -> bool:
    return bool(state["compose"])


# -- six people


def sit_down(host: Screen, others: list[Screen]) -> None:
    """Six people find the table by its link, each by a name."""
    host.make("tractor", preset="friends-six", name="Ada", seats=["me", *["open"] * 5])
    path = host.page.url.removeprefix(host.address)
    for seat, (screen, name) in enumerate(zip(others, ("Ben", "Cleo", "Dan", "Ella", "Fred"), strict=True), 1):
        screen.open(path)
        screen.get("my-name").fill(name)
        screen.page.locator(f'[data-seat="{seat}"] [data-testid="sit"]').click()
        screen.until(lambda screen=screen, seat=seat: screen.state.get("me") == seat, "nobody sits there")


def joined(state: Json) -> dict[str, int]:
    """The cards by which somebody has joined, and who."""
    return {f"{one['card']} {one['nth']}": one["seat"] for one in state["named"] if one["seat"] is not None}


def check_joined(screens: list[Screen], state: Json) -> None:
    """Everybody sees who has joined: at the card, at the seat, and in what happened."""
    for screen in screens:
        screen.until(lambda screen=screen: screen.state["number"] >= state["number"], "somebody hears nothing")
        screen.settle()
        assert joined(screen.state) == joined(state)
        for part, seat in joined(state).items():
            name = state["seats"][seat]["place"]["name"]
            expect(screen.page.locator(f'[data-named="{part}"][data-named-seat="{seat}"]')).to_contain_text(name)
            role = "banker" if seat == state["contract"]["declarer"] else "friend"
            expect(screen.page.locator(f'[data-seat="{seat}"]')).to_contain_text(role)


def test_six_people_play_a_deal(browser: Browser, address: str) -> None:
    with ExitStack() as stack:
        sizes = [WIDE, PHONE, WIDE, PHONE, WIDE, PHONE]
        screens = [stack.enter_context(window(browser, address, size)) for size in sizes]
        sit_down(screens[0], screens[1:])
        players = [Player(screen, Mouse(screen)) for screen in screens]
        known: dict[str, int] = {}
        named = 0
        while not all(screen.ended for screen in screens):
            for player in players:
                if not player.screen.state["asked"] or player.screen.ended:
                    continue
                if wants_friends(player.screen.state):
                    named += 1
                    parts = [f"{card} {nth}" for card, nth in named_first(player.screen.state["compose"])]
                player.act()
                state = player.screen.state
                if joined(state) != known and not player.screen.ended:
                    known = joined(state)
                    check_joined(screens, state)
            for screen in screens:
                screen.page.wait_for_timeout(5)
        assert named == 1 and set(known) <= set(parts)
        host = screens[0].state
        friends = set(known.values()) - {host["contract"]["declarer"]}
        assert friends, "nobody joined"
        for screen in screens:
            assert screen.state["result"]["gained"] == host["result"]["gained"]
            expect(screen.get("result")).to_contain_text("the bank")
            assert len(screen.state["score"]["score"]) == 6
        levels = screens[0].get("sheet").locator("dd").all_inner_texts()
        assert levels == [str(level) for level in host["score"]["score"]]
        said = [event["text"] for event in told(screens[1]) if event["text"].endswith(" is a friend")]
        assert len(said) == len(friends), said


def told(screen: Screen) -> list[Json]:
    """All that a screen was told, each once."""
    events = [event for frame in screen.frames for event in json.loads(frame).get("events", [])]
    return list({event["number"]: event for event in events}.values())


# -- naming friends


@SIZES
def test_friends_are_chosen_taken_back_and_named(browser: Browser, address: str, size: tuple[int, int]) -> None:
    with window(browser, address, size) as screen:
        mouse, player = Mouse(screen), at_table(screen, 6, preset="friends-six")
        compose = player.until(wants_friends)["compose"]
        expect(screen.get("todo")).to_have_text("Your turn: name 2 friends")
        assert not screen.get("calls").count()
        offered = screen.page.locator("[data-naming-card]")
        cards = set[str]()
        for suit in screen.page.locator("[data-naming-suit]").evaluate_all("(all) => all.map((one) => one.value)"):
            screen.page.locator(f'label:has([data-naming-suit="{suit}"])').click()
            cards.update(offered.evaluate_all("(all) => all.map((one) => one.value)"))
        assert cards == set(compose["cards"]) and compose["copies"] == 3

        chosen = screen.page.locator("[data-naming-part]")
        confirm = screen.get("confirm")
        (one, _), (other, _) = named_first(compose)
        mouse.names(one, 2)
        assert confirm.get_attribute("aria-disabled") == "true"
        confirm.click(force=True)
        mouse.names(one, 3)
        expect(screen.get("count")).to_have_text("2 of 2")
        assert screen.page.locator('[data-naming-nth="1"]').get_attribute("aria-disabled") == "true"
        screen.get("naming-back").click()
        expect(chosen).to_have_count(1)
        mouse.names(other, 1)
        screen.page.locator(f'[data-naming-part="{one} 2"]').click()
        assert screen.page.evaluate("document.activeElement?.matches('input:checked')"), "the focus is lost"
        mouse.names(other, 3)
        assert [part.get_attribute("data-naming-part") for part in chosen.all()] == [f"{other} 1", f"{other} 3"]
        assert screen.heard_after(lambda: mouse.presses("confirm"))
        assert not screen.refusals
        expect(screen.page.locator("[data-named]")).to_have_count(2)
        for nth in (1, 3):
            expect(screen.page.locator(f'[data-named="{other} {nth}"]')).to_contain_text("3")


def test_friends_are_named_by_keys_alone(browser: Browser, address: str) -> None:
    with window(browser, address) as screen:
        player = at_table(screen, 6, preset="friends-six")
        compose = player.until(wants_friends)["compose"]
        keys = Keys(screen)
        low = [compose["cards"][0], compose["cards"][-1]]
        for nth, card in enumerate(low, 1):
            keys.names(card, nth)
        names = screen.page.locator("[data-naming-part]").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
        assert all(name.startswith("Take back: ") and " of " in name for name in names)
        assert screen.heard_after(lambda: keys.presses("confirm")), screen.refusals
        assert {(one["card"], one["nth"]) for one in screen.state["named"]} == {(low[0], 1), (low[1], 2)}


# -- eight seats


@SIZES
def test_eight_seats_are_seen_through_a_deal(
    browser: Browser, address: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with window(browser, address, size) as screen:
        player = at_table(screen, 8, preset="friends-eight")

        def laid(state: Json) -> bool:
            return bool(state["last_trick"]) and len(state["trick"]["plays"]) == 7

        state = player.until(laid)
        assert len(screen.trick_shown()) == 7
        check_table(screen, size)
        check_hand(screen, size)
        names = [seat["place"]["name"] for seat in state["seats"]]
        cut = "(all) => all.map((one) => [one.title, one.scrollWidth - one.clientWidth])"
        shown = screen.page.locator("[data-seat] b").evaluate_all(cut)
        assert sorted(shown) == sorted([name, 0] for name in names), "a name is cut off"
        screen.page.screenshot(path=tmp_path / "eight.png")
        player.deal()
        assert screen.page.locator(".result dt").count() == 9  # the hands, and what was buried
        check_apart({**boxes(screen, "[data-named]", "named"), **boxes(screen, ".result", "testid")})
        assert screen.no_sideways()


SIX = ["HA", "HA", "HA", "HK", "HK", "HQ"]


def six_each(state: Json) -> None:
    """Every play of a trick has six cards."""
    for trick in filter(None, (state["trick"], state["last_trick"])):
        for play in trick["plays"]:
            play["cards"] = SIX


@SIZES
@pytest.mark.parametrize("seats", [6, 8])
def test_plays_of_six_cards_fit(browser: Browser, address: str, size: tuple[int, int], seats: int) -> None:
    """Of everybody, in the trick that is played and in the last one; every card of them shows its corner."""
    preset = {6: "friends-six", 8: "friends-eight"}[seats]
    with window(browser, address, size) as screen:
        player = at_table(screen, seats, preset=preset)
        player.until(lambda state: bool(state["last_trick"]) and len(state["trick"]["plays"]) == seats - 1)
        screen.change(six_each)
        screen.page.reload()
        screen.until(lambda: screen.on_table() == dict.fromkeys(others(screen), SIX), "the plays are others")
        check_plays(screen, size)
        Mouse(screen).presses("tool-last")
        screen.until(lambda: len(screen.on_table()) == seats, "the last trick does not come")
        check_plays(screen, size)


def others(screen: Screen) -> list[int]:
    return [seat for seat in range(len(screen.state["seats"])) if seat != screen.state["me"]]


# the cards of plays whose rank is covered, or is smaller than one can read
HIDDEN = """() => [...document.querySelectorAll("[data-seat-played] [data-card]")].filter((one) => {
  const card = one.getBoundingClientRect();
  const [x, y] = [card.left + 0.17 * card.width, card.top + 0.2 * card.height];
  return card.width < 26 || document.elementFromPoint(x, y)?.closest("[data-card]") !== one;
}).map((one) => one.outerHTML.slice(0, 200))"""


def check_plays(screen: Screen, size: tuple[int, int]) -> None:
    check_table(screen, size)
    assert not screen.page.evaluate(HIDDEN)


# -- long hands


@SIZES
@pytest.mark.parametrize("packs", [3, 4])
def test_long_hands_can_be_read_and_picked(browser: Browser, address: str, size: tuple[int, int], packs: int) -> None:
    """With four players up to 60 cards: two that are equal, of more where there are, are buried with others."""
    with window(browser, address, size) as screen:
        player = at_table(screen, 4, rules={"packs": str(packs)})
        state = player.until(lambda state: bool(state["choose"]))
        count = state["choose"]["count"]
        check_hand(screen, size)
        card, copies = most_alike(state)
        assert copies >= packs - 1
        for key in (f"{card}.0", f"{card}.{copies - 1}"):
            Mouse(screen).raises(key)
        assert screen.raised() == [card, card]
        rest = [held["key"] for held in screen.hand() if held["card"] != card][: count - 2]
        for key in rest:
            Mouse(screen).raises(key)
        assert screen.heard_after(Mouse(screen).plays), screen.refusals
        buried = [held for held in screen.state["kitty_cards"] if held == card]
        assert len(buried) == 2 and len(screen.state["kitty_cards"]) == count
        check_hand(screen, size)


def most_alike(state: Json) -> tuple[str, int]:
    """The card of which the hand has most copies, and how many."""
    return Counter(held["card"] for held in state["hand"]).most_common(1)[0]
