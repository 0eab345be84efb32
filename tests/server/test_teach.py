"""What a seat is taught: verdicts, units that are proved safe, hints in two steps, and what it may believe."""

import pickle
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest

from renege import texas42
from renege.agents import Net
from renege.belief import Belief
from renege.core.cards import Cards, kinds_in
from renege.core.facts import Holds
from renege.core.game import KITTY
from renege.core.notation import parse_cards
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.core.world import World
from renege.games import schafkopf
from renege.games.strategy import Advice, policy_of
from renege.games.tractor.throws import beater
from renege.server.present import teach
from renege.server.present.hand import order_of
from renege.server.teaching import Unit
from support.random_nets import GAMES, shipped
from support.server_deals import NAMES, TABLES, Overheard, cut, play_at_random, watched
from support.steering import SOAK
from support.tractor_crowd import Size, bots_moments, game_of

EVERY = pytest.mark.parametrize("name", TABLES)
DEALS = 2 * SOAK
MS = 15.0


def view_at(position: Position) -> View:
    """What the seat to play sees of a position that is told by itself."""
    assert position.turn is not None
    hidden = position.game.deck.hidden
    hands = tuple(hand if seat == position.turn else hidden(len(hand)) for seat, hand in enumerate(position.hands))
    return View(replace(position, hands=hands), (), position.turn)


def tractor_policy(view: View) -> Advice:
    return policy_of(view.game)(view)


def leads(name: str, deals: int) -> Iterator[tuple[View, Position]]:
    """Every lead of some deals, as its leader sees it, and as it is."""
    for seed in range(deals):
        for _, position, views in watched(play_at_random(TABLES[name], seed, dull=0.3)):
            if position.turn is not None and position.trick is not None and position.trick.lead is None:
                yield views[position.turn], position


# --- verdicts --------------------------------------------------------------------------------------


def check(view: View, what: str):
    return teach.check(view, what, "en", NAMES)


