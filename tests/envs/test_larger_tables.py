"""Environments of larger tables of Tractor: what their rows show, friends named step by step, what is paid."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from renege.core.cards import Cards, known_cards
from renege.core.game import Standing
from renege.core.house_rules import Choice
from renege.core.notation import NotationError
from renege.core.trick import Play
from renege.envs import BatchEnv, Env, make
from renege.games import tractor
from renege.games.encoding import Moment, encoding_of, moment_of
from renege.games.rows import Rows
from renege.games.small import gains
from renege.games.tractor.declare import Bank
from renege.games.tractor.encoding_wide import NOT_FELT as NOT_FELT
from renege.games.tractor.encoding_wide import TOLD, EncodingWide
from renege.games.tractor.friends import BANKERS, Friend
from renege.games.tractor.rules import PRESETS, Rules
from renege.games.tractor.units import led_units
from renege.native.arrays import U8
from support.env_lanes import all_begun, check_lane
from support.steering import SOAK
from support.tractor_lanes import eventful
from support.tractor_larger import TABLES, any_house, rigged

SIX = "friends-six"


def moments(seed: int, count: int) -> Iterator[Moment]:
    """Moments of deals at all kinds of larger tables, without a history in their rows."""
    rng, found = random.Random(seed), 0
    while True:
        game = tractor.game(rng.choice([any_house(rng), PRESETS[rng.choice(TABLES)]]))
        encoding = encoding_of(game, Rows(1))
        hands, kitty = rigged(game, rng) if rng.random() < 0.5 else game.deal(rng.getrandbits(60))
        for moment, _ in eventful(encoding, encoding.begin(hands, kitty, encoding.standing(rng)), rng):
            yield moment
            found += 1
            if found == count:
                return


class Seen:
    """A row by its sections, seats by their own numbers."""

    def __init__(self, moment: Moment, seat: int) -> None:
        self.encoding, self.row, self.seat = moment.encoding, moment.observe(seat), seat
        self.players = moment.encoding.game.players

    def part(self, name: str, *shape: int) -> U8:
        return self.row[self.encoding.sections[name]].reshape(*(shape or (-1,)))

    def by_seat(self, name: str, *shape: int) -> list[U8]:
        """The part of each seat, from seat 0 on."""
        found = self.part(name, self.players, *(shape or (-1,)))
        return [found[(seat - self.seat) % self.players] for seat in range(self.players)]

    def who(self, name: str) -> list[int]:
        return [seat for seat, marked in enumerate(self.by_seat(name)) if marked.any()]

    def pile(self, counts: U8) -> Counter[int]:
        return Counter({card: int(count) for card, count in enumerate(counts) if count})


def told_facts(moment: Moment, seat: int) -> None:
    """Is everything in the row that the table knows, and the seat's own cards, without the history?"""
    seen, position = Seen(moment, seat), moment.position
    rules, cards = moment.encoding.game.rules, moment.encoding.cards
    assert seen.pile(seen.part("hand")) == Counter(known_cards(position.hands[seat]))
    plays = [(act.seat, act.what) for act in moment.acts if isinstance(act.what, Play)]
    on_table = position.trick.plays if position.trick else ()
    for other in moment.encoding.game.all_seats:
        laid = sum((Counter(play.cards) for who, play in plays if who == other), Counter[int]())
        shown = [seen.by_seat(name)[other] for name in ("played", "table")]
        assert seen.pile(shown[0]) + seen.pile(shown[1]) == laid
        assert seen.by_seat("points")[other] * 5 == position.points[other]
        assert seen.by_seat("tricks")[other] == position.tricks[other]
    assert seen.pile(seen.part("table", seen.players, -1).sum(axis=0)) == sum(
        (Counter(play.cards) for play in on_table), Counter[int]()
    )
    told_trick(moment, seen)
    memory = position.memory or moment.encoding.game.memory
    assert [sum(int(bit) << suit for suit, bit in enumerate(part)) for part in seen.by_seat("voids")] == list(
        memory.voids
    )
    *levels, deals = position.standing.score
    told = seen.part("levels").tolist()
    assert [told[(who - seat) % len(told)] for who in range(len(told))] == levels
    stopped = seen.part("stopped").tolist()
    assert [stopped[(who - seat) % len(stopped)] for who in range(len(stopped))] == list(memory.stopped)
    assert seen.who("dealer") == [position.standing.dealer]
    assert seen.part("level").tolist().index(1) + 2 == levels[position.standing.dealer % len(levels)]
    assert seen.part("first")[0] == (deals == 0)
    if isinstance(position.contract, Bank):
        assert seen.who("banker") == [position.contract.declarer]
        if rules.friend_count:
            told_friends(moment, seen, position.contract, cards)


