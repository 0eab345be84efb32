"""A table has as many seats as its game says: a game for four to eight works wherever one for four does."""

import json
import random
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from renege.arena.match import lead_of
from renege.arena.run import make_plan, play_pair
from renege.ask.serve import reply
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, Deck
from renege.core.deal_state import replaced, seats_from
from renege.core.game import KITTY, Game, Standing
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.position_text import parse_position
from renege.core.registry import find_game, parse_record
from renege.core.verdict import WrongPhase
from renege.core.view import seen_by_all
from renege.core.world import Drawn, World, piles_of
from renege.envs import BatchEnv, Env
from renege.envs.moments import nested
from renege.games.encoding import encoding_of
from renege.games.kit import solve_partners
from renege.games.small import gains
from renege.games.testing import check_game
from renege.search.lanes import _together, layers_of
from renege.search.regret.cfr import TreeEngine
from renege.search.regret.expand import PositionExpansion
from renege.search.regret.trees import build_tree
from renege.selfplay.plan import make_plan as selfplay_plan
from renege.selfplay.play import odds_from
from renege.selfplay.play import play_deal as selfplay_deal
from support.command import renege
from support.steering import SOAK

SIZES = (4, 5, 6, 7, 8)


def table(ring: ModuleType, players: int, **rules: Any) -> Game:
    return ring.game(ring.Rules(seats=players, **rules))


def played(game: Game, seed: int, acts: int | None = None) -> Arbiter:
    """A deal by chance, as far as it is asked for."""
    arbiter, rng = Arbiter(game, seed), random.Random(seed)
    while arbiter.position.turn is not None and (acts is None or len(arbiter.record.acts) < acts):
        position = arbiter.position
        what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
        assert position.turn is not None
        assert arbiter.act(position.turn, what)
    return arbiter


# -- the number itself


def test_it_is_a_number_of_the_game(ring: ModuleType):
    game = table(ring, 6)
    assert (game.players, list(game.all_seats), game.seat_digits) == (6, [0, 1, 2, 3, 4, 5], "[0-5]")
    assert game.seats(None) == (0, 1, 2, 3, 4, 5)
    assert replace(game, players=3).seats(None) == (0, 1, 2)
    assert game != table(ring, 7) and find_game("ring", {"seats": "7"}).players == 7


@pytest.mark.parametrize("players", [1, 9])
def test_no_table_is_smaller_or_larger(ring: ModuleType, players: int):
    with pytest.raises(ValueError, match=f"ring has {players} players; a table has 2 to 8 seats"):
        replace(table(ring, 4), players=players)


def test_the_three_games_are_for_four():
    assert [find_game(name).players for name in ("texas42", "schafkopf")] == [4, 4]


def test_a_turn_goes_round_from_the_leader():
    assert seats_from(5, tuple(range(8))) == (5, 6, 7, 0, 1, 2, 3, 4)
    assert seats_from(4, (0, 2, 4)) == (4, 0, 2)


def test_the_kitty_is_the_last_pile_of_any_table():
    assert replaced((0, 1, 2), KITTY, 9) == (0, 1, 9)


@pytest.mark.parametrize("players", SIZES)
def test_sides_are_every_other_seat_or_nobody_has_a_partner(ring: ModuleType, players: int):
    position = Arbiter(table(ring, players), 1).position
    sides = [position.side(seat) for seat in range(players)]
    assert sides == ([seat % 2 for seat in range(players)] if players % 2 == 0 else list(range(players)))


# -- the rules of all games


@pytest.mark.parametrize("players", SIZES)
def test_it_conforms(ring: ModuleType, players: int):
    found = check_game(table(ring, players), deals=6 * SOAK)
    assert found.acts == 6 * SOAK * (3 + players * ring.HELD[players])


@pytest.mark.parametrize("players", SIZES)
def test_records_and_positions_read_back(ring: ModuleType, players: int):
    game = table(ring, players)
    for length in (0, 1, 2, 3, players + 2, None):
        record = played(game, 3, length).record
        assert parse_record(str(record)) == record
        assert parse_position(game, str(record.position)) == record.position
        assert f"\n{players - 1}: " in str(record)


