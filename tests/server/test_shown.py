"""What the page is shown: nothing that a seat cannot know, hands as they are held, and what may be done."""

import random
from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest

from renege import texas42
from renege.belief import Belief, TooManyStates
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import KITTY, Result
from renege.core.position import Course, Position, View
from renege.core.position_text import parse_position
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.view import seen_by_all
from renege.games import schafkopf, tractor
from renege.games.schafkopf.contract import Bargain
from renege.games.words import words_of
from renege.i18n import Speech
from renege.server.messages import SheetLine, State
from renege.server.present.hand import held, sorting
from renege.server.present.state import (
    Ending,
    Setting,
    contract_shown,
    ending_of,
    event_text,
    last_trick_shown,
    result_shown,
    sheet_line,
    state,
)
from support.server_deals import NAMES, SETTING, TABLES, Overheard, cut, moments, play_at_random, watched
from support.steering import SOAK

DEALS = 3 * SOAK
EVERY = pytest.mark.parametrize("name", TABLES)
ENGLISH = Speech("en", NAMES)


def seen(record: Record, seat: int | None) -> State:
    view = seen_by_all(record) if seat is None else record.view(seat)
    return state(view, seat, SETTING, ENGLISH)


# --- nothing hidden --------------------------------------------------------------------------------


def public(record: Record) -> Course:
    """What all have seen, told here once more: plays, and calls but for the cards that they name face down."""
    hidden, start = record.game.deck.hidden, record.start
    unsaid = {"bury": "bury 8 cards", "give": f"give a {record.game.deck.noun}"}
    acts = tuple(Act(act.seat, unsaid.get(str(act.what).split()[0], act.what)) for act in record.acts)
    hands = tuple(hidden(len(hand)) for hand in start.hands)
    return Course(replace(start, hands=hands, kitty=hidden(len(start.kitty))), acts)


def another(course: Course, seed: int) -> Record | None:
    """Another deal that looks the same; None where what was seen cannot be counted."""
    try:
        belief = Belief(course)
        (world,) = belief.draw(1, seed)
        return belief.record(world)
    except TooManyStates:
        return None


@EVERY
def test_deals_that_look_the_same_are_shown_the_same(name: str):
    """For each seat and a spectator: the whole deal so far, act by act, in another world that fits what was seen."""
    differed = 0
    for seed in range(DEALS):
        record = play_at_random(TABLES[name], seed, dull=0.5)
        for length in moments(record, 2, seed):
            for seat in (None, *range(4)):
                so_far = cut(record, length)
                other = another(public(so_far) if seat is None else so_far.view(seat), seed)
                if other is None:
                    continue
                differed += other.start.hands != record.start.hands
                for shorter in {*moments(so_far, 4, seed), length}:
                    one, same = seen(cut(record, shorter), seat), seen(cut(other, shorter), seat)
                    assert one.model_dump_json() == same.model_dump_json()
    assert differed  # they are really other deals


# --- hands ----------------------------------------------------------------------------------------


@EVERY
def test_a_hand_is_held_by_suits_with_trumps_first(name: str):
    for seed in range(DEALS):
        record = play_at_random(TABLES[name], seed)
        for _, _, views in watched(record):
            for seat, view in enumerate(views):
                shown = state(view, seat, SETTING, ENGLISH).hand
                assert Counter(card.card for card in shown) == Counter(str(view.hand).split())
                suits = [suit for suit, _ in groupby(card.suit for card in shown)]
                assert len(suits) == len(set(suits))
                assert [card.trump for card in shown] == sorted((card.trump for card in shown), reverse=True)
                for _, group in groupby(shown, key=lambda card: card.suit):
                    steps = [card.step for card in group]
                    assert steps == sorted(steps, reverse=True)
                order = view.position.order
                if order is not None:
                    strength = {
                        order.deck.names[card]: order.strength[order.led_suit[card]][card] for card in view.hand
                    }
                    for _, group in groupby(shown, key=lambda card: card.suit):
                        heights = [strength[card.card] for card in group]
                        assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize(
    ("order", "cards", "expected"),
    [
        pytest.param(texas42.order("5"), "6-6 6-4 5-5 5-0 3-3 3-2", "5-5 5-0 6-6 6-4 3-3 3-2", id="fives"),
        pytest.param(texas42.order("doubles"), "6-6 6-4 3-3 0-0", "6-6 3-3 0-0 6-4", id="doubles"),
        pytest.param(texas42.order("sevens"), "6-6 6-1 3-3 0-0", "6-1 3-3 6-6 0-0", id="sevens"),
        pytest.param(schafkopf.order("rufspiel E"), "EA GA HA SA EO SU H7", "EO SU HA H7 EA GA SA", id="rufspiel"),
        pytest.param(schafkopf.order("wenz"), "EA EO EU GZ HA SU", "EU SU EA EO GZ HA", id="wenz"),
        pytest.param(schafkopf.order("bettel"), "EA EO EU HA", "EA EO EU HA", id="bettel"),
        pytest.param(tractor.order("H4"), "BJ H4 S4 S4 C4 HA H2 SA DA CK", "BJ H4 S4 S4 C4 HA H2 SA CK DA", id="H4"),
        pytest.param(tractor.order("NT2"), "LJ S2 D2 SA HA C3 D3", "LJ S2 D2 SA HA C3 D3", id="no trumps"),
    ],
)
def test_examples_of_hands(order, cards: str, expected: str):
    hand = order.deck.cards(order.deck.spellings[card] for card in cards.split())
    assert " ".join(order.deck.names[card] for card in held(order, hand)) == expected


