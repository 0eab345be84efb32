"""Does a search on a network lay worlds as they were, play on as the network would, and choose by that?"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from renege.agents import Searcher, parse_agent
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, Deck
from renege.core.game import KITTY, Game
from renege.core.position import View
from renege.core.registry import find_game
from renege.core.world import Drawn, World
from renege.games.encoding import Moment, encoding_of, moment_of
from renege.games.rows import Rows
from renege.games.small import gains
from renege.games.strategy import Option, Search, Worth, policy_of
from renege.games.tractor.kitty import kitty_taken
from renege.native.arrays import F64
from renege.native.engine import CPU
from renege.nets import NetFile
from renege.nets.policy import considered, greedy, shares
from renege.search import Findings, search_of, weigh
from renege.search.lanes import Laid, Layout
from renege.search.on_network import NetworkSearch, Tables
from renege.search.pimc import MOST_JUDGED, _Trial
from support.random_nets import random_network
from support.steering import SOAK

UNIT = 2.5  # of the critics here
GAMES = ("texas42", "schafkopf", "tractor")


def network(game: Game, seed: int = 1) -> NetFile:
    """A small network of chance that plays a game under any rules, with a critic."""
    encoding = encoding_of(game, Rows(1))
    found = random_network(encoding.width, 16, 1, len(encoding.actions), seed)
    critic = random_network(encoding.width + encoding.hidden_width, 16, 1, 4, seed)
    card = {**found.card, "game": game.name, "units": [{"rules": {}, "unit": UNIT}]}
    return NetFile(card, found.layers, critic.layers)


def points(game: Game, seeds: range, by_chance: float = 0.3) -> Iterator[tuple[View, World]]:
    """Views on the way of deals, played by rules of thumb and now and then by chance, each with the true world."""
    for seed in seeds:
        rng, table = random.Random(seed), Arbiter(game, seed)
        while (turn := table.position.turn) is not None:
            position = table.position
            if not (position.talk is not None and position.talking and position.talk.on_kitty):
                yield table.view(turn), World(position.hands, position.kitty)  # pyright: ignore[reportArgumentType]
            if rng.random() < by_chance:
                choices = list(position.legal_calls if position.talking else position.legal_plays)
                table.act(turn, rng.choice(choices))
            else:
                table.act(turn, policy_of(game)(table.view(turn)).what)


def some_points(name: str, count: int, seed: int = 1) -> list[tuple[View, World]]:
    """Views of many deals, the talk and the play alike."""
    found = list(points(find_game(name), range(seed, seed + 3 + count // 12)))
    return random.Random(seed).sample(found, min(count, len(found)))


def in_turn(view: View) -> bool:
    return all(act.seat == position.turn for act, position in view.steps())


@pytest.mark.parametrize("game", GAMES)
def test_a_world_that_is_laid_looks_to_the_seat_as_its_own_table(game: str):
    net = network(find_game(game))
    for view, true in some_points(game, 30 * SOAK):
        encoding, belief = net.encoding(view.game), Belief(view)
        drawn = belief.supply(1)(5)
        laid = Layout(view, belief, encoding).lay(drawn)
        tables = Tables(net, encoding, view, len(drawn))
        tables.begin(laid)
        seen = moment_of(encoding, view).observe(view.seat)
        assert (tables.env.observe(view.seat) == seen).all(), view
        assert (tables.env.mover == view.position.turn).all()
        alone = Tables(net, encoding, view, 1)
        alone.begin(Layout(view, belief, encoding).lay([true]))
        assert (alone.env.observe(view.seat) == seen).all()


def test_a_kitty_that_was_taken_up_is_laid_in_all_worlds_at_once():
    """Who has not seen what was buried has other actions in other worlds: those of the world's own record, one by one.

    What was taken up is any cards that may have lain in the kitty, others in other worlds.
    """
    found, kitties = 0, set[Cards]()
    for view, _ in some_points("tractor", 40 * SOAK, seed=5):
        belief, encoding = Belief(view), encoding_of(view.game, Rows(1))
        took, drawn = kitty_taken(view), belief.supply(1)(4)
        layout = Layout(view, belief, encoding)
        laid = layout.lay(drawn)
        if took is None or took.seat == view.seat:
            assert len(laid.actions) == 1
            continue
        found += 1
        for i, world in enumerate(drawn):
            record, deck = belief.record(world), view.game.deck
            alone = layout._one_by_one([world])
            assert laid.actions[i].tolist() == alone.actions[0].tolist()
            piles = dealt(laid, i, deck)
            banker, kitty = piles[took.seat], piles[KITTY]
            before = record.start.hands[took.seat] + record.start.kitty  # pyright: ignore[reportOperatorIssue]
            assert banker + kitty == before
            assert took.held <= banker
            assert took.seen <= kitty
            assert len(kitty) == view.game.kitty_size
            others = [seat for seat in view.game.all_seats if seat != took.seat]
            assert [piles[seat] for seat in others] == [record.start.hands[seat] for seat in others]
            kitties.add(kitty)
    assert found > 10
    assert len(kitties) > found


def dealt(laid: Laid, number: int, deck: Deck) -> list[Cards]:
    """The hands and the kitty that a deal is laid with."""
    return [Cards(deck, tuple(int(mask) for mask in layers if mask)) for layers in laid.piles[number]]


def literal(net: NetFile, moment: Moment, seat: int, first: tuple[int, ...]) -> float:
    """What a deal comes to for a seat, by the rules of Python: these actions, then the network's."""
    for action in first:
        moment = moment.after(action)
    while not moment.over:
        open_now, likely = shares(net, moment, calls=True)
        moment = moment.after(open_now[int(likely.argmax())])
    return gains(moment.rewards)[seat]


