"""Throws at the table: what is led of a stopped one, what goes back, what is known without the other hands."""

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from reference import tractor as reference
from reference import tractor_round
from renege import judge, parse_position, parse_record
from renege.core.cards import Cards
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import Ruling
from renege.games import tractor
from renege.games.tractor.rules import FOLLOW_PAIR, THROW_STOPPED, FollowDuty, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.throws import lands, others, smallest_stop, stops
from support.tractor_turns import Setting, cards, cases, pile, random_pile, turn, with_rules

S2 = Setting("S2")


def position(line: str, rules: Rules | None = None) -> Position:
    return parse_position(tractor.game(rules), line)


def test_the_smallest_stopped_unit_is_led_and_the_rest_goes_back():
    before = position("trump S2 | 0: HK HK HQ H9 | 1: HT H3 C3 C4 | 2: HA H4 C5 C6 | 3: HJ C4 C7 C8")
    after = before.play("HK HK HQ H9")
    assert after.trick is not None and after.trick.lead is not None
    assert (str(after.trick.lead.cards), after.trick.lead.tried) == ("H9", cards("HK HK HQ H9"))
    assert after.hands[0] == cards("HK HK HQ")
    assert after.turn == 1
    assert after.judge("HT H3").ruling is Ruling.ILLEGAL  # one card was led in the end


def test_a_throw_that_stands_is_led_whole():
    after = position("trump S2 | 0: HA HA HK | 1: HT H3 C3 | 2: HQ H4 C5 | 3: HJ C4 C7").play("HA HA HK")
    assert after.trick is not None and after.trick.lead is not None
    assert (after.trick.lead.cards, after.trick.lead.tried) == (cards("HA HA HK"), None)


def test_without_the_other_hands_a_throw_is_pending_and_a_unit_is_not():
    before = position("trump S2 | hand HA HA HK HQ")
    assert before.judge("HK HQ").ruling is Ruling.PENDING
    assert before.judge("HA HA").ruling is Ruling.LEGAL
    assert before.judge("HK").ruling is Ruling.LEGAL


def test_one_hand_that_is_told_may_stop_a_throw_while_the_others_are_hidden():
    before = position("trump S2 | 0: HK HQ | 2: HA C3")
    assert before.judge("HK HQ").ruling is Ruling.LEGAL
    after = before.play("HK HQ")
    assert after.trick is not None and after.trick.lead is not None
    assert str(after.trick.lead) == "HQ"


def test_first_found_leads_the_smallest_unit_that_the_first_stopping_seat_beats():
    line = "trump S2 | 0: H5 H5 H6 H6 HJ HJ | 1: H7 H7 H8 H8 C3 C4 | 2: HQ HQ H9 C5 C6 C7 | 3: HA C3 C4 C8 C9 CT"
    smallest = position(line).play("H5 H5 H6 H6 HJ HJ")
    first = position(line, Rules(stopped_throw=StoppedThrow.FIRST_FOUND)).play("H5 H5 H6 H6 HJ HJ")
    assert smallest.trick is not None and first.trick is not None
    assert str(smallest.trick.lead) == "HJ HJ"
    assert str(first.trick.lead) == "H6 H6 H5 H5"


def test_a_refusal_names_the_unit_and_what_beats_it():
    rules = Rules(stopped_throw=StoppedThrow.REFUSED)
    verdict = position("trump S2 | 0: HK HK HQ | 1: HA C4 C5 | 2: D3 D4 D5 | 3: H3 H4 H5", rules).judge("HK HK HQ")
    assert (verdict.ruling, str(verdict.rule)) == (Ruling.ILLEGAL, "tractor.throw-stopped")
    assert verdict.why == "HQ is beaten by HA of seat 1"


def test_public_knowledge_counts_voids_and_cards_seen():
    rules = Rules(throw_test=ThrowTest.PUBLIC_INFO)
    line = "trump S2 | hand HK HQ | tricks 1 0 0 0 | memory "
    assert position(line + "seen HA HA HK; void 1 C", rules).judge("HK HQ").legal
    assert not position(line + "seen HA HK", rules).judge("HK HQ").legal
    assert not position(line + "seen HA HA; void 1 H, 2 H", rules).judge("HK HQ").legal  # a king may be in seat 3
    assert position(line + "seen HA; void 1 H, 2 H, 3 H", rules).judge("HK HQ").legal


def test_the_banker_knows_the_kitty_and_nobody_else_does():
    rules = Rules(throw_test=ThrowTest.PUBLIC_INFO)
    line = "hand HK HK HQ | kitty HA HA C3 C3 C4 C4 C5 C5 | 0 leads"
    assert position(f"trump S2 by 0 | {line}", rules).judge("HK HK HQ").legal
    assert not position(f"trump S2 by 1 | {line}", rules).judge("HK HK HQ").legal


def test_every_stop_is_a_beating_unit_in_the_hand_of_its_seat():
    for rng, at in cases("stops", 500):
        lead = random_pile(rng, at, "T", 6)
        if not lead:
            continue
        hands = [cards(random_pile(rng, at, "T", 6)) for _ in range(3)]
        now = turn(at, lead, hands=(cards(lead), *hands))
        play = Play(cards(lead))
        found = list(stops(at.order, play, others(now)))
        for stop in found:
            assert stop.unit <= play.cards and stop.by <= hands[stop.seat - 1]
            told = [
                tuple(sorted(unit)) for unit in tractor_round.beaters(ordered(at, stop.unit), pile(stop.by), *rules(at))
            ]
            assert pile(stop.by) in told
        least = smallest_stop(at.order, play, others(now))
        assert (least is None) == (not found)
        assert least is None or len(least.unit) == min(len(stop.unit) for stop in found)


