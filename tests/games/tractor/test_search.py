"""Is a play of Tractor worth the levels it leads to, and are shows and burials weighed by lawful rounds?"""

import math
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from renege.agents import Rulebook, Searcher
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.game import Game, Standing
from renege.core.house_rules import Choice, read_rules
from renege.core.position import Position, View
from renege.core.world import World
from renege.games import tractor
from renege.games.strategy import Worth, strategy_of
from renege.games.tractor.declare import Drawing
from renege.games.tractor.rules import MustDefend, NoCall, Rules
from renege.games.tractor.search import _Levels, _talked
from renege.search.pimc import search_of
from support.steering import SOAK
from support.tractor_moments import OF_PLAY, some_rules
from support.tractor_policy import policy_play


def weighed(view: View, worlds: list[World], until: float = math.inf) -> tuple[tuple[str, ...], Worth]:
    search = strategy_of(view.game).search
    assert search is not None
    options = search.options(view)
    return tuple(str(option) for option in options), search.weigh(view, worlds, options, until)


def gain(position: Position, seat: int) -> int:
    """Levels that a seat's side has gained more than the other when a round is over."""
    assert position.result is not None
    return position.result.score[seat] - position.result.score[(seat + 1) % 4]


def views(game: Game, seed: int, standing: Standing | None = None) -> Iterator[View]:
    """Every view of a seat to move in a round by the rulebook."""
    table, agent = Arbiter(game, seed, standing), Rulebook()
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        yield view
        assert table.act(seat, agent.choose(view, random.Random(0)).what)


def there(view: View, world: World) -> Position:
    return replace(view.position, hands=world.hands, kitty=world.kitty)


def some_game(rng: random.Random) -> tuple[Game, Standing]:
    rules = replace(some_rules(rng), must_defend=rng.choice(list(MustDefend)))
    levels = rng.choice([2, 5, 13, 14]), rng.choice([2, 10, 14])
    return tractor.game(rules), Standing(rng.randrange(4), (*levels, 1))


@pytest.mark.parametrize("seed", range(3 * SOAK))
def test_rolled_out_plays_are_worth_what_the_engine_scores(seed: int):
    rng = random.Random(seed)
    game, standing = some_game(rng)
    chosen = [view for view in views(game, seed, standing) if not view.position.talking and len(view.hand) > 7]
    for view in rng.sample(chosen, 2):
        worlds = Belief(view).draw(2, seed)
        names, worth = weighed(view, worlds)
        for row, world in zip(worth.paid, worlds, strict=True):
            # solving the last cards changes the end, so rules of thumb are followed to there and compared before it
            for name, paid in zip(names, row, strict=True):
                position = there(view, world).play(name)
                while not position.over and len(position.hand) > 3:
                    position = position.play(policy_play(position))
                reachable = {gain(end, view.seat) for end in ends(position, 60)}
                assert min(reachable) <= paid <= max(reachable)


def ends(position: Position, most: int) -> Iterator[Position]:
    """Some of the ends that a round may come to from its last cards: random ones, and by rules of thumb."""
    rng = random.Random(1)
    for _ in range(most):
        end = position
        while not end.over:
            end = end.play(end.legal_plays.choose(rng))
        yield end


def minimax(position: Position, seat: int) -> int:
    if position.over:
        return gain(position, seat)
    assert position.turn is not None
    values = [minimax(position.play(play), seat) for play in position.legal_plays]
    return max(values) if position.turn % 2 == seat % 2 else min(values)


def test_late_plays_are_worth_what_a_plain_minimax_finds():
    seen = 0
    for seed in range(12 * SOAK):
        rng = random.Random(seed)
        game, standing = some_game(rng)
        late = [view for view in views(game, seed, standing) if not view.position.talking and len(view.hand) == 2]
        for view in rng.sample(late, min(2, len(late))):
            worlds = Belief(view).draw(2, seed)
            names, worth = weighed(view, worlds)
            for row, world in zip(worth.paid, worlds, strict=True):
                wanted = [minimax(there(view, world).play(name), view.seat) for name in names]
                assert row.tolist() == wanted, str(view)
                seen += len(names) > 1
    assert seen > 5


