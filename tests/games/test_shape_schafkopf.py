"""A game of another shape on the same machine: the called ace of Schafkopf.

Small and honest, six cards each: no Schneider, but Ober and Unter as trumps, duties that hang on earlier tricks, and a
partner whom only an ace betrays. Nothing in the shared modules knows of it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from renege import IllegalPlay, NotationError, Position, WrongPhase, parse_position
from renege.core.arbiter import judge
from renege.core.cards import Card, Cards, Deck, Hand
from renege.core.deal_state import Act
from renege.core.game import Contract, Game, Result, Standing, Talk, Turn
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import deal_position
from renege.core.record import Record, new_record, parse_record
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games.testing import check_game
from support.added_games import NoChoices, led, the_game

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


def test_schafkopf_is_dealt_judged_and_replayed_by_the_same_machine():
    for seed in range(5):
        record, rng = new_record(SCHAFKOPF, seed), random.Random(seed)
        assert sum(map(len, record.start.hands)) + len(record.start.kitty) == len(SCHAFKOPF.deck)
        while record.position.turn is not None:
            position = record.position
            what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
            record = record.with_act(position.read(what))
        assert list(record.replay()) == list(record.positions())
        assert judge(record)
        with pytest.raises(WrongPhase):
            record.position.judge("pass")
