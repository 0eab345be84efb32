"""Does the kernel play Schafkopf as Python and the reference do: duties, winners, whole deals, the called ace?"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from reference import kernel as twin
from reference import schafkopf as reference
from renege.core.cards import Deck
from renege.core.deal_state import seats_from
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.position import Position, begin
from renege.core.trick import Play, Trick
from renege.games import schafkopf
from renege.games.schafkopf.contract import read_contract
from renege.games.schafkopf.follow import FOLLOW, LEAD
from renege.games.schafkopf.memory import Memory
from renege.games.schafkopf.order import DECKS
from renege.games.schafkopf.rules import PackSize, Rules
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.cards import NO_CARD
from renege.native.schafkopf import CardBreach

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
DUTIES = {
    None: CardBreach.NONE,
    reference.FOLLOW_SUIT: CardBreach.FOLLOW_SUIT,
    reference.ANSWER_SEARCH: CardBreach.ANSWER_SEARCH,
    reference.ACE_STAYS: CardBreach.ACE_STAYS,
    reference.NO_RUNNING: CardBreach.NO_RUNNING,
}


@dataclass(frozen=True)
class Setting:
    """A declaration with one of the packs."""

    declaration: str
    pack: PackSize

    @property
    def deck(self) -> Deck:
        return DECKS[self.pack]

    @property
    def size(self) -> int:
        return len(self.deck) // 4

    @property
    def order(self) -> Order:
        return schafkopf.order(self.declaration, self.pack)

    @property
    def called(self) -> int | None:
        called = reference.called_at_first(self.declaration)
        return None if called is None else self.deck.spellings[called.ace]

    @property
    def tables(self) -> native.Tables:
        return native_schafkopf.order(self.order, self.called)

    def names(self, cards: int) -> list[str]:
        return [name for card, name in enumerate(self.deck.names) if cards >> card & 1]

    def begin(self, hands: list[int], leader: int) -> Position:
        rules = Rules(deck=self.pack)
        by = {"ramsch": "", "hochzeit": " by 0 with 2"}.get(self.declaration, " by 0")
        told = tuple(self.deck.of(hand) for hand in hands)
        return begin(schafkopf.game(rules), read_contract(rules, self.declaration + by), told, leader)


ALL = [Setting(declaration, pack) for pack in PackSize for declaration in reference.DECLARATIONS]
CALLED = [setting for setting in ALL if setting.called is not None]
each = pytest.mark.parametrize("setting", ALL, ids=lambda s: f"{s.declaration}, {s.pack.value}")
each_called = pytest.mark.parametrize("setting", CALLED, ids=lambda s: f"{s.declaration}, {s.pack.value}")


def random_hands(setting: Setting, rng: Random, size: int) -> list[list[int]]:
    """Four hands of this size; where an ace is called seat 0 often has it, with one to four others of its suit."""
    cards = list(range(len(setting.deck)))
    rng.shuffle(cards)
    if setting.called is not None and rng.random() < 0.8:
        suit = setting.order.follow[setting.order.led_suit[setting.called]]
        others = [card for card in cards if suit >> card & 1 and card != setting.called]
        first = [setting.called, *others[: rng.randint(1, 4)]]
        cards = first + [card for card in cards if card not in first]
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(4)]
    first, *rest = hands
    turn = rng.randrange(4)
    return [*rest[:turn], first, *rest[turn:]]


@dataclass(frozen=True)
class Question:
    """A seat to play: its hand, the card led if one was, and who has led the called suit."""

    hand: int
    lead: int
    led_called: int
    seat: int

    def reference(self, setting: Setting, card: str) -> str | None:
        called = reference.called_at_first(setting.declaration)
        if called is not None:
            searched, ran = bool(self.led_called & ~(1 << self.seat)), bool(self.led_called >> self.seat & 1)
            called = reference.Called(called.suit, searched, ran)
        trick = [] if self.lead == NO_CARD else [setting.deck.names[self.lead]]
        return reference.broken(setting.names(self.hand), trick, card, setting.declaration, called)

    def engine(self, setting: Setting, card: int) -> str | None:
        rules = Rules(deck=setting.pack)
        trick = Trick(seats_from(self.seat, (0, 1, 2, 3)))
        if self.lead != NO_CARD:
            trick = Trick(seats_from((self.seat - 1) % 4, (0, 1, 2, 3)))
            trick = trick.with_play(Play(setting.deck.of(1 << self.lead)), ahead=True)
        turn = Turn(
            rules=rules,
            contract=setting.begin([0, 0, 0, 0], 0).contract,
            order=setting.order,
            seat=self.seat,
            hand=setting.deck.of(self.hand),
            trick=trick,
            number=0,
            memory=Memory(leaders=self.led_called),
            hands=(),
            kitty=setting.deck.none,
        )
        play = Play(setting.deck.of(1 << card))
        objections = (rule(turn, play) for rule in (LEAD if trick.lead is None else FOLLOW))
        return next((no.rule.id for no in objections if no is not None), None)


def random_lead(setting: Setting, rng: Random, hand: list[int]) -> int:
    """None, or any card, or one of the called suit, or one that the hand cannot follow."""
    suits = setting.order.led_suit
    others = [card for card in range(len(setting.deck)) if card not in hand]
    held = {suits[card] for card in hand}
    called = [card for card in others if setting.called is not None and suits[card] == suits[setting.called]]
    void = [card for card in others if suits[card] not in held]
    return rng.choice([NO_CARD, rng.choice(others), rng.choice(called or others), rng.choice(void or others)])


def questions(setting: Setting, n: int, seed: int) -> list[Question]:
    rng, found = Random(seed), list[Question]()
    while len(found) < n:
        seat = rng.randrange(4)
        hands = random_hands(setting, rng, rng.randint(1, setting.size))
        if setting.called is not None and rng.random() < 0.7:  # ask who holds the ace
            seat = next((i for i, hand in enumerate(hands) if setting.called in hand), seat)
        lead = random_lead(setting, rng, hands[seat])
        led_called = rng.choice([0, 0, 1 << seat, 1 << (seat + 1) % 4, rng.randrange(16)])
        found.append(Question(sum(1 << card for card in hands[seat]), lead, led_called, seat))
    return found


Turns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # hands, leads, led_called, seats


def turns(asked: list[Question]) -> Turns:
    return (
        np.array([question.hand for question in asked], np.uint32),
        np.array([question.lead for question in asked], np.uint8),
        np.array([question.led_called for question in asked], np.uint8),
        np.array([question.seat for question in asked], np.uint8),
    )


@each
def test_duties_are_those_of_the_engine_and_of_the_reference(setting: Setting):
    asked = questions(setting, (400 if setting.called is not None else 40) * SOAK, seed=7)
    legal = native_schafkopf.legal(setting.tables, *turns(asked), threads=2).tolist()
    single = [(row, card) for row, question in enumerate(asked) for card in range(32) if question.hand >> card & 1]
    rows = [asked[row] for row, _ in single]
    cards = np.array([card for _, card in single], np.uint8)
    judged = native_schafkopf.judge(setting.tables, *turns(rows), cards).tolist()
    seen = Counter[CardBreach]()
    for (row, card), question, duty in zip(single, rows, judged, strict=True):
        told = question.reference(setting, setting.deck.names[card])
        assert DUTIES[told] == duty, (question, setting.deck.names[card])
        assert question.engine(setting, card) == told, (question, setting.deck.names[card])
        assert bool(legal[row] >> card & 1) == (duty == CardBreach.NONE)
        seen[CardBreach(duty)] += 1
    assert all(mask and mask & ~question.hand == 0 for mask, question in zip(legal, asked, strict=True))
    assert set(seen) == (set(CardBreach) if setting.called is not None else {CardBreach.NONE, CardBreach.FOLLOW_SUIT})
    assert setting.called is None or min(seen.values()) > 15


@each_called
def test_any_number_of_cards_to_run_with(setting: Setting):
    """The same turns where it takes two cards of the called suit, three, ... to lead from under its ace."""
    asked = questions(setting, 100 * SOAK, seed=8)
    for run_from in range(2, 8):
        tables = native_schafkopf.order(setting.order, setting.called, run_from)
        legal = native_schafkopf.legal(tables, *turns(asked)).tolist()
        for question, cards in zip(asked, legal, strict=True):
            hand, lead = setting.names(question.hand), question.lead
            told = reference.called_at_first(setting.declaration)
            assert told is not None
            others = question.led_called & ~(1 << question.seat)
            told = replace(told, searched=bool(others), ran=bool(question.led_called >> question.seat & 1))
            trick = [] if lead == NO_CARD else [setting.deck.names[lead]]
            expected = reference.legal(hand, trick, setting.declaration, told, run_from=run_from)
            assert setting.names(cards) == [name for name in setting.names(question.hand) if name in expected]


@each
def test_winners_are_those_of_the_reference(setting: Setting):
    rng = Random(3)
    tricks = [rng.sample(range(len(setting.deck)), 4) for _ in range(300 * SOAK)]
    won = native.winners(setting.tables, np.array(tricks, np.uint8)).tolist()
    names = [[setting.deck.names[card] for card in trick] for trick in tricks]
    assert won == [reference.winner(trick, setting.declaration) for trick in names]


def starts(setting: Setting, n: int, seed: int, size: int | None = None) -> np.ndarray:
    """n dealt tables, the lead going round."""
    rng = Random(seed)
    hands = [random_hands(setting, rng, setting.size if size is None else size) for _ in range(n)]
    masks = np.array([[sum(1 << card for card in hand) for hand in deal] for deal in hands], np.uint32)
    return native_schafkopf.states(setting.tables, masks, np.arange(n, dtype=np.uint8) % np.uint8(4))


@each
def test_whole_deals_replay_in_the_engine_and_in_the_reference(setting: Setting):
    n = (12 if setting.called is not None else 3) * SOAK
    dealt = starts(setting, n, seed=11)
    done = native.playouts(setting.tables, dealt, seed=5, plays=True)
    assert done.plays is not None
    taken = native_schafkopf.taken(setting.tables, dealt, done.plays)
    for row, state in enumerate(dealt.tolist()):
        hands, leader = state[:4], state[5] & 3
        cards = [setting.deck.names[card] for card in done.plays[row].tolist() if card != NO_CARD]
        assert len(cards) == len(setting.deck)
        position = setting.begin(hands, leader)
        for card in cards:
            position = position.play(card)  # raises if it is not legal
        assert position.over
        assert list(position.points) == done.points[row].tolist()
        assert list(position.tricks) == done.tricks[row].tolist()
        assert position.memory.leaders == int(done.states[row, 5]) >> 24
        assert position.result is not None
        tricks = [cards[i : i + 4] for i in range(0, len(cards), 4)]
        named = [setting.names(hand) for hand in hands]
        assert reference.first_renege(named, leader, tricks, setting.declaration) is None
        piles = reference.cards_of(leader, tricks, setting.declaration)
        assert [sorted(pile) for pile in piles] == [sorted(setting.names(mask)) for mask in taken[row].tolist()]
        assert [reference.card_points(pile) for pile in piles] == done.points[row].tolist()


def stages(setting: Setting, n: int) -> np.ndarray:
    """Tables at every stage of play, tricks begun included."""
    rows, rng = [starts(setting, n, seed=2)], Random(5)
    while True:
        legal = native.legal_masks(setting.tables, rows[-1])
        if not legal.any():
            return np.concatenate(rows)
        cards = [rng.choice([card for card in range(32) if mask >> card & 1]) for mask in legal.tolist()]
        rows.append(native.step(setting.tables, rows[-1], np.array(cards, np.uint8)))


@each_called
def test_playouts_from_any_stage_equal_the_twin(setting: Setting):
    states = stages(setting, 12 * SOAK)
    legal = native.legal_masks(setting.tables, states)
    done = native.playouts(setting.tables, states, seed=8, plays=True)
    assert done.plays is not None
    for i, state in enumerate(states.tolist()):
        table = twin.Table.unpack(state, setting.called)
        if not table.is_over():
            seat = table.turns()[len(table.lying)]
            assert legal[i] == sum(1 << card for card in twin.legal(setting.order, table, seat))
        fallen = twin.playout(setting.order, table, 8, i)
        assert done.plays[i].tolist() == fallen + [NO_CARD] * (32 - len(fallen))
        assert done.states[i].tolist() == table.pack(state[5])


@each_called
def test_stepping_through_a_playout_ends_where_it_does(setting: Setting):
    states = starts(setting, 60 * SOAK, seed=13)
    done = native.playouts(setting.tables, states, seed=21, plays=True)
    assert done.plays is not None
    for cards in done.plays.T[: len(setting.deck)]:
        states = native.step(setting.tables, states, np.ascontiguousarray(cards))  # refuses what is not legal
    assert np.array_equal(states, done.states)


@each_called
def test_neither_threads_nor_path_nor_batch_change_a_playout(setting: Setting):
    states = stages(setting, 5)
    np.random.default_rng(1).shuffle(states)  # neighbours that are not alike
    whole = native.playouts(setting.tables, states, seed=6)
    for threads, portable in ((2, False), (7, False), (3, True)):
        parts = native.playouts(setting.tables, states, seed=6, threads=threads, portable=portable)
        assert np.array_equal(parts.states, whole.states)
    tail = native.playouts(setting.tables, states[5:], seed=6, first_lane=5)
    assert np.array_equal(tail.states, whole.states[5:])


def lines(setting: Setting, table: twin.Table, chance: float) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every way the table can be played out, with its chance."""
    if table.is_over():
        yield (), chance
        return
    cards = twin.legal(setting.order, table, table.turns()[len(table.lying)])
    for card in cards:
        after = deepcopy(table)
        twin.play(setting.order, after, card)
        for line, odds in lines(setting, after, chance / len(cards)):
            yield (card, *line), odds


