"""The conformance run can fail: games broken on purpose, each in one place, and what it says of them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from renege import texas42
from renege.core.cards import Cards, Deck
from renege.core.game import Game, LegalPlays, Move, Turn
from renege.core.house_rules import read_rules
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games.testing import Nonconforming, check_game, perft, perft_split
from renege.games.texas42.declare import Auction
from renege.games.texas42.follow import LegalTiles
from renege.games.texas42.rules import FOLLOW_SUIT, Rules
from support.steering import Choose, steer

GAME = texas42.game()
PLAIN = steer("30", "trump 5")


def check(game: Game, deals: int = 3, choose: Choose = PLAIN) -> str:
    """What the run says of a game; it must find fault."""
    with pytest.raises(Nonconforming) as raised:
        check_game(game, deals=deals, choose=choose)
    assert "deal of seed" in str(raised.value)
    return str(raised.value)


def test_the_run_counts_what_it_covered():
    done = check_game(GAME, deals=2, seed=5)
    assert done.deals == 2
    assert done.acts > 8
    assert str(done) == f"2 deals, {done.acts} acts, {done.subsets} subsets judged: nothing wrong"


def test_the_same_seed_covers_the_same_deals():
    assert check_game(GAME, deals=1, seed=5) == check_game(GAME, deals=1, seed=5)


# -- plays


class Generous(LegalPlays):
    """Lists every tile of the hand, whatever the rules say."""

    def __iter__(self) -> Iterator[Play]:
        return self.candidates()


class Forgetful(LegalTiles):
    """Leaves out the last of several plays."""

    def __iter__(self) -> Iterator[Play]:
        plays = list(super().__iter__())
        return iter(plays[:-1] or plays)


class Stammering(LegalTiles):
    def __iter__(self) -> Iterator[Play]:
        plays = list(super().__iter__())
        return iter([*plays, plays[0]])


class Miscounting(LegalTiles):
    def count(self) -> int:
        return super().count() + 1


class Empty(LegalTiles):
    def __iter__(self) -> Iterator[Play]:
        return iter(())


@pytest.mark.parametrize("legal", [Generous, Forgetful, Stammering, Miscounting, Empty])
def test_a_list_of_plays_that_is_not_what_the_rules_allow_is_found(legal):
    check(replace(GAME, legal=legal))


def test_a_play_that_is_offered_and_then_refused_is_found():
    def illegal(position: Position, rng: random.Random) -> str | Play:
        if position.talking or position.trick is None or not position.trick.plays:
            return PLAIN(position, rng)
        assert isinstance(position.hand, Cards)
        return Play(texas42.DECK.of(1 << rng.choice(list(position.hand))))

    assert "was offered as legal and then refused" in check(GAME, deals=5, choose=illegal)


def test_a_verdict_by_a_rule_that_is_not_listed_is_found():
    assert "does not list" in check(replace(GAME, rule_list=()))


def test_a_verdict_without_a_reason_is_found():
    def silent(turn: Turn, play: Play) -> Objection | None:
        no = next((no for rule in GAME.follow if (no := rule(turn, play)) is not None), None)
        return None if no is None else replace(no, why="")

    assert "gives no reason" in check(replace(GAME, follow=(silent,)))


def test_a_rule_that_two_asks_answer_differently_is_found():
    class Fickle:
        def __init__(self) -> None:
            self.asked = 0

        def __call__(self, turn: Turn, play: Play) -> Objection | None:
            self.asked += 1
            refuse = self.asked % 7 == 0
            return Objection(FOLLOW_SUIT, "not today", Ruling.RENEGE) if refuse else None

    with pytest.raises((Nonconforming, RuntimeError)):
        check_game(replace(GAME, follow=(Fickle(),)), deals=3, choose=PLAIN)


def test_a_rule_that_leaves_no_play_is_found():
    never = Rule("texas42.never", "Nothing is allowed.", "nobody")

    def refuse(turn: Turn, play: Play) -> Objection | None:
        return Objection(never, "no", Ruling.RENEGE)

    with pytest.raises((Nonconforming, RuntimeError)):
        check_game(replace(GAME, follow=(refuse,), rule_list=(never,)), deals=1, choose=PLAIN)


# -- the talk


@dataclass(frozen=True)
class Leaky(Auction):
    """Everybody hears which tile is passed in the exchange."""

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        return call


@dataclass(frozen=True)
class Whispering(Auction):
    """Tells the pips of the tile that is passed, without its name."""

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        told = super().heard(call, listener)
        return told if told == call else f"give a tile {sum(map(int, call.removeprefix('give ').split('-')))}"

    def read(self, text: str) -> str:
        return text if text.startswith("give a tile") else super().read(text)

    def moves(self, call: str) -> tuple[Move, ...]:
        return super().moves("give a tile" if call.startswith("give a tile") else call)

    def objection(self, call: str, hand):
        return super().objection("give a tile" if call.startswith("give a tile") else call, hand)


@dataclass(frozen=True)
class Shifting(Auction):
    """Reads a bid one lower each time it is read."""

    def read(self, text: str) -> str:
        call = super().read(text)
        return str(int(call) - 1) if call in ("32", "33", "34", "35") else call


@dataclass(frozen=True)
class Deaf(Auction):
    """Takes nonsense for a pass."""

    def read(self, text: str) -> str:
        try:
            return super().read(text)
        except ValueError:
            return "pass"


@dataclass(frozen=True)
class HalfSwap(Auction):
    """Takes the tile that is passed for one that stays where it is."""

    def moves(self, call: str) -> tuple[Move, ...]:
        return ()


def with_talk(talk: type[Auction], **choices: str) -> Game:
    rules = read_rules(Rules(), choices)
    return replace(texas42.game(rules), talk=lambda rules, standing: talk(rules, standing.dealer))


@pytest.mark.parametrize("talk", [Leaky, Whispering])
def test_a_leak_in_what_is_heard_of_the_exchange_is_found(talk: type[Auction]):
    game = with_talk(talk, nello_exchange="one-tile")
    check(game, deals=6, choose=steer("1 mark", "nello"))


def test_a_call_that_reads_back_as_another_is_found():
    check(with_talk(Shifting), deals=6, choose=steer("34", "trump 5"))


def test_a_talk_that_takes_nonsense_is_found():
    assert "nonsense" in check(with_talk(Deaf))


def test_a_swap_that_moves_nothing_is_not_told_from_no_swap():
    """The run does not know what a call should move; what it must not do is pass a hand that changes unseen."""
    check_game(with_talk(HalfSwap, nello_exchange="one-tile"), deals=2, choose=steer("1 mark", "nello"))


# -- points, results and text


class Careless(Order):
    """Loses the points of any tile that does not lie alone."""

    def worth(self, cards: Cards) -> int:
        return super().worth(cards) if len(cards) == 1 else 0


def test_points_that_are_lost_are_found():
    def order(rules, contract) -> Order:
        true = GAME.order(rules, contract)
        return Careless(**{name: getattr(true, name) for name in Order.__dataclass_fields__})

    game = replace(GAME, order=order)
    assert "points were taken of" in check(game, choose=steer("1 mark", "trump 5"))


def test_a_result_that_leaves_a_seat_out_is_found():
    def short(position: Position):
        result = GAME.score(position)
        return replace(result, score=result.score[:2])

    assert "score for every seat" in check(replace(GAME, score=short))


def test_a_contract_that_is_not_written_whole_is_found():
    assert "reads back as another position" in check(
        replace(GAME, write_contract=lambda contract: f"trump {contract.declaration}"), choose=steer("31", "trump 5")
    )


def test_a_record_that_reads_back_differently_is_found():
    """Two tiles that answer to each other's names."""

    class Swapped(Deck):
        @property
        def spellings(self):
            true = texas42.DECK.spellings
            return true | {"6-6": true["5-5"], "5-5": true["6-6"]}

    names = {name: getattr(texas42.DECK, name) for name in ("name", "names", "copies", "noun", "aliases")}
    deck = Swapped(**names)
    game = replace(GAME, deck=deck)
    with pytest.raises((Nonconforming, ValueError)):
        check_game(game, deals=3, choose=PLAIN)


