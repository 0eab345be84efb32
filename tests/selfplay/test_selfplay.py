"""Does a data set say what was played, the same from any number of workers, and does nothing stop it for good?"""

import dataclasses
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from renege.agents import Rulebook
from renege.belief import Belief
from renege.cli.main import app
from renege.core.cards import Cards
from renege.core.game import KITTY
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.encoding import Moment, encoding_of
from renege.games.strategy import Strategy
from renege.search import weigh
from renege.selfplay import play, run
from renege.selfplay.folder import SelfplayFolder, schema_of, table_of, to_bytes
from renege.selfplay.plan import SelfplayPlan, deal_seed, make_plan
from renege.selfplay.play import Decision, play_deal
from support.steering import SOAK

DOCS = Path(__file__).parent.parent.parent / "docs" / "selfplay.md"


def plan(game: str = "texas42-small", agent: str = "random", **other: Any) -> SelfplayPlan:
    rules, version = other.pop("rules", {}), other.pop("renege", "0")
    return replace(make_plan(find_game(game, rules), agent, **{"seed": 1, "piece": 4, **other}), renege=version)


def replayed(made: SelfplayPlan, deal: int, decisions: list[Decision]) -> Iterator[tuple[Moment, Decision]]:
    """The deal again from its seed, by the numbers of the choices alone: each moment with its decision."""
    encoding = encoding_of(made.table())
    moment = encoding.deal(
        deal_seed(made, deal), dataclasses.replace(made.table().opening, dealer=deal % encoding.game.players)
    )
    for decision in decisions:
        yield moment, decision
        for action in decision.choice:
            moment = moment.after(action)
    assert moment.over
    assert all(one.result == moment.rewards[one.seat] for one in decisions)


# -- what is told


FRIENDS = {"seats": "6", "packs": "3", "mode": "friends"}


def test_six_find_friends() -> None:
    """Friends are one decision of several actions, and every seat has a result of its own."""
    made = plan("tractor", "rulebook", rules=FRIENDS, odds=True)
    decisions = play_deal(made, 4)
    seen = list(replayed(made, 4, decisions))
    (named,) = [one for one in decisions if one.choice_text.startswith("friends ")]
    assert len(named.choice) == 4 and named.seat == seen[-1][0].position.contract.declarer  # pyright: ignore
    assert {one.seat for one in decisions} == set(range(6))
    assert all(one.odds is not None and one.odds.shape == (7, 54) for one in decisions)
    table = table_of(made, 4, [decisions])
    assert table.num_rows == len(decisions)
    assert len(table["observation"][0]) == encoding_of(made.table()).width


@pytest.mark.parametrize(
    ("game", "agent", "deals"),
    [
        ("texas42", "rulebook", 3),
        ("texas42", "random", 3),
        ("texas42-small", "random", 20),
        ("schafkopf", "rulebook", 4),
        ("schafkopf-small", "random", 20),
        ("texas42", "searcher:2w", 1),
    ],
)
def test_a_deal_can_be_played_again_from_its_choices(game: str, agent: str, deals: int) -> None:
    made = plan(game, agent)
    for deal in range(deals * SOAK):
        decisions = play_deal(made, deal)
        assert [one.decision for one in decisions] == list(range(len(decisions)))
        for moment, one in replayed(made, deal, decisions):
            assert one.seat == moment.turn
            assert one.phase == ("talk" if moment.position.talking else "play")
            assert (one.observation == moment.observe(one.seat)).all()
            assert one.legal == moment.legal
            assert one.legal_texts == tuple(moment.encoding.actions[action] for action in moment.legal)
            assert one.choice[0] in one.legal
            assert moment.numbers(one.choice_text) == one.choice
            assert moment.act(one.choice_text).position == reduce(Moment.after, one.choice, moment).position
            assert one.odds is None and one.options is None


