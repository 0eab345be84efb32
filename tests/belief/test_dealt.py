"""Beliefs in Schafkopf against every dealt hand, late in deals of every contract, in the middle of tricks too."""

import random
from collections import Counter
from dataclasses import replace
from math import comb

import pytest

from reference import dealt
from reference import schafkopf as literal
from renege.belief import Belief, Count, World, Worlds
from renege.belief.compile import compile_facts
from renege.core.cards import Cards
from renege.core.facts import OneOf, format_fact
from renege.core.house_rules import read_rules
from renege.core.notation import parse_cards
from renege.core.position import View, deal_position
from renege.core.record import Record, new_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.view import seen_by_all
from renege.games import schafkopf
from renege.games.schafkopf.rules import AllPass, HochzeitCouples, HochzeitReturn, PackSize, Rules
from renege.games.strategy import strategy_of
from support.schafkopf_deals import bid_for, hands_for, two_lone_trumps
from support.steering import SOAK

USUAL = Rules(all_pass=AllPass.RAMSCH)
VIEWS = 5 * SOAK if SOAK > 1 else 1  # of each contract
MOST_HIDDEN = 7


def seen_of(view: View) -> dealt.Seen:
    """What the seat has seen, in the words of the brute force."""
    position = view.position
    assert position.contract is not None
    return dealt.Seen(
        view.seat,
        frozenset(str(view.hand).split()),
        tuple(len(hand) for hand in position.hands),
        tuple((act.seat, act.what) for act in view.acts if isinstance(act.what, str)),
        tuple((act.seat, str(act.what)) for act in view.acts if isinstance(act.what, Play)),
        position.contract.declaration,
        position.contract.leader,
        view.game.rules.deck is PackSize.SHORT,
        any_back=view.game.rules.hochzeit_return is HochzeitReturn.ANY,
    )


def begin(declaration: str, rng: random.Random, rules: Rules = USUAL) -> Record:
    """A deal of this contract; its declarer is any seat, and others bid a Rufspiel or a Hochzeit where they can."""
    short = rng.random() < 0.25
    rules = replace(rules, deck=PackSize.SHORT if short else PackSize.LONG)
    game, declarer = schafkopf.game(rules), rng.randrange(4)
    while True:
        two = declaration == "hochzeit" and rules.hochzeit_couples is HochzeitCouples.TWO
        hands = two_lone_trumps(rng, short) if two else hands_for(declaration, rng, short)
        hands = hands[-declarer:] + hands[:-declarer]
        piles = tuple(game.deck.cards(game.deck.spellings[card] for card in hand) for hand in hands)
        record = Record(deal_position(game, game.opening, piles))
        while (position := record.position).talking:
            wishes = [declaration, bid_for(declaration)] if position.turn == declarer else ["accept", "offer"]
            wishes += ["hochzeit", "rufspiel"] if rng.random() < 0.5 and declaration != "hochzeit" else []
            calls = position.legal_calls
            call = next((wish for wish in wishes if wish in calls), "pass" if "pass" in calls else rng.choice(calls))
            record = record.with_act(position.read(call))
        if record.position.contract is not None and record.position.contract.declaration == declaration:
            return record


def late_view(declaration: str, rng: random.Random, rules: Rules = USUAL) -> View:
    """A view of some seat with few hidden cards, of a deal played at random or by our rules of thumb."""
    while True:
        record, thumb, late = begin(declaration, rng, rules), rng.random() < 0.5, list[View]()
        while (seat := record.position.turn) is not None:
            view = record.view(seat)
            policy = strategy_of(view.game).policy
            assert policy is not None
            what = policy(view).what if thumb else record.position.legal_plays.choose(rng)
            record = record.with_act(record.position.read(what))
            viewer = record.view(rng.randrange(4))
            if 3 <= sum(len(hand) for hand in viewer.position.hands if not isinstance(hand, Cards)) <= MOST_HIDDEN:
                late.append(viewer)
        late = [view for view in late if not view.position.over]
        if late:
            return rng.choice(late)


