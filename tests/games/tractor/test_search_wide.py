"""Larger tables of Tractor are searched: options are legal, worth what the engine scores, and deals come to an end."""

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from renege.agents import Rulebook, Searcher
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.game import Game, Standing
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.core.world import World
from renege.games import tractor
from renege.games.strategy import strategy_of
from renege.games.tractor.declare import Bank
from renege.games.tractor.rollouts_wide import in_kernel, play_on
from renege.games.tractor.rulebook_wide import advise
from renege.games.tractor.score import bankers_team
from renege.games.tractor.search_wide import friends_for, options, worth
from renege.native.engine import CPU
from renege.search import pimc
from support.tractor_wide import kernel_play

TABLES = ["three-packs", "two-packs-six", "three-packs-six", "friends-five", "friends-six", "friends-seven"]
SLOW = [{"duty_family": "first-format"}, {"throw_comparison": "all-units"}]  # what Python plays on


def views(game: Game, seed: int, standing: Standing | None = None) -> Iterator[View]:
    """Every view of a seat to move in a round by the rulebook."""
    table, agent = Arbiter(game, seed, standing), Rulebook()
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        yield view
        assert table.act(seat, agent.choose(view, random.Random(0)).what)


def gain(position: Position, seat: int) -> float:
    """Levels that a seat's team has gained more than the others on average when a round is over."""
    result, bankers = position.result, bankers_team(position)
    assert result is not None
    ours = [score for one, score in enumerate(result.score) if (one in bankers) == (seat in bankers)]
    theirs = [score for one, score in enumerate(result.score) if (one in bankers) != (seat in bankers)]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


def there(view: View, world: World) -> Position:
    return replace(view.position, hands=world.hands, kitty=world.kitty)


@pytest.mark.parametrize("preset", [*TABLES, "friends-eight"])
def test_plays_are_worth_what_the_engine_scores(preset: str) -> None:
    game, rng = tractor.game(preset), random.Random(preset)
    levels = [rng.choice([2, 5, 13, 14]) for _ in range(game.rules.sides)]
    chosen = [view for view in views(game, 3, Standing(1, (*levels, 1))) if not view.position.talking]
    for view in rng.sample(chosen, 4):
        search = strategy_of(view.game).search
        assert search is not None
        tried, worlds = search.options(view), Belief(view).draw(2, 7)
        found = search.weigh(view, worlds, tried, math.inf)
        for row, world in zip(found.paid, worlds, strict=True):
            for option, paid in zip(tried, row, strict=True):
                position = there(view, world).play(option)
                while not position.over:
                    position = position.play(Play(kernel_play(position)))
                assert paid == pytest.approx(gain(position, view.seat)), (str(view), str(option))


@pytest.mark.parametrize("choices", SLOW, ids=str)
def test_what_the_kernel_does_not_play_is_played_by_the_rulebook(choices: dict[str, str]) -> None:
    game = tractor.game(seats=6, packs=3, mode="friends", **choices)
    assert not in_kernel(game.rules)
    chosen = [view for view in views(game, 5) if not view.position.talking and len(view.hand) < 4]
    for view in chosen[::5]:
        tried, worlds = options(view), Belief(view).draw(2, 7)
        contract = view.position.contract
        assert isinstance(contract, Bank) and all(isinstance(option, Play) for option in tried)
        plays = [option for option in tried if isinstance(option, Play)]
        ends = play_on(view.position, worlds, plays, math.inf, CPU)
        found = worth(view.position, view.seat, contract.declarer, ends)
        for row, world in zip(found.paid, worlds, strict=True):
            for option, paid in zip(plays, row, strict=True):
                position = there(view, world).play(option)
                while not position.over:
                    what = advise(position.turn_to_play()).what
                    position = position.play(what)
                assert paid == pytest.approx(gain(position, view.seat))
        late = play_on(view.position, worlds, plays, -math.inf, CPU)
        assert (late.points < 0).all()


@pytest.mark.parametrize("preset", [*TABLES, "four-packs-eight", "friends-eight"])
def test_whole_deals_by_searchers_break_no_rule(preset: str) -> None:
    game, agent, rng = tractor.game(preset), Searcher(worlds=4), random.Random(preset)
    table, verbs = Arbiter(game, 11), set[str]()
    while (seat := table.position.turn) is not None:
        what = agent.choose(table.view(seat), rng).what
        verbs.add(str(what).partition(" ")[0])
        verdict = table.act(seat, what)
        assert verdict.legal, (preset, str(table.position), str(what), verdict)
    assert table.record.position.result is not None
    assert "bury" in verbs and ("friends" in verbs) == bool(game.rules.friend_count)


HOUSES: list[dict[str, Any]] = [
    {"seats": 7, "packs": 4, "mode": "friends", "throw_test": "public-info", "double_friend": "not"},
    {"seats": 5, "packs": 5, "mode": "friends", "follow_duty": "both-protected", "stopped_throw": "first-found"},
    {"seats": 6, "packs": 3, "stopped_throw": "refused", "trump_throws": "forbidden", "new_deal": "either"},
    {"seats": 8, "packs": 3, "throw_test": "opponents", "throw_penalty": 10, "shorter_runs": "all-owed"},
    {"seats": 4, "packs": 3, "mode": "friends", "tractor_width": 3, "friend_cards": "trumps-too"},
]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(map(str, house.values())))
def test_whole_deals_under_other_house_rules(house: dict[str, Any]) -> None:
    game = tractor.game(**house)
    table, agents = Arbiter(game, 3), (Searcher(worlds=2), Rulebook())
    while (seat := table.position.turn) is not None:
        what = agents[seat % 2].choose(table.view(seat), random.Random(seat)).what
        verdict = table.act(seat, what)
        assert verdict.legal, (str(table.position), str(what), verdict)


@pytest.mark.parametrize("preset", ["three-packs-six", "friends-five"])
def test_calls_are_weighed_by_legal_rounds(preset: str) -> None:
    weighed = set[str]()
    for seed in (1, 2):
        for view in views(tractor.game(preset), seed):
            if not view.position.talking:
                break
            tried = options(view)
            for option in tried:
                assert view.position.judge(str(option), view.seat).legal, (str(view), str(option))
            if len(tried) > 1:
                found = pimc.weigh(view, worlds=4, seed=seed)
                assert found.worlds == 4 and not math.isnan(found.best.mean)
                weighed.add(str(tried[-1]).partition(" ")[0])
    assert weighed >= {"bury", "show"} | ({"friends"} if preset.startswith("friends") else set())


def test_the_friends_that_are_weighed_are_named_by_the_cards_in_hand() -> None:
    view = next(view for view in views(tractor.game("friends-six"), 4) if str(options(view)[0]).startswith("friends"))
    position = view.position
    drawing = position.talk
    friends = friends_for(drawing, view.hand, position.kitty)  # pyright: ignore[reportArgumentType] (it is the banker)
    assert f"friends {', '.join(map(str, friends))}" == str(options(view)[0])
    assert len(options(view)) > 3


@pytest.mark.parametrize("choices", [{}, *SLOW], ids=str)
def test_without_time_the_rulebook_decides(choices: dict[str, str]) -> None:
    game = tractor.game(seats=6, packs=3, **choices)
    for view in list(views(game, 2))[::9]:
        found = pimc.weigh(view, ms=0.001)
        assert found.best.option == found.usual and found.worlds == 0
    assert not np.isnan(found.seconds)
