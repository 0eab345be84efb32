"""The best player on the page: the levels of bots, how strong ones play and why so, and calls that are judged."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.pages import PHONE, WIDE, Json, Screen
from renege.agents.best import best_player
from renege.core.registry import find_game
from renege.i18n import Speech, text

Window = Callable[..., Screen]
REVIEWED = 60.0  # seconds that a review may take on a busy machine
LITTLE_END = {"opening_lead": "small-end"}  # for which there are no rows, and so no network
# two marks on a hand without a trump to speak of, and a call of trumps that the hand is short of
SILLY = """renege record 1
game texas42 version 1
rules default
deal dealer 3 score 0 0
0: 6-2 5-5 5-2 4-0 3-0 2-2 1-0
1: 6-3 5-4 4-3 3-3 3-1 2-0 1-1
2: 6-6 6-5 6-1 5-3 4-4 4-2 0-0
3: 6-4 6-0 5-1 5-0 4-1 3-2 2-1
talk 0 2 marks | 1 pass | 2 pass | 3 pass | 0 trump 4
"""


def speak(screen: Screen, language: str) -> None:
    screen.context.add_init_script(f"""
        const before = JSON.parse(localStorage.getItem("renege.prefs") ?? "{{}}");
        localStorage.setItem("renege.prefs", JSON.stringify({{...before, language: "{language}"}}));
    """)


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_bots_have_three_levels_each_by_its_name(screen: Screen, language: str) -> None:
    speak(screen, language)
    screen.open("/").get("more-texas42").click()
    screen.get("others-middle").click()
    screen.get("seat-1").select_option("simple")
    screen.get("seat-3").select_option("strong")
    expect(screen.get("seat-2").locator("option:checked")).to_have_text(text(language, "lobby.who.middle"))
    screen.get("make").click()
    screen.until(lambda: bool(screen.state), "the table says nothing")
    assert [seat["place"]["level"] for seat in screen.state["seats"]] == [None, "simple", "middle", "strong"]
    for seat, key in ((1, "table.seat.bot"), (2, "table.seat.middle"), (3, "table.seat.strong")):
        expect(screen.page.locator(f'[data-seat="{seat}"]')).to_contain_text(text(language, key))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize("rules", [{}, LITTLE_END], ids=["usual", "little end"])
def test_the_table_says_how_strong_bots_play_and_why(
    screens: Window, language: str, size: tuple[int, int], rules: dict[str, str]
) -> None:
    screen = screens(size)
    speak(screen, language)
    screen.make("texas42", seats=["me", "strong", "simple", "strong"], rules=rules)
    if size == PHONE:
        screen.get("tool-sheet").click()
    best = best_player(find_game("texas42", rules), 200)
    told = Speech(language).say(best.describe("strong bots play {how}"))
    assert (best.net is None) == bool(best.lacking) and (best.lacking or not rules)
    expect(screen.get("bots")).to_be_visible()
    expect(screen.get("bots")).to_have_text(re.compile(re.escape(told), re.IGNORECASE))
    assert screen.no_sideways()


def test_a_table_without_strong_bots_says_nothing_of_them(screen: Screen) -> None:
    screen.make("texas42", seats=["me", "middle", "simple", "middle"])
    screen.get("sheet").wait_for()
    expect(screen.get("bots")).to_have_count(0)


def reviewed(screen: Screen) -> tuple[str, list[Json]]:
    """The address of the silly deal, and what its review says."""
    kept = screen.context.request.post(f"{screen.address}/api/records", data={"text": SILLY}).json()
    path = f"/r/{kept['record']}/1"
    lines = screen.context.request.get(f"{screen.address}/api/records/{kept['record']}/deals/1/review").text()
    return path, [json.loads(line) for line in lines.splitlines()]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_calls_are_shown_with_what_they_cost(screens: Window, size: tuple[int, int]) -> None:
    screen = screens(size)
    path, judged = reviewed(screen)
    call = max(judged, key=lambda act: act["known_cost"] or 0)
    assert call["known_cost"] > 0.3 and call["cost"] is None and call["known_best"] != call["what"], judged
    screen.open(f"{path}/{call['number'] + 1}").get("board").wait_for()
    screen.until(lambda: not screen.get("progress").count(), "the review does not end", seconds=REVIEWED)
    cost = rf"[−-]{call['known_cost']:.2f}"
    for way in ("open", "known"):
        screen.get(f"by-{way}").click()
        act = screen.get("acts").locator(f'[data-step="{call["number"] + 1}"]')
        expect(act).to_contain_text(re.compile(cost + (" marks" if way == "open" else "")))
        expect(screen.get("cost")).to_have_text(f"That cost {call['known_cost']:.2f} marks.")
        listed = screen.get("call-costs" if way == "open" else "costs").get_by_role("listitem")
        mine = listed.filter(has_text=call["text"])
        expect(mine).to_contain_text(re.compile(cost))
        expect(mine).to_contain_text(re.compile(rf"better\s*{call['known_text']}"))
    screen.page.keyboard.press("ArrowLeft")
    expect(screen.get("best")).to_contain_text(call["known_text"])
    if call["network"] is None:
        expect(screen.get("network")).to_have_count(0)
    else:
        share = f"{100 * call['network']['share']:.0f}%"
        expect(screen.get("network")).to_contain_text(call["network"]["text"])
        expect(screen.get("network")).to_contain_text(share if share != "100%" else "%")
    assert screen.no_sideways()


def test_a_hint_for_a_call_shows_what_was_found_and_what_the_network_likes(screen: Screen) -> None:
    screen.make("texas42").my_turn()
    screen.get("tool-hint").click()
    screen.get("hint-more").click()
    screen.get("hint-play").wait_for()
    hint = next(answer for answer in reversed(screen.answers) if "step=2" in answer.url).json()
    expect(screen.get("hint-by")).to_have_text(re.compile(re.escape(hint["by"]), re.IGNORECASE))
    if hint["alone"] and len(hint["estimates"]) == 1:  # the network would not think of anything else
        expect(screen.get("hint-only")).to_have_text(hint["alone"])
        expect(screen.get("odds")).to_have_count(0)
        return
    rows = screen.get("odds").get_by_role("row").filter(has=screen.page.locator("td"))
    expect(rows).to_have_count(min(4, len(hint["estimates"])))
    liked = [one["share"] is not None for one in hint["estimates"]]
    assert all(liked) if hint["network"] else not any(liked)
    expect(rows.first.locator("td.share")).to_have_count(int(bool(hint["network"])))