@pytest.mark.parametrize("declaration", literal.DECLARATIONS)
def test_count_worlds_and_odds_are_those_of_all_dealt_hands(declaration: str):
    partners = declaration.startswith(("rufspiel", "hochzeit"))  # where there is most to know
    for number in range(max(VIEWS, 3) if partners else VIEWS):
        view = late_view(declaration, random.Random(f"dealt {declaration} {number}"))
        belief, found = Belief(view), dealt.deals(seen_of(view))
        check(belief, found)


WEDDINGS = [
    {"hochzeit_return": "any"},
    {"hochzeit_return": "any", "hochzeit_cards": "face-up"},
    {"hochzeit_couples": "two"},
    {"hochzeit_couples": "two", "hochzeit_return": "any"},
    {"hochzeit_couples": "two", "hochzeit_return": "any", "hochzeit_cards": "face-up"},
]


@pytest.mark.parametrize("house", WEDDINGS, ids=lambda house: " ".join(house.values()))
def test_a_hochzeit_of_any_kind_is_believed_as_it_was_dealt(house: dict[str, str]):
    """From every seat: who swapped, who saw it, who did not; with a trump given back, the same one, or none."""
    rules, seen = read_rules(USUAL, house), Counter[str]()
    for number in range(24 * SOAK):
        view = late_view("hochzeit", random.Random(f"{house} {number}"), rules)
        check(Belief(view), dealt.deals(seen_of(view)))
        gifts = [str(act.what) for act in view.acts if str(act.what).startswith("give ")]
        seen["told" if gifts[0] != "give a card" else "hidden"] += 1
        seen["second told" if gifts[2:] and gifts[2] != "give a card" else "second hidden" if gifts[2:] else "one"] += 1
    shown = house.get("hochzeit_cards") == "face-up"
    assert seen["told"] and (seen["hidden"] > 0) != shown, seen
    if "hochzeit_couples" in house:
        assert seen["second told"] and (seen["second hidden"] > 0) != shown, seen


@pytest.mark.parametrize("house", WEDDINGS, ids=lambda house: " ".join(house.values()))
def test_a_hochzeit_is_believed_at_every_step_of_the_talk_and_the_play(house: dict[str, str]):
    """By every seat, and by who watches: no drawn world is wrong, and all is exact but two couples for who watches."""
    rules, loose = read_rules(USUAL, house), 0
    for number in range(2 * SOAK):
        rng = random.Random(f"steps {house} {number}")
        record, face_up = begin("hochzeit", rng, rules), house.get("hochzeit_cards") == "face-up"
        while record.position.turn is not None and len(record.acts) < 24:
            record = record.with_act(record.position.read(record.position.legal_plays.choose(rng)))
        for length in range(len(record.acts) + 1):
            part = replace(record, acts=record.acts[:length])
            true = World(
                tuple(hand for hand in part.position.hands if isinstance(hand, Cards)), part.position.game.deck.none
            )
            gifts = sum(str(act.what).startswith("give ") for act in part.acts)
            for course in (*map(part.view, range(4)), seen_by_all(part)):
                belief = Belief(course)
                assert belief.exact or (not isinstance(course, View) and gifts > 2 and not face_up), (course, house)
                assert belief.allows(true)
                assert all(belief.allows(world) for world in belief.draw(2, length)), course
                loose += not belief.exact
    assert (loose > 0) == (rules.hochzeit_couples is HochzeitCouples.TWO and not face_up)


def check(belief: Belief, found: Counter[dealt.Hands]) -> None:
    """The belief is exact, has these worlds, and the odds of every hidden card."""
    view, deck = belief.view, belief.view.game.deck
    assert isinstance(view, View)
    assert belief.exact and belief.count().exact, view
    listed = [tuple(frozenset(str(hand).split()) for hand in world.hands) for world in belief.listed()]
    assert len(listed) == belief.distinct()
    assert set(listed) == set(found), view
    hidden = [act.what for act in view.acts].count("give a card") // 2  # couples
    plain = view.game.rules.hochzeit_return is HochzeitReturn.PLAIN
    # any card of the declarer's may be the plain one that came back: that is the same for all worlds, and left out
    same = len(view.start.hands[0]) ** hidden if plain else 1
    assert belief.count() * same == found.total(), view
    for kind in belief.compiled.problem.kinds:
        odds = belief.odds(kind)
        for seat in range(4):
            assert odds[seat] == pytest.approx(float(dealt.odds(found, deck.names[kind], seat)), abs=1e-12), view