def test_steps_find_runs():
    """Pairs on consecutive steps are a run: over the gap of the level, and from the trump suit into the level cards."""
    how, names = sorting(tractor.order("H4")), tractor.DECK.spellings
    assert how.step[names["S5"]] == how.step[names["S3"]] + 1
    assert how.step[names["S4"]] == how.step[names["C4"]] == how.step[names["HA"]] + 1
    assert how.step[names["H4"]] == how.step[names["S4"]] + 1
    assert how.trump == 0
    assert sorting(texas42.order("nello")).trump is None
    assert sorting(texas42.order("sevens")).trump is None
    assert sorting(schafkopf.order("bettel")).trump is None


# --- what may be played -----------------------------------------------------------------------------

ALL = 2_000  # plays that are listed; of more, so many are drawn


def judged_hand(view: View) -> tuple[set[str], dict[str, str]]:
    """The cards that are shown as playable, and the others with their reasons."""
    cards = state(view, view.seat, SETTING, ENGLISH).hand
    assert all(bool(card.why) != card.playable for card in cards)
    return {card.card for card in cards if card.playable}, {card.card: card.why for card in cards if not card.playable}


@EVERY
def test_a_card_is_playable_if_it_is_in_a_legal_play(name: str):
    rng, barred = random.Random(1), 0
    for seed in range(2 * DEALS):
        for _, position, views in watched(play_at_random(TABLES[name], seed, dull=0.3)):
            if position.talking or position.turn is None:
                continue
            view = views[position.turn]
            playable, others = judged_hand(view)
            plays = view.legal_plays
            few = plays.count() <= ALL
            found = iter(plays) if few else (plays.choose(rng) for _ in range(40))
            legal = {word for play in found for word in str(play.cards).split()}
            assert legal <= playable
            if few:
                assert legal == playable
            barred += len(others)
    assert barred


def test_only_who_is_to_play_is_told_what_cannot_be_played():
    for _, _, views in watched(play_at_random(TABLES["texas42"], 3)):
        for view in views:
            assert view.my_turn or not judged_hand(view)[1]


@pytest.mark.parametrize(
    ("game", "text", "barred"),
    [
        pytest.param(
            texas42.game(), "trump 5 | led 6-4 | hand 6-6 6-5 3-1",
            {"6-5": "6-5 is a trump, sixes were led", "3-1": "3-1 does not follow sixes, and the hand holds 6-6"},
            id="follow suit",
        ),
        pytest.param(
            schafkopf.game(), "rufspiel E by 0 | led E9 | hand EA EK H7",
            {"EK": "Eichel was led, and the called EA answers", "H7": "Eichel was led and the hand holds EA EK"},
            id="the called ace",
        ),
        pytest.param(
            tractor.game(), "trump S4 | led H9 H9 | hand HK HK HQ H8 S2",
            {
                "HQ": "a pair of hearts was led and the hand holds one",
                "H8": "a pair of hearts was led and the hand holds one",
                "S2": "hearts were led, the hand has 4 of them, and S2 is none",
            },
            id="a pair",
        ),
        pytest.param(tractor.game(), "trump S4 | led H9 H9 | hand HK S2 S3", {}, id="the rest may be anything"),
        pytest.param(
            tractor.game(), "trump S4 | led H9 H9 | hand HK H2 S3",
            {"S3": "hearts were led and H2 stays in hand"},
            id="just enough",
        ),
    ],
)  # fmt: skip
def test_reasons(game, text: str, barred: dict[str, str]):
    position = parse_position(game, text)
    shown = state(Course(position), position.turn, SETTING, ENGLISH)
    assert {card.card: card.why for card in shown.hand if not card.playable} == barred


