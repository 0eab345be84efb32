"""The facets of a game that another package adds: Vane with words, questions, a text format and a small game."""

import asyncio
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from renege.ask.serve import reply
from renege.cli.main import app
from renege.core.arbiter import Arbiter
from renege.core.judge import judge
from renege.core.position import Evidence
from renege.core.record import Record
from renege.core.registry import find_game, parse_record
from renege.core.solution import OpenHands
from renege.games.encoding import Encoding
from renege.games.formats import Formats
from renege.games.openings import Openings
from renege.games.small import OVER, CardExpansion, Expansion
from renege.games.strategy import Strategy
from renege.games.testing import check_game
from renege.games.units import Units
from renege.games.wire import Wire
from renege.games.words import Words
from renege.search.regret.cfr import TreeEngine, exploitability, uniform
from renege.search.regret.expand import PositionExpansion
from renege.search.regret.trees import build_tree, tree_of
from renege.server.present import house_rules
from renege.server.tables.registry import TableRegistry
from renege.server.workers.pool import Workers
from support.steering import SOAK
from support.table_registry import Scene, new, play_deal

OFFERED = (Evidence, OpenHands, Strategy, Encoding, Wire, Words, Formats)
NOT_OF_ITS_KIND = (Units, Openings)
"""Leads of several cards, and the facet whose shape is that of Texas 42: bids for points."""


def ask(**question: Any) -> dict[str, Any]:
    return json.loads(reply(json.dumps({"game": "vane", **question}).encode())[0])


def deal(game: ModuleType, seed: int) -> Record:
    """A deal that was played at random, from its opening."""
    table, rng = Arbiter(game.game(), seed), random.Random(seed)
    while (seat := table.position.turn) is not None:
        position = table.position
        table.act(seat, rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng))
    return table.record


def told(record: Record) -> dict[str, Any]:
    """The deal as the question `score` has it."""
    call, *plays = (str(act.what) for act in record.acts)
    hands = [str(hand) for hand in record.start.hands]
    return {"declaration": f"{call} by {record.acts[0].seat}", "hands": hands, "plays": " ".join(plays)}


def notes(*records: Record) -> str:
    deals = [(told(record), judge(record).result, record.acts[0].seat) for record in records]
    lines = ["vane notes"]
    for said, result, namer in deals:
        assert result is not None
        lines += ["", said["declaration"], *said["hands"], said["plays"], f"{result.score[namer]:+d}"]
    return "\n".join(lines) + "\n"


def test_it_has_every_facet_but_two(vane_full: ModuleType):
    for kind in OFFERED:
        assert vane_full.game().facet(kind) is not None, kind
    assert isinstance(vane_full.small().facet(Expansion), Expansion)
    for kind in NOT_OF_ITS_KIND:
        assert vane_full.game().facet(kind) is None, kind


def test_it_conforms(vane_full: ModuleType):
    check_game(vane_full.game(), deals=5)
    assert find_game("vane-small") == vane_full.small() and vane_full.small().hand_size == 2
    check_game(vane_full.small(), deals=20)


# -- words


def test_the_table_speaks_its_words(tmp_path: Path, vane_full: ModuleType):
    assert house_rules._card.__wrapped__("vane", "en").picture == ["S7", "SA", "SK"]

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("vane", seats=["me", "simple", "simple", "simple"]), "g")
        await play_deal(table, {0: random.Random(7)})
        state = table.state(0, "en")
        assert state.contract is not None
        suit = state.contract.trump
        assert state.contract.text.startswith(f"{suit} are trumps, by ") and "the vane is" in state.contract.text

    workers = Workers(1)
    try:
        Scene(f"sqlite:///{tmp_path / 'tables.db'}", workers).play(play)
    finally:
        asyncio.run(workers.close())


# -- questions


@pytest.mark.parametrize("seed", range(5))
def test_a_question_of_its_own_is_answered(vane_full: ModuleType, seed: int):
    record = deal(vane_full, seed)
    result = judge(record).result
    assert result is not None
    answer = ask(ask="score", **told(record))
    assert answer == {"points": list(record.position.points), "score": list(result.score), "renege": None}


