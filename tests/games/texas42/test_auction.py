"""The auction through the public surface: every one there is, who declares, who leads, and what is forced."""

from collections.abc import Iterator

import pytest

from renege import NotationError, Position, texas42
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.trick import Play
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import Rules

FOUR_DOUBLES = "0-0 2-2 4-4 6-6 5-0 5-1 5-2"
THREE_DOUBLES = "1-1 3-3 5-5 6-0 6-1 6-2 6-3"
NO_DOUBLES = "2-1 3-1 4-1 2-0 3-2 4-2 4-3"
PLAIN = "6-5 6-4 5-4 5-3 4-0 3-0 1-0"
HANDS = f"0: {FOUR_DOUBLES} | 1: {THREE_DOUBLES} | 2: {NO_DOUBLES} | 3: {PLAIN}"
STRAIGHT = {"plunge": "off", "splash": "off"}


def table(text: str = "", **choices: str) -> Position:
    return texas42.position(text or HANDS, read_rules(Rules(), choices))


def said(*calls: str, **choices: str) -> Position:
    position = table(**choices)
    for call in calls:
        position = position.call(call)
    return position


def contract(position: Position) -> Hand42:
    assert isinstance(position.contract, Hand42)
    return position.contract


def all_auctions(position: Position) -> Iterator[tuple[tuple[str, ...], Position]]:
    assert position.talk is not None
    if len(position.talk.said) == 4:
        yield position.talk.said, position
        return
    for call in position.legal_calls:
        yield from all_auctions(position.call(call))


def marks(call: str) -> int:
    return int(call.split()[0]) if "mark" in call else 0


@pytest.fixture(scope="module")
def straight() -> list[tuple[tuple[str, ...], Position]]:
    return list(all_auctions(table(**STRAIGHT)))


@pytest.mark.parametrize(
    ("cap", "count"), [(1, 2380), (2, 3060), (3, 3196), (4, 3213), (5, 3214), (6, 3214), (7, 3214)]
)
def test_there_are_so_many_auctions_up_to_so_many_marks(straight, cap: int, count: int):
    assert sum(max(map(marks, calls)) <= cap for calls, _ in straight) == count


def test_five_marks_is_the_highest_bid_of_a_straight_auction_and_is_reached_in_one_way(straight):
    assert max(marks(call) for calls, _ in straight for call in calls) == 5
    assert [calls for calls, _ in straight if "5 marks" in calls] == [("2 marks", "3 marks", "4 marks", "5 marks")]


def test_the_last_who_did_not_pass_declares_and_only_four_passes_throw_the_hand_in(straight):
    for calls, position in straight:
        bidders = [seat for seat, call in enumerate(calls) if call != "pass"]
        assert position.turn == (bidders[-1] if bidders else None)
        assert position.over == (not bidders)


def test_every_bid_is_above_all_before_it(straight):
    height = {"pass": 0} | {str(points): points for points in range(30, 42)}
    for calls, _ in straight:
        bids = [height.get(call, 41 + marks(call)) for call in calls if call != "pass"]
        assert bids == sorted(set(bids))


@pytest.mark.parametrize("dealer", range(4))
def test_the_seat_left_of_the_shaker_speaks_first_and_the_shaker_last(dealer: int):
    position = table(f"dealer {dealer} | {HANDS}")
    turns = []
    for _ in range(4):
        turns.append(position.turn)
        position = position.call("pass")
    assert turns == [(dealer + 1 + place) % 4 for place in range(4)]
    assert position.over
    assert position.result is None


def test_after_a_hand_that_was_thrown_in_the_next_seat_shakes():
    thrown_in = texas42.position("dealer 3 | score 2 1 | said pass, pass, pass, pass")
    assert thrown_in.game.advance(thrown_in, None) == Standing(0, (2, 1))


# -- who declares, who leads