def begun(view: View, belief: Belief, world: World, net: NetFile) -> Moment:
    """The table of a world, played again from its first card by the rules of Python."""
    record = belief.record(world)
    encoding = net.encoding(view.game)
    moment = encoding.begin(list(record.start.hands), record.start.kitty, record.start.standing)  # pyright: ignore
    for act in record.acts:
        moment = moment.act(act.what)
    return moment


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_on_as_the_network_does_at_all_seats(game: str):
    net = network(find_game(game), seed=3)
    for view, _ in some_points(game, (3 if game == "tractor" else 10) * SOAK, seed=7):
        search = NetworkSearch(net, least=0.0, doubt=0.0, ahead=None).for_view(view)
        options = search.options(view)
        belief = Belief(view)
        worlds = belief.draw(2, seed=2)
        paid = search.weigh(view, worlds, options, float("inf")).paid
        assert paid.shape == (2, len(options))
        for world, row in zip(worlds, paid, strict=True):
            table = begun(view, belief, world, net)
            for option, found in zip(options, row, strict=True):
                assert found == pytest.approx(literal(net, table, view.seat, table.numbers(option)))


@pytest.mark.parametrize("game", GAMES)
def test_the_critic_tells_what_deals_are_worth_after_some_actions(game: str):
    net, ahead, told = network(find_game(game), seed=3), 5, 0
    for view, _ in some_points(game, 10 * SOAK, seed=19):
        search = NetworkSearch(net, least=0.0, ahead=ahead).for_view(view)
        options, belief = search.options(view), Belief(view)
        (world,) = worlds = belief.draw(1, seed=2)
        paid = search.weigh(view, worlds, options, float("inf")).paid[0]
        table = begun(view, belief, world, net)
        ways = [table.numbers(option) for option in options]
        for way, found in zip(ways, paid, strict=True):
            expected = literal_ahead(net, table, view.seat, way, max(map(len, ways)) + ahead)
            told += expected[1]
            assert found == pytest.approx(expected[0], rel=1e-5)
    assert told > 10


def literal_ahead(net: NetFile, moment: Moment, seat: int, first: tuple[int, ...], steps: int) -> tuple[float, bool]:
    """What the critic says where after so many actions somebody has a choice, or what the deal pays before."""
    taken = 0
    while not moment.over:
        assert moment.turn is not None
        open_now, likely = shares(net, moment, calls=True)
        if taken >= steps and len(open_now) > 1:
            worth = net.values(moment.observe(moment.turn)[None], moment.hidden(moment.turn)[None])[0]
            return float(worth[(seat - moment.turn) % 4]) * UNIT, True
        moment = moment.after(first[taken] if taken < len(first) else open_now[int(likely.argmax())])
        taken += 1
    return gains(moment.rewards)[seat], False


def test_a_critic_that_was_not_trained_under_the_rules_is_not_asked():
    net = network(find_game("texas42"))
    net.card["units"][0]["rules"] = {"all_pass": "force-30"}
    assert net.unit(find_game("texas42")) is None
    assert net.unit(find_game("texas42", {"all_pass": "force-30"})) == UNIT
    view = Arbiter(find_game("texas42"), 1).view(0)
    worlds = Belief(view).draw(2, seed=1)
    cut, whole = (NetworkSearch(net, least=0.0, ahead=ahead).for_view(view) for ahead in (2, None))
    assert cut.options(view) == whole.options(view)
    paid = [search.weigh(view, worlds, search.options(view), float("inf")).paid for search in (cut, whole)]
    np.testing.assert_array_equal(paid[0], paid[1])