def test_a_renege_is_told_with_its_trick_and_rule(vane_full: ModuleType):
    hands = ["CA CK CQ CJ CT C9 C8 H7", "C7 HA HK HQ HJ HT H9 H8", "SA SK SQ SJ ST S9 S8 S7", "DA DK DQ DJ DT D9 D8 D7"]
    rest = "CK HK SK DK CQ HQ SQ DQ CJ HJ SJ DJ CT HT ST DT C9 H9 S9 D9 C8 H8 S8 D8 H7 C7 S7 D7"
    answer = ask(ask="score", declaration="clubs by 0", hands=hands, plays=f"CA HA SA DA {rest}")
    assert answer["renege"] == {
        "trick": 0,
        "seat": 1,
        "rule": "vane.follow-suit",
        "why": "HA does not follow clubs, and the hand holds C7",
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"plays": "CA"}, "CA cannot be played: seat "),
        ({"hands": []}, "four hands are dealt, and there are 0"),
        ({"plays": ""}, "the deal is not over after 0 cards"),
        ({"dealer": 1}, "dealer"),
    ],
)
def test_what_is_wrong_with_its_question_is_said(vane_full: ModuleType, change: dict[str, Any], says: str):
    records = (deal(vane_full, seed) for seed in range(9))
    record = next(record for record in records if "CA" not in str(record.start.hands[record.acts[0].seat]))
    assert says in ask(ask="score", **told(record) | change)["error"]


def test_its_own_reason_stands_in_a_verdict(vane_full: ModuleType):
    said = {"ask": "legal", "declaration": "spades", "hand": "S7 SA"}
    assert ask(play="S7", **said)["why"] == "S7 is the vane: it leads trumps, and nothing beats it"
    assert ask(play="SA", **said)["why"] == "SA leads spades"


# -- a text format


def test_notes_are_read_and_compared(vane_full: ModuleType, tmp_path: Path):
    record, file = deal(vane_full, 1), tmp_path / "notes.txt"
    file.write_text(notes(record), "utf-8")
    assert parse_record(CliRunner().invoke(app, ["read", str(file)]).stdout) == record
    text = notes(record, deal(vane_full, 2))
    file.write_text(text, "utf-8")
    done = CliRunner().invoke(app, ["read", "--check", str(file)])
    assert done.exit_code == 0 and done.output.count("agrees") == 2
    wrong = text.splitlines()
    wrong[-1] = "+99"
    file.write_text("\n".join(wrong), "utf-8")
    done = CliRunner().invoke(app, ["read", "--check", str(file)])
    assert done.exit_code == 1 and "score: stated +99, found" in done.output


def test_house_rules_for_notes_are_read_as_everywhere(vane_full: ModuleType, tmp_path: Path):
    (tmp_path / "notes.txt").write_text(notes(deal(vane_full, 1)), "utf-8")
    done = CliRunner().invoke(app, ["read", str(tmp_path / "notes.txt"), "--rules", "wind=west"])
    assert done.exit_code == 2 and "wind" in done.stderr and "Traceback" not in done.stderr


def test_a_text_that_nobody_reads_is_refused_with_what_is_read(vane_full: ModuleType, tmp_path: Path):
    (tmp_path / "what.txt").write_text("weather notes\n", "utf-8")
    done = CliRunner().invoke(app, ["read", str(tmp_path / "what.txt")])
    assert done.exit_code == 2
    for about in ("notes of Vane start with 'vane notes'", "a page of sauspiel.de starts with '<'"):
        assert about in done.stderr


# -- a small game


@pytest.mark.parametrize("ranks", [1, 2] if SOAK > 1 else [1])
def test_the_kernel_grows_the_tree_that_its_positions_grow(vane_full: ModuleType, ranks: int):
    small = find_game("vane-small", {"ranks": str(ranks)})
    by_kernel, by_positions = tree_of(small), build_tree(PositionExpansion(small))
    assert str(by_kernel) == str(by_positions)
    values = [exploitability(TreeEngine(tree), uniform(tree.info)) for tree in (by_kernel, by_positions)]
    assert np.isclose(values[0].largest, values[1].largest)


def test_rows_of_the_small_game_go_as_its_positions_do(vane_full: ModuleType):
    game, rng = vane_full.small(), random.Random(3)
    expansion = game.facet(Expansion)
    assert isinstance(expansion, CardExpansion)
    every, shares = expansion.deals()
    assert len(shares) == 2520
    for deal in rng.sample(range(len(shares)), 40):
        rows, position = expansion.take(every, np.array([deal])), expansion.start(deal)
        while (options := expansion.options(rows)).seats[0] != OVER:
            open_here = position.legal_calls if position.talking else map(str, position.legal_plays)
            assert options.seats[0] == position.turn
            assert {expansion.acts[act] for act in options.acts} == set(open_here)
            act = rng.choice(list(options.acts))
            rows, _ = expansion.after(rows, np.array([0]), np.array([act], np.int32))
            position = position.act(expansion.acts[act])
        while not position.over:  # the last trick plays itself
            position = position.play(position.legal_plays[0])
        assert position.result is not None and expansion.payoffs(rows)[0].tolist() == list(position.result.score)


def test_it_is_trained_by_its_name(vane_full: ModuleType, tmp_path: Path):
    out = str(tmp_path / "vane.npz")
    done = CliRunner().invoke(app, ["regret", "vane", "--iterations", "2", "--out", out, "--json"])
    assert done.exit_code == 0 and json.loads(done.stdout)["made"]["game"] == "vane-small"
