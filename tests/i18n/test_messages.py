"""Is everything said in all three languages? The catalogues are held against the source and against random deals."""

import pickle
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from renege.core.house_rules import choices_of, question_of
from renege.core.registry import GAMES
from renege.i18n import LANGUAGES, Message, Speech, join, say, text, texts
from support.sentences import IN_PARTS, in_source, met, miscounted, templates_in_source, unknown, written
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
    r"(native|cli|arena|figures|survey|selfplay|adapters|ask|core/position_text|core/solution"
    r"|games/(wire|testing|openings)|agents/regret)"
    r"|.*/(packed|small|strategy|openings|wire\w*)\.py"
)
HEARD = {
    "say", "on_line", "Objection", "_renege", "_clash", "Advice", "Rule", "NotationError", "WrongPhase", "NoWorldLeft",
}  # fmt: skip
CALLED = re.compile(r"(trump|nello|follow-me|rufspiel|solo|farbwenz|farbgeier)( [a-zA-Z0-9-]+)*")
AT_THE_TABLE = {
    "Declined", "Proof", "Refusal", "HTTPException", "trouble", "BrokenTable",
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
    names = r"NetSchafkopf|rbtying/shengji|rbtying|sauspiel\.de|Schieber|Splash|Plunge|kB|Home|End|Shift"
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


# -- messages


def test_a_message_is_its_english_and_knows_its_template() -> None:
    said = say("{seat} has no {suit}", 2, say("{a} and {b}", "hearts", "spades"))
    assert said == "seat 2 has no hearts and spades" and isinstance(said, str)
    assert said.template == "{seat} has no {suit}" and said.slots["seat"] == 2
    assert f"{said}." == "seat 2 has no hearts and spades."
    assert say("{a} starts with '{', {b}", "x", "y") == "x starts with '{', y"
    with pytest.raises(IndexError):
        say("{a} {b}", "c")


def test_a_message_stays_one_in_an_error_and_in_another_process() -> None:
    said = say("{seat}: {why}", 1, say("{cards} does not follow {suit}", "HK", "spades"))
    again = pickle.loads(pickle.dumps(ValueError(said)))
    told = str(again)
    assert isinstance(told, Message) and told == said and told.slots == said.slots
    assert isinstance(told.slots["why"], Message)


def test_parts_are_joined() -> None:
    assert join(", ", []) == "" and join(", ", ["hearts"]) == "hearts"
    said = join(", ", ["hearts", "spades", say("{seat} passes", 0)])
    assert said == "hearts, spades, seat 0 passes"
    assert Speech("zh", NAMES).say(said) == "红桃，黑桃，Anna过"


def examples() -> list[list[str]]:
    lines = (DATA / "words.txt").read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(("made", "english", "german", "chinese"), examples())
def test_a_message_as_it_was_checked_by_hand(made: str, english: str, german: str, chinese: str) -> None:
    said = eval(made, {"say": say, "join": join})
    assert said == english
    assert Speech("de", NAMES).say(said) == german
    assert Speech("zh", NAMES).say(said) == chinese


def test_the_table_of_examples_is_long_enough() -> None:
    assert len(examples()) >= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_stand_for_seats(language: str) -> None:
    said = say("{seat} is said to lead, and {seat2} is to", 2, 0)
    named, unnamed = Speech(language, NAMES).say(said), Speech(language).say(said)
    assert "Clara" in named and "Anna" in named
    seats = [text(language, "seat.unnamed", n=n) for n in (2, 0)]
    assert unnamed == named.replace("Clara", seats[0]).replace("Anna", seats[1])
    several = say("one of seats {whos} had {unit} above step {n} in {suit} {when} ({rule})", "1 3", *("",) * 5)
    assert "Ben, David" in Speech(language, NAMES).say(several)


def test_english_stays_as_it_is_but_for_names() -> None:
    said = say("{seat} takes {n}, and {who} none", 1, 30, 3)
    assert Speech("en").say(said) == said == "seat 1 takes 30, and 3 none"
    assert Speech("en", NAMES).say(said) == "Ben takes 30, and David none"
    assert Speech("en", NAMES).say("nobody ever said this of seat 3") == "nobody ever said this of David"


def test_a_name_is_only_a_name() -> None:
    """What players call themselves is no template, no seat and no word."""
    odd = ("{cards}", "seat 1", "\\1", "Herz")
    assert Speech("de", odd).say(say("{seat} passes", 0)) == "{cards} sagt weiter"
    assert Speech("en", odd).say(say("{seat} passes", 1)) == "seat 1 passes"
    assert Speech("zh", odd).say(say("{seat} passes", 2)) == "\\1过"
    assert Speech("zh", odd).say(say("{seat} passes", 3)) == "Herz过"
    assert Speech("zh").say(say("{a}: {quoted}", "hearts", "hearts")) == "红桃：hearts"


def test_what_is_unknown_stays_english() -> None:
    assert Speech("de", NAMES).say("six of one to seat 1") == "six of one to Ben"
    assert Speech("zh").say("HK does not follow spades") == "HK does not follow spades"
    assert Speech("zh").say(say("{cards} does not like {suit}", "HK", "hearts")) == "HK does not like 红桃"


# -- is everything in the catalogue, and nothing else?


def test_every_message_in_the_source_has_a_translation() -> None:
    told = texts("de")["told"]
    missing = [f"{where}: {template}" for where, template in templates_in_source() if template not in told]
    assert not missing, "\n".join(missing)
    assert not list(miscounted())


def test_every_sentence_in_the_source_has_a_translation() -> None:
    told = texts("de")["told"]
    missing = [
        f"{where}: {sentence}"
        for folder, callees in (("**/*.py", HEARD), ("server/**/*.py", AT_THE_TABLE))
        for where, sentence in in_source(folder, callees)
        if not UNHEARD.match(where.partition(":")[0])
        and not (isinstance(sentence, str) and sentence in told)
        and not (isinstance(sentence, re.Pattern) and any(map(sentence.fullmatch, told)))
    ]
    assert not missing, "\n".join(missing)


def test_everything_in_the_catalogue_is_said() -> None:
    """As it stands in the source, or as an f-string there makes it; what is called stands in the texts of games."""
    constants, patterns = written()
    titles = {name.title() for name in GAMES}
    unused = [
        template
        for template in texts("de")["told"]
        if template not in constants | titles
        and not CALLED.fullmatch(template)
        and not any(pattern.fullmatch(template) for pattern in patterns[IN_PARTS.search(template) is not None])
    ]
    assert not unused, "\n".join(unused)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_that_is_met_is_known(game: str) -> None:
    missing: dict[str, str] = {}
    count = 0
    for sentence in met(game, DEALS[game] * SOAK):
        count += 1
        for language in OTHERS:
            missing |= dict.fromkeys(unknown(sentence, texts(language)["told"]), sentence)
    assert count > 1000
    assert not missing, "\n".join(f"{part!r} in {sentence!r}" for part, sentence in list(missing.items())[:50])
