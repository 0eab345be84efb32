"""Do the numbers say what the table says, and nothing that a seat has not seen?"""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from renege.belief import Belief
from renege.core.cards import Cards, kinds_in
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.verdict import IllegalPlay
from renege.games.encoding import Encoding, Moment, encoding_of
from support.steering import SOAK

GAMES = ["texas42", "texas42-small", "schafkopf", "schafkopf-small", "tractor", "tractor-small"]


def moments(encoding: Encoding, seed: int) -> Iterator[tuple[Moment, int]]:
    """A deal by chance: each moment with the action taken."""
    rng = random.Random(seed)
    moment = encoding.deal(seed)
    while not moment.over:
        action = rng.choice(moment.legal)
        yield moment, action
        moment = moment.after(action)


def beside(moment: Moment) -> list[str]:
    """What the seat to act may say beside the play."""
    assert moment.turn is not None
    speaks = moment.turn in moment.position.speakers
    return list(moment.position.floor(moment.turn).calls(moment.position.hand)) if speaks else []


def some(encoding: Encoding, seeds: int) -> Iterator[tuple[int, Moment]]:
    """Moments of so many deals; of a game with many cards fewer deals, and not every moment."""
    rng, long = random.Random(seeds), len(encoding.game.deck) > 40
    for seed in range(max(1, seeds // 3 if long else seeds) * SOAK):
        for moment, _ in moments(encoding, seed):
            if not long or rng.random() < 0.15:
                yield seed, moment


def replayed(record: Record, like: Moment) -> Moment:
    """The same deal, had the cards lain as in this record."""
    start = record.start
    assert isinstance(start.kitty, Cards)
    moment = like.encoding.begin([hand for hand in start.hands if isinstance(hand, Cards)], start.kitty, start.standing)
    for act in record.acts:
        moment = moment._acted(act.what)
    return replace(moment, chosen=like.chosen)


def said_or_played(moment: Moment, rng: random.Random) -> list[str | Play]:
    """What may be done as a whole: everything, or of the many plays of a long hand a few by chance."""
    position = moment.position
    if position.talking:
        return list(position.legal_calls)
    plays = position.legal_plays
    if moment.encoding.several and plays.count() > 20:
        return [plays.choose(rng) for _ in range(5)]
    return [*beside(moment), *(play for play in plays if play.suit is None)]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_open_is_what_is_legal(name: str):
    """Every call and play has a number, and every number stands for a call or play."""
    encoding = encoding_of(find_game(name))
    rng = random.Random(name)
    for seed in range((4 if encoding.several else 20) * SOAK):
        for moment, action in moments(encoding, seed):
            assert moment.mask.sum() == len(moment.legal)
            assert moment.mask[action]
            after = moment.after(action)
            if len(after.acts) > len(moment.acts):
                what = after.acts[-1].what
                assert moment.position.judge(what if isinstance(what, str) else what.tried or what.cards)
            if moment.chosen:
                continue
            said = [moment.numbers(what) for what in said_or_played(moment, rng)]
            for numbers in said:
                assert_open(moment, numbers)
            if max(map(len, said)) == 1:
                assert {numbers[0] for numbers in said} == set(moment.legal)


def assert_open(moment: Moment, numbers: tuple[int, ...]) -> None:
    """These are open one after the other."""
    for action in numbers:
        assert action in moment.legal
        moment = moment.after(action)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_act_comes_to_its_actions(name: str):
    encoding = encoding_of(find_game(name))
    for seed in range(10 * SOAK):
        moment, rng = encoding.deal(seed), random.Random(seed)
        while not moment.over:
            calls = moment.position.legal_calls if moment.position.talking else beside(moment)
            plays = [] if moment.position.talking else list(moment.position.legal_plays)
            what = rng.choice([*calls, *plays])
            by_number = moment
            for action in moment.numbers(what):
                by_number = by_number.after(action)
            moment = moment.act(what)
            assert moment == by_number
        assert moment.legal == ()


@pytest.mark.parametrize("name", GAMES)
def test_the_row_says_what_the_view_shows(name: str):
    encoding = encoding_of(find_game(name))
    at, cards = encoding.sections, encoding.cards
    for _, moment in some(encoding, 5):
        for seat in range(4):
            assert moment.turn is not None
            row, position = moment.observe(seat), moment.view(seat).position
            hand = position.hands[seat]
            assert isinstance(hand, Cards)
            assert {card: n for card, n in enumerate(row[at["hand"]].tolist()) if n} == {
                card: hand.count(card) for card in kinds_in(hand.kinds)
            }
            table = row[at["table"]].reshape(4, cards)
            for other, play in (
                zip(*(position.trick.seats, position.trick.plays), strict=False) if position.trick else ()
            ):
                assert table[(other - seat) % 4].nonzero()[0].tolist() == sorted(set(play.cards))
            played = row[at["played"]].reshape(4, cards).sum(axis=1)
            for other in range(4):
                own = [act.what for act in moment.acts if act.seat == other and isinstance(act.what, Play)]
                assert played[(other - seat) % 4] + table[(other - seat) % 4].sum() == sum(len(p.cards) for p in own)
                assert row[at["points"]][(other - seat) % 4] == position.points[other]
            assert row[at["turn"]].tolist().index(1) == (moment.turn - seat) % 4


@pytest.mark.parametrize("name", GAMES)
def test_worlds_that_a_seat_cannot_tell_apart_have_the_same_row(name: str):
    encoding = encoding_of(find_game(name))
    for seed, moment in some(encoding, 6 if encoding.several else 3):
        assert moment.turn is not None
        for seat in (moment.turn, (moment.turn + 1 + seed) % 4):
            belief = Belief(moment.view(seat))
            for world in belief.draw(3, seed):
                other = replayed(belief.record(world), moment)
                assert (other.observe(seat) == moment.observe(seat)).all()
                assert (other.observe(None) == moment.observe(None)).all()
                if seat == moment.turn:
                    assert other.legal == moment.legal


def test_what_is_not_open_is_refused():
    encoding = encoding_of(find_game("texas42"))
    moment = encoding.deal(1)
    with pytest.raises(ValueError, match="trump 5 is not open here: dealer 3"):
        moment.after(encoding.actions.index("trump 5"))
    with pytest.raises(ValueError, match="action 700 is not open"):
        moment.after(700)
    bid = moment.act("30")
    with pytest.raises(IllegalPlay, match="30 is not above 30"):
        bid.act("30")


def test_seats_are_counted_from_the_one_that_looks():
    encoding = encoding_of(find_game("texas42"))
    moment = encoding.deal(1).act("30")  # by seat 0, the shaker being seat 3
    said = [moment.observe(seat)[encoding.sections["said"]].reshape(4, -1) for seat in range(4)]
    bid = encoding.calls.index("30")
    assert [np.argwhere(row).tolist() for row in said] == [[[-seat % 4, bid]] for seat in range(4)]