@pytest.mark.parametrize(
    ("calls", "declared", "kind", "stake", "declarer", "leader"),
    [
        (("30", "pass", "pass", "pass"), "trump 5", "points", 0, 0, 0),
        (("30", "31", "pass", "32"), "follow-me", "points", 0, 3, 3),
        (("pass", "1 mark", "pass", "pass"), "trump doubles", "marks", 1, 1, 1),
        (("pass", "pass", "2 marks", "pass"), "nello", "nello", 2, 2, 2),
        (("pass", "pass", "1 mark", "pass"), "sevens", "sevens", 1, 2, 2),
        (("plunge", "pass", "pass", "pass"), "trump 6", "plunge", 4, 0, 2),
        (("plunge", "pass", "pass", "5 marks"), "trump 6", "marks", 5, 3, 3),
        (("pass", "splash", "pass", "pass"), "trump 1", "splash", 2, 1, 3),
        (("2 marks", "splash", "pass", "pass"), "follow-me", "splash", 3, 1, 3),
    ],
)
def test_who_declares_and_who_leads(calls, declared, kind, stake, declarer, leader):
    position = said(*calls)
    names_trumps = leader if kind in ("plunge", "splash") else declarer
    assert position.turn == names_trumps
    position = position.call(declared)
    terms = contract(position)
    assert (terms.kind.value, terms.bid.marks) == (kind, stake)
    assert (terms.declarer, terms.leader, position.turn) == (declarer, leader, leader)
    assert position.active == (
        tuple(s for s in range(4) if s != (declarer + 2) % 4) if kind == "nello" else (0, 1, 2, 3)
    )


@pytest.mark.parametrize(("call", "seat"), [("plunge", 0), ("splash", 1)])
def test_where_the_table_says_so_the_declarer_leads_a_plunge_and_a_splash(call: str, seat: int):
    calls = ["pass"] * 4
    calls[seat] = call
    position = said(*calls, partner_lead="declarer")
    assert position.turn == (seat + 2) % 4
    position = position.call("trump 6")
    assert position.turn == seat


def test_the_partner_of_a_plunge_names_trumps_and_nothing_else():
    assert set(said("plunge", "pass", "pass", "pass").legal_calls) == {
        *(f"trump {trump}" for trump in [*range(7), "doubles"]),
        *("follow-me", "follow-me doubles low", "follow-me doubles own"),
    }


# -- plunge and splash


def bid_for(calls: tuple[str, ...], **choices: str) -> int | None:
    """The marks of the last call, or None if it is refused."""
    position = said(*calls[:-1], **choices)
    if not position.judge(calls[-1]):
        return None
    position = position.call(calls[-1])
    while position.talk is not None and len(position.talk.said) < 4:
        position = position.call("pass")
    return contract(position.call("trump 5")).bid.marks


@pytest.mark.parametrize(
    ("least", "over", "marks_bid"),
    [
        ("four-marks", (), 4),
        ("three-marks", (), 3),
        ("two-marks", (), 2),
        ("off", (), None),
    ],
)
def test_a_plunge_is_the_jump_that_the_table_allows(least, over, marks_bid):
    assert bid_for((*over, "plunge"), plunge=least) == marks_bid


def test_a_plunge_over_four_marks_is_for_five():
    hands = f"0: {NO_DOUBLES} | 1: {PLAIN} | 2: {THREE_DOUBLES} | 3: {FOUR_DOUBLES}"
    for high, stake in (("41", 4), ("1 mark", 4), ("2 marks", 4)):
        position = table(hands).call(high).call("pass").call("pass").call("plunge").call("trump 5")
        assert contract(position).bid.marks == stake
    position = table(hands)
    for call in ("2 marks", "3 marks", "4 marks", "plunge"):
        position = position.call(call)
    assert contract(position.call("trump 5")).bid.marks == 5
    assert position.turn == 1