def dealt_and_done(hands: list[str], *acts: str, rules: Rules | None = None) -> Record:
    game = schafkopf.game(rules)
    piles = tuple(parse_cards(game.deck, hand) for hand in hands)
    record = Record(deal_position(game, game.opening, piles))
    for act in acts:
        record = record.with_act(record.position.read(act))
    return record


SEARCHED = [
    "EK E8 GA HA HO H9 SZ SO",
    "E9 E7 GO GU G7 SA SK S9",
    "EA EZ EO GZ GK H8 H7 S7",
    "EU G9 G8 HZ HK HU SU S8",
]


def test_who_leads_the_called_suit_lacks_its_ace_or_had_four():
    """Seat 2 leads S7, and while it is answered its ace is hardly with seat 2, which would need three more."""
    talk = ["rufspiel", "pass", "pass", "pass", "rufspiel S"]
    view = dealt_and_done(SEARCHED, *talk, "HO", "GU", "EO", "SU", "S7", "S8").view(0)
    belief = Belief(view)
    # without what the lead proves, more than four deals in ten would not have allowed it
    careless = Worlds(compile_facts(view, tuple(f for f in view.facts() if not isinstance(f, OneOf))).problem)
    assert (careless.count(), belief.count()) == (31_855_824, 18_114_096)
    assert careless.expected()[belief.compiled.problem.kinds.index(view.game.deck.spellings["SA"])][1] > 0.46
    assert belief.exact and belief.odds("SA")[2] == pytest.approx(0.05305, abs=1e-5)
    assert all(belief.allows(world) for world in belief.draw(100, 1))
    facts = [format_fact(fact, None) for fact in view.facts()]
    assert "seat 2: no SA, or at least 4 of SA SZ SK S9 S8 S7, since trick 2 (schafkopf.no-running)" in facts


