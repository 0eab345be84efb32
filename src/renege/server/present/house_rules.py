"""The games as the page that makes tables shows them: each house rule with its question and what each answer means."""

from dataclasses import Field, fields
from functools import cache
from typing import Any

from renege.core.house_rules import choices_of, question_of, write_rules
from renege.core.registry import GAMES
from renege.games.words import words_of
from renege.i18n import Speech, text
from renege.server.messages import Choice, GameCard, GameName, HouseRule, Language
from renege.server.present.state import title_of


def game_cards(language: Language) -> tuple[GameCard, ...]:
    """All games, in the language of the one who asks."""
    return tuple(_card(name, language) for name in GAMES)


@cache
def _card(name: GameName, language: Language) -> GameCard:
    package = GAMES[name]  # where it was added, the first line of its module says what it is
    usual = package.Rules()
    return GameCard(
        game=name,
        title=title_of(package.game(usual), Speech(language)),
        about=_said(language, f"games.{name}.about", (package.__doc__ or "").strip().partition("\n")[0]),
        players=package.game(usual).players,
        rules=[_house_rule(name, usual, field, language) for field in fields(usual)],
        look=words_of(package.game(usual)).look,
        picture=list(words_of(package.game(usual)).picture),
        presets={preset: write_rules(rules) for preset, rules in package.PRESETS.items()},
    )


def _house_rule(game: str, usual: Any, field: Field[Any], language: Language) -> HouseRule:
    """A house rule: its question, and its answers where it is not a number."""
    default, key = getattr(usual, field.name), f"house.{game}.{field.name}"
    choices = choices_of(field)
    return HouseRule(
        name=field.name,
        question=_said(language, key, question_of(field)),
        choices=[
            Choice(value=value, text=_said(language, f"{key}.{value}", meaning)) for value, meaning in choices.items()
        ],
        default=str(default.value if choices else default),
    )


def _said(language: Language, key: str, otherwise: str) -> str:
    try:
        return text(language, key)
    except KeyError:
        return otherwise
