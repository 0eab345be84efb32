"""The strict table refuses and changes nothing; the judge finds every renege, with the trick that proves it."""

import pickle
import random
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from reference import texas42 as reference
from renege import IllegalPlay, NotationError, WrongPhase, parse_game_record, parse_record, texas42
from renege.core.arbiter import Arbiter, Breach, judge
from renege.core.cards import Cards, Hidden
from renege.core.deal_state import Act
from renege.core.game import SEATS, Standing
from renege.core.house_rules import read_rules
from renege.core.position import Course, Position
from renege.core.record import GameRecord, Record, new_record
from renege.core.registry import BUILT_IN
from renege.core.trick import Play
from renege.games.texas42.contract import Hand42
from renege.games.texas42.follow import follow_suit
from renege.games.texas42.rules import Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer


def rules(**choices: str) -> Rules:
    return read_rules(Rules(), choices)


# -- the strict table


def test_what_the_table_refuses_changes_nothing():
    for number, contract in enumerate(CONTRACTS):
        game = texas42.game()
        seed = next(deals_for(contract[0], game, number))
        table, rng, choose = Arbiter(game, seed), random.Random(seed), steer(*contract)
        while (seat := table.position.turn) is not None:
            position, record = table.position, table.record
            for wrong in _refused(position):
                verdict = table.act(seat, wrong)
                assert verdict.legal is False
                assert verdict.instead is not None
                assert table.position is position
                assert table.record is record
            for nonsense in ("hello", "7-7", "6-4 as nothing"):
                with pytest.raises(NotationError):
                    table.act(seat, nonsense)
            with pytest.raises(WrongPhase):
                table.act((seat + 1) % 4, "pass" if position.talking else "6-4")
            assert table.position is position
            assert table.record is record
            verdict = table.act(seat, choose(position, rng))
            assert verdict.legal
            assert table.record.position == table.position
        with pytest.raises(WrongPhase):
            table.act(0, "pass")


def _refused(position: Position) -> list[str]:
    assert isinstance(position.hand, Cards)
    if not position.talking:
        legal = {play.cards for play in position.legal_plays}
        tiles = [texas42.DECK.of(1 << tile) for tile in position.hand]
        pairs = [one + other for one, other in pairwise(tiles)]
        return [str(cards) for cards in [*tiles, *pairs] if cards not in legal][:4]
    if position.talk is not None and len(position.talk.said) < 4:
        everything = ["pass", "30", "41", "1 mark", "4 marks", "9 marks", "plunge", "splash"]
    else:
        everything = ["nello", "sevens", "nello doubles low", "trump 5"]
    return [call for call in everything if call not in position.legal_calls]


def test_a_table_starts_from_its_seed_and_where_the_game_stands():
    game, standing = texas42.game(), Standing(1, (3, 4))
    table = Arbiter(game, 9, standing)
    assert table.record == new_record(game, 9, standing)
    assert table.position.hands == game.deal(9)[0]
    assert table.position.turn == 2


def test_a_table_shows_a_seat_what_it_has_seen_so_far():
    table = Arbiter(texas42.game(), 2)
    table.act(0, "30")
    view = table.view(1)
    assert view.acts == (Act(0, "30"),)
    assert view.hand == table.position.hands[1]
    assert view.my_turn
    assert isinstance(view.position.hands[0], Hidden)


def test_a_seat_that_knows_its_hand_names_the_tile_it_passes():
    """ "give a tile" is what the other side hears; said by the seat itself it would make its hand unknown."""
    table = Arbiter(texas42.game(rules(nello_exchange="one-tile")), 1)
    for seat, call in ((0, "pass"), (1, "pass"), (2, "pass"), (3, "1 mark"), (3, "nello")):
        assert table.act(seat, call)
    try:
        verdict = table.act(3, "give a tile")
    except NotationError:
        verdict = None
    assert not verdict
    assert all(isinstance(hand, Cards) for hand in table.position.hands)


# -- the judge: reneges planted at random


@dataclass(frozen=True)
class Planted:
    """What the reference says of one play."""

    trick: int
    seat: int
    tile: str
    proved_in: int | None


def play_with_reneges(game, seed: int, contract: tuple[str, str], often: float) -> Record:
    """A deal in which seats now and then play a tile that they may not."""
    choose, rng = steer(*contract), random.Random(seed)
    record = new_record(game, seed)
    position = record.position
    while position.turn is not None:
        what = choose(position, rng)
        if isinstance(what, Play) and rng.random() < often:
            assert isinstance(position.hand, Cards)
            what = Play(texas42.DECK.of(1 << rng.choice(list(position.hand))))
        act = position.read(what)
        position = position.then(act)
        record = record.with_act(act)
    return record