def test_choices_are_uniform():
    setting = CALLED[0]
    state = starts(setting, 1, seed=4, size=2)
    odds = dict(lines(setting, twin.Table.unpack(state[0].tolist(), setting.called), 1.0))
    n = 20_000 * SOAK
    done = native.playouts(setting.tables, np.repeat(state, n, axis=0), seed=31, plays=True)
    assert done.plays is not None
    seen = Counter(map(tuple, done.plays[:, :8].tolist()))
    assert len(odds) > 4
    assert set(seen) <= set(odds)
    statistic = sum((seen[line] - n * p) ** 2 / (n * p) for line, p in odds.items())
    freedom = len(odds) - 1
    assert statistic < freedom + 6 * (2 * freedom) ** 0.5 + 1


@pytest.mark.parametrize("setting", [CALLED[0], CALLED[-1], ALL[10], ALL[-1]])
def test_random_deals_are_deals_and_playouts(setting: Setting):
    tables = setting.tables
    for n in (0, 1, 501):
        hands = native.deals(setting.deck.kinds, [setting.size] * 4, n, seed=3, first_lane=9)
        states = native_schafkopf.states(tables, hands, np.zeros(n, np.uint8))
        done = native.playouts(tables, states, seed=3, first_lane=9)
        for threads, portable in ((1, False), (3, True)):
            sums = native.random_deals(tables, n, 3, 9, threads, portable=portable)
            assert (sums.deals, sums.plays) == (n, n * len(setting.deck))
            assert sums.points == tuple(done.points.sum(axis=0, dtype=int))
            assert sums.tricks == tuple(done.tricks.sum(axis=0, dtype=int))
            assert sum(sums.points) == 120 * n


