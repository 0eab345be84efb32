"""Asking for a new deal: who may, when, and what becomes of the deal."""

import random
from collections import Counter

import pytest

from reference import tractor_round
from renege.core.arbiter import Arbiter
from renege.core.game import Standing
from renege.core.record import parse_record
from renege.core.registry import find_game
from renege.games import tractor
from renege.games.tractor.declare import Drawing
from renege.games.tractor.order import DECK, NAMES, RANKS
from renege.games.tractor.rulebook import rulebook
from renege.games.tractor.rules import NewDeal, NoCall, NoTrump, Rules
from renege.search import weigh
from support.steering import SOAK


def some_hand(rng: random.Random, level: str) -> tuple[str, ...]:
    """Twenty-five cards, of which rather few are trumps or points."""
    suit, shy = rng.choice("CDHS"), rng.random()
    pack = [name for name in NAMES for _ in range(2)]
    rng.shuffle(pack)
    dear = [name for name in pack if name[0] == suit or name[1] in f"J{level}" or tractor_round.points([name])]
    kept = [name for name in pack if name not in dear or rng.random() > shy]
    return tuple(sorted([*kept, *(name for name in dear if name not in kept)][:25]))


def test_who_may_ask_is_told_by_the_brute_force():
    seen: Counter[tuple[str, bool]] = Counter()
    for i in range(400 * SOAK):
        rng = random.Random(f"new deal {i}")
        new_deal, jokers = rng.choice(list(NewDeal)[1:]), rng.random() < 0.2
        few_points, few_trumps = rng.choice([0, 15, 15, 25, 40]), rng.choice([0, 3, 3, 4, 6])
        rules = Rules(
            new_deal=new_deal,
            few_points=few_points,
            few_trumps=few_trumps,
            no_trump=NoTrump.JOKERS_ONLY if jokers else NoTrump.LEVEL_CARDS,
        )
        level, suit, banker = rng.choice(RANKS), rng.choice([*"CDHS", None]), rng.randrange(4)
        hand = some_hand(rng, level)
        calls = [(banker, "pass" if suit is None else f"show {suit}{level}")]
        calls += [((banker + i) % 4, "pass") for i in (1, 2, 3)]
        height = RANKS.index(level) + 2
        talk = Drawing(rules, banker, (height, height), first=False, calls_made=tuple(calls))
        told = DECK.cards(NAMES.index(name) for name in hand)
        declaration = "NT-" if suit is None and jokers else f"{suit or 'NT'}{level}"
        may = tractor_round.may_ask(hand, declaration, new_deal.value, few_points, few_trumps)
        for seat in ((banker + 1) % 4, (banker + 3) % 4):
            assert talk.turn == seat
            assert tuple(talk.calls(told)) == (("pass", "redeal") if may else ("pass",)), (rules, declaration, hand)
            objection = talk.objection("redeal", told)
            assert (objection is None) == may
            assert objection is None or objection.rule.id == "tractor.new-deal"
            assert talk.after("redeal").turn is None and talk.after("redeal").contract is None
            talk = talk.after("pass")
        assert (talk.turn, tuple(talk.calls(told))) == (banker, ("take",))
        seen[new_deal.value, may] += 1
    assert min(seen.values()) >= 20, seen
    assert len(seen) == 6


def talked(game_seed: int, rules: Rules, standing: Standing) -> Arbiter:
    """A table up to the kitty, or to the end of a deal that was thrown in; nobody shows."""
    table = Arbiter(tractor.game(rules), game_seed, standing)
    while (seat := table.position.turn) is not None and "take" not in table.position.legal_calls:
        call = "redeal" if "redeal" in table.position.legal_calls else table.position.legal_calls[0]
        assert table.act(seat, call)
    return table


@pytest.mark.parametrize("no_call", [NoCall.NO_TRUMP, NoCall.TURN_KITTY])
def test_a_deal_that_is_asked_for_anew_comes_to_nothing(no_call: NoCall):
    rules = Rules(new_deal=NewDeal.EITHER, no_call=no_call, few_points=40, few_trumps=6)
    thrown_in = 0
    for seed in range(12 * SOAK):
        standing = Standing(seed % 4, (7, 9, 3))
        record = talked(seed, rules, standing).record
        assert parse_record(str(record), find_game) == record
        if record.position.over:
            assert record.position.result is None and record.position.contract is None
            assert record.game.advance(record.position, None) == standing
            asked = record.acts[-1]
            assert asked.what == "redeal" and asked.seat % 2 != seed % 2
            thrown_in += 1
    assert thrown_in


def test_the_rulebook_throws_in_what_is_poor_in_trumps():
    rules = Rules(new_deal=NewDeal.EITHER, few_points=200)
    said: Counter[str] = Counter()
    for seed in range(6 * SOAK):
        table = Arbiter(tractor.game(rules), seed, Standing(0, (5, 5, 1)))
        while (seat := table.position.turn) is not None and "take" not in table.position.legal_calls:
            advice, talk = rulebook(table.record.view(seat)), table.position.talk
            said[str(advice.what)] += isinstance(talk, Drawing) and talk.asking
            assert table.act(seat, advice.what)
    assert said["redeal"] and said["pass"], said


def test_a_new_deal_is_weighed_as_nothing_and_a_pass_by_the_round():
    rules = Rules(new_deal=NewDeal.FEW_POINTS, few_points=60)
    weighed = 0
    for seed in range(4):
        table = Arbiter(tractor.game(rules), seed, Standing(seed % 4, (7, 9, 3)))
        while (seat := table.position.turn) is not None and "take" not in table.position.legal_calls:
            if "redeal" in table.position.legal_calls:
                found = weigh(table.view(seat), worlds=12, seed=seed)
                means = {str(one.option): one.mean for one in found.estimates}
                assert means["redeal"] == 0
                weighed += means["pass"] != 0
            assert table.act(seat, "pass" if "pass" in table.position.legal_calls else table.position.legal_calls[0])
    assert weighed
