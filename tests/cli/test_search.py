"""The commands that look ahead, as a person gives them: solve, hint, analyse."""

import json
import random
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from renege.agents import Net, Searcher
from renege.agents import searcher as search_module
from renege.ask.serve import reply
from renege.cli import analyse as cli_analyse
from renege.cli.main import app
from renege.cli.solve import asked
from renege.core.position import View
from renege.core.registry import parse_record
from renege.core.solution import Bounds, Solution, Value
from renege.search import Estimate, Findings, weigh
from support.random_nets import shipped

# seat 0 leads the double and takes all, or 4-1 and loses it to a trump (worked out in texas42_solve.jsonl)
POSITION = "trump 5 | 0: 5-5 4-1 | 1: 6-6 2-2 | 2: 6-4 3-3 | 3: 5-0 0-0 | 0 leads"
RECORD = """renege record 1
game texas42 version 1
rules default
deal dealer 3 score 0 0
0: 6-2 5-5 5-2 4-0 3-0 2-2 1-0
1: 6-3 5-4 4-3 3-3 3-1 2-0 1-1
2: 6-6 6-5 6-1 5-3 4-4 4-2 0-0
3: 6-4 6-0 5-1 5-0 4-1 3-2 2-1
talk 0 30 | 1 31 | 2 pass | 3 pass | 1 trump 3
trick 1: 1 leads 3-3, 5-3, 3-2, 3-0 -> 1 takes 6
trick 2: 1 leads 1-1, 6-1, 4-1, 1-0 -> 1 takes 6
trick 3: 1 leads 6-3, 4-2, 6-4, 4-0 -> 1 takes 11
trick 4: 1 leads 4-3, 6-5, 5-0, 5-2 -> 1 takes 6
trick 5: 1 leads 3-1, 6-6, 2-1, 6-2 -> 1 takes 1
trick 6: 1 leads 2-0, 4-4, 6-0, 2-2 -> 0 takes 1
trick 7: 0 leads 5-5, 5-4, 0-0, 5-1 -> 0 takes 11
result 31 by 1 set with 30 points, 1-0
"""
CALLS = 5
SCHAFKOPF = """renege record 1
game schafkopf version 2
rules default
deal dealer 3 score 0 0 0 0 0
0: EO E9 G8 HU H9 SK SO S8
1: EZ GZ GU G7 HK H8 SA S7
2: EK GA GK GO HA HZ HO SZ
3: EA EU E8 E7 G9 H7 SU S9
talk 0 rufspiel | 1 pass | 2 pass | 3 pass | 0 rufspiel E
trick 1: 0 leads EO, H8, HO, H7 -> 0 takes 6
trick 2: 0 leads SO, GU, GO, SU -> 2 takes 10
trick 3: 2 leads EK, EA, E9, EZ -> 3 takes 25
"""


def run(*arguments: object, text: str | None = None) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)], input=text)


def out(*arguments: object, text: str | None = None) -> str:
    done = run(*arguments, text=text)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def told(*arguments: object, text: str | None = None) -> dict[str, Any]:
    return json.loads(out(*arguments, "--json", text=text))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    return file


# -- solve


def test_solve_shows_every_play_the_best_first():
    lines = [line.split() for line in out("solve", POSITION).splitlines()[1:]]
    assert lines[0] == ["seat", "0", "to", "play;", "points", "that", "seats", "0", "and", "2", "still", "win"]
    assert lines[1:4] == [["play", "value"], ["5-5", "32", "best"], ["4-1", "11"]]
    assert lines[4][:2] == ["value", "32,"]


def test_solve_asks_whether_a_target_is_reached():
    rows = out("solve", POSITION, "--objective", "make:12").splitlines()
    assert "do seats 0 and 2 get 12 more?" in rows[1]
    assert [row.split() for row in rows[3:5]] == [["5-5", "yes", "best"], ["4-1", "no"]]


def test_solve_knows_42_by_its_short_name():
    assert told("solve", POSITION, "--game", "42") == told("solve", POSITION)
    assert told("solve", "-", "--trick", 7, "--game", "42", text=RECORD) == told(
        "solve", "-", "--trick", 7, text=RECORD
    )


def test_a_question_agrees_with_who_is_asked_about():
    assert asked(Solution((3,), (), wants_more=True, target=5)) == "does seat 3 get 5 more?"
    assert asked(Solution((0, 2), (), wants_more=True, target=5)) == "do seats 0 and 2 get 5 more?"
    assert asked(Solution((3,), (), wants_more=True)) == "points that seat 3 still wins"