# --- what may be said -------------------------------------------------------------------------------


@EVERY
def test_calls_are_those_that_may_be_made(name: str):
    offered = chosen = 0
    for seed in range(2 * DEALS):
        for _, position, views in watched(play_at_random(TABLES[name], seed, dull=0.4)):
            for seat, view in enumerate(views):
                shown = state(view, seat, SETTING, ENGLISH)
                may = seat in position.speakers and not position.floor(seat).on_kitty
                assert may or not (shown.calls or shown.choose or shown.may_call)
                assert shown.may_call == bool(shown.calls or shown.choose)
                assert all(position.judge(call.what, seat) for call in shown.calls)
                assert all(call.text for call in shown.calls)
                offered += len(shown.calls)
                if shown.choose is not None:
                    chosen += 1
                    check_choice(position, seat, shown)
    assert offered
    assert chosen or name not in ("texas42 swap", "tractor", "tractor kitty")


def check_choice(position: Position, seat: int, shown: State):
    """So many cards make up the call: any to bury, and to give those that are shown as playable."""
    assert shown.choose is not None
    cards = [card.card for card in shown.hand]
    if shown.choose.verb == "bury":
        assert shown.choose.count == 8
        assert position.judge(f"bury {' '.join(random.Random(0).sample(cards, 8))}", seat)
        assert all(card.playable for card in shown.hand)
        return
    assert (shown.choose.verb, shown.choose.count) == ("give", 1)
    for card in shown.hand:
        assert position.judge(f"give {card.card}", seat).legal == card.playable
        assert card.playable or card.why


def test_who_has_shown_last_has_nothing_to_pass():
    record = next(
        cut(record, length)
        for record in (play_at_random(TABLES["tractor"], seed) for seed in range(50))
        for length in range(1, len(record.acts))
        if str(record.acts[length - 1].what).startswith("show") and cut(record, length).position.turn is not None
    )
    seat = record.acts[-1].seat
    assert "pass" not in [call.what for call in seen(record, seat).calls]


def test_nobody_chooses_what_the_kitty_names():
    for seed in range(20):
        record = play_at_random(TABLES["tractor kitty"], seed, dull=1.0)
        for length in range(len(record.acts)):
            position = cut(record, length).position
            if position.talk is not None and position.talking and position.talk.on_kitty:
                shown = seen(cut(record, length), position.turn)
                assert not shown.asked and not shown.calls and shown.choose is None
                return
    raise AssertionError("the kitty was never turned up")


def test_a_claim_is_offered_to_who_may_make_it():
    kinds = set()
    for seed in range(40):
        record = play_at_random(TABLES["texas42 swap"], seed, dull=0.5)
        for length in range(len(record.acts)):
            position = cut(record, length).position
            if position.talking or position.turn is None:
                continue
            seat = position.turn
            nello = position.contract is not None and position.contract.declaration == "nello"
            kinds.add(nello)
            assert position.contract is not None
            assert seen(cut(record, length), seat).may_claim == (not nello or seat == position.contract.declarer)
            assert not any(seen(cut(record, length), other).may_claim for other in range(4) if other != seat)
            break
    assert kinds == {True, False}


# --- tricks, seats, score -----------------------------------------------------------------------------


