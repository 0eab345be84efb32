"""Whole talks of random players against the brute force: showing, taking back, stealing the kitty, turning it up."""

import random
from collections import Counter
from typing import Any

import pytest

from reference import tractor_tables as reference
from reference.tractor_tables import TalkHouse
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, known_cards
from renege.core.game import Game, Standing
from renege.core.position import Position
from renege.core.world import World
from renege.games import tractor
from renege.games.testing import check_game
from renege.games.tractor.declare import Bank, Drawing
from support.steering import SOAK
from support.tractor_tables import by_rulebooks, choose

TALKS: list[dict[str, Any]] = [
    {"own_showing": "equal"},
    {"own_showing": "equal", "packs": 3, "overruling": "jokers-or-suit"},
    {"own_showing": "equal", "packs": 4, "overruling": "length-alone", "jokers_shown": "any", "take_back": "yes"},
    {"take_back": "yes"},
    {"take_back": "yes", "own_showing": "overturn", "packs": 3, "seats": 6, "first_banker": "first-to-show"},
    {"kitty_theft": "on"},
    {"kitty_theft": "on", "take_back": "yes", "own_showing": "equal", "packs": 3, "jokers_shown": "any"},
    {"kitty_theft": "on", "packs": 3, "seats": 6, "own_showing": "overturn", "overruling": "jokers-or-suit"},
    {"kitty_theft": "on", "packs": 2, "seats": 5, "mode": "friends", "jokers_shown": "any"},
]


def named(rules: dict[str, Any]) -> str:
    return " ".join(map(str, rules.values()))


@pytest.mark.parametrize("rules", TALKS, ids=named)
def test_whole_talks_go_as_the_brute_force_says(rules: dict[str, Any]):
    game = tractor.game(**rules)
    house = TalkHouse(**{name: value for name, value in rules.items() if name in TalkHouse._fields})
    seen: Counter[str] = Counter()
    for seed in range(20 * SOAK):
        rng = random.Random(f"{named(rules)} {seed}")
        levels = (7,) * game.rules.sides
        table = Arbiter(game, seed, Standing(rng.randrange(game.players), (*levels, rng.choice([0, 1]))))
        while table.position.talking:
            compare(house, table.position, seen)
            act(table, rng)
        contract, calls = table.position.contract, calls_of(table)
        told = reference.talked(house, table.record.start.standing.dealer, first_of(table), calls)
        assert isinstance(contract, Bank) and told.stage == "over"
        suit = "NT" if told.shown is None or told.shown[1][0] in reference.JOKERS else told.shown[1][0][0]
        assert (contract.declaration, contract.declarer) == (f"{suit}7", told.banker)
        assert contract.knows_kitty == told.buried_by
        seen["stolen"] += contract.thief is not None
    assert seen["show"] and ("take_back" not in rules or seen["withdraw"])
    assert "kitty_theft" not in rules or seen["stolen"]


def calls_of(table: Arbiter) -> list[tuple[int, str]]:
    return [(act.seat, str(act.what)) for act in table.record.acts if not str(act.what).startswith("friends")]


def first_of(table: Arbiter) -> bool:
    return table.record.start.standing.score[-1] == 0


def act(table: Arbiter, rng: random.Random) -> None:
    """Somebody who may speak says anything that is open: often something other than to pass."""
    position = table.position
    assert isinstance(position.talk, Drawing) and position.turn is not None
    seat = rng.choice(position.speakers) if rng.random() < 0.4 else position.turn
    calls = tuple(position.floor(seat).calls(position.hands[seat]))
    if not calls:
        seat, calls = position.turn, position.legal_calls
    if calls[0].startswith(("bury", "friends")):
        assert table.act(seat, choose(position, rng))
        return
    others = [call for call in calls if call != "pass"]
    assert table.act(seat, rng.choice(others) if others and rng.random() < 0.5 else calls[0])