@pytest.mark.parametrize(
    ("choice", "over", "marks_bid"),
    [
        ("two-or-three", "pass", 2),
        ("two-or-three", "41", 2),
        ("two-or-three", "1 mark", 2),
        ("two-or-three", "2 marks", 3),
        ("two-or-three", "plunge", None),
        ("two-marks", "1 mark", 2),
        ("two-marks", "2 marks", None),
        ("three-marks", "pass", 3),
        ("three-marks", "2 marks", 3),
        ("three-marks", "plunge", None),
        ("off", "pass", None),
    ],
)
def test_a_splash_is_for_what_the_table_allows(choice, over, marks_bid):
    assert bid_for((over, "splash"), splash=choice) == marks_bid


@pytest.mark.parametrize(
    ("hand", "plunges", "splashes"), [(FOUR_DOUBLES, True, True), (THREE_DOUBLES, False, True), (PLAIN, False, False)]
)
def test_a_plunge_needs_four_doubles_and_a_splash_three(hand: str, plunges: bool, splashes: bool):
    position = texas42.position(f"hand {hand}")
    assert ("plunge" in position.legal_calls, "splash" in position.legal_calls) == (plunges, splashes)


def test_the_doubles_of_a_hidden_hand_are_taken_on_trust():
    assert texas42.position("").judge("plunge").legal


# -- the ladder


@pytest.mark.parametrize(
    ("calls", "choices", "highest"),
    [
        ((), {}, 2),
        (("41",), {}, 2),
        (("1 mark",), {}, 2),
        (("2 marks",), {}, 3),
        (("2 marks", "3 marks"), {}, 4),
        (("2 marks",), {"mark_raise": "one-or-two"}, 4),
        (("1 mark",), {"mark_raise": "one-or-two"}, 2),
        (("2 marks", "4 marks", "6 marks"), {"mark_raise": "one-or-two"}, 8),
        (("plunge",), {}, 5),
        (("plunge", "6 marks", "8 marks"), {"mark_raise": "one-or-two"}, 10),
    ],
)
def test_marks_are_raised_as_the_table_allows(calls, choices, highest: int):
    position = said(*calls, **choices)
    open_marks = [marks(call) for call in position.legal_calls if "mark" in call]
    assert max(open_marks) == highest
    for call in position.legal_calls:
        assert position.judge(call).legal
    after = position.call(f"{highest} marks")
    assert texas42.position(str(after), read_rules(Rules(), choices)) == after


def test_whatever_is_open_can_be_said_and_written_and_read():
    """Every call listed as legal is one, its text reads back, and so does the contract it leads to."""
    for choices in ({}, {"mark_raise": "one-or-two"}, {"plunge": "two-marks", "splash": "three-marks"}):
        rules = read_rules(Rules(), choices)
        seen: set[tuple[str, ...]] = set()
        for first in ("pass", "plunge", "2 marks"):
            position = table(**choices).call(first)
            while position.talking:
                assert position.talk is not None
                for call in position.legal_calls:
                    assert position.judge(call).said == call
                highest = [call for call in position.legal_calls if "mark" in call]
                position = position.call(highest[-1] if highest else position.legal_calls[-1])
                seen.add(tuple(position.talk.said) if position.talk else ())
                assert texas42.position(str(position), rules) == position
        assert len(seen) > 6


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("30", "30"), (" 30 ", "30"), ("42", "1 mark"), ("84", "2 marks"), ("126", "3 marks"), ("PASS", "pass"),
        ("1 marks", "1 mark"), ("2 mark", "2 marks"), ("Plunge", "plunge"),
    ],
)  # fmt: skip
def test_a_bid_has_one_spelling(text: str, call: str):
    assert table().judge(text).said == call


@pytest.mark.parametrize(
    "text", ["29", "43", "0", "0 marks", "-30", "30 points", "marks", "double", "", "trump 5", "6-4", "1000", "83"]
)
def test_what_is_no_bid_is_quoted(text: str):
    with pytest.raises(NotationError) as raised:
        table().judge(text)
    assert text.strip() in str(raised.value)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("5", "trump 5"), ("trump 5", "trump 5"), ("doubles", "trump doubles"), ("follow-me doubles high", "follow-me"),
        ("nello doubles own", "nello"), ("NELLO doubles LOW", "nello doubles low"), ("sevens", "sevens"),
    ],
)  # fmt: skip
def test_a_declaration_has_one_spelling(text: str, call: str):
    assert said("pass", "pass", "pass", "1 mark").judge(text).said == call


