"""Do agents keep to the rules, to their view, and to their limits, in all three games?"""

import random
from collections.abc import Iterator

import pytest

from renege.agents import Agent, Random, Rulebook, Searcher, check_agent, parse_agent
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.house_rules import read_rules
from renege.core.position import View
from renege.core.record import Record
from renege.core.trick import Play
from renege.games import schafkopf, texas42, tractor
from renege.games.strategy import Strategy
from support.steering import SOAK

GAMES = {"texas42": texas42.game(), "tractor": tractor.game(), "schafkopf": schafkopf.game()}
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
AGENTS: dict[str, Agent] = {"random": Random(), "rulebook": Rulebook(), "searcher": Searcher(worlds=3)}


def views(game: Game, agents: list[Agent], seed: int) -> Iterator[tuple[View, Act]]:
    """Every view in which somebody had to act in a deal, and what was done."""
    table = Arbiter(game, seed)
    streams = [random.Random(f"{seed} {seat}") for seat in range(4)]
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        what = agents[seat].choose(view, streams[seat]).what
        yield view, Act(seat, what)
        assert table.act(seat, what)


@each_game
@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_calls_buries_and_plays_a_whole_deal_lawfully(game: Game, name: str):
    for seed in range(2 * SOAK):
        agents: list[Agent] = [AGENTS[name], Random(), Rulebook(), AGENTS[name]]
        acts = [act for _, act in views(game, agents, seed)]
        assert {act.seat for act in acts} == {0, 1, 2, 3}


@each_game
@pytest.mark.parametrize("name", ["rulebook", "searcher"])
def test_nothing_leaks_from_the_hidden_hands(game: Game, name: str):
    """The hands that a seat cannot see are swapped for those of another world of its view: it does the same."""
    agent, rng = AGENTS[name], random.Random(f"{game.name} {name}")
    players: list[Agent] = [Rulebook(), Random(), Rulebook(), Random()]
    for seed in range(3 * SOAK):
        for view, _ in rng.sample(list(views(game, players, 50 + seed)), 6):
            belief = Belief(view)
            other: Record = belief.record(belief.draw(1, seed)[0])
            assert other.view(view.seat) == view
            first = agent.choose(view, random.Random(1))
            assert agent.choose(other.view(view.seat), random.Random(1)) == first, str(view)


def test_agents_by_name():
    assert parse_agent("random") == Random()
    assert parse_agent("rulebook") == Rulebook()
    assert parse_agent("searcher:50ms") == Searcher(ms=50)
    assert parse_agent("searcher:30w") == Searcher(worlds=30)
    assert parse_agent("searcher:7.5ms,30w") == Searcher(ms=7.5, worlds=30)
    assert parse_agent("searcher:50ms,gpu") == Searcher(ms=50, device="gpu")
    assert parse_agent("searcher:7.5ms,30w,gpu") == Searcher(ms=7.5, worlds=30, device="gpu")
    names = ("searcher:7.5ms,30w", "searcher:50ms,gpu", "searcher:30w,gpu")
    for text in ("random", "rulebook", "searcher:50ms", "searcher:30w", *names):
        assert parse_agent(text).name == text
    wrong = ("searcher:50ms30w", "searcher:50ms,", "searcher:,30w", "searcher:,", "searcher:gpu", "rulebook,gpu")
    gone = ("regret42", "regret42-pure", "regret42:mine.npz", "searcher:4w,remember")
    none = ("", "searcher", "searcher:", "searcher:50", "searcher:w", "rulebook:50ms", "searcher:-5ms", *wrong, *gone)
    for text in none:
        with pytest.raises(ValueError, match="is no agent"):
            parse_agent(text)
    with pytest.raises(ValueError, match="regret:/nowhere names no strategy"):
        parse_agent("regret:/nowhere")


@pytest.mark.parametrize("ms", [1234567, 0.00001, 0.1 + 0.2, 1e22, 123456.789, 5e-324])
def test_a_name_reads_back_as_the_same_agent(ms: float):
    for agent in (Searcher(ms), Searcher(ms, worlds=1234567)):
        assert parse_agent(agent.name) == agent


@pytest.mark.parametrize(
    "text", ["searcher:0ms", "searcher:0.00ms", "searcher:0w", "searcher:50ms,0w", f"searcher:{'9' * 400}ms"]
)
def test_a_search_for_nothing_or_for_ever_is_refused(text: str):
    with pytest.raises(ValueError, match="a searcher cannot"):
        parse_agent(text)


@pytest.mark.parametrize("rule", [{"stopped_throw": "refused"}, {"throw_test": "public-info"}])
def test_random_leads_nothing_that_this_table_could_refuse(rule: dict[str, str]):
    """What it leads is legal with any other hands, and it still leads pairs where it can."""
    game, pairs = tractor.game(read_rules(tractor.Rules(), rule)), 0
    for seed in range(2 * SOAK):
        for view, act in views(game, [Random()] * 4, seed):
            if isinstance(act.what, Play) and view.position.trick and not view.position.trick.plays:
                pairs += len(act.what.cards) > 1
    assert pairs


def test_random_throws_where_a_stopped_throw_only_leads_less():
    """The table's usual rule: it chooses as if there were no rule about throws at all."""
    game, thrown = tractor.game(), 0
    for seed in range(2):
        for view, act in views(game, [Random()] * 4, seed):
            if isinstance(act.what, Play) and view.position.judge(act.what).legal is None:
                thrown += 1
                drawn = view.legal_plays.choose(random.Random(seed))
                assert Random().choose(view, random.Random(seed)).what == drawn
    assert thrown > 5


def test_a_searcher_says_what_it_found():
    view = Arbiter(texas42.game(), 8).view(0)
    advice = Searcher(worlds=10).choose(view, random.Random(1))
    assert "marks (" in advice.why and "over 10 worlds" in advice.why
    one = Searcher(worlds=1).choose(view, random.Random(1)).why
    assert "over 1 world;" in one and "inf" not in one


def test_a_game_without_rules_of_thumb_is_refused_by_who_needs_them():
    bare = texas42.game().offering(Strategy=Strategy())
    view = Arbiter(bare, 8).view(0)
    for agent, why in ((Rulebook(), "texas42 has no policy"), (Searcher(worlds=1), "texas42 cannot be searched")):
        with pytest.raises(ValueError, match=why):
            check_agent(agent, bare)
        with pytest.raises(ValueError, match=why):
            agent.choose(view, random.Random(1))
