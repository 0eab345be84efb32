"""The talk of Schafkopf against the one that is told in words: who is asked, all that may be said, what comes of it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from reference import schafkopf as reference
from reference.schafkopf_talk import Agreed, talk
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.house_rules import read_rules
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.position import deal_position
from renege.core.record import Record
from renege.core.registry import parse_record
from renege.games import schafkopf
from renege.games.schafkopf import Bargain
from renege.games.schafkopf.contract import RAISES
from renege.games.schafkopf.order import SOLOS
from renege.games.schafkopf.rules import PackSize, Precedence, Rules
from renege.games.schafkopf.score import partner_of
from support.schafkopf_deals import deals, hands_for, two_lone_trumps
from support.schafkopf_end import Taken, settle
from support.steering import SOAK

TARIFF = {"base": 20, "solo": 50, "extra": 10, "runners_from": 3, "ramsch": 10}
RAISING = schafkopf.game(Rules(precedence=Precedence.RAISING))
TALKS = 40  # of each house, about 400 calls; a hundred times as many in a soak
HOUSES: dict[str, dict[str, str]] = {
    "touts ranked": {},
    "touts equal": {"precedence": "equal"},
    "old must": {"all_pass": "old-must"},
    "short old must": {"all_pass": "old-must", "deck": "short"},
    "raising": {"precedence": "raising", "geier": "no", "herz_solo": "first"},
    "herz first": {"herz_solo": "first"},
    "herz first, equal": {"herz_solo": "first", "precedence": "equal", "deck": "short"},
    "chain": {"doubling": "chain"},
    "one doubles": {"doubling": "one", "tout": "no"},
    "forehand doubles": {"doubling": "forehand"},
    "any card back": {"hochzeit_return": "any"},
    "face up": {"hochzeit_cards": "face-up", "all_pass": "redeal"},
    "two couples": {"hochzeit_couples": "two"},
    "two couples, any card back": {"hochzeit_couples": "two", "hochzeit_return": "any", "deck": "short"},
    "two couples, face up": {"hochzeit_couples": "two", "hochzeit_cards": "face-up", "all_pass": "old-must"},
}
WEDDINGS = [house for house, rules in HOUSES.items() if any(name.startswith("hochzeit") for name in rules)]
WORDS = [
    "pass", "double", "accept", "offer", "old", "no", "rufspiel", "wenz tout", "solo H", "solo 71", "wenz 91",
    "solo H tout", "farbgeier tout", "bettel", "sie", *reference.DECLARATIONS, "rufspiel E renonce", "rufspiel GZ",
]  # fmt: skip


def dealt(house: str, rng: random.Random, short: bool) -> list[list[str]]:
    """Hands at random, at some tables such as its rule is about: one trump alone, an old one who can call nothing."""
    hands = hands_for("hochzeit" if house in WEDDINGS else "wenz", rng, short)
    if house.startswith("two couples") and rng.random() < 0.8:
        hands = two_lone_trumps(rng, short)
    if "old must" in house and rng.random() < 0.3:
        hands = with_old(["EA", "GA", "SA"], rng, short)
    while "old must" in house and rng.random() < 0.7 and can_call(hands):
        hands = hands_for("wenz", rng, short)
    return rng.sample(hands, 4)


def with_old(cards: list[str], rng: random.Random, short: bool) -> list[list[str]]:
    """Four hands; the first has the Eichel-Ober and these cards."""
    rest = [card for card in reference.deck(short) if card not in ("EO", *cards)]
    rng.shuffle(rest)
    pack, size = ["EO", *cards, *rest], (len(rest) + len(cards) + 1) // 4
    return [pack[i * size : (i + 1) * size] for i in range(4)]


def can_call(hands: list[list[str]]) -> bool:
    """Can the old one call an ace by the rules?"""
    return reference.callable_suits(next(hand for hand in hands if "EO" in hand)) != []


def eager(house: str, calls: list[str], rng: random.Random) -> str:
    """What is said: often what the table's rule is about, else anything."""
    if "old must" in house:
        wishes = ["pass"] if "pass" in calls else [call for call in calls if call.startswith("rufspiel")]
    elif house in WEDDINGS:
        wishes = [call for call in calls if call in ("hochzeit", "accept", "offer")] or ["pass"] * ("pass" in calls)
    elif house == "raising":
        wishes = ["pass"] * 15 * ("pass" in calls) + [call for call in calls if "tout" not in call]
    else:
        wishes = [call for call in calls if "tout" in call] if "touts" in house else []
    return rng.choice(wishes if wishes and rng.random() < 0.9 else calls)


@pytest.mark.parametrize("house", HOUSES)
def test_the_talk_is_the_one_that_is_told(house: str):
    game, heard = schafkopf.game(read_rules(Rules(), HOUSES[house])), Counter[str]()
    talks = 5 * TALKS if house == "two couples" else TALKS
    for number in range(talks * SOAK):
        heard.update(one_talk(house, game, random.Random(f"{house} {number}")))
    assert heard["calls"] >= 200 * SOAK
    expected = {
        "touts ranked": ["solo tout", "wenz tout"], "touts equal": ["solo tout"], "raising": ["for 91", "for 111"],
        "old must": ["renonce", "ten", "rufspiel"], "short old must": ["renonce", "ten"], "herz first": ["solo H"],
        "any card back": ["trump back", "hochzeit"], "face up": ["hochzeit"],
        "two couples": ["second couple", "offer", "offer passed by"], "two couples, face up": ["second couple"],
        "two couples, any card back": ["second couple", "second trump back"],
    }.get(house, [])  # fmt: skip
    assert [event for event in expected if not heard[event]] == [], heard


