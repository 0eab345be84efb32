"""A game of another shape on the same machine: a throw of Tractor.

Small and honest, with two packs of eight ranks in two suits, seven cards each and a kitty of four: no level and no
runs of pairs, but two copies of each card, plays of several units, a throw that other hands stop, and a kitty taken
up and buried face down. Nothing in the shared modules knows of it.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest

from renege import IllegalPlay, NotationError, Position, WrongPhase, parse_position
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards, Deck, Hand, Hidden, kinds_in
from renege.core.deal_state import Act
from renege.core.game import KITTY, Contract, Game, LegalPlays, Move, Result, Standing, Talk, Turn, opposite
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import deal_position
from renege.core.record import Record, new_record, parse_record
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games.testing import check_game, perft
from support.added_games import NoChoices, led, the_game

RANKS = "789TJQKA"
TWO = Deck("two short packs", tuple(suit + rank for suit in "SH" for rank in RANKS), copies=2)
SPADES, HEARTS = 0, 1
SUIT_NAMES = ("S", "H")
POINTS = tuple(10 if name[1] in "TK" else 0 for name in TWO.names)

ONE_SUIT = Rule("tractor.one-suit", "A lead is of one suit.", "this test")
SIZE = Rule("tractor.size", "A follow has as many cards as the lead.", "this test")
FOLLOW_SUIT = Rule("tractor.follow-suit", "Cards of the led suit are played while there are any.", "this test")
FOLLOW_PAIR = Rule("tractor.follow-pair", "Pairs are answered by pairs while there are any.", "this test")
BURY = Rule("tractor.bury", "As many cards are buried as were taken up.", "this test")


def trumps(trump: int) -> Order:
    strength = tuple(
        tuple(
            (20 if suit != led else 0) + RANKS.index(name[1]) + 1 if suit in (led, trump) else 0
            for name in TWO.names
            for suit in [SUIT_NAMES.index(name[0])]
        )
        for led in (SPADES, HEARTS)
    )
    return Order(
        deck=TWO,
        suits=SUIT_NAMES,
        nouns=("spades", "hearts"),
        led_suit=tuple(SUIT_NAMES.index(name[0]) for name in TWO.names),
        follow=tuple(sum(1 << c for c, name in enumerate(TWO.names) if name[0] == suit) for suit in SUIT_NAMES),
        strength=strength,
        points=POINTS,
    )


def units_of(cards: Cards) -> list[Cards]:
    """Pairs and singles, the highest first."""
    pairs, once = cards.at_least(2), cards.kinds & ~cards.at_least(2)
    return [TWO.cards([kind, kind]) for kind in kinds_in(pairs)] + [TWO.cards([kind]) for kind in kinds_in(once)]


def one_suit(turn: Turn, play: Play) -> Objection | None:
    if play.cards and turn.order.suit_of(play.cards) is not None:
        return None
    return Objection(ONE_SUIT, f"{play.cards or 'nothing'} is not of one suit")


def same_size(turn: Turn, play: Play) -> Objection | None:
    assert turn.trick.lead is not None
    size = len(turn.trick.lead.cards)
    return None if len(play.cards) == size else Objection(SIZE, f"{size} cards were led, not {len(play.cards)}")


def in_suit_first(turn: Turn, play: Play) -> Objection | None:
    assert turn.led is not None
    held, given = turn.order.in_suit(turn.hand, turn.led), turn.order.in_suit(play.cards, turn.led)
    if len(given) == min(len(held), len(play.cards)):
        return None
    return Objection(FOLLOW_SUIT, f"the hand holds {held}", Ruling.RENEGE)


def pairs_first(turn: Turn, play: Play) -> Objection | None:
    assert turn.led is not None
    assert turn.trick.lead is not None
    held, given = turn.order.in_suit(turn.hand, turn.led), turn.order.in_suit(play.cards, turn.led)
    owed = min(_pairs(turn.trick.lead.cards), _pairs(held))
    if _pairs(given) >= owed:
        return None
    return Objection(FOLLOW_PAIR, f"{owed} pairs are owed and {_pairs(given)} given", Ruling.RENEGE)


def _pairs(cards: Cards) -> int:
    return cards.at_least(2).bit_count()


class Groups(LegalPlays):
    """Every group of cards of the hand."""

    def candidates(self) -> Iterator[Play]:
        hand = list(self.turn.hand)
        lead = self.turn.trick.lead
        sizes = range(1, len(hand) + 1) if lead is None else [len(lead.cards)]
        piles = (TWO.cards(kinds) for size in sizes for kinds in combinations(hand, size))
        yield from map(Play, dict.fromkeys(piles))


def stopped(turn: Turn, play: Play) -> Play | None:
    """A throw stands if no other hand beats a unit of it; else the smallest stopped unit is led, the rest goes back."""
    units = units_of(play.cards)
    if turn.trick.lead is not None or play.tried is not None or len(units) == 1:
        return play
    others = [hand for seat, hand in enumerate(turn.hands) if seat != turn.seat]
    if not all(isinstance(hand, Cards) for hand in others):
        return None
    if (suit := turn.order.suit_of(play.cards)) is None:
        return play  # no lead at all; the rules say so
    beaten = [
        unit
        for unit in units
        if any(
            turn.order.strength[suit][kind] > turn.order.strength[suit][next(iter(unit))]
            for hand in others
            if isinstance(hand, Cards)
            for kind in kinds_in(turn.order.in_suit(hand, suit).at_least(len(unit)))
        )
    ]
    if not beaten:
        return play
    smallest = min(beaten, key=lambda unit: (len(unit), turn.order.strength[suit][next(iter(unit))]))
    return Play(smallest, tried=play.cards)


def same_shape_and_higher(turn: Turn, best: Play, play: Play) -> bool:
    assert turn.trick.lead is not None
    shape = Counter(map(len, units_of(turn.trick.lead.cards)))
    suit = turn.order.suit_of(play.cards)
    if suit is None or turn.led is None or Counter(map(len, units_of(play.cards))) != shape:
        return False
    strength = turn.order.strength[turn.led]
    top = lambda cards: max(strength[next(iter(unit))] for unit in units_of(cards) if len(unit) == max(shape))  # noqa: E731
    return top(play.cards) > top(best.cards)


@dataclass(frozen=True)
class Kitty(Talk):
    """The dealer names trumps, takes up the kitty, and buries as many cards face down."""

    dealer: int
    spoken: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self.spoken

    @property
    def turn(self) -> int | None:
        return self.dealer if len(self.spoken) < 3 else None

    @property
    def contract(self) -> Contract | None:
        return Contract(self.spoken[0], self.dealer, self.dealer) if len(self.spoken) == 3 else None

    def read(self, text: str) -> str:
        words = text.strip()
        if len(self.spoken) == 0 and words in ("trump S", "trump H"):
            return words
        if len(self.spoken) == 1 and words == "take":
            return words
        if len(self.spoken) == 2 and words == "bury 4 cards":
            return words
        if len(self.spoken) == 2 and words.startswith("bury "):
            return f"bury {parse_cards(TWO, words.removeprefix('bury '))}"
        raise NotationError(f"{text!r} is no call here")

    def calls(self, hand: Hand) -> Iterator[str]:
        if len(self.spoken) < 2:
            yield from (("trump S", "trump H"), ("take",))[len(self.spoken)]
        elif isinstance(hand, Cards):
            cards = list(hand)
            yield from (f"bury {TWO.cards(cards[i : i + 4])}" for i in range(len(cards) - 3))
        else:
            yield "bury 4 cards"

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if not call.startswith("bury") or call == "bury 4 cards":
            return None
        buried = parse_cards(TWO, call.removeprefix("bury "))
        if isinstance(hand, Cards) and not buried <= hand:
            raise NotationError(f"{buried} is not in the hand {hand}")
        return None if len(buried) == 4 else Objection(BURY, f"{buried} is {len(buried)} cards, and four were taken up")

    def after(self, call: str) -> "Kitty":
        return replace(self, spoken=(*self.spoken, call))

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        return "bury 4 cards" if call.startswith("bury") and not over else call

    def moves(self, call: str) -> tuple[Move, ...]:
        if call == "take":
            return (Move(KITTY, self.dealer),)
        if not call.startswith("bury"):
            return ()
        hidden = call == "bury 4 cards"
        return (Move(self.dealer, KITTY, Hidden(4) if hidden else parse_cards(TWO, call.removeprefix("bury "))),)


def read_trump(rules: Any, text: str) -> Contract:
    declared, by, seat = text.partition(" by ")
    if declared not in ("trump S", "trump H") or (by and seat not in ("0", "1", "2", "3")):
        raise NotationError(f"{text!r} is no contract")
    return Contract(declared, int(seat or 0), int(seat or 0))


def trick_points(position: Position) -> Result:
    assert position.contract is not None and position.contract.declarer is not None
    defended = sum(position.points[(position.contract.declarer + 1) % 2 :: 2])
    score = tuple(position.points)
    return Result(score, defended < 40, f"the defenders took {defended}")


TRACTOR = Game(
    "mini-tractor",
    version=1,
    deck=TWO,
    rules=NoChoices(),
    rule_list=(ONE_SUIT, SIZE, FOLLOW_SUIT, FOLLOW_PAIR, BURY),
    hand_size=7,
    kitty_size=4,
    talk=lambda rules, standing: Kitty(standing.dealer),
    order=lambda rules, contract: trumps(SUIT_NAMES.index(contract.declaration[-1])),
    lead=(one_suit,),
    follow=(same_size, in_suit_first, pairs_first),
    legal=Groups,
    lands=stopped,
    beats=same_shape_and_higher,
    score=trick_points,
    read_contract=read_trump,
    write_contract=lambda contract: f"{contract.declaration} by {contract.declarer}",
    opening=Standing(0, (0, 0)),
    advance=lambda position, result: position.standing,
    winner=lambda rules, standing: None,
)


def cards(text: str) -> Cards:
    return parse_cards(TWO, text)


# both aces of spades are with seat 0, so of its spades only SQ is beaten, by SK of seat 1
DEALT = (cards("SA SA SK SQ HA HK H7"), cards("SK ST ST S9 H8 H8 H9"), cards("SQ SJ SJ S8 HT HT HJ"))


def table(game: Game = TRACTOR) -> Record:
    """A deal with known hands: the kitty is S7 S7 H7 HJ, and seat 3 has the rest."""
    kitty = cards("S7 S7 H7 HJ")
    rest = TWO.all - kitty
    for hand in DEALT:
        rest = rest - hand
    return Record(deal_position(game, game.opening, (*DEALT, rest), kitty))


def talked(record: Record, trump: str = "H") -> Record:
    for call in (f"trump {trump}", "take", "bury S7 S7 H7 HJ"):
        record = record.with_act(record.position.read(call))
    return record


def test_tractor_the_whole_kitty_is_taken_up_and_as_much_is_buried():
    record = table()
    position = record.position.call("trump H").call("take")
    assert len(position.hand) == 11
    assert not position.kitty
    assert len(position.legal_calls) == 8
    with pytest.raises(IllegalPlay, match=r"tractor\.bury"):
        position.call("bury S7 S7")
    buried = position.call("bury SA SA SK HA")
    assert str(buried.kitty) == "HA SA SA SK"
    assert len(buried.hands[0]) == 7
    assert buried.turn == 0


def test_tractor_every_position_of_the_talk_reads_back_from_its_text():
    for position in talked(table()).positions():
        assert parse_position(TRACTOR, str(position)) == position


def test_tractor_what_is_buried_is_hidden_from_all_but_the_one_who_buried_it():
    start = table().position.call("trump H").call("take")
    acts = [Act(0, "trump H"), Act(0, "take")]
    one = replace(table(), acts=(*acts, Act(0, "bury SA SA SK HA")))
    other = replace(table(), acts=(*acts, Act(0, "bury S7 S7 H7 HJ")))
    for seat in (1, 2, 3):
        assert one.view(seat) == other.view(seat)
        assert str(one.view(seat)) == str(other.view(seat))
        assert "bury 4 cards" in str(one.view(seat))
        assert one.view(seat).position.kitty == Hidden(4)
        assert one.view(seat).position.hands[0] == Hidden(7)
    assert str(one.view(0).position.kitty) == "HA SA SA SK"
    assert one.view(0).hand == start.hand - cards("SA SA SK HA")  # type: ignore[operator]
    for seat in range(4):
        for position in one.view(seat).positions():
            assert str(parse_position(TRACTOR, str(position))) == str(position)


def test_tractor_a_standing_throw_is_led_whole():
    position = talked(table()).position.play("SA SA SK")  # the other king is no higher
    assert position.trick is not None
    assert position.trick.lead == Play(cards("SA SA SK"))
    assert len(position.hand) == 7
    assert str(position.hands[0]) == "HA HK H7 SQ"


def test_tractor_a_stopped_throw_leads_its_smallest_stopped_unit_and_the_rest_goes_back():
    record = talked(table())
    # SA SA stands, SQ is stopped by SK of seat 1
    position = record.position.play("SA SA SQ")
    assert position.trick is not None
    assert position.trick.lead == Play(cards("SQ"), tried=cards("SA SA SQ"))
    assert str(position.hands[0]) == "HA HK H7 SA SA SK"
    assert "led SQ of SA SA SQ" in str(position)
    assert parse_position(TRACTOR, str(position)) == position
    assert position.judge("SK").legal
    assert not position.judge("ST ST")


def test_tractor_a_throw_is_pending_where_the_other_hands_are_hidden():
    record = talked(table())
    view = record.view(0)
    verdict = view.position.judge("SA SA SQ")
    assert verdict.ruling is Ruling.PENDING
    assert verdict.legal is None
    assert view.position.judge("SA SA").legal  # one unit needs nobody's leave
    assert view.position.judge("SA HA").legal is False
    assert record.position.judge("SA SA SQ").legal


def test_tractor_a_stopped_throw_goes_through_table_record_and_views():
    record = talked(table())
    position = record.position
    for text in ("SA SA SQ", "SK", "S8", "S9"):
        act = position.read(text)
        position, record = position.then(act), record.with_act(act)
    assert position.points == (0, 10, 0, 0)
    assert position.turn == 1
    assert record.position == position
    assert "trick 1: 0 leads SQ of SA SA SQ, SK, S8, S9 -> 1 takes 10" in str(record)
    again = parse_record(str(record), the_game(TRACTOR))
    assert again.position == position
    assert str(again) == str(record)
    assert list(record.replay()) == list(record.positions())
    assert judge(record)


@pytest.mark.parametrize("seat", range(4))
def test_tractor_every_seat_sees_what_a_stopped_throw_came_to(seat: int):
    record = talked(table())
    for text in ("SA SA SQ", "SK"):
        record = led(record, text)
    seen = record.view(seat).position
    true = record.position
    assert seen.trick == true.trick
    assert [len(hand) for hand in seen.hands] == [len(hand) for hand in true.hands] == [6, 6, 7, 7]
    assert record.view(seat).hand == true.hands[seat]
    assert judge(record.view(seat))
    assert str(parse_position(TRACTOR, str(seen))) == str(seen)


def test_tractor_the_text_of_a_stopped_throw_reads_back_for_whoever_saw_it():
    record = talked(table())
    for text in ("SA SA SQ", "SK", "S8", "S9"):
        record = led(record, text)
    header = str(record).splitlines()[:3]
    for seat in range(4):
        view = record.view(seat)
        again = parse_record("\n".join([*header, str(view)]), the_game(TRACTOR))
        assert str(again.view(seat)) == str(view)
        assert again.position.points == record.position.points


@pytest.mark.parametrize(
    ("lead", "plays", "winner"),
    [
        ("SA SA", ["ST ST", "SJ SJ", "S8 S9"], 0),
        ("SK", ["ST", "SQ", "S9"], 0),
        ("SK SQ", ["ST S9", "S8 SJ", "S9 H9"], 0),  # not stopped as pairs; one card of another suit beats nothing
        ("H7", ["H9", "HJ", "HQ"], 3),
    ],
)
def test_tractor_who_wins(lead: str, plays: list[str], winner: int):
    position = talked(table()).position.put(Play(cards(lead), tried=cards(lead)))
    for text in plays:
        position = position.put(Play(cards(text)))
    assert position.trick is not None
    assert position.trick.leader == winner


@pytest.mark.parametrize(
    ("hand", "play", "rule"),
    [
        ("SK ST ST S9", "SK S9", "tractor.follow-pair"),
        ("SK ST ST S9", "ST ST", None),
        ("SK ST S9", "SK S9", None),
        ("SK HT HT", "HT HT", "tractor.follow-suit"),
        ("SK HT HT", "SK HT", None),
        ("HK HT HT", "HK HT", None),
        ("SK ST ST S9", "ST", "tractor.size"),
    ],
)
def test_tractor_a_pair_is_answered_by_a_pair(hand: str, play: str, rule: str | None):
    position = parse_position(TRACTOR, f"trump H | led SA SA | hand {hand}")
    verdict = position.judge(play)
    assert (None if verdict.rule is None else str(verdict.rule)) == rule
    if rule:
        assert position.judge(str(verdict.instead)).legal


def test_tractor_a_renege_is_proved_by_a_pair_that_comes_later():
    record = talked(table(), trump="S")
    for text in ("SA SA", "SK S9", "SJ SJ", "S8 S9", "SK", "ST", "SQ", "H9"):  # seat 1 kept back ST ST
        record = led(record, text)
    (breach,) = judge(record).breaches
    assert (breach.trick, breach.seat, str(breach.rule)) == (0, 1, "tractor.follow-pair")
    assert breach.proved_in is None
    assert judge(record.view(2)).breaches == ()
    for text in ("SQ", "ST"):
        record = led(record, text)
    for course in (record, record.view(0), record.view(2), record.view(3)):
        (breach,) = judge(course).breaches
        assert breach.proved_in == 2


def test_tractor_only_a_lead_may_come_to_something_else():
    """`lands` is about throws: a follow of two cards is judged by the hand alone, though the others are hidden."""
    asked: list[bool] = []

    def lands(turn: Turn, play: Play) -> Play | None:
        asked.append(turn.trick.lead is None)
        return None

    game = replace(TRACTOR, lands=lands)
    assert parse_position(game, "trump H | led SA SA | hand SK HT HT").judge("SK HT").legal
    assert parse_position(game, "trump H | hand SK SK HT").judge("SK SK").legal is None
    assert all(asked)


def test_tractor_the_strict_table_plays_a_random_throw():
    stops = 0
    for seed in range(12):
        table, rng = Arbiter(TRACTOR, seed), random.Random(seed)
        while (seat := table.position.turn) is not None:
            position = table.position
            if position.talking:
                table.act(seat, rng.choice(position.legal_calls))
                continue
            plays = sorted(position.legal_plays, key=lambda play: (len(play.cards), str(play)))
            assert table.act(seat, plays[-1] if position.trick and position.trick.lead is None else rng.choice(plays))
            lead = table.position.trick.lead if table.position.trick else None
            stops += lead is not None and lead.tried is not None and len(table.position.trick.plays) == 1  # type: ignore[union-attr]
            for other in range(4):
                assert table.view(other).hand == table.position.hands[other]
        assert table.record.position == table.position
    assert stops > 3


def test_tractor_conforms():
    assert check_game(TRACTOR, deals=2).deals == 2


def test_tractor_counts_its_throws():
    position = parse_position(TRACTOR, "trump H | 0: SA SA | 1: SK SQ | 2: SJ SJ | 3: HT HT | kitty ?4")
    # SA, SA SA; then one card or two
    assert perft(position, 1) == 2
    assert perft(position, 2) == 2 + 1
    assert perft(position, 4) == (2 * 1 * 1) + (1 * 1 * 1)


def test_tractor_the_kitty_is_turned_over_when_the_deal_is_over():
    """Points in the kitty count for the side that takes the last trick, so at the end everybody must see it."""

    def with_kitty(position: Position) -> Result:
        assert isinstance(position.kitty, Cards), "the kitty is not told"
        assert position.order is not None
        assert position.trick is not None
        points = list(position.points)
        points[position.trick.leader] += position.order.worth(position.kitty)
        return Result(tuple(points), None, f"with the kitty {position.order.worth(position.kitty)}")

    game = replace(TRACTOR, score=with_kitty)
    table, rng = Arbiter(game, 1), random.Random(1)
    while (seat := table.position.turn) is not None:
        position = table.position
        table.act(seat, rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng))
    for seat in range(4):
        view = table.view(seat)
        assert view.position.result == table.position.result
        assert str(view).splitlines()[-1] == str(table.record).splitlines()[-1]


def test_tractor_is_dealt_judged_and_replayed_by_the_same_machine():
    for seed in range(5):
        record, rng = new_record(TRACTOR, seed), random.Random(seed)
        assert sum(map(len, record.start.hands)) + len(record.start.kitty) == len(TRACTOR.deck)
        while record.position.turn is not None:
            position = record.position
            what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
            record = record.with_act(position.read(what))
        assert list(record.replay()) == list(record.positions())
        assert judge(record)
        with pytest.raises(WrongPhase):
            record.position.judge("pass")


def test_sides_are_opposite_where_a_game_says_nothing():
    assert [opposite(talked(table()).position, seat) for seat in range(4)] == [0, 1, 0, 1]