def told_trick(moment: Moment, seen: Seen) -> None:
    trick, order = moment.position.trick, moment.position.order
    if trick is None or trick.lead is None or order is None:
        assert not seen.part("units").any() and not seen.part("ahead").any()
        return
    if not moment.over:
        assert seen.who("leader") == [trick.leader]
    assert seen.who("ahead") == [trick.winner]
    if order.suit_of(trick.lead.cards) is None:
        return  # a rainbow is one unit, and lies there
    units = Counter((unit.count(next(iter(unit))), unit.kinds.bit_count()) for unit in led_units(order, trick.lead))
    told = seen.part("units", -1, 16)
    assert {(int(w) + 1, int(n) + 1): int(told[w, n]) for w, n in np.argwhere(told)} == units


def told_friends(moment: Moment, seen: Seen, contract: Bank, cards: int) -> None:
    """Who was named, who has joined, and which places are open, and for how long."""
    position, rules = moment.position, moment.encoding.game.rules
    wanted, awaited = seen.part("wanted", -1, cards), seen.part("awaited", -1, cards)
    named = sorted(Friend(int(card), int(nth) + 1) for nth, card in np.argwhere(wanted))
    assert named == list(contract.friends)
    joined = [seen.part("joined", len(named), -1)[i].nonzero()[0].tolist() for i in range(len(named))]
    places = position.memory.joined or (None,) * len(named)
    assert [(seen.seat + one[0]) % seen.players if one else None for one in joined] == list(places)
    for friend, place in zip(named, places, strict=True):
        left, laid = int(awaited[friend.nth - 1, friend.card]), position.memory.seen.count(friend.card)
        missing = list(range(laid + 1, rules.packs + 1))  # the copies that are still to be played
        if rules.double_friend.value == "allowed":
            missing = [copy for copy in missing if copy <= friend.nth]
            assert left == (len(missing) if place is None and friend.nth in missing else 0)
        else:
            assert left == (max(1, friend.nth - laid) if place is None and missing else 0)
    sides = [part.tolist() for part in seen.by_seat("sides")]
    true = [position.side(seat) for seat in range(seen.players)]
    assert sides == [[int(side == BANKERS), int(side is not None and side != BANKERS)] for side in true]


def test_a_row_without_history_tells_what_the_table_knows():
    rng, friends, joined = random.Random(5), 0, 0
    for moment in moments(1, 500 * SOAK):
        told_facts(moment, rng.randrange(moment.encoding.game.players))
        contract = moment.position.contract
        friends += isinstance(contract, Bank) and bool(contract.friends)
        joined += moment.position.memory is not None and bool(moment.position.memory.joined)
    assert friends > 50 and joined > 20


def test_who_answers_with_fewer_equal_cards_is_remembered():
    """Counted by words: a follow all in suit, with fewer pairs or triples than were led."""
    found = 0
    for moment in moments(3, 1_200 * SOAK):
        order, size = moment.position.order, moment.encoding.game.players
        plays = [(act.seat, act.what.cards) for act in moment.acts if isinstance(act.what, Play)]
        true = set[tuple[int, int, int]]()
        for first in range(0, len(plays), size):
            (_, lead), *follows = plays[first : first + size]
            assert order is not None
            suit = order.suit_of(lead)
            for seat, cards in follows:
                if suit is None or any(order.led_suit[card] != suit for card in cards):
                    continue
                for width in range(2, moment.encoding.game.rules.packs + 1):
                    wide = [sum(n >= width for n in Counter(pile).values()) for pile in (lead, cards)]
                    if wide[1] < wide[0]:
                        true.add((seat, suit, width))
        told = Seen(moment, 1).by_seat("short", 5, -1)
        assert {(seat, int(s), int(w) + 2) for seat, part in enumerate(told) for s, w in np.argwhere(part)} == true
        found += len(true)
    assert found


def test_the_critic_sees_all_other_hands_and_the_kitty():
    for moment in moments(3, 60 * SOAK):
        game, seat = moment.encoding.game, moment.turn
        assert seat is not None
        piles = moment.hidden(seat).reshape(game.players, -1)
        hands = [moment.position.hands[(seat + i) % game.players] for i in range(1, game.players)]
        for counts, pile in zip(piles, [*hands, moment.position.kitty], strict=True):
            assert [pile.count(card) for card in range(54)] == counts.tolist()  # pyright: ignore


# -- friends, step by step


def to_friends(seed: int, **rules: object) -> Moment:
    """A table at which the banker is to name friends."""
    game = tractor.game(SIX, **rules)
    moment = encoding_of(game, Rows(1, history=True)).deal(seed)
    while moment.position.legal_calls[0].startswith("friends") is False:
        moment = moment.after(moment.legal[-1])
    return moment


