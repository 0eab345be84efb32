"""The script behind docs/strength.md: its tables, what it plays, and that a page keeps what is not made anew."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from renege.arena.open_hands import parse_player
from support.scripts import ROOT, bench

strength = bench("strength")
PAGE = ROOT / "docs" / "strength.md"


def test_every_pairing_is_played_as_often_as_is_asked():
    """2,000 pairs for the network and its search against rulebook and searcher, 300 for others."""
    for game in strength.GAMES:
        (net,) = strength.chosen([f"{game}:net"])
        much = {(match.a, match.b) for match in net.matches if match.pairs == 2_000}
        assert much == {(a, b) for a in ("net", "searcher:net,50ms") for b in ("rulebook", "searcher:50ms")}
        assert all(
            match.pairs >= 300 or "--whole-games" in match.extra
            for t in strength.tables_of(game)
            for match in t.matches
        )
        assert {table.name for table in strength.tables_of(game)} >= {
            "net", "null", "roles", "control", "exploiter", "small", "ceiling", "contracts"
        }  # fmt: skip
    names = {name for table in strength.tables() for match in table.matches for name in (match.a, match.b)}
    for name in names - {"", strength.EXPLOITER}:
        assert name.startswith("searcher:net") or parse_player(name)
    with pytest.raises(SystemExit, match="no table is called 42:nothing"):
        strength.chosen(["42:nothing"])
    assert len(strength.chosen([":null"])) == len(strength.GAMES)


def test_logs_and_pictures_have_names_of_their_own():
    matches = {match for table in strength.tables() for match in table.matches}
    assert len({match.name for match in matches}) == len(matches)
    assert strength.Match("42", strength.EXPLOITER, "net", 30).name == "42-exploiter-net"


def test_a_table_that_fails_is_named_and_the_page_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text("utf-8"), "utf-8")
    bad = replace(strength.chosen(["42:net"])[0], matches=(strength.Match("42", "nobody", "random", 30),))
    monkeypatch.setattr(strength, "chosen", lambda asked: [bad])
    monkeypatch.setattr(sys, "argv", ["strength.py", "--logs", str(tmp_path), "--page", str(page), "--workers", "1"])
    with pytest.raises(SystemExit, match=r"not made: 42:net .*arena 42 nobody random"):
        strength.main()
    assert page.read_text("utf-8") == PAGE.read_text("utf-8")


def test_a_page_keeps_what_is_not_made_anew():
    text = PAGE.read_text("utf-8")
    assert strength.page(text, {}) == text  # the page is as the script writes it
    made = strength.page(text, {"42:null": "### Against themselves\n\nnew"})
    assert "\n<!-- table 42:null -->\n### Against themselves\n\nnew\n<!-- end -->\n" in made
    assert strength.page(made, {"42:null": dict(strength.BLOCK.findall(text))["42:null"]}) == text
    assert made.index("42:others") < made.index("42:null") < made.index("tractor:others")


def test_a_short_version_is_played_and_marked_and_goes_on_to_the_whole(tmp_path: Path):
    match = strength.Match("42", "rulebook", "random", 400)
    table = replace(strength.chosen(["42:others"])[0], matches=(match,))
    short = strength.Maker(tmp_path, tmp_path, 1, 0.1, None)
    assert short.scaled(match).pairs == 40
    assert short.scaled(replace(match, pairs=100)).pairs == strength.FEWEST
    lines = short.make(table)
    assert lines[-1].startswith("| `renege arena 42 rulebook random --pairs 40` | +1.")
    assert (tmp_path / f"{match.name}.svg").exists()
    assert "10% of the pairs" in strength.block(table, lines, 0.1)
    assert "short version" not in strength.block(table, lines, 1)
    longer = strength.Maker(tmp_path, tmp_path, 1, 0.11, None).make(table)
    assert "--pairs 44" in longer[-1]
    assert len((tmp_path / f"{match.name}.jsonl").read_text().splitlines()) == 45


def test_roles_and_luck_have_tables_of_their_own(tmp_path: Path):
    maker = strength.Maker(tmp_path, tmp_path, 1, 1.0, None)
    pairs = [strength.Match("42", "rulebook", "random", 30, extra) for extra in ((), ("--play-by", "rulebook"))]
    table = replace(strength.chosen(["42:roles"])[0], matches=tuple(pairs))
    text = "\n".join(maker.make(table))
    assert "--play-by rulebook | declarer |" in text and "| share of deals |" in text
    luck = replace(strength.chosen(["42:control"])[0], matches=(replace(pairs[0], extra=("--control",)),))
    assert maker.make(luck)[0].endswith("| variance left |")