def test_a_hochzeit_is_believed_as_it_was_dealt():
    """Whoever took the trump was dealt any of its trumps but one: with more of them there are more dealt hands."""
    hands = ["SO EA EK GA GK SA SK S7", "EO GO HO EU GU HA G7 G8", "HU SU HZ HK H9 E7 E8 S8", "H8 H7 E9 EZ GZ G9 SZ S9"]
    talk = ["hochzeit", "pass", "pass", "pass", "hochzeit", "accept", "give SO", "give G7"]
    record = dealt_and_done(hands, *talk)
    assert Belief(record.view(0)).odds("G7")[0] == Belief(record.view(1)).odds("SO")[1] == 1  # who swapped knows
    belief = Belief(record.view(2))
    # five trumps are seat 2's own; nine trumps and seven plain cards go to seats 1 and 3, eight each, with weight t
    ways = {t: t * comb(9, t) * comb(7, 8 - t) for t in range(1, 9)}
    share = sum(t * n for t, n in ways.items()) / sum(ways.values()) / 9
    assert share == pytest.approx(0.526, abs=1e-3)  # and not one half
    assert belief.odds("SO")[1] == pytest.approx(share, abs=1e-12)
    assert belief.count() == comb(15, 8) * sum(ways.values())
    assert belief.distinct() == comb(15, 8) * sum(n // t for t, n in ways.items())
    found = sum("SO" in str(world.hands[1]).split() for world in belief.draw(20_000, 1)) / 20_000
    assert abs(found - share) < 5 * (share * (1 - share) / 20_000) ** 0.5


def test_a_trump_that_may_have_come_back_is_counted_as_it_was_dealt():
    """Nothing came back: any of eight plain cards, for any trump of the taker. A trump did: for another, or itself."""
    hands = ["SO EA EK GA GK SA SK S7", "EO GO HO EU GU HA G7 G8", "HU SU HZ HK H9 E7 E8 S8", "H8 H7 E9 EZ GZ G9 SZ S9"]
    talk = ["hochzeit", "pass", "pass", "pass", "hochzeit", "accept", "give SO", "give EO"]
    record = dealt_and_done(hands, *talk, rules=Rules(hochzeit_return=HochzeitReturn.ANY))
    for seat in (0, 1):  # who swapped knows what
        belief = Belief(record.view(seat))
        assert belief.exact and (belief.odds("SO")[1], belief.odds("EO")[0]) == (1, 1)
    assert Belief(record.view(1)).odds("H8")[0] == 0  # which the declarer cannot have besides EO
    belief = Belief(record.view(2))
    # five trumps are seat 2's own; nine trumps and fifteen plain cards go to seats 0, 1 and 3, eight each
    none = {t: 8 * t * comb(9, t) * comb(7, 8 - t) * comb(15, 8) for t in range(1, 9)}
    one = {t: (1 + t) * 9 * comb(8, t) * comb(8, 8 - t) * comb(15, 7) for t in range(9)}
    total = sum(none.values()) + sum(one.values())
    assert belief.exact and belief.count() == total
    back = sum(one.values()) / total
    share = [back / 9, sum(t * n for ways in (none, one) for t, n in ways.items()) / total / 9]
    assert [belief.odds("SO")[seat] for seat in (0, 1)] == pytest.approx(share, abs=1e-12)
    worlds, trumps = belief.draw(20_000, 1), set(literal.trumps("hochzeit"))
    found = sum(bool(trumps & set(str(world.hands[0]).split())) for world in worlds) / 20_000
    assert abs(found - back) < 5 * (back * (1 - back) / 20_000) ** 0.5
    assert all(belief.allows(world) for world in worlds[:200])


@pytest.mark.parametrize("turned", [False, True])
def test_a_kitty_is_believed_as_it_was_dealt(turned: bool):
    """Whoever showed a card was dealt it, and a card turned up lay in the kitty: the other copy may lie anywhere."""
    game = find_game("tractor", {"no_call": "turn-kitty"})
    for seed in range(200):
        record = new_record(game, seed)
        pile = str(record.start.kitty if turned else record.start.hands[0]).split()
        level = [card for card in ("S2", "H2", "D2", "C2") if card in pile]
        if not level:
            continue
        calls = ["pass"] * 4 + [f"turn {level[0]}"] if turned else [f"show {level[0]}", "pass", "pass", "pass"]
        for call in (*calls, "take"):
            record = record.with_act(record.position.read(call))
        hand = record.position.hand
        assert isinstance(hand, Cards)
        record = record.with_act(record.position.read(f"bury {game.deck.cards(list(hand)[:8])}"))
        banker = record.acts[-1].seat
        viewer = next(s for s in range(4) if s != banker and level[0] not in str(record.position.hands[s]).split())
        odds = Belief(record.view(viewer)).odds(level[0])
        first, rest = (8, 25) if turned else (25, 8)  # slots where one copy must have been dealt, of 83
        ways = first * (first - 1) + 2 * first * (83 - first)
        both = first * (first - 1) + 2 * first * rest
        elsewhere = sum(odds[s] for s in range(4) if s not in (viewer, banker))
        assert elsewhere == pytest.approx(1 - both / ways, abs=1e-12)
        return
    raise AssertionError("no deal to show this")


def test_a_count_says_whether_it_is_exact():
    exact, bound = Count(1200), Count(1200, exact=False)
    assert exact.exact and not bound.exact and exact == bound == 1200
    assert (str(exact), str(bound), f"{bound:,}", repr(bound)) == (
        "1200",
        "at most 1200",
        "at most 1,200",
        "at most 1200",
    )
    assert type(bound + 1) is int
