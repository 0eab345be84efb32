"""Bombs and rainbows against the brute force: duties, legal plays, picks and winners; and what they tell of a hand."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from reference import tractor_bombs as reference
from reference import tractor_packs as packs
from reference.tractor_bombs import House
from renege import Belief
from renege.ask.serve import reply
from renege.core.arbiter import Arbiter
from renege.core.cards import kinds_in, known_cards
from renege.core.facts import Unproved, Void
from renege.core.game import Game
from renege.core.judge import judge
from renege.core.position import Position
from renege.core.record import new_record
from renege.core.registry import parse_record
from renege.core.trick import Play
from renege.core.world import World
from renege.games import tractor
from renege.games.strategy import policy_of
from renege.games.tractor.bombs import bombs_in, leads_rainbow, more_leads, rank_in
from renege.games.tractor.declare import Drawing
from renege.games.tractor.evidence import evidence
from renege.games.tractor.follow import beats, why_not
from renege.games.tractor.plays import picks
from renege.games.tractor.rules import FOLLOW_RAINBOW, Rules, StoppedThrow, ThrowComparison
from renege.games.tractor.throws import lands
from renege.native.tractor_packs import PackDuty
from support.steering import SOAK
from support.tractor_packs import (
    PackSetting,
    fitting,
    pack_cases,
    pile,
    random_grouping,
    random_hand,
    random_lead,
    random_pile,
    random_play,
    turn,
)

FOLLOWS = ["shape", "tractors-protected", "tuples-protected", "both-protected", "suit-only"]
DUTIES = [packs.Duty(family, follow) for family in ("graded", "first-format") for follow in FOLLOWS]
BOMBS, RAINBOWS = ["any-suit", "following-suit"], [4, 5, 6]


def cases(
    name: str, count: int, bombs: str, rainbow: int, copies: tuple[int, ...] = (2, 3, 4)
) -> Iterator[tuple[random.Random, PackSetting]]:
    """Cases under every duty in turn."""
    for i, (rng, at) in enumerate(pack_cases(f"{name} {bombs} {rainbow}", count, packs=copies)):
        duty = DUTIES[i % len(DUTIES)]._replace(shorter_runs=at.duty.shorter_runs)
        yield rng, replace(at, duty=duty, house=House(bombs, rainbow))


def with_bombs(rng: random.Random, at: PackSetting, hand: packs.Pile, size: int) -> packs.Pile:
    """The hand and, as often as not, enough equal cards of some kind for a bomb."""
    if rng.random() < 0.7 and 4 <= size <= at.packs:
        card = rng.choice(packs.CARDS)
        copies = rng.choice([size - 1, size, size, at.packs])
        hand = packs.pile([*(one for one in hand if one != card), *[card] * copies])
    return hand


def rainbow(rng: random.Random, at: PackSetting, size: int) -> packs.Pile:
    """One rank in all suits, mostly of the level not."""
    rank = rng.choice([rank for rank in packs.RANKS if rank != at.table.level or rng.random() < 0.1])
    rest = [suit + rank for suit in packs.SUITS for _ in range(at.packs - 1)]
    return packs.pile([*(suit + rank for suit in packs.SUITS), *rng.sample(rest, size - 4)])


def in_ranks(rng: random.Random, at: PackSetting, most: int) -> packs.Pile:
    """Cards of a few ranks, now and then a joker among them."""
    ranks = rng.sample(packs.RANKS, rng.randint(1, 3))
    cards = [suit + rank for rank in ranks for suit in packs.SUITS for _ in range(at.packs)]
    cards += rng.choice([[], ["LJ"] * at.packs, ["BJ"]])
    return packs.pile(rng.sample(cards, min(most, len(cards))))


def led(at: PackSetting, lead: packs.Pile, grouping: packs.Cutting | None) -> Play:
    return Play(at.cards(lead), units=tuple(map(at.cards, grouping or ())))


def a_trick(
    rng: random.Random, at: PackSetting, most: int = 12
) -> tuple[packs.Pile, packs.Cutting | None, packs.Pile, packs.Pile]:
    """A lead, how it is grouped, a hand, and a play from it: bombs, rainbows and others."""
    if at.house.rainbows and rng.random() < 0.5:
        lead, grouping = rainbow(rng, at, min(at.house.rainbows + rng.randint(0, 1), 4 * at.packs)), None
        if not reference.is_lead(lead, at.table, at.house):
            return a_trick(rng, at, most)
        hand = in_ranks(rng, at, rng.randint(len(lead), most))
        ranked = sorted(hand, key=lambda card: (card[1:], rng.random()))
        start = rng.randrange(len(hand) - len(lead) + 1)
        play = packs.pile(ranked[start : start + len(lead)] if rng.random() < 0.6 else rng.sample(hand, len(lead)))
        return lead, grouping, hand, play
    lead = random_lead(rng, at, rng.choice([2, 4, 4, 4, 5, 6]))
    grouping = random_grouping(rng, at, lead)
    hand = with_bombs(rng, at, random_hand(rng, at, lead, most - 4), len(lead))
    wide = [card for card, copies in Counter(hand).items() if copies >= len(lead)]
    if wide and rng.random() < 0.5:
        return lead, grouping, hand, (rng.choice(wide),) * len(lead)
    return lead, grouping, hand, random_play(rng, at, lead, hand)


@pytest.mark.parametrize("bombs", BOMBS)
@pytest.mark.parametrize("copies", [(4,), (4, 5, 6), (2, 3, 4)], ids=str)
def test_a_follow_breaks_the_duty_that_the_brute_force_names(bombs: str, copies: tuple[int, ...]):
    seen: Counter[str | None] = Counter()
    for i, (rng, at) in enumerate(cases(f"bombs {copies}", 2000, bombs, 0, copies)):
        at = replace(at, house=House(bombs, RAINBOWS[i % 3] if i % 4 == 0 else 0))
        lead, grouping, hand, play = a_trick(rng, at)
        told = reference.broken(lead, hand, play, at.table, at.duty, at.house, grouping)
        objection = tractor.game(at.rules).objection(turn(at, hand, [led(at, lead, grouping)]), Play(at.cards(play)))
        said = None if objection is None else objection.rule.id.removeprefix("tractor.")
        if at.rules.is_usual:  # with two packs pairs are asked for first, by a rule of their own
            assert (said is None) == (told is None), (at, lead, grouping, hand, play)
        else:
            assert said == told, (at, lead, grouping, hand, play)
        seen[told] += 1
    assert seen[None] >= 800 and len(seen) >= 5, seen
    assert bombs == "any-suit" or 3 in copies or seen["bomb"] >= 50, seen


@pytest.mark.parametrize("rainbows", RAINBOWS)
def test_a_rainbow_is_answered_as_the_brute_force_says(rainbows: int):
    seen: Counter[str | None] = Counter()
    for i, (rng, at) in enumerate(cases("rainbows", 2000, "off", rainbows)):
        at = replace(at, house=House((*BOMBS, "off")[i % 3], rainbows))
        lead, grouping, hand, play = a_trick(rng, at)
        told = reference.broken(lead, hand, play, at.table, at.duty, at.house, grouping)
        objection = tractor.game(at.rules).objection(turn(at, hand, [led(at, lead, grouping)]), Play(at.cards(play)))
        assert (None if objection is None else objection.rule.id.removeprefix("tractor.")) == told, (at, lead, hand)
        seen[told] += 1
    assert min(seen[None], seen["follow-rainbow"]) >= 150, seen


@pytest.mark.parametrize("bombs", ["off", *BOMBS])
@pytest.mark.parametrize("copies", [2, 3, 4])
def test_the_legal_follows_and_picks_are_those_of_the_brute_force(bombs: str, copies: int):
    several = 0
    for i, (rng, at) in enumerate(cases(f"follows {copies}", 60, bombs, 0, (copies,))):
        at = replace(at, house=House(bombs, RAINBOWS[i % 3] if i % 2 or bombs == "off" else 0))
        lead, grouping, hand, _ = a_trick(rng, at, 10)
        told = reference.legal_follows(lead, hand, at.table, at.house, at.duty, grouping)
        now, game = turn(at, hand, [led(at, lead, grouping)]), tractor.game(at.rules)
        plays = game.legal(game, now)
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count(), (at, lead, grouping, hand)
        assert set(found) == told, (at, lead, grouping, hand)
        assert pile(plays.choose(rng).cards) in told
        assert {at.order.deck.names[card] for card in kinds_in(plays.kinds())} == {c for play in told for c in play}
        several += len(told) > 1
        chosen: packs.Pile = ()
        while len(chosen) < len(lead):
            goes_on = {c for play in told if Counter(chosen) <= Counter(play) for c in packs.without(play, chosen)}
            mask, _ = picks(now, at.cards(chosen))
            assert {at.order.deck.names[card] for card in kinds_in(mask)} == goes_on, (at, lead, hand, chosen)
            chosen = packs.pile([*chosen, rng.choice(sorted(goes_on))])
    assert several >= 20


@pytest.mark.parametrize("rainbows", RAINBOWS)
def test_the_leads_are_those_of_the_brute_force(rainbows: int):
    some = 0
    for rng, at in cases("leads", 60, "any-suit", rainbows):
        hand = packs.pile([*in_ranks(rng, at, 9), *random_pile(rng, at, "T", 2)])
        hand = packs.pile(card for card, copies in Counter(hand).items() for _ in range(min(copies, at.packs)))
        told = reference.legal_leads(hand, at.table, at.house)
        now, game = turn(at, hand), tractor.game(at.rules)
        plays = game.legal(game, now)
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count() and set(found) == told, (at, hand)
        chosen: packs.Pile = ()
        while True:
            goes_on = {c for play in told if Counter(chosen) <= Counter(play) for c in packs.without(play, chosen)}
            mask, whole = picks(now, at.cards(chosen))
            assert {at.order.deck.names[card] for card in kinds_in(mask)} == goes_on, (at, hand, chosen)
            assert whole == (chosen in told)
            if not goes_on:
                break
            chosen = packs.pile([*chosen, rng.choice(sorted(goes_on))])
        some += any(reference.is_rainbow(lead, at.table, at.house) for lead in told)
    assert some >= 5


def an_answer(rng: random.Random, at: PackSetting, lead: packs.Pile, forms: tuple[packs.Form, ...]) -> packs.Pile:
    """A follow that may win: a bomb, cards of one rank, cards cut as the lead is, or others."""
    size = len(lead)
    if 4 <= size <= at.packs and rng.random() < 0.5:
        return (rng.choice(packs.CARDS),) * size
    if rng.random() < 0.4:
        rank = rng.choice(packs.RANKS)
        return packs.pile(rng.sample([suit + rank for suit in packs.SUITS for _ in range(at.packs)], min(size, 8)))
    suit = rng.choice(["T", packs.suit(lead[0], at.table)])
    play = fitting(rng, at, suit, forms) if forms and rng.random() < 0.8 else random_pile(rng, at, suit, size)
    return play or ()


@pytest.mark.parametrize("bombs", BOMBS)
@pytest.mark.parametrize("copies", [(4,), (4, 5, 6), (2, 3, 4)], ids=str)
def test_the_winner_is_that_of_the_brute_force(bombs: str, copies: tuple[int, ...]):
    won: Counter[int] = Counter()
    for rng, at in cases(f"winner {copies}", 1000, bombs, 4, copies):
        lead, grouping, _, _ = a_trick(rng, at)
        many = reference.is_rainbow(lead, at.table, at.house)
        forms = () if many else packs.led_forms(lead, grouping, at.table)
        follows: list[packs.Pile] = []
        while len(follows) < 3:
            play = an_answer(rng, at, lead, forms)
            follows += [play] if len(play) == len(lead) else []
        plays = [led(at, lead, grouping), *(Play(at.cards(play)) for play in follows)]
        for comparison in ThrowComparison:
            told = reference.taken_by([lead, *follows], at.table, at.house, comparison.value, grouping)
            rules, best = replace(at.rules, throw_comparison=comparison), 0
            for place in (1, 2, 3):
                now = turn(at, follows[place - 1], plays[:place], rules=rules)
                if beats(now, plays[best], plays[place]):
                    assert why_not(at.order, plays[0], plays[place], rules) is None
                    best = place
            assert best == told, (at, comparison, lead, grouping, follows)
            won[told] += 1
    assert min(won[place] for place in range(4)) >= 100, won


def test_bombs_and_rainbows_stop_no_throw():
    for rng, at in cases("throws", 300, "any-suit", 4):
        lead = random_lead(rng, at, rng.choice([3, 4, 5, 6]))
        suit, grouping = packs.led_suit(lead, at.table), random_grouping(rng, at, lead)
        others = [with_bombs(rng, at, random_pile(rng, at, suit, rng.randint(0, 6)), 4) for _ in range(3)]
        hands = (at.cards(lead), *map(at.cards, others))
        for choice in (StoppedThrow.LEAD_SMALLEST, StoppedThrow.FIRST_FOUND):
            told, _ = packs.thrown(lead, others, at.table, grouping, choice.value)
            now = turn(at, lead, rules=replace(at.rules, stopped_throw=choice), hands=hands)
            landed = lands(now, led(at, lead, grouping))
            assert landed is not None
            found, wanted = pile(landed.cards), told or lead
            assert sorted(packs.step(c, at.table) for c in found) == sorted(packs.step(c, at.table) for c in wanted)
        spread = rainbow(rng, at, 4)
        if reference.is_rainbow(spread, at.table, at.house):
            whole = Play(at.cards(spread))
            assert lands(turn(at, spread, hands=(at.cards(spread), *map(at.cards, others))), whole) == whole


# --- by hand --------------------------------------------------------------------------------------


def test_refusals_say_why_and_what_would_do():
    at = "trump S4 | led H9 H9 HT HT | hand HK HK HQ H8 H3 D5 D5 D5 D5"
    position = tractor.position(at, packs=4, bombs="following-suit")
    assert repr(position.judge("D5 D5 D5 D5")) == (
        "<Verdict renege tractor.bomb: bombs follow suit here, hearts were led and the hand has 5 of them, and "
        "D5 D5 D5 D5 is none; play HK HK H8 H3>"
    )
    assert tractor.position(at, packs=4, bombs="any-suit").judge("D5 D5 D5 D5")
    assert str(tractor.position(at, packs=4).judge("D5 D5 D5 D5").rule) == "tractor.follow-suit"
    position = tractor.position("trump S4 | led S9 H9 C9 D9 | hand SK HK HK DK H8 H3", rainbows=4)
    assert repr(position.judge("HK HK H8 H3")) == (
        "<Verdict renege tractor.follow-rainbow: a rainbow of 4 cards was led, the hand has as many of one rank in "
        "SK HK HK DK, and HK HK H8 H3 is of several; play SK HK HK DK>"
    )
    position = tractor.position("trump S4 | hand SK HK HK DK H8 H3", rainbows=4)
    refused = position.judge("SK HK HK DK")
    assert str(refused.rule) == "tractor.lead-one-suit" and "no rainbow" in refused.why


def test_rules_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="rainbows is 3; it may be 0, or 4 and more"):
        Rules(packs=3, rainbows=3)
    assert not Rules(packs=3, bombs="any-suit").has_bombs  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("bombs", "void"), [("any-suit", False), ("following-suit", True), ("off", True)])
def test_a_bomb_of_another_suit_proves_a_void_only_where_bombs_follow_suit(bombs: str, void: bool):
    at = "trump S4 | led H9 H9 HT HT | hand D5 D5 D5 D5 C7"
    position = tractor.position(at, packs=4, bombs=bombs)
    assert bool(position.act("D5 D5 D5 D5").memory.voids[position.turn or 0]) == void


def special_leads(position: Position) -> list[Play]:
    """Rainbows or, without any, tuples of four and more."""
    hand = known_cards(position.hand)
    wide = [Play(hand.deck.cards([card] * hand.count(card))) for card in kinds_in(hand.at_least(4))]
    return list(map(Play, more_leads(position.turn_to_play()))) or wide


def rigged(game: Game, seed: int) -> Arbiter:
    """A deal in which most of the equal cards, or those of a rank, lie together."""
    record, rng = new_record(game, seed), random.Random(seed)
    ranks = seed % 2 == 0
    groups = rng.sample(range(13), 13) if ranks else rng.sample(range(54), 54)
    cards = sorted(range(54), key=lambda card: groups[card % 13 if ranks else card])
    cards = [card for card in cards for _ in range(game.deck.copies)]
    for _ in range(len(cards) // 12):
        i, j = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
    size = game.hand_size
    hands = tuple(game.deck.cards(cards[seat * size : seat * size + size]) for seat in range(game.players))
    kitty = game.deck.cards(cards[game.players * size :])
    return Arbiter.resume(replace(record, start=replace(record.start, hands=hands, kitty=kitty)))


def played(game: Game, seed: int) -> Arbiter:
    """A deal of which nothing is refused: chance and the rulebook play, and bombs and rainbows where there are any."""
    table, rng = rigged(game, seed), random.Random(seed)
    while (seat := table.position.turn) is not None:
        position = table.position
        if rng.random() < 0.3 and not (isinstance(position.talk, Drawing) and position.talk.on_kitty):
            what = policy_of(game)(table.view(seat)).what
        elif position.talking:
            what = rng.choice(position.legal_calls)
        else:
            leads = position.trick is not None and position.trick.lead is None
            plays = special_leads(position) if leads else bombs_of(position)
            what = rng.choice(plays) if plays and rng.random() < 0.7 else position.legal_plays.choose(rng)
        verdict = table.act(seat, what)
        assert verdict, f"seed {seed}, {position}: {verdict}"
    return table


def bombs_of(position: Position) -> list[Play]:
    turn = position.turn_to_play()
    assert turn.trick.lead is not None
    return [] if turn.led is None else [Play(bomb) for bomb in bombs_in(turn, len(turn.trick.lead.cards))]


@pytest.mark.parametrize(
    "rules",
    [
        {"packs": 4, "bombs": "any-suit"},
        {"packs": 4, "bombs": "following-suit", "rainbows": 5, "seats": 8},
        {"packs": 5, "bombs": "any-suit", "rainbows": 6, "seats": 5, "mode": "friends"},
        {"rainbows": 4},
    ],
    ids=str,
)
def test_whole_deals_are_legal_and_say_nothing_untrue(rules: dict[str, Any]):
    game, seen = tractor.game(**rules), Counter[str]()
    for seed in range(4 * SOAK):
        table = played(game, seed)
        record = table.record
        assert judge(parse_record(str(record))) and str(parse_record(str(record))) == str(record)
        for position in record.replay():
            if position.trick is None or position.order is None:
                continue
            for seat, voids in enumerate(position.memory.voids):
                held = known_cards(position.hands[seat])
                assert not any(voids >> suit & 1 and position.order.in_suit(held, suit) for suit in range(5)), position
        for act, position in record.steps():
            if isinstance(act.what, Play) and position.trick is not None and len(act.what.cards) > 3:
                several = position.order is not None and position.order.suit_of(act.what.cards) is None
                seen["rainbow"] += several and position.trick.lead is None
                seen["bomb"] += act.what.cards.kinds.bit_count() == 1 and position.trick.lead is not None
        for cut in range(game.players * 4, len(record.acts), 41):
            at = replace(record, acts=record.acts[:cut])
            world = World(tuple(map(known_cards, at.position.hands)), known_cards(at.position.kitty))
            assert Belief(at.view(cut % game.players)).allows(world)
    assert seen["bomb"] >= 3 or not game.rules.has_bombs, seen
    assert seen["rainbow"] or not game.rules.rainbows, seen


def test_an_answer_to_a_rainbow_that_is_none_is_unproved_and_no_void():
    record = next(
        table.record
        for seed in range(50)
        for table in [played(tractor.game(rainbows=4), seed)]
        if any(isinstance(fact, Unproved) and fact.rule is FOLLOW_RAINBOW for fact in evidence(table.record))
    )
    several = [
        (act.seat, position.turn_to_play().number)
        for act, position in record.steps()
        if isinstance(act.what, Play) and leads_rainbow(position.turn_to_play()) and rank_in(act.what.cards) is None
    ]
    told = list(evidence(record))
    assert several == [(fact.seat, fact.trick) for fact in told if fact.rule is FOLLOW_RAINBOW]
    assert all(not isinstance(fact, Void) or (fact.seat, fact.trick - 1) not in several for fact in told)


def test_kernel_verdicts_refuse_them_by_name():
    with pytest.raises(ValueError, match="bombs=any-suit: the kernel judges follows without bombs and rainbows"):
        PackDuty(bombs="any-suit")
    with pytest.raises(ValueError, match="rainbows=9: the kernel judges"):
        PackDuty(rainbows=9)
    assert PackDuty(bombs="off", rainbows=0) == PackDuty()


def ask(**question: object) -> dict[str, object]:
    answer, _ = reply(json.dumps({"game": "tractor", "declaration": "S4"} | question).encode())
    return json.loads(answer)


def test_questions_carry_the_rules():
    bombs = {"packs": 4, "bombs": "any-suit"}
    hand = "HK HK HQ H8 H3 D5 D5 D5 D5"
    told = ask(ask="legal", rules=bombs, lead="H9 H9 HT HT", hand=hand, play="D5 D5 D5 D5")
    assert told["legal"] is True and "bomb" in str(told["why"])
    refused = ask(
        ask="legal", rules=bombs | {"bombs": "following-suit"}, lead="H9 H9 HT HT", hand=hand, play="D5 D5 D5 D5"
    )
    assert (refused["legal"], refused["rule"], refused["instead"]) == (False, "tractor.bomb", "HK HK H8 H3")
    assert ask(ask="legal_plays", rules=bombs, lead="H9 H9 HT HT", hand="HK HQ H8 H3 D5 D5 D5 D5")["plays"] == [
        "D5 D5 D5 D5", "HK HQ H8 H3"
    ]  # fmt: skip
    plays = ["H9 H9 HT HT", "D5 D5 D5 D5", "S3 S3 S5 S5", "C6 C6 C6 C6"]
    assert ask(ask="winner", rules=bombs, plays=plays)["winner"] == 3
    spread = ["S9 H9 C9 D9", "HT HT CT C4", "ST HT CT DT", "SA SA SA SK"]
    found = ask(ask="winner", rules={"packs": 3, "rainbows": 4}, plays=spread)
    assert found["winner"] == 2
    lead = ask(ask="legal", rules={"rainbows": 4}, hand="S9 H9 C9 D9 DK", play="S9 H9 C9 D9")
    assert lead["legal"] is True and "rainbow" in str(lead["why"])
    answer = ask(ask="legal", rules={"rainbows": 4}, lead="S9 H9 C9 D9", hand="SK SK HK DK D3", play="SK SK HK D3")
    assert (answer["rule"], answer["instead"]) == ("tractor.follow-rainbow", "SK SK HK DK")
    assert ask(ask="legal", rules={"rainbows": 4}, lead="S9 H9 C9 D9", hand="SK SK HK D3", play="SK SK HK D3")["legal"]