@EVERY
def test_the_last_trick_is_what_was_laid(name: str):
    record = play_at_random(TABLES[name], 2, dull=0.2)
    plays: list[tuple[int, Play]] = []
    last = None
    for length, (act, before) in enumerate(record.steps(), start=1):
        after = before.then(act)
        if isinstance(act.what, Play):
            plays.append((act.seat, act.what))
        if after.tricks_played > before.tricks_played:
            last, plays = plays, []
            assert after.trick is not None and after.order is not None
        found = last_trick_shown(cut(record, length))
        if last is None:
            assert found is None
            continue
        assert found is not None and after.trick is not None
        assert [play.seat for play in found.plays] == [seat for seat, _ in last]
        assert [sorted(play.cards) for play in found.plays] == [sorted(str(play.cards).split()) for _, play in last]
        assert (found.number, found.leader) == (after.tricks_played, last[0][0])
        if not plays:
            won = after.points[after.trick.leader] - before.points[after.trick.leader]
            assert found.winner == after.trick.leader
            assert isinstance(act.what, str) or found.points == won


@EVERY
def test_every_sentence_has_a_translation(name: str):
    listener = Overheard()
    for seed in range(4 * DEALS):
        record = play_at_random(TABLES[name], seed, dull=0.5)
        for act, position in record.steps():
            event_text(position, act, listener)
            contract_shown(position, listener)
            if isinstance(act.what, str):
                listener.say(words_of(record.game).call(act.what))
        for course in (record, seen_by_all(record)):
            for act, position in course.steps():
                event_text(position, act, listener)
        result_shown(record, ending_of(record), None, listener)
        state(record.view(0), 0, SETTING, listener)
    assert len(listener.heard) > 50 and not listener.unknown()


@EVERY
def test_the_end_shows_all_and_the_sheet_has_a_line(name: str):
    for seed in range(DEALS):
        record = play_at_random(TABLES[name], seed, dull=0.5)
        result = result_shown(record, ending_of(record), None, ENGLISH)
        assert [sorted(hand) for hand in result.hands] == [sorted(str(hand).split()) for hand in record.start.hands]
        assert sorted(result.kitty) == sorted(str(record.position.kitty).split())
        line = sheet_line(record.game, 1, ending_of(record), ENGLISH)
        after = record.game.advance(record.position, record.position.result)
        assert line.score == list(after.score)[: len(line.score)]
        assert len(line.score) == {"texas42": 2, "tractor": 2, "schafkopf": 5}[record.game.name]
        paid = record.position.result
        if paid is not None:
            assert line.gained == result.gained == list(paid.score)
        setting = Setting("t", 9, 1, "over", SETTING.places, lines=(line,), result=result)
        over = state(record.view(1), 1, setting, ENGLISH)
        assert (over.phase, over.turn, over.result) == ("over", None, result)
        assert over.score.score == line.score
        assert over.trick is None


def test_a_deal_that_is_thrown_in_may_cost_its_stock():
    game = TABLES["schafkopf stock"]
    record = next(r for r in (play_at_random(game, s, dull=1.0) for s in range(9)) if r.position.contract is None)
    line = sheet_line(record.game, 1, ending_of(record), ENGLISH)
    assert (line.gained, line.score) == ([-10] * 4, [-10, -10, -10, -10, 40])


def test_a_table_that_waits_asks_nothing():
    record = play_at_random(TABLES["texas42"], 1)
    waiting = Setting("t", 1, 1, "waiting", SETTING.places)
    shown = state(cut(record, 0).view(0), 0, waiting, ENGLISH)
    assert (shown.phase, shown.turn, shown.asked, shown.calls) == ("waiting", None, False, [])


def test_the_forms_of_scores():
    forms = {
        name: state(cut(play_at_random(game, 0), 0).view(0), 0, SETTING, ENGLISH).score for name, game in TABLES.items()
    }
    assert (forms["texas42"].form, forms["texas42"].target) == ("marks", 7)
    assert (forms["texas42 points"].form, forms["texas42 points"].target) == ("points", 250)
    assert (forms["tractor"].form, forms["tractor"].score) == ("levels", [2, 2])
    assert (forms["schafkopf"].form, forms["schafkopf"].score) == ("money", [0] * 5)
    line = SheetLine(deal=1, text="", score=[1, 0], gained=[1, 0, 1, 0])
    setting = Setting("t", 1, 2, "talk", SETTING.places, lines=(line,))
    shown = state(cut(play_at_random(TABLES["texas42"], 0), 0).view(0), 0, setting, ENGLISH)
    assert shown.score.score == [0, 0]  # the deal that is played starts from its own standing


