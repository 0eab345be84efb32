"""Finding Friends: who joins when, sides as they become known, levels of every seat, against the brute force."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from reference import tractor_packs
from reference.tractor_tables import House, levels_won
from renege import tractor
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards
from renege.core.game import Standing
from renege.core.notation import NotationError
from renege.core.position_text import parse_position
from renege.core.record import GameRecord, parse_game_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.encoding import encoding_of
from renege.games.tractor.friends import Friend, parse_friends
from renege.games.tractor.rules import Rules
from renege.games.tractor.score import steps_up
from support.steering import SOAK
from support.tractor_tables import choose, play_deal, tricks_of

from .test_tables import asked, banker_of, compare, joins_of

SIZES = [(seats, packs) for seats in (4, 5, 6, 7, 8) for packs in (2, 3, 4)]
USUAL = [(5, 2), (6, 3), (7, 3), (8, 4)]
MORE: list[dict[str, Any]] = [
    {},
    {"double_friend": "not"},
    {"double_friend": "not", "friends": 3, "friend_cards": "trumps-too", "must_defend": "point-levels"},
    {"friends": 2, "level_step": 10, "turnover": 3, "dead_zone": 0, "nothing_taken": "as-few"},
    {"small_team": "nothing-more", "kitty_multiplier": "twice-cards", "throw_comparison": "all-units", "dead_zone": 2},
]


def rules_of(**choices: Any) -> Rules:
    """House rules by the names of their choices."""
    return Rules(**choices)


def house_of(rules: Rules) -> House:
    """The same table in the words of the brute force."""
    defended = {"none": (), "point-levels": ("5", "T", "K", "A")}[rules.must_defend.value]
    return House(
        rules.seats, rules.packs, rules.mode.value, rules.friend_count, rules.double_friend.value, rules.level_step,
        rules.turnover, rules.dead_zone, rules.nothing_taken.value, rules.small_team.value, defended,
        rules.kitty_multiplier.value, rules.throw_comparison.value, rules.throw_penalty,
    )  # fmt: skip


@pytest.mark.parametrize("more", MORE, ids=lambda more: " ".join(map(str, more.values())) or "default")
def test_who_joins_when_and_what_it_comes_to_is_as_the_brute_force_tells(more: dict[str, Any]):
    sizes: Counter[int] = Counter()  # of the banker's team
    joined = 0
    for seed in range(8 * SOAK):
        rng = random.Random(f"friends {seed} {more}")
        seats, packs = USUAL[seed % 3] if SOAK == 1 else rng.choice(SIZES)
        friends = {"friends": min(more["friends"], seats - 2)} if "friends" in more else {}
        rules = rules_of(seats=seats, packs=packs, mode="friends", throw_penalty=10, **(more | friends))
        levels = [rng.randint(2, 14) for _ in range(seats)]
        record = play_deal(tractor.game(rules), seed, Standing(rng.randrange(seats), (*levels, rng.choice([0, 3]))))
        compare(house_of(rules), record)
        sizes[len({seat for seat in range(seats) if record.position.side(seat) == 0})] += 1
        joined += len(joins_of(record))
    assert len(sizes) >= 2 and joined >= 8, (sizes, joined)


def test_levels_are_counted_as_the_table_says():
    rules = rules_of(packs=3, level_step=10, turnover=3, dead_zone=2, nothing_taken="as-few")
    house = house_of(rules)
    for points in range(0, 400, 5):
        held, rise = levels_won(house, points)
        assert steps_up(points, rules) == ((rise, 0) if held else (0, rise))


# -- who is on which side


def joined_position(text: str, **rules: Any) -> list[int | None]:
    game = tractor.game("friends-six", **rules)
    position = parse_position(game, text)
    return [position.side(seat) for seat in range(6)]


def test_a_friend_is_of_neither_side_until_the_card_comes():
    deal = "trump S2 by 1 friends DA 1, HA 2 | led H7 | hand H3 H4"
    assert joined_position(deal) == [None, 0, None, None, None, None]
    assert joined_position(f"{deal} | memory seen H7 HA HA; joined - 4") == [None, 0, None, None, 0, None]
    assert joined_position(f"{deal} | memory seen H7 HA HA DA; joined 3 4") == [1, 0, 1, 0, 0, 1]
    # the banker was its own friend: nobody else can join by that card
    assert joined_position(f"{deal} | memory seen H7 HA HA DA; joined 1 4") == [1, 0, 1, 1, 0, 1]
    # nobody may be two friends: all aces of diamonds are gone, and so the place stays empty
    gone = f"{deal} | memory seen H7 HA HA DA DA DA; joined - 4"
    assert joined_position(gone, double_friend="not") == [1, 0, 1, 1, 0, 1]
    assert joined_position(gone.replace("DA DA DA", "DA DA"), double_friend="not") == [None, 0, None, None, 0, None]


def test_sides_never_change_and_tell_only_what_was_played():
    for seed in range(4 * SOAK):
        rules = rules_of(seats=6, packs=3, mode="friends", double_friend=random.Random(seed).choice(["allowed", "not"]))
        record = play_deal(tractor.game(rules), seed)
        for before, after in pairwise(record.positions()):
            for seat in range(6):
                assert before.side(seat) in (None, after.side(seat))
        assert all(record.position.side(seat) is not None for seat in range(6))
        for seat in (0, 3):
            for seen, true in zip(record.view(seat).positions(), record.positions(), strict=True):
                assert [seen.side(other) for other in range(6)] == [true.side(other) for other in range(6)]


# -- naming


def named_by_banker(call: str, preset: str = "friends-six", level: int = 2, **rules: Any) -> str | None:
    """Why a call of friends is refused after a deal without a trump suit; None if it is not."""
    game = tractor.game(preset, **rules)
    table = Arbiter(game, 1, Standing(0, (*(level,) * game.players, 1)))
    while (seat := table.position.turn) is not None:
        calls = table.position.legal_calls
        if calls[0].startswith("friends"):
            verdict = table.act(seat, call)
            assert verdict.rule is None or (verdict.rule.id == "tractor.friends" and verdict.instead)
            return verdict.why or None
        table.act(seat, calls[0])
    raise AssertionError("nobody named friends")


@pytest.mark.parametrize(
    ("call", "rules", "why"),
    [
        ("friends HA 2, SK 1", {}, None),
        ("friends SK HA 3", {}, None),
        ("friends HA 2", {}, "1 friends are named, and this table has 2"),
        ("friends HA 2, HA 2", {}, "HA 2 is named twice"),
        ("friends HA 4, SK 1", {}, "there are 3 of HA, and number 4 is none"),
        ("friends H2 1, SK 1", {}, "H2 is a trump"),
        ("friends BJ 1, SK 1", {}, "BJ is a trump"),
        ("friends BJ 1, H2 3", {"friend_cards": "trumps-too"}, None),
        ("friends HA 1, SK 1", {"friend_cards": "not-highest"}, "HA is the highest of hearts"),
        ("friends HK 1, SK 1", {"friend_cards": "not-highest"}, None),
        ("friends HK 1, SK 1", {"friend_cards": "not-highest", "level": 14}, "HK is the highest of hearts"),
        ("friends HA 1, SK 1", {"friend_cards": "no-points"}, "SK counts points"),
        ("friends HA 1, SQ 1", {"friend_cards": "no-points"}, None),
        ("friends HK 1, SQ 1", {"friend_cards": "no-points", "level": 14}, None),
        ("friends HT 1, SQ 1", {"friend_cards": "no-points", "level": 14}, "HT counts points"),
    ],
)
def test_which_cards_may_name_friends(call: str, rules: dict[str, Any], why: str | None):
    found = named_by_banker(call, **rules)
    assert (found is None) if why is None else (found is not None and why in found), found


def test_friends_are_read_and_written():
    assert parse_friends("SK 1, HA 2") == parse_friends("HA 2 SK") == (Friend(38, 2), Friend(50, 1))
    assert parse_friends("") == ()
    for wrong, why in (
        ("HA x", "no card"),
        ("2", "names no friends"),
        ("HASK 1", "no card"),
        ("HA 2 2", "names no"),
    ):
        with pytest.raises(NotationError, match=why):
            parse_friends(wrong)
    game = tractor.game("friends-six")
    contract = game.read_contract(game.rules, "trump NT2 by 5 friends SK, HA 2")
    assert game.write_contract(contract) == "trump NT2 by 5 friends HA 2, SK 1"
    with pytest.raises(NotationError, match="SK is a trump"):
        game.read_contract(game.rules, "trump S2 by 5 friends SK, HA 2")
    with pytest.raises(NotationError, match="is no contract"):
        tractor.game().read_contract(tractor.game().rules, "trump S2 by 1 friends HA 2")


def test_tables_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="with mode=friends any number plays"):
        Rules(seats=7)
    with pytest.raises(ValueError, match="friends is 4; with 5 seats there may be 3"):
        rules_of(seats=5, mode="friends", friends=4)
    with pytest.raises(ValueError, match="throw_test=opponents"):
        rules_of(mode="friends", throw_test="opponents")
    with pytest.raises(ValueError, match="more than the 100 points of a pack"):
        Rules(level_step=40, turnover=3)


# -- the deal as a whole


def test_a_game_of_several_deals_reads_back_with_a_level_for_every_seat():
    game = tractor.game("friends-five")
    record = GameRecord(game)
    for seed in range(3):
        record = GameRecord(game, (*record.deals, play_deal(game, seed, record.standing)))
    again = parse_game_record(str(record), find_game)
    assert again == record
    assert len(again.standing.score) == 6
    assert again.standing.score[-1] == 3


def test_who_passes_the_ace_wins_and_the_first_from_the_next_banker_on_is_named():
    game = tractor.game("friends-five")
    for seed in range(40):
        record = play_deal(game, seed, Standing(seed % 5, (14, 14, 14, 14, 14, 1)))
        after = game.advance(record.position, record.position.result)
        past = [seat for seat in range(5) if after.score[seat] > 14]
        if past:
            won = game.winner(game.rules, after)
            assert won == min(past, key=lambda seat: (seat - after.dealer) % 5)
            assert record.position.result is not None
            assert record.position.result.text.endswith(f"won by {' '.join(map(str, past))}")
            break
    else:
        raise AssertionError("nobody passed the ace")


def test_a_renege_costs_the_team_of_whoever_reneged():
    game = tractor.game("friends-five", renege_found="penalty")
    found: Counter[bool] = Counter()
    for seed in range(6):
        record = play_deal(game, seed)
        acts, positions = list(record.acts), list(record.positions())
        end = positions[-1]
        for i in range(len(acts) - 1, 0, -1):  # a follower plays another suit, though it could follow
            play, position = acts[i].what, positions[i]
            if not isinstance(play, Play) or position.trick is None or not position.trick.plays or end.result is None:
                continue
            hand, turn = position.hands[acts[i].seat], position.turn_to_play()
            assert isinstance(hand, Cards)
            others = [card for card in hand if turn.led is not None and turn.order.led_suit[card] != turn.led]
            if len(play.cards) == 1 and others and turn.order.suit_of(play.cards) == turn.led:
                wrong = replace(acts[i], what=Play(game.deck.cards(others[:1])))
                rest = Arbiter.__new__(Arbiter)
                rest.record, rest._passed = replace(record, acts=(*acts[:i], wrong)), (*positions[: i + 1],)  # pyright: ignore[reportPrivateUsage]
                rest._passed = (*rest._passed, rest.record.position)  # pyright: ignore[reportPrivateUsage]
                rng = random.Random(seed)
                while (seat := rest.position.turn) is not None:
                    rest.act(seat, choose(rest.position, rng))
                judged, plain = judge(rest.record).result, rest.position.result
                assert judged is not None and plain is not None
                ours = acts[i].seat in {seat for seat in range(5) if rest.position.side(seat) == 0}
                gain = points_in(judged.text) - points_in(plain.text)
                assert gain == 40 if ours else gain in (-40, -points_in(plain.text)) or gain < 0
                found[ours] += 1
                break
    assert found


def points_in(text: str) -> int:
    return int(text.split()[1].rstrip(","))


def test_a_whole_deal_is_scored_by_question_with_its_friends():
    game = tractor.game("friends-five")
    for seed in range(3):
        record = play_deal(game, seed, Standing(seed % 5, (3, 5, 2, 7, 9, 1)), most=1)
        contract, position = record.position.contract, record.position
        assert isinstance(contract, tractor.Bank)
        found = asked(
            ask="score", seats=5, banker=banker_of(record), levels=["3", "5", "2", "7", "9"],
            declaration=contract.declaration, kitty=str(position.kitty), leader=banker_of(record),
            friends=[{"card": game.deck.names[friend.card], "nth": friend.nth} for friend in contract.friends],
            tricks=[[" ".join(play) for _, play in trick] for trick in tricks_of(record)],
        )  # fmt: skip
        after = game.advance(position, position.result)
        assert found["team"] == [seat for seat in range(5) if position.side(seat) == 0]
        assert position.result is not None and position.result.text.startswith(f"attackers {found['attackers']},")
        assert found["levels"] == [tractor_packs.RANKS[level - 2] for level in after.score[:-1]]
        assert found["banker"] == after.dealer
    friend = [{"card": "S3", "nth": 1}]
    wrong = asked(ask="winner", seats=5, friends=friend, plays=["H3"] * 5)
    assert "S3 is a trump" in str(wrong["error"])


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"seats": 5, "mode": "friends", "no_call": "turn-kitty"}, "no_call=turn-kitty: a card that is turned up"),
        ({"seats": 6, "stopped_throw": "refused"}, "stopped_throw=refused: the throws that are open would tell"),
    ],
)
def test_what_is_not_put_into_numbers_is_said(rules: dict[str, Any], why: str):
    with pytest.raises(ValueError, match=why):
        encoding_of(tractor.game(**rules))