def test_a_seat_that_the_table_has_not_is_refused_with_the_highest(ring: ModuleType):
    game = table(ring, 6)
    for text in ("dealer 6 | 0: CA", "dealer 9"):
        with pytest.raises(NotationError, match="is no seat: they are 0 to 5"):
            parse_position(game, text)
    for seat in (6, -1):
        with pytest.raises(WrongPhase, match=f"seat {seat} is none of 0 to 5"):
            Arbiter(game, 1).view(seat)
        with pytest.raises(WrongPhase, match=f"seat {seat} is none of 0 to 5"):
            Arbiter(game, 1).position.view(seat)
    with pytest.raises(NotationError, match="points has 4 numbers, not 6"):
        parse_position(game, "spades by 5 | points 0 0 0 0")
    assert parse_position(game, "spades by 5").turn == 5
    with pytest.raises(NotationError):
        parse_position(game, "spades by 6")
    record = str(played(game, 1).record)
    for wrong in (record.replace("dealer 5", "dealer 6"), record.replace("\n5: ", "\n6: ")):
        with pytest.raises(NotationError):
            parse_record(wrong)


@pytest.mark.parametrize("players", SIZES)
def test_a_view_shows_one_hand_and_what_was_done(ring: ModuleType, players: int):
    arbiter = played(table(ring, players), 5, 3 + players)
    taker = arbiter.record.acts[0].seat
    for seat in range(players):
        view = arbiter.view(seat)
        assert [isinstance(hand, Cards) for hand in view.start.hands] == [i == seat for i in range(players)]
        assert isinstance(view.start.kitty, Cards) == isinstance(view.position.kitty, Cards) == (seat == taker)
        assert (view.acts[1].what == ring.UNSEEN) == (seat != taker)
    everybody = seen_by_all(arbiter.record)
    assert not any(isinstance(pile, Cards) for pile in (*everybody.start.hands, everybody.start.kitty))


# -- beliefs


def small_belief(ring: ModuleType, players: int) -> list[tuple[Arbiter, int]]:
    """Late enough to list all deals, by seats of whose view at most five piles are hidden."""
    found = list[tuple[Arbiter, int]]()
    for seed in range(4):
        arbiter = played(table(ring, players), seed, 3 + players * (ring.HELD[players] - 2) + 1)
        taker = arbiter.record.acts[0].seat
        found += [(arbiter, seat) for seat in ((taker,) if players == 6 else (taker, (taker + 2) % players))]
    return found


@pytest.mark.parametrize("players", [4, 5, 6])
def test_beliefs_are_exact(ring: ModuleType, players: int):
    """The true deal is a world, drawn ones replay and look the same, and odds are the shares of all that fit."""
    for arbiter, seat in small_belief(ring, players):
        view = arbiter.view(seat)
        belief = Belief(view)
        position = arbiter.position
        true = World(tuple(map(known, position.hands)), known(position.kitty))
        assert belief.exact and belief.allows(true)
        for world in belief.draw(5, 1):
            record = belief.record(world)
            list(record.replay())
            assert len(record.start.hands) == players and record.view(seat) == view
        worlds = [belief.world(row) for row in belief.worlds.listed()]
        assert len(worlds) == int(belief.count()) and sum(world == true for world in worlds) == 1
        card = next(iter(true.hands[(seat + 1) % players]))
        shares = {pile: np.mean([card in world.hands[pile] for world in worlds]) for pile in range(players)}
        shares[KITTY] = np.mean([card in world.kitty for world in worlds])
        assert belief.odds(card) == pytest.approx(shares)
        rows = odds_from(belief, seat)
        assert rows.shape == (players + 1, len(view.game.deck.names))
        assert rows[1, card] == pytest.approx(shares[(seat + 1) % players])
        assert rows[KITTY, card] == pytest.approx(shares[KITTY])


def known(pile: object) -> Cards:
    assert isinstance(pile, Cards)
    return pile


def test_worlds_as_an_array_have_a_pile_for_each_seat_and_the_kitty(ring: ModuleType):
    hands, kitty = table(ring, 7).deal(1)
    piles = piles_of([World(hands, kitty)])
    assert piles.shape == (1, 8, 2)
    assert piles[0, KITTY, 0] == kitty.kinds and piles[0, 6, 0] == hands[6].kinds
    with pytest.raises(ValueError, match="of no world"):
        piles_of([])


# -- players


