"""Looking back: every position of a finished deal has an address, and a pasted text is recognised."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from e2e.pages import Json, Mouse, Player, Screen
from renege.core.registry import parse_record
from renege.games.tractor import spoj

Window = Callable[..., Screen]
DATA = Path(__file__).parents[1] / "data"
REVIEWED = 120.0  # seconds that a review may take on a busy machine


def position(screen: Screen) -> tuple[list[list[str]], str]:
    """The four hands that the page shows, and at which step."""
    script = (
        """(hands) => hands.map((hand) => [...hand.querySelectorAll('[data-card]')].map((one) => one.dataset.card))"""
    )
    hands = screen.get("board").locator("section").evaluate_all(script)
    return hands, screen.get("step").inner_text()


def expect_step(screen: Screen, replay: Json, path: str, step: int) -> None:
    """The page stands at a step: by its address, its count and its cards."""
    last = len(replay["steps"]) - 1
    screen.page.wait_for_url(f"{screen.address}{path}/{step}")
    expect(screen.get("step")).to_have_text(f"{step} / {last}")
    hands, _ = position(screen)
    assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in replay["steps"][step]["hands"]]


@pytest.mark.parametrize("game", ["texas42", "schafkopf"])
def test_a_deal_is_looked_at_again_by_its_link(screens: Window, game: str) -> None:
    host = screens()
    over = Player(host.make(game), Mouse(host)).deal()
    path = f"/t/{over['table']}/1"
    with host.page.expect_download() as saving:
        host.get("download").click()
    kept = parse_record(Path(saving.value.path()).read_text("utf-8"))

    screen = screens()  # somebody else, who got the link
    replay = screen.context.request.get(f"{screen.address}/api/tables/{over['table']}/deals/1").json()
    last = len(replay["steps"]) - 1
    assert last == len(kept.acts) and parse_record(replay["record"]) == kept
    screen.open(f"{path}/6").get("board").wait_for()
    expect_step(screen, replay, path, 6)
    assert not screen.context.cookies(), "whoever looks on is no guest"

    for key, step in (("ArrowRight", 7), ("ArrowRight", 8), ("ArrowLeft", 7), ("Home", 0), ("End", last)):
        screen.page.keyboard.press(key)
        expect_step(screen, replay, path, step)
    screen.page.keyboard.press("ArrowUp")
    tricks = [step["number"] for step in replay["steps"] if step["trick"] and not step["trick"]["plays"]]
    expect_step(screen, replay, path, max(step for step in tricks if step < last))
    screen.get("first").click()
    expect_step(screen, replay, path, 0)
    asked = [url for url in screen.questions if "/review?" in url]
    assert len(asked) == 1, "each step asks for the whole review again"
    screen.page.reload()
    expect_step(screen, replay, path, 0)

    screen.until(lambda: not screen.get("progress").count(), "the review does not end", seconds=REVIEWED)
    screen.check()
    screen.page.keyboard.press("End")
    line = screen.get("eval-line").get_by_role("img")
    expect(line).to_have_accessible_name(re.compile(r"\d"))
    assert len(re.findall("H", line.locator("path.line").get_attribute("d") or "")) > last / 2
    lines = screen.context.request.get(f"{screen.address}/api/tables/{over['table']}/deals/1/review").text()
    judged = [json.loads(text) for text in lines.splitlines()]
    assert len(judged) == last
    dearest = max(judged, key=lambda act: act["cost"] or 0)
    assert dearest["cost"] > 0, "another deal would show more"
    first = screen.get("costs").get_by_role("listitem").first
    expect(first).to_contain_text(replay["names"][dearest["seat"]])
    expect(first).to_contain_text(re.compile(r"[−-]\d"))
    first.get_by_role("button").click()
    costly = {act["number"] for act in judged if act["cost"] == dearest["cost"]}
    expect(screen.get("review")).to_have_attribute("data-step", re.compile("|".join(f"^{step}$" for step in costly)))

    with screen.page.expect_download() as saving:
        screen.get("download").click()
    assert parse_record(Path(saving.value.path()).read_text("utf-8")) == kept


# -- paste


def paste(screen: Screen, text: str) -> None:
    screen.open("/paste").get("paste-text").fill(text)
    screen.get("paste-send").click()


@pytest.mark.parametrize("name", ["tractor-1.txt", "texas42-30-trump-0.txt", "schafkopf-solo-G.txt"])
def test_a_pasted_record_is_shown(screen: Screen, name: str) -> None:
    text = (DATA / "golden" / name).read_text("utf-8")
    paste(screen, text)
    screen.page.wait_for_url(re.compile(r"/r/\w+/1/0$"))
    screen.get("board").wait_for()
    record = parse_record(text)
    hands, step = position(screen)
    assert [sorted(hand) for hand in hands] == [sorted(str(hand).split()) for hand in record.start.hands]
    assert step == f"0 / {len(record.acts)}"
    screen.page.keyboard.press("ArrowRight")
    screen.page.wait_for_url(re.compile(r"/r/\w+/1/1$"))
    with screen.page.expect_download() as saving:
        screen.get("download").click()
    assert parse_record(Path(saving.value.path()).read_text("utf-8")) == record


def test_a_pasted_spoj_file_is_judged(screen: Screen) -> None:
    text = f"2\n{spoj_case(1)}\n{spoj_case(2)}\n"
    paste(screen, text)
    expect(screen.get("answers").get_by_role("heading")).to_contain_text("SPOJ")
    rows = screen.get("answers").get_by_role("row").filter(has=screen.page.locator("td"))
    expect(rows).to_have_count(2)
    judged = list(spoj.judge(text.splitlines()))
    for number in (0, 1):
        for line in judged[3 * number : 3 * number + 3]:
            expect(rows.nth(number)).to_contain_text(line)


def spoj_case(seed: int) -> str:
    """A pack dealt out in tricks of single cards: the contest takes every play for a legal one."""
    pack = [suit + rank for suit in "SHCD" for rank in "23456789TJQKA"] * 2
    random.Random(seed).shuffle(pack)
    return "\n".join(["S Alice 2 2", *(" ".join(pack[4 * trick : 4 * trick + 4]) for trick in range(25))])


def test_pasted_protocol_lines_are_answered(screen: Screen) -> None:
    lines = [json.loads(line) for line in (DATA / "answers" / "texas42_ask.jsonl").read_text("utf-8").splitlines()[1:5]]
    paste(screen, "\n".join(json.dumps(line["q"]) for line in lines))
    rows = screen.get("answers").get_by_role("row").filter(has=screen.page.locator("td"))
    expect(rows).to_have_count(len(lines))
    for number, line in enumerate(lines):
        answered = json.loads(rows.nth(number).locator("td").last.inner_text())
        assert {key: answered[key] for key in line["a"]} == line["a"]


def test_a_text_that_is_nothing_known_is_refused_with_a_reason(screen: Screen) -> None:
    screen.forgiven = ("status of 4",)  # the browser itself says that the answer was a refusal
    paste(screen, "once upon a time")
    expect(screen.get("trouble")).to_contain_text("once upon a time")