@pytest.mark.parametrize("must_defend", MustDefend)
def test_points_come_to_the_levels_that_the_engine_gives(must_defend: MustDefend):
    game = tractor.game(Rules(must_defend=must_defend))
    text = "trump S4 by 1 | 0: S3 | 1: S5 | 2: S6 | 3: S7 | 1 leads"
    for levels in ((2, 2), (4, 13), (14, 14), (10, 5)):
        position = replace(tractor.position(text, game.rules), standing=Standing(1, (*levels, 3)))
        for points in range(0, 281, 5):
            done = position
            for play in ("S5", "S6", "S7", "S3"):
                done = done.play(play)
            done = replace(done, points=(points, 0, 0, 0), kitty=game.deck.none)
            for seat in range(4):
                assert _Levels(position, seat, 1).paid(points) == gain(done, seat), (levels, points, seat)


def test_worlds_that_were_not_reached_are_left_open():
    view = [view for view in views(tractor.game(), 3) if not view.position.talking][4]
    _, worth = weighed(view, Belief(view).draw(3, 1), until=time.perf_counter() - 1)
    assert np.isnan(worth.paid).all()


def test_shows_and_burials_are_weighed_in_every_world():
    game = tractor.game()
    for seed in range(4):
        for view in views(game, seed, Standing(seed, (2, 2, seed % 2))):
            if not view.position.talking:
                break
            names, worth = weighed(view, Belief(view).draw(2, seed))
            assert len(set(names)) == len(names)
            assert worth.paid.shape == (2, len(names))
            if len(names) > 1:
                assert not np.isnan(worth.paid).any()
            for name in names:
                assert view.position.judge(name).legal, name


def test_the_talk_is_carried_to_the_kitty():
    game = tractor.game(Rules(no_call=NoCall.TURN_KITTY))
    hands, kitty = game.deal(1)
    view = next(views(game, 1, Standing(0, (2, 2, 1))))
    drawing = view.position.talk
    assert isinstance(drawing, Drawing)
    after = _talked(drawing, view.seat, "pass", World(hands, kitty))
    assert after.turn == after.banker
    assert next(after.calls(hands[0])) == "take"


def test_throws_that_stand_and_every_kind_of_lead_are_tried():
    view = lead_of("SA SA SK SK S9 HA H3 H3 D4 BJ")
    names = [str(option) for option in search_of(view.game).options(view)]
    for wanted in ("SA SA SK SK", "HA", "H3 H3", "D4", "BJ"):
        assert wanted in names, names


def lead_of(hand: str) -> View:
    """The banker's view at the lead with these cards, others unknown."""
    position = tractor.position(f"trump C2 by 0 | 0: {hand} | 1: ?10 | 2: ?10 | 3: ?10 | 0 leads")
    return View(position, (), 0)


@pytest.mark.parametrize(("rule", "choice"), [(rule, choice) for rule in OF_PLAY for choice in OF_PLAY[rule]], ids=str)
def test_plays_are_weighed_and_lawful_under_every_house_rule(rule: str, choice: Choice):
    game = tractor.game(read_rules(Rules(throw_penalty=10), {rule: choice.value}))
    rng, searcher, weighed = random.Random(rule), Searcher(worlds=3), 0
    for view in rng.sample([view for view in views(game, 5) if not view.position.talking], 8 * SOAK):
        found = searcher.search(view, rng)
        assert view.position.judge(found.best.option).legal is not False
        weighed += len(found.estimates) > 1
    assert weighed


def test_points_beside_the_levels_are_centred_bounded_and_of_the_right_sign():
    position = tractor.position("trump S4 by 1 | 0: S3 | 1: S5 | 2: S6 | 3: S7 | 1 leads")
    points = np.array([[0, 40, 75, 80, 85, 160, 400]], np.int32)
    attacker, banker = (_Levels(position, seat, 1).worth(points).tie_break[0] for seat in (0, 3))
    assert attacker[3] == banker[3] == 0
    assert (np.diff(attacker) >= 0).all() and attacker[0] < 0 < attacker[-1]
    assert np.array_equal(banker, -attacker)
    assert np.abs(attacker).max() < 0.5
