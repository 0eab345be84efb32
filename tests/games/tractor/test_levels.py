"""The last level, the level without trumps, the jack that throws back, short packs and no kitty: whole deals against
the brute force, and the machine round them."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from games.tractor.test_tables import banker_of, compare
from reference.tractor_tables import LADDER, House
from renege.ask.serve import reply
from renege.core.arbiter import Arbiter, judge
from renege.core.game import Standing
from renege.core.record import parse_record
from renege.core.registry import find_game
from renege.games import tractor
from renege.games.encoding import encoding_of
from renege.games.testing import check_game
from renege.games.tractor.order import order
from renege.games.tractor.rules import PRESETS, NoTrump, Rules
from renege.games.tractor.score import outcome, stops_of, winner
from support.steering import SOAK
from support.tractor_tables import by_rulebooks, choose, play_deal, tricks_of, true_deal_is_a_world

SHORT = {"lowest_rank": 10, "pack_jokers": "none"}  # five ranks, so that many a last trick falls to a jack
STOPS = {
    ("none", "A"): "",
    ("none", "NT"): "",
    ("ace", "A"): "A",
    ("ace", "NT"): "A NT",
    ("ace", "Q"): "Q",
    ("point-levels", "NT"): "5 T K A NT",
    ("point-levels", "7"): "5 7 T K",
    ("from-two", "NT"): "2 5 T K",
}
TABLES: list[dict[str, Any]] = [
    {"jack_back": "single-jack", **SHORT},
    {"jack_back": "any-jack", "last_level": 15, "must_defend": "ace", **SHORT},
    {"jack_back": "any-jack", "mode": "friends", "seats": 5, "last_level": 15, "must_defend": "point-levels", **SHORT},
    {"last_level": 15, "must_defend": "ace"},
    {"last_level": 12, "must_defend": "ace", "lowest_rank": 5},
    {"last_level": 7, "must_defend": "point-levels"},
    {"last_level": 15, "mode": "friends", "seats": 6, "packs": 3, "must_defend": "ace", "lowest_rank": 8},
    {"kitty_laid": "no", "lowest_rank": 10, "seats": 6, "packs": 3},
    {"kitty_laid": "no", "pack_jokers": "none", "new_deal": "either", "last_level": 15},
]


def named(rules: dict[str, Any]) -> str:
    return " ".join(f"{value}" for value in rules.values())


def house_of(rules: Rules) -> House:
    last = LADDER[rules.last_level - 2]
    return House(
        rules.seats, rules.packs, rules.mode.value, rules.friend_count, jack_back=rules.jack_back.value,
        first_level=LADDER[rules.lowest_rank - 2], last_level=last,
        must_defend=tuple(STOPS[(rules.must_defend.value, last)].split()),
    )  # fmt: skip


def standing_of(rules: Rules, rng: random.Random) -> Standing:
    """Any levels, often J and the last ones, at which most happens."""
    near = [11, rules.last_level, rules.last_level - 1, rules.lowest_rank]
    every = range(rules.lowest_rank, rules.last_level + 1)
    levels = [rng.choice([level for level in near if level in every] + [rng.choice(every)]) for _ in range(rules.sides)]
    return Standing(rng.randrange(rules.seats), (*levels, 1))


@pytest.mark.parametrize("rules", TABLES, ids=named)
def test_whole_deals_come_to_what_the_brute_force_says(rules: dict[str, Any]):
    game, seen = tractor.game(**rules), Counter[str]()
    for seed in range((30 if "jack_back" in rules else 3) * SOAK):
        record = play_deal(game, seed, standing_of(game.rules, random.Random(f"{named(rules)} {seed}")), most=3)
        result = record.position.result
        if result is None:  # somebody asked for a new deal
            continue
        compare(house_of(game.rules), record)
        seen["thrown back"] += "thrown back" in result.text
        seen["won"] += "won" in result.text
    assert ("jack_back" in rules) == (seen["thrown back"] > 0)


@pytest.mark.parametrize("rules", TABLES, ids=named)
def test_tables_with_such_levels_and_packs_conform(rules: dict[str, Any]):
    assert check_game(tractor.game(**rules), deals=SOAK, choose=choose).acts > 20
    by_rulebooks(tractor.game(**rules), 2 * SOAK)


@pytest.mark.parametrize("number", range(SOAK))
@pytest.mark.parametrize("rules", TABLES, ids=named)
def test_the_true_deal_is_a_world(rules: dict[str, Any], number: int):
    true_deal_is_a_world(tractor.game(**rules), number)


@pytest.mark.parametrize("rules", TABLES[:6], ids=named)
def test_a_deal_is_scored_by_question_as_it_is_at_the_table(rules: dict[str, Any]):
    game, asked = tractor.game(**rules), Counter[bool]()
    for seed in range(6 * SOAK):
        standing = standing_of(game.rules, random.Random(f"ask {named(rules)} {seed}"))
        record = play_deal(game, seed, standing, most=1)
        position, result, contract = record.position, record.position.result, record.position.contract
        assert result is not None and contract is not None
        banker = banker_of(record)
        question = {
            "game": "tractor", "ask": "score", "declaration": contract.declaration, "banker": banker,
            "levels": [LADDER[level - 2] for level in standing.score[:-1]], "kitty": str(position.kitty),
            "leader": banker, "tricks": [[" ".join(play) for _, play in trick] for trick in tricks_of(record)],
            "rules": rules,
        }  # fmt: skip
        if game.rules.friend_count:
            assert isinstance(contract, tractor.Bank)
            told = [str(friend).split() for friend in contract.friends]
            question["friends"] = [{"card": card, "nth": int(nth)} for card, nth in told]
        found = json.loads(reply(json.dumps(question).encode())[0])
        after = game.advance(position, result)
        levels = [LADDER[min(level, game.rules.last_level) - 2] for level in after.score[:-1]]
        assert (found["levels"], found["banker"]) == (levels, after.dealer), found
        assert found["winner"] == winner(game.rules, after)
        asked["thrown back" in result.text] += 1
    assert "jack_back" not in rules or asked[True] or SOAK == 1


def test_who_is_thrown_back_rises_from_two():
    rules = tractor.game(jack_back="single-jack").rules
    assert outcome(rules, (11, 9), 0, 20, thrown_back=True).levels == (4, 9)
    assert outcome(rules, (11, 9), 0, 130, thrown_back=True).levels == (2, 10)
    assert outcome(rules, (11, 9), 0, 20, thrown_back=True).gains == (-7, 0)


def test_the_judge_and_a_record_that_is_read_again_throw_back_as_the_table_did():
    game = tractor.game(jack_back="any-jack", **SHORT)
    found = 0
    for seed in range(120):
        record = play_deal(game, seed, Standing(0, (11, 11, 1)), most=1)
        assert record.position.result is not None
        if "thrown back" not in record.position.result.text:
            continue
        found += 1
        assert judge(record).result == record.position.result
        again = parse_record(str(record), lambda name, choices: game)
        assert again == record
    assert found > 2


def test_the_level_without_trumps():
    game = tractor.game(last_level=15)
    table = Arbiter(game, 3, Standing(1, (15, 15, 4)))
    assert table.position.legal_calls == ("take",)  # nobody shows
    position = tractor.position("trump NT by 1 | led HA | hand H2 LJ S2", last_level=15)
    assert [str(play) for play in position.legal_plays] == ["H2"]
    assert position.judge("LJ").rule == game.rule_list[1]
    assert order("NT") == order("NT5", no_trump=NoTrump.JOKERS_ONLY)
    assert stops_of(tractor.game(last_level=15, must_defend="ace").rules) == (14, 15)
    assert outcome(Rules(last_level=15), (15, 2), 0, 0).winner == 0
    assert outcome(Rules(last_level=15), (14, 2), 0, 75).levels == (15, 2)


def test_a_level_that_must_be_defended_stops_before_a_higher_one():
    rules = tractor.game(last_level=7, must_defend="point-levels").rules
    assert outcome(rules, (5, 5), 0, 0).levels == (7, 5)  # the last one, not the ten behind it
    assert outcome(rules, (2, 4), 0, 280).levels == (2, 5)
    assert outcome(rules, (7, 4), 0, 0).winner == 0


def test_friends_leave_the_level_without_trumps_only_if_it_was_played():
    rules = tractor.game(seats=5, mode="friends", last_level=15, must_defend="ace").rules
    assert outcome(rules, (9, 15, 15, 15, 15), 0, 75, team={0, 1}).winners == ()
    assert outcome(rules, (15, 15, 9, 9, 9), 0, 75, team={0, 1}).winners == (0, 1)


@pytest.mark.parametrize(
    "rule",
    [
        "take_back=yes", "kitty_theft=on", "kitty_laid=no", "pack_jokers=none", "lowest_rank=5", "last_level=15",
        "no_call=first-card",
    ],
)  # fmt: skip
def test_rows_that_were_made_before_refuse_it_by_name(rule: str):
    name, _, choice = rule.partition("=")
    with pytest.raises(ValueError, match=f"not put into numbers under {rule}: "):
        encoding_of(tractor.game(**{name: choice}))


def test_what_cannot_go_together_is_refused():
    refused = {
        "kitty_theft=on asks for a kitty": {"kitty_laid": "no", "kitty_theft": "on"},
        "no_call=first-card asks for a kitty": {"kitty_laid": "no", "no_call": "first-card"},
        "162 are not the same number for each of 4": {"kitty_laid": "no", "packs": 3},
        "a game that begins at 9 goes on": {"lowest_rank": 9, "last_level": 9},
        "lowest_rank is '1'; it may be 2 to 10": {"lowest_rank": "1"},
    }
    for why, rules in refused.items():
        with pytest.raises(ValueError, match=why):
            tractor.game(**rules)
    with pytest.raises(ValueError, match="'S4' is no card"):
        tractor.position("trump S5 | led S4 | hand S6", lowest_rank=5)
    with pytest.raises(ValueError, match="H3 is not in the packs"):
        tractor.position("trump S5 by 0 friends H3 1 | hand S6", lowest_rank=4, mode="friends", seats=5)


def test_the_presets_of_the_server_are_its_defaults():
    four, six, friends = (PRESETS[name] for name in ("rbtying", "rbtying-six", "rbtying-friends"))
    assert [(one.seats, one.packs, one.buried, one.hand_size) for one in (four, six)] == [(4, 2, 8, 25), (6, 3, 6, 26)]
    assert friends.friend_count == 2
    assert (four.take_back.value, four.no_call.value, four.last_level) == ("yes", "first-card", 15)
    for name in ("rbtying", "rbtying-six", "rbtying-friends"):
        assert check_game(tractor.game(name, lowest_rank=9), deals=SOAK, choose=choose).acts > 40
        by_rulebooks(tractor.game(name), SOAK)


@pytest.mark.parametrize("rules", [{"kitty_theft": "on"}, {"last_level": 15}, SHORT, {"kitty_laid": "no"}], ids=named)
def test_records_tell_the_house_rules(rules: dict[str, Any]):
    record = play_deal(tractor.game(**rules), 1)
    for name, value in rules.items():
        assert f"{name}={value}" in str(record).splitlines()[2]
    assert parse_record(str(record), find_game) == record