@pytest.mark.parametrize(
    "text",
    [
        "7", "trump", "trump 7", "nello doubles", "nello doubles x", "trump 5 doubles low", "sevens doubles low",
        "follow-me doubles own-inverted", "30", "pass", "",
    ],
)  # fmt: skip
def test_what_is_no_declaration_is_refused(text: str):
    with pytest.raises(NotationError):
        said("pass", "pass", "pass", "1 mark").judge(text)


# -- what is forced


@pytest.mark.parametrize(
    ("all_pass", "lowest"),
    [("reshake", "pass"), ("force-30", "30"), ("force-31", "31"), ("force-mark", "1 mark"), ("force-nello", "1 mark")],
)
def test_the_shaker_who_is_left_says_at_least_what_the_table_forces(all_pass: str, lowest: str):
    position = said("pass", "pass", "pass", all_pass=all_pass)
    assert position.legal_calls[0] == lowest
    if all_pass == "force-nello":
        assert position.legal_calls == ("1 mark",)


@pytest.mark.parametrize("all_pass", ["force-30", "force-31", "force-mark", "force-nello"])
def test_nobody_is_forced_while_there_is_a_bid_or_another_may_speak(all_pass: str):
    assert "pass" in said("pass", "pass", all_pass=all_pass).legal_calls
    for calls in (("30", "pass", "pass"), ("pass", "30", "pass"), ("pass", "pass", "30")):
        position = said(*calls, all_pass=all_pass)
        assert "pass" in position.legal_calls
        assert not contract(position.call("pass").call("trump 5")).forced
        assert not contract(position.call("1 mark").call("trump 5")).forced


def test_a_forced_bid_is_marked_as_one():
    forced = said("pass", "pass", "pass", "30", "trump 5", all_pass="force-30")
    assert contract(forced).forced
    assert not contract(said("pass", "pass", "pass", "30", "trump 5")).forced


@pytest.mark.parametrize(("nello", "stake"), [("one-mark", 1), ("two-marks", 2), ("forced-only", 1), ("off", 1)])
def test_a_forced_nello_is_played_for_the_least_that_the_table_allows(nello: str, stake: int):
    position = said("pass", "pass", "pass", all_pass="force-nello", nello=nello)
    (bid,) = position.legal_calls
    assert marks(bid) == stake
    position = position.call(bid)
    assert {call.split()[0] for call in position.legal_calls} == {"nello"}
    terms = contract(position.call("nello"))
    assert (terms.kind.value, terms.forced, terms.leader) == ("nello", True, 3)


def test_nello_for_the_forced_only_is_open_to_nobody_else():
    choices = {"nello": "forced-only", "all_pass": "force-30"}
    assert "nello" in said("pass", "pass", "pass", "1 mark", **choices).legal_calls
    assert "nello" in said("pass", "pass", "pass", "2 marks", **choices).legal_calls
    assert "nello" not in said("pass", "pass", "pass", "30", **choices).legal_calls
    for calls in (("1 mark", "pass", "pass", "pass"), ("30", "pass", "pass", "1 mark")):
        assert "nello" not in said(*calls, **choices).legal_calls


@pytest.mark.parametrize(
    ("nello", "bid", "allowed"),
    [
        ("one-mark", "1 mark", True), ("one-mark", "41", False), ("two-marks", "1 mark", False),
        ("two-marks", "2 marks", True), ("off", "2 marks", False),
    ],
)  # fmt: skip
def test_nello_needs_the_marks_that_the_table_asks_for(nello: str, bid: str, allowed: bool):
    assert ("nello" in said("pass", "pass", "pass", bid, nello=nello).legal_calls) == allowed


