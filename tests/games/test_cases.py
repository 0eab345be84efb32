"""The rules as tables: one file for each rule id, a line for each case. Adding a case needs no Python.

    [rules name=choice ... =>] position => play, call or `claim SEAT` => verdict => source

A verdict is `legal`, `illegal`, `renege`, or `no play` for what is no play at all; a refusal is by the rule that the
file is named for and may say what would do: `renege; play 6-6`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from renege import IllegalPlay, NotationError, parse_position
from renege.core.house_rules import read_rules
from renege.core.registry import GAMES
from renege.core.verdict import Verdict
from support.cases import check_each

TESTS = Path(__file__).parents[1]
CASES = TESTS / "data" / "cases"
VERDICTS = ("legal", "illegal", "renege", "no play")


@dataclass(frozen=True)
class Case:
    rule: str
    line: int
    choices: dict[str, str]
    position: str
    act: str
    verdict: str
    instead: str | None
    source: str

    def __str__(self) -> str:
        return f"{self.rule}:{self.line}"


def read(path: Path) -> list[Case]:
    cases = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("=>")]
        choices: dict[str, str] = {}
        if fields[0].startswith("rules "):
            choices = dict(pair.split("=", 1) for pair in fields.pop(0).split()[1:])
        assert len(fields) == 4, f"{path.name}:{number}: position => play => verdict => source"
        verdict, _, instead = fields[2].partition("; play ")
        assert verdict in VERDICTS, f"{path.name}:{number}: {verdict!r} is no verdict"
        assert fields[3], f"{path.name}:{number}: no source"
        cases.append(Case(path.stem, number, choices, fields[0], fields[1], verdict, instead or None, fields[3]))
    return cases


TABLES = {path.stem: read(path) for path in sorted(CASES.glob("*.txt"))}
ALL = [case for cases in TABLES.values() for case in cases]
RULE_IDS = [rule.id for package in GAMES.values() for rule in package.RULES]


def judge(case: Case) -> Verdict:
    package = GAMES[case.rule.split(".")[0]]
    game = package.game(read_rules(package.Rules(), case.choices))
    position = parse_position(game, case.position)
    if claim := re.fullmatch(r"claim ([0-3])", case.act):
        assert game.claim is not None, "this game knows no claims"
        return game.claim(position, int(claim[1]))[0]
    verdict = position.judge(case.act)
    if verdict.legal is False:
        with pytest.raises(IllegalPlay):
            position.act(case.act)
        assert verdict.instead is not None
        assert position.judge(verdict.instead).legal, "what is offered instead is refused as well"
    else:
        position.act(case.act)
    return verdict


@pytest.mark.parametrize("rule", TABLES)
def test_the_arbiter_agrees_with_the_table(rule: str):
    check_each(TABLES[rule], agrees)


def agrees(case: Case) -> None:
    if case.verdict == "no play":
        with pytest.raises(NotationError):
            judge(case)
        return
    verdict = judge(case)
    assert verdict.ruling.value == case.verdict, verdict
    if case.verdict == "legal":
        assert verdict.rule is None
        return
    assert str(verdict.rule) == case.rule, verdict
    assert verdict.why
    if case.instead is not None:
        assert verdict.instead == case.instead


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_has_a_table_with_something_refused_and_something_allowed(rule: str):
    assert rule in TABLES, f"tests/data/cases/{rule}.txt is missing"
    verdicts = {case.verdict for case in TABLES[rule]}
    assert verdicts & {"illegal", "renege"}
    assert "legal" in verdicts
    assert len(TABLES[rule]) >= 8


def test_every_table_is_of_a_rule():
    assert set(TABLES) <= set(RULE_IDS)


def test_no_case_stands_twice():
    keys = [(case.rule, tuple(sorted(case.choices.items())), case.position, case.act) for case in ALL]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_has_a_heading_in_the_docs_and_every_such_heading_is_a_rule(name: str):
    text = (TESTS.parent / "docs" / "rules" / f"{name}.md").read_text()
    headings = re.findall(rf"^### ({name}\.\S+)\s*$", text, re.MULTILINE)
    assert sorted(headings) == sorted(rule.id for rule in GAMES[name].RULES)