def expected(record: Record, known: set[int]) -> list[Planted]:
    """Every breach: from the whole hand of seats that are known, and of others from what they play later."""
    found: list[Planted] = []
    positions = list(record.positions())
    shown: list[tuple[int, int, reference.Tile]] = [
        (position.tricks_played, act.seat, ends(act.what.cards))
        for act, position in zip(record.acts, positions, strict=False)
        if isinstance(act.what, Play)
    ]
    plays = [index for index, act in enumerate(record.acts) if isinstance(act.what, Play)]
    for place, index in enumerate(plays):
        position, act = positions[index], record.acts[index]
        contract = position.contract
        assert isinstance(contract, Hand42)
        assert position.trick is not None
        trick, seat, tile = shown[place]
        lead = ends(position.trick.plays[0].cards) if position.trick.plays else None
        hand = [reference.TILES[card] for card in position.hands[seat]]  # type: ignore[union-attr]
        later = [(when, other) for when, who, other in shown[place:] if who == seat]

        def broken(held: list[reference.Tile], tile=tile, lead=lead, contract=contract) -> bool:
            return tile not in reference.legal_plays(held, lead, contract.declaration, contract.doubles.value)

        proof = next(
            (when for n, (when, _) in enumerate(later) if broken([other for _, other in later[: n + 1]])), None
        )
        if proof is not None or (seat in known and broken(hand)):
            found.append(Planted(trick, seat, str(act.what), proof))
    return found


def ends(cards: Cards) -> reference.Tile:
    (card,) = cards
    return reference.TILES[card]


def as_planted(breach: Breach) -> Planted:
    assert breach.trick is not None
    return Planted(breach.trick, breach.seat, breach.said, breach.proved_in)


HOUSES = [{"early_end": "play-on"}, {}]


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_the_judge_finds_every_renege_in_a_full_record_and_no_other(contract: tuple[str, str]):
    reneges = 0
    for number in range(6 * SOAK):
        game = texas42.game(rules(**HOUSES[number % 2]))
        record = play_with_reneges(game, next(deals_for(contract[0], game, 97 * number)), contract, often=0.4)
        breaches = judge(record).breaches
        assert [as_planted(breach) for breach in breaches] == expected(record, {0, 1, 2, 3})
        assert all(str(breach.rule) in ("texas42.follow-suit", "texas42.nearest-seven") for breach in breaches)
        reneges += len(breaches)
    assert reneges > 3


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_the_judge_finds_from_what_a_seat_saw_every_renege_that_this_proves(contract: tuple[str, str]):
    reneges = 0
    for number in range(4 * SOAK):
        game = texas42.game(rules(**HOUSES[number % 2]))
        record = play_with_reneges(game, next(deals_for(contract[0], game, 89 * number)), contract, often=0.4)
        for seat in range(4):
            breaches = judge(record.view(seat)).breaches
            assert [as_planted(breach) for breach in breaches] == expected(record, {seat})
            reneges += len(breaches)
    assert reneges > 3


def public(record: Record) -> Course:
    """The course as a spectator saw it: no hand at all."""
    hidden = tuple(Hidden(len(hand)) for hand in record.start.hands)
    return Course(replace(record.start, hands=hidden), record.acts)


@pytest.mark.parametrize("contract", CONTRACTS[:18], ids=" ".join)
def test_the_judge_finds_from_the_plays_alone_every_renege_that_they_prove(contract: tuple[str, str]):
    for number in range(3 * SOAK):
        game = texas42.game(rules(early_end="play-on"))
        record = play_with_reneges(game, 83 * number, contract, often=0.4)
        breaches = judge(public(record)).breaches
        assert [as_planted(breach) for breach in breaches] == expected(record, set())
        if contract[1].startswith(("trump", "follow-me")):
            # every tile comes out in the end, so the plays alone prove what the hands would
            assert [b.said for b in breaches] == [b.said for b in judge(record).breaches]


def test_a_legal_record_has_no_breach_and_keeps_its_result():
    for contract in CONTRACTS:
        record = play_out(texas42.game(), next(deals_for(contract[0])), steer(*contract))
        for course in (record, *(record.view(seat) for seat in range(4))):
            judgement = judge(course)
            assert judgement
            assert judgement.breaches == ()
            assert judgement.result == record.position.result


