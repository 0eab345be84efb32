"""Records: text that reads back to the same deal or game; where it contradicts itself, the line is named."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renege import IllegalPlay, NotationError, texas42
from renege.core.arbiter import judge
from renege.core.deal_state import Act
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.record import GameRecord, Record, new_record, parse_game_record, parse_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.texas42.rules import PRESETS, Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

HOUSES = [
    {},
    {"early_end": "play-on"},
    {"nello_exchange": "one-tile", "nello_doubles": "low"},
    {"all_pass": "force-nello", "nello": "forced-only"},
    {"opening_lead": "small-end"},
    {"scoring": "points", "target": "250", "early_end": "play-on"},
]


@settings(max_examples=40 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.sampled_from(HOUSES), st.integers(0, 3), st.data())
def test_a_record_reads_back_from_its_text_wherever_it_stops(seed, contract, house, dealer, data):
    game = texas42.game(read_rules(Rules(), house))
    seed = next(deals_for(contract[0], game, seed))
    record = play_out(game, seed, steer(*contract), Standing(dealer, (seed % 7, seed % 5)))
    for length in (data.draw(st.integers(0, len(record.acts))), len(record.acts)):
        part = replace(record, acts=record.acts[:length])
        again = parse_record(str(part), find_game)
        assert again == part
        assert str(again) == str(part)
        assert again.position == part.position


@settings(max_examples=15 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.sampled_from(HOUSES[:4]), st.integers(0, 3))
def test_what_a_seat_saw_reads_back_as_a_record_with_hidden_hands(seed, contract, house, seat):
    game = texas42.game(read_rules(Rules(), house))
    record = play_out(game, next(deals_for(contract[0], game, seed)), steer(*contract))
    view = record.view(seat)
    text = "\n".join([*str(record).splitlines()[:3], str(view)])
    again = parse_record(text, find_game)
    assert again.acts == view.acts
    assert again.view(seat) == view
    assert again.start == view.start


def test_a_record_is_replayed_through_the_same_positions():
    record = play_out(texas42.game(), 1, steer("30", "trump 5"))
    assert list(record.replay()) == list(record.positions())


def test_a_strict_replay_stops_at_the_first_play_that_breaks_a_rule():
    record = _reneging()
    replay = record.replay()
    sound = [next(replay) for _ in range(7)]  # the start, five calls, one lead
    assert sound == list(record.positions())[:7]
    with pytest.raises(IllegalPlay, match="follow-suit"):
        next(replay)
    assert len(list(record.positions())) == len(record.acts) + 1


def _reneging() -> Record:
    record = new_record(texas42.game(), 0)
    hands = texas42.position(
        "0: 6-4 6-0 4-0 3-0 2-0 1-0 0-0 | 1: 6-6 6-5 5-5 3-1 2-1 1-1 4-1 | "
        "2: 6-1 5-1 5-2 4-2 3-2 2-2 6-2 | 3: 6-3 5-3 4-3 3-3 5-0 5-4 4-4"
    ).hands
    record = Record(replace(record.start, hands=hands))
    for seat, call in ((0, "30"), (1, "pass"), (2, "pass"), (3, "pass"), (0, "trump 5")):
        record = record.with_act(Act(seat, call))
    for tile in ("6-4", "6-5", "6-1", "6-3"):
        record = record.with_act(record.position.read(tile))
    return record


def test_a_record_keeps_a_renege_and_reads_back():
    record = _reneging()
    assert parse_record(str(record), find_game) == record


def test_the_first_lines_name_the_format_the_game_and_the_house_rules():
    game = texas42.game(PRESETS["a-and-m"])
    assert str(new_record(game, 0)).splitlines()[:3] == [
        "renege record 1", "game texas42 version 1", "rules win_by=two all_pass=force-30",
    ]  # fmt: skip
    assert str(new_record(texas42.game(), 0)).splitlines()[2] == "rules default"


@pytest.mark.parametrize("name", PRESETS)
def test_the_house_rules_of_a_preset_read_back(name: str):
    record = new_record(texas42.game(PRESETS[name]), 0)
    assert parse_record(str(record), find_game).game.rules == PRESETS[name]


def test_comments_and_empty_lines_are_passed_over():
    text = str(play_out(texas42.game(), 1, steer("30", "trump 5")))
    spaced = "# a fine hand\n\n" + text.replace("\n", "\n\n   # and on\n")
    assert parse_record(spaced, find_game) == parse_record(text, find_game)


# -- what contradicts itself

DEAL = """\
renege record 1
game texas42 version 1
rules early_end=play-on
deal dealer 3 score 0 0
0: 6-4 5-4 4-4 4-3 4-0 3-3 3-0
1: 6-6 6-5 6-1 5-1 5-0 4-1 3-1
2: 6-3 6-0 5-5 5-3 5-2 2-2 0-0
3: 6-2 4-2 3-2 2-1 2-0 1-1 1-0
talk 0 30 | 1 31 | 2 pass | 3 41 | 3 trump 2
trick 1: 3 leads 3-2, 6-4, 6-6, 5-2 -> 2 takes 16
trick 2: 2 leads 5-5, 1-0, 5-4, 5-0 -> 2 takes 16
trick 3: 2 leads 6-3, 6-2, 3-0, 6-5 -> 3 takes 1
"""


def test_the_sample_is_sound():
    assert str(parse_record(DEAL, find_game)) == DEAL


CONTRADICTIONS = [
    # what is there, what stands there instead, the line that is blamed, and what is said of it
    ("renege record 1", "renege record 2", 1, "renege record 2"),
    ("renege record 1\n", "", 1, "game texas42 version 1"),
    ("game texas42 version 1", "game texas42", 2, "game texas42"),
    ("game texas42 version 1", "game texas42 version 9", 2, "version 9"),
    ("game texas42 version 1", "game bridge version 1", 2, "bridge"),
    ("rules early_end=play-on", "rules early_end", 3, "early_end"),
    ("rules early_end=play-on", "early_end=play-on", 3, "early_end"),
    ("rules early_end=play-on", "rules early_end=never", 3, "never"),
    ("rules early_end=play-on", "rules jokers=wild", 3, "jokers"),
    ("rules early_end=play-on", "rules target=x", 3, "x"),
    ("rules early_end=play-on", "rules target=²", 3, "²"),
    ("rules early_end=play-on", "rules target=0", 3, "0"),
    ("deal dealer 3 score 0 0", "deal dealer 4 score 0 0", 4, "dealer 4"),
    ("deal dealer 3 score 0 0", "deal dealer 3 score 0", 4, "score 0"),
    ("deal dealer 3 score 0 0", "deal dealer 3", 4, "dealer 3"),
    ("deal dealer 3 score 0 0\n", "", 4, "0: 6-4"),
    ("0: 6-4 5-4 4-4 4-3", "0: 6-4 5-4 4-4 4-7", 5, "4-7"),
    ("0: 6-4 5-4 4-4 4-3", "0: 6-4 5-4 4-4 4-4", 5, "4-4"),
    ("0: 6-4 5-4 4-4 4-3", "0: 6-4 5-4 4-3", None, "6 tiles|6 cards"),
    ("0: 6-4 5-4 4-4 4-3 4-0", "0: 6-4 5-4 4-4 4-3 6-6", None, "6-6"),
    ("1: 6-6 6-5 6-1 5-1 5-0 4-1 3-1\n", "", None, "seat 1"),
    ("1: 6-6", "0: 6-6", 6, "seat 0"),
    ("talk 0 30", "kitty 6-4\ntalk 0 30", None, "6-4"),
    ("talk 0 30 | 1 31", "talk 1 30 | 0 31", 9, "seat 1"),
    ("talk 0 30 | 1 31", "talk 0 30 | 1 43", 9, "43"),
    ("talk 0 30 | 1 31", "talk 0 30 | 1 hello", 9, "hello"),
    ("talk 0 30 | 1 31", "talk 0 30 | 1", 9, "seat 1|''"),
    ("3 trump 2", "2 trump 2", 9, "seat 2"),
    ("3 trump 2", "3 trump 7", 9, "trump 7"),
    ("3 trump 2", "3 trump 2 | 3 3-2", 9, "3-2"),  # a play is not talk
    ("trick 1: 3", "trick 2: 3", 10, "trick 2"),
    ("trick 1: 3", "trick 1: 0", 10, "seat 0"),
    ("trick 1: 3 leads 3-2", "trick 1: 3 leads 2-7", 10, "2-7"),
    ("trick 1: 3 leads 3-2", "trick 1: 3 leads 6-6", 10, "6-6"),
    ("-> 2 takes 16\ntrick 2", "-> 3 takes 16\ntrick 2", 10, "seat 3"),
    ("-> 2 takes 16\ntrick 2", "-> 2 takes 15\ntrick 2", 10, "15"),
    ("6-6, 5-2 -> 2", "6-6 -> 2", 10, "not complete"),
    ("6-6, 5-2 -> 2", "6-6, 5-2, 5-5 -> 2", 10, "5-5|more"),  # a fifth play
    ("6-6, 5-2 -> 2 takes 16", "6-6\ntrick 1: 3 leads 5-2 -> 2 takes 16", 11, "trick 1"),  # half a trick twice
    ("6-6, 5-2 -> 2 takes 16", "6-6, 5-2 -> 2 tak", 10, "->"),
    ("trick 2: 2 leads 5-5, 1-0, 5-4, 5-0 -> 2 takes 16\n", "", 11, "trick 3"),
    ("trick 2: 2 leads 5-5", "trick 2: 2 leads 5-2", 11, "5-2"),  # played before
    ("trick 3", "talk 2 pass\ntrick 3", 12, "pass"),
    ("trick 3", "0: 6-4 5-4\ntrick 3", 12, "seat 0"),
    ("trick 3", "then\ntrick 3", 12, "then"),
    ("trick 3", "result 41 by 3 set with 2 points, 1-0\ntrick 3", 12, "not over"),
]


@pytest.mark.parametrize(("there", "instead", "line", "said"), CONTRADICTIONS)
def test_a_record_that_contradicts_itself_is_refused_with_the_line(there, instead, line, said):
    assert DEAL.count(there) == 1
    with pytest.raises(NotationError) as raised:
        parse_record(DEAL.replace(there, instead), find_game)
    assert re.search(said, str(raised.value)), raised.value
    assert re.match(r"line \d+: " if line is None else f"line {line}: ", str(raised.value)), raised.value


@pytest.mark.parametrize("trick", ["3-2 2-1, 6-4, 6-6, 5-2", "3-2, 6-4 5-4, 6-6, 5-2"])
def test_a_play_of_two_tiles_is_refused_in_table_talk_or_judged(trick: str):
    text = DEAL[: DEAL.index("trick 1")] + f"trick 1: 3 leads {trick}\n"
    try:
        breaches = judge(parse_record(text, find_game)).breaches
        said = f"line 10: {breaches[0]}"
    except NotationError as refused:
        said = str(refused)
    assert re.match("line 10: .*(3-2 2-1|6-4 5-4)", said)


def test_the_line_is_counted_with_its_comments():
    with pytest.raises(NotationError, match="line 4: "):
        parse_record("# one\n# two\n\n" + DEAL.replace("record 1", "record 7"), find_game)
    with pytest.raises(NotationError, match="line 13: "):
        parse_record("# one\n# two\n\n" + DEAL.replace("-> 2 takes 16\ntrick 2", "-> 2 takes 9\ntrick 2"), find_game)


def test_a_wrong_result_is_refused_with_the_true_one():
    record = play_out(texas42.game(), 3, steer("35", "trump 5"))
    last = len(str(record).splitlines())
    true = str(record).splitlines()[-1].removeprefix("result ")
    for wrong in ("thrown in", true.replace("1-0", "2-0").replace("0-1", "0-2"), true + "!", ""):
        text = str(record).replace(f"result {true}", f"result {wrong}")
        with pytest.raises(NotationError, match=f"line {last}: ") as raised:
            parse_record(text, find_game)
        assert repr(true) in str(raised.value)


def test_a_hand_that_was_thrown_in_says_so():
    record = play_out(texas42.game(), 3, lambda position, rng: "pass")
    assert str(record).endswith("talk 0 pass | 1 pass | 2 pass | 3 pass\nresult thrown in\n")
    assert record.position.result is None
    assert parse_record(str(record), find_game) == record
    with pytest.raises(NotationError, match="thrown in"):
        parse_record(str(record).replace("thrown in", "30 by 0 made with 30 points, 1-0"), find_game)


def test_nothing_comes_after_the_result():
    text = str(play_out(texas42.game(), 3, lambda position, rng: "pass"))
    for more in ("talk 0 pass", "trick 1: 0 leads 6-4", "0: 6-4", "kitty 6-4"):
        with pytest.raises(NotationError, match="line 11"):
            parse_record(text + more + "\n", find_game)


def test_a_tile_is_not_played_twice_even_from_hidden_hands():
    hidden = re.sub(r"^(\d): .*$", r"\1: ?7", DEAL, flags=re.MULTILINE)
    assert parse_record(hidden, find_game).position.points == (0, 0, 32, 1)
    for tile in ("3-2", "6-4", "6-6"):  # each lay in the first trick
        with pytest.raises(NotationError, match=r"line 12: "):
            parse_record(hidden.replace("trick 3: 2 leads 6-3", f"trick 3: 2 leads {tile}"), find_game)


def test_a_hidden_hand_cannot_play_a_tile_that_another_hand_shows():
    seen = re.sub(r"^([013]): .*$", r"\1: ?7", DEAL, flags=re.MULTILINE)
    assert parse_record(seen, find_game).position.points == (0, 0, 32, 1)
    # 6-0 is with seat 2
    other = seen.replace("3-2, 6-4, 6-6, 5-2 -> 2 takes 16", "3-2, 6-0, 6-6, 5-2 -> 2 takes 6")
    with pytest.raises(NotationError, match="line 10: "):
        parse_record(other, find_game)


def test_a_kitty_is_refused_in_a_game_that_has_none():
    hidden = re.sub(r"^(\d): .*$", r"\1: ?7", DEAL, flags=re.MULTILINE)
    with pytest.raises(NotationError, match="kitty"):
        parse_record(hidden.replace("talk", "kitty 6-4\ntalk"), find_game)


@settings(max_examples=60 * SOAK)
@given(st.integers(0, 200))
def test_a_record_cut_off_anywhere_is_read_as_far_as_it_goes_or_refused(length: int):
    whole = parse_record(DEAL, find_game)
    text = DEAL[: len(DEAL) - length]
    try:
        part = parse_record(text, find_game)
    except NotationError:
        return
    assert part.acts == whole.acts[: len(part.acts)]
    assert part.start == whole.start


@settings(max_examples=60 * SOAK)
@given(st.integers(0, len(DEAL) - 1), st.sampled_from(list("0123456-|:,> aest\n?")))
def test_one_wrong_letter_is_harmless_or_refused(place: int, letter: str):
    text = DEAL[:place] + letter + DEAL[place + 1 :]
    try:
        record = parse_record(text, find_game)
    except NotationError:
        return
    assert parse_record(str(record), find_game) == record


# -- whole games


def play_game(rules: Rules, seed: int) -> GameRecord:
    game = texas42.game(rules)
    record, standing, rng = GameRecord(game), game.opening, random.Random(seed)
    while record.winner is None:
        contract = rng.choice([*CONTRACTS, ("pass", "")])
        deal = play_out(game, rng.getrandbits(32), steer(*contract), standing)
        record = replace(record, deals=(*record.deals, deal))
        standing = record.standing
    return record


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_of_many_deals_reads_back_and_adds_up(name: str):
    for seed in range(2 * SOAK):
        record = play_game(PRESETS[name], seed)
        again = parse_game_record(str(record), find_game)
        assert again == record
        assert str(again) == str(record)
        assert again.winner == record.winner
        total = [0, 0]
        for number, deal in enumerate(record.deals):
            assert deal.start.standing == Standing((3 + number) % 4, tuple(total))
            result = deal.position.result
            for side in (0, 1):
                total[side] += 0 if result is None else result.score[side]
        assert record.standing.score == tuple(total)
        assert max(total) >= PRESETS[name].target


def test_a_game_in_which_a_deal_starts_from_another_score_is_refused():
    text = str(play_game(Rules(), 1))
    deals = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.startswith("deal ")]
    number, line = deals[2]
    dealer, score = re.fullmatch(r"deal dealer (\d) score (.*)", line).groups()  # type: ignore[union-attr]
    lines = text.splitlines()
    lines[number - 1] = f"deal dealer {dealer} score 99 99"
    with pytest.raises(NotationError, match=f"line {number}: ") as raised:
        parse_game_record("\n".join(lines), find_game)
    assert repr(line) in str(raised.value)
    lines[number - 1] = f"deal dealer {(int(dealer) + 1) % 4} score {score}"
    with pytest.raises(NotationError, match=r"line \d+: "):  # here, or where the wrong seat speaks
        parse_game_record("\n".join(lines), find_game)


def test_no_deal_follows_one_that_is_not_finished():
    one = play_out(texas42.game(), 1, steer("30", "trump 5"))
    game = GameRecord(one.game, (replace(one, acts=one.acts[:9]), one))
    with pytest.raises(NotationError):
        parse_game_record(str(game), find_game)


def test_no_deal_follows_the_end_of_the_game():
    won = play_game(Rules(), 1)
    more = play_out(won.game, 1, steer("30", "trump 5"), won.standing)
    with pytest.raises(NotationError):
        parse_game_record(str(replace(won, deals=(*won.deals, more))), find_game)


def test_a_single_deal_may_start_anywhere_but_a_game_of_several_may_not():
    deal = play_out(texas42.game(), 1, steer("30", "trump 5"), Standing(1, (3, 4)))
    assert parse_record(str(deal), find_game).start.standing == Standing(1, (3, 4))
    with pytest.raises(NotationError, match="after the deals before"):
        parse_game_record(str(GameRecord(deal.game, (deal, deal))), find_game)


def test_one_deal_is_asked_for_and_one_is_given():
    game = play_game(Rules(), 1)
    with pytest.raises(NotationError, match=f"this has {len(game.deals)}"):
        parse_record(str(game), find_game)
    with pytest.raises(NotationError, match="this has 0"):
        parse_record("renege record 1\ngame texas42 version 1\nrules default\n", find_game)
    for text in ("", "renege record 1", "# nothing"):
        with pytest.raises(NotationError):
            parse_record(text, find_game)


def test_an_act_out_of_turn_is_no_part_of_a_record():
    record = new_record(texas42.game(), 0)
    with pytest.raises(ValueError, match="turn of seat 0"):
        _ = record.with_act(Act(2, "pass")).position
    with pytest.raises(ValueError, match="turn of seat 0"):
        list(record.with_act(Act(2, "pass")).replay())
    assert isinstance(play_out(record.game, 0, steer("30", "trump 5")).acts[-1].what, Play)