def holds(setting: Setting, table: twin.Table, claimer: int, takers: int) -> bool:
    if table.is_over():
        return True
    seat = table.turns()[len(table.lying)]
    outcomes: list[bool] = []
    for card in twin.legal(setting.order, table, seat):
        after = deepcopy(table)
        twin.play(setting.order, after, card)
        lost = not after.lying and not takers >> after.leader & 1
        outcomes.append(not lost and holds(setting, after, claimer, takers))
    return any(outcomes) if seat == claimer else all(outcomes)


def test_claims_reckon_with_the_called_ace():
    rng, found = Random(8), Counter[bool]()
    for number in range(36 * SOAK):
        setting = CALLED[number % len(CALLED)]
        state = starts(setting, 1, seed=number, size=3)
        state[0, 5] |= rng.choice([0, 0, 1, 2, 4, 8]) << 24
        claimer, takers = rng.randrange(4), rng.choice([0b0111, 0b1101, 0b1011, 0b1110])
        rows = np.array([claimer], np.uint8), np.array([takers], np.uint8)
        (claim,) = native.claims(setting.tables, state, *rows).tolist()
        assert claim == holds(setting, twin.Table.unpack(state[0].tolist(), setting.called), claimer, takers)
        found[claim] += 1
    assert min(found[True], found[False]) > 3 * SOAK


