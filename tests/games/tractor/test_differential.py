"""The engine against the brute force: random cases over all levels, trump settings, gaps and duties.

Cards crowd around each other, around the level step above all, and come in pairs: that is where the published
programs go wrong. Each test meets at least 2,000 cases.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from reference import tractor as reference
from reference import tractor_round
from renege.core.cards import Cards
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.follow import beats, match, why_not
from renege.games.tractor.legal import TractorPlays
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, SUITS
from renege.games.tractor.rules import ShorterRuns, StoppedThrow, ThrowComparison, ThrowTest, TrumpThrows
from renege.games.tractor.throws import lands, smallest_stop
from renege.games.tractor.units import counts, cut, led_shape, led_units, serve, shape_of, top_step
from support.tractor_turns import (
    Setting,
    cards,
    cases,
    fitting,
    lowest_step,
    pile,
    random_grouping,
    random_hand,
    random_lead,
    random_pile,
    random_play,
    shape,
    suit_id,
    turn,
    with_rules,
)


def test_a_lead_has_the_shape_and_the_units_of_the_brute_force():
    for rng, at in cases("shape", 3000):
        suit = rng.choice(["T", "T", *at.suits()])
        led = random_pile(rng, at, suit, 10)
        if not led:
            continue
        told = reference.shape(led, at.declaration, at.gap)
        assert shape_of(at.order, suit_id(suit), cards(led)) == shape(told), (at, led)
        units = sorted(pile(unit) for unit in cut(at.order, suit_id(suit), cards(led)))
        # which of the level pairs on one step a run takes is told in the test of throws: there it can matter
        best = reference.cuttings_into(told, led, at.declaration, at.gap)
        assert units in [sorted(tuple(sorted(unit)) for unit in way) for way in best], (at, led)


def test_a_named_grouping_gives_the_shape_that_was_named():
    for rng, at in cases("grouping", 2000):
        lead = random_lead(rng, at, 7)
        named = rng.choice(sorted(reference.cuttings(lead, at.declaration, at.gap)))
        told = shape(reference.shape_of(named))
        assert led_shape(at.order, Play(cards(lead), units=tuple(map(cards, named)))) == told, (at, named)


def test_the_best_match_is_that_of_the_brute_force():
    for rng, at in cases("match", 4000):
        suit = rng.choice(["T", "T", *at.suits()])
        held = random_pile(rng, at, suit, 16)
        led = tuple(sorted(rng.choices([2, 2, 2, 3, 3, 4, 5], k=rng.randint(1, 3)), reverse=True))
        if rng.random() < 0.2:
            led = rng.choice([(6, 2), (5, 3), (7, 2), (6, 3)])
            steps = [step for i, step in enumerate(at.steps(suit)) if i % rng.randint(3, 4)]
            held = reference.pile(kind for step in steps if step for kind in step[-1:] * 2)
        told = reference.best_match(led, held, at.declaration, at.shorter_runs, at.gap)
        pairs = counts(at.order, suit_id(suit), cards(held))
        assert match(at.rules, pairs, led) == told, (at, led, held)


def test_a_follow_breaks_the_duty_that_the_brute_force_names():
    seen: Counter[str | None] = Counter()
    for rng, at in cases("duty", 6000):
        lead = random_lead(rng, at)
        grouping = random_grouping(rng, at, lead)
        hand = random_hand(rng, at, lead, 14)
        play = random_play(rng, at, lead, hand)
        _, duty = reference.legal_follow(lead, hand, play, at.declaration, at.shorter_runs, at.gap, grouping, at.follow)
        led = Play(cards(lead), units=tuple(map(cards, grouping or ())))
        objection = tractor.game(at.rules).objection(turn(at, hand, [led]), Play(cards(play)))
        said = None if objection is None else objection.rule.id.removeprefix("tractor.")
        assert said == duty, (at, lead, grouping, hand, play)
        seen[duty] += 1
    assert set(seen) == {None, "length", "follow-suit", "follow-pair", "follow-run", "follow-longer-run"}
    assert min(seen.values()) >= 50, seen


def test_long_runs_are_answered_as_the_brute_force_answers_them():
    """Four or five pairs in a row are led to hands of several shorter runs: there further runs can be owed."""
    seen: Counter[str | None] = Counter()
    for rng, at in cases("long runs", 200):
        at = replace(at, shorter_runs="all-owed")
        suit = rng.choice([suit for suit in at.suits() if len(at.steps(suit)) > 10])
        steps = [step for step in at.steps(suit) if step]
        start, length = rng.randrange(len(steps) - 5), rng.randint(4, 5)
        lead = reference.pile(kind for step in steps[start : start + length] for kind in step[:1] * 2)
        longest = rng.randint(2, 3)
        kinds = [rng.choice(step) for i, step in enumerate(steps) if i % (longest + 1) and rng.random() < 0.9]
        hand = reference.pile([*kinds, *kinds, *(step[-1] for step in steps if not set(step) & set(kinds))])
        if len(hand) <= len(lead):
            continue
        as_one_run = with_rules(at, shorter_runs=ShorterRuns.OWED)
        owing = turn(at, hand, [Play(cards(lead))], rules=as_one_run)
        play = pile(TractorPlays(tractor.game(as_one_run), owing).choose(rng).cards)
        found = tractor.game(at.rules).objection(turn(at, hand, [Play(cards(lead))]), Play(cards(play)))
        said = None if found is None else found.rule.id.removeprefix("tractor.")
        _, told = reference.legal_follow(lead, hand, play, at.declaration, "all-owed", at.gap, follow=at.follow)
        assert said == told, (at, lead, hand, play)
        seen[told] += 1
    assert min(seen[None], seen["follow-run"]) >= 20, seen


def test_the_legal_follows_are_those_of_the_brute_force():
    sizes: Counter[bool] = Counter()
    for rng, at in cases("follows", 2000):
        lead = random_lead(rng, at, rng.choice([2, 4, 4, 5, 6, 6, 8]))
        grouping = random_grouping(rng, at, lead)
        hand = random_hand(rng, at, lead, 10)
        told = reference.legal_follows(lead, hand, at.declaration, at.shorter_runs, at.gap, grouping, at.follow)
        led = Play(cards(lead), units=tuple(map(cards, grouping or ())))
        plays = TractorPlays(tractor.game(at.rules), turn(at, hand, [led]))
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count(), (at, lead, grouping, hand)
        assert set(found) == told, (at, lead, grouping, hand)
        assert pile(plays.choose(rng).cards) in told
        sizes[len(told) > 1] += 1
    assert min(sizes[False], sizes[True]) >= 200, sizes


def test_a_play_conforms_where_the_brute_force_can_cut_it_and_shows_how():
    seen: Counter[bool] = Counter()
    for rng, at in cases("serve", 4000):
        lead = random_lead(rng, at)
        led = reference.shape(lead, at.declaration, at.gap)
        suit = rng.choice(["T", reference.led_suit(lead, at.declaration)])
        play = None
        while play is None or len(play) != led.cards:
            play = fitting(rng, at, suit, led) if rng.random() < 0.4 else random_pile(rng, at, suit, led.cards)
            suit = rng.choice(["T", *at.suits()])
        suit = reference.led_suit(play, at.declaration)
        ways = reference.cuttings_into(led, play, at.declaration, at.gap)
        served = serve(at.order, suit_id(suit), cards(play), shape(led))
        assert (served is not None) == bool(ways), (at, lead, play)
        seen[bool(ways)] += 1
        top = top_step(at.order, suit_id(suit), cards(play), shape(led))
        if served is None:
            assert top is None
            continue
        known = [sorted(tuple(sorted(unit)) for unit in way) for way in ways]
        assert sorted(pile(unit) for unit in served) in known, (at, lead, play, served)
        told = max(reference.tops(way, at.declaration, at.gap)[0][1] for way in ways)
        assert top == told - lowest_step(at, suit), (at, lead, play)
    assert min(seen[False], seen[True]) >= 500, seen


def test_the_winner_is_that_of_the_brute_force_under_every_comparison():
    changed: Counter[int] = Counter()
    for rng, at in cases("winner", 3000):
        lead = random_lead(rng, at, rng.choice([1, 2, 3, 4, 5, 6, 7]))
        grouping = random_grouping(rng, at, lead)
        led = reference.led_shape_of(lead, grouping, at.declaration, at.gap)
        follows: list[reference.Pile] = []
        while len(follows) < 3:
            suit = rng.choice(["T", "T", reference.led_suit(lead, at.declaration), *at.suits()])
            play = fitting(rng, at, suit, led) if rng.random() < 0.8 else random_pile(rng, at, suit, led.cards)
            if play is not None and len(play) == led.cards:
                if rng.random() < 0.1:
                    play = reference.pile([*play[1:], rng.choice([c for c in reference.CARDS if c not in play])])
                follows.append(play)
        first = Play(cards(lead), units=tuple(map(cards, grouping or ())))
        plays = [first, *(Play(cards(play)) for play in follows)]
        won: set[int] = set()
        for comparison in ThrowComparison:
            told, excluded = reference.winner([lead, *follows], at.declaration, comparison.value, grouping, at.gap)
            rules, best = with_rules(at, throw_comparison=comparison), 0
            for place in (1, 2, 3):
                now = turn(at, follows[place - 1], plays[:place], rules=rules)
                assert (why_not(at.order, first, plays[place]) is None) == (excluded[place] is None)
                if beats(now, plays[best], plays[place]):
                    best = place
            assert best == told, (at, comparison, lead, grouping, follows)
            won.add(told)
        changed[len(won)] += 1
        changed[-1] += 0 not in won
    assert changed[-1] >= 500, changed
    assert changed[2] >= 50, changed


def steps(at: Setting, cards: Sequence[str]) -> list[int]:
    """A pile but for which of the off-suit level cards it has: they are alike to all that beats them."""
    return sorted(reference.step(card, at.declaration, at.gap) for card in cards)


def test_a_throw_falls_to_the_unit_and_the_seat_of_the_brute_force():
    seen: Counter[str] = Counter()
    for rng, at in cases("throw", 3000):
        lead = random_lead(rng, at, rng.choice([3, 4, 5, 6, 8]))
        suit = reference.led_suit(lead, at.declaration)
        grouping = random_grouping(rng, at, lead)
        others = [random_pile(rng, at, suit, rng.randint(0, 6)) for _ in range(3)]
        if rng.random() < 0.5:
            highest = reference.step(max(lead, key=lambda c: reference.step(c, at.declaration)), at.declaration)
            others = [tuple(c for c in hand if reference.step(c, at.declaration) <= highest) for hand in others]
        play = Play(cards(lead), units=tuple(map(cards, grouping or ())))
        hands = (cards(lead), *map(cards, others))
        for choice in (StoppedThrow.LEAD_SMALLEST, StoppedThrow.FIRST_FOUND):
            told = tractor_round.throw(lead, others, at.declaration, grouping, at.gap, choice.value)
            now = turn(at, lead, rules=with_rules(at, stopped_throw=choice), hands=hands)
            landed = lands(now, play)
            assert landed is not None
            assert landed.tried == (None if told.stands else play.cards), (at, lead, grouping, others)
            assert steps(at, pile(landed.cards)) == steps(at, told.led or ()), (at, lead, grouping, others)
            if told.stands:
                assert landed == play
            elif choice is StoppedThrow.LEAD_SMALLEST:
                stop = smallest_stop(at.order, play, list(enumerate(hands))[1:])
                assert stop is not None
                assert (stop.unit, stop.seat) == (landed.cards, told.stopped_by)
                beaten_by = {tuple(sorted(unit)) for thrown in told.units for unit in thrown.beaters}
                assert pile(stop.by) in beaten_by
                assert stop.by <= hands[stop.seat]
            seen[f"{choice.value} {told.stands}"] += 1
        for test in (ThrowTest.TRUE_HANDS, ThrowTest.OPPONENTS):
            told = tractor_round.throw(lead, others, at.declaration, grouping, at.gap, throw_test=test.value)
            rules = with_rules(at, stopped_throw=StoppedThrow.REFUSED, throw_test=test)
            now = turn(at, lead, rules=rules, hands=hands)
            objection = tractor.game(now.rules).objection(now, play)
            assert (objection is None) == told.stands
            assert objection is None or objection.rule.id == "tractor.throw-stopped"
            seen[f"{test.value} {told.stands}"] += 1
    assert min(seen.values()) >= 300, seen


def test_a_throw_that_opponents_alone_may_stop_falls_as_the_brute_force_says():
    """The partner may hold whatever would beat it; a partner that is hidden decides nothing."""
    seen: Counter[str] = Counter()
    for rng, at in cases("opponents", 800):
        lead = random_lead(rng, at, rng.choice([3, 4, 5, 6]))
        suit = reference.led_suit(lead, at.declaration)
        others = [random_pile(rng, at, suit, rng.randint(0, 6)) for _ in range(3)]
        play, hands = Play(cards(lead)), (cards(lead), *map(cards, others))
        choice = rng.choice([StoppedThrow.LEAD_SMALLEST, StoppedThrow.FIRST_FOUND])
        rules = with_rules(at, throw_test=ThrowTest.OPPONENTS, stopped_throw=choice)
        told = tractor_round.throw(lead, others, at.declaration, None, at.gap, choice.value, "opponents")
        any_hand = tractor_round.throw(lead, others, at.declaration, None, at.gap, choice.value)
        for partner in (hands[2], DECK.hidden(7)):
            landed = lands(turn(at, lead, rules=rules, hands=(*hands[:2], partner, hands[3])), play)
            assert landed is not None
            assert landed.tried == (None if told.stands else play.cards), (at, lead, others)
            assert steps(at, pile(landed.cards)) == steps(at, told.led or ()), (at, lead, others)
        foe_hidden = lands(turn(at, lead, rules=rules, hands=(*hands[:3], DECK.hidden(7))), play)
        assert foe_hidden is None or foe_hidden.tried is not None or len(led_units(at.order, play)) == 1
        seen[f"{told.stands} {any_hand.stands}"] += 1
    assert min(seen["True True"], seen["True False"], seen["False False"]) >= 30, seen


def test_a_throw_is_proved_safe_by_what_its_leader_knows_where_the_brute_force_proves_it():
    seen: Counter[bool | None] = Counter()
    for rng, at in cases("public", 2500):
        suit = rng.choice(["T", "T", *at.suits()])
        whole = [c for c in reference.CARDS for _ in range(2) if reference.suit(c, at.declaration) == suit]
        whole.sort(key=lambda card: reference.step(card, at.declaration) + rng.random() * 6)
        lead = reference.pile(whole[-rng.randint(2, 6) :])
        rest = list(reference.without(whole, lead))
        rng.shuffle(rest)
        held = rest[: rng.randrange(4)]
        kitty = rest[len(held) : len(held) + rng.randrange(4)]
        out = [card for card in rest[len(held) + len(kitty) :] if rng.random() < rng.choice([0, 0.1, 0.5])]
        seen_cards = reference.without(rest[len(held) + len(kitty) :], out)
        kitty += [c for c in reference.CARDS if reference.suit(c, at.declaration) != suit][: 8 - len(kitty)]
        banker = rng.random() < 0.5
        voids = [[suit] if rng.random() < 0.3 else [] for _ in range(3)]
        grouping = random_grouping(rng, at, lead)
        hand = reference.pile([*lead, *held])
        told = tractor_round.throw_public(
            lead, hand, seen_cards, voids, kitty if banker else None, at.declaration, grouping, at.gap
        )
        masks = (0, *(sum(1 << suit_id(name) for name in void) for void in voids))
        now = turn(
            at,
            hand,
            rules=with_rules(at, throw_test=ThrowTest.PUBLIC_INFO),
            memory=Memory(cards(seen_cards), masks),
            kitty=cards(kitty),
            banker=0 if banker else 1,
        )
        play = Play(cards(lead), units=tuple(map(cards, grouping or ())))
        objection = tractor.game(now.rules).objection(now, play)
        assert (objection is None) == (told.stands is True), (at, lead, grouping, hand, seen_cards, voids, kitty)
        assert objection is None or objection.rule.id == "tractor.throw-stopped"
        seen[told.stands] += 1
    assert min(seen[True], seen[False], seen[None]) >= 50, seen


def subsets(hand: reference.Pile) -> set[reference.Pile]:
    """Every pile that can be taken out of a hand."""
    found: set[reference.Pile] = {()}
    for card in hand:
        found |= {(*less, card) for less in found}
    return found - {()}


def test_the_legal_leads_are_those_of_the_brute_force():
    legal: Counter[str] = Counter()
    for rng, at in cases("leads", 2000):
        suit = rng.choice(["T", *at.suits()])
        hand = random_pile(rng, at, suit, rng.choice([3, 4, 6]))
        hand = reference.pile([*hand, *random_pile(rng, at, rng.choice(at.suits()), 1, taken=hand)])
        others = [random_pile(rng, at, suit, rng.randint(0, 3)) for _ in range(3)]
        choices = {
            "plain": with_rules(at),
            "no trump throws": with_rules(at, trump_throws=TrumpThrows.FORBIDDEN),
            "refused": with_rules(at, stopped_throw=StoppedThrow.REFUSED),
            "opponents": with_rules(at, stopped_throw=StoppedThrow.REFUSED, throw_test=ThrowTest.OPPONENTS),
            "public": with_rules(at, throw_test=ThrowTest.PUBLIC_INFO),
        }
        name = rng.choice(sorted(choices))
        rules, told = choices[name], set()
        unseen = [*rng.sample(others[0], len(others[0]) // 2), *others[1]]
        full = [card for card in reference.CARDS for _ in range(2)]
        hidden = reference.without(full, hand)
        seen = [card for card in hidden if card not in unseen]
        for play in subsets(hand):
            throws = rules.trump_throws.value
            test = rules.throw_test.value
            legal_lead, why = tractor_round.legal_lead(play, at.declaration, others, None, at.gap, throws, test)
            if why == "throw-stopped" and name not in ("refused", "opponents", "public"):
                legal_lead = True
            if why in (None, "throw-stopped") and name == "public":
                legal_lead = tractor_round.throw_public(
                    play, hand, seen, [[], [], []], None, at.declaration, gap=at.gap
                ).stands
            if legal_lead:
                told.add(play)
        memory = Memory(cards(seen))
        hands: tuple[Cards, ...] = (cards(hand), *map(cards, others))
        plays = TractorPlays(tractor.game(rules), turn(at, hand, rules=rules, hands=hands, memory=memory, banker=1))
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count(), (at, name, hand, others)
        assert set(found) == told, (at, name, hand, others)
        for play in subsets(hand):
            assert (play in told) == (cards(play) in plays), (at, name, hand, others, play)
        legal[name] += bool(told)
    assert min(legal.values()) >= 300, legal


def test_the_suits_of_engine_and_brute_force_have_the_same_names():
    assert list(SUITS) == reference.EFFECTIVE_SUITS
    assert list(DECK.names) == reference.CARDS