@pytest.mark.parametrize("players", SIZES)
def test_agents_meet_in_the_arena(ring: ModuleType, players: int):
    plan = make_plan(table(ring, players), "rulebook", "random", seed=1, pairs=2, control=True)
    pair = play_pair(plan, players + 1)
    assert [one.seats for one in pair.rounds] == [tuple(range(0, players, 2)), tuple(range(1, players, 2))]
    assert len(pair.a) + len(pair.b) == 2 * (3 + players * ring.HELD[players])
    assert play_pair(make_plan(table(ring, players), "random", "random", seed=1, pairs=2, whole_games=True), 1)


def test_a_lead_is_that_of_the_mean_seat():
    assert lead_of((3, 1, 3, 1), 0) == 2 and lead_of((3, 1, 3, 1), 1) == -2
    assert lead_of((6, 1, 6, 2, 3), 0) == 3.5 and lead_of((6, 1, 6, 2, 3), 1) == -3.5


def test_what_a_deal_is_worth_beside_the_others():
    assert gains((5, 2, 5, 2)) == (3, -3, 3, -3)
    assert gains((5, 2, 5, 2, 5, 2)) == (3, -3, 3, -3, 3, -3)
    assert gains((4, 0, 0, 0, 1)) == (3.75, -1.25, -1.25, -1.25, 0.0)
    assert gains((8, -2, -2, -2, -2)) == (8, -2, -2, -2, -2)


def test_the_kernel_solves_tables_of_four(ring: ModuleType):
    position = played(table(ring, 5), 2, 3).position
    with pytest.raises(WrongPhase, match="open hands are worked out at tables of 4, and this one has 5 seats"):
        solve_partners(position)
    tree = build_tree(PositionExpansion(game := tiny(ring), [Arbiter(game, 1).position]))
    assert tree.seats == range(5) and tree.payoffs.shape[1] == 5
    assert np.allclose(tree.payoffs.sum(axis=1), 0)
    with pytest.raises(ValueError, match="the kernel solves games of 4 seats, and this tree has 5"):
        TreeEngine(tree)


def tiny(ring: ModuleType) -> Game:
    """Five seats with two cards each: small enough to be grown into a tree."""
    whole = table(ring, 5)
    deck = whole.deck.stripped(whole.deck.kinds & ~whole.deck.cards("CA DA HA SA CK DK HK SK CQ DQ HQ").kinds)

    def order(rules: Any, contract: Any) -> Order:
        return replace(whole.order(rules, contract), deck=deck)

    return replace(whole, deck=deck, hand_size=2, order=order)


# -- commands


def test_commands_take_the_seats_of_the_record(ring: ModuleType, tmp_path: Path):
    file = tmp_path / "game.txt"
    file.write_text(str(played(table(ring, 5), 3).record), "utf-8")
    told = renege("odds", file, "--seat", 4, "--acts", 12)
    assert told.returncode == 0 and "card seat-0 seat-1 seat-2 seat-3 the-kitty" in told.stdout
    assert "seat 5 is none of 0 to 4" in renege("odds", file, "--seat", 5).stderr
    assert "--seat is 0 to 4 in this game, and not 6" in renege("hint", file, "--seat", 6).stderr
    assert "to play, holding" in renege("hint", file, "--acts", 12).stdout
    assert renege("judge", file).returncode == 0
    told = renege("play", "ring", "--terminal", "--seed", 1, text="1\n" * 3 + "score\nquit\n")
    assert "You sit at seat 0 of 5" in told.stdout and "Seat 4 0" in told.stdout


def test_selfplay_deals_in_turn_to_every_seat(ring: ModuleType):
    plan = selfplay_plan(table(ring, 5), "random", seed=1, piece=4, odds=True)
    for deal in (3, 4, 9):
        decisions = selfplay_deal(plan, deal)
        assert {one.seat for one in decisions} == set(range(5)) and decisions[0].seat == (deal + 1) % 5
        assert all(one.odds is not None and one.odds.shape == (6, 26) for one in decisions)