# --- what is refused --------------------------------------------------------------------------------


def a_turn(hand: int = 0b11, lead: int = NO_CARD, led_called: int = 0, seat: int = 0) -> Turns:
    """A good row, the row in question, and a good row."""
    good = Question(0b11, NO_CARD, 0, 0)
    return turns([good, Question(hand, lead, led_called, seat), good])


SHORT_CALLED = next(setting for setting in CALLED if setting.pack is PackSize.SHORT)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hand": 1 << 24}, "card that the deck does not have"),
        ({"lead": 24}, "the card led is not in the deck"),
        ({"lead": 254}, "the card led is not in the deck"),
        ({"lead": 1}, "the card led is still in the hand"),
        ({"led_called": 16}, "mask of four seats"),
        ({"seat": 4}, "a seat is 0..3"),
    ],
)
def test_impossible_turns_are_refused_by_row(change: dict[str, int], says: str):
    rows = a_turn(**change)
    for call in (
        lambda: native_schafkopf.legal(SHORT_CALLED.tables, *rows),
        lambda: native_schafkopf.legal(SHORT_CALLED.tables, *rows, threads=3),
        lambda: native_schafkopf.judge(SHORT_CALLED.tables, *rows, np.zeros(3, np.uint8)),
    ):
        with pytest.raises(ValueError, match=f"turns row 1: .*{says}"):
            call()


