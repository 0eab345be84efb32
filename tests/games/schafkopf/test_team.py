"""Who plays with whom, and what each play proves: never more than was seen, and never wrong."""

import random
from collections import Counter
from dataclasses import replace

from renege.cards import Cards
from renege.facts import AtMost, Fact, Holds, Lacks, Unproved, Void
from renege.games import schafkopf
from renege.games.schafkopf.team import Team, partners, team
from renege.position import Position
from renege.view import Course
from schafkopf_deals import Deal, deals


def hand_at(deal: Deal, seat: int, trick: int) -> Cards:
    """The hand with which a seat came to a trick."""
    for position in deal.record.positions():
        if position.contract is not None and sum(position.tricks) == max(trick, 0):
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
    assert isinstance(fact, Holds)
    return len(hand & fact.cards) >= fact.least


def test_every_fact_is_true_of_the_hand_it_is_about():
    kinds: Counter[str] = Counter()
    for deal in deals("facts", 6):
        for fact in deal.record.facts():
            if isinstance(fact, Unproved):
                continue
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
