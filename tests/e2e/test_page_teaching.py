"""What the page teaches: why a play was refused and what would do, a hint in two steps, and who may hold what."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from e2e.pages import CARD, GAMES, PHONE, WIDE, Fingers, Json, Keys, Mouse, Player, Screen, dimmed, like, name_of

RULES = Path(__file__).parents[2] / "docs" / "rules"
REMEMBER = """
window.said = [];
new MutationObserver(() => {
  const now = document.querySelector('[data-testid="live"]')?.textContent ?? "";
  if (now && now !== window.said.at(-1)) window.said.push(now);
}).observe(document, {subtree: true, childList: true, characterData: true});
"""

# what reaches beyond the sides of a box
OUTSIDE = """(box) => {
  const {left, right} = box.getBoundingClientRect();
  return [...box.querySelectorAll("th, td, svg, strong")].filter((one) => {
    const at = one.getBoundingClientRect();
    return at.width && (at.left < left || at.right > right);
  }).map((one) => one.outerHTML);
}"""


def ask(screen: Screen, path: str) -> Any:
    """What the server says to the same browser."""
    state = screen.state
    answer = screen.context.request.get(f"{screen.address}/api/tables/{state['table']}{path.format(seat=state['me'])}")
    assert answer.status == 200, answer.text()
    return answer.json()


# -- refusals


@pytest.mark.parametrize("way", [Mouse, Keys])
@pytest.mark.parametrize("game", GAMES)
def test_a_refused_play_says_why_and_what_would_do(screen: Screen, game: str, way: type[Mouse] | type[Keys]) -> None:
    player = Player(screen.make(game), way(screen))
    player.until(dimmed)
    hand, trick, number = screen.hand(), screen.trick_shown(), screen.state["number"]
    wrong = next(held for held in hand if held["playable"] == "false")
    why = next(held["why"] for held in screen.state["hand"] if held["card"] == wrong["card"])
    assert why
    for held in hand:  # nothing else is raised
        if held["raised"] == "true":
            player.fingers.raises(held["key"])

    player.fingers.raises(wrong["key"], alone=True)
    assert wrong["card"] in screen.raised()
    expect(screen.get("live")).to_have_text(like(why))
    assert not screen.heard_after(player.fingers.plays), "an illegal play was taken"

    refusal, told = screen.get("refusal"), screen.refusals[-1]
    expect(refusal).to_be_visible()
    assert told["code"] == "illegal" and told["rule"].startswith(f"{game}.")
    assert f"### {told['rule']}\n" in (RULES / f"{game}.md").read_text("utf-8")
    expect(screen.get("rule")).to_contain_text(told["rule"])
    expect(refusal).to_contain_text(like(told["text"]))
    player.fingers.presses("rule")
    expect(refusal.get_by_text(like(told["sentence"]))).to_be_visible()
    assert told["sentence"] and CARD.search(told["instead"])
    expect(screen.get("instead")).to_contain_text(like(told["instead"]))

    # nothing has changed at the table
    assert [held["key"] for held in screen.hand()] == [held["key"] for held in hand]
    assert screen.on_table() == trick
    assert screen.state["number"] == ask(screen, "/state?seat={seat}")["number"] == number

    player.fingers.presses("instead")
    assert sorted(screen.raised()) == sorted(CARD.findall(told["instead"]))
    expect(refusal).to_be_hidden()
    assert screen.heard_after(player.fingers.plays), "what would do would not do"


def test_the_units_of_a_lead_are_told_while_they_are_chosen(screen: Screen) -> None:
    player = Player(screen.make("tractor"), Mouse(screen))
    player.until(lambda state: state["phase"] == "play" and not (state["trick"] and state["trick"]["plays"]))
    suits: dict[str, list[Json]] = {}
    for held in screen.state["hand"]:
        suits.setdefault(held["suit"], []).append(held)
    keys = {held["key"]: held["card"] for held in screen.hand()}
    longest = max(suits.values(), key=len)
    wanted = {longest[0]["card"], longest[-1]["card"]}  # a throw: the highest and the lowest of a suit
    for key, card in keys.items():
        if card in wanted:
            player.fingers.raises(key, alone=True)
            wanted -= {card}
    expect(screen.get("unit")).to_have_count(2)
    safe = [unit.get_attribute("data-safe") for unit in screen.get("unit").all()]
    told = screen.context.request.post(
        f"{screen.address}/api/tables/{screen.state['table']}/seats/0/check", data={"what": " ".join(screen.raised())}
    ).json()
    assert safe == [str(unit["safe"]).lower() for unit in told["units"]]
    for shown, unit in zip(screen.get("unit").all(), told["units"], strict=True):
        expect(shown).to_contain_text(like(unit["why"]))
    if told["stands"] is not None:
        expect(screen.get("stands")).to_contain_text(re.compile(r"\d\s?%"))


# -- hints


def test_a_hint_where_there_is_no_choice_says_so(screen: Screen) -> None:
    player = Player(screen.make("texas42"), Mouse(screen))
    player.until(lambda s: s["phase"] == "play" and len(s["hand"]) > 1 and sum(c["playable"] for c in s["hand"]) == 1)
    screen.page.keyboard.press("h")
    screen.get("hint-more").click()
    expect(screen.get("hint-only")).to_have_text("there is no other choice")
    expect(screen.get("odds")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_what_may_be_buried_is_told_with_its_means(screen: Screen, size: tuple[int, int]) -> None:
    player = Player(screen.make("tractor"), Mouse(screen))
    player.until(lambda state: bool(state["choose"]) and state["choose"]["verb"] == "bury")
    screen.resize(size)
    screen.get("tool-hint").click()
    screen.get("hint-more").click()
    screen.get("odds").wait_for()
    outside = screen.get("hint").locator("xpath=..").evaluate(OUTSIDE)
    assert outside == []
    assert screen.no_sideways()


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_comes_in_two_steps(screen: Screen, game: str) -> None:
    player = Player(screen.make(game), Mouse(screen))
    player.until(lambda state: state["phase"] == "play" and sum(card["playable"] for card in state["hand"]) > 3)
    screen.page.keyboard.press("h")
    group = screen.get("hint-group")
    expect(group).to_be_visible()
    first = next(answer for answer in reversed(screen.answers) if "/hint?" in answer.url).json()
    assert first["step"] == 1 and not first["what"] and not first["text"] and not first["estimates"]
    expect(group).to_contain_text(like(first["group"]))
    assert not CARD.search(group.inner_text()), "the first step names a card"
    expect(screen.get("hint-play")).to_have_count(0)
    expect(screen.get("odds")).to_have_count(0)
    assert screen.raised() == []

    screen.page.keyboard.press("h")
    expect(screen.get("hint-play")).to_be_visible()
    second = next(answer for answer in reversed(screen.answers) if "step=2" in answer.url).json()
    expect(screen.get("hint-play")).to_contain_text(like(second["text"]))
    assert sorted(screen.raised()) == sorted(second["cards"]) and second["cards"]
    assert set(second["cards"]) <= set(first["cards"])
    rows = screen.get("odds").get_by_role("row").filter(has=screen.page.locator("td"))
    assert rows.count() == min(4, len(second["estimates"]))
    best = second["estimates"][0]
    assert best["low"] <= best["mean"] <= best["high"] and best["worlds"] > 0
    number = r"[−-]?\d+(?:\.\d+)?"
    expect(rows.first).to_contain_text(re.compile(rf"{number}\s*\({number} to {number}\)"))

    held = len(screen.hand())
    assert screen.heard_after(lambda: player.fingers.presses("hint-do"))
    screen.until(lambda: len(screen.hand()) == held - len(second["cards"]), "the advice was not played")
    expect(screen.get("hint")).to_have_count(0)


# -- beliefs


def test_the_belief_view_counts_deals_exactly(screen: Screen) -> None:
    screen.make("texas42").my_turn()
    screen.page.keyboard.press("b")
    expect(screen.get("deals")).to_contain_text("399,072,960")  # 21 tiles in three hands of seven
    believed = ask(screen, "/seats/{seat}/belief")
    cells = screen.page.locator('[data-testid^="odds-"]')
    assert cells.count() == 21 * 3 == len(believed["cards"]) * len(believed["piles"])
    for cell in cells.all_inner_texts():
        assert re.fullmatch(r"33(\.3)?\s?%?", cell.strip()), cell  # nothing is known yet
    screen.get("tool-belief").click()
    expect(screen.get("belief")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_the_belief_view_has_evidence_for_a_zero(screen: Screen, game: str) -> None:
    found: list[Json] = []

    def zero(state: Json) -> bool:
        if state["phase"] != "play" or len(state["hand"]) > (20 if game == "tractor" else 6):
            return False
        found[:] = [ask(screen, "/seats/{seat}/belief")]
        return any(card["why"] and 0 in card["odds"].values() for card in found[0]["cards"])

    Player(screen.make(game), Mouse(screen)).until(zero)
    believed = found[0]
    screen.get("tool-belief").click()
    expect(screen.get("heat")).to_be_visible()
    short = re.sub(r"\D", "", screen.get("deals").text_content() or "")
    assert believed["exact"] and (believed["deals"] in short or believed["deals"] == "1")
    for card in believed["cards"]:
        for pile, odds in card["odds"].items():
            text = screen.get(f"odds-{card['card']}-{pile}").text_content() or ""
            assert re.search(r"\d", text) if odds else "impossible" in text, (card, text)

    names = {str(seat): shown["place"]["name"] for seat, shown in enumerate(screen.state["seats"])}
    card, pile = next(
        (card, pile)
        for card in believed["cards"]
        for pile, odds in card["odds"].items()
        if not odds and any(names.get(pile, "the kitty") in why for why in card["why"])
    )
    screen.get(f"odds-{card['card']}-{pile}").hover()
    evidence = screen.get("evidence")
    expect(evidence).to_contain_text("impossible")
    expect(evidence.get_by_role("listitem").first).to_contain_text(re.compile(r"\w"))
    shown = evidence.get_by_role("listitem").all_inner_texts()
    assert shown and all(any(like(why).fullmatch(line) for why in card["why"]) for line in shown)
    if believed["facts"]:
        expect(screen.get("facts").get_by_role("listitem")).to_have_count(len(believed["facts"]))


# -- for people who hear the page


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_happens_is_said(screens: Any, game: str) -> None:
    screen: Screen = screens(PHONE)
    screen.context.add_init_script(REMEMBER)
    fingers: Fingers = Mouse(screen)
    player = Player(screen.make(game), fingers)
    expect(screen.get("live")).to_have_attribute("aria-live", "polite")
    player.until(lambda state: state["phase"] == "play" and len(state["hand"]) < (23 if game == "tractor" else 6))
    said = screen.page.evaluate("window.said")
    frames = [frame for text in screen.frames if (frame := json.loads(text))["type"] == "moved"]
    events = {event["number"]: event["text"] for frame in frames[1:] for event in frame["events"] if event["text"]}
    assert len(events) > 8
    everything = " ".join(said)
    for text in events.values():
        assert like(text.rstrip(".")).search(everything), f"{text!r} was not said"
    turns = sum(frame["state"]["asked"] for frame in frames)
    assert sum("Your turn" in text for text in said) >= turns - 1 > 2


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_a_name(screen: Screen, game: str) -> None:
    state = screen.make(game).my_turn()
    hand = screen.hand()
    assert [held["card"] for held in hand] == [held["card"] for held in state["hand"]]
    for held in hand:
        assert held["name"] == name_of(held["card"], game)
        expect(screen.get("hand").get_by_role("button", name=held["name"], exact=True).first).to_be_visible()
    Player(screen, Mouse(screen)).until(lambda state: bool(state["trick"] and state["trick"]["plays"]))
    for play in screen.state["trick"]["plays"]:
        for card in play["cards"]:
            expect(screen.get("trick").get_by_role("img", name=name_of(card, game), exact=True).first).to_be_visible()
