"""Games of other shapes on the same machine: a throw of Tractor, and the called ace of Schafkopf.

Both are small and honest: no level, no runs of pairs, no Schneider; but two copies of each card, plays of several
units, a throw that other hands stop, a kitty taken up and buried face down, a partner whom only an ace betrays.
Nothing in the shared modules knows of them.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest

from renege import Game, IllegalPlay, NotationError, Play, Position, WrongPhase, parse_position
from renege.arbiter import Arbiter, judge
from renege.cards import Card, Cards, Deck, Hand, Hidden, kinds_in
from renege.game import KITTY, Contract, LegalPlays, Move, Result, Standing, Talk, Turn, opposite
from renege.notation import parse_cards
from renege.order import Order
from renege.position import Act, deal_position
from renege.record import Record, new_record, parse_record
from renege.testing import check_game, perft
from renege.verdict import Objection, Rule, Ruling

# == Tractor: two packs of eight ranks in two suits, seven cards each and a kitty of four =============================

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
    assert position.contract is not None
    defended = sum(position.points[(position.contract.declarer + 1) % 2 :: 2])
    score = tuple(position.points)
    return Result(score, defended < 40, f"the defenders took {defended}")


@dataclass(frozen=True, slots=True)
class NoChoices:
    """House rules of a game that has none."""


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


def the_game(game: Game):
    return lambda name, choices: game


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


def led(record: Record, text: str) -> Record:
    return record.with_act(record.position.read(text))


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


# == Schafkopf: six cards each, and the partner is whoever holds the called ace ========================================

SHORT = Deck("short pack", tuple(suit + rank for suit in "SHGE" for rank in "9UOKTA"))
PLAIN_ORDER = "9KTA"
VALUES = {"A": 11, "T": 10, "K": 4, "O": 3, "U": 2, "9": 0}
TRUMP = 4
SEARCH = Rule("schafkopf.answer-search", "When the called suit is led, its ace comes.", "this test")
NO_DISCARD = Rule("schafkopf.keep-ace", "The called ace is not thrown away.", "this test")
NO_RUN = Rule("schafkopf.run", "The called suit is led from the ace only with four of it.", "this test", excusable=True)
SUIT = Rule("schafkopf.follow-suit", "Who holds a card of the led suit plays one.", "this test")
ONE = Rule("schafkopf.one-card", "A play is one card.", "this test")
CALLING = Rule("schafkopf.call", "A suit is called by who holds a card of it, and not its ace.", "this test")


def bit(name: str) -> int:
    return 1 << SHORT.spellings[name]


def is_trump(name: str) -> bool:
    return name[1] in "OU" or name[0] == "H"


def trump_strength(name: str) -> int:
    if name[1] in "OU":
        return 20 + 10 * "UO".index(name[1]) + "SHGE".index(name[0])
    return 10 + PLAIN_ORDER.index(name[1])


SHORT_ORDER = Order(
    deck=SHORT,
    suits=("S", "H", "G", "E", "trump"),
    nouns=("bells", "hearts", "leaves", "acorns", "trumps"),
    led_suit=tuple(TRUMP if is_trump(name) else "SHGE".index(name[0]) for name in SHORT.names),
    follow=tuple(
        sum(bit(name) for name in SHORT.names if is_trump(name) == (suit == "t") and (suit == "t" or name[0] == suit))
        for suit in "SHGEt"
    ),
    strength=tuple(
        tuple(
            trump_strength(name) if is_trump(name) else (PLAIN_ORDER.index(name[1]) + 1) * (name[0] == suit)
            for name in SHORT.names
        )
        for suit in "SHGEt"
    ),
    points=tuple(VALUES[name[1]] for name in SHORT.names),
)


def called(turn: Turn) -> tuple[int, Card]:
    """The called suit, and its ace."""
    suit = SHORT_ORDER.suit_named(turn.contract.declaration)
    return suit, SHORT.spellings[turn.contract.declaration + "A"]


def one_card(turn: Turn, play: Play) -> Objection | None:
    return None if play.cards.single() is not None else Objection(ONE, f"{play.cards} is not one card")


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    assert turn.led is not None
    held = turn.order.in_suit(turn.hand, turn.led)
    if not held or play.cards <= held:
        return None
    return Objection(SUIT, f"the hand holds {held}", Ruling.RENEGE)


def bound(turn: Turn) -> bool:
    """The called ace is in hand, and nothing has freed it yet."""
    _, ace = called(turn)
    return ace in turn.hand and turn.memory is None and len(turn.hand) > 1


def answer_search(turn: Turn, play: Play) -> Objection | None:
    suit, ace = called(turn)
    if turn.led != suit or not bound(turn) or ace in play.cards:
        return None
    return Objection(SEARCH, f"{SHORT.names[ace]} is searched for", Ruling.RENEGE)


def keep_ace(turn: Turn, play: Play) -> Objection | None:
    suit, ace = called(turn)
    if turn.led == suit or not bound(turn) or ace not in play.cards:
        return None
    return Objection(NO_DISCARD, f"{SHORT.names[ace]} may not be thrown away", Ruling.RENEGE)


def run_from_four(turn: Turn, play: Play) -> Objection | None:
    suit, ace = called(turn)
    if not bound(turn) or ace in play.cards or turn.order.suit_of(play.cards) != suit:
        return None
    if len(turn.order.in_suit(turn.hand, suit)) >= 4:
        return None
    return Objection(NO_RUN, "fewer than four of the called suit are in hand")


def searched(turn: Turn, play: Play) -> str | None:
    """After the called suit was led, all know the partner: who gave the ace or, if it did not come, who led."""
    _, ace = called(turn)
    if turn.memory is not None:
        return turn.memory
    if ace in play.cards:
        return f"ace {turn.seat}"
    suit, _ = called(turn)
    if turn.led == suit and len(turn.trick.plays) == 3:
        return f"ran {turn.trick.leader}"
    return None


def read_memory(text: str) -> str:
    word, _, seat = text.partition(" ")
    if word not in ("ace", "ran") or seat not in ("0", "1", "2", "3"):
        raise NotationError(f"{text!r} is nothing to remember here")
    return text


def called_side(position: Position, seat: int) -> int | None:
    """The caller and who holds the ace against the others; None while the ace has not shown itself."""
    contract = position.contract
    if contract is None:
        return None
    ace = SHORT.spellings[contract.declaration + "A"]
    partner = int(position.memory.split()[1]) if position.memory else None
    if partner is None:
        partner = next((s for s, hand in enumerate(position.hands) if isinstance(hand, Cards) and ace in hand), None)
    if seat == contract.declarer:
        return 0
    if partner is not None:
        return 0 if seat == partner else 1
    return 1 if isinstance(position.hands[seat], Cards) else None


@dataclass(frozen=True)
class Calling(Talk):
    """Each seat in turn passes or calls an ace; the first call ends it."""

    dealer: int
    spoken: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self.spoken

    @property
    def turn(self) -> int | None:
        over = len(self.spoken) == 4 or any(call != "pass" for call in self.spoken)
        return None if over else (self.dealer + 1 + len(self.spoken)) % 4

    @property
    def contract(self) -> Contract | None:
        if not self.spoken or self.spoken[-1] == "pass":
            return None
        return Contract(self.spoken[-1][-1], (self.dealer + len(self.spoken)) % 4, (self.dealer + 1) % 4)

    def read(self, text: str) -> str:
        if text.strip() not in ("pass", "call S", "call G", "call E"):
            raise NotationError(f"{text!r} is no call here")
        return text.strip()

    def calls(self, hand: Hand) -> Iterator[str]:
        calls = ("pass", "call S", "call G", "call E")
        return (call for call in calls if self.objection(call, hand) is None)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if call == "pass" or not isinstance(hand, Cards):
            return None
        suit = SHORT_ORDER.in_suit(hand, SHORT_ORDER.suit_named(call[-1]))
        ace = SHORT.spellings[call[-1] + "A"]
        return None if suit and ace not in suit else Objection(CALLING, f"the hand holds {suit or 'none of it'}")

    def after(self, call: str) -> "Calling":
        return replace(self, spoken=(*self.spoken, call))


def read_called(rules: Any, text: str) -> Contract:
    words = text.split()
    if len(words) not in (2, 6) or words[0] != "rufspiel" or words[1] not in ("S", "G", "E"):
        raise NotationError(f"{text!r} is no contract")
    caller, leader = (int(words[3]), int(words[5])) if len(words) == 6 else (0, 0)
    return Contract(words[1], caller, leader)


def sixty_one(position: Position) -> Result:
    ours = sum(points for seat, points in enumerate(position.points) if position.side(seat) == 0)
    made = ours >= 61
    score = tuple(1 if (position.side(seat) == 0) == made else -1 for seat in range(4))
    return Result(score, made, f"the caller's side took {ours}")


SCHAFKOPF = Game(
    "mini-schafkopf",
    version=1,
    deck=SHORT,
    rules=NoChoices(),
    rule_list=(ONE, SUIT, SEARCH, NO_DISCARD, NO_RUN, CALLING),
    hand_size=6,
    talk=lambda rules, standing: Calling(standing.dealer),
    order=lambda rules, contract: SHORT_ORDER,
    lead=(one_card, run_from_four),
    follow=(one_card, follow_suit, answer_search, keep_ace),
    read_memory=read_memory,
    remember=searched,
    side=called_side,
    score=sixty_one,
    read_contract=read_called,
    write_contract=lambda contract: f"rufspiel {contract.declaration} by {contract.declarer} leads {contract.leader}",
    opening=Standing(3, (0, 0, 0, 0)),
    advance=lambda position, result: position.standing,
    winner=lambda rules, standing: None,
)


def short(text: str) -> Cards:
    return parse_cards(SHORT, text)


def rufspiel() -> Record:
    """Seat 0 calls acorns; seat 2 has the ace with EK and E9, and seat 1 searches."""
    hands = ("EO GO HO ET SK S9", "EU GU ST SA GT GK", "EA EK E9 SU HU G9", "SO HA HT HK H9 GA")
    record = Record(deal_position(SCHAFKOPF, SCHAFKOPF.opening, tuple(map(short, hands))))
    return record.with_act(Act(0, "call E"))


def test_schafkopf_ober_and_unter_are_trumps_above_hearts():
    position = parse_position(SCHAFKOPF, "rufspiel E | led EO | hand EA HK SU G9")
    assert set(map(str, position.legal_plays)) == {"HK", "SU"}


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("led E9 | hand EA EK H9 GO", {"EA"}),  # a search is answered by the ace
        ("led E9 | hand EK H9 GO", {"EK"}),  # others only follow suit
        ("led E9 | hand EA EK H9 GO | memory ran 0", {"EA", "EK"}),  # running frees it
        ("led G9 | hand EA EK H9 GO", {"EK", "H9", "GO"}),  # void: anything but the ace
        ("led G9 | hand EA EK H9 GO | memory ran 0", {"EA", "EK", "H9", "GO"}),
        ("led HA | hand EA", {"EA"}),  # the last trick is free
        ("hand EA EK E9 GO", {"EA", "GO"}),  # on the lead the ace, or another suit
        ("hand EA EK E9 ET", {"EA", "EK", "E9", "ET"}),  # four of the suit may run
        ("hand EK E9 GO", {"EK", "E9", "GO"}),
    ],
)
def test_schafkopf_the_called_ace_must_answer_and_may_not_be_thrown_away(text: str, legal: set[str]):
    position = parse_position(SCHAFKOPF, f"rufspiel E | {text}")
    assert {str(play) for play in position.legal_plays} == legal
    for card in map(str, (SHORT.of(1 << kind) for kind in position.hand)):  # type: ignore[union-attr]
        verdict = position.judge(card)
        assert verdict.legal == (card in legal)
        if not verdict:
            assert verdict.instead in legal


def test_schafkopf_a_search_brings_the_ace_and_the_partner_comes_to_light():
    record = rufspiel()
    for card in ("SK", "SA", "SU", "SO"):  # bells, which seat 2 and seat 3 ruff
        record = led(record, card)
    assert record.position.turn == 3
    assert record.position.memory is None
    record = led(record, "GA")
    for card in ("S9", "GK", "G9"):
        record = led(record, card)
    before = record
    assert record.position.turn == 3
    for card in ("HA", "HO", "EU", "HU"):
        record = led(record, card)
    record = led(record, "ET")  # the caller searches
    assert record.position.memory is None
    record = led(record, "GT")
    assert set(map(str, record.position.legal_plays)) == {"EA"}
    with pytest.raises(IllegalPlay, match="answer-search"):
        record.position.play("E9")
    hidden = [record.view(seat).position for seat in range(4)]
    assert [[view.side(seat) for seat in range(4)] for view in hidden] == [
        [0, None, None, None],
        [0, 1, None, None],
        [0, 1, 0, 1],
        [0, None, None, 1],
    ]
    record = led(record, "EA")
    assert record.position.memory == "ace 2"
    for seat in range(4):
        view = record.view(seat)
        assert [view.position.side(other) for other in range(4)] == [0, 1, 0, 1]
        assert view.position.memory == "ace 2"
    assert judge(record)
    assert judge(before)


def test_schafkopf_every_text_reads_back():
    record = rufspiel()
    rng = random.Random(3)
    while record.position.turn is not None:
        position = record.position
        assert parse_position(SCHAFKOPF, str(position)) == position
        record = record.with_act(position.read(position.legal_plays.choose(rng)))
        again = parse_record(str(record), the_game(SCHAFKOPF))
        assert again == record
        assert str(again) == str(record)
    assert record.position.result is not None
    assert sum(record.position.points) == 120
    assert record.position.memory is not None
    for seat in range(4):
        assert record.view(seat).position.result == record.position.result
        assert str(record.view(seat)).splitlines()[-1] == str(record).splitlines()[-1]


def test_schafkopf_an_ace_that_ran_is_free_and_its_holder_is_known():
    hands = ("EO GO HO ET SK S9", "EU GU ST SA GT GK", "EA EK E9 SU HU G9", "SO HA HT HK H9 GA")
    swapped = list(map(short, hands))
    swapped[2], swapped[0] = swapped[2] - short("SU") + short("ET"), swapped[0] - short("ET") + short("SU")
    start = deal_position(SCHAFKOPF, Standing(1, (0, 0, 0, 0)), tuple(swapped))
    record = Record(start)
    for seat, call in ((2, "pass"), (3, "pass"), (0, "pass"), (1, "call E")):
        record = record.with_act(Act(seat, call))
    # nobody here holds acorns but seat 2, so the call broke a rule; the duties stand all the same
    assert [str(breach.rule) for breach in judge(record).breaches] == ["schafkopf.call"]
    position = record.position
    assert position.turn == 2
    for card in ("E9", "H9", "SU", "GT"):
        position = position.play(card)
    assert position.memory == "ran 2"
    assert position.turn == 0
    assert "memory ran 2" in str(position)
    assert parse_position(SCHAFKOPF, str(position)) == position
    assert [position.side(seat) for seat in range(4)] == [1, 0, 0, 1]


def test_schafkopf_what_lies_on_the_table_is_remembered_where_the_text_does_not_say():
    """The ace on the table shows the partner, told or not."""
    position = parse_position(SCHAFKOPF, "rufspiel E | led ET, EA | hand EK G9 | 0 leads")
    assert position.memory == "ace 1"
    assert position.side(1) == 0


def test_schafkopf_who_discards_the_ace_or_does_not_answer_is_found_from_the_plays_alone():
    record = rufspiel()
    for card in ("ET", "GT", "E9", "HT"):  # seat 2 does not answer the search
        record = led(record, card)
    for card in ("HA", "HO", "EU", "HU"):
        record = led(record, card)
    assert [str(breach.rule) for breach in judge(record).breaches] == ["schafkopf.answer-search"]
    assert judge(record.view(1)).breaches == ()
    for card in ("SK", "SA", "EA", "SO"):
        record = led(record, card)
    first = judge(record.view(1)).breaches[0]
    assert (first.trick, first.seat, first.proved_in) == (0, 2, 2)


def test_schafkopf_conforms():
    assert check_game(SCHAFKOPF, deals=8).deals == 8


# == both ==============================================================================================================


@pytest.mark.parametrize("game", [TRACTOR, SCHAFKOPF], ids=lambda game: game.name)
def test_a_stranger_is_dealt_judged_and_replayed_by_the_same_machine(game: Game):
    for seed in range(5):
        record, rng = new_record(game, seed), random.Random(seed)
        assert sum(map(len, record.start.hands)) + len(record.start.kitty) == len(game.deck)
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
