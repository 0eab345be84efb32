"""What a renege costs, against the reference: deals in which somebody plays a tile that may not be played."""

import itertools
import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from reference import texas42 as reference
from renege import judge, parse_record, texas42
from renege.ask.serve import reply
from renege.core.cards import Cards
from renege.core.house_rules import read_rules
from renege.core.position import deal_position
from renege.core.record import Record, new_record
from renege.core.trick import Play
from renege.games.texas42.rules import EarlyEnd, RenegePenalty, Rules
from renege.games.texas42.score import punished
from support.steering import CONTRACTS, SOAK, deals_for, steer
from support.texas42_scores import score_question


def reneged(rules: Rules, contract: tuple[str, str], rng: random.Random) -> tuple[Record, int | None]:
    """A deal in which a seat reneges now and then, and the first that does."""
    game = texas42.game(rules)
    choose, offender = steer(*contract), None
    record = new_record(game, next(deals_for(contract[0], game, rng.randrange(1000))))
    position = record.position
    while position.turn is not None:
        what = choose(position, rng)
        if isinstance(what, Play) and rng.random() < 0.1:
            assert isinstance(position.hand, Cards)
            wrong = [card for card in position.hand if Play(texas42.DECK.of(1 << card)) not in position.legal_plays]
            if wrong:
                offender = position.turn if offender is None else offender
                what = Play(texas42.DECK.of(1 << rng.choice(wrong)))
        act = position.read(what)
        position, record = position.then(act), record.with_act(act)
    return record, offender


MORE = ("hand-and-mark", "hand-and-two-marks")


def test_the_hand_and_marks_are_paid_as_the_rule_says():
    """Each deal is played once, and punished by every choice in either kind of game."""
    rng, found = random.Random(42), Counter[bool]()
    for number in range(100 * SOAK):
        plain = Rules(early_end=EarlyEnd.PLAY_ON, renege_penalty=RenegePenalty.NONE)
        record, offender = reneged(plain, CONTRACTS[number % len(CONTRACTS)], rng)
        judgement = judge(record)
        assert next((breach.seat for breach in judgement.breaches), None) == offender
        found[offender is None] += 1
        if offender is None:
            continue
        bids = [str(act.what) for act in record.acts[:4]]
        hands = [[reference.TILES[card] for card in hand] for hand in record.start.hands if isinstance(hand, Cards)]
        standing = reference.auction(hands, record.start.standing.dealer, bids)
        assert standing is not None
        for penalty, scoring in itertools.product(MORE, ["marks", "points"]):
            rules = read_rules(plain, {"renege_penalty": penalty, "scoring": scoring})
            paid = reference.paid_for_a_renege(penalty, standing, offender, (0, 0), in_points=scoring == "points")
            result = punished(replace(record.position, game=texas42.game(rules)), offender)
            assert result is not None
            assert result.score == paid * 2, (str(record), offender, penalty, scoring)
            assert result.text.startswith(f"renege by {offender}, the hand and ")
            if number % 10 == 0:
                dealt = deal_position(texas42.game(rules), record.start.standing, record.start.hands)
                house = Record(dealt, record.acts)
                assert judge(house).result == result
                assert parse_record(str(house)) == house  # the judge's line is read back and checked
                marks = reference.paid_for_a_renege(penalty, standing, offender, (0, 0))
                check_ask(house, penalty, scoring, paid, marks)
    assert min(found.values()) > 5 * SOAK


def check_ask(record: Record, penalty: str, scoring: str, paid: tuple[int, int], marks: tuple[int, int]) -> None:
    """The same from `ask score`: the marks always, and the points where they are played for."""
    question = score_question(record, renege_penalty=penalty, scoring=scoring)
    said_so = json.loads(reply(json.dumps(question).encode())[0])
    assert said_so["marks"] == list(marks)
    assert said_so["renege"] is not None
    if scoring == "points":
        assert said_so["score"] == list(paid)


@pytest.mark.parametrize("penalty", [choice.value for choice in RenegePenalty])
def test_reference_a_renege_against_two_marks(penalty: str):
    standing = reference.Standing(seat=1, bid="2 marks", marks=2)
    expected = {"none": (0, 2), "lose-hand": (2, 0), "two-marks": (2, 0)}
    more = {"hand-and-mark": (3, 0), "hand-and-two-marks": (4, 0)}
    assert reference.paid_for_a_renege(penalty, standing, 3, (0, 2)) == (expected | more)[penalty]
