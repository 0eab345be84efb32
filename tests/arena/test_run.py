"""Matches: the same whoever plays the pairs and in which order, fair to both sides, and honest about their logs."""

import dataclasses
import random
import time
from typing import Any

import msgspec
import pytest

from renege.agents import Random, Rulebook, parse_agent
from renege.arena import run
from renege.arena.run import MatchPlan, Pair, deal_seed, make_plan, play_pair, play_pairs, read_log, scores
from renege.arena.stats import estimate
from renege.arena.summary import Times, summarise
from renege.core.position import View
from renege.core.registry import find_game
from renege.games.strategy import Advice, strategy_of
from support.steering import SOAK


def plan(game: str = "texas42", a: str = "rulebook", b: str = "random", **other: Any) -> MatchPlan:
    rules, version = other.pop("rules", {}), other.pop("renege", "0")
    asked: dict[str, Any] = {"seed": 1, "pairs": 8, **other}
    return dataclasses.replace(make_plan(find_game(game, rules), a, b, **asked), renege=version)


def untimed(pair: Pair) -> Pair:
    """A pair without what the clock said: only how many moves each agent made."""
    return msgspec.structs.replace(pair, a=(float(len(pair.a)),), b=(float(len(pair.b)),), cores=(0.0, 0.0))


def test_pairs_are_the_same_from_any_number_of_processes():
    match = plan()
    alone = [untimed(pair) for pair in play_pairs(match, range(8))]
    together = [untimed(pair) for pair in play_pairs(match, range(8), workers=2)]
    assert [pair.pair for pair in alone] == list(range(8))
    assert sorted(together, key=lambda pair: pair.pair) == alone
    assert untimed(play_pair(match, 5)) == alone[5]


def test_what_goes_wrong_in_a_process_comes_back_as_what_it_was():
    bob = dataclasses.replace(plan(), b="bob")
    with pytest.raises(ValueError, match="'bob' is no agent"):
        list(play_pairs(bob, range(4), workers=2))


def test_a_rulebook_against_itself_comes_out_level_in_every_pair():
    """It leaves nothing to chance, so that swapping the sides undoes the deal exactly."""
    for game in ("texas42", "tractor", "schafkopf"):
        if strategy_of(find_game(game)).policy is not None:
            pairs = list(play_pairs(plan(game, b="rulebook"), range(4 * SOAK)))
            assert [pair.score for pair in pairs] == [0] * len(pairs)
            assert any(pair.rounds[0].score for pair in pairs)  # though the deals themselves were not level


def test_whole_games_of_a_rulebook_against_itself_are_level_too():
    pairs = list(play_pairs(plan(b="rulebook", whole_games=True, rules={"target": "3"}), range(3)))
    for pair in pairs:
        assert pair.score == 0
        assert pair.rounds[0].results == pair.rounds[1].results
        assert len(pair.rounds[0].results) >= 2


def test_a_pair_is_the_mean_of_its_two_rounds():
    for pair in play_pairs(plan("tractor", a="random"), range(2)):
        first, second = pair.rounds
        assert (first.seats, second.seats) == ((0, 2), (1, 3))
        assert pair.score == (first.score + second.score) / 2
        assert len(pair.a) + len(pair.b) == first.acts + second.acts


def test_each_move_is_timed_for_the_agent_that_made_it(monkeypatch: pytest.MonkeyPatch):
    class Slow:
        name = "slow"

        def choose(self, view: View, rng: random.Random) -> Advice:
            time.sleep(0.002)
            return Random().choose(view, rng)

        def interject(self, view: View, rng: random.Random) -> Advice | None:
            return None

    monkeypatch.setattr(run, "parse_player", lambda text: Slow() if text == "slow" else Random())
    pair = play_pair(plan(a="slow"), 0)
    assert min(pair.a) >= 0.002 > min(pair.b)
    assert 0 < pair.cores[0] < sum(pair.a) / 2  # asleep, it needs no core


def test_a_null_match_of_chance_has_noise_of_its_own_at_every_seat():
    pairs = list(play_pairs(plan(a="random"), range(40 * SOAK)))
    assert any(pair.score for pair in pairs)  # the two rounds are not mirror images
    assert estimate(scores(pairs)).covers_zero


def test_the_deals_of_a_pair_are_those_of_its_number_and_the_seed():
    assert deal_seed(plan(), 3) == deal_seed(plan(a="random"), 3)
    seeds = {deal_seed(plan(seed=seed), pair, number) for seed in (1, 2) for pair in (0, 1) for number in (0, 1)}
    assert len(seeds) == 8


def test_the_better_player_is_found():
    found = estimate(scores(play_pairs(plan(), range(20 * SOAK))))
    assert found.low > 0.5
    there = estimate(scores(play_pairs(plan(a="random", b="rulebook"), range(20 * SOAK))))
    assert there.high < -0.5


# --- luck -----------------------------------------------------------------------------------------


def test_luck_depends_on_the_deal_alone():
    """Not on who plays it, but for who stands in for whom: a searcher has the rulebook's."""
    luck = [pair.luck for pair in play_pairs(plan(b="rulebook", control=True), range(6))]
    others = play_pairs(plan(a="searcher:1w", b="rulebook", control=True), range(6))
    assert luck == [pair.luck for pair in others]
    assert len(set(luck)) == 6
    assert all(pair.luck is None for pair in play_pairs(plan(), range(1)))