def one_talk(house: str, game: Game, rng: random.Random) -> Iterator[str]:
    """One talk, call by call beside the literal one; what came up in it."""
    hands, dealer = dealt(house, rng, game.rules.deck is PackSize.SHORT), rng.randrange(4)
    piles = tuple(game.deck.cards(game.deck.spellings[card] for card in hand) for hand in hands)
    record = Record(deal_position(game, Standing(dealer, game.opening.score), piles))
    told = talk(HOUSES[house], dealer, hands)
    try:
        seat, calls = next(told)
        while True:
            position = record.position
            assert (position.turn, sorted(position.legal_calls)) == (seat, sorted(calls)), position
            word = rng.choice(WORDS)
            assert bool(position.judge(word)) == (word in calls), (word, position)
            call = eager(house, calls, rng)
            record = record.with_act(Act(seat, call))
            yield from ("calls", call)
            seat, calls = told.send(call)
    except StopIteration as end:
        yield from compare(record, end.value, hands)


def compare(record: Record, agreed: Agreed | None, hands: list[list[str]]) -> Iterator[str]:
    """The contract, the hands and the text of a record after the talk."""
    position = record.position
    assert not position.talking and parse_record(str(record)) == record
    if agreed is None:
        assert position.over and position.contract is None
        return
    contract = position.contract
    assert isinstance(contract, Bargain)
    found = (contract.declaration, contract.declarer, contract.partner, contract.doubled, contract.need or 61)
    assert found == (agreed.declaration, agreed.declarer, agreed.partner, agreed.doubled, agreed.points)
    assert [sorted(str(hand).split()) for hand in position.hands] == [sorted(hand) for hand in hands]
    assert position.game.read_contract(position.game.rules, position.game.write_contract(contract)) == contract
    yield from (f"for {agreed.points}", contract.named.kind)
    yield from ["ten" if contract.named.ten else "renonce"] * contract.named.renonce
    if agreed.partner is not None:
        yield from ["trump back"] * has_trump(hands[contract.declarer or 0])
    offers = [act.seat for act in record.acts if act.what == "offer"]
    gifts = [act.seat for act in record.acts if str(act.what).startswith("give ")]
    if offers:
        yield "second couple" if gifts[2:3] == offers else "offer passed by"
        yield from ["second trump back"] * (len(gifts) == 4 and has_trump(hands[offers[0]]))
        assert contract.partner == gifts[1] and set(gifts[2:]) | set(gifts[:2]) in ({0, 1, 2, 3}, set(gifts[:2]))


def has_trump(hand: list[str]) -> bool:
    return any(reference.suit_of(card, "hochzeit") == "T" for card in hand)


@pytest.mark.parametrize("pack", ["long", "short"])
def test_a_renonce_is_played_as_the_brute_force_plays_it(pack: str):
    house: Rules = read_rules(Rules(), {"all_pass": "old-must", "deck": pack})
    ran = reneges = 0
    for careless in (0.0, 0.2):
        name = f"renonce {pack} {careless}"
        for deal in deals(name, 4, careless=careless, rules=house, declarations=reference.RENONCES):
            contract = deal.contract
            first = reference.first_renege(deal.hands, contract.leader, deal.tricks, contract.declaration)
            found = next((breach for breach in judge(deal.record).breaches if breach.trick is not None), None)
            assert (found and (found.trick, found.seat, found.rule.id)) == (
                first and (first.trick, first.seat, first.rule)
            )
            reneges, ran = reneges + (first is not None), ran + (deal.end.memory.ran is not None)
            end = reference.settle(
                deal.hands, contract.declarer, contract.declaration, contract.leader, deal.tricks, TARIFF,
                short=deal.short,
            )  # fmt: skip
            assert deal.end.result is not None and list(deal.end.result.score) == end.payouts, deal.record
    assert ran and reneges


def test_what_was_promised_and_every_stoss_are_priced_as_the_words_say():
    lost = 0
    solos = [name for name in reference.DECLARATIONS if name not in ("ramsch", "hochzeit")]
    for deal in deals("prices", 1, declarations=solos):
        contract, end = deal.contract, deal.end
        taken = Taken(end.points, end.tricks, end.memory.trumps, end.memory.taken)
        raised = tuple([1, 0] * 10)
        for times in (0, 1, 2, 5, 20):
            for how, factor in (("doubles", 2**times), ("adds", 1 + times)):
                need = random.Random(f"{contract} {times} {how}").choice([0, *RAISES])
                plain = contract.named.kind in SOLOS and not contract.named.tout
                told = replace(contract, raised=raised[:times], need=need if plain else 0)
                rules: Rules = read_rules(end.game.rules, {"stoss_price": how})
                words = reference.settle(
                    deal.hands, contract.declarer, contract.declaration, contract.leader, deal.tricks, TARIFF,
                    short=deal.short, enough=told.need or 61,
                )  # fmt: skip
                priced = settle(rules, told, partner_of(end), taken)
                assert list(priced.payouts) == [pay * factor for pay in words.payouts]
                lost += told.need > 0 and not priced.won
    assert lost


@pytest.mark.parametrize("bid", ["solo 75", "wenz 61", "solo G 71"])
def test_points_that_nobody_bids_are_told_which_are(bid: str):
    position = deal_position(RAISING, RAISING.opening, RAISING.deal(1)[0])
    with pytest.raises(NotationError, match=f"'{bid}' is no bid: .* with 71, 81, 91, 101 or 111"):
        position.judge(bid)
    assert position.judge("solo 71")