def test_an_agent_is_given_what_its_seat_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The views that are kept up act by act are those that the deal gives when it is read from its start."""
    given: list[Any] = []

    class Watched(Rulebook):
        def choose(self, view: Any, rng: random.Random) -> Any:
            given.append(view)
            return super().choose(view, rng)

    monkeypatch.setattr(play, "parse_agent", lambda name: Watched())
    made = plan("texas42", "rulebook")
    decisions = play_deal(made, 5)
    seen = [moment.view(one.seat) for moment, one in replayed(made, 5, decisions)]
    assert given == seen
    assert [view.position for view in given] == [view.position for view in seen]


def worlds_of(record: Record, seat: int) -> list[Record]:
    """All deals that look the same to a seat, from the belief's list, each held against the seat's own view."""
    belief = Belief(record.view(seat))
    found = [belief.record(world) for world in belief.listed()]
    assert all(other.view(seat) == record.view(seat) for other in found)
    return found


def test_odds_are_the_shares_of_the_worlds_counted_one_by_one() -> None:
    made = plan(odds=True)
    checked = 0
    for deal in range(3 * SOAK):
        for moment, one in replayed(made, deal, play_deal(made, deal)):
            assert one.odds is not None and one.odds_exact
            worlds = worlds_of(Record(moment.start, moment.acts), one.seat)
            counts = np.zeros((moment.encoding.game.players + 1, moment.encoding.cards))
            for world in worlds:
                position = world.position
                for pile, cards in (*enumerate(position.hands), (KITTY, position.kitty)):
                    assert isinstance(cards, Cards)
                    row = KITTY if pile == KITTY else (pile - one.seat) % 4
                    for card in cards:
                        counts[row, card] += 1
            assert np.allclose(one.odds, counts / len(worlds), atol=1e-6)
            checked += 1
    assert checked > 10


def test_values_are_those_of_the_search() -> None:
    made = plan("texas42", "rulebook", values=4)
    several = 0
    for moment, one in replayed(made, 0, play_deal(made, 0)):
        seed = random.Random(f"values:{made.seed}:0:{one.decision}").getrandbits(63)
        found = weigh(moment.view(one.seat), worlds=4, seed=seed)
        assert one.options is not None
        assert [option.worlds for option in one.options] == [estimate.worlds for estimate in found.estimates]
        for option, estimate in zip(one.options, found.estimates, strict=True):
            assert option.mean == (None if math.isnan(estimate.mean) else estimate.mean)
            what = estimate.option
            assert option.actions == moment.numbers(what) and option.actions[0] in one.legal
            assert isinstance(what, Play) or option.text == what
        several += len(one.options) > 1
    assert several > 5


def test_a_searcher_tells_of_its_own_search(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = plan("texas42", "searcher:3w")
    made = plan("texas42", "searcher:3w", values=3)
    monkeypatch.setattr(play, "weigh", None)  # it would be a second search
    decisions = play_deal(made, 1)
    assert [one.choice for one in decisions] == [one.choice for one in play_deal(apart, 1)]
    for one in decisions:
        assert one.options is not None
        assert one.options[0].actions == one.choice


# -- rows


def test_the_schema_is_as_documented() -> None:
    """Every column of a full data set, in order, with its type, is a row of the table in the documentation."""
    schema = schema_of(plan("texas42", "rulebook", odds=True, values=2))
    told = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", DOCS.read_text("utf-8"), re.MULTILINE)
    sizes = {"observation": "width", "odds": "(seats + 1) * cards"}
    assert told == [(field.name, _spelled(field.type, sizes.get(field.name))) for field in schema]


def _spelled(kind: Any, size: str | None = None) -> str:
    if pa.types.is_fixed_size_list(kind):
        return f"list<{_spelled(kind.value_type)}>[{size}]"
    return f"list<{_spelled(kind.value_type)}>" if pa.types.is_list(kind) else str(kind)


def test_rows_read_back_as_they_were_played() -> None:
    made = plan("texas42", "rulebook", odds=True, values=2)
    deals = [play_deal(made, deal) for deal in (7, 8)]
    rows = table_of(made, 7, deals).to_pylist()
    flat = [(deal, one) for deal, found in zip((7, 8), deals, strict=True) for one in found]
    assert len(rows) == len(flat)
    for row, (deal, one) in zip(rows, flat, strict=True):
        assert (row["game"], row["rules"], row["deal"], row["seed"]) == ("texas42", "{}", deal, deal_seed(made, deal))
        for name in ("decision", "seat", "phase", "choice_text", "odds_exact", "result"):
            assert row[name] == getattr(one, name)
        for name in ("observation", "legal", "legal_texts", "choice"):
            assert row[name] == list(getattr(one, name))
        assert one.odds is not None and row["odds"] == one.odds.ravel().tolist()
        assert one.options is not None
        assert row["option_actions"] == [list(option.actions) for option in one.options]
        assert row["option_texts"] == [option.text for option in one.options]
        assert row["option_means"] == [None if o.mean is None else float(np.float32(o.mean)) for o in one.options]
        assert row["option_worlds"] == [option.worlds for option in one.options]
    plain = schema_of(plan("texas42", "rulebook"))
    assert [name for name in plain.names if name.startswith(("odds", "option"))] == []


def test_results_at_the_dearest_prices_have_room() -> None:
    prices = dict.fromkeys(("base", "solo", "extra", "ramsch"), "1000000")
    made = plan("schafkopf", "random", rules=prices | {"doubling": "anyone", "virgins": "price"})
    deals = [play_deal(made, deal) for deal in range(6)]
    rows = table_of(made, 0, deals).to_pylist()
    assert [row["result"] for row in rows] == [one.result for deal in deals for one in deal]
    assert schema_of(made).field("result").type == pa.int64()
    big = [[dataclasses.replace(one, result=3 << 40) for one in deals[0]]]
    assert {row["result"] for row in table_of(made, 0, big).to_pylist()} == {3 << 40}


def test_the_rules_of_the_house_are_in_every_row() -> None:
    made = plan("texas42", "random", rules={"target": "5"})
    assert {row["rules"] for row in table_of(made, 0, [play_deal(made, 0)]).to_pylist()} == {'{"target":"5"}'}


# -- files


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "data").iterdir())}


def test_the_same_bytes_from_any_number_of_workers_and_after_any_stop(tmp_path: Path) -> None:
    made = plan()
    alone = run.run(made, tmp_path / "alone", 10, workers=1)
    assert (alone.deals, alone.new_deals, alone.files) == (10, 10, 3)
    together = run.run(made, tmp_path / "together", 10, workers=2)
    assert together == alone
    assert files(tmp_path / "together") == files(tmp_path / "alone")
    # in the order of the deals, whatever was written first
    rows = pq.read_table(tmp_path / "alone" / "data")
    assert rows.num_rows == alone.decisions
    assert rows["deal"].to_pylist() == [deal for deal in range(10) for _ in play_deal(made, deal)]

    # some deals, then more: the last file is carried on, the others are left alone
    folder = tmp_path / "longer"
    run.run(made, folder, 6, workers=1)
    first = (folder / "data/deals-000000.parquet").stat().st_mtime_ns
    assert SelfplayFolder(folder, made).find(1) is not None
    told: list[run.SelfplayProgress] = []
    longer = run.run(made, folder, 10, workers=1, tell=told.append)
    assert (longer.deals, longer.new_deals, longer.decisions) == (10, 4, alone.decisions)
    assert [so_far.deals for so_far in told] == [6, 8, 10]
    assert files(folder) == files(tmp_path / "alone")
    assert (folder / "data/deals-000000.parquet").stat().st_mtime_ns == first
    again = run.run(made, folder, 10, workers=1)
    assert (again.deals, again.new_deals) == (10, 0)


def test_stopped_in_the_middle_nothing_is_played_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, played = plan(), list[int]()

    def falters(plan: SelfplayPlan, deal: int) -> list[Decision]:
        played.append(deal)
        if len(played) == 7:
            raise KeyboardInterrupt
        return play_deal(plan, deal)

    monkeypatch.setattr(run, "play_deal", falters)
    with pytest.raises(KeyboardInterrupt):
        run.run(made, tmp_path / "deals", 10, workers=1)
    assert list(files(tmp_path / "deals")) == ["deals-000000.parquet"]
    run.run(made, tmp_path / "deals", 10, workers=1)
    assert played == [0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9]  # what was not written is played again, no more
    monkeypatch.undo()
    run.run(made, tmp_path / "whole", 10, workers=1)
    assert files(tmp_path / "deals") == files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"seed": 2}, "its seed is 1, and here 2"),
        ({"agent": "rulebook", "game": "texas42"}, "its game is 'texas42-small', and here 'texas42'"),
        ({"odds": True}, "its odds is False, and here True"),
        ({"piece": 5}, "its piece is 4, and here 5"),
        ({"renege": "9"}, "its renege is '0', and here '9'"),
    ],
)
def test_plans_are_not_mixed(other: dict[str, Any], says: str, tmp_path: Path) -> None:
    run.run(plan(), tmp_path, 1, workers=1)
    before = files(tmp_path)
    with pytest.raises(ValueError, match="is left as it is: it holds other self-play") as refusal:
        run.run(plan(**other), tmp_path, 9, workers=1)
    assert says in str(refusal.value)
    assert files(tmp_path) == before


def test_a_bit_that_has_turned_anywhere_is_found_and_the_file_named(tmp_path: Path) -> None:
    """Or it stands where nothing is told by it: then the rows that are read are those that were written."""
    made = plan()
    run.run(made, tmp_path, 4, workers=1)
    file = tmp_path / "data/deals-000000.parquet"
    whole, rows = file.read_bytes(), pq.read_table(file)
    rng = random.Random(17)
    found = 0
    for place in rng.sample(range(len(whole)), min(len(whole), 120 * SOAK)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        says = refusal(tmp_path, made)
        found += bool(says)
        if says:
            assert says.startswith(f"{file}: it ") and says.endswith("plays these deals again"), place
            assert "\n" not in says, place
        else:
            assert pq.read_table(file).equals(rows), place
    assert found > 60


def refusal(folder: Path, made: SelfplayPlan) -> str:
    """Why the first piece, of four deals, does not count; '' if it does."""
    try:
        piece = SelfplayFolder(folder, made).find(0)
    except ValueError as wrong:
        return str(wrong)
    assert piece is not None and (piece.first, piece.deals) == (0, 4)
    return ""


def test_rows_that_are_lost_at_the_end_of_a_file_are_missed(tmp_path: Path) -> None:
    """The last decisions of the last deal: what is left has no gap, and says nothing of them."""
    made = plan()
    run.run(made, tmp_path, 2, workers=1)
    run.run(made, tmp_path, 4, workers=1)  # carried on, so that the number of rows is that of both parts
    file = tmp_path / "data/deals-000000.parquet"
    whole, rows = file.read_bytes(), pq.read_table(file)
    for lost in (1, 3):
        file.write_bytes(to_bytes(rows.slice(0, rows.num_rows - lost)))
        assert f"it should have {rows.num_rows} rows, and has {rows.num_rows - lost}; remove it" in refusal(
            tmp_path, made
        )
    file.unlink()
    run.run(made, tmp_path, 4, workers=1)
    assert file.read_bytes() == whole


def test_the_highest_prices_have_room() -> None:
    """Three times the highest price of a solo, doubled twenty times: more than 32 bits hold."""
    made, paid = plan("schafkopf", rules={"solo": "100000", "stoss_limit": "20"}), 3 * 100_000 << 20
    told = [dataclasses.replace(one, result=paid) for one in play_deal(made, 0)]
    assert set(table_of(made, 0, [told])["result"].to_pylist()) == {paid}


def test_a_file_that_is_damaged_or_of_something_else_is_named(tmp_path: Path) -> None:
    made = plan()
    run.run(made, tmp_path, 8, workers=1)
    file = tmp_path / "data/deals-000001.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    with pytest.raises(ValueError, match=r"deals-000001.parquet: it cannot be read .*; remove it"):
        run.run(made, tmp_path, 8, workers=1)
    file.write_bytes((tmp_path / "data/deals-000000.parquet").read_bytes())
    with pytest.raises(ValueError, match="is of other self-play; remove it"):
        run.run(made, tmp_path, 8, workers=1)
    file.write_bytes(to_bytes(pa.table({"x": [1]})))
    with pytest.raises(ValueError, match="cannot be read"):
        run.run(made, tmp_path, 8, workers=1)
    file.unlink()
    run.run(made, tmp_path, 8, workers=1)
    assert file.read_bytes() == whole
    novel = tmp_path / "novel"
    novel.mkdir()
    (novel / "chapter-1").write_text("It was a dark and stormy night.")
    with pytest.raises(ValueError, match="not empty, and no self-play"):
        run.run(made, novel, 8, workers=1)


# -- what cannot be played


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="never the same twice"):
        plan(agent="searcher:50ms")
    with pytest.raises(ValueError, match="is no agent"):
        plan(agent="bob")
    with pytest.raises(ValueError, match="values over 0 worlds"):
        plan("texas42", values=0)
    bare = find_game("tractor").offering(Encoding=None)
    with pytest.raises(ValueError, match="tractor is not put into numbers yet"):
        make_plan(bare, "random", seed=1)
    blind = find_game("texas42").offering(Strategy=Strategy())
    with pytest.raises(ValueError, match="cannot be searched"):
        make_plan(blind, "random", seed=1, values=2)
    with pytest.raises(ValueError, match="cannot be searched"):
        make_plan(blind, "searcher:3w", seed=1)


def test_an_agent_that_fails_is_told_with_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reneger:
        name = "reneger"

        def choose(self, view: Any, rng: random.Random) -> Any:
            raise ValueError("no idea")

        def interject(self, view: Any, rng: random.Random) -> None:
            return None

    monkeypatch.setattr(play, "parse_agent", lambda name: Reneger())
    with pytest.raises(ValueError, match="deal 6, decision 0, reneger: no idea"):
        play_deal(plan(), 6)


# -- the command


def selfplay(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["selfplay", *arguments])


def test_the_command_plays_and_sums_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = selfplay(
        "texas42-small", "--out", "deals", "--deals", "6", "--piece", "4", "--agent", "random", "--workers", "1"
    )
    assert done.exit_code == 0, done.stderr
    found = re.fullmatch(
        r"deals: 6 deals, (\d+) decisions, 2 files \(6 new, \S+ pieces/s, \S+ deals/s, \S+ decisions/s\)\n", done.stdout
    )
    assert found and int(found[1]) == pq.read_table("deals/data").num_rows
    again = selfplay("texas42-small", "--out", "deals", "--deals", "6", "--piece", "4", "--agent", "random")
    assert again.stdout == f"deals: 6 deals, {found[1]} decisions, 2 files (none new)\n"
    written = json.loads(Path("deals/selfplay.json").read_bytes())
    assert (written["game"], written["agent"], written["values"]) == ("texas42-small", "random", None)
    valued = selfplay("42", "--out", "valued", "--deals", "1", "--agent", "searcher:2w", "--values")
    assert valued.exit_code == 0, valued.stderr
    assert json.loads(Path("valued/selfplay.json").read_bytes())["values"] == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("42", "--agent", "bob"), "'bob' is no agent"),
        (("43",), "unknown game '43'"),
        (("42", "--worlds", "5"), "--worlds is for --values"),
        (("42", "--agent", "searcher:50ms"), "never the same twice"),
        (("42", "--cluster", "nowhere"), "'nowhere' is no address of a cluster"),
    ],
)
def test_the_command_refuses_in_a_line(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if "--cluster" in arguments:
        monkeypatch.setattr("renege.jobs.ray.find_ray", lambda: None)
    done = selfplay(*arguments, "--out", "deals")
    assert done.exit_code == 2
    assert done.stderr.startswith("renege: ") and says in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "renege", "selfplay", "texas42-small", "--agent", "random", "--piece", "1"]
    command += ["--out", "deals", "--workers", "2", "--deals"]
    data = tmp_path / "deals" / "data"
    with subprocess.Popen([*command, "100000"], cwd=tmp_path, stderr=subprocess.DEVNULL) as playing:
        until = time.monotonic() + 60
        while not data.exists() or len(list(data.iterdir())) < 5:
            assert playing.poll() is None and time.monotonic() < until
            time.sleep(0.02)
        playing.send_signal(signal.SIGKILL)
    there = files(tmp_path / "deals")
    count = 2 + max(int(name[6:12]) for name in there)
    subprocess.run([*command, str(count)], cwd=tmp_path, check=True, capture_output=True)
    after = files(tmp_path / "deals")
    assert {name: after[name] for name in there} == there
    made = SelfplayPlan.read((tmp_path / "deals" / "selfplay.json").read_bytes())
    assert after == {
        f"deals-{deal:06}.parquet": to_bytes(table_of(made, deal, [play_deal(made, deal)])) for deal in range(count)
    }


# -- other readers


def test_polars_reads_it(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    made = plan("texas42", "rulebook", odds=True, values=2)
    so_far = run.run(made, tmp_path, 2, workers=1)
    frame = polars.scan_parquet(tmp_path / "data").collect()
    assert frame.height == so_far.decisions
    assert frame["observation"].to_numpy().shape == (frame.height, encoding_of(made.table()).width)
    assert frame["option_means"].list.len().min() >= 1


def test_duckdb_reads_it(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    made = plan("texas42", "rulebook", odds=True, values=2)
    so_far = run.run(made, tmp_path, 2, workers=1)
    asked = f"select count(*), count(distinct deal), min(len(observation)) from '{tmp_path}/data/*.parquet'"
    assert duckdb.sql(asked).fetchall() == [(so_far.decisions, 2, encoding_of(made.table()).width)]


def test_datasets_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    datasets = pytest.importorskip("datasets")
    made = plan("texas42", "rulebook", odds=True, values=2)
    so_far = run.run(made, tmp_path / "deals", 2, workers=1)
    read = datasets.load_dataset(
        "parquet",
        data_files=str(tmp_path / "deals" / "data" / "*.parquet"),
        split="train",
        cache_dir=str(tmp_path / "c"),
    )
    assert len(read) == so_far.decisions
    assert len(read[0]["observation"]) == encoding_of(made.table()).width