def test_the_partner_shows_when_everybody_knows():
    """The holder of the called ace knows its side from the start, the others when it falls."""
    for seed in range(60):
        record = play_at_random(TABLES["schafkopf"], seed, dull=0.5)
        contract = record.position.contract
        if contract is None or not contract.declaration.startswith("rufspiel"):
            continue
        start = next(i for i in range(len(record.acts)) if not cut(record, i).position.talking)
        holder = record.position.memory.ace
        before = [seen(cut(record, start), seat) for seat in (*range(4), None)]
        assert before[holder].seats[holder].side == 0
        for shown in before:
            assert [seat for seat in range(4) if "partner" in shown.seats[seat].role] == []
        assert before[4].seats[holder].side is None
        end = seen(cut(record, len(record.acts) - 1), None)
        assert end.seats[holder].side == 0 and "partner" in end.seats[holder].role
        return
    raise AssertionError("no Rufspiel was played")


@pytest.mark.parametrize(
    ("game", "call", "words"),
    [
        ("texas42", "31", "31"),
        ("texas42", "1 mark", "1 mark"),
        ("texas42", "trump 5", "fives are trumps"),
        ("texas42", "trump doubles", "doubles are trumps"),
        ("texas42", "nello", "nello, doubles a suit of their own"),
        ("texas42", "follow-me doubles low", "follow me, doubles low"),
        ("texas42", "sevens", "sevens"),
        ("schafkopf", "rufspiel", "Rufspiel"),
        ("schafkopf", "rufspiel E", "Rufspiel on the Eichel ace"),
        ("schafkopf", "solo G tout", "Gras Solo Tout"),
        ("schafkopf", "wenz tout", "Wenz Tout"),
        ("schafkopf", "solo 81", "Solo for 81 points"),
        ("schafkopf", "rufspiel G renonce", "Renonce on the Gras ace"),
        ("schafkopf", "rufspiel SZ", "Renonce on the Schellen ten"),
        ("schafkopf", "wenz", "Wenz"),
        ("schafkopf", "double", "double the stakes"),
        ("tractor", "show S2", "show S2"),
        ("tractor", "take", "take up the kitty"),
    ],
)
def test_calls_in_words(game: str, call: str, words: str):
    assert words_of(TABLES[game]).call(call) == words


def test_names_stand_for_seats():
    position = play_at_random(TABLES["texas42"], 1).start
    assert event_text(position, Act(2, "31"), ENGLISH) == "Cy bids 31"


def test_what_was_taken_up_is_shown_to_the_banker_alone_until_it_is_buried():
    record = play_at_random(TABLES["tractor"], 4)
    length = next(i for i, act in enumerate(record.acts, start=1) if act.what == "take")
    banker = record.acts[length - 1].seat
    for seat in (None, *range(4)):
        before, after = seen(cut(record, length - 1), seat), seen(cut(record, length), seat)
        assert (before.kitty, before.kitty_cards, after.kitty) == (8, [], 0)
        assert sorted(after.kitty_cards) == (sorted(str(record.start.kitty).split()) if seat == banker else [])


def test_the_level_and_what_was_shown_are_told_while_the_seats_talk():
    record = play_at_random(TABLES["tractor"], 4)
    shown = ""
    for length in range(len(record.acts)):
        now = seen(cut(record, length), None)
        assert (now.so_far == "") == (now.contract is not None)
        assert now.contract is not None or now.so_far == f"level 2{shown}"
        act = record.acts[length]
        if str(act.what).startswith("show "):
            shown = f" · {str(act.what).removeprefix('show ')} shown by {NAMES[act.seat]}"
    assert shown
    assert seen(cut(play_at_random(TABLES["texas42"], 1), 0), 0).so_far == ""


@pytest.mark.parametrize(
    ("told", "gained", "words"),
    [
        (
            "attackers 60, levels 2 3, next banker 3", (0, 1, 0, 1),
            "Bo and Di keep the bank, the attackers have 60 of 80 points, Bo and Di go up to level 3, "
            "Di has the bank next",
        ),
        (
            "attackers 125, levels 5 2, next banker 0", (1, 0, 1, 0),
            "the attackers Ann and Cy take the bank with 125 points, Ann and Cy go up to level 5, "
            "Ann has the bank next",
        ),
        (
            "attackers 80, levels 2 2, next banker 1", (0, 0, 0, 0),
            "the attackers Bo and Di take the bank with 80 points, nobody goes up, Bo has the bank next",
        ),
        (
            "attackers 0, levels A 4, next banker 2, side 0 has won", (3, 0, 3, 0),
            "Ann and Cy keep the bank, the attackers have 0 of 80 points, Ann and Cy win the game",
        ),
    ],
)  # fmt: skip
def test_the_end_of_a_deal_of_tractor_in_words(told: str, gained: tuple[int, ...], words: str):
    ending = Ending(Result(gained, True, told), gained, (2, 2))
    assert sheet_line(tractor.game(), 1, ending, ENGLISH).text == words


