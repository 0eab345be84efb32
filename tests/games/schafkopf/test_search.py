"""How Schafkopf is searched: what a play is worth in a world is what plain minimax over the price would say."""

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from renege.belief import Belief
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.world import World
from renege.games import schafkopf
from renege.games.schafkopf import open_hands, search
from renege.games.schafkopf.calling import passing, promise
from renege.games.schafkopf.evidence import leaning
from renege.games.schafkopf.packed import takers
from renege.games.schafkopf.rulebook import rulebook
from renege.games.schafkopf.rules import AllPass, Precedence, Rules, StossPrice, StossRole
from renege.games.strategy import Option, Worth
from renege.native import solve as native_solve
from renege.native.engine import CPU, Engine
from support.schafkopf_deals import SOAK, begin_deal

FOREVER = math.inf
CONTRACTS = [
    "rufspiel E", "rufspiel G", "rufspiel S", "hochzeit", "solo H", "solo G", "wenz", "geier", "farbwenz E",
    "farbgeier S", "wenz tout", "solo E tout", "sie", "bettel",
]  # fmt: skip


def played_to(record: Record, rng: random.Random, cards: int) -> Record:
    """The deal with random plays until the seat to move holds so many cards."""
    acts, position = list(record.acts), record.position
    while len(position.hand) > cards:
        assert position.turn is not None
        acts.append(Act(position.turn, position.legal_plays.choose(rng)))
        position = position.then(acts[-1])
    return Record(record.start, tuple(acts))


def endings(game: Game, declaration: str, count: int, cards: int = 3) -> Iterator[Record]:
    for number in range(count * SOAK):
        rng = random.Random(f"ending {declaration} {number}")
        record = played_to(begin_deal(game, declaration, rng), rng, cards)
        for _ in range(rng.randrange(4)):  # in the middle of a trick, too
            position = record.position
            assert position.turn is not None
            record = record.with_act(Act(position.turn, position.legal_plays.choose(rng)))
        yield record


def told(position: Position) -> World:
    return World(position.hands, position.kitty)  # pyright: ignore[reportArgumentType]


def minimax(position: Position, side: int, value: Callable[[Position], float]) -> float:
    """The value if these seats want it large and the others small, every play being tried."""
    if position.over:
        return value(position)
    assert position.turn is not None
    best = max if side >> position.turn & 1 else min
    return best(minimax(position.put(play), side, value) for play in position.legal_plays)


def price_for(seat: int) -> Callable[[Position], float]:
    def paid(position: Position) -> float:
        assert position.result is not None
        return position.result.score[seat]

    return paid


def expected(position: Position, play: Play, seat: int, *, points: bool) -> tuple[float, float]:
    """What plain minimax says that the seat is paid, and the little that the points weigh besides."""
    side, after = takers(position), position.put(play)
    friends = side if side >> seat & 1 else 15 & ~side
    paid = minimax(after, friends, price_for(seat))
    if not points:
        return paid, 0.0
    ours = minimax(after, side, lambda end: sum(end.points[s] for s in range(4) if side >> s & 1))
    return paid, open_hands.TIE * position.game.rules.base * (ours if side >> seat & 1 else -ours)


def agrees(view: View, position: Position, options: Sequence[Option], *, points: bool) -> list[float]:
    """What the seat is paid in the true world, once that and what speaks besides are those of plain minimax."""
    found = search.weigh(view, [told(position)], options, FOREVER)
    wanted = [expected(position, play, view.seat, points=points) for play in options if isinstance(play, Play)]
    paid, tie_break = zip(*wanted, strict=True)
    assert found.paid[0].tolist() == list(paid), position
    assert found.tie_break[0].tolist() == pytest.approx(tie_break), position
    return list(paid)


def check(record: Record, *, points: bool) -> None:
    position = record.position
    assert position.turn is not None
    view = record.view(position.turn)
    options = search.options(view)
    assert options[0] == rulebook(view).what and set(options) == set(view.legal_plays)
    agrees(view, position, options, points=points)


@pytest.mark.parametrize("declaration", CONTRACTS)
def test_it_is_plain_minimax_over_the_price(declaration: str):
    counted = declaration not in ("bettel", "sie") and "tout" not in declaration
    for record in endings(schafkopf.game(), declaration, 3):
        check(record, points=counted)


