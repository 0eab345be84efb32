"""Tractor through the whole machine: showing trumps, the kitty, throws, records, views."""

import os
import random
from dataclasses import replace

import pytest

from reference import tractor as reference
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards, Hidden
from renege.core.deal_state import Act
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position
from renege.core.record import GameRecord, Record, new_record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games import tractor
from renege.games.testing import check_game
from renege.games.tractor.declare import Drawing
from renege.games.tractor.rules import Rules

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))


def choose(position: Position, rng: random.Random) -> str | Play:
    """Anything legal; the banker buries any eight cards."""
    if not position.talking:
        return position.legal_plays.choose(rng)
    calls = position.legal_calls
    if calls[0].startswith("bury"):
        assert isinstance(position.hand, Cards)
        return "bury " + str(tractor.DECK.cards(rng.sample(list(position.hand), 8)))
    return rng.choice(calls)


def rules(**choices: str) -> Rules:
    return read_rules(Rules(), choices)


@pytest.mark.parametrize(
    "house",
    [
        {},
        {"throw_comparison": "all-units", "shorter_runs": "not-owed"},
        {"throw_comparison": "highest-card", "stopped_throw": "first-found"},
        {"stopped_throw": "refused", "trump_throws": "forbidden", "level_gap": "breaks"},
        {"throw_test": "public-info", "no_call": "redeal"},
        {"no_call": "turn-kitty"},
        {"follow_duty": "suit-only", "no_trump": "jokers-only", "kitty_multiplier": "twice-cards"},
    ],
    ids=lambda house: " ".join(house.values()) or "default",
)
def test_tractor_conforms_under_every_kind_of_house_rule(house: dict[str, str]) -> None:
    report = check_game(tractor.game(rules(**house)), deals=2 * SOAK, choose=choose)
    assert report.acts > 40


def table(*calls: tuple[int, str], seed: int = 3, standing: Standing | None = None) -> Arbiter:
    made = Arbiter(tractor.game(), seed, standing)
    for seat, call in calls:
        assert made.act(seat, call), call
    return made


def first_holding(card: str, copies: int) -> tuple[int, int]:
    """A seed and a seat that holds so many copies of a card."""
    kind = tractor.DECK.spellings[card]
    for seed in range(200):
        hands, _ = tractor.game().deal(seed)
        for seat, hand in enumerate(hands):
            if hand.count(kind) == copies:
                return seed, seat
    raise AssertionError(card)


def test_any_seat_may_show_and_in_the_first_deal_it_gets_the_bank() -> None:
    seed, seat = first_holding("S2", 2)
    others = [other for other in range(4) if other != seat]
    made = table((seat, "show S2 S2"), *((other, "pass") for other in others), seed=seed)
    assert made.position.turn == seat
    made.act(seat, "take")
    hand = made.position.hands[seat]
    assert isinstance(hand, Cards)
    assert len(hand) == 33
    made.act(seat, f"bury {tractor.DECK.cards(sorted(hand)[:8])}")
    assert str(made.position).startswith(f"trump S2 by {seat}")
    assert made.position.turn == seat
    for other in others:
        assert isinstance(made.view(other).position.kitty, Hidden)
        assert "bury 8 cards" in str(made.view(other))
    assert made.view(seat).position.kitty == made.position.kitty


def test_later_in_a_game_the_bank_is_where_the_last_deal_left_it() -> None:
    seed, seat = first_holding("S7", 1)
    made = table((seat, "show S7"), seed=seed, standing=Standing((seat + 1) % 4, (7, 7, 5)))
    for other in range(4):
        if other != seat:
            made.act(other, "pass")
    assert made.position.turn == (seat + 1) % 4
    assert isinstance(made.position.talk, Drawing)
    assert made.position.talk.level == "7"


def test_a_showing_must_be_stronger_and_a_seat_strengthens_its_own_suit_alone() -> None:
    talk = Drawing(Rules(), 0, (2, 2), first=True)
    hand = tractor.DECK.all
    talk = talk.by(1).after("show H2")
    assert talk.by(2).objection("show S2", hand) is not None
    assert talk.by(2).objection("show S2 S2", hand) is None
    assert talk.by(2).objection("show LJ LJ", hand) is None
    assert talk.by(2).objection("show LJ", hand) is not None
    assert talk.by(2).objection("show H3 H3", hand) is not None
    talk = talk.by(2).after("show C2 C2").by(1).after("show LJ LJ")
    assert talk.by(3).objection("show BJ BJ", hand) is None
    assert talk.by(3).objection("show D2 D2", hand) is not None
    assert talk.by(1).objection("pass", hand) is not None
    assert "pass" not in talk.by(1).calls(hand)  # who has shown last has nothing to pass, and is not offered it
    talk = Drawing(Rules(), 0, (2, 2), first=True).by(2).after("show S2")
    assert talk.turn == 0
    assert talk.by(2).objection("show S2 S2", hand) is None
    assert talk.by(2).objection("show H2 H2", hand) is not None
    talk = talk.by(0).after("pass").by(2).after("show S2 S2")
    assert talk.speakers == (0, 1, 3, 2)  # all may answer what was strengthened
    with pytest.raises(ValueError, match="no right"):
        talk.by(0).after("pass").by(0)