def test_who_won_a_deal_of_tractor_is_told_by_name():
    """The side that is said to keep or take the bank is the one that the score says it is."""
    kept = taken = 0
    for seed in range(8 * DEALS):
        record = play_at_random(TABLES["tractor"], seed)
        end, contract = record.position.result, record.position.contract
        if end is None or contract is None or contract.declarer is None:
            continue
        first = contract.declarer % 2 if end.made else 1 - contract.declarer % 2
        said = result_shown(record, ending_of(record), None, ENGLISH)
        side = f"{NAMES[first]} and {NAMES[first + 2]} {'keep' if end.made else 'take'} the bank"
        assert side in said.text
        points = end.text.split(",")[0].removeprefix("attackers ")
        assert f" {points} {'of 80 ' if end.made else ''}points" in said.text
        kept, taken = kept + bool(end.made), taken + (not end.made)
        trick, order = record.position.trick, record.position.order
        assert trick is not None and order is not None
        assert ("for the attackers" in said.kitty_text) == (trick.leader % 2 != contract.declarer % 2)
        worth = sum(order.points[order.deck.spellings[card]] for card in said.kitty)
        assert said.kitty_text.startswith(f"{worth} points")
        assert str(said.attackers) == points
        assert state(record.view(0), 0, replace(SETTING, result=said), ENGLISH).attackers == said.attackers
    assert kept and taken


def test_the_points_of_the_attackers_have_the_fines_for_stopped_throws():
    """As they stand after every act: a stopped throw costs its side at once, and nobody falls below nothing."""
    game, fined = find_game("tractor", {"throw_penalty": "20"}), set[bool]()
    for seed in range(8 * DEALS):
        record, fines = play_at_random(game, seed), [0, 0]
        for length, position, views in watched(record):
            act = record.acts[length - 1] if length else None
            contract = position.contract
            shown = state(views[0], 0, SETTING, ENGLISH)
            if contract is None or contract.declarer is None:
                assert shown.attackers is None
                continue
            attack = 1 - contract.declarer % 2
            if act is not None and isinstance(act.what, Play) and act.what.tried is not None:
                fines[act.seat % 2] += 20
                fined.add(act.seat % 2 == attack)
            taken = position.points[attack] + position.points[attack + 2]
            assert shown.attackers == max(0, taken + fines[1 - attack] - fines[attack])
    assert fined == {True, False}


def test_only_tractor_has_attackers():
    for name in ("texas42", "schafkopf"):
        assert seen(play_at_random(TABLES[name], 1), 0).attackers is None


def test_the_kitty_is_shown_to_the_banker_alone():
    record = play_at_random(TABLES["tractor"], 4)
    length = next(i for i, act in enumerate(record.acts, start=1) if str(act.what).startswith("bury"))
    banker = record.acts[length - 1].seat
    buried = cut(record, length).position.kitty
    assert isinstance(buried, Cards)
    for seat in (None, *range(4)):
        shown = seen(cut(record, length), seat)
        assert shown.kitty == 8
        assert sorted(shown.kitty_cards) == (sorted(str(buried).split()) if seat == banker else [])
    assert KITTY not in {place.seat for place in SETTING.places}


def test_who_gave_a_stoss_is_marked_while_the_cards_are_played():
    for seed in range(200):
        record = play_at_random(TABLES["schafkopf"], seed)
        before = cut(record, len(record.acts) - 1)
        contract = before.position.contract
        if isinstance(contract, Bargain) and len(contract.raised) > 1:
            break
    else:
        raise AssertionError("nobody gave a Stoss")
    for seat in (None, *range(4)):
        roles = [place.role.split(", ") for place in seen(before, seat).seats]
        assert [other for other in range(4) if "Stoss" in roles[other]] == sorted(set(contract.raised))
        assert all(role.count("Stoss") <= 1 for role in roles)
