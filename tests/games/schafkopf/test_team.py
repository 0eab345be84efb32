"""Who plays with whom, and what each play proves: never more than was seen, and never wrong."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from renege.belief.belief import Belief
from renege.core.arbiter import judge
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.facts import AtMost, Came, Fact, Holds, Lacks, OneOf, Void
from renege.core.house_rules import read_rules
from renege.core.position import Course, Position, deal_position
from renege.core.registry import parse_record
from renege.games import schafkopf
from renege.games.schafkopf.memory import Team, partners, team
from renege.games.schafkopf.rules import ANSWER_SEARCH
from support.schafkopf_deals import Deal, deals


def hand_at(deal: Deal, seat: int, trick: int) -> Cards:
    """The hand with which a seat came to a trick."""
    for position in deal.record.positions():
        if position.contract is not None and position.tricks_played == max(trick, 0):
            hand = position.hands[seat]
            assert isinstance(hand, Cards)
            return hand
    raise AssertionError


def holds(fact: Fact, hand: Cards, deal: Deal) -> bool:
    assert deal.end.order is not None
    if isinstance(fact, Void):
        return not deal.end.order.in_suit(hand, fact.suit)
    if isinstance(fact, Lacks):
        return not hand & fact.cards
    if isinstance(fact, AtMost):
        return len(hand & fact.cards) <= fact.most
    if isinstance(fact, OneOf):
        return any(not hand & way.lacks and len(hand & way.holds) >= way.least for way in fact.ways)
    if isinstance(fact, Came):
        return bool(hand & fact.cards)
    assert isinstance(fact, Holds)
    return len(hand & fact.cards) >= fact.least


def test_every_fact_is_true_of_the_hand_it_is_about():
    kinds: Counter[str] = Counter()
    for deal in deals("facts", 6):
        for fact in deal.record.facts():
            assert holds(fact, hand_at(deal, fact.seat, fact.trick), deal), fact
            kinds[f"{type(fact).__name__} {fact.rule}"] += 1
        for seat in range(4):  # what is proved is public: every seat can say it, but for the cards of a Hochzeit
            told = deal.record.view(seat).facts()
            pair = (deal.contract.declarer, deal.contract.partner)
            assert told == deal.record.facts() or (deal.contract.partner is not None and seat not in pair)
    assert {
        "Void schafkopf.follow-suit",
        "Lacks schafkopf.call-ace",
        "Holds schafkopf.call-ace",
        "Lacks schafkopf.answer-search",
        "Lacks schafkopf.no-running",
        "Void schafkopf.hochzeit",
        "Holds schafkopf.sie",
    } <= set(kinds)


def test_a_runner_is_proved_to_have_held_four_when_nobody_answered():
    text = "rufspiel E by 1 | 0: EA EK E9 E8 GO | 1: EZ G7 G8 H7 H8 | 2: S7 S8 S9 H9 HK | 3: G9 GK GZ SZ HZ | 0 leads"
    position = schafkopf.position(text)
    course, known = Course(position), list[tuple[int, ...]]()
    for card in ("E8", "EZ", "S7", "G9"):
        course = replace(course, acts=(*course.acts, course.position.read(card)))
        known.append(partners(blind(course.position)))
    position = course.position
    assert known == [(0, 2, 3), (0, 2, 3), (0, 3), (0,)]
    runs = [fact for fact in course.facts() if isinstance(fact, Holds) and fact.seat == 0]
    assert [(fact.seat, str(fact.rule), fact.least) for fact in runs] == [
        (0, "schafkopf.answer-search", 1),
        (0, "schafkopf.no-running", 4),
    ]
    assert team(blind(position), 0) is Team.DECLARERS
    assert [position.side(seat) for seat in range(4)] == [0, 0, 1, 1]


def blind(position: Position) -> Position:
    """The same with no hand told."""
    return replace(position, hands=tuple(position.game.deck.hidden(len(hand)) for hand in position.hands))


def test_the_partner_is_hidden_until_it_shows_and_then_right():
    shown: Counter[Team] = Counter()
    for deal in deals("team", 6):
        if deal.contract.named.kind != "rufspiel":
            continue
        ace = f"{deal.contract.declaration[-1]}A"
        truth = next(seat for seat in range(4) if ace in deal.hands[seat])
        for viewer in range(4):
            for position in deal.record.view(viewer).positions():
                if position.contract is None:
                    continue
                could = partners(position)
                assert truth in could
                assert deal.contract.declarer not in could
                assert viewer not in could or viewer == truth
                for seat in range(4):
                    side = team(position, seat)
                    shown[side] += 1
                    true = Team.DECLARERS if seat in (truth, deal.contract.declarer) else Team.DEFENDERS
                    assert side in (true, Team.POSSIBLE)
                    assert position.side(seat) == {Team.DECLARERS: 0, Team.DEFENDERS: 1}.get(side)
    assert min(shown[side] for side in (Team.DECLARERS, Team.DEFENDERS, Team.POSSIBLE)) > 100


def test_before_the_ace_shows_only_its_holder_and_nobody_else_knows():
    deal = next(deal for deal in deals("first", 1) if deal.contract.declaration == "rufspiel E")
    truth = next(seat for seat in range(4) if "EA" in deal.hands[seat])
    for viewer in range(4):
        view = deal.record.view(viewer)
        first = next(position for position in view.positions() if position.contract is not None)
        others = [seat for seat in range(1, 4) if seat != viewer]
        assert partners(first) == ((truth,) if viewer == truth else tuple(others))


def test_a_ramsch_has_no_sides_and_a_solo_one_declarer():
    rng = random.Random(0)
    for deal in deals("sides", 1):
        seat = rng.randrange(4)
        if deal.contract.declarer is None:
            assert team(deal.end, seat) is Team.NONE
            assert deal.end.side(seat) == seat
        elif deal.contract.named.alone:
            assert deal.end.side(seat) == (0 if seat == deal.contract.declarer else 1)


RUNNER = """
renege record 1
game schafkopf version 2
rules default
deal dealer 3 score 0 0 0 0 0
0: EA EK E9 E8 GO G8 HO S7
1: EZ EO GU G7 HA HZ SK S9
2: EU GZ HK H9 H8 SZ SO S8
3: E7 GA GK G9 HU H7 SA SU
talk 0 pass | 1 rufspiel | 2 pass | 3 pass | 1 rufspiel E
trick 1: 0 leads E8, EZ, S8, E7
trick 2: 1 leads G7, GZ, GA, G8
trick 3: 3 leads SA, S7, S9, SZ
trick 4: 3 leads HU, HO, EO, H8
trick 5: 1 leads GU, EU, SU, GO
trick 6: 0 leads E9, HA, HK, H7
trick 7: 1 leads HZ, SO, GK, EK
trick 8: 2 leads H9, G9, EA, SK
"""


def test_who_has_run_leads_the_suit_again_and_nothing_false_is_proved():
    record = parse_record(RUNNER)
    assert judge(record)
    for length in range(len(record.acts) + 1):
        so_far = replace(record, acts=record.acts[:length])
        for seat in range(4):
            view = so_far.view(seat)
            for fact in view.facts():
                hand = hand_at(Deal(record, short=False), fact.seat, fact.trick)
                assert holds(fact, hand, Deal(record, short=False)), fact
            assert Belief(view).count() >= 1
    last = record.position
    assert (last.memory.ran, last.memory.ace) == (0, 0)
    assert not last.memory.without & 1
    assert partners(blind(replace(record, acts=record.acts[:-3]).position)) == (0,)


def test_a_renege_of_the_partner_is_his_own_though_it_looks_like_a_run():
    position = schafkopf.position("rufspiel E by 1 | 0: E9 E8 GO | 1: EZ G7 H7 | 2: EA EK S8 | 3: GK GZ HZ | 0 leads")
    course = Course(position)
    for card in ("E9", "EZ", "EK", "GK"):
        course = replace(course, acts=(*course.acts, course.position.read(card)))
    assert course.position.memory.ran == 0  # as it looks
    assert partners(course.position) == (2,)  # as it is
    result = judge(course).result
    assert result is not None
    assert result.score == (20, -20, -20, 20)
    assert judge(replace(course, start=blind(position))).result is None or partners(blind(course.position)) == (0,)


def test_a_stoss_shows_sides():
    answered = schafkopf.position("rufspiel E by 1 stoss 2 3 | 0: EO GO HA HZ GA GK G9 S7 | 0 leads")
    assert partners(blind(answered)) == (3,)
    assert [team(blind(answered), seat) for seat in range(4)] == [
        Team.DEFENDERS, Team.DECLARERS, Team.DEFENDERS, Team.DECLARERS,
    ]  # fmt: skip
    raised = schafkopf.position("rufspiel E by 1 stoss 2 | 0: EO GO HA HZ GA GK G9 S7 | 0 leads")
    assert partners(blind(raised)) == (0, 3)
    assert partners(raised) == (3,)  # seat 0 sees that it has it not
    start = schafkopf.position("rufspiel E by 1 | 0: EO GO HA HZ GA GK G9 S7 | 0 leads")
    course = Course(start, (Act(2, "stoss"), Act(3, "stoss")))
    facts = [(type(fact).__name__, fact.seat) for fact in course.facts() if str(fact.rule) == "schafkopf.stoss"]
    assert facts == [("Lacks", 2), ("Holds", 3)]
    known = Course(schafkopf.position("rufspiel E by 1 | 0: EO GO HA | memory ace 3 | 0 leads"), (Act(2, "stoss"),))
    assert not [fact for fact in known.facts() if str(fact.rule) == "schafkopf.stoss"]


def test_before_a_contract_nobody_has_a_side():
    first = next(deals("none", 1)).record.start
    assert [first.side(seat) for seat in range(4)] == [None] * 4
    assert team(first, 0) is Team.NONE


@pytest.mark.parametrize(
    ("house", "calls", "proved"),
    [
        ({}, ["rufspiel", "wenz", "pass", "pass", "pass", "wenz"], [("OneOf", 0)]),
        ({}, ["hochzeit", "wenz", "pass", "pass", "pass", "wenz"], [("Holds", 0), ("AtMost", 0)]),
        ({"all_pass": "old-must"}, ["pass"] * 4 + ["no", "old"], [("Lacks", 0), ("Holds", 1)]),
        ({}, ["hochzeit", "pass", "pass", "pass", "hochzeit", "accept"], [("Holds", 0), ("AtMost", 0), ("Holds", 1)]),
    ],
)  # fmt: skip
def test_what_the_talk_proves(house: dict[str, str], calls: list[str], proved: list[tuple[str, int]]):
    game = schafkopf.game(read_rules(schafkopf.Rules(), house))
    hidden = tuple(game.deck.hidden(8) for _ in range(4))
    course = Course(deal_position(game, game.opening, hidden))
    for call in calls:
        course = replace(course, acts=(*course.acts, course.position.read(call)))
    assert [(type(fact).__name__, fact.seat) for fact in course.facts()] == proved


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("rufspiel E by 2 stoss 0 | 0 leads", (1, 2, 3)),  # nobody answers his own
        ("rufspiel E by 2 stoss 1 3 | 0 leads", (0, 1)),  # who answered is the partner, the others may go on
        ("rufspiel E by 2 stoss 1 | memory without 0 | 0 leads", (2, 3)),  # who lacks the ace does not answer
        ("rufspiel E by 2 stoss 1 | memory without 03 | 0 leads", (2,)),
        ("rufspiel E by 2 | 0 leads", (0, 1, 3)),
    ],
)
def test_hands_hidden_the_public_decides_who_may_raise(text: str, seats: tuple[int, ...]):
    assert schafkopf.position(text).speakers == seats


def test_who_has_run_proves_nothing_by_not_answering():
    start = schafkopf.position("rufspiel E by 3 | led E8 | 1: EA EK GO | 0 leads | memory leaders 01; ran 1")
    course = Course(start)
    course = replace(course, acts=(course.position.read("EK"),))
    ran = Holds(1, 0, ANSWER_SEARCH, schafkopf.LONG.cards("EA"), 1)  # as the memory says
    assert [fact for fact in course.facts() if fact.seat == 1] == [ran]