def test_a_card_that_is_not_held_is_not_judged():
    for card in (2, 31, 32, 255):
        with pytest.raises(ValueError, match="turns row 1: the card is not in the hand"):
            native_schafkopf.judge(SHORT_CALLED.tables, *a_turn(), np.array([0, card, 0], np.uint8))


def test_other_arrays_and_aces_are_refused():
    setting = SHORT_CALLED
    hands, leads, led_called, seats = a_turn()
    state = starts(setting, 1, seed=1)
    nobody = np.full((1, 32), NO_CARD, np.uint8)
    wrong = nobody.copy()
    wrong[0, 0] = int(state[0, 1]).bit_length() - 1
    for call, says in (
        (lambda: native_schafkopf.order(setting.order, 24), "called is 24; the deck has 24 cards"),
        (
            lambda: native_schafkopf.legal(setting.tables, hands, leads[:2], led_called, seats),
            r"leads must be uint8\[3\]",
        ),
        (lambda: native_schafkopf.legal(setting.tables, hands, leads, led_called, hands), "seats must be"),
        (lambda: native_schafkopf.legal(setting.tables, hands, leads, led_called, seats, threads=0), "threads"),
        (lambda: native_schafkopf.states(setting.tables, state[:, :4], seats[:1] + np.uint8(4)), "leaders row 0"),
        (
            lambda: native_schafkopf.states(setting.tables, state[:, :4], seats[:1], seats[:1] + np.uint8(16)),
            "led_called row 0",
        ),
        (lambda: native_schafkopf.taken(setting.tables, state, wrong), "plays row 0: a card is played that the seat"),
        (lambda: native.random_deals(setting.tables, -1, 1), "lanes"),
        (lambda: native.legal_masks(native.tables(setting.order), state), "states row 0: no such duty"),
    ):
        with pytest.raises(ValueError, match=says):
            call()
    three = state.copy()
    three[0, 5] &= ~np.uint32(1 << 7)  # seat 3 sits out
    with pytest.raises(ValueError, match="states row 0: no such duty"):
        native.legal_masks(setting.tables, three)
    assert native_schafkopf.taken(setting.tables, state, nobody).tolist() == [[0, 0, 0, 0]]


def test_random_words_are_refused_or_played():
    """No 8 words, however wild, may do more harm than an error."""
    rng = np.random.default_rng(3)
    tables = [CALLED[0].tables, SHORT_CALLED.tables]
    for _ in range(1500 * SOAK):
        state = starts(CALLED[0], 1, seed=1)
        state[0, int(rng.integers(8))] = rng.integers(1 << 32)
        plays = rng.integers(256, size=(1, 32), dtype=np.uint8)
        for order in tables:
            with suppress(ValueError):
                native.playouts(order, state, seed=1, plays=True)
                native.legal_masks(order, state)
                native_schafkopf.taken(order, state, plays)