def test_a_result_that_is_never_told_twice_alike_is_found():
    told = iter(range(10**6))

    def forgetful(position: Position):
        result = GAME.score(position)
        return replace(result, text=f"{result.text} ({next(told)})")

    check(replace(GAME, score=forgetful))


# -- perft


def test_perft_counts_sequences_and_one_that_ends_before_counts_once():
    position = texas42.position("said pass, pass, pass | 3: 6-6 6-5 6-4 6-3 6-2 6-1 6-0")
    assert perft(position, 0) == 1
    assert perft(position, 1) == len(position.legal_calls)
    # twelve bids in points with 11 declarations each, two in marks with nello and sevens besides, and one pass
    assert perft(position, 2) == 12 * 11 + 2 * 16 + 1
    assert perft(position, 2) == sum(perft_split(position, 2).values())
    assert perft_split(position, 2)["pass"] == 1
    assert perft_split(position, 2)["30"] == 11
    assert perft(position, 3) == 12 * 11 * 7 + 2 * (15 * 7 + 1) + 1  # then seven leads; in sevens 6-1 alone


def test_perft_of_a_deal_that_is_over_is_one():
    position = texas42.position("said pass, pass, pass, pass")
    assert [perft(position, depth) for depth in range(4)] == [1, 1, 1, 1]


def test_the_split_divides_the_count_by_the_first_play():
    position = texas42.position("trump 5 | 0: 6-4 5-5 3-1 | 1: 6-6 6-5 2-1 | 2: 4-4 3-3 5-0 | 3: 6-2 4-1 0-0")
    assert set(perft_split(position, 4)) == {"6-4", "5-5", "3-1"}
    assert sum(perft_split(position, 4).values()) == perft(position, 4) == 15