@pytest.mark.parametrize("policy", ["high", "low", "own", "own-inverted"])
def test_a_table_may_say_how_doubles_stand_in_nello(policy: str):
    calls = said("pass", "pass", "pass", "1 mark", nello_doubles=policy).legal_calls
    nellos = [call for call in calls if call.startswith("nello")]
    assert nellos == ["nello" if policy == "own" else f"nello doubles {policy}"]
    position = said("pass", "pass", "pass", "1 mark", *nellos, nello_doubles=policy)
    assert contract(position).doubles.value == policy


@pytest.mark.parametrize("policy", ["high", "low", "own"])
def test_a_table_may_say_how_doubles_stand_in_follow_me(policy: str):
    calls = said("pass", "pass", "pass", "30", follow_me_doubles=policy).legal_calls
    follow_mes = [call for call in calls if call.startswith("follow-me")]
    assert follow_mes == ["follow-me" if policy == "high" else f"follow-me doubles {policy}"]


def test_what_is_open_to_declare_depends_on_the_bid():
    trumps = {f"trump {trump}" for trump in [*range(7), "doubles"]}
    plain = trumps | {"follow-me", "follow-me doubles low", "follow-me doubles own"}
    nellos = {"nello", "nello doubles high", "nello doubles low", "nello doubles own-inverted"}
    assert set(said("41", "pass", "pass", "pass").legal_calls) == plain
    assert set(said("1 mark", "pass", "pass", "pass").legal_calls) == plain | nellos | {"sevens"}


@pytest.mark.parametrize(("seat", "allowed"), [(0, True), (1, True), (2, True), (3, False)])
def test_sevens_may_need_a_tile_of_seven_pips(seat: int, allowed: bool):
    calls = ["pass"] * 4
    calls[seat] = "1 mark"
    assert ("sevens" in said(*calls, sevens="needs-seven").legal_calls) == allowed
    assert "sevens" in said(*calls).legal_calls


# -- the swap of tiles


def swap(*calls: str) -> Position:
    return said("pass", "1 mark", "pass", "pass", *calls, nello_exchange="one-tile")


def test_the_declarer_passes_a_tile_first_then_the_partner_one_back():
    position = swap("nello")
    assert position.turn == 1
    assert len(position.legal_calls) == 7
    position = position.call("give 6-0")
    assert position.turn == 3
    assert len(position.legal_calls) == 8
    assert "give 6-0" in position.legal_calls
    position = position.call("give 1-0")
    assert not position.talking
    assert position.turn == 1
    assert str(position.hands[1]) == "6-3 6-2 6-1 5-5 3-3 1-1 1-0"
    assert str(position.hands[3]) == "6-5 6-4 6-0 5-4 5-3 4-0 3-0"


@pytest.mark.parametrize("declared", ["trump 5", "sevens", "follow-me"])
def test_only_nello_has_a_swap(declared: str):
    assert not swap(declared).talking
    assert not said("pass", "1 mark", "pass", "pass", "nello").talking


@pytest.mark.parametrize("call", ["give", "give 7-7", "pass", "6-0", "give 6-6", "give 4-3", "nello"])
def test_what_passes_no_tile_of_the_hand_is_refused(call: str):
    with pytest.raises(NotationError):
        swap("nello").judge(call)


def test_two_tiles_are_not_passed():
    verdict = swap("nello").judge("give 6-0 6-1")
    assert str(verdict.rule) == "texas42.exchange"
    assert verdict.instead is not None
    assert swap("nello").judge(verdict.instead).legal


def test_a_tile_that_was_passed_on_is_played_by_its_new_owner():
    position = swap("nello", "give 6-0", "give 5-3")
    assert "5-3" in position.legal_plays
    with pytest.raises(NotationError, match="not in the hand"):
        position.play("6-0")
    assert isinstance(next(iter(position.legal_plays)), Play)
