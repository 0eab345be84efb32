"""Tables of four to eight: whole deals by random players against the brute force, and the machine round them."""

import json
import random
from collections import Counter
from itertools import pairwise

import pytest

from reference.tractor_tables import LADDER, House
from renege.ask.serve import reply
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import known_cards
from renege.core.game import Game, Standing
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.world import World
from renege.games import tractor
from renege.games.strategy import policy_of
from renege.games.testing import check_game
from renege.games.tractor.rules import Rules
from support.steering import SOAK
from support.tractor_tables import choose, play_deal, told_of, tricks_of

SIZES = [(seats, packs) for seats in (4, 6, 8) for packs in (2, 3, 4)]
USUAL = [(6, 2), (6, 3), (8, 4)]  # as tables play; the others come with `RENEGE_SOAK`


@pytest.mark.parametrize(("seats", "packs"), USUAL)
def test_sides_take_every_other_seat_as_the_brute_force_counts(seats: int, packs: int):
    rules = Rules(seats=seats, packs=packs, throw_penalty=10)
    house = House(seats, packs, throw_penalty=10)
    banks: Counter[bool] = Counter()
    for seed in range(6 * SOAK):
        rng = random.Random(f"{seats} {packs} {seed}")
        standing = Standing(rng.randrange(seats), (rng.randint(2, 14), rng.randint(2, 14), rng.choice([0, 1])))
        record = play_deal(tractor.game(rules), seed, standing)
        compare(house, record)
        assert record.position.result is not None
        banks[bool(record.position.result.made)] += 1
    assert len(banks) == 2 or SOAK == 1, banks


def compare(house: House, record: Record) -> None:
    """Winners of tricks, sides, points, levels and the next banker are those of the brute force."""
    told, position = told_of(house, record), record.position
    after = position.game.advance(position, position.result)
    taken = [trick[0][0] for trick in tricks_of(record)][1:]
    assert position.trick is not None and position.result is not None
    assert [*taken, position.trick.leader] == told.winners
    assert position.result.text.startswith(f"attackers {told.attackers}")
    last = position.game.rules.last_level
    risen = [LADDER[level - 2] if level <= last else None for level in after.score[:-1]]
    assert risen == told.levels
    assert after.dealer == told.banker
    gains = [new - old for new, old in zip(after.score[:-1], position.standing.score[:-1], strict=True)]
    assert list(position.result.score) == [gains[seat % len(gains)] for seat in range(house.seats)]
    with_banker = {seat for seat in range(house.seats) if position.side(seat) == position.side(banker_of(record))}
    assert with_banker == told.team
    assert joins_of(record) == [(one.trick, one.seat, f"{one.friend[0]} {one.friend[1]}") for one in told.joined]


def joins_of(record: Record) -> list[tuple[int, int, str]]:
    """In which trick a seat took which place, as the memory of the rules grows."""
    found: list[tuple[int, int, str]] = []
    for act, (before, after) in zip(record.acts, pairwise(record.positions()), strict=True):
        if not isinstance(after.contract, tractor.Bank) or not isinstance(act.what, Play):
            continue
        friends = after.contract.friends
        open_before = before.memory.joined or (None,) * len(friends)
        for friend, old, new in zip(friends, open_before, after.memory.joined or open_before, strict=True):
            if old != new:
                assert new == act.seat
                found.append((before.tricks_played, act.seat, str(friend)))
    return found


def banker_of(record: Record) -> int:
    contract = record.position.contract
    assert contract is not None and contract.declarer is not None
    return contract.declarer


@pytest.mark.parametrize(("seats", "packs"), USUAL if SOAK == 1 else SIZES)
def test_every_size_conforms(seats: int, packs: int):
    assert check_game(tractor.game(seats=seats, packs=packs), deals=SOAK, choose=choose).acts > 40


@pytest.mark.parametrize(("seats", "packs"), USUAL if SOAK == 1 else SIZES)
def test_rulebooks_play_whole_deals_without_a_refusal(seats: int, packs: int):
    by_rulebooks(tractor.game(seats=seats, packs=packs), 10 * SOAK)


def by_rulebooks(game: Game, deals: int) -> None:
    rulebook, standing = policy_of(game), game.opening
    for seed in range(deals):
        table = Arbiter(game, seed, standing)
        while (seat := table.position.turn) is not None:
            talk = table.position.talk
            if table.position.talking and talk is not None and talk.on_kitty:
                what = talk.chance(known_cards(table.position.kitty), random.Random(seed))  # nobody's choice
            else:
                what = rulebook(table.view(seat)).what
            assert table.act(seat, what)
        standing = game.advance(table.position, table.position.result)
        if game.winner(game.rules, standing) is not None:
            standing = game.opening