HANDS = (
    "0: 6-4 6-0 4-0 3-0 2-0 1-0 0-0 | 1: 6-6 6-5 5-5 3-1 2-1 1-1 4-1 | "
    "2: 6-1 5-1 5-2 4-2 3-2 2-2 6-2 | 3: 6-3 5-3 4-3 3-3 5-0 5-4 4-4"
)


def dealt(bid: str, declared: str, plays: str, **choices: str) -> Record:
    """Seat 0 bids and declares on the hands above; then these tiles are played, whatever the rules say."""
    start = texas42.position(f"dealer 3 | {HANDS}", rules(**choices))
    record = Record(start)
    for seat, call in ((0, bid), (1, "pass"), (2, "pass"), (3, "pass"), (0, declared)):
        record = record.with_act(Act(seat, call))
    for tile in plays.split():
        record = record.with_act(record.position.read(tile))
    return record


def test_a_renege_is_proved_by_the_first_later_tile_of_the_led_suit():
    # sixes are led, seat 1 ruffs with 6-5 though it holds 6-6, and shows 6-6 in the fourth trick
    plays = "6-4 6-5 6-1 6-3  5-5 5-1 5-0 0-0  3-1 3-2 3-3 3-0  5-3 6-0 6-6"
    record = dealt("30", "trump 5", plays, early_end="play-on")
    (breach,) = judge(record).breaches
    assert (breach.trick, breach.seat, breach.said, breach.proved_in) == (0, 1, "6-5", 3)
    assert str(breach) == (
        "seat 1 in trick 1: 6-5 breaks texas42.follow-suit: 6-5 is a trump, sixes were led (proved in trick 4)"
    )
    assert judge(public(record)).breaches == (breach,)
    before = replace(record, acts=record.acts[:-1])
    assert judge(public(before)).breaches == ()
    assert judge(before).breaches == (replace(breach, proved_in=None),)  # the hand itself proves it
    assert judge(before.view(1)).breaches == (replace(breach, proved_in=None),)
    assert judge(before.view(2)).breaches == ()


def test_a_called_tile_shown_later_proves_nothing_about_its_pip():
    # fours are led; seat 1 throws 2-1 and shows 5-4, a trump and no four, in the next trick
    start = texas42.position(
        "dealer 3 | 0: 4-4 6-0 4-0 3-0 2-0 1-0 0-0 | 1: 6-6 6-5 5-5 3-1 2-1 1-1 5-4 | "
        "2: 6-1 5-1 5-2 4-2 3-2 2-2 6-2 | 3: 6-3 5-3 4-3 3-3 5-0 6-4 4-1"
    )
    record = Record(start)
    for seat, call in ((0, "30"), (1, "pass"), (2, "pass"), (3, "pass"), (0, "trump 5")):
        record = record.with_act(Act(seat, call))
    for tile in ["4-4", "2-1", "4-2", "4-3", "6-0", "5-4", "6-1", "6-3"]:
        record = record.with_act(record.position.read(tile))
    # the second is a renege, for 6-6 was there; the first was none
    assert [(breach.trick, breach.said) for breach in judge(record).breaches] == [(1, "5-4")]
    assert judge(public(record)).breaches == ()


def test_a_breach_in_the_talk_is_found_and_costs_no_hand():
    record = dealt("30", "trump 5", "6-4 6-6 6-1 6-3", early_end="play-on")
    acts = (Act(0, "35"), Act(1, "30"), Act(2, "pass"), Act(3, "plunge"))
    course = replace(record, acts=acts)
    breaches = judge(course).breaches
    assert [(breach.trick, breach.seat, breach.said, str(breach.rule)) for breach in breaches] == [
        (None, 1, "30", "texas42.bid-higher"),
        (None, 3, "plunge", "texas42.plunge"),
    ]
    assert str(breaches[0]).startswith("seat 1 in the talk: 30 breaks")
    assert judge(course).result is None


# -- penalties

RENEGE_BY_1 = "6-4 6-5 6-1 6-3"  # trump 5: seat 1, a defender, ruffs with a six in hand
RENEGE_BY_2 = "6-4 6-6 5-1 6-3"  # seat 2, the declarer's partner