def test_friends_are_named_card_by_card_and_copy_by_copy():
    moment = to_friends(3)
    encoding, names = moment.encoding, moment.encoding.actions
    by_name = {name: number for number, name in enumerate(names)}
    order = encoding.game.rules
    assert {names[action] for action in moment.legal} <= set(encoding.game.deck.names)
    picked = moment.after(by_name["HA"]) if by_name["HA"] in moment.legal else moment.after(moment.legal[-1])
    card = names[picked.begun[0]]
    assert [names[action] for action in picked.legal] == ["copy 1", "copy 2", "copy 3"]
    banker, other = moment.turn, ((moment.turn or 0) + 1) % 6
    assert banker is not None
    chosen = picked.observe(banker)[encoding.sections["chosen"]]
    assert chosen.nonzero()[0].tolist() == [by_name[card]]
    assert (picked.observe(other) == moment.observe(other)).all()  # nobody else sees it before it is said
    second = picked.after(by_name["copy 2"])
    assert by_name[card] in second.legal
    again = second.after(by_name[card])
    assert [names[action] for action in again.legal] == ["copy 1", "copy 3"]
    done = again.after(by_name["copy 1"])
    contract = done.position.contract
    assert isinstance(contract, Bank)
    assert [str(friend) for friend in contract.friends] == [f"{card} 1", f"{card} 2"]
    assert order.friend_count == 2
    # what was said in any order is one call, and comes to the same numbers
    call = f"friends {card} 2, {card} 1"
    assert moment.numbers(call) == tuple(by_name[name] for name in (card, "copy 1", card, "copy 2"))
    assert moment.act(call).position == done.position
    view = done.view(other)
    assert (moment_of(encoding, view).observe(other) == done.observe(other)).all()
    with pytest.raises(ValueError, match="copy 1 is not open here"):
        moment.after(by_name["copy 1"])


def test_every_friend_that_may_be_named_can_be_picked():
    for cards in ("no-trumps", "trumps-too", "not-highest", "no-points"):
        moment = to_friends(5, friend_cards=cards)
        rng = random.Random(cards)
        for _ in range(20):
            after = moment
            while after.position.talking:
                after = after.after(rng.choice(after.legal))
            call = str(after.acts[-1].what)
            assert moment.position.judge(call), call
        deck = moment.encoding.game.deck
        for card, name in enumerate(deck.names):
            other = next(other for other in moment.legal if other != card)
            may = bool(moment.position.judge(f"friends {name} 1, {deck.names[other]} 1"))
            assert may == (card in moment.legal), name


# -- environments


@pytest.mark.parametrize("preset", TABLES)
@pytest.mark.parametrize("version", [0, 1])
def test_tables_step_as_the_rules_do(preset: str, version: int):
    env = BatchEnv(tractor.game(preset), 2, seed=4, version=version, hidden=True)
    assert not env.in_kernel
    moments = all_begun(env)
    for step in range(60):
        actions = env.choose(step)
        moments = [moment.after(int(action)) for moment, action in zip(moments, actions, strict=True)]
        env.step(actions)
        for lane, moment in enumerate(moments):
            check_lane(env, lane, moment)


@pytest.mark.parametrize("preset", ["friends-five", SIX])
@pytest.mark.parametrize("reward", ["score", "difference"])
def test_deals_are_played_to_their_end_and_paid_by_seat(preset: str, reward: str):
    game = tractor.game(preset)
    env = BatchEnv(game, 2, seed=11, version=1, reward=reward)
    table, paid = Env(game, seed=11, version=1, reward=reward), 0
    while paid < 3:
        lane = env.choose()
        moment = table._table.moment  # pyright: ignore
        env.step(lane)
        table.act(int(lane[0]))
        assert table.over == bool(env.done[0])
        if env.done[0]:
            end = moment.after(int(lane[0]))
            assert end.position.result is not None
            score = end.position.result.score
            assert len(score) == game.players
            expected = gains(score, sides=False) if reward == "difference" else tuple(map(float, score))
            assert env.reward[0].tolist() == pytest.approx(expected)
            assert table.rewards == pytest.approx(expected)
            paid += 1
            table.deal()


def test_who_sits_where_makes_no_difference_to_what_is_paid_with_friends():
    """Banker and friends on every other seat are no other team than any three."""
    assert gains((2, 0, 2, 0, 2, 0), sides=False) == pytest.approx((1.2, -1.2, 1.2, -1.2, 1.2, -1.2))
    assert sorted(gains((2, 2, 2, 0, 0, 0), sides=False)) == sorted(gains((2, 0, 2, 0, 2, 0), sides=False))
    assert gains((2, 0, 2, 0, 2, 0)) == (2, -2, 2, -2, 2, -2)
    assert not encoding_of(tractor.game(SIX)).has_sides
    assert encoding_of(tractor.game("three-packs-six")).has_sides


