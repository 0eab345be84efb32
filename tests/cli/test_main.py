"""The command, as a person or a program gives it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from renege.belief import Belief
from renege.cli.main import COMMANDS, load
from renege.core.registry import parse_game_record
from support.command import renege
from support.tractor_crowd import Size, bots_deal, game_of

QUESTION = '{"ask": "legal", "game": "texas42", "declaration": "5", "lead": "6-4", "hand": "6-6 6-5", "play": "6-5"}'
POSITION = "trump 5 | 0: 6-4 5-5 3-1 | 1: 6-6 6-5 2-1 | 2: 4-4 3-3 5-0 | 3: 6-2 4-1 0-0 | 0 leads"
RECORD = """renege record 1
game texas42 version 1
rules early_end=play-on
deal dealer 3 score 0 0
0: ?7
1: ?7
2: ?7
3: ?7
talk 0 30 | 1 pass | 2 pass | 3 pass | 0 trump 5
trick 1: 0 leads 6-4, 3-1, 6-2, 6-0 -> 0 takes 11
trick 2: 0 leads 5-5, 6-6, 5-1, 5-0 -> 0 takes 16
"""


def refused(done: subprocess.CompletedProcess[str], says: str) -> None:
    """One clear line on standard error, and the status 2."""
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("renege: ")
    assert says in done.stderr


def test_version_and_help():
    assert renege("--version").stdout.startswith("renege ")
    help_text = renege("--help").stdout
    for command in ("ask", "rules", "perft", "judge", "play", "spoj", "read", "odds"):
        assert command in help_text
        assert "Example" in renege(command, "--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name: str):
    assert load(name).get_short_help_str(limit=1000) == COMMANDS[name]


def test_a_command_that_is_misspelt_is_suggested():
    done = renege("jugde")
    assert done.returncode == 2
    assert "Did you mean 'judge'?" in done.stderr


# --- ask ------------------------------------------------------------------------------------------


def test_ask_reads_standard_input_or_a_file(tmp_path: Path):
    file = tmp_path / "questions.jsonl"
    file.write_text(f"{QUESTION}\n\n{QUESTION}\n")
    for done in (renege("ask", file), renege("ask", "-", text=file.read_text()), renege("ask", text=file.read_text())):
        assert done.returncode == 0
        assert [json.loads(line)["legal"] for line in done.stdout.splitlines()] == [False, False]


def test_ask_says_by_its_status_that_a_line_was_bad():
    done = renege("ask", text=f"nonsense\n{QUESTION}\n")
    assert done.returncode == 1
    assert [sorted(json.loads(line))[0] for line in done.stdout.splitlines()] == ["error", "instead"]


def test_ask_answers_each_line_before_the_next_is_asked():
    command = [sys.executable, "-m", "renege", "ask"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        for number in range(3):
            referee.stdin.write(f'{{"ask": "version", "id": {number}}}\n')
            referee.stdin.flush()
            assert json.loads(referee.stdout.readline())["id"] == number


def test_ask_stops_quietly_when_nobody_listens(tmp_path: Path):
    file = tmp_path / "questions.jsonl"
    file.write_text(f"{QUESTION}\n" * 20_000)
    command = [sys.executable, "-m", "renege", "ask", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        assert referee.stderr is not None
        referee.stdout.readline()
        referee.stdout.close()
        assert referee.stderr.read() == b""
    assert referee.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_ask_says_when_its_answers_cannot_be_written():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "renege", "ask"],
            input=QUESTION.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


# --- rules, perft, judge --------------------------------------------------------------------------


def test_a_preset_that_is_the_default_says_so():
    text = renege("rules", "tractor").stdout
    assert "  default\n    the default\n" in text
    assert "  spoj\n    the default\n" in text


def test_rules_lists_every_house_rule_and_every_rule():
    text = renege("rules", "texas42").stdout
    for word in ("all_pass", "force-30", "doubles", "own-inverted", "tournament", "texas42.follow-suit", "target"):
        assert word in text


def test_perft_counts_and_divides():
    done = renege("perft", POSITION, "--depth", "5", "--split")
    assert done.stdout.splitlines() == ["perft 1 3 | 2 5 | 3 7 | 4 15 | 5 30", "  3-1: 18", "  5-5: 6", "  6-4: 6"]


def test_perft_checks_a_file():
    good = f"# three tiles\nrules early_end=play-on\n\nposition {POSITION}\nperft 1 3 | 2 5\nperft 12 100\n"
    done = renege("perft", "--check", "-", text=good)
    assert (done.returncode, done.stdout) == (0, "3 counts, all the same\n")
    done = renege("perft", "--check", "-", text=good.replace("2 5", "2 6"))
    assert done.returncode == 1
    assert "line 5: depth 2 has 5 sequences, not 6" in done.stdout
    assert "  3-1: 3" in done.stdout


def test_judge_finds_a_renege(tmp_path: Path):
    file = tmp_path / "record.txt"
    file.write_text(RECORD)
    done = renege("judge", file)
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.startswith("deal 1: seat 1 in trick 1: 3-1 breaks texas42.follow-suit")
    assert second == "deal 1: renege by 1: 30 by 0 made with 27 points, 1-0"
    legal = RECORD.replace("6-6, 5-1", "5-3, 5-1")
    assert renege("judge", "-", text=legal).returncode == 0


def test_what_is_wrong_is_one_line_and_the_status_2(tmp_path: Path):
    refused(renege("ask", tmp_path / "nothing"), "nothing: No such file")
    refused(renege("ask", tmp_path), "directory")
    refused(renege("rules", "whist"), "'whist'")
    refused(renege("perft", "trump 9"), "'trump 9'")
    refused(renege("perft", POSITION, "--rules", "all_pass"), "'all_pass'")
    refused(renege("perft", "--check", "-", text=f"position {POSITION}\nperft 1 x\n"), "line 2: '1 x'")
    refused(renege("perft", "--check", "-", text="perft 1 3\n"), "line 1")
    refused(renege("judge", "-", text=RECORD.replace("6-4", "6-9")), "line 10: '6-9'")
    refused(renege("judge", sys.executable), "UTF-8")
    refused(renege("play", "--terminal", "--preset", "saloon"), "'saloon'")
    refused(renege("play", "--terminal", "--rules", "target=many"), "'many'")
    refused(renege("play", "--terminal", "--save", tmp_path / "no" / "game.txt"), "No such file")
    (tmp_path / "old.txt").write_text("an older game")
    refused(renege("play", "--terminal", "--save", tmp_path / "old.txt"), "old.txt: is there already")
    assert (tmp_path / "old.txt").read_text() == "an older game"


# --- play -----------------------------------------------------------------------------------------


def test_a_whole_game_is_played_and_saved(tmp_path: Path):
    file = tmp_path / "game.txt"
    done = renege("play", "--terminal", "--seed", "3", "--rules", "target=2", "--save", file, text="1\n" * 200)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] in ("You and your partner win the game!", "They win the game.")
    assert max(map(len, done.stdout.splitlines())) <= 80
    record = parse_game_record(file.read_text())
    assert record.winner is not None
    assert max(record.standing.score) >= 2
    assert renege("judge", file).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


def test_the_same_seed_deals_the_same_game():
    games = [renege("play", "--terminal", "--seed", "5", text="1\n" * 20).stdout for _ in range(2)]
    assert games[0] == games[1]


def test_commands_and_refusals_at_the_table():
    # seed 3: seat 2 wins the auction and calls fives; in trick 3 aces are led and 6-1 or 1-0 must follow
    typed = [
        "help",
        "hint",
        "why 29",
        "why 31",
        "pass",
        "6-4",
        "last",
        "63",
        "why 2-2",
        "22",
        "5-5",
        "",
        "1-6",
        "record",
    ]
    done = renege("play", "--terminal", "--seed", "3", text="\n".join([*typed, "score", "quit"]))
    assert done.returncode == 0
    for said in (
        "would it be legal?",
        "The best player says ",
        "29 is no bid",
        "31 is legal.",
        "trump 5 bid 30 by Partner",
        "Trick 1: Partner 5-5*, East 5-2, You 6-4, West 2-0. Partner took 21.",
        "No: 2-2 does not follow aces, and the hand holds 6-1 1-0 (texas42.follow-suit).",
        "6-1 would do.",
        "5-5 is not in the hand",
        "0: 6-4 6-3 6-1 4-2 3-0 2-2 1-0",
        "1: ?7",
        "7 wins.",
        "You leave the table.",
    ):
        assert said in done.stdout, said


def test_getting_up_saves_the_hand_that_was_not_finished(tmp_path: Path):
    done = renege("play", "--terminal", "--seed", "3", "--save", tmp_path / "game.txt", text="pass\n6-4\n")
    assert done.returncode == 0
    assert "You leave the table." in done.stdout
    (deal,) = parse_game_record((tmp_path / "game.txt").read_text()).deals
    assert not deal.position.over
    assert deal.position.tricks_played == 1


def test_a_record_that_cannot_be_saved_any_more_is_shown(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    command = [sys.executable, "-m", "renege", "play", "--terminal", "--seed", "3", "--save", str(folder / "game.txt")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as table:
        assert table.stdin is not None
        assert table.stdout is not None
        table.stdout.readline()
        (folder / "game.txt").unlink()
        folder.rmdir()
        said, _ = table.communicate("pass\nquit\n", timeout=60)
    assert table.returncode == 2
    assert "cannot be saved: No such file or directory" in said
    assert "0: 6-4 6-3 6-1 4-2 3-0 2-2 1-0" in said


def test_ascii_is_enough():
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "renege", "play", "--terminal", "--seed", "3"],
        input=b"quit\n",
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"Your hand: 6-4 6-3 6-1" in done.stdout


def test_every_game_is_played_in_the_terminal(tmp_path: Path):
    for game, said in (
        ("schafkopf", ("solo G by East", "Hand 1: solo G by East lost with 40: +100 +100 +100 -300.")),
        ("tractor", ("trump D2 by Partner", "Partner: bury 8 cards", "Trick 5: Partner S6 S6, East S9 S9*")),
    ):
        file = tmp_path / f"{game}.txt"
        done = renege("play", game, "--terminal", "--seed", 3, "--save", file, text="1\n" * 60)
        assert done.returncode == 0, done.stderr
        for line in said:
            assert line in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80
        assert renege("judge", file).returncode == 0


def test_odds_are_a_table_with_reasons_and_a_picture(tmp_path: Path):
    record = Path(__file__).parents[1] / "data" / "golden" / "schafkopf-rufspiel-E.txt"
    picture = tmp_path / "odds.svg"
    told = renege("odds", record, "--seat", 1, "--acts", 12, "--cards", "E9 GA", "--heat", picture)
    lines = told.stdout.splitlines()
    assert lines[0] == "31,855,824 deals, 31,855,824 that can be told apart"
    assert lines[1] == "card seat-0 seat-2 seat-3"
    rows = {line.split()[0]: [float(share) for share in line.split()[1:]] for line in lines[2:21]}
    assert len(rows) == 19
    assert all(abs(sum(row) - 1) < 1e-5 for row in rows.values())
    assert rows["E9"][2] == 0
    assert any(line.startswith("E9: not with seat 3") and "schafkopf.follow-suit" in line for line in lines)
    assert "GA: seat 1 has it" in lines
    assert picture.read_text().startswith("<?xml")
    refused(renege("odds", record, "--acts", 999), "the deal has")
    refused(renege("odds", record, "--cards", "ZZ"), "'ZZ'")
    refused(renege("odds", record, "--acts", 12, "--heat", tmp_path / "no" / "odds.svg"), "No such file")
    refused(renege("odds", record, "--heat", picture), "nothing to draw")


def test_odds_tell_who_may_be_the_friend(tmp_path: Path):
    record, deal = tmp_path / "friends.txt", bots_deal(game_of(Size("friends", 6, 3)), 2).record
    record.write_text(str(deal), "utf-8")
    named = next(i for i, act in enumerate(deal.acts, 1) if str(act.what).startswith("friends"))
    told = renege("odds", record, "--seat", 3, "--acts", named).stdout.splitlines()
    head = next(i for i, line in enumerate(told) if line.startswith("friend "))
    assert told[head].split() == ["friend", *(f"seat-{seat}" for seat in range(6)), "nobody"]
    odds = Belief(replace(deal, acts=deal.acts[:named]).view(3)).friends()
    assert odds is not None
    for line, place in zip(told[head + 1 :], odds.places, strict=False):
        name, *shares = line.split()
        assert name == place.place.name.replace(" ", "-")
        assert [float(share) for share in shares] == pytest.approx([*place.takes.values(), place.nobody], abs=1e-6)
    assert told[-1].split()[0] == "with-the-banker" and len(told[-1].split()) == 7
    over = renege("odds", record, "--seat", 3).stdout
    assert "friend" not in over