def test_solve_says_whether_a_declarer_loses_every_trick():
    rows = out("solve", "nello by 0 | 0: 6-3 4-4 | 1: 6-5 4-0 | 3: 6-2 1-0 | 0 leads").splitlines()
    assert "does seat 0 lose every trick?" in rows[1]
    assert [row.split() for row in rows[3:5]] in ([["6-3", "yes", "best"], ["4-4", "no"]],)


@pytest.mark.parametrize("limit", [("--nodes", 30), ("--ms", 1)])
def test_a_limit_shows_bounds_that_hold(limit: tuple[str, int], record: Path):
    exact = told("solve", record, "--trick", 1)
    cut = told("solve", record, "--trick", 1, *limit)
    for play, found in cut["plays"].items():
        low, high = found["bounds"]
        assert low <= exact["plays"][play]["value"] <= high
    assert cut["bounds"][0] <= exact["value"] <= cut["bounds"][1]
    if limit[0] == "--nodes":
        assert cut["value"] is None
        assert "0 to 42" in out("solve", record, "--trick", 1, *limit)


def test_solve_looks_into_a_record_as_ask_does(record: Path):
    by_trick = told("solve", record, "--trick", 3)
    assert told("solve", record, "--acts", CALLS + 8) == by_trick
    assert told("solve", "-", "--acts", CALLS + 8, text=RECORD) == by_trick
    question = {
        "ask": "solve", "game": "texas42", "declaration": "3", "leader": 1,
        "hands": ["6-2 5-5 5-2 4-0 2-2", "6-3 5-4 4-3 3-1 2-0", "6-6 6-5 4-4 4-2 0-0", "6-4 6-0 5-1 5-0 2-1"],
    }  # fmt: skip
    answer = json.loads(reply(json.dumps(question).encode())[0])
    assert by_trick["value"] == answer["value"]
    assert {play: found["value"] for play, found in by_trick["plays"].items()} == answer["plays"]


def test_solve_knows_the_sides_of_a_rufspiel():
    assert told("solve", "-", "--trick", 3, text=SCHAFKOPF)["takers"] == [0, 3]
    assert told("solve", "-", text=SCHAFKOPF)["takers"] == [0, 3]  # the ace has been played


TRACTOR = "trump S2 by 1 | 0: HA HQ | 1: HK H4 | 2: S3 S4 | 3: C3 C4 | 0 leads"