@pytest.mark.parametrize("game", GAMES)
def test_worlds_are_weighed_by_what_the_network_would_have_done(game: str):
    net, doubt = network(find_game(game), seed=4), 0.1
    for view, _ in some_points(game, (3 if game == "tractor" else 10) * SOAK, seed=11):
        belief = Belief(view)
        worlds = belief.draw(3, seed=2)
        encoding = net.encoding(view.game)
        laid = Layout(view, belief, encoding).lay(worlds)
        found = Tables(net, encoding, view, 3).likelihood(laid, view.seat, doubt)
        for number in range(len(worlds)):
            expected = sum(_logs(net, view, laid, number, doubt))
            assert found[number] == pytest.approx(expected, abs=1e-5)


def _logs(net: NetFile, view: View, laid: Laid, number: int, doubt: float) -> Iterator[float]:
    *hands, kitty = dealt(laid, number, view.game.deck)
    moment = net.encoding(view.game).begin(hands, kitty, view.start.standing)
    for action in laid.rows()[number].tolist():
        if action < 0:
            return
        open_now, likely = shares(net, moment, calls=True)
        if moment.turn != view.seat and len(open_now) > 1:
            yield float(np.log((1 - doubt) * likely[open_now.index(action)] + doubt / len(open_now)))
        moment = moment.after(action)


@pytest.mark.parametrize("game", GAMES)
def test_what_it_considers_is_legal_and_the_networks_choice_is_first(game: str):
    net = network(find_game(game), seed=5)
    for view, _ in some_points(game, 12 * SOAK, seed=13):
        moment = moment_of(net.encoding(view.game), view)
        found = considered(net, moment, 5, 0.01)
        assert found[0].option == greedy(net, moment).option
        assert 1 <= len(found) <= 5
        assert sum(one.share for one in found) < 1 + 1e-9
        for one in found:
            assert view.position.judge(one.option).legal is not False
            again: Moment | object = moment
            for action in one.actions:
                assert isinstance(again, Moment)
                again = again.step(action)
            assert again == one.option


def test_all_options_of_single_cards_are_considered_with_their_shares():
    net = network(find_game("texas42"), seed=6)
    for view, _ in some_points("texas42", 10, seed=17):
        moment = moment_of(net.encoding(view.game), view)
        open_now, likely = shares(net, moment, calls=view.position.talking)
        found = considered(net, moment, 100, 0.0)
        assert len(found) == len(open_now)
        assert sorted(one.share for one in found) == pytest.approx(sorted(likely.tolist()))


def test_a_seed_and_worlds_give_the_same_answer():
    net = network(find_game("texas42"), seed=8)
    view = next(view for view, _ in points(find_game("texas42"), range(4)) if len(view.hand) == 3 and view.my_turn)
    search = NetworkSearch(net, least=0.0)
    one, other = (weigh(view, worlds=12, seed=5, search=search.for_view(view)) for _ in range(2))
    assert one.estimates == other.estimates


@pytest.mark.parametrize("game", GAMES)
def test_the_last_tricks_may_be_left_to_the_exact_solver(game: str):
    net, different = network(find_game(game), seed=9), False
    for view, _ in [
        at for at in points(find_game(game), range(8 if game == "schafkopf" else 3)) if len(at[0].hand) == 3
    ]:
        worlds = Belief(view).draw(4, seed=1)
        exact, by_net = (NetworkSearch(net, least=0.0, solved=solved).for_view(view) for solved in (3, 2))
        options = exact.options(view)
        found = exact.weigh(view, worlds, options, float("inf")).paid
        np.testing.assert_array_equal(found, search_of(view.game).weigh(view, worlds, options, float("inf")).paid)
        by_net.options(view)
        different |= bool((found != by_net.weigh(view, worlds, options, float("inf")).paid).any())
    assert different


def test_where_somebody_spoke_out_of_turn_the_network_answers_alone():
    game = find_game("schafkopf")
    net = network(game)
    for view, _ in _after_a_stoss(game):
        found = weigh(view, worlds=8, search=NetworkSearch(net, least=0.0).for_view(view))
        if len(list(view.legal_plays)) > 1:
            assert "out of turn" in found.stopped
            assert [one.option for one in found.estimates] == [greedy(net, moment_of(net.encoding(game), view)).option]
            return
    raise AssertionError("nobody doubled out of turn")


def _after_a_stoss(game: Game) -> Iterator[tuple[View, None]]:
    for seed in range(60):
        table = Arbiter(game, seed)
        while (turn := table.position.turn) is not None and table.position.talking:
            table.act(turn, policy_of(game)(table.view(turn)).what)
        position = table.position
        for seat in position.speakers:
            calls = list(position.floor(seat).calls(position.hands[seat]))
            if seat != position.turn and calls and position.turn is not None:
                table.act(seat, calls[0])
                assert not in_turn(table.view(position.turn))
                yield table.view(position.turn), None
                break