# --- the log --------------------------------------------------------------------------------------


def log(match: MatchPlan, pairs: int) -> bytes:
    return b"".join(map(run.write_line, [match, *play_pairs(match, range(pairs))]))


def test_a_log_reads_back():
    match = plan()
    text = log(match, 3)
    header, pairs, good = read_log(text, match)
    assert header == match
    assert sorted(pairs) == [0, 1, 2]
    assert good == len(text)
    assert text == b"".join(map(run.write_line, [match, *pairs.values()]))


def test_a_line_cut_short_is_dropped_wherever_it_was_cut():
    match = plan()
    text = log(match, 2)
    *_, last = text.splitlines(keepends=True)
    for cut in range(1, len(last) + 1, 7):
        _, pairs, good = read_log(text[:-cut], match)
        assert sorted(pairs) == [0]
        assert good == len(text) - len(last)
    first = run.write_line(match)
    for cut in range(1, len(first), 7):
        assert read_log(first[:cut], match) == (None, {}, 0)
    assert read_log(b"", match) == (None, {}, 0)


@pytest.mark.parametrize("text", [b"my novel", b"my novel\n", b'{"ask": "version"}\n', b"\n", b"\xff\xfe\n"])
def test_a_file_of_something_else_is_refused(text: bytes):
    with pytest.raises(ValueError, match="something else"):
        read_log(text, plan())


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"seed": 2}, "its seed is 2, and here 1"),
        ({"b": "rulebook"}, "its b is 'rulebook', and here 'random'"),
        ({"renege": "9"}, "its renege is '9'"),
        ({"rules": {"target": "5"}}, "its rules is {'target': '5'}"),
        ({"whole_games": True}, "its whole games is True"),
    ],
)
def test_the_log_of_another_match_is_refused(other: dict[str, Any], says: str):
    with pytest.raises(ValueError, match="another match") as refusal:
        read_log(run.write_line(plan(**other)), plan())
    assert says in str(refusal.value)


def test_a_match_may_be_carried_on_beyond_what_was_planned():
    header, _, _ = read_log(run.write_line(plan(pairs=8)), plan(pairs=20))
    assert header is not None and header.pairs == 8


def test_a_damaged_line_is_named():
    text = log(plan(), 2).splitlines(keepends=True)
    with pytest.raises(ValueError, match="line 2 is damaged"):
        read_log(b"".join([text[0], text[1][:40] + b"\n", text[2]]), plan())


# --- plans and summaries --------------------------------------------------------------------------


def test_a_plan_that_cannot_be_played_is_refused():
    with pytest.raises(ValueError, match="is no agent"):
        plan(b="bob")
    with pytest.raises(ValueError, match="nobody ever wins"):
        plan("schafkopf", "random", whole_games=True)


def test_agents_are_spelt_as_they_name_themselves():
    for agent in (Random(), Rulebook(), parse_agent("searcher:50ms,30w")):
        assert parse_agent(agent.name) == agent


def made_up(scores: list[float]) -> list[Pair]:
    blank = play_pair(plan(), 0)
    return [msgspec.structs.replace(blank, pair=i, score=score) for i, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("a", "scores", "verdict"),
    [
        ("rulebook", [1.0, 0.5] * 20, "rulebook is stronger than random"),
        ("rulebook", [-1.0, -0.5] * 20, "random is stronger than rulebook"),
        ("rulebook", [-1.0, 1.0] * 20, "is open"),
        ("rulebook", [1.0, 0.5], "Too few pairs to say"),
        ("random", [-1.0, 1.0] * 20, "covers zero, as it should"),
        ("random", [1.0, 0.5] * 20, "misses zero"),
        ("random", [1.0, 0.5], "Too few pairs to check"),
    ],
)
def test_verdicts(a: str, scores: list[float], verdict: str):
    summary = summarise(plan(a=a), made_up(scores), planned=len(scores))
    assert verdict in summary.verdict
    *_, last = summary.lines()
    assert last == summary.verdict


def test_a_summary_says_when_the_machine_was_busy():
    pair = msgspec.structs.replace(made_up([1.0])[0], a=(0.05, 0.05), b=(0.05, 0.05), cores=(0.03, 0.1))
    told = [line for line in summarise(plan(), [pair], planned=1).lines() if "busy" in line]
    assert told == ["the machine was busy: rulebook had a core for 30% of its time"]


def test_a_summary_counts_and_times():
    summary = summarise(plan(), made_up([1.0, 0.0, 0.0, -1.0, 1.0]), planned=8)
    assert summary.ahead == (2, 2, 1)
    assert summary.unit == "marks a hand"
    assert any("8 pairs were planned" in line for line in summary.lines())
    times = Times.of([0.001] * 98 + [0.003, 0.005], 0.053)
    assert (times.moves, times.p99, times.longest) == (100, 3.0, 5.0)
    assert (times.mean, times.core) == (pytest.approx(1.06), pytest.approx(0.5))
    assert summarise(plan("schafkopf", "random"), made_up([1.0, 2.0]), planned=2).unit == "cents a deal"
    assert any("solo 50" in line for line in summarise(plan("schafkopf", "random"), made_up([1.0]), 1).lines())
    assert summarise(plan(whole_games=True), made_up([1.0]), 1).unit == "marks a game"
    assert summarise(plan(), made_up([1.0]), 1).answer()["interval"] is None