def compare(house: TalkHouse, position: Position, seen: Counter[str]) -> None:
    """Who may speak, and of all that a seat could say what it may."""
    talk = position.talk
    assert isinstance(talk, Drawing)
    calls = [(seat, call) for seat, call in talk.calls_made if not call.startswith("friends")]
    told = reference.talked(house, talk.dealer, talk.first, calls)
    if told.stage == "over":
        assert position.legal_calls[0].startswith("friends")
        return
    assert talk.speakers == told.who and talk.turn == told.who[0]
    assert talk.banker == told.banker
    if told.stage != "show":
        assert position.legal_calls[0].startswith(told.stage)
        return
    for seat in told.who:
        hand, floor = position.hands[seat], talk.by(seat)
        assert isinstance(hand, Cards)
        open_calls = set(floor.calls(hand))
        for call in every_call(hand):
            may = floor.objection(call, hand) is None
            assert may == is_open(house, calls, told, seat, call), (call, seat, calls)
            assert may == (call in open_calls)
            seen[call.split()[0]] += may


def every_call(hand: Cards) -> list[str]:
    """All that a seat could say while cards are shown."""
    names = ["C7", "D7", "H7", "S7", "LJ", "BJ", "HA"]
    spelled = hand.deck.spellings
    piles = [[name] * size for name in names for size in range(1, hand.count(spelled[name]) + 1)]
    return ["pass", "withdraw", *(f"show {' '.join(pile)}" for pile in piles)]


def is_open(house: TalkHouse, calls: list[tuple[int, str]], told: reference.Talked, seat: int, call: str) -> bool:
    if call == "pass":
        return told.who.index(seat) != len(told.who) - 1 or not is_ahead(calls, told, seat)
    if call == "withdraw":
        return reference.may_withdraw(house, calls, seat)
    return reference.may_show(house, "7", calls, seat, tuple(call.split()[1:]))


def is_ahead(calls: list[tuple[int, str]], told: reference.Talked, seat: int) -> bool:
    """Has the seat shown what is ahead, since the kitty was last buried?"""
    return reference.may_withdraw(TalkHouse(take_back="yes"), calls, seat) and told.shown is not None


@pytest.mark.parametrize("no_call", ["turn-kitty", "first-card", "level-or-joker"])
def test_a_kitty_that_is_turned_up_names_trumps_as_the_brute_force_says(no_call: str):
    game = tractor.game(no_call=no_call)
    suits: Counter[str] = Counter()
    for seed in range(60 * SOAK):
        rng = random.Random(f"{no_call} {seed}")
        table = Arbiter(game, seed, Standing(0, (rng.randint(2, 14), 9, 1)))
        for seat in range(4):
            table.act(seat, "pass")
        position = table.position
        assert isinstance(position.talk, Drawing)
        kitty = tuple(str(known_cards(position.kitty)).split())
        told = reference.turned_kinds(no_call, position.talk.level, kitty)
        assert {call.removeprefix("turn ") for call in position.legal_calls} == told
        for card in set(kitty) - told:
            assert position.judge(f"turn {card}").rule == game.rule_list[12]
        card = rng.choice(sorted(told))
        table.act(0, f"turn {card}")
        suit = "NT" if card in reference.JOKERS else card[0]
        assert isinstance(table.position.talk, Drawing)
        assert table.position.talk.declaration == f"{suit}{position.talk.level}"
        suits[suit] += 1
    assert (suits["NT"] > 0) == (no_call != "turn-kitty")


MATTERS: list[dict[str, Any]] = [
    *TALKS,
    {"no_call": "first-card"},
    {"no_call": "level-or-joker", "packs": 3, "seats": 6},
    {"kitty_theft": "on", "throw_test": "public-info", "jokers_shown": "any"},
]


@pytest.mark.parametrize("rules", MATTERS, ids=named)
def test_tables_that_talk_so_conform(rules: dict[str, Any]):
    game = tractor.game(**rules, lowest_rank=9)  # short packs talk as whole ones do, and are played in less time
    assert check_game(game, deals=3 * SOAK, choose=choose).acts > 40


@pytest.mark.parametrize("rules", MATTERS, ids=named)
def test_rulebooks_talk_and_play_whole_deals(rules: dict[str, Any]):
    by_rulebooks(tractor.game(**rules, lowest_rank=9), 4 * SOAK)