@pytest.mark.parametrize("declaration", ["rufspiel E renonce", "rufspiel GZ"])
def test_a_renonce_is_plain_minimax_over_the_price(declaration: str):
    for record in endings(schafkopf.game(Rules(all_pass=AllPass.OLD_MUST)), declaration, 3):
        check(record, points=True)


def test_a_solo_that_was_raised_is_plain_minimax_over_the_price():
    """71, 91 and 111 points are needed: where the price turns, and the stakes were raised by adding."""
    game = schafkopf.game(Rules(precedence=Precedence.RAISING, stoss_price=StossPrice.ADDS))
    for record in endings(game, "wenz", 3):
        position = record.position
        assert isinstance(position.contract, schafkopf.Bargain) and position.turn is not None
        for need in (71, 91, 111):
            told = replace(position, contract=replace(position.contract, need=need, raised=(1, 0)))
            view = View(told, (), position.turn)
            agrees(view, told, list(told.legal_plays), points=True)


@pytest.mark.parametrize("declaration", ["rufspiel E", "hochzeit", "solo H", "wenz"])
def test_asked_step_by_step_it_is_the_same_price(declaration: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(open_hands, "EXACT_FROM", 0)
    for record in endings(schafkopf.game(schafkopf.PRESETS["short"]), declaration, 3):
        check(record, points=False)


@pytest.mark.parametrize(
    ("text", "extras"),
    [
        # the declarer takes a trick without points, and is Schneider only
        ("0: E9 S7 | 1: E8 SA | 2: E7 S8 | 3: H7 S9 | 0 leads | points 0 50 30 29 | tricks 0 2 2 2", -1),
        ("0: E9 S7 | 1: EZ SA | 2: E7 S8 | 3: H7 S9 | 0 leads | points 0 45 30 24 | tricks 0 2 2 2", -2),
        # the others take one, and so are not Schwarz
        ("0: EA S7 | 1: E7 S9 | 2: E8 S8 | 3: H7 H8 | 0 leads | points 109 0 0 0 | tricks 6 0 0 0", 1),
        ("0: EA S9 | 1: E7 S7 | 2: E8 S8 | 3: H7 H8 | 0 leads | points 109 0 0 0 | tricks 6 0 0 0", 2),
    ],
)
def test_a_trick_without_points_is_a_trick(text: str, extras: int):
    game = schafkopf.game(Rules(runners_from=15))
    position = schafkopf.position(f"solo G by 0 | {text}", game.rules)
    view = View(position, (), 0)
    paid = agrees(view, position, list(view.legal_plays), points=True)
    assert max(paid) == (150 + 30 * abs(extras)) * (1 if extras > 0 else -1)


def test_the_others_want_the_declarer_of_a_bettel_to_take_a_trick():
    seen: list[float] = []
    for number in range(12 * SOAK):
        rng = random.Random(f"bettel {number}")
        pack = rng.sample([name for name in schafkopf.LONG.names if name[0] in "EG"], 12)
        hands = " | ".join(f"{seat}: {' '.join(pack[3 * seat : 3 * seat + 3])}" for seat in range(4))
        text = f"bettel by 0 | {hands} | {rng.randrange(4)} leads | points 0 40 20 10 | tricks 0 3 1 1"
        position = schafkopf.position(text)
        assert position.turn is not None
        view = View(position, (), position.turn)
        seen += agrees(view, position, list(view.legal_plays), points=False)
    assert {-150, 150} <= set(seen) or {-50, 50} <= set(seen)


def test_the_stock_doublings_and_who_needs_61_are_in_the_price():
    rules = Rules(stoss_role=StossRole.TAKES_OVER, all_pass=AllPass.STOCK, extra=7, runners_from=1)
    seen: set[float] = set()
    for record in endings(schafkopf.game(rules), "rufspiel G", 6):
        position = record.position
        raised = replace(position.contract, doubled=1, raised=(_defender(position),))  # pyright: ignore[reportArgumentType]
        position = replace(position, contract=raised, standing=Standing(3, (-10, -10, -10, -10, 40)))
        assert position.turn is not None
        view = View(position, (), position.turn)
        seen.update(agrees(view, position, list(view.legal_plays), points=True))
    assert len(seen) > 3


def _defender(position: Position) -> int:
    return next(seat for seat in range(4) if not takers(position) >> seat & 1)


def test_the_side_of_a_seat_is_that_of_the_world():
    # seat 0 cannot know whether seat 1, who has taken much, or seat 2 is with the declarer
    seen, taken = "rufspiel E by 3 | 0: G9 S9", "0 leads | points 25 50 2 2 | tricks 2 2 1 1"
    view = View(schafkopf.position(f"{seen} | {taken}"), (), 0)
    options, paid = list(view.legal_plays), list[float]()
    for first, second in (("EA", "SA"), ("SA", "EA")):
        position = schafkopf.position(f"{seen} | 1: {first} GA | 2: {second} GK | 3: EK H7 | {taken}")
        paid.append(max(agrees(view, position, options, points=True)))
    assert paid[0] < 0 < paid[1]


def first_lead(declaration: str, seed: int) -> Record:
    return begin_deal(schafkopf.game(), declaration, random.Random(f"first {declaration} {seed}"))


def test_early_on_it_asks_whether_the_game_is_won():
    record = played_to(first_lead("solo G", 3), random.Random(1), 8)
    assert record.position.turn is not None
    view = record.view(record.position.turn)
    options = search.options(view)
    paid = search.weigh(view, Belief(view).draw(4, seed=2), options, FOREVER).paid
    assert set(np.abs(paid).ravel().tolist()) <= {float(50 + 10 * n) * k for n in range(9) for k in (1, 3)}


def test_the_same_view_and_worlds_give_the_same_numbers():
    for declaration in ("rufspiel E", "wenz"):
        record = played_to(first_lead(declaration, 1), random.Random(2), 6)
        assert record.position.turn is not None
        view = record.view(record.position.turn)
        worlds, options = Belief(view).draw(5, seed=3), search.options(view)
        once = search.weigh(view, worlds, options, FOREVER).paid
        assert np.array_equal(once, search.weigh(view, worlds, options, FOREVER).paid)
        backwards = search.weigh(view, worlds[::-1], options[::-1], FOREVER).paid
        assert np.array_equal(once, backwards[::-1, ::-1])


def test_no_more_than_the_view_the_worlds_and_the_options_is_looked_at():
    record = played_to(first_lead("rufspiel S", 4), random.Random(4), 5)
    assert record.position.turn is not None
    view = record.view(record.position.turn)
    worlds, options = Belief(view).draw(6, seed=1), search.options(view)
    other = Belief(view).record(worlds[3]).view(view.seat)  # the same view, from another deal
    assert search.options(other) == options
    ours, theirs = (search.weigh(seen, worlds, options, FOREVER) for seen in (view, other))
    assert np.array_equal(ours.paid, theirs.paid) and np.array_equal(ours.tie_break, theirs.tie_break)


def test_when_time_is_out_whole_rows_are_missing(monkeypatch: pytest.MonkeyPatch):
    record = played_to(first_lead("solo G", 5), random.Random(5), 6)
    assert record.position.turn is not None
    view = record.view(record.position.turn)
    worlds, options = Belief(view).draw(40, seed=1), search.options(view)
    assert np.isnan(search.weigh(view, worlds, options, time.perf_counter()).paid).all()
    ticks = iter(range(10_000))  # a clock on which every look takes a second
    clock = SimpleNamespace(perf_counter=lambda: float(next(ticks)))
    monkeypatch.setattr(search, "time", clock)
    monkeypatch.setattr(open_hands, "time", clock)
    missing = np.isnan(search.weigh(view, worlds, options, 20.0).paid)
    assert (missing.any(axis=1) == missing.all(axis=1)).all()
    assert not missing[0].any() and missing[-1].all()


def seven_cards(declaration: str) -> tuple[View, World]:
    """A view with seven cards in hand, and a world of it in which not every play wins, or loses, the game."""
    for number in range(100):
        record = played_to(first_lead(declaration, number), random.Random(number), 7)
        assert record.position.turn is not None
        view = record.view(record.position.turn)
        world = told(record.position)
        paid = search.weigh(view, [world], list(view.legal_plays), FOREVER).paid[0]
        if min(paid) < 0 < max(paid):
            return view, world
    raise AssertionError(declaration)


def test_a_world_whose_question_stays_open_is_not_reached(monkeypatch: pytest.MonkeyPatch):
    view, world = seven_cards("rufspiel E")
    options = list(view.legal_plays)
    table = open_hands.OpenHandPayoff(view.position, view.seat, FOREVER, 0.0, CPU)
    hands = np.array([[hand.kinds for hand in world.hands]] * 2, np.uint32)
    assert np.isnan(table.pays(hands, [next(iter(play.cards)) for play in options]).paid).all()
    monkeypatch.setattr(search, "PLAY_SHARE", 0.0)
    assert np.isnan(search.weigh(view, [world], options, time.perf_counter() + 60).paid).all()


class Forgetful(Engine):
    """After the first question, whether the game is won, no answer for the plays that have settled this one; or else
    for all others.
    """

    def __init__(self, *, matters: bool) -> None:
        self.matters, self.first = matters, list[tuple[int, np.ndarray]]()

    def run(self, question: Any, query: Any) -> Any:
        solved, targets = question(query), query.targets
        if question is not native_solve.solve_plays:
            return solved
        if not self.first:
            self.first.append((int(targets[0]), solved.lower >= targets[0]))
            return solved
        target, won = self.first[0]
        settled = ~won if targets[0] > target else won
        lost = ~settled if self.matters else settled
        return replace(solved, lower=np.where(lost, 0, solved.lower), upper=np.where(lost, 120, solved.upper))


@pytest.mark.parametrize(("matters", "reached"), [(False, True), (True, False)])
def test_only_what_the_price_depends_on_must_be_known(matters: bool, reached: bool):
    view, world = seven_cards("rufspiel E")
    options = list(view.legal_plays)
    paid = search.weigh(view, [world], options, FOREVER).paid
    again = search.weigh(view, [world], options, FOREVER, Forgetful(matters=matters)).paid
    assert np.array_equal(again, paid) if reached else np.isnan(again).all()


@pytest.mark.parametrize("declaration", ["rufspiel E", "solo H", "wenz"])
def test_a_tariff_that_pays_nothing(declaration: str):
    game = schafkopf.game(Rules(base=0, solo=0, extra=0))
    for cards in (8, 6, 3):
        record = played_to(begin_deal(game, declaration, random.Random(cards)), random.Random(cards), cards)
        assert record.position.turn is not None
        view = record.view(record.position.turn)
        found = search.weigh(view, Belief(view).draw(2, seed=1), list(view.legal_plays), FOREVER)
        assert not found.paid.any() and not found.tie_break.any()


@pytest.mark.parametrize("declaration", ["rufspiel G", "solo E", "wenz", "geier", "farbwenz H", "farbgeier S"])
def test_worlds_that_lean_give_the_declarer_the_high_trumps(declaration: str):
    record = first_lead(declaration, 7)
    view, trumps = record.view(1), schafkopf.trumps(declaration)
    out = sum(1 << card for card in trumps[:4] if card not in view.hand)
    belief = Belief(view)

    def held(*, lean: bool) -> float:
        return float(np.mean([len(w.hands[0].only(out)) for w in belief.draw(400, seed=1, leaning=lean)]))

    assert held(lean=True) > 1.1 * held(lean=False)


def test_a_game_that_says_nothing_of_trumps_leans_nowhere():
    for declaration in ("ramsch", "bettel", "hochzeit"):
        assert leaning(first_lead(declaration, 1).view(1)) == {}


# -- the talk


def asked(hand: str, *calls: str) -> Record:
    game = schafkopf.game()
    deck = game.deck
    mine = deck.cards(deck.spellings[name] for name in hand.split())
    rest = list(deck.all - mine)
    random.Random(hand).shuffle(rest)
    hands = (mine, *(deck.cards(rest[i : i + 8]) for i in (0, 8, 16)))
    record = Record(replace(begin_deal(game, "wenz", random.Random(0)).start, hands=hands))
    for call in calls:
        assert record.position.turn is not None
        record = record.with_act(Act(record.position.turn, call))
    return record


def test_a_bid_is_weighed_by_the_game_that_it_leads_to():
    view = asked("EO GO EU HA HK E9 E8 G9").view(0)
    options = search.options(view)
    assert options[0] == rulebook(view).what and {"pass", "rufspiel"} <= set(options)
    paid = search.weigh(view, Belief(view).draw(6, seed=1), options, FOREVER).paid
    column = dict(zip(options, paid.T.tolist(), strict=True))
    assert len(set(column["pass"])) == 1
    assert len(set(column["rufspiel"])) > 1
    assert np.mean(column["rufspiel"]) > np.mean(column["pass"])


def test_a_hopeless_hand_and_a_sure_one_are_not_searched():
    assert search.options(asked("SU H7 E9 E8 GK G7 SK S8").view(0)) == ("pass",)
    assert search.options(asked("EO GO HO SO EU GU HU HA").view(0)) == ("solo tout",)
    assert search.options(asked("H7 EA GA EZ GZ SK S9 S8").view(0)) == ("hochzeit",)


def test_the_game_is_named_by_what_the_worlds_pay():
    record = asked("GO SO GU HA HK E9 E8 G9", "rufspiel", "pass", "pass", "pass")
    view = record.view(0)
    options = search.options(view)
    assert options[0] == "rufspiel G" and "rufspiel E" in options
    found = search.weigh(view, Belief(view).draw(4, seed=1), options, FOREVER)
    assert not np.isnan(found.paid).any() and not found.tie_break.any()


def test_what_stays_open_in_the_talk_is_the_rulebooks_word_alone(monkeypatch: pytest.MonkeyPatch):
    view = asked("EO GO EU HA HK E9 E8 G9").view(0)
    options, worlds = ["rufspiel", "pass"], Belief(view).draw(4, seed=1)
    said = [promise(view.game.rules, "rufspiel G", view.hand.kinds, leads=True), passing(view.game.rules)]
    known = search.weigh(view, worlds, options, FOREVER).paid
    with monkeypatch.context() as patch:
        patch.setattr(search, "TALK_SHARE", 0.0)
        assert search.weigh(view, worlds, options, time.perf_counter() + 60).paid.tolist() == [said] * 4
    pays, count = open_hands.OpenHandPayoff.pays, iter(range(4))

    def now_and_then(self: open_hands.OpenHandPayoff, *asked: Any) -> Worth:
        found = pays(self, *asked)
        return found if next(count) % 2 else replace(found, paid=np.full_like(found.paid, np.nan))

    monkeypatch.setattr(open_hands.OpenHandPayoff, "pays", now_and_then)
    mixed = search.weigh(view, worlds, options, FOREVER).paid
    assert mixed[::2].tolist() == [said] * 2 and np.array_equal(mixed[1::2], known[1::2])
    assert said[0] not in known[:, 0] and set(known[:, 1]) == {said[1]}


def test_a_ramsch_and_a_hochzeit_are_left_to_the_rulebook():
    ramsch = first_lead("ramsch", 1)
    assert ramsch.position.turn is not None
    view = ramsch.view(ramsch.position.turn)
    assert search.options(view) == (rulebook(view).what,)
    assert np.isnan(search.weigh(view, Belief(view).draw(2, seed=1), search.options(view), FOREVER).paid).all()
    marriage = first_lead("hochzeit", 1)
    for length in range(5, 8):
        before = replace(marriage, acts=marriage.acts[:length])
        if before.position.talking:
            assert before.position.turn is not None
            view = before.view(before.position.turn)
            assert search.options(view) == (rulebook(view).what,)


def test_a_game_alone_is_worth_what_such_hands_win_and_the_news_of_the_world():
    """Open hands alone would pass this solo, which a table wins more often than not."""
    view = asked("EO GO SU HA H9 H7 EA SZ").view(0)
    options = search.options(view)
    assert "solo" in options and "pass" in options
    paid = search.weigh(view, Belief(view).draw(40, seed=1), options, FOREVER).paid.mean(axis=0)
    worth = dict(zip(options, paid, strict=True))
    said = promise(view.game.rules, "solo H", view.hand.kinds, leads=True)
    assert worth["solo"] > worth["pass"] and abs(worth["solo"] - said) < 60