@pytest.mark.parametrize("number", range(2 * SOAK))
def test_the_true_deal_is_a_world_of_every_view(number: int):
    seats, packs = USUAL[number % len(USUAL)]
    true_deal_is_a_world(tractor.game(seats=seats, packs=packs), number)


def true_deal_is_a_world(game: Game, seed: int) -> None:
    """No fact that a seat has learned is wrong of the hands as they are, and there are deals that fit them all."""
    table, rng = Arbiter(game, seed), random.Random(f"world {seed}")
    until = rng.randrange(20, 120)
    while (seat := table.position.turn) is not None and len(table.record.acts) < until:
        table.act(seat, choose(table.position, rng))
    position = table.position
    true = World(tuple(map(known_cards, position.hands)), known_cards(position.kitty))
    for seat in rng.sample(range(game.players), 2):
        belief = Belief(table.view(seat))
        assert belief.allows(true)
        assert belief.count() > 0
        assert all(belief.allows(world) for world in belief.draw(2, seed))


def test_two_packs_and_four_seats_stay_as_they_were():
    game = tractor.game()
    assert (game.players, game.hand_size, game.kitty_size, game.opening) == (4, 25, 8, Standing(0, (2, 2, 0)))


def test_odd_tables_and_kitties_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="seats is 5; two sides take every other seat"):
        Rules(seats=5)
    with pytest.raises(ValueError, match="with 3 packs it may be 6, and every 6 more"):
        Rules(seats=6, packs=3, kitty=8)
    assert [(Rules(seats=6, packs=packs).buried, Rules(seats=6, packs=packs).hand_size) for packs in (2, 3, 4)] == [
        (6, 17),
        (6, 26),
        (6, 35),
    ]


def test_the_talk_goes_round_all_seats_and_the_bank_to_the_next_of_the_side():
    game = tractor.game("three-packs-six")
    table = Arbiter(game, 1)
    passed = [table.act(seat, "pass") and seat for seat in range(6)]
    assert passed == [0, 1, 2, 3, 4, 5]
    assert table.position.legal_calls == ("take",)
    record = play_deal(game, 3, Standing(5, (4, 6, 2)))
    after = game.advance(record.position, record.position.result)
    assert record.position.result is not None
    assert after.dealer == (1 if record.position.result.made else 0)


def asked(**question: object) -> dict[str, object]:
    return json.loads(reply(json.dumps({"game": "tractor", "declaration": "S2", **question}).encode())[0])


def test_questions_name_the_seats_and_every_list_is_that_long():
    table = {"packs": 3, "seats": 6}
    others = ["H3", "H4", "H5", "H6", "H7"]
    assert asked(ask="throw", cards="HA HQ", others=[*others[:4], "HK"], **table)["stopped_by"] == 5
    assert asked(ask="throw", cards="HA HQ", others=others, **table)["stands"] is True
    assert "the next five seats" in str(asked(ask="throw", cards="HA HQ", others=others[:3], **table)["error"])
    trick = ["H3", "H4", "HA", "H6", "S3", "H7"]
    assert asked(ask="winner", plays=trick, **table)["winner"] == 4
    assert "each of six seats" in str(asked(ask="winner", plays=trick[:4], **table)["error"])
    assert "'rules' says 8" in str(asked(ask="winner", plays=trick, rules={"seats": 8}, seats=6)["error"])
    voids = [["H"]] * 5
    public = {"cards": "HQ HJ", "hand": "HQ HJ S3", "voids": voids}
    assert asked(ask="throw", **public, **table)["stands"] is True


def test_a_whole_deal_is_scored_by_question_as_it_is_at_the_table():
    game = tractor.game("three-packs-six")
    for seed in range(3):
        record = play_deal(game, seed, Standing(seed, (3, 5, 1)), most=1)
        position, tricks = record.position, tricks_of(record)
        found = asked(
            ask="score", packs=3, seats=6, banker=banker_of(record), levels=["3", "5"], kitty=str(position.kitty),
            leader=banker_of(record), tricks=[[" ".join(play) for _, play in trick] for trick in tricks],
            declaration=position.contract and position.contract.declaration,
        )  # fmt: skip
        assert found["renege"] is None
        assert position.result is not None and position.result.text.startswith(f"attackers {found['attackers']}")
        assert found["banker"] == game.advance(position, position.result).dealer
