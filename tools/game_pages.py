"""Write into docs/games what the games say of themselves: house rules, presets, rules by id, actions, what a seat sees.

    .venv/bin/python tools/game_pages.py     after a house rule, a rule or the numbers of a game have changed

A page is written by hand but for the parts between `<!-- made: house rules -->` and `<!-- end -->`, which are made
here. What a choice means stands beside it in the game's rules.py, and what a section of a row holds in the first lines
of the codings; this reads both, so that nothing is said twice. `tests/test_docs.py` sees that the pages are current.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import Field, fields
from enum import Enum
from pathlib import Path
from typing import Any

from renege.core.game import Game
from renege.core.house_rules import choices_of, question_of, write_rules
from renege.core.registry import GAMES
from renege.games import encoding as encoding
from renege.games.encoding import Encoding, encoding_of

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "games"
PART = re.compile(r"(<!-- made: (.+?) -->\n)(?:.*?)(<!-- end -->)", re.DOTALL)
SECTION = re.compile(r"^    (\w+) +\[(.+?)\] +(.+?)(?: {2,}\(.*\)| \(the whole game\))?$", re.MULTILINE)


def main() -> None:
    for page in FOLDER.glob("*.md"):
        page.write_text(filled(page.read_text("utf-8"), page.stem), "utf-8", newline="\n")


def filled(page: str, name: str) -> str:
    """A page with the parts that are made here made anew."""
    game = GAMES[name].game()
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]](game)}\n\n{found[3]}", page)


def house_rules(game: Game) -> str:
    rows = [(f"`{field.name}`", question_of(field), _choices(game, field)) for field in fields(game.rules)]
    return _table(("name", "question", "choices, the default in bold"), rows)


def _choices(game: Game, field: Field[Any]) -> str:
    default = getattr(game.rules, field.name)
    if not isinstance(default, Enum):
        if field.metadata.get("own"):
            return f"as **`{default}`** has it, or a number"
        return f"**`{default}`** or another number" if isinstance(default, int) else f"**`{default}`**"
    shown = [
        f"{f'**`{name}`**' if name == default.value else f'`{name}`'}: {sentence}"
        for name, sentence in choices_of(field).items()
    ]
    return "<br>".join(shown)


def presets(game: Game) -> str:
    rows: list[tuple[str, ...]] = []
    for name, rules in GAMES[game.name].PRESETS.items():
        differences = ", ".join(f"`{rule}={choice}`" for rule, choice in write_rules(rules).items())
        rows.append((f"`{name}`", differences or "nothing"))
    return _table(("preset", "what differs from the default"), rows)


def rules_by_id(game: Game) -> str:
    """Each rule that a verdict may name, with a link to its heading among the rules."""
    page = f"../rules/{game.name}.md"
    return _table(
        ("rule", "in a sentence"),
        [(f"[{rule.id}]({page}#{rule.id.replace('.', '')})", rule.sentence) for rule in game.rule_list],
    )


def actions(game: Game) -> str:
    code = encoding_of(game)
    rows = [(_span(0, code.cards), _names(code.actions[: code.cards]))]
    if code.done is not None:
        rows.append((str(code.done), "`done`, which ends a play of several cards"))
    if code.calls:
        rows.append((_span(code.first_call, len(code.actions)), _names(code.calls)))
    return f"{len(code.actions)} actions.\n\n" + _table(("number", "action"), rows)


def observation(game: Game) -> str:
    code = encoding_of(game)
    found = SECTION.findall(f"{encoding.__doc__}\n{_docstring(code)}")
    shapes, meanings = {name: shape for name, shape, _ in found}, {name: meaning for name, _, meaning in found}
    rows: list[tuple[str, ...]] = []
    for name, place in code.sections.items():
        if place.start == place.stop:  # a game without calls
            continue
        if name not in meanings:
            raise ValueError(f"{game.name}: no encoding says in its first lines what the section {name!r} holds")
        shape = shapes[name].replace("seats", str(game.players))
        rows.append((_span(place.start, place.stop), f"`{name}`", f"[{shape}]", meanings[name]))
    head = f"A row of {code.width} bytes, seats counted from the one that looks: 0 is itself, 1 the next to play."
    more = [page for page in ("environments", f"environments-{game.name}") if (FOLDER.parent / f"{page}.md").exists()]
    links = "".join(f" More: [{page}.md](../{page}.md)." for page in more[-1:])
    return f"{head}{links}\n\n" + _table(("bytes", "section", "shape", "holds"), rows)


def _docstring(code: Encoding) -> str:
    return sys.modules[type(code).__module__].__doc__ or ""


def _span(first: int, end: int) -> str:
    return f"{first} .. {end - 1}" if end - first > 1 else str(first)


def _names(names: tuple[str, ...]) -> str:
    return " ".join(f"`{name}`" for name in names)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines)


PARTS: dict[str, Callable[[Game], str]] = {
    "house rules": house_rules,
    "presets": presets,
    "rules": rules_by_id,
    "actions": actions,
    "observation": observation,
}

if __name__ == "__main__":
    main()