def test_deals_begin_with_any_dealer_and_at_any_levels():
    env = BatchEnv(tractor.game(SIX), 300, seed=2, version=1)
    standings = env.standings
    assert {standing.dealer for standing in standings} == set(range(6))
    levels = {level for standing in standings for level in standing.score[:-1]}
    assert levels == set(range(2, 15))
    first = [standing for standing in standings if standing.score[-1] == 0]
    assert 5 < len(first) < 40 and all(set(standing.score[:-1]) == {2} for standing in first)
    given = BatchEnv(tractor.game(SIX), 20, seed=2, version=1, score=(3, 4, 5, 6, 7, 8, 1))
    assert {standing.score for standing in given.standings} == {(3, 4, 5, 6, 7, 8, 1)}
    with pytest.raises(ValueError, match="has 7 numbers"):
        BatchEnv(tractor.game(SIX), 1, version=1, score=(3, 4, 1))
    with pytest.raises(ValueError, match=r"a level is 2\.\.14"):
        BatchEnv(tractor.game(SIX), 1, version=1, score=(3, 4, 5, 6, 7, 15, 1))


def test_deals_from_outside_and_saved_tables_go_on():
    game = tractor.game(SIX)
    env = BatchEnv(game, 3, seed=6, version=1, history=True)
    standing = Standing(4, (5, 6, 7, 8, 9, 10, 1))
    env.begin(env.dealt(), standing)
    assert env.standings == (standing,) * 3
    env.run(70)
    saved, rows = env.save(), env.observation.copy()
    other = BatchEnv(game, 3, seed=9, version=1, history=True)
    other.load(saved)
    np.testing.assert_array_equal(other.observation, rows)
    assert other.standings == env.standings
    one = Env(game, seed=1, version=1)
    one.begin(env.dealt()[0], standing)
    assert one.standing == standing
    with pytest.raises(ValueError, match="the dealer is a seat"):
        env.begin(env.dealt(), replace(standing, dealer=6))
    with pytest.raises(ValueError, match="these are not the cards of a deal"):
        env.begin(np.zeros_like(env.dealt()), standing)


def test_whole_plays_and_buried_piles_are_steps_too():
    game = tractor.game(SIX)
    env = BatchEnv(game, 1, seed=8, version=1)
    while "take" not in [env.encoding.actions[i] for i in np.flatnonzero(env.mask[0])]:
        env.step(np.array([np.flatnonzero(env.mask[0])[0]], np.int32))
    env.step(np.array([env.encoding.actions.index("take")], np.int32))
    banker = int(env.mover[0])
    hand = env.observation[0, env.encoding.sections["hand"]]
    cards = [card for card, count in enumerate(hand) for _ in range(count)][: game.kitty_size]
    pile = game.deck.cards(cards)
    layers = np.zeros((1, game.deck.layers), np.uint64)
    for i, mask in enumerate(pile.layers):
        layers[0, i] = mask
    env.step(np.array([int(np.flatnonzero(hand)[0])], np.int32))  # picked, and put back
    env.play(layers)
    assert env.mover[0] == banker
    buried = env.observation[0, env.encoding.sections["gave"]]
    assert Counter({c: int(n) for c, n in enumerate(buried) if n}) == Counter(cards)
    with pytest.raises(ValueError, match="these cards are no legal play"):
        env.play(layers)
    assert isinstance(pile, Cards)


def test_an_id_with_rules_of_a_larger_table():
    env = make("renege/tractor-v1", lanes=2, rules={"seats": "6", "packs": "3", "mode": "friends"}, seed=1)
    assert env.game == tractor.game(SIX)
    assert isinstance(env.encoding, EncodingWide)
    assert env.reward.shape == (2, 6) and env.dealt().shape == (2, 7, 3)


def test_rows_tell_every_house_rule_or_refuse_it():
    """A rule that is added must be told, or refused by name where it is not as ever."""
    for name in set(Rules.__dataclass_fields__) - TOLD - NOT_FELT:
        default = Rules.__dataclass_fields__[name].default
        others = [one for one in type(default) if one != default] if isinstance(default, Choice) else []
        for other in others:
            with suppress(NotationError), pytest.raises(ValueError, match=f"{name}={other.value}: its rows were made"):
                encoding_of(tractor.game(PRESETS["two-packs-six"], **{name: str(other.value)}))