@pytest.mark.parametrize(
    ("bid", "plays", "choices", "score", "made"),
    [
        ("30", RENEGE_BY_1, {}, (1, 0), True),
        ("30", RENEGE_BY_2, {}, (0, 1), False),
        ("2 marks", RENEGE_BY_1, {}, (2, 0), True),
        ("2 marks", RENEGE_BY_2, {}, (0, 2), False),
        ("30", RENEGE_BY_1, {"renege_penalty": "two-marks"}, (2, 0), None),
        ("30", RENEGE_BY_2, {"renege_penalty": "two-marks"}, (0, 2), None),
        ("1 mark", RENEGE_BY_2, {"renege_penalty": "two-marks"}, (0, 2), None),
        ("30", RENEGE_BY_1, {"renege_penalty": "hand-and-mark"}, (2, 0), True),
        ("2 marks", RENEGE_BY_2, {"renege_penalty": "hand-and-two-marks"}, (0, 4), False),
        ("30", RENEGE_BY_1, {"scoring": "points", "target": "250"}, (30, 0), True),
        ("30", RENEGE_BY_2, {"scoring": "points", "target": "250"}, (0, 30 + 42), False),
        ("2 marks", RENEGE_BY_1, {"scoring": "points", "target": "250"}, (84, 0), True),
        ("2 marks", RENEGE_BY_2, {"scoring": "points", "target": "250"}, (0, 84), False),
    ],
)
def test_a_renege_costs_what_the_table_says(bid, plays, choices, score, made):
    record = dealt(bid, "trump 5", plays, **choices)
    judgement = judge(record)
    assert len(judgement.breaches) == 1
    assert not judgement
    result = judgement.result
    assert result is not None
    assert result.made is made
    offender = judgement.breaches[0].seat
    assert f"renege by {offender}" in result.text
    if "scoring" in choices:  # how many points a hand that was cut short pays is not written anywhere; who wins it is
        winner = 0 if score[0] > score[1] else 1
        assert result.score[winner] > 0
        assert result.score[1 - winner] == 0
    else:
        assert result.score == (*score, *score)


def test_where_reneges_cost_nothing_the_hand_stands_as_played():
    whole = play_with_reneges(texas42.game(rules(renege_penalty="none")), 3, ("30", "trump 5"), often=0.9)
    judgement = judge(whole)
    assert judgement.breaches
    assert judgement.result == whole.position.result
    part = replace(whole, acts=whole.acts[:9])
    assert judge(part).result is None


def test_the_first_offender_pays():
    record = dealt("30", "trump 5", RENEGE_BY_1 + " 6-6 5-2 4-3 6-0", early_end="play-on")  # then seat 2, with 6-2
    judgement = judge(record)
    assert [breach.seat for breach in judgement.breaches] == [1, 2]
    assert judgement.result is not None
    assert judgement.result.score == (1, 0, 1, 0)


def test_the_judge_speaks_of_a_record_that_is_not_finished():
    record = dealt("30", "trump 5", "6-4 6-6 6-1 6-3")
    assert judge(record)
    assert judge(record).result is None


def test_a_game_that_knows_no_claims_says_so():
    table = Arbiter(replace(texas42.game(), claim=None), 1)
    with pytest.raises(WrongPhase, match="knows no claims"):
        table.claim(0)


def test_a_table_goes_on_where_its_record_left_off():
    table, rng = Arbiter(texas42.game(), 5), random.Random(5)
    while (seat := table.position.turn) is not None:
        again = Arbiter.resume(table.record)
        assert (again.position, again.record) == (table.position, table.record)
        position = table.position
        table.act(seat, rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng))
        if len(table.record.acts) % 3 == 0:
            table = Arbiter.resume(table.record)
    assert table.position.over


def test_a_table_does_not_go_on_from_a_record_with_a_renege():
    record = Arbiter(texas42.game(), 5).record.with_act(Act(0, "3 marks"))
    with pytest.raises(IllegalPlay):
        Arbiter.resume(record)


SEVENS_LEAD = """renege record 1
game texas42 version 1
rules early_end=play-on{rules}
deal dealer 3 score 0 0
0: ?7
1: ?7
2: ?7
3: ?7
talk 0 {bid} | 1 pass | 2 pass | 3 pass | 0 {declared}
{tricks}
"""


@pytest.mark.parametrize(
    ("rules", "bid", "declared", "tricks", "rule"),
    [
        (
            "",
            "1 mark",
            "sevens",
            "trick 1: 0 leads 5-4, 6-6, 5-5, 0-0\ntrick 2: 0 leads 6-1, 1-0, 1-1, 2-0",
            "texas42.nearest-seven",
        ),
        (
            " opening_lead=trump",
            "30",
            "trump 5",
            "trick 1: 0 leads 6-6, 6-1, 6-2, 6-3\ntrick 2: 0 leads 5-5, 5-1, 5-2, 5-3",
            "texas42.opening-trump",
        ),
    ],
)
def test_a_bad_lead_is_proved_by_a_later_tile_too(rules, bid, declared, tricks, rule):
    record = parse_record(SEVENS_LEAD.format(rules=rules, bid=bid, declared=declared, tricks=tricks))
    first = judge(record).breaches[0]
    assert (first.seat, first.trick, first.rule.id, first.proved_in) == (0, 0, rule, 1)


