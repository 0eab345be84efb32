"""What calls and plays prove of Tractor hands: never wrong, and all there is to know.

Whole deals are played at random, and every fact is held against the real hands. Small positions are played for a trick
or two, and every way to deal the hidden cards is held against the facts and against the referee: they must agree.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from renege.core.cards import Cards, kinds_in
from renege.core.deal_state import Act
from renege.core.facts import TALK, Allows, Beats, Fact, FewPairs, Holds, Lacks, NoRun, Stopped, Unproved, Void
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.order import Order
from renege.core.position import Course, Position
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import (
    FOLLOW_LONGER_RUN,
    FOLLOW_PAIR,
    FOLLOW_RUN,
    FOLLOW_SUIT,
    THROW_STOPPED,
    FollowDuty,
    NoCall,
    Rules,
)
from renege.games.tractor.units import led_shape
from support.steering import SOAK, play_out
from support.tractor_scenes import Scene, scenes, some_lead, told
from support.tractor_turns import cards

HOUSES: list[dict[str, str]] = [
    {},
    {"shorter_runs": "not-owed"},
    {"stopped_throw": "first-found", "level_gap": "breaks"},
    {"stopped_throw": "refused", "trump_throws": "forbidden"},
    {"throw_test": "public-info"},
    {"no_call": "turn-kitty"},
    {"follow_duty": "suit-only", "no_trump": "jokers-only"},
    {"follow_duty": "tractors-protected"},
    {"shorter_runs": "all-owed", "throw_test": "opponents", "new_deal": "either"},
]


def holds(fact: Fact, order: Order, hands: Sequence[Cards], buried: Cards) -> bool:
    """Is a fact true of the hands? Read from what the facts say of themselves, and slowly."""
    if isinstance(fact, Beats):
        return any(
            has_above(fact.suit, (fact.length, fact.above, fact.each), order, hands[seat]) for seat in fact.seats
        )
    if isinstance(fact, Stopped):
        units = (*fact.smaller, fact.led, *fact.larger)  # the smallest first
        beaten = ([has_above(fact.suit, unit, order, hands[seat]) for unit in units] for seat in fact.seats)
        return next((one.index(True) for one in beaten if any(one)), None) == len(fact.smaller)
    hand = hands[fact.seat]
    names = [DECK.names[card] for card in hand]
    if isinstance(fact, Void):
        return all(order.led_suit[card] != fact.suit for card in hand)
    if isinstance(fact, Lacks):
        return not set(names) & set(str(fact.cards).split())
    if isinstance(fact, Holds):
        names += [DECK.names[card] for card in buried] if fact.or_buried else []
        return sum(name in str(fact.cards).split() for name in names) >= fact.least
    twice = {name for name in names if names.count(name) == 2}
    if isinstance(fact, FewPairs):
        return len(twice & set(str(fact.cards).split())) <= fact.most
    if isinstance(fact, Allows):
        names += [DECK.names[card] for card in buried] if fact.or_buried else []
        enough = {name for name in names if names.count(name) >= fact.copies}
        return fact.allowed(sum(1 << DECK.spellings[name] for name in enough & set(str(fact.cards).split())))
    assert isinstance(fact, NoRun)
    steps = [{DECK.names[card] for card in kinds_in(step)} for step in order.steps[fact.suit]]
    tops = range(max(fact.above + 1, fact.length - 1), len(steps))
    return not any(all(twice & step for step in steps[top - fact.length + 1 : top + 1]) for top in tops)


def has_above(suit: int, unit: tuple[int, int, int], order: Order, hand: Cards) -> bool:
    """Has a hand so many steps on end, each with the cards that it takes, the last of them above?"""
    length, above, each = unit
    names = [DECK.names[card] for card in hand]
    enough = {name for name in names if names.count(name) >= each}
    steps = [{DECK.names[card] for card in kinds_in(step)} for step in order.steps[suit]]
    tops = range(max(above + 1, length - 1), len(steps))
    return any(all(enough & step for step in steps[top - length + 1 : top + 1]) for top in tops)


def label(fact: Fact) -> str:
    return f"{type(fact).__name__} {str(fact.rule).removeprefix('tractor.')}"


# -- by example

HEARTS = 2


def course(line: str, *plays: str, **house: str) -> Course:
    """Play from a position without hands: all that is proved is public."""
    start = tractor.position(line, read_rules(Rules(), house))
    whole = Course(start)
    for play in plays:
        position = whole.position
        assert position.order is not None and position.turn is not None
        whole = replace(whole, acts=(*whole.acts, Act(position.turn, position.game.read_play(play, position.order))))
    return whole


def kinds(text: str) -> Cards:
    return DECK.of(cards(text).kinds)


def test_what_a_follow_does_not_give_the_hand_did_not_have():
    hearts = kinds("HA HK HQ HJ HT H9 H8 H7 H6 H5 H4 H3")
    played = course("trump S2", "H5 H5 H6 H6", "HK HK HQ HJ", "H8 H8 HT HT", "H9 C3 C4 C5")
    assert played.facts() == (
        FewPairs(1, 0, FOLLOW_PAIR, hearts, 1),
        NoRun(2, 0, FOLLOW_RUN, HEARTS, 2),
        Void(3, 1, FOLLOW_SUIT, HEARTS),
    )
    longer = "trump S2", "H5 H5 H6 H6 H7 H7", "H8 H8 H9 H9 HK HK"
    assert course(*longer).facts() == (NoRun(1, 0, FOLLOW_LONGER_RUN, HEARTS, 3),)
    assert course(*longer, shorter_runs="not-owed").facts() == (NoRun(1, 0, FOLLOW_RUN, HEARTS, 3),)
    assert course(*longer, follow_duty="suit-only").facts() == ()


def test_where_further_runs_are_owed_what_did_not_come_is_no_run():
    led, two = "H3 H3 H4 H4 H5 H5 H6 H6", "H8 H8 H9 H9 HJ HJ HK HK"
    one = course("trump S2", led, two, shorter_runs="owed")
    assert one.facts() == (NoRun(1, 0, FOLLOW_LONGER_RUN, HEARTS, 3),)
    longer, both = course("trump S2", led, two, shorter_runs="all-owed").facts()  # nor two runs of two
    assert longer == NoRun(1, 0, FOLLOW_LONGER_RUN, HEARTS, 3)
    assert isinstance(both, Allows) and both.allowed(cards("H8 H9 HJ HK").kinds)
    assert not both.allowed(cards("H8 H9 HJ HQ").kinds)
    both = course("trump S2", led, "H8 H8 H9 H9 HJ HJ HQ HQ", shorter_runs="all-owed")
    assert both.facts() == (NoRun(1, 0, FOLLOW_LONGER_RUN, HEARTS, 3),)
    none = course("trump S2", led, "H8 H8 HT HT HQ HQ HA HA", shorter_runs="all-owed")
    assert none.facts() == (NoRun(1, 0, FOLLOW_RUN, HEARTS, 2),)


def test_where_tractors_are_protected_pairs_that_did_not_come_may_be_in_them():
    house = {"follow_duty": "tractors-protected"}
    assert course("trump S2", "H5 H5", "HK HQ", **house).facts() == (Unproved(1, 0, FOLLOW_PAIR),)
    assert course("trump S2", "H5 H5", "HK HK", **house).facts() == ()
    played = course("trump S2", "H5 H5 H6 H6", "HK HK HQ HJ", **house).facts()
    assert played == (NoRun(1, 0, FOLLOW_RUN, HEARTS, 2), Unproved(1, 0, FOLLOW_PAIR))


def test_what_a_partner_cannot_stop_says_nothing_of_the_partner():
    facts = course("trump S2", "HK HQ", throw_test="opponents").facts()
    assert {fact.seat for fact in facts} == {1, 3}
    assert set(map(type, facts)) == {Lacks}


def test_the_grouping_that_a_leader_names_is_what_a_follower_answers():
    together, apart = "H5 H5 H6 H6", "H5 H5 + H6 H6"
    assert NoRun(1, 0, FOLLOW_RUN, HEARTS, 2) in course("trump S2", together, "H8 H8 HT HT").facts()
    assert not [fact for fact in course("trump S2", apart, "H8 H8 HT HT").facts() if fact.rule is FOLLOW_RUN]


def test_two_runs_answered_by_one_are_no_run_of_four_and_more_that_is_not_said():
    played = course("trump S2", "HA HA HK HK HJ HJ HT HT", "H3 H3 H4 H4 H6 H6 H8 H8", throw_test="public-info")
    no_four, two = played.facts()[-2:]
    assert no_four == NoRun(1, 0, FOLLOW_RUN, HEARTS, 4)
    assert isinstance(two, Allows) and (two.seat, two.trick, two.rule) == (1, 0, FOLLOW_RUN)
    assert two.allowed(cards("H3 H4 H6 H8 HT").kinds) and not two.allowed(cards("H3 H4 H6 H7").kinds)


def test_a_throw_that_stands_was_beaten_by_nobody():
    facts = course("trump S2", "HK HK HQ").facts()
    assert [fact for fact in facts if fact.seat == 3] == [
        FewPairs(3, 0, THROW_STOPPED, kinds("HA"), 0),
        Lacks(3, 0, THROW_STOPPED, kinds("HA HK")),
    ]
    known = course("trump S2", "HK HK HQ", throw_test="public-info").facts()
    assert known == (Holds(0, 0, THROW_STOPPED, kinds("HA"), 2, or_buried=True),)


def test_one_of_the_others_stops_a_throw_until_a_play_shows_who():
    lead = "trump S2", "H9 H9 of HK H9 H9"
    someone = Beats(0, 0, THROW_STOPPED, (1, 2, 3), HEARTS, 1, 6, 2)
    proved = [
        Holds(0, 0, THROW_STOPPED, kinds("HK"), 1),
        *(Lacks(seat, 0, THROW_STOPPED, kinds("HA")) for seat in (1, 2, 3)),  # or the king would have been led
    ]
    assert course(*lead).facts() == (*proved, someone)
    assert course(*lead, "H3 H3", "H5 H5").facts() == (*proved, someone)
    assert course(*lead, "H3 H3", "HT HT").facts() == (*proved,)
    first = course(*lead, "H3 H3", "HT HT", stopped_throw="first-found").facts()
    # seat 1 may have beaten it too, and then nobody else was asked
    in_turn = Stopped(0, 0, THROW_STOPPED, (1, 2, 3), HEARTS, (1, 6, 2), ((1, 10, 1),), ())
    assert first == (*proved[:2], someone, in_turn)


def test_a_stopped_throw_is_remembered_as_it_was_grouped():
    # as three tractors of two pairs the low one is the smallest; the greatest shape would have a lone pair before it
    line = "trump S2 | 0: S5 S5 S6 S6 SA SA H2 H2 C2 C2 S2 S2 | 1: S8 S8 S9 S9 LJ LJ C3 C4 C5 C6 C7 C8"
    after = tractor.position(line).play("S5 S5 S6 S6 + SA SA H2 H2 + C2 C2 S2 S2")
    assert after.trick is not None and after.trick.lead is not None
    assert str(after.trick.lead.cards) == "S6 S6 S5 S5"
    assert after.order is not None
    said = after.game.write_play(after.trick.lead, after.order)
    assert said == "S6 S6 S5 S5 of S6 S6 S5 S5 + SA SA H2 H2 + S2 S2 C2 C2"
    assert after.game.read_play(said, after.order) == after.trick.lead
    assert {type(fact) for fact in course("trump S2", said).facts()} == {Holds, Beats}
    whole = course("trump S2", f"{after.trick.lead.cards} of {after.trick.lead.tried}")
    assert FewPairs in {type(fact) for fact in whole.facts()}  # not grouped, the lone pair was not beaten


# -- whole deals


def choose(position: Position, rng: random.Random) -> str | Play:
    if not position.talking:
        assert position.trick is not None
        return position.legal_plays.choose(rng) if position.trick.plays else some_lead(position, rng)
    calls = [call for call in position.legal_calls if call != "redeal"]
    if calls[0].startswith("bury"):
        return "bury " + str(DECK.cards(rng.sample(list(told(position.hand)), 8)))
    silent = position.game.rules.no_call is NoCall.TURN_KITTY  # or the kitty would hardly ever name trumps
    return calls[0] if silent and calls[0] == "pass" else rng.choice(calls)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: " ".join(house.values()) or "default")
def test_every_fact_is_true_of_the_real_hand_and_every_seat_can_say_it(house: dict[str, str]):
    game = tractor.game(read_rules(Rules(), house))
    found: Counter[str] = Counter()
    for seed in range(8 * SOAK):
        standing = Standing(seed % 4, (2 + seed % 13, 2 + seed % 7, seed % 3))
        record = play_out(game, seed, choose, standing)
        end, facts = record.position, record.facts()
        assert end.order is not None
        hands = {TALK: record.start.hands}
        for position in record.positions():
            if position.contract is not None:
                hands.setdefault(position.tricks_played, position.hands)
        for fact in facts:
            found[label(fact)] += 1
            held = [told(hand) for hand in hands[fact.trick]]
            assert isinstance(fact, Unproved) or holds(fact, end.order, held, told(end.kitty)), (seed, fact)
        for seat in range(4):
            assert record.view(seat).facts() == facts
            part = replace(record, acts=record.acts[: len(record.acts) // 2])
            assert part.view(seat).facts() == part.facts()
    assert found["Void follow-suit"]
    assert found["Holds show"] or house.get("no_call")
    assert found["Holds turn-up"] or not house.get("no_call")
    assert bool(found["FewPairs follow-pair"]) == (house.get("follow_duty") is None)
    assert found["Lacks throw-stopped"] or house.get("throw_test") == "public-info"


def test_a_turned_up_card_that_is_not_of_the_level_says_what_else_lay_there():
    game = tractor.game(read_rules(Rules(), {"no_call": "turn-kitty"}))
    level = cards("S2 H2 D2 C2").kinds
    seed = next(seed for seed in range(9999) if not game.deal(seed)[1].kinds & level)
    record = play_out(game, seed, choose)
    one, eight = (fact for fact in record.facts() if label(fact) == "Holds turn-up")
    assert isinstance(one, Holds) and isinstance(eight, Holds)
    assert (one.least, eight.least, one.or_buried, eight.or_buried) == (1, 8, True, True)
    assert one.cards <= told(record.start.kitty)
    assert not told(record.start.kitty).kinds & ~eight.cards.kinds
    assert not level & eight.cards.kinds


# -- small positions, every deal


class Referee:
    """Would every play have been taken, and come to the same, from other hands?"""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.since = [scene.since(i) for i in range(len(scene.said))]
        self.throws = [i for i in range(len(scene.said)) if self._is_throw(i)]
        self.others = [i for i in range(len(scene.said)) if i not in self.throws]
        self.answers: dict[tuple[int, Cards], bool] = {}

    def accepts(self, deal: tuple[Cards, ...]) -> bool:
        # a throw is about all hands; of any other play nobody's hand matters but that of its seat, asked once for each
        alone = all(self._accepts_from(i, deal) for i in self.others)
        return alone and all(self._judge(self._with(i, deal), i) for i in self.throws)

    def _is_throw(self, i: int) -> bool:
        position = self.scene.positions[i]
        assert position.order is not None and position.trick is not None
        return position.trick.lead is None and led_shape(position.order, self.scene.said[i]).is_throw

    def _with(self, i: int, deal: tuple[Cards, ...]) -> Position:
        hands = [pile + more for pile, more in zip(deal, self.since[i], strict=True)]
        return replace(self.scene.positions[i], hands=tuple(hands[:4]), kitty=hands[4])

    def _accepts_from(self, i: int, deal: tuple[Cards, ...]) -> bool:
        seat = self.scene.course.acts[i].seat
        key = i, deal[seat]
        if key not in self.answers:
            hidden = tuple(
                pile if s == seat else DECK.hidden(len(pile)) for s, pile in enumerate(self._with(i, deal).hands)
            )
            self.answers[key] = self._judge(replace(self.scene.positions[i], hands=hidden), i)
        return self.answers[key]

    def _judge(self, position: Position, i: int) -> bool:
        said, act = self.scene.said[i], self.scene.course.acts[i]
        held = said.cards <= told(position.hand)  # a throw may show more than was led in the end
        return held and position.judge(said).legal is True and position.read(said) == act

    def replays(self, deal: tuple[Cards, ...]) -> bool:
        """The same without short cuts: the whole course again from those hands."""
        position = self._with(0, deal)
        for i, said in enumerate(self.scene.said):
            if not self._judge(position, i):
                return False
            position = position.play(said)
        return True


class Witness:
    """Are all the facts true of other hands?"""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.facts = [fact for fact in scene.course.facts() if not isinstance(fact, Unproved)]
        start = {position.tricks_played: i for i, position in reversed(list(enumerate(scene.positions)))}
        self.since = [scene.since(start.get(fact.trick, len(scene.said))) for fact in self.facts]
        self.answers: dict[tuple[int, tuple[Cards, ...]], bool] = {}

    def accepts(self, deal: tuple[Cards, ...]) -> bool:
        return all(self._accepts(i, deal) for i in range(len(self.facts)))

    def _accepts(self, i: int, deal: tuple[Cards, ...]) -> bool:
        fact, order = self.facts[i], self.scene.positions[0].order
        assert order is not None
        seats = fact.seats if isinstance(fact, Beats | Stopped) else (fact.seat,)
        key = i, (*(deal[seat] for seat in seats), deal[4])
        if key not in self.answers:
            hands = [hand + more for hand, more in zip(deal[:4], self.since[i], strict=False)]
            self.answers[key] = holds(fact, order, hands, deal[4])
        return self.answers[key]


@dataclass
class Tally:
    scenes: int = 0
    deals: int = 0
    left: int = 0


def check_unproved(scene: Scene, fact: Unproved) -> None:
    """Only this says more than the facts: pairs that were owed if they lay in no tractor."""
    assert fact.rule is FOLLOW_PAIR
    assert scene.course.game.rules.follow_duty is FollowDuty.TRACTORS_PROTECTED


def compare(scene: Scene, tally: Tally, found: Counter[str]) -> None:
    """Hold every deal against the facts and against the referee."""
    referee, witness = Referee(scene), Witness(scene)
    facts = scene.course.facts()
    found.update(map(label, facts))
    unproved = [fact for fact in facts if isinstance(fact, Unproved)]
    for fact in unproved:
        check_unproved(scene, fact)
    samples: dict[bool, tuple[Cards, ...]] = {}
    true_deal = False
    for deal in scene.deals():
        tally.deals += 1
        true_deal = true_deal or deal == scene.rest
        lawful, proved = referee.accepts(deal), witness.accepts(deal)
        samples.setdefault(lawful, deal)
        tally.left += lawful
        assert proved or not lawful, explain(scene, deal, "the facts exclude a lawful deal")
        assert lawful or unproved or not proved, explain(scene, deal, "the facts let an unlawful deal through")
    assert true_deal
    for lawful, deal in samples.items():
        assert referee.replays(deal) == lawful, explain(scene, deal, "two ways to ask the referee")
    tally.scenes += 1


def explain(scene: Scene, deal: tuple[Cards, ...], what: str) -> str:
    assert scene.positions[0].order is not None
    plays = [scene.course.game.write_play(play, scene.positions[0].order) for play in scene.said]
    lines = [what, str(scene.course.start.game.rules), str(scene.course), f"said {' | '.join(plays)}"]
    return "\n".join([*lines, f"deal {' | '.join(map(str, deal))}", *map(str, scene.course.facts())])


PROVED = {
    "units": {"Void follow-suit", "FewPairs follow-pair", "NoRun follow-run", "NoRun follow-longer-run"},
    "throws": {"Lacks throw-stopped", "FewPairs throw-stopped", "NoRun throw-stopped", "Holds throw-stopped"},
    "stopped late": {"Lacks throw-stopped", "FewPairs throw-stopped", "Beats throw-stopped"},
    "several runs": {"NoRun follow-run", "NoRun follow-longer-run", "Allows follow-run", "Beats throw-stopped"},
}


@pytest.mark.parametrize(
    ("leads", "count"), [("units", 240), ("throws", 120), ("stopped late", 80), ("several runs", 120)]
)
def test_the_facts_leave_just_the_deals_that_the_referee_accepts(leads: str, count: int):
    tally, found = Tally(), Counter[str]()
    for scene in scenes(leads, count):
        compare(scene, tally, found)
    assert set(found) >= PROVED[leads]
    assert tally.left < tally.deals  # the play says something