# -- environments


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("version", [0, 1])
def test_environments(ring: ModuleType, players: int, version: int):
    game = table(ring, players)
    env = BatchEnv(game, 3, seed=1, version=version, hidden=True, reward="difference", history=bool(version))
    assert not env.in_kernel and env.reward.shape == (3, players)
    assert env.dealt().shape == (3, players + 1, 2)
    encoding = env.encoding
    assert encoding.sections["turn"].stop - encoding.sections["turn"].start == players
    assert env.hidden is not None and env.hidden.shape == (3, players * encoding.cards)
    dealers = set[int]()
    ended = 0
    for step in range(3 * encoding.longest()):
        assert (env.mover < players).all()
        assert env.observation[:, encoding.sections["turn"]][:, 0].all()
        env.step(env.choose(step))
        assert np.allclose(env.reward.sum(axis=1), 0)
        ended += int(env.done.sum())
        dealers |= {standing.dealer for standing in env.standings}
    assert ended >= 3
    assert dealers == ({players - 1} if not version else dealers) and (not version or max(dealers) >= 3)
    with pytest.raises(ValueError, match=rf"a seat is 0\.\.{players - 1}"):
        env.observe(players)
    again = BatchEnv(game, 3, seed=2, version=version, hidden=True, history=bool(version), reward="difference")
    again.load(env.save())
    assert (again.observation == env.observation).all()
    again.begin(env.dealt(), Standing(players - 1, game.opening.score))
    assert (again.mover == 0).all()


def test_a_single_table(ring: ModuleType):
    env, rng = Env(table(ring, 7), seed=3), random.Random(1)
    turns = set[int | None]()
    while not env.over:
        turns.add(env.turn)
        env.act(rng.choice(env.legal))
    assert turns == set(range(7)) and env.turn is None and len(env.rewards) == 7 and sum(env.rewards) == 0
    with pytest.raises(ValueError, match=r"a seat is 0\.\.6"):
        env.observe(7)
    assert env.dealt().shape == (8, 2)


def test_a_row_counts_seats_from_the_one_that_looks(ring: ModuleType):
    moment = encoding_of(table(ring, 8)).deal(1)
    moment = moment.act("take")
    at = moment.encoding.sections
    for seat in range(8):
        row = moment.observe(seat)
        assert row[at["turn"]].argmax() == (0 - seat) % 8 and row[at["dealer"]].argmax() == (7 - seat) % 8
        said = row[at["said"]].reshape(8, -1)
        assert said[(0 - seat) % 8, 0] == 1 and said.sum() == 1
    hidden = moment.hidden(5).reshape(8, -1)  # seven hands and the kitty, from seat 6 on
    assert hidden.sum(axis=1).tolist() == [3, 3, 4, 3, 3, 3, 3, 0]


# -- on the wire


def ask(**question: Any) -> dict[str, Any]:
    return json.loads(reply(json.dumps(question).encode())[0])


def test_the_wire_knows_the_seats_of_the_house(ring: ModuleType):
    house = {"game": "ring", "rules": {"seats": 6}}
    trick = ["HA", "HK", "SQ", "DA", "HQ"]
    told = ask(ask="legal_plays", declaration="spades by 5", trick=trick, hand="H9 C9", **house)
    assert told["plays"] == ["H9"]
    told = ask(ask="legal", declaration="spades by 5", trick=trick, hand="H9 C9", play="C9", **house)
    assert (told["legal"], told["rule"], told["instead"]) == (False, "ring.follow-suit", "H9")
    assert ask(ask="winner", declaration="spades by 5", plays=[*trick, "H9"], **house)["winner"] == 2
    told = ask(ask="winner", declaration="spades by 5", plays=trick, **house)
    assert "a trick here has 6 plays" in told["error"]


# -- as many layers as a deck has copies


def test_piles_of_three_packs_have_three_layers():
    deck, rng = Deck("three", tuple("ABCDEFG"), copies=3), random.Random(1)
    assert (deck.layers, Deck("one", ("A",)).layers) == (3, 2)
    for _ in range(200):
        pack = list(deck.all)
        rng.shuffle(pack)
        one, two = deck.cards(pack[:6]), deck.cards(pack[6:13])
        together = _together(layers_of(one)[None], layers_of(two)[None])[0]
        assert together.tolist() == layers_of(one + two).tolist()
        assert nested(deck, together.tolist()) and Drawn(deck, together[None, None])[0].kitty == one + two
    assert not nested(deck, [1, 2, 0]) and not nested(deck, [1 << 7, 0, 0])
    assert piles_of([World((one,), two)]).shape == (1, 2, 3)
