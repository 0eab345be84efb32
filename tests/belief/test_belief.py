"""Beliefs in all three games: the true deal is always a world, no world is wrong, and none is missing."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from math import factorial

import numpy as np
import pytest
from numpy.typing import NDArray

from renege.belief import Belief, World
from renege.belief.seen import NoWorldLeft
from renege.core.arbiter import judge
from renege.core.cards import Cards, Hidden
from renege.core.deal_state import Act
from renege.core.facts import Holds, Lacks, Void
from renege.core.game import KITTY, SEATS, Game
from renege.core.notation import NotationError
from renege.core.position import Course, Position
from renege.core.record import Record, new_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games import schafkopf, texas42, tractor
from renege.games.schafkopf.rules import RULES
from support.schafkopf_deals import SOAK, begin_deal
from support.steering import CONTRACTS, deals_for, play_out, steer

Choose = Callable[[Position, random.Random], str | Play]


def anything(position: Position, rng: random.Random) -> str | Play:
    """Any legal call; leads of one kind, so that tricks are many; any legal follow."""
    if position.talking:
        calls = position.legal_calls
        if calls[0].startswith("bury"):
            assert isinstance(position.hand, Cards)
            return "bury " + str(tractor.DECK.cards(rng.sample(list(position.hand), 8)))
        return rng.choice(calls)
    assert position.trick is not None and isinstance(position.hand, Cards)
    if position.game.name == "tractor" and position.trick.lead is None and rng.random() < 0.8:
        return Play(position.hand.only(1 << rng.choice(list(position.hand))))
    return position.legal_plays.choose(rng)


def played(game: Game, seed: int, start: Record | None = None) -> Iterator[Record]:
    """A deal played at random, after each act."""
    rng = random.Random(seed)
    record = new_record(game, seed) if start is None else start
    yield record
    while record.position.turn is not None:
        record = record.with_act(record.position.read(anything(record.position, rng)))
        yield record


def true_world(record: Record) -> World:
    hands = record.position.hands
    assert all(isinstance(hand, Cards) for hand in hands) and isinstance(record.position.kitty, Cards)
    return World(tuple(hand for hand in hands if isinstance(hand, Cards)), record.position.kitty)


HOUSES: list[tuple[str, dict[str, str]]] = [
    ("texas42", {}),
    ("texas42", {"nello_exchange": "one-tile", "opening_lead": "trump", "sevens": "needs-seven"}),
    ("schafkopf", {}),
    ("schafkopf", {"deck": "short", "all_pass": "old-must"}),
    ("tractor", {}),
    ("tractor", {"no_call": "turn-kitty", "shorter_runs": "not-owed", "stopped_throw": "first-found"}),
    ("tractor", {"follow_duty": "tractors-protected", "shorter_runs": "all-owed", "throw_test": "opponents"}),
]


@pytest.mark.parametrize(("name", "house"), HOUSES, ids=lambda part: part if isinstance(part, str) else "")
def test_the_true_deal_is_a_world_and_every_drawn_world_replays_to_the_same_view(name: str, house: dict[str, str]):
    game = find_game(name, house)
    points = 0
    for seed in range((2 if name == "tractor" else 12) * SOAK):
        rng = random.Random(f"points {seed}")
        for record in played(game, seed):
            if record.position.over or rng.random() > (0.1 if name == "tractor" else 0.15):
                continue
            view = record.view(rng.randrange(4))
            belief = Belief(view)
            world = true_world(record)
            assert belief.allows(world), record
            assert in_worlds(belief, world), record
            for drawn in belief.draw(2, seed):
                whole = belief.record(drawn)
                assert judge(whole), (view, drawn)
                assert whole.view(view.seat) == view
                assert whole.position.hands == drawn.hands
            points += 1
    assert points > (5 if name == "tractor" else 20)


def in_worlds(belief: Belief, world: World) -> bool:
    """Is a deal among those that are counted? Asked by narrowing the problem to it."""
    problem = belief.compiled.problem
    piles = {**dict(enumerate(world.hands)), KITTY: world.kitty}
    none = world.kitty.deck.none
    exact = tuple(tuple(piles.get(pile, none).count(kind) for pile in belief.compiled.piles) for kind in problem.kinds)
    for row, least, most in zip(exact, problem.least, problem.most, strict=True):
        if not all(low <= here <= high for low, here, high in zip(least, row, most, strict=True)):
            return False
    return type(belief.worlds)(replace(problem, least=exact, most=exact)).count() > 0


def every_deal(record: Record, seat: int) -> Iterator[World]:
    """All ways to deal what a seat does not see, each once."""
    view = record.view(seat)
    piles = [*enumerate(view.position.hands), (KITTY, view.position.kitty)]
    sizes = [(pile, len(hand)) for pile, hand in piles if isinstance(hand, Hidden)]
    world = true_world(record)
    hidden = [card for pile, _ in sizes for card in (world.kitty if pile == KITTY else world.hands[pile])]
    told = {pile: hand for pile, hand in piles if isinstance(hand, Cards)}
    seen: set[tuple[Cards, ...]] = set()

    def deal(left: tuple[int, ...], rest: list[tuple[int, int]], dealt: dict[int, Cards]) -> Iterator[World]:
        if not rest:
            key = tuple(dealt[pile] for pile in sorted(dealt))
            if key not in seen:
                seen.add(key)
                yield World(tuple(dealt[pile] for pile in SEATS), dealt[KITTY])
            return
        pile, size = rest[0]
        for places in combinations(range(len(left)), size):
            cards = record.game.deck.cards(left[place] for place in places)
            others = tuple(card for place, card in enumerate(left) if place not in places)
            yield from deal(others, rest[1:], {**dealt, pile: cards})

    return deal(tuple(hidden), sizes, told)


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
def test_the_worlds_are_exactly_the_deals_that_a_replay_accepts(name: str):
    """Late in a deal, where every deal of the hidden cards can be tried."""
    kinds: set[str] = set()
    game = find_game(name, {})
    for seed in range(12 * SOAK):
        rng = random.Random(f"tight {name} {seed}")
        start = None
        if name == "schafkopf":
            contract = rng.choice(["rufspiel E", "rufspiel G", "rufspiel S", "wenz", "solo H", "hochzeit", "ramsch"])
            start = begin_deal(game, contract, rng)
        late = [
            record
            for record in played(game, seed, start)
            if record.position.contract is not None and 4 <= sum(map(len, record.position.hands)) <= 9
        ]
        late = [record for record in late if not record.position.over]
        if not late:
            continue
        record, seat = rng.choice(late), rng.randrange(4)
        view = record.view(seat)
        belief = Belief(view)
        accepted = {world for world in every_deal(record, seat) if belief.allows(world)}
        found = list(belief.listed())
        assert len(found) == len(set(found))
        assert set(found) == accepted, view
        if belief.exact:
            assert belief.distinct() == len(accepted)
        kinds |= {type(fact).__name__ for fact in view.facts()}
    assert "Void" in kinds


def test_an_observer_without_a_hand_believes_too():
    record = list(played(texas42.game(), 3))[-8]
    public = replace(record, start=replace(record.start, hands=tuple(Hidden(len(hand)) for hand in record.start.hands)))
    belief = Belief(public)
    assert belief.count() >= 1
    assert in_worlds(belief, true_world(record))


def test_odds_are_shares_of_the_worlds_and_explained():
    record = next(record for record in played(texas42.game(), 5) if record.position.tricks_played == 4)
    view = record.view(1)
    belief = Belief(view)
    worlds = list(belief.listed())
    deck = texas42.DECK
    for kind in belief.compiled.problem.kinds:
        odds = belief.odds(kind)
        for pile in belief.compiled.piles:
            if pile < 0:
                continue
            share = sum(world.hands[pile].count(kind) for world in worlds if pile != KITTY) / len(worlds)
            assert odds[pile] == pytest.approx(share, abs=1e-12)
        text = belief.explain(kind)
        assert deck.names[kind] in text
    voids = [fact for fact in view.facts() if isinstance(fact, Void) and fact.seat != 1]
    for fact in voids:
        assert view.position.order is not None
        barred = [kind for kind in belief.compiled.problem.kinds if view.position.order.follow[fact.suit] >> kind & 1]
        for kind in barred:
            assert belief.odds(kind)[fact.seat] == 0
            assert f"not with seat {fact.seat}" in belief.explain(kind)


def test_a_record_that_contradicts_itself_leaves_no_world():
    """A seat that shows a void and then plays the suit."""
    record = new_record(texas42.game(), 7)
    for call in ("30", "pass", "pass", "pass", "trump 5"):
        record = record.with_act(record.position.read(call))
    position, acts = record.position, list(record.acts)
    rng = random.Random(1)
    while not position.over:
        assert position.turn is not None and isinstance(position.hand, Cards)
        acts.append(Act(position.turn, Play(position.hand.only(1 << rng.choice(list(position.hand))))))
        position = position.then(acts[-1])
    careless = Record(record.start, tuple(acts))
    assert not judge(careless)
    with pytest.raises(NoWorldLeft, match="follow-suit") as clash:
        Belief(careless.view(0))
    assert clash.value.facts


def test_schafkopf_knows_that_the_declarer_lacks_the_called_ace_at_the_first_lead():
    record = begin_deal(schafkopf.game(), "rufspiel E", random.Random(2))
    holder = next(seat for seat in range(4) if "EA" in str(record.position.hands[seat]).split())
    viewer = next(seat for seat in range(1, 4) if seat != holder)
    belief = Belief(record.view(viewer))
    assert belief.odds("EA")[0] == 0
    assert "schafkopf.call-ace" in belief.explain("EA")
    plain = [name for name in ("E7", "E8", "E9", "EK", "EZ") if name not in str(record.position.hands[viewer])]
    # one plain card of Eichel at least is with the declarer
    assert sum(belief.odds(name)[0] for name in plain) >= 1


def throws(count: int, most: int) -> Iterator[tuple[Record, Cards]]:
    """Leads of two and more cards of a suit, late in deals of Tractor."""
    for seed in range(count * SOAK):
        rng = random.Random(f"stands {seed}")
        leads: list[tuple[Record, Cards]] = []
        for record in played(tractor.game(), seed):
            position = record.position
            if position.trick is None or position.over or position.trick.lead is not None:
                continue
            assert position.order is not None and isinstance(position.hand, Cards)
            suits = [position.order.in_suit(position.hand, suit) for suit in range(5)]
            leads += [(record, held) for held in suits if 2 <= len(position.hand) <= most and len(held) > 1]
        if leads:
            yield rng.choice(leads)


def stands_in(record: Record, world: World, throw: Cards) -> bool:
    then = replace(record.position, hands=world.hands)
    return record.game.lands(then.turn_to_play(), Play(throw)) == Play(throw)


def test_a_throw_stands_as_often_as_in_the_worlds():
    """Each small set of worlds is gone through, from larger ones some are drawn."""
    listed = drawn = 0
    for record, throw in (*throws(14, 8), *throws(14, 3)):
        assert record.position.turn is not None
        belief = Belief(record.view(record.position.turn))
        share = belief.stands(throw)
        if not belief.exact:
            continue
        if belief.distinct() <= 2000:
            rows = [(labelled(belief, row), belief.world(row)) for row in belief.worlds.listed()]
            assert sum(ways for ways, _ in rows) == belief.count()
            stands = sum(ways for ways, world in rows if stands_in(record, world, throw))
            assert share == pytest.approx(stands / belief.count(), abs=1e-12)
            listed += 1
        else:
            n = 400
            found = sum(stands_in(record, world, throw) for world in belief.draw(n, seed=1)) / n
            assert abs(found - share) <= 5 * (share * (1 - share) / n) ** 0.5
            drawn += 0 < share < 1
    assert listed and drawn > 1


def labelled(belief: Belief, row: NDArray[np.uint64]) -> int:
    """How many labelled deals look like this one: a kind whose two hidden copies lie apart can do so in two ways."""
    ways = 1
    for kind, copies in zip(belief.compiled.problem.kinds, belief.compiled.problem.copies, strict=True):
        together = any(int(hand[1]) >> kind & 1 for hand in row)
        ways *= 2 if copies == 2 and not together else 1
    return ways


def test_what_was_bid_may_weigh_and_bars_nothing():
    record = new_record(texas42.game(), 7)
    for call in ("30", "pass", "pass", "pass", "trump 5"):
        record = record.with_act(record.position.read(call))
    belief = Belief(record.view(1))
    double = texas42.DECK.spellings["5-5"]
    hand = belief.view.position.hands[1]
    assert isinstance(hand, Cards) and double not in hand
    plain, leaning = (
        sum(double in world.hands[0] for world in belief.draw(600, 1, leaning=lean)) / 600 for lean in (False, True)
    )
    assert abs(plain - 1 / 3) < 0.08
    assert leaning > 0.75  # who names fives mostly has their double
    assert all(belief.allows(world) for world in belief.draw(5, 2, leaning=True))


def check_everyone(record: Record) -> None:
    """Every seat, and an observer: the true deal is a world, and what is drawn replays to what was seen."""
    for seat in SEATS:
        view = record.view(seat)
        belief = Belief(view)
        assert belief.allows(true_world(record)), (seat, record)
        for world in belief.draw(3, seat):
            whole = belief.record(world)
            assert judge(whole) and whole.view(seat) == view, (seat, record)


def after(game: Game, seed: int, calls: list[str], start: Record | None = None) -> Iterator[Record]:
    record = new_record(game, seed) if start is None else start
    for call in calls:
        record = record.with_act(record.position.read(call))
        yield record


def test_a_swap_is_believed_at_every_step_and_when_it_comes_straight_back():
    game = find_game("texas42", {"nello_exchange": "one-tile"})
    calls = ["1 mark", "pass", "pass", "pass", "nello"]
    *_, record = after(game, 7, calls)
    first, _, third, _ = true_world(record).hands
    mine, theirs = game.deck.names[max(first)], game.deck.names[max(third)]
    for back in (mine, theirs):
        for so_far in after(game, 7, [*calls, f"give {mine}", f"give {back}"]):
            check_everyone(so_far)
    *_, given = after(game, 7, [*calls, f"give {mine}"])
    assert Belief(given.view(0)).odds(mine)[2] == 1


def test_a_hochzeit_is_believed_at_every_step():
    whole = begin_deal(schafkopf.game(), "hochzeit", random.Random(4))
    for length in range(len(whole.acts) + 1):
        check_everyone(replace(whole, acts=whole.acts[:length]))


def test_an_observer_of_tractor_believes_before_the_first_card():
    record = new_record(tractor.game(), 1)
    hidden = tuple(Hidden(len(hand)) for hand in record.start.hands)
    public = Course(replace(record.start, hands=hidden, kitty=Hidden(8)))
    assert Belief(public).count() == factorial(108) // (factorial(25) ** 4 * factorial(8))


def test_a_throw_of_cards_that_were_not_held_is_no_world():
    position = tractor.position("trump H2 | 0: SJ S9 | 1: SA SQ | 2: C3 C4 | 3: D3 D4 | 0 leads")
    assert position.order is not None
    thrown = Act(0, position.game.read_play("SJ of SJ SK SK", position.order))
    with pytest.raises(NotationError, match="not in the hand"):
        position.then(thrown)


def test_facts_that_cannot_be_are_no_world_and_nothing_drawn_is_nothing():
    record = begin_deal(schafkopf.game(), "rufspiel E", random.Random(2))
    belief = Belief(record.view(1))
    ace = belief.view.game.deck.of(1 << belief.view.game.deck.spellings["EO"])
    with pytest.raises(NoWorldLeft, match="too few of it are hidden"):
        belief.given(Holds(2, 0, RULES[0], ace, 2))
    assert belief.share(Holds(0, 0, RULES[0], ace, 1), Lacks(0, 0, RULES[0], ace)) == 0
    assert belief.draw(0, 1) == []
    told = sum(belief.share(Holds(seat, 0, RULES[0], ace, 1)) for seat in (0, 2, 3))
    assert told == pytest.approx(1 if "EO" not in str(record.position.hands[1]) else 0)


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
@pytest.mark.parametrize("house", [{}, {"opening_lead": "trump", "sevens": "needs-seven"}], ids=["default", "house"])
def test_every_contract_of_42_is_believed_to_its_end(contract: tuple[str, str], house: dict[str, str]):
    game = find_game("texas42", {"early_end": "play-on", **house})
    seed = next(deals_for(contract[0], game, 11))
    record = play_out(game, seed, steer(*contract))
    for length in range(4, len(record.acts)):
        so_far = replace(record, acts=record.acts[:length])
        for seat in SEATS:
            belief = Belief(so_far.view(seat))
            assert in_worlds(belief, true_world(so_far)), (seat, so_far)


def test_a_card_that_must_be_somewhere_is_explained_by_what_bars_the_others():
    """Who does not follow a search lacks the ace; when two have not, the third has it."""
    found = 0
    for seed in range(40):
        record = begin_deal(schafkopf.game(), "rufspiel E", random.Random(seed))
        holder = next(seat for seat in SEATS if "EA" in str(record.position.hands[seat]).split())
        for so_far in played(schafkopf.game(), seed, record):
            if so_far.position.over or so_far.position.memory.ace is not None:
                break
            viewer = next(seat for seat in (1, 2, 3) if seat != holder)
            belief = Belief(so_far.view(viewer))
            if belief.odds("EA")[holder] == 1 and so_far.position.trick and so_far.position.trick.plays:
                text = belief.explain("EA")
                assert f"EA: seat {holder} must have it, since" in text, text
                found += "schafkopf.call-ace" in text
    assert found