@pytest.mark.parametrize("rules", MATTERS, ids=named)
@pytest.mark.parametrize("number", range(2 * SOAK))
def test_the_true_deal_is_a_world_and_worlds_replay(rules: dict[str, Any], number: int):
    true_deal_is_a_world(tractor.game(**rules), number)


def true_deal_is_a_world(game: Game, number: int) -> None:
    """Of every seat's view, at any moment: during the talk, after a theft, in the play."""
    rng = random.Random(f"world {number}")
    table = Arbiter(game, number, Standing(0, (*(7,) * game.rules.sides, 0)))
    until = rng.choice([6, 12, 18, 30, 60])
    while (seat := table.position.turn) is not None and len(table.record.acts) < until:
        if table.position.talking and table.position.talk is not None and not table.position.talk.on_kitty:
            act(table, rng)
        else:
            table.act(seat, choose(table.position, rng))
    position = table.position
    true = World(tuple(map(known_cards, position.hands)), known_cards(position.kitty))
    for seat in game.all_seats:
        view = table.view(seat)
        belief = Belief(view)
        assert belief.allows(true), (seat, str(view))
        assert belief.count() > 0
        for world in belief.draw(2, number):
            assert belief.allows(world)
            again = belief.record(world)
            assert again.view(seat).acts == view.acts
            assert list(again.replay())[-1].contract == position.contract


def test_a_seat_that_steals_the_kitty_knows_what_was_buried_and_nobody_else_does():
    game = tractor.game(kitty_theft="on", jokers_shown="any")
    for seed in range(400):
        table, rng = Arbiter(game, seed, Standing(0, (7, 7, 1))), random.Random(seed)
        while table.position.talking:
            act(table, rng)
        contract = table.position.contract
        assert isinstance(contract, Bank)
        if contract.thief is None:
            continue
        thief, banker = contract.thief, contract.declarer
        assert table.view(thief).position.kitty == table.position.kitty
        others = [seat for seat in range(4) if seat != thief]
        assert not any(isinstance(table.view(seat).position.kitty, Cards) for seat in others)
        assert not isinstance(table.view(thief).start.kitty, Cards)
        assert isinstance(table.view(banker).start.kitty, Cards)
        assert table.position.turn == banker  # who leads
        return
    raise AssertionError("no kitty was stolen")


def test_shown_cards_that_were_buried_and_stolen_are_with_the_thief():
    """Nobody who did not see it takes the banker, or the kitty, for the place where they must be."""
    game, found = tractor.game(kitty_theft="on", jokers_shown="any"), 0
    for seed in range(40):
        table = Arbiter(game, seed, Standing(0, (7, 7, 1)))
        banker, thief = (known_cards(table.position.hands[seat]) for seat in (0, 1))
        level = [card for card in str(banker).split() if card[1] == "7"]
        jokers = [card for card in str(thief).split() if card in reference.JOKERS]
        if not level or not jokers:
            continue
        found += 1
        for seat, call in [(0, f"show {level[0]}"), (1, "pass"), (2, "pass"), (3, "pass"), (0, "take")]:
            table.act(seat, call)
        others = [card for card in str(table.position.hands[0]).split() if card not in level]
        table.act(0, f"bury {' '.join([*level, *others[: 8 - len(level)]])}")
        for seat, call in [(1, f"show {jokers[0]}"), (2, "pass"), (3, "pass"), (0, "pass"), (1, "take")]:
            table.act(seat, call)
        kept = [card for card in str(table.position.hands[1]).split() if card not in (*level, jokers[0])]
        table.act(1, f"bury {' '.join(kept[:8])}")
        for seat in (2, 3, 0):
            table.act(seat, "pass")
        assert game.write_contract(table.position.contract) == "trump NT7 by 0 kitty 1"
        true = World(tuple(map(known_cards, table.position.hands)), known_cards(table.position.kitty))
        for seat in range(4):
            assert Belief(table.view(seat)).allows(true), seat
        buried = Belief(table.view(0))  # who knows what it has buried
        assert all(
            set(level) <= {*str(world.hands[1]).split(), *str(world.kitty).split()} for world in buried.draw(5, 1)
        )
    assert found > 3
