"""How the page looks and speaks, what can be taken back, and the house rules that a table is made with."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from e2e.pages import GAMES, Json, Mouse, Player, Screen, bold, dimmed, texts

Window = Callable[..., Screen]
PASTED = (Path(__file__).parents[1] / "data" / "golden" / "texas42-30-trump-0.txt").read_text("utf-8")

# -- languages

KEY = re.compile(r"\b(?:page|frame|lobby|table|teach|review|faces|card|house)\.[a-z]")
ENGLISH = re.compile(
    r"\b(?:the|seat|of|is|are|with|and|your|you|has|have|it|to|from|who|this|that|cards?|tiles?|trick|plays?|led|"
    r"leads|points?|deals?|fours|fives|sixes|treys|deuces|blanks|trumps|spades|hearts|diamonds|clubs)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z]{3,}")
# names of people and games, ids of rules, and what both languages call the same
SAME = re.compile(
    r"Renege|rbtying|Texas 42|Texas A&M|Tractor|Schafkopf|NetSchafkopf|SPOJ|Plunge|Splash|Ada|Ben|Cleo|Dan|"
    r"Esc|Shift|Home|End|Tab|(?:texas42|tractor|schafkopf)\.[\w-]+|https?://\S+|\b[UHLFBS]\b"
)
GERMAN = re.compile(
    r"Rufspiel|Solo|Wenz|Geier|Farbwenz|Farbgeier|Bettel|Tout|Ramsch|Hochzeit|Sie|Eichel|Gras|Herz|Schellen|Ober|Unter|"
    r"Stoss|Trumpf|Nello|Splash|Plunge|Name|Joker|Level",
    re.IGNORECASE,
)
LANGUAGES = {"de": "de", "zh": "zh-Hans"}


def untranslated(before: set[str], after: set[str], language: str) -> set[str]:
    """What is English still, or was never put into words."""
    found = {text for text in after if KEY.search(SAME.sub("", text))}
    for text in after:
        rest = SAME.sub(" ", text)
        if language == "zh":
            found |= {text} if WORD.search(rest) else set()
        else:
            rest = GERMAN.sub(" ", rest)
            same = text in before and WORD.search(rest)
            found |= {text} if same or ENGLISH.search(rest) else set()
    return found


def speak(screen: Screen, language: str) -> None:
    """Chooses a language on whatever page this is."""
    if not screen.get("language").count():
        screen.get("tool-settings").click()
        screen.get("language").select_option(language)
        screen.get("close").click()
    else:
        screen.get("language").first.select_option(language)
    expect(screen.page.locator("html")).to_have_attribute("lang", LANGUAGES.get(language, "en"))


def in_all_languages(screen: Screen, arrive: Callable[[], None], fewest: int = 8) -> None:
    """Goes there in each language, and compares what is written."""
    speak(screen, "en")
    arrive()
    english = texts(screen)
    assert len(english) >= fewest, english
    assert not [text for text in english if KEY.search(SAME.sub("", text))]
    for language in LANGUAGES:
        speak(screen, language)
        arrive()
        screen.settle()
        left: list[set[str]] = []

        def all_translated(language: str = language, left: list[set[str]] = left) -> bool:
            left[:] = [untranslated(english, texts(screen), language)]
            return not left[0]

        try:
            screen.until(all_translated, "", seconds=6)
        except AssertionError:
            pytest.fail(f"{language}: {sorted(left[0])}")
    speak(screen, "en")


def test_the_lobby_speaks_three_languages(screen: Screen) -> None:
    screen.open("/").get("more-texas42").wait_for()
    in_all_languages(screen, lambda: screen.get("play-texas42").wait_for())
    for game in GAMES:
        screen.get(f"more-{game}").click()
        screen.get("all-rules").locator("summary").first.click()
        screen.get("all-rules").locator("details").first.wait_for()
        in_all_languages(screen, lambda: None, fewest=60)


def test_a_pasted_text_is_answered_in_three_languages(screen: Screen) -> None:
    screen.open("/paste")
    in_all_languages(screen, lambda: screen.get("paste-text").wait_for(), fewest=6)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_speaks_three_languages(screen: Screen, game: str) -> None:
    mouse = Mouse(screen)
    player = Player(screen.make(game, name="Ada"), mouse)
    in_all_languages(screen, lambda: screen.get("calls").wait_for())

    def refused() -> None:
        wrong = next(held for held in screen.hand() if held["playable"] == "false")
        if wrong["card"] not in screen.raised():
            mouse.raises(wrong["key"], alone=True)
        screen.until(lambda: not screen.heard_after(mouse.plays), "an illegal play was taken")
        screen.get("rule").click()

    def hinted() -> None:
        if not screen.get("hint-play").count():
            screen.get("tool-hint").click()
            screen.get("hint-more").click()
        screen.get("odds").or_(screen.get("hint-only")).wait_for()

    def panel(name: str) -> Callable[[], None]:
        def arrive() -> None:
            if screen.get(f"tool-{name}").get_attribute("aria-pressed") != "true":
                screen.get(f"tool-{name}").click()
            screen.get({"belief": "heat"}.get(name, name)).wait_for()

        return arrive

    player.until(lambda state: dimmed(state) and bool(state["last_trick"]))
    in_all_languages(screen, refused)
    in_all_languages(screen, hinted)
    screen.page.keyboard.press("Escape")
    for name in ("belief", "sheet", "help"):
        in_all_languages(screen, panel(name))
    player.deal()
    in_all_languages(screen, lambda: screen.get("result").wait_for())


def test_the_review_speaks_three_languages(screen: Screen) -> None:
    screen.open("/paste").get("paste-text").fill(PASTED)
    screen.get("paste-send").click()
    screen.get("board").wait_for()
    screen.page.keyboard.press("End")
    screen.get("believed").locator("summary").first.click()

    def arrive() -> None:
        screen.get("heat").wait_for()
        screen.until(lambda: screen.get("costs").count() > 0 or bool(screen.troubles), "no costs are told", seconds=90)

    in_all_languages(screen, arrive)


# -- light and dark, four colours


def background(screen: Screen) -> float:
    """How light the page is, from 0 to 255."""
    script = """(place) => {
      const colour = (one) => getComputedStyle(one).backgroundColor;
      while (place.parentElement && /, 0\\)$/.test(colour(place))) place = place.parentElement;
      return colour(place);
    }"""
    colour = screen.page.get_by_role("heading", level=1).first.evaluate(script)
    red, green, blue = map(float, re.findall(r"[\d.]+", colour)[:3])
    return (red + green + blue) / 3


def test_light_and_dark(screens: Window) -> None:
    screen = screens(color_scheme="dark")
    screen.open("/").get("play-texas42").wait_for()
    assert background(screen) < 80, "the page does not follow the system"
    screen.make("texas42")
    screen.get("tool-settings").click()
    screen.get("theme").select_option("light")
    screen.until(lambda: background(screen) > 180, "it stays dark")
    screen.get("theme").select_option("dark")
    screen.until(lambda: background(screen) < 80, "it stays light")
    screen.page.emulate_media(color_scheme="light")
    screen.settle()
    assert background(screen) < 80, "what was chosen does not stay"
    screen.page.reload()
    screen.get("hand").wait_for()
    assert background(screen) < 80, "what was chosen is not kept"


def inks(screen: Screen) -> dict[str, frozenset[str]]:
    """The colours that the cards of each suit are printed in."""
    script = """(all) => all.map((one) => [one.dataset.card[0],
        [...one.querySelectorAll("svg *")].map((part) => getComputedStyle(part).fill)])"""
    found: dict[str, set[str]] = {}
    for suit, fills in screen.page.locator('[data-testid="hand"] button[data-card]').evaluate_all(script):
        found.setdefault(suit, set()).update(fills)
    return {suit: frozenset(fills) for suit, fills in found.items()}


def test_four_colours(screen: Screen) -> None:
    screen.make("tractor").my_turn()
    two = inks(screen)
    assert two["H"] == two["D"] != two["S"] == two["C"]
    screen.get("tool-settings").click()
    screen.get("settings").get_by_label("Four colours").check()
    screen.until(lambda: len({inks(screen)[suit] for suit in "SHDC"}) == 4, "two suits look alike", seconds=5)


# -- undo


def test_an_act_is_taken_back_until_a_bot_has_acted(screens: Window) -> None:
    screen = screens()
    screen.make("texas42", pace=3000)
    state = screen.my_turn()
    before = (state["hand"], state["calls"])
    assert screen.heard_after(lambda: Mouse(screen).says(bold(state)))
    assert screen.state["may_undo"] and screen.state["turn"] != 0
    assert screen.heard_after(lambda: screen.page.keyboard.press("u"))
    state = screen.my_turn()
    assert (state["hand"], state["calls"]) == before and state["seats"][0]["said"] == ""

    assert screen.heard_after(lambda: Mouse(screen).says("pass"))
    number = screen.state["number"]
    screen.until(lambda: screen.state["number"] > number, "no bot acts")  # now something was shown
    screen.settle()
    number = screen.state["number"]
    assert not screen.state["may_undo"]
    expect(screen.get("tool-undo")).to_have_attribute("aria-disabled", "true")
    screen.page.keyboard.press("u")
    expect(screen.get("live")).to_have_text("This cannot be taken back.")
    assert screen.state["number"] in (number, number + 1), "something was taken back"
    assert screen.state["seats"][0]["said"] != ""


# -- house rules


def test_a_table_has_the_rules_it_was_made_with(screen: Screen) -> None:
    asked: list[Json] = screen.context.request.get(f"{screen.address}/api/games").json()
    game = next(card for card in asked if card["game"] == "texas42")
    preset = game["presets"]["tournament"]
    rule = next(rule for rule in game["rules"] if rule["choices"] and rule["name"] not in preset)
    other = next(choice for choice in rule["choices"] if choice["value"] != rule["default"])

    screen.open("/").get("more-texas42").click()
    screen.get("pace").select_option("0")
    screen.get("preset").select_option("tournament")
    screen.get("all-rules").locator("summary").first.click()
    screen.get(f"rule-{rule['name']}").locator("summary").click()
    expect(screen.get(f"rule-{rule['name']}")).to_contain_text(rule["question"])
    screen.get(f"rule-{rule['name']}").get_by_label(other["text"]).check()
    screen.get("make").click()
    screen.until(lambda: bool(screen.state), "the table says nothing")
    assert screen.state["rules"] == {**preset, rule["name"]: other["value"]}


def test_a_house_rule_is_in_force(screen: Screen) -> None:
    """Without nello, splash and plunge, nobody can call them."""
    screen.open("/").get("more-texas42").click()
    screen.get("pace").select_option("0")
    screen.get("preset").select_option("tournament")
    screen.get("make").click()
    screen.until(lambda: bool(screen.state), "the table says nothing")
    state = Player(screen, Mouse(screen)).until(lambda state: any("trump" in call["what"] for call in state["calls"]))
    said = [call["what"] for call in state["calls"]]
    assert "trump 5" in said and not any("nello" in what or "sevens" in what for what in said)
    expect(screen.page.locator('[data-call^="nello"]')).to_have_count(0)