def test_solve_counts_the_kitty_of_tractor():
    """Seat 2 trumps the last trick, with the king in it, and doubles the fifteen points of the kitty."""
    found = told("solve", f"{TRACTOR} | kitty HT H5 D3 D3 D4 D4 D6 D6", "--game", "tractor")
    assert {play: each["value"] for play, each in found["plays"].items()} == {"HA": 40, "HQ": 40}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("solve", "nowhere.txt"), "nowhere.txt: No such file"),
        (("solve", "trump 5 | 0: 5-5 | 0 leads"), "the hand of seat 1 is not told"),
        (("solve", POSITION, "--trick", 1), "this is a position"),
        (("solve", POSITION, "--objective", "most"), "make:30"),
        (("solve", POSITION, "--game", "bridge"), "unknown game 'bridge'"),
        (("solve", TRACTOR, "--game", "tractor"), "the kitty is not told"),
        (("solve", "RECORD"), "the deal is over"),
        (("solve", "RECORD", "--acts", 3), "the seats still talk"),
        (("solve", "RECORD", "--acts", 99), "33 calls and plays, not 99"),
        (("solve", "RECORD", "--trick", 9), "no trick 9"),
        (("solve", "RECORD", "--trick", 2, "--acts", 3), "not both"),
        (("solve", "RECORD", "--rules", "target=5"), "its own house rules"),
        (("solve", "RECORD", "--deal", 2), "the record has 1 deal, not 2"),
        (("solve", "RECORD", "--trick", 1, "--game", "tractor"), "--game tractor, and this is a record of texas42"),
        (("hint", "nowhere.txt"), "nowhere.txt: No such file"),
        (("hint", "RECORD"), "the deal is over"),
        (("hint", "RECORD", "--acts", 9, "--seat", 2), "it is the turn of seat 1, not of seat 2"),
        (("hint", "RECORD", "--acts", 9, "--agent", "oracle"), "--agent: 'oracle' is no agent: random, rulebook"),
        (("hint", "RECORD", "--acts", 9, "--agent", "net:none.net"), "none.net"),
        (("analyse", "RECORD", "--agent", "searcher"), "--agent: 'searcher' is no agent"),
        (("analyse", "nowhere.txt"), "nowhere.txt: No such file"),
        (("analyse", "RECORD", "--deal", 2), "the record has 1 deal, not 2"),
        (("analyse", "RECORD", "--plot", "deal.txt"), "deal.txt cannot be drawn: its name should end in .png"),
        (("analyse", "RECORD", "--plot", "no/such/deal.png"), "there is no folder no/such"),
        (("analyse", "RECORD", "--plot", "/proc/deal.png"), "/proc/deal.png cannot be drawn: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: tuple[object, ...], says: str, record: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cli_analyse, "review", None)  # nothing is searched first
    done = run(*(record if each == "RECORD" else each for each in arguments))
    assert done.exit_code == 2
    assert done.stderr.startswith("renege: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_no_such_seat(record: Path):
    done = run("hint", record, "--seat", 4)
    assert done.exit_code == 2
    assert "--seat" in done.stderr


# -- hint


def test_hint_is_what_the_search_finds_from_the_view(record: Path):
    found = told("hint", record, "--acts", 9, "--agent", "searcher:20w", "--seed", 3)
    deal = parse_record(RECORD)
    direct = Searcher(worlds=20).search(type(deal)(deal.start, deal.acts[:9]).view(1), random.Random(3))
    assert [(one["option"], one["mean"]) for one in found["options"]] == [
        (str(one.option), one.mean) for one in direct.estimates
    ]
    assert found["unit"] == "marks"
    assert (found["worlds"], found["by"], found["advice"]) == (20, "searcher:20w", found["options"][0]["option"])
    assert found["why"][0].startswith("rules of thumb: ")
    assert "deals fit what seat 1 has seen" in found["why"][1]


def test_hint_knows_nothing_of_the_hidden_hands(record: Path):
    """Two tiles that nobody has seen change hands, and the hint stays."""
    played = RECORD[: RECORD.index("trick 2")]
    swapped = played.replace("0: 6-2", "0: 6-4").replace("3: 6-4", "3: 6-2")
    assert swapped != played
    arguments = ("hint", "-", "--worlds", 20)
    one, other = told(*arguments, text=played), told(*arguments, text=swapped)
    assert one.pop("seconds") >= 0
    assert other.pop("seconds") >= 0
    assert one == other


def test_hint_says_it_in_a_table_with_odds(record: Path):
    shown = out("hint", record, "--acts", CALLS + 8, "--worlds", 10)
    assert "seat 1 to play, holding 6-3 5-4 4-3 3-1 2-0" in shown
    assert "95 % interval" in shown
    # seat 1 holds all trumps that are left; 6-6 and others are with anybody
    assert re.search(r"6-6.*: seat 0 33 %, seat 2 33 %, seat 3 33 %", shown)


def test_hint_for_a_bid_and_for_an_only_play(record: Path):
    assert "to call" in out("hint", record, "--acts", 0, "--worlds", 4)
    assert "5-1: there is no other choice" in out("hint", record, "--acts", 32)


def test_hint_marks_what_is_hardly_ahead_of_the_usual(record: Path):
    """After one world there is no error to be ahead by: the usual bid stays first, and better ones are marked."""
    arguments = ("hint", record, "--acts", 0, "--agent", "searcher:1w", "--seed", 0)
    options = told(*arguments)["options"]
    ahead = {one["option"] for one in options if one["mean"] > options[0]["mean"] + 0.005}
    assert ahead
    shown = out(*arguments).splitlines()
    assert {line.split("  ")[0] for line in shown if line.endswith(" ~")} == ahead
    assert any(line.startswith("~ ahead, but not clearly, and so the usual stays first") for line in shown)
    assert any(line.startswith("1 world in ") for line in shown)
    assert "~" not in out("hint", record, "--acts", CALLS + 16, "--agent", "searcher:100w", "--seed", 1)


def test_hint_says_how_far_each_is_behind_in_shared_worlds(record: Path):
    options = told("hint", record, "--acts", 9, "--agent", "searcher:200w")["options"]
    assert options[0]["behind"] == 0
    for one in options:
        if one["worlds"] == options[0]["worlds"]:
            assert one["behind"] == pytest.approx(options[0]["mean"] - one["mean"])
    assert any(one["worlds"] < options[0]["worlds"] and one["behind"] > 0 for one in options)


def test_hint_is_by_the_best_player_and_shows_what_its_network_likes(record: Path, tmp_path: Path):
    deal = parse_record(RECORD)
    with shipped(tmp_path, "texas42"):
        for acts in (0, 9):
            likes = Net().likes(type(deal)(deal.start, deal.acts[:acts]).view(deal.acts[acts].seat))
            found = told("hint", record, "--acts", acts, "--worlds", 5)
            assert (found["by"], found["advice"]) == ("searcher:net,5w", found["options"][0]["option"])
            assert found["network"][0] == {"option": str(likes.best), "share": pytest.approx(likes.of(likes.best))}
            assert len(found["options"]) > 1 and all(0 <= one["network"] <= 1 for one in found["options"])
            assert f"network: {likes.best}, " in found["why"][0]
            shown = out("hint", record, "--acts", acts, "--worlds", 5).splitlines()
            assert "network" in shown[1] and shown[2].startswith(found["advice"]) and shown[2].endswith("best")
            assert "advice by a search that stands on the network" in shown
        alone = told("hint", record, "--acts", 0, "--agent", "net")
        assert (alone["advice"], alone["options"]) == (alone["network"][0]["option"], [])
        assert "network" in out("hint", record, "--acts", 0, "--agent", "net")


def test_hint_says_why_it_is_by_no_network(record: Path, tmp_path: Path):
    with shipped(tmp_path, "schafkopf"):
        shown = out("hint", record, "--acts", 0, "--worlds", 5)
    assert "advice by search, without a network: there is no network for this game" in shown.splitlines()


def test_hint_by_the_rulebook(record: Path):
    found = told("hint", record, "--acts", 9, "--agent", "rulebook")
    assert found["by"] == "rulebook" and found["why"][0].startswith(f"rules of thumb: {found['advice']}, ")
    assert "advice by rules of thumb" in out("hint", record, "--acts", 9, "--agent", "rulebook")


# -- analyse


def test_analyse_judges_calls_by_the_best_player(record: Path, tmp_path: Path):
    deal = parse_record(RECORD)
    with shipped(tmp_path, "texas42"):
        moves = told("analyse", record, "--worlds", 5)["moves"][:CALLS]
        shown = out("analyse", record, "--worlds", 5).splitlines()
        for number, move in enumerate(moves):
            view = type(deal)(deal.start, deal.acts[:number]).view(move["seat"])
            likes = Net().likes(view)
            share, done = likes.of(likes.best), likes.of(move["what"])
            assert move["network"] == {"best": likes.best, "share": pytest.approx(share), "done": pytest.approx(done)}
            assert move["open"] == "a call"
            if not isinstance(move["known"], str):
                assert move["known"]["best"] in view.legal_calls and move["known"]["cost"] >= 0
    assert sum(not isinstance(move["known"], str) for move in moves) >= 3
    assert any("network" in line and "it would" in line for line in shown)
    assert "network" not in told("analyse", record, "--agent", "searcher:5w")["moves"][0]


def test_what_was_lost_and_what_was_won_make_up_the_deal(record: Path):
    """From the value before the first lead, what each side gave away leads to the points that were made."""
    moves = told("analyse", record, "--ms", 0)["moves"]
    assert [move["open"] for move in moves[:CALLS]] == ["a call"] * CALLS
    plays = moves[CALLS:]
    assert len(plays) == 28
    value = plays[0]["open"]["before"]
    for move in plays:
        cost = move["open"]["cost"]
        assert cost == abs(move["open"]["before"] - move["open"]["after"])
        assert (cost == 0) == (move["what"] in move["open"]["best"])
        value += -cost if move["seat"] % 2 == 0 else cost
    assert value == 12  # of 42, since the declarers have 30
    assert all(move["known"] == "not asked for" for move in moves)


def test_analyse_weighs_what_was_done_against_the_best(record: Path):
    moves = told("analyse", record, "--agent", "searcher:10w", "--seed", 7)["moves"]
    deal, costs = parse_record(RECORD), list[float]()
    for move in (*moves[:3], *moves[CALLS + 8 : CALLS + 16]):
        view = type(deal)(deal.start, deal.acts[: move["number"]]).view(move["seat"])
        direct = Searcher(worlds=10).search(view, random.Random(7))
        mine = next(one for one in direct.estimates if str(one.option) == move["what"])
        assert move["known"]["best"] == str(direct.best.option)
        if len(direct.estimates) > 1:
            costs.append(mine.behind)
            assert move["known"]["cost"] == pytest.approx(max(0, costs[-1]))
    assert max(costs) > 0.1


def test_a_cost_is_that_of_the_worlds_which_both_were_tried_in(monkeypatch: pytest.MonkeyPatch):
    """What was done was given up early, in lucky worlds: its average is higher, and yet it is behind."""

    def found(view: View, **_: object) -> Findings:
        best = Estimate("31", 0.2, 0.1, 0.3, 400, 0.0)
        return Findings((best, Estimate("30", 0.5, 0.4, 0.6, 8, 0.25)), 400, 0.1, "marks", "the time is over", "31")

    monkeypatch.setattr(search_module, "weigh", found)
    bid = RECORD[: RECORD.index(" | 1 31")] + "\n"
    known = told("analyse", "-", "--agent", "searcher:4w", text=bid)["moves"][0]["known"]
    assert known == {"cost": 0.25, "best": "31", "worlds": 8}


def test_what_the_search_passed_over_is_weighed_all_the_same():
    """Nobody searches a bid of 40 on such a hand, and yet it was made."""
    bid = RECORD[: RECORD.index("trick 1")].replace("1 31", "1 40")
    deal = parse_record(bid)
    before = type(deal)(deal.start, deal.acts[:1]).view(1)
    assert "40" not in [one.option for one in weigh(before, worlds=10).estimates]
    move = told("analyse", "-", "--agent", "searcher:10w", text=bid)["moves"][1]
    assert move["known"]["cost"] > 0
    assert move["known"]["worlds"] == 10


def test_analyse_shows_the_costliest_and_totals(record: Path):
    shown = out("analyse", record, "--ms", 0)
    assert [line for line in shown.splitlines() if "*" in line] == [
        line for line in shown.splitlines() if line.split()[:3] == ["1", "1", "3-3"]
    ]
    totals = shown[shown.index("in all:") :]
    assert [line.split()[:3] for line in totals.splitlines()[2:6]] == [
        ["seat", "0", "0"], ["seat", "1", "11"], ["seat", "2", "0"], ["seat", "3", "0"],
    ]  # fmt: skip


def test_analyse_draws_the_deal(record: Path, tmp_path: Path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "deal.png"
    for shape in ((), ("--json",)):
        picture.unlink(missing_ok=True)
        done = run("analyse", record, "--worlds", 2, "--plot", picture, *shape)
        assert done.exit_code == 0
        assert done.stderr.endswith(f"{picture}\n")
        assert str(picture) not in done.stdout
        assert picture.read_bytes().startswith(b"\x89PNG")
    assert json.loads(done.stdout)["unit"] == "marks"


def test_analyse_says_what_it_leaves_out(record: Path):
    """Hands that are not told, and a renege: the plays after it fit no deal that the rules allow."""
    hidden = RECORD.replace("2: 6-6 6-5 6-1 5-3 4-4 4-2 0-0", "2: ?7")
    assert "left out, open hands: not all hands are told" in out("analyse", "-", "--ms", 0, text=hidden)
    start = RECORD[: RECORD.index("trick 2")]
    reneged = start.replace("3-3, 5-3, 3-2, 3-0", "3-3, 6-6, 3-2, 3-0")
    moves = told("analyse", "-", "--ms", 0, text=reneged)["moves"]
    assert moves[CALLS + 1]["open"] == "against the rules"


@pytest.mark.parametrize("command", ["solve", "hint", "analyse"])
def test_help_has_examples(command: str):
    assert "Example" in out(command, "--help")


# -- bounds


@pytest.mark.parametrize(
    ("low", "high", "points", "makes_20", "loses"),
    [(20, 20, 20, True, False), (19, 19, 19, False, False), (10, 20, None, None, False), (0, 0, 0, False, True),
     (0, 30, None, None, None), (20, 40, None, True, False), (0, 19, None, False, None)],
)  # fmt: skip
def test_bounds_say_no_more_than_is_certain(low: int, high: int, points: Value, makes_20: Value, loses: Value):
    found = Bounds(low, high)
    assert Solution((0, 2), (), wants_more=True).say(found) is points or points == low == high
    assert Solution((0, 2), (), wants_more=True, target=20).say(found) is makes_20
    assert Solution((0,), (), wants_more=True, loses=True).say(found) is loses


# -- the page about them


def test_the_page_shows_what_the_commands_show(record: Path, monkeypatch: pytest.MonkeyPatch):
    """Every line that is shown comes, in order; `...` stands for any lines."""
    monkeypatch.chdir(record.parent)
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text("utf-8")
    blocks = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        command, *shown = block.splitlines()
        assert command.startswith("$ ")
        assert_shown(shown, run_line(command[2:]))


def run_line(command: str) -> list[str]:
    """What a command of the page prints; what is echoed into it is its input."""
    words = shlex.split(command)
    text = f"{words[1]}\n" if words[0] == "echo" else None
    assert words[0] == "renege" or words[2:4] == ["|", "renege"]
    return [line.rstrip() for line in out(*words[4 if text else 1 :], text=text).splitlines()]


def assert_shown(shown: list[str], lines: list[str]) -> None:
    left = iter(lines)
    for line in shown:
        if line != "...":
            assert any(line == other for other in left), (line, lines)
