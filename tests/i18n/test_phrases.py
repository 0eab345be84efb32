"""Is everything said in all three languages? Templates are held against the source and against random deals."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from renege.core.house_rules import choices_of, question_of
from renege.core.registry import GAMES
from renege.i18n import LANGUAGES, Speech, speech_in, text, texts
from renege.i18n.phrases import LONGEST, slots_of
from support.sentences import SLOT, fits, in_source, met
from support.steering import SOAK

DATA = Path(__file__).parents[1] / "data"
NAMES = ("Anna", "Ben", "Clara", "David")
OTHERS = ("de", "zh")
SECTIONS = ("page", "house", "cards", "games")
DEALS = {"texas42": 100, "tractor": 6, "schafkopf": 80}

# what is the same word in German as in English
SAME = {
    "Texas 42", "Schafkopf", "Eichel", "Gras", "Herz", "Schellen", "Schneider", "Schwarz", "Rufspiel", "Hochzeit",
    "Bettel", "Farbgeier", "Geier", "Farbwenz", "Wenz", "Solo", "Tout", "Sie", "Ramsch", "Ober", "Unter", "Partner",
    "{game} Tout", "{a} (in {quoted})", "{high}-{low}", "Auto", "{seconds} s",
}  # fmt: skip

# modules whose sentences nobody at a table hears: other ways to ask, and what was found out about them
UNHEARD = re.compile(
    r"(native|cli|arena|figures|survey|selfplay|adapters|ask|core/position_text"
    r"|games/(wire|testing|solution|openings)|agents/regret)"
    r"|.*/(packed|small|strategy|abstract_strategy|openings|wire\w*)\.py"
)
HEARD = {"Objection", "_renege", "Advice", "Rule", "NotationError", "WrongPhase", "NoWorldLeft"}
AT_THE_TABLE = {
    "say", "not_now", "no_play", "no_undo", "no_seat", "Proof", "Refusal", "HTTPException", "trouble", "BrokenTable",
}  # fmt: skip


def pairs(language: str) -> Iterator[tuple[str, str]]:
    """Every English text or template, and what it is in another language."""
    yield from texts(language)["told"].items()
    for section in SECTIONS:
        english = texts("en")[section]
        yield from ((english[key], found) for key, found in texts(language)[section].items() if key in english)


def equal_by_nature(template: str) -> bool:
    """Has a template nothing to translate in it?"""
    return not re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", template))


# -- the catalogues


@pytest.mark.parametrize("section", SECTIONS)
def test_all_languages_have_the_same_keys(section: str) -> None:
    english = texts("en")[section]
    assert english
    for language in OTHERS:
        keys = {key for key in texts(language)[section] if section != "house" or ".preset." in key}
        assert keys ^ english.keys() == set(), language


def test_all_languages_have_the_same_templates() -> None:
    assert "told" not in texts("en")
    assert texts("de")["told"].keys() ^ texts("zh")["told"].keys() == set()


def test_no_key_stands_in_two_sections() -> None:
    for language in LANGUAGES:
        keys = [key for section in SECTIONS for key in texts(language)[section]]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", OTHERS)
def test_the_slots_of_a_text_appear_in_its_translation(language: str) -> None:
    missing = [(template, found) for template, found in pairs(language) if slot_names(template) != slot_names(found)]
    assert not missing


def slot_names(template: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", template)))


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_the_english(language: str) -> None:
    same = {template for template, found in pairs(language) if template == found and not equal_by_nature(template)}
    assert same <= (SAME if language == "de" else set())


def test_chinese_has_no_english_words() -> None:
    """Only rule names, quoted notation, names of bids and of programs may be in Latin letters."""
    names = r"NetSchafkopf|sauspiel\.de|Schieber|Splash|Plunge|kB|Home|End|Shift"
    quoted = rf"'[^']*'|\{{\w+\}}|{names}|target|stoss_limit|lang|pass、.*"
    for section in (*SECTIONS, "told"):
        for key, found in texts("zh")[section].items():
            assert not re.search(r"[a-z]{2}", re.sub(quoted, "", found)), (key, found)


# -- house rules


@pytest.mark.parametrize("game", GAMES)
def test_house_rules_have_their_question_and_a_sentence_for_every_choice(game: str) -> None:
    """In English they stand with the rules, in other languages here."""
    english = house_rules(game)
    assert all(sentence.endswith(".") for sentence in english.values())
    for language in OTHERS:
        known = {key for key in texts(language)["house"] if key.startswith(f"house.{game}.") and ".preset." not in key}
        assert known ^ english.keys() == set(), language
    presets = {key for key in texts("en")["house"] if key.startswith(f"house.{game}.")}
    assert presets == {f"house.{game}.preset.{name}" for name in GAMES[game].PRESETS}


def house_rules(game: str) -> dict[str, str]:
    """The questions and the choices of a game's house rules, by the keys that other languages have for them."""
    found: dict[str, str] = {}
    for field in fields(GAMES[game].Rules):
        key = f"house.{game}.{field.name}"
        found[key] = question_of(field)
        found |= {f"{key}.{name}": sentence for name, sentence in choices_of(field).items()}
    return found


def test_a_keyed_text_is_filled_in() -> None:
    assert text("de", "card.french", suit="Herz", rank="König") == "Herz-König"
    assert text("zh", "games.tractor.title") == "拖拉机"
    with pytest.raises(KeyError):
        text("de", "no.such.key")
    with pytest.raises(ValueError, match="'fr' is no language here"):
        texts("fr")


# -- sentences