RENEGE = """renege record 1
game texas42 version 1
rules default
deal dealer 3 score 0 0
0: 6-6 6-5 6-4 6-3 6-2 6-1 0-0
1: 6-0 5-5 5-4 5-3 5-2 5-1 5-0
2: 4-4 4-3 4-2 4-1 4-0 3-3 3-2
3: 3-1 3-0 2-2 2-1 2-0 1-1 1-0
talk 0 1 mark | 1 pass | 2 pass | 3 pass | 0 trump 6
"""


def test_a_renege_counts_in_the_score_of_the_game_and_the_record_says_so():
    tricks = "trick 1: 0 leads 6-6, 5-5, 4-4, 3-1 -> 0 takes 11\n" + "".join(
        f"trick {n}: 0 leads 6-{7 - n}, 5-{6 - n}, {other}, {last} -> 0 takes {won}\n"
        for n, other, last, won in [(2, "4-3", "3-0", 1), (3, "4-2", "2-2", 11), (4, "4-1", "2-1", 6)]
    )
    tricks += "trick 5: 0 leads 6-2, 5-1, 4-0, 2-0 -> 0 takes 1\n"
    tricks += "trick 6: 0 leads 6-1, 5-0, 3-3, 1-1 -> 0 takes 6\n"
    tricks += "trick 7: 0 leads 0-0, 6-0, 3-2, 1-0 -> 1 takes 6\n"
    record = parse_record(RENEGE + tricks)
    judged, played = judge(record), record.position.result
    assert judged.result is not None
    assert played is not None
    assert played.score == (0, 1, 0, 1)
    first = judged.breaches[0]
    assert (first.seat, first.trick, first.proved_in) == (1, 0, 6)
    assert judged.result.score == (1, 0, 1, 0)
    text = str(record)
    assert text.splitlines()[-1] == "judged renege by 1: 1 mark by 0 made with 36 points, 1-0"
    assert parse_record(text) == record
    with pytest.raises(NotationError, match="judged"):
        parse_record(text.replace("judged renege by 1", "judged renege by 3"))
    game = GameRecord(record.game, (record,))
    assert game.standing == Standing(0, (1, 0))
    second = str(new_record(record.game, 1, game.standing)).split("\n", 3)[3]
    assert parse_game_record(f"{text}{second}").standing == Standing(0, (1, 0))


def test_a_rule_that_more_cards_could_excuse_is_proved_by_the_whole_hand_alone():
    def lenient(turn, play):
        objection = follow_suit(turn, play)
        return objection and replace(objection, rule=replace(objection.rule, excusable=True))

    game = replace(texas42.game(rules(early_end="play-on")), follow=(lenient,))
    seen = 0
    for seed in range(20):
        record = play_with_reneges(game, seed, ("30", "trump 5"), often=0.5)
        for breach in judge(public(record)).breaches:
            assert breach.proved_in == 6  # the last tile tells the whole hand
            seen += 1
        assert len(judge(public(record)).breaches) == len(judge(record).breaches)
        cut = replace(public(record), acts=public(record).acts[:-4])
        assert not judge(cut).breaches
    assert seen > 20


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
def test_a_copy_of_a_table_is_played_by_itself(name: str):
    table = Arbiter(name, seed=1)
    assert table.position.turn is not None
    trial, before = copy(table), table.position
    trial.act(table.position.turn, trial.position.legal_calls[0])
    assert table.position is before and not table.record.acts and len(trial.record.acts) == 1


def test_a_refusal_travels_with_its_position_and_where_it_was_raised():
    position = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1")
    with pytest.raises(IllegalPlay) as raised:
        position.play("6-5")
    raised.value.add_note("in a worker: here")
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.position == str(position)
    assert again.verdict == raised.value.verdict and again.__notes__ == ["in a worker: here"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_views_of_a_table_are_those_of_its_record(name: str):
    table, rng = Arbiter(name, seed=3), random.Random(3)
    while (seat := table.position.turn) is not None:
        position = table.position
        for looks in SEATS:
            view = table.view(looks)
            assert view == table.record.view(looks) and list(view.positions())[-1] == view.position
        table.act(seat, rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng))
    while table.record.acts:
        table.undo()
        assert table.position == table.record.position