WRONG = (
    ("searcher:net,5w,bhead=8", "no setting 'bhead'"),
    ("searcher:net,5w,ahead=x", "ahead is a whole number from 0 to 10000, not 'x'"),
    ("searcher:net,5w,ahead=-1", "ahead is a whole number from 0 to 10000, not '-1'"),
    ("searcher:net,5w,ahead=inf", "ahead is a whole number"),
    ("searcher:net,5w,ahead=2.7", "ahead is a whole number"),
    ("searcher:net,5w,doubt=7", "doubt is a number from 0 to 1, not '7'"),
    ("searcher:net,5w,doubt=nan", "doubt is a number from 0 to 1, not 'nan'"),
    ("searcher:net,5w,most=0", "most is a whole number from 1"),
    ("searcher:net,5w,ahead=1,ahead=2", "ahead is given twice"),
    ("searcher:net,5w,gpu", "works on the CPU"),
)


def test_a_searcher_on_a_network_goes_by_its_name():
    for name in (
        "searcher:net,50ms",
        "searcher:net,30w",
        "searcher:net:a.net,50ms,30w",
        "searcher:net,5w,ahead=8,doubt=0.2",
    ):
        agent = parse_agent(name)
        assert isinstance(agent, Searcher)
        assert agent.name == name
    assert parse_agent("searcher:net,50ms") == Searcher(50, net="")
    for wrong, why in (("searcher:5w,ahead=8", "only a search on"), *WRONG):
        with pytest.raises(ValueError, match=why):
            parse_agent(wrong)
    for wrong in ("searcher:net", "searcher:net,", "searcher:50ms,50ms", "searcher:net,net,5w", "searcher:net:,5w"):
        with pytest.raises(ValueError, match="is no agent"):
            parse_agent(wrong)


def test_no_time_leaves_the_networks_choice():
    game = find_game("texas42")
    net = network(game)
    view = Arbiter(game, 1).view(0)
    found = weigh(view, ms=0.001, search=NetworkSearch(net, least=0.0).for_view(view))
    assert found.best.option == greedy(net, moment_of(net.encoding(game), view)).option
    assert found.worlds == 0


def test_a_laid_deal_is_repeated_in_order():
    laid = Laid(np.arange(20, dtype=np.uint64).reshape(2, 5, 2), np.array([[1, 2]], np.int32))
    twice = laid.each(2)
    assert (twice.piles[0] == twice.piles[1]).all()
    assert (twice.piles[0] != twice.piles[2]).all()
    assert twice.rows().tolist() == [[1, 2]] * 4


def test_fresh_worlds_decide_about_what_the_first_ones_have_nominated():
    """The second option is far ahead in the first worlds, and a little behind in those after them."""
    view = next(view for view, _ in points(find_game("texas42"), range(1)) if not view.position.talking)
    plays = list(view.legal_plays)[:3]
    seen = list[int]()

    def luck(_: View, worlds: Sequence[World], options: Sequence[Option], *rest: object) -> Worth:
        first = sum(seen) < 50
        seen.append(len(worlds))
        swings = np.where(np.arange(len(worlds)) % 2, 2.0, -2.0)  # so that nothing is certain
        paid = {str(plays[0]): 0.0 * swings, str(plays[1]): swings + (1.0 if first else -0.1)}
        paid[str(plays[2])] = 0.0 * swings - 0.01
        rows = np.stack([paid[str(option)] for option in options], axis=1)
        return Worth(rows, np.zeros_like(rows))

    def found(*, confirm: bool) -> Findings:
        seen.clear()
        search = Search("marks", lambda _: tuple(plays), luck, confirm=confirm)
        return weigh(view, worlds=100, seed=1, search=search)

    assert found(confirm=False).best.option == plays[1]
    confirmed = found(confirm=True)
    assert confirmed.best.option == plays[0]
    assert confirmed.worlds == 100
    assert {one.option: one.worlds for one in confirmed.estimates}[plays[2]] < 100


def test_of_many_worlds_as_many_are_passed_over_as_of_few():
    """Each world that is tried is chosen out of `spread`, however many are asked for, and never too many are judged."""
    view = next(view for view, _ in points(find_game("texas42"), range(1, 2)) if len(view.acts) > 2)
    search, judged = NetworkSearch(network(view.game), spread=4).for_view(view), list[int]()

    def likely(drawn: Drawn) -> F64:
        judged.append(len(drawn))
        return np.ones(len(drawn))

    trial = _Trial(view, replace(search, likely=lambda view: likely), search.options(view), CPU)
    drawn = trial._likely(Belief(view).supply(1), 1)(1500)
    assert len(drawn) == 1500
    assert sum(judged) == 4 * 1500
    assert max(judged) <= MOST_JUDGED