def examples() -> list[tuple[str, str, str]]:
    lines = (DATA / "words.txt").read_text("utf-8").splitlines()
    rows = [tuple(part.strip() for part in line.split(" | ")) for line in lines if line and not line.startswith("#")]
    return [(english, german, chinese) for english, german, chinese in rows]


@pytest.mark.parametrize(("english", "german", "chinese"), examples())
def test_a_sentence_as_it_was_checked_by_hand(english: str, german: str, chinese: str) -> None:
    assert Speech("de", NAMES).say(english) == german
    assert Speech("zh", NAMES).say(english) == chinese


def test_the_table_of_examples_is_long_enough() -> None:
    assert len(examples()) >= 40


FILLING = {
    "cards": "HK", "n": "7", "numbers": "1 2", "rank": "T", "rule": "tractor.bury", "node": "A1", "name": "all_pass",
    "player": "Bob", "quoted": "'x'", "rest": "rest", "seat": "seat 1", "who": "2", "whos": "2 3", "side": "side 0",
}  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_a_template_tells_what_it_was_made_for(language: str) -> None:
    """Each is filled with words that fit; what it says is its own translation, and none is hidden by another."""
    seat, side = (lambda n: text(language, "seat.unnamed", n=n)), text(language, "side.unnamed", n=0)
    places = {"seat": seat(1), "who": seat(2), "whos": f"{seat(2)}, {seat(3)}", "side": side}
    for template, translation in texts(language)["told"].items():
        kinds = {slot: slot.rstrip("0123456789") for slot in slots_of(template)}
        english = {slot: FILLING.get(kind, "hearts") for slot, kind in kinds.items()}
        told = {slot: places.get(kind) or Speech(language).say(english[slot]) for slot, kind in kinds.items()}
        assert Speech(language).say(filled(template, english)) == filled(translation, told)


def filled(template: str, slots: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: slots[slot[1]], template)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_stand_for_seats(language: str) -> None:
    sentence = "seat 2 is said to lead, and seat 0 is to"
    named, unnamed = speech_in(language, NAMES).say(sentence), Speech(language).say(sentence)
    assert "Clara" in named and "Anna" in named
    seats = [text(language, "seat.unnamed", n=n) for n in (2, 0)]
    assert unnamed == named.replace("Clara", seats[0]).replace("Anna", seats[1])
    assert "Clara" in Speech(language, NAMES).say("31 by 2 made with 35 points, 1-0")
    assert "Ben & David" in Speech(language, NAMES).say("attackers 0, levels 2 5, next banker 2, side 1 has won")
    assert "Ben, David" in Speech(language, NAMES).say("solo G by 0 stoss 1 3")


def test_english_stays_as_it_is_but_for_names() -> None:
    for template in texts("de")["told"]:
        assert Speech("en").say(template) == template
        assert Speech("en", NAMES).say(template) == template
    assert Speech("en", NAMES).say("nobody ever said this of seat 3") == "nobody ever said this of David"
    assert Speech("en").say("30 by 2 made with 30 points, 1-0") == "30 by 2 made with 30 points, 1-0"


def test_a_name_is_only_a_name() -> None:
    """What players call themselves is no template and no seat."""
    odd = ("{cards}", "seat 1", "\\1", "")
    assert Speech("de", odd).say("seat 0 passes") == "{cards} sagt weiter"
    assert Speech("en", odd).say("seat 1 passes") == "seat 1 passes"
    assert Speech("zh", odd).say("seat 2 passes") == "\\1过"


def test_what_is_unknown_stays_english() -> None:
    assert not Speech("de").knows("six of one")
    assert Speech("de", NAMES).say("six of one to seat 1") == "six of one to Ben"
    assert not Speech("zh").knows("HK does not follow the crowd")
    assert Speech("zh").say("HK does not follow the crowd") == "HK does not follow the crowd"
    long = "line 1: '" + "a, " * LONGEST + "'"
    assert Speech("de").say(long) == long


# -- is every sentence known?


def test_every_sentence_in_the_source_has_a_template() -> None:
    templates, speech = list(texts("de")["told"]), Speech("de")
    unknown = [
        f"{where}: {sentence.replace(SLOT, '...')}"
        for folder, callees in (("**/*.py", HEARD), ("server/**/*.py", AT_THE_TABLE))
        for where, sentence in in_source(folder, callees)
        if not UNHEARD.match(where.partition(":")[0])
        and not speech.knows(sentence)
        and not any(fits(sentence, template) for template in templates)
    ]
    assert not unknown, "\n".join(unknown)


@pytest.mark.parametrize("language", OTHERS)
def test_the_sentences_of_the_table_are_known(language: str) -> None:
    """The table lists what it says, with slots named as here."""
    pytest.importorskip("pydantic")
    from renege.server.tables import history
    from support.server_deals import ALL_SENTENCES

    words = {"kind": "Solo", "bid": "1 mark", "tile": "tile", "what": "HK", "call": "splash", "number": "3"}
    for sentence in (*ALL_SENTENCES, *history.SENTENCES):
        slots = {slot: (FILLING | words).get(slot.rstrip("0123456789"), "hearts") for slot in slots_of(sentence)}
        assert Speech(language).knows(filled(sentence, slots)), sentence


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_that_is_met_is_known(game: str) -> None:
    speeches = [Speech(language) for language in OTHERS]
    unknown: dict[str, None] = {}
    count = 0
    for sentence in met(game, DEALS[game] * SOAK):
        count += 1
        if not all(speech.knows(sentence) for speech in speeches):
            unknown[sentence] = None
    assert count > 1000
    assert not unknown, "\n".join(list(unknown)[:50])