def test_where_nobody_shows_there_is_no_trump_suit_or_a_new_deal() -> None:
    passes = [(seat, "pass") for seat in range(4)]
    made = table(*passes, (0, "take"))
    assert made.position.turn == 0
    turned = Arbiter(tractor.game(rules(no_call="turn-kitty")), 3)
    for seat, call in passes:
        turned.act(seat, call)
    call = turned.position.legal_calls[0]
    for act in (call, "take"):
        turned.act(0, act)
    turned.act(0, turned.position.legal_calls[0])
    assert turned.position.contract is not None
    assert turned.position.contract.declaration == f"{call[5]}2"
    redeal = Arbiter(tractor.game(rules(no_call="redeal")), 3)
    for seat, call in passes:
        redeal.act(seat, call)
    assert redeal.position.over
    assert redeal.position.result is None


def test_what_is_buried_must_be_eight_cards_of_the_hand() -> None:
    made = table(*((seat, "pass") for seat in range(4)), (0, "take"))
    hand = made.position.hands[0]
    assert isinstance(hand, Cards)
    verdict = made.act(0, f"bury {tractor.DECK.cards(sorted(hand)[:7])}")
    assert verdict.rule is not None
    assert verdict.rule.id == "tractor.bury"
    with pytest.raises(NotationError):
        made.act(0, "bury 8 cards")
    with pytest.raises(WrongPhase):
        made.act(1, "pass")


def test_a_game_goes_on_to_the_ace_and_its_record_reads_back() -> None:
    game, rng = tractor.game(), random.Random(4)
    record = GameRecord(game)
    while record.winner is None and len(record.deals) < 3:
        made = Arbiter.resume(new_record(game, len(record.deals), record.standing))
        while (seat := made.position.turn) is not None:
            made.act(seat, choose(made.position, rng))
        assert judge(made.record)
        record = GameRecord(game, (*record.deals, made.record))
    levels = record.standing.score
    assert levels[2] == 3
    assert max(levels[:2]) >= 2


def careless(house: Rules, seed: int) -> Record:
    """A deal at S2 of which every lead is one card, and every follow any card of the hand."""
    rng = random.Random(seed)
    game = tractor.game(house)
    record = new_record(game, seed)
    position = replace(record.start, talk=None).begun(tractor.Bank("S2", 0, 0))
    start, acts = position, list[Act]()
    while not position.over:
        assert position.turn is not None and isinstance(position.hand, Cards)
        play = Play(tractor.DECK.of(1 << rng.choice(list(position.hand))))
        acts.append(Act(position.turn, play))
        position = position.then(acts[-1])
    return Record(start, tuple(acts))


def attackers(record: Record) -> int:
    """The attackers' points as the judge finds them, from its text."""
    result = judge(record).result
    assert result is not None
    return int(result.text.split(",")[0].removeprefix("attackers "))


def recounted(record: Record) -> int:
    """The same by hand: who reneged takes no trick; seats 1 and 3 attack; the kitty counts twice for the last trick."""
    total, taker, table = 0, 0, list[tuple[int, str]]()
    hands = [str(hand).split() for hand in record.start.hands]
    worth = {"5": 5, "T": 10, "K": 10}
    for act in record.acts:
        table.append((act.seat, str(act.what)))
        if len(table) < 4:
            continue
        led = reference.suit(table[0][1], "S2")
        best = table[0]
        for seat, card in table[1:]:
            suit = reference.suit(card, "S2")
            reneges = suit != led and any(reference.suit(held, "S2") == led for held in hands[seat])
            ours, theirs = reference.suit(best[1], "S2"), reference.step(best[1], "S2")
            beats = reference.step(card, "S2") > theirs if suit == ours else suit == "T"
            best = (seat, card) if beats and not reneges else best
        taker = best[0]
        total += sum(worth.get(card[1], 0) for _, card in table) * (taker % 2)
        for seat, card in table:
            hands[seat].remove(card)
        table = []
    kitty = sum(worth.get(str(tractor.DECK.of(1 << card))[1], 0) for card in tractor.DECK.all - _dealt(record))
    return total + 2 * kitty * (taker % 2)


def _dealt(record: Record) -> Cards:
    return parse_cards(tractor.DECK, " ".join(map(str, record.start.hands)))


def test_a_renege_found_in_a_record_wins_nothing_or_is_fined_or_stands() -> None:
    differ = 0
    for seed in range(5):
        cannot, stands = careless(rules(), seed), careless(rules(renege_found="stands"), seed)
        fined, refused = careless(rules(renege_found="penalty"), seed), careless(rules(renege_found="refused"), seed)
        first = judge(cannot).breaches[0]
        assert attackers(cannot) == recounted(cannot)
        assert stands.position.result == judge(stands).result
        assert attackers(fined) == max(0, attackers(stands) + (40 if first.seat % 2 == 0 else -40))
        assert judge(refused).result is None
        differ += attackers(cannot) != attackers(stands)
    assert differ >= 3