def test_a_renege_is_told_with_its_rule_and_what_would_do():
    view = view_at(texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1"))
    found = check(view, "6-5")
    assert (found.legal, found.text, found.units, found.stands) == (False, "6-5 is a trump, sixes were led", [], None)
    assert found.why is not None
    assert (found.why.code, found.why.rule, found.why.instead) == ("illegal", "texas42.follow-suit", "6-6")
    assert found.why.sentence.startswith("Who holds a tile of the led suit must play one")
    assert check(view, "6-6").legal is True


@pytest.mark.parametrize(
    ("what", "code", "part"),
    [
        pytest.param("7-7", "notation", "7-7", id="no tile"),
        pytest.param("5-5", "notation", "is not in the hand", id="not in the hand"),
        pytest.param("6-6 6-5", "illegal", "a play is one", id="two tiles"),
    ],
)
def test_what_is_no_play(what: str, code: str, part: str):
    found = check(view_at(texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1")), what)
    assert found.legal is False and found.why is not None
    assert found.why.code == code
    assert part in found.why.text


def test_out_of_turn():
    record = play_at_random(TABLES["texas42"], 1)
    found = check(cut(record, 1).view(0), "30")
    assert found.legal is False and found.why is not None and found.why.code == "turn"
    assert " | " not in found.text  # the position is not quoted


def test_calls_are_judged():
    record = cut(play_at_random(TABLES["texas42"], 1), 0)
    assert check(record.view(0), "30").legal is True
    assert check(record.view(0), "3 marks").legal is False
    shown = cut(play_at_random(TABLES["tractor"], 1), 0).view(0)
    assert check(shown, "pass").legal is True


def test_the_language_is_the_listeners():
    view = view_at(texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1"))
    assert teach.check(view, "6-5", "de", NAMES).text == "6-5 ist Trumpf, Sechser wurden angespielt"
    assert teach.check(view, "6-5", "de", NAMES).text != check(view, "6-5").text


# --- units -----------------------------------------------------------------------------------------


def other_hands(view: View, world: World) -> Iterator[tuple[int, Cards]]:
    return ((seat, world.hands[seat]) for seat in view.position.active if seat != view.seat)


def beaten_in(view: View, unit: Unit, world: World) -> bool:
    """Does another hand beat this unit, if the cards lie like that? Looked up card by card."""
    position = view.position
    assert position.order is not None
    cards = parse_cards(position.game.deck, " ".join(unit.cards))
    if position.game.name == "tractor":
        suit = position.order.suit_of(cards)
        assert suit is not None
        return any(beater(position.order, suit, cards, hand) is not None for _, hand in other_hands(view, world))
    after = position.put(Play(cards)).turn_to_play(cards)
    return any(
        position.game.beats(replace(after, seat=seat), Play(cards), Play(position.game.deck.of(1 << card)))
        for seat, hand in other_hands(view, world)
        for card in kinds_in(hand.kinds)
    )


def drawn(view: View, seed: int) -> list[World]:
    belief = Belief(view)
    return belief.draw(200 if belief.exact else 30, seed)  # each of these is judged before it counts


@EVERY
def test_what_is_safe_is_beaten_in_no_world(name: str):
    """And what is not is beaten in the true deal now and then; who is said to be able to beat it, is."""
    rng, safe, beaten = random.Random(3), 0, 0
    for number, (view, position) in enumerate(leads(name, DEALS * 2)):
        tries = {view.legal_plays.choose(rng) for _ in range(2)}
        tries |= {Play(view.game.deck.of(1 << card)) for card in rng.sample(sorted(set(view.hand)), 1)}
        worlds: list[World] | None = None
        for play in tries:
            assert position.order is not None
            if view.game.name != "tractor" and play.suit is not None:
                continue
            for unit in check(view, view.game.write_play(replace(play, units=()), position.order)).units:
                if unit.safe:
                    safe += 1
                    worlds = drawn(view, number) if worlds is None else worlds
                    assert not any(beaten_in(view, unit, world) for world in worlds)
                    assert not beaten_in(view, unit, World(position.hands, view.game.deck.none))  # type: ignore[arg-type]
                else:
                    beaten += beaten_in(view, unit, World(position.hands, view.game.deck.none))  # type: ignore[arg-type]
                    check_holders(view, unit)
        if number > 25 * SOAK:
            break
    assert safe and beaten


def runs_in(view: View) -> Iterator[str]:
    """The runs of two pairs in a hand."""
    order = view.position.order
    assert order is not None
    for steps in order.steps:
        for low, high in pairwise(steps):
            for one, two in product(kinds_in(view.hand.at_least(2) & low), kinds_in(view.hand.at_least(2) & high)):
                yield str(order.deck.cards([one, one, two, two]))


def test_runs_that_are_safe_are_beaten_in_no_world():
    """Only hands that hold a run at their first lead: seeds are tried until enough of them were."""
    safe = unsafe = 0
    for seed in range(200):
        record = play_at_random(TABLES["tractor"], seed)
        for length, position, views in watched(record):
            if position.turn is None or position.trick is None or position.trick.lead is not None:
                continue
            view = views[position.turn]
            for run in runs_in(view):
                (unit,) = check(view, run).units
                assert unit.kind == "run"
                if unit.safe:
                    safe += 1
                    assert not any(beaten_in(view, unit, world) for world in drawn(view, length))
                else:
                    unsafe += 1
                    check_holders(view, unit)
        if safe > 15 * SOAK and unsafe > 15 * SOAK:
            return
    raise AssertionError(f"{safe} safe runs, {unsafe} others")


def check_holders(view: View, unit: Unit):
    """Each seat that is said to be able to have what beats a unit has it in some world."""
    found = re.fullmatch(r"((?:(?:, | or )?(?:Ann|Bo|Cy|Di))+) may have (.+)", unit.why)
    assert found is not None, unit.why
    cards = parse_cards(view.game.deck, found[2])
    belief, number = Belief(view), view.position.tricks_played
    for who in re.split(", | or ", found[1]):
        seat = NAMES.index(who)
        rule = view.game.rule_list[0]
        facts = [Holds(seat, number, rule, view.game.deck.of(1 << c), cards.count(c)) for c in kinds_in(cards.kinds)]
        assert seat != view.seat
        assert belief.share(*facts) > 0


@EVERY
def test_the_units_of_a_lead_are_its_cards(name: str):
    rng = random.Random(4)
    for view, position in leads(name, 1):
        play = view.legal_plays.choose(rng)
        assert position.order is not None
        units = check(view, str(play.cards)).units
        assert sorted(card for unit in units for card in unit.cards) == sorted(str(play.cards).split())
        for unit in units:
            assert unit.kind == {1: "single", 2: "pair"}.get(len(unit.cards), "run")
            assert unit.kind != "pair" or unit.cards[0] == unit.cards[1]


def test_proofs_by_counting():
    """As a player counts: both aces are mine, so no higher pair; a queen that has a king above it is not safe."""
    record = play_at_random(TABLES["tractor"], 0)
    for _, position, views in watched(record):
        if position.turn is None or position.trick is None or position.trick.lead is not None:
            continue
        view, order = views[position.turn], position.order
        assert order is not None
        for suit, strength in enumerate(order.strength):
            held = order.in_suit(view.hand, suit)
            if not held:
                continue
            top = max(held, key=strength.__getitem__)
            (unit,) = check(view, order.deck.names[top]).units
            assert unit.safe == (not above(view, suit, top))
            if unit.safe:
                assert unit.why in (
                    f"no higher card of {order.nouns[suit]} is left",
                    f"no other seat has {order.nouns[suit]}",
                    f"what was seen leaves no other hand a higher card of {order.nouns[suit]}",
                )


def above(view: View, suit: int, card: int) -> bool:
    """Is a higher card of the suit possibly in another hand, by the odds?"""
    order, belief = view.position.order, Belief(view)
    assert order is not None
    higher = [c for c in kinds_in(order.leads[suit]) if order.strength[suit][c] > order.strength[suit][card]]
    return any(belief.odds(c)[seat] > 0 for c in higher for seat in range(4) if seat != view.seat)


@pytest.mark.parametrize("name", ["tractor", "tractor kitty", "tractor full"])
def test_throws_stand_as_likely_as_the_belief_says(name: str):
    rng, thrown = random.Random(5), 0
    for number, (view, position) in enumerate(leads(name, DEALS)):
        play = view.legal_plays.choose(rng)
        assert position.order is not None
        found = check(view, str(play.cards))
        if len(found.units) == 1:
            assert found.stands is None
        elif found.legal is not False:
            thrown += 1
            assert found.stands == Belief(view).stands(Play(play.cards))
            assert found.stands == 1.0 or not all(unit.safe for unit in found.units)
        if number > 25 * SOAK:
            break
    assert thrown


def test_a_throw_waits_for_the_other_hands():
    for view, position in leads("tractor", 2):
        assert position.order is not None
        play = next(
            (play for play in (view.legal_plays.choose(random.Random(i)) for i in range(20)) if len(play.cards) > 3),
            None,
        )
        if play is not None and not all(unit.safe for unit in check(view, str(play.cards)).units):
            assert check(view, str(play.cards)).legal is None
            return
    raise AssertionError("no throw was found")


# --- hints -----------------------------------------------------------------------------------------


@EVERY
def test_a_hint_names_the_group_before_the_play(name: str):
    rng = random.Random(6)
    for number, (_, position, views) in enumerate(watched(play_at_random(TABLES[name], 3, dull=0.4))):
        on_kitty = position.talk is not None and position.talking and position.talk.on_kitty
        if position.turn is None or on_kitty or (number > 6 and rng.random() < 0.7):
            continue
        view = views[position.turn]
        group, play = teach.hints(view, MS, number, "en", NAMES)
        assert (group.what, group.text, group.why, group.estimates, group.unit) == ("", "", "", [], "")
        assert group.group == play.group != ""
        assert position.judge(play.what, position.turn).legal is not False
        assert play.text and play.why and play.unit
        assert play.estimates and play.estimates[0].what == play.what
        assert all(low is None or low <= mean <= high for low, mean, high in map(interval, play.estimates))
        if not position.talking:
            order = order_of(position)
            suits = {order.led_suit[order.deck.spellings[card]] for card in play.cards}
            whole = [order.deck.names[card] for card in view.hand if order.led_suit[card] in suits]
            assert sorted(group.cards) == sorted(whole)
            assert sorted(play.cards) == sorted(re.sub(r" as .*| \+", "", play.what).split())
        elif play.what.startswith(("bury", "give")):
            check_group_of_given(view, group.cards, play.cards)


def check_group_of_given(view: View, group: list[str], given: list[str]):
    """Of what is buried or given, the suit that most of it is of is marked in the hand, whole."""
    order = order_of(view.position)
    suit_of = {card: order.led_suit[order.deck.spellings[card]] for card in str(view.hand).split()}
    (suit,) = {suit_of[card] for card in group}
    assert sorted(group) == sorted(card for card in str(view.hand).split() if suit_of[card] == suit)
    of_suit = [suit_of[card] for card in given]
    assert of_suit.count(suit) == max(map(of_suit.count, of_suit))


def test_a_hint_names_no_place_in_a_flowchart():
    """The rules of thumb of Tractor say where in it they stand; a reason on the page does not."""
    plain = 0
    for view, _ in leads("tractor", 1):
        usual = tractor_policy(view)
        reason = teach.hints(view, MS, 1, "en", NAMES)[1].why
        assert not re.match(r"[ABL]\d", reason)
        plain += re.match(r"[ABL]\d", usual.why) is not None and usual.why.endswith(reason)
    assert plain


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_says_what_the_network_would_do_beside_what_the_search_found(game: str, tmp_path: Path):
    talk = play = other = 0
    with shipped(tmp_path, *GAMES):
        for number, (_, position, views) in enumerate(watched(play_at_random(find_game(game), 3, dull=0.4))):
            if position.turn is None or number > 12:
                break
            view, likes = views[position.turn], Net().likes(views[position.turn])
            first, hint = teach.hints(view, 10 * MS, number, "en", NAMES)
            assert (first.network, first.by) == (None, "")
            assert hint.by == "advice by a search that stands on the network"
            chosen = position.spell(Net().choose(view, random.Random(1)).what)
            assert hint.network is not None and hint.network.what == chosen
            other += hint.what != chosen
            assert hint.network.share == pytest.approx(likes.of(likes.best))
            assert hint.estimates[0].what == hint.what
            for one in hint.estimates:
                assert one.share is not None and 0 <= one.share <= 1
                if position.talking:
                    assert one.share == pytest.approx(likes.of(one.what))
            whole = [one for one in hint.estimates if one.mean is not None]
            if hint.alone and hint.alone != "there is no other choice" and position.talking:
                assert not whole and len(hint.estimates) >= 1  # nothing was weighed, but there is what it likes
            talk, play = talk + (len(whole) > 1 and position.talking), play + (len(whole) > 1 and not position.talking)
    assert talk and play and other


def test_a_hint_without_a_network_says_why_there_is_none(tmp_path: Path):
    view = cut(play_at_random(TABLES["texas42"], 1), 0).view(0)
    with shipped(tmp_path):
        _, hint = teach.hints(view, MS, 1, "de", NAMES)
    assert hint.by == "Rat mit Suche, ohne neuronales Netz: für dieses Spiel gibt es kein neuronales Netz"
    assert hint.network is None and all(one.share is None for one in hint.estimates)


def interval(found) -> tuple[float | None, float, float]:
    return found.low, found.mean, found.high


def test_the_only_play_has_no_estimate():
    """What was not tried is None, since NaN is no JSON."""
    for view, _ in leads("texas42 points", 1):
        if len(view.hand) == 1:
            (only,) = teach.hints(view, MS, 0, "en", NAMES)[1].estimates
            assert (only.mean, only.low, only.high, only.worlds) == (None, None, None, 0)
            return
    raise AssertionError("no hand was played to its last tile")


def test_nobody_is_advised_out_of_turn():
    record = play_at_random(TABLES["texas42"], 1)
    with pytest.raises(WrongPhase, match="it is not the turn of Ann"):
        teach.hints(cut(record, 1).view(0), MS, 0, "en", NAMES)


def test_who_may_break_in_is_advised_too():
    for _, position, views in watched(play_at_random(TABLES["schafkopf"], 8)):
        for seat in position.speakers:
            if seat != position.turn and not position.talking:
                found = teach.hints(views[seat], MS, 0, "en", NAMES)[1]
                assert found.what in ("stoss", "pass")
                assert found.estimates == []
                return
    raise AssertionError("nobody could break in")


# --- beliefs ---------------------------------------------------------------------------------------


@EVERY
def test_a_belief_counts_every_unseen_card(name: str):
    rng = random.Random(7)
    for _, position, views in watched(play_at_random(TABLES[name], 2, dull=0.3)):
        view = views[rng.randrange(4)]
        found, belief = teach.belief(view, "en", NAMES), Belief(view)
        assert found.deals == str(int(belief.count()))
        assert (found.seat, found.exact) == (view.seat, belief.exact)
        assert sum(card.unseen for card in found.cards) == sum(found.sizes.values())
        assert set(found.sizes) == set(found.piles)
        order = order_of(position)
        for card in found.cards:
            kind = order.deck.spellings[card.card]
            assert sum(card.odds.values()) == pytest.approx(card.unseen)
            assert card.odds == {
                pile: pytest.approx(belief.odds(kind)[KITTY if pile == "kitty" else int(pile)]) for pile in found.piles
            }
            zeros = [pile for pile, odds in card.odds.items() if odds == 0]
            assert len(card.why) >= len(zeros)
            for pile in zeros:
                who = "kitty" if pile == "kitty" else NAMES[int(pile)]
                assert any(who in why for why in card.why), (card, pile)
        if rng.random() < 0.5 and len(view.acts) > 12 and name.startswith("tractor"):
            break


def test_a_belief_tells_who_may_be_the_friend():
    names = [*NAMES, "Eva", "Fritz"]
    asked = 0
    for _, onlookers in bots_moments(game_of(Size("friends", 6, 3)), 2):
        view = onlookers[len(onlookers[0].view.acts) % 6].view
        if view.position.contract is None or len(view.acts) % 7:
            continue
        found, odds = teach.belief(view, "en", names), Belief(view).friends()
        assert bool(found.friends) == bool(found.team) == (odds is not None)
        if odds is not None:
            asked += 1
            assert [one.name for one in found.friends] == [one.place.name for one in odds.places]
            assert all(one.name.startswith(one.card) for one in found.friends)
            assert [list(one.takes.values()) for one in found.friends] == [
                pytest.approx(list(one.takes.values())) for one in odds.places
            ]
            assert found.team == pytest.approx({str(seat): share for seat, share in odds.team.items()})
    assert asked


def test_a_record_that_contradicts_itself_is_refused():
    """Seat 1 does not follow the lead of a trump, and later it has one."""
    start = texas42.position(
        "dealer 3 | 0: 6-6 6-5 6-4 6-3 6-2 5-5 6-0 | 1: 6-1 5-4 5-3 5-2 5-1 5-0 4-4 | "
        "2: 4-3 4-2 4-1 4-0 3-3 3-2 3-1 | 3: 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
    )
    record = Record(start)
    for what in ("30", "pass", "pass", "pass", "trump 6", "6-6", "5-4", "4-3", "3-0", "6-5"):
        record = record.with_act(record.position.read(what))
    assert teach.belief(record.view(2), "en", NAMES).facts[-1].startswith("Di has no trumps since trick 1")
    record = record.with_act(record.position.read("6-1"))
    with pytest.raises(ValueError, match=r"Bo has no trumps since trick 1 .* and yet it showed 6-1"):
        teach.belief(record.view(2), "en", NAMES)


@EVERY
def test_every_sentence_has_a_translation(name: str, monkeypatch: pytest.MonkeyPatch):
    listener = Overheard()
    monkeypatch.setattr(teach, "Speech", lambda language, names: listener)
    for view, position in leads(name, 1):
        assert position.order is not None
        check(view, str(view.legal_plays.choose(random.Random(1)).cards))
    assert listener.heard and not listener.unknown()


def test_all_of_it_goes_to_another_process():
    view = cut(play_at_random(TABLES["schafkopf"], 1), 0).view(0)
    for function, args in (
        (teach.check, ("pass", "en", NAMES)),
        (teach.hints, (MS, 0, "en", NAMES)),
        (teach.belief, ("en", NAMES)),
    ):
        again, seen, rest = pickle.loads(pickle.dumps((function, view, args)))
        answer = again(seen, *rest)
        assert pickle.loads(pickle.dumps(answer)) == answer


def test_a_called_ace_is_proved_to_be_elsewhere():
    """In Schafkopf a trump beats a plain ace, so an ace is safe only when no trump may be out."""
    for view, position in leads("schafkopf", 4):
        assert position.order is not None
        for card in set(view.hand):
            (unit,) = check(view, position.order.deck.names[card]).units
            trumps_out = any(
                Belief(view).odds(trump)[seat] > 0
                for trump in kinds_in(schafkopf.order(position.contract.declaration).follow[0])  # type: ignore[union-attr]
                for seat in range(4)
                if seat != view.seat
            )
            if position.order.led_suit[card] != 0 and trumps_out:
                assert not unit.safe
        return