def rules(at: Setting) -> tuple[str, str]:
    return at.declaration, at.gap


def ordered(at: Setting, unit: Cards) -> reference.Unit:
    return tuple(sorted(pile(unit), key=lambda card: (reference.step(card, *rules(at)), card)))


# --- which of the level pairs on one step is left outside a run ----------------------------------------


@pytest.mark.parametrize(
    ("declaration", "thrown", "stopper", "led"),
    [
        ("C8", "CA CA D8 D8 S8 S8", "C8 C8", "S8 S8"),
        ("S2", "SA SA H2 H2 D2 D2", "S2 S2", "H2 H2"),
        ("NT2", "C2 C2 H2 H2 LJ LJ", "BJ BJ", "H2 H2"),
    ],
)
def test_a_run_takes_the_first_level_pair_by_card_order(declaration: str, thrown: str, stopper: str, led: str):
    at = Setting(declaration)
    hands = (cards(thrown), cards(stopper), cards(""), cards(""))
    landed = lands(turn(at, thrown, hands=hands), Play(cards(thrown)))
    assert landed is not None
    assert landed.cards == cards(led)


def test_what_is_led_of_a_stopped_throw_is_card_for_card_what_the_brute_force_leads():
    for rng, at in cases("exact throw", 2000):
        lead = random_pile(rng, at, "T", 8)
        hands = [random_pile(rng, at, "T", rng.randint(0, 5)) for _ in range(3)]
        choice = rng.choice([StoppedThrow.LEAD_SMALLEST, StoppedThrow.FIRST_FOUND])
        if not lead:
            continue
        told = tractor_round.throw(lead, hands, at.declaration, None, at.gap, choice.value)
        now = turn(
            at, lead, rules=with_rules(at, stopped_throw=choice), hands=(cards(lead), *(cards(hand) for hand in hands))
        )
        landed = lands(now, Play(cards(lead)))
        assert landed is not None
        assert pile(landed.cards) == told.led, (at, lead, hands)


def test_a_stopped_throw_is_charged_where_the_table_has_a_penalty():
    hands = "0: HK HQ | 1: HA C4 | 2: D3 D4 | 3: H3 H4 | kitty C3 C3 C6 C6 C7 C7 C8 C8"
    line = f"trump S2 by 0 | dealer 0 | score 2 2 1 | {hands}"
    totals: list[str] = []
    for penalty in (0, 10):
        at = position(line, Rules(throw_penalty=penalty)).play("HK HQ")
        rng = random.Random(3)
        while at.turn is not None:
            at = at.play(at.legal_plays.choose(rng))
        assert at.result is not None
        totals.append(at.result.text.split(",")[0])
    free, charged = (int(total.removeprefix("attackers ")) for total in totals)
    assert charged == free + 10


@pytest.mark.parametrize("lead", ["S8 H7", "H7 H7 DK DK", "LJ SA HA"])
def test_a_recorded_lead_of_several_suits_is_a_breach(lead: str):
    """It was put on the table, so it is read; what it comes to is itself, and the others follow as they did."""
    text = (Path(__file__).parents[2] / "data" / "golden" / "tractor-1.txt").read_text("utf-8")
    before = re.sub(r"version \d+", f"version {tractor.game().version}", text.partition("trick 1: ")[0])
    hands = [line.split()[5 : 5 + len(lead.split())] for line in before.splitlines() if line[:2] in ("0:", "1:", "2:")]
    follows = [" ".join(hand) for hand in hands]
    outcomes = [f"{seat} takes {points}" for seat in range(4) for points in range(0, 45, 5)]
    found: list[Record] = []
    for outcome in outcomes:
        with suppress(NotationError):
            found.append(parse_record(f"{before}trick 1: 3 leads {', '.join((lead, *follows))} -> {outcome}\n"))
    (record,) = found
    (breach, *_) = judge(record).breaches
    assert (breach.seat, breach.rule.id, breach.trick) == (3, "tractor.lead-one-suit", 0)


def test_rules_that_the_table_changes_say_so():
    """A sentence is shown under every choice: what one of them allows it may not forbid without a word."""
    led, low = "trump S4 | led H9 H9 | hand HQ HQ HK HK H3 H5", "H3 H5"
    assert position(led).judge(low).rule is FOLLOW_PAIR
    for duty in (FollowDuty.TRACTORS_PROTECTED, FollowDuty.SUIT_ONLY):
        assert position(led, Rules(follow_duty=duty)).judge(low)
    assert "the table" in FOLLOW_PAIR.sentence
    thrown, whole = "trump S2 | 0: HK HK HQ | 1: HT H3 C3 | 2: HA H4 C5 | 3: HJ C4 C7 | 0 leads", "HK HK HQ"
    for test, led_then in ((ThrowTest.TRUE_HANDS, "HQ"), (ThrowTest.OPPONENTS, whole)):  # the partner has the ace
        trick = position(thrown, Rules(throw_test=test)).play(whole).trick
        assert trick is not None and trick.lead is not None and str(trick.lead.cards) == led_then
    assert "the table" in THROW_STOPPED.sentence
