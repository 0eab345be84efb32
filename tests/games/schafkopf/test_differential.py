"""Schafkopf against the brute force: order, duties, whole deals and prices, for every contract and both packs."""

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from reference import schafkopf as reference
from renege.core.arbiter import judge
from renege.core.cards import Cards
from renege.core.game import Turn
from renege.core.house_rules import read_rules
from renege.core.trick import Play, Trick
from renege.games import schafkopf
from renege.games.schafkopf.memory import Memory
from renege.games.schafkopf.order import SUITS, TRUMP
from renege.games.schafkopf.rules import BettelOrder, PackSize, Rules
from support.schafkopf_deals import SOAK, deals
from support.schafkopf_end import Taken, settle

PACKS = {False: PackSize.LONG, True: PackSize.SHORT}
TARIFF = {"base": 20, "solo": 50, "extra": 10, "runners_from": 3, "ramsch": 10}


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
@pytest.mark.parametrize("declaration", [*reference.DECLARATIONS, "bettel ace-ten", "bettel herz", "bettel unter"])
def test_every_card_has_its_suit_and_beats_what_it_beats(declaration: str, short: bool):
    name, _, bettel = declaration.partition(" ") if declaration.startswith("bettel") else (declaration, "", "")
    asked = name, PACKS[short], BettelOrder(bettel or "ace-king")
    order, cards = schafkopf.order(*asked), reference.deck(short)
    ids = {card: order.deck.spellings[card] for card in cards}
    assert [order.deck.names[card] for card in schafkopf.trumps(*asked)] == reference.trumps(declaration, short)
    for card in cards:
        assert SUITS[order.led_suit[ids[card]]] == reference.suit_of(card, declaration)
    assert order.worth(order.deck.all) == 120
    for led in {reference.suit_of(card, declaration) for card in cards}:
        strength = order.strength[SUITS.index(led)]
        for one, other in permutations(cards, 2):
            beaten = strength[ids[one]] > strength[ids[other]]
            if not strength[ids[other]] and not strength[ids[one]]:
                continue  # neither can win, so nobody asks
            assert beaten == reference.beats(one, other, led, declaration), (led, one, other)


def random_turn(rng: random.Random, declaration: str, short: bool) -> tuple[Turn, reference.Called | None]:
    """A seat to play; in a Rufspiel it often holds the called ace and some of its suit, searched or not."""
    house = schafkopf.PRESETS["short"] if short else Rules()
    order = schafkopf.order(declaration, PACKS[short])
    pack = reference.deck(short)
    rng.shuffle(pack)
    called = reference.called_at_first(declaration)
    if called is not None and rng.random() < 0.8:
        ace, suit = called.ace, called.suit
        pack.sort(key=lambda card: (card != ace, rng.random() + (card[0] != suit) * rng.choice([0, 0.6])))
    size = rng.randint(1, len(pack) // 4)
    hand, rest = pack[:size], pack[size:]
    trick = rng.sample(rest, rng.choice([0, 0, 1, 2, 3]))
    if called is not None and trick and rng.random() < 0.4:
        plain = [card for card in rest if card[0] == called.suit and card[1] not in "OU" and card not in trick[1:]]
        trick[0] = rng.choice(plain) if plain else trick[0]
    seat = len(trick)
    leaders = 0
    if called is not None:
        called = replace(called, searched=rng.random() < 0.3, ran=rng.random() < 0.3)
        leaders = (called.searched and 1 << (seat + 1) % 4) | (called.ran and 1 << seat)
        if trick and reference.suit_of(trick[0], declaration) == called.suit:
            leaders |= 1  # seat 0 led it
            called = replace(called, searched=True)
    deck = order.deck
    piles = [deck.cards([deck.spellings[card]]) for card in trick]
    played = Trick((0, 1, 2, 3), tuple(map(Play, piles)))
    contract = schafkopf.Bargain(declaration, (seat + 2) % 4, 0)
    held = deck.cards(deck.spellings[card] for card in hand)
    turn = Turn(house, contract, order, seat, held, played, 0, Memory(leaders=leaders), (), deck.none)
    return turn, called


@pytest.mark.parametrize("declaration", [*reference.DECLARATIONS, "rufspiel GZ"])
def test_every_duty_is_that_of_the_brute_force(declaration: str):
    broken: Counter[str | None] = Counter()
    for number in range((1500 if declaration.startswith("rufspiel") else 100) * SOAK):
        rng = random.Random(f"{declaration} {number}")
        turn, called = random_turn(rng, declaration, short=number % 3 == 2)
        game = schafkopf.game(turn.rules)
        hand, trick = str(turn.hand).split(), [str(play) for play in turn.trick.plays]
        for card in turn.hand:
            play = Play(turn.hand.only(1 << card))
            objection = game.objection(turn, play)
            told = reference.broken(hand, trick, str(play), declaration, called)
            assert (objection and objection.rule.id) == told, (hand, trick, str(play), called)
            broken[told] += 1
        legal = sorted(str(play) for play in game.legal(game, turn))
        assert legal == sorted(reference.legal(hand, trick, declaration, called))
    if declaration.startswith("rufspiel"):
        assert min(broken[rule] for rule in (
            reference.FOLLOW_SUIT, reference.ANSWER_SEARCH, reference.ACE_STAYS, reference.NO_RUNNING
        )) > 50  # fmt: skip


def test_whole_deals_are_legal_and_come_to_what_the_brute_force_says():
    reneges = 0
    for careless in (0.0, 0.15):
        for deal in deals(f"deals {careless}", 3, careless=careless):
            contract = deal.contract
            first = reference.first_renege(deal.hands, contract.leader, deal.tricks, contract.declaration)
            found = next((breach for breach in judge(deal.record).breaches if breach.trick is not None), None)
            assert (found and (found.trick, found.seat, found.rule.id)) == (
                first and (first.trick, first.seat, first.rule)
            )
            reneges += first is not None
            taken = reference.points_of(contract.leader, deal.tricks, contract.declaration)
            assert list(deal.end.points) == taken
            takers = reference.tricks_of(contract.leader, deal.tricks, contract.declaration)
            assert list(deal.end.tricks) == [takers.count(seat) for seat in range(4)]
            house = reference.RamschHouse(virgins="price", march="all-tricks")
            end = reference.settle(
                deal.hands, contract.declarer, contract.declaration, contract.leader, deal.tricks, TARIFF,
                partner=contract.partner, short=deal.short, house=house,
            )  # fmt: skip
            assert deal.end.result is not None
            assert list(deal.end.result.score) == end.payouts, deal.record
    assert reneges > 20


HOUSES = [
    (losers, ties, virgins, march)
    for losers in ("most-points", "two-most")
    for ties in ("highest-trump", "most-tricks", "most-trumps", "highest-taken", "all", "all-one")
    for virgins in ("price", "own", "own-each", "nothing")
    for march in ("all-tricks", "from-120", "from-91", "from-90", "none")
]


def test_every_way_to_count_a_ramsch_is_that_of_the_brute_force():
    """Random tricks, few enough points that ties are common: small cards are led, and many seats take as many."""
    tied = level = 0
    for number in range(600 * SOAK):
        rng = random.Random(f"ramsch {number}")
        pack = reference.deck(short=False)
        rng.shuffle(pack)
        hands = [pack[i * 8 : i * 8 + 8] for i in range(4)]
        points = [rng.choice([20, 30, 40]) for _ in range(3)]
        points = [*points, 120 - sum(points)]
        takers = [rng.randrange(4) for _ in range(8)] if rng.random() < 0.9 else [rng.randrange(4)] * 8
        losers, ties, virgins, march = rng.choice(HOUSES)
        names = {"ramsch_losers": losers, "ramsch_tie": ties, "virgins": virgins, "march": march}
        rules = read_rules(Rules(), names)
        trumps = [rng.randrange(8) for _ in range(4)]
        held = [tuple(card for card in hand if reference.suit_of(card, "ramsch") == "T") for hand in hands]
        contract = schafkopf.Bargain("ramsch", None, rng.randrange(4), doubled=rng.randrange(3))
        tricks = [takers.count(seat) for seat in range(4)]
        end = settle(rules, contract, None, Taken(points, tricks, held, trumps))
        assert sum(end.payouts) == 0
        told = expected_ramsch(points, tricks, held, trumps, names, contract.leader, 10 * 2**contract.doubled)
        assert list(end.payouts) == told, (points, tricks, trumps, names)
        tied += points.count(max(points)) > 1
        level += losers == "two-most" and ties in ("all", "all-one") and sorted(points)[:3] == [20, 20, 20]
    assert tied > 100 and level >= 1


def expected_ramsch(
    points: list[int],
    tricks: list[int],
    held: list[tuple[str, ...]],
    trumps: list[int],
    house: dict[str, str],
    leader: int,
    price: int,
) -> list[int]:
    """A Ramsch counted from the words of its house rules."""
    march, ties, virgins = house["march"], house["ramsch_tie"], house["virgins"]
    for seat in range(4):
        enough = {"from-90": 90, "from-91": 91, "from-120": 120}.get(march, 121)
        if (march == "all-tricks" and tricks[seat] == 8) or points[seat] >= enough:
            return [3 * price if other == seat else -price for other in range(4)]
    asked = {
        "highest-trump": [reference.highest_trump(hand) for hand in held],
        "most-tricks": tricks,
        "most-trumps": trumps,
        "highest-taken": trumps,  # where the table remembers how high they are
        "all": [0, 0, 0, 0],
        "all-one": [0, 0, 0, 0],
    }[ties]

    def worst(seats: list[int]) -> list[int]:
        """Of these who have most points, and of those whom the question names."""
        most = [seat for seat in seats if points[seat] == max(points[other] for other in seats)]
        return [seat for seat in most if asked[seat] == max(asked[other] for other in most)]

    losers = worst([0, 1, 2, 3])
    two = house["ramsch_losers"] == "two-most"
    if two and len(losers) == 1:
        also = worst([seat for seat in range(4) if seat not in losers])
        losers += also if len(also) < 3 else []  # else nobody would be left to be paid
    without = [seat for seat in range(4) if not tricks[seat]]
    in_turn = [(leader + i) % 4 for i in range(4)]
    lose, others = ([seat for seat in in_turn if (seat in losers) is bad] for bad in (True, False))
    each_one = len(lose) == 2 and (two or ties == "all-one")
    payouts = [0, 0, 0, 0]
    for i, loser in enumerate(lose):
        for other in others[i : i + 1] if each_one else others:
            pays = price
            if virgins == "price":
                pays *= 2 ** len(without)
            elif other in without and virgins != "nothing":
                pays *= 2 if virgins == "own" else 2 ** len(without)
            payouts[other] += pays
            payouts[loser] -= pays
    return payouts


def test_three_level_for_second_leave_the_first_to_pay_alone():
    house = {"ramsch_losers": "two-most", "ramsch_tie": "all", "virgins": "nothing", "march": "none"}
    held, ramsch = ((), (), (), ()), schafkopf.Bargain("ramsch", None, 0)

    def paid(*points: int, tie: str = "all") -> tuple[int, ...]:
        rules = read_rules(Rules(), house | {"ramsch_tie": tie})
        return settle(rules, ramsch, None, Taken(points, (1, 4, 2, 1), held)).payouts

    assert paid(60, 20, 20, 20) == paid(60, 20, 20, 20, tie="all-one") == (-30, 10, 10, 10)
    assert paid(60, 20, 20, 20, tie="most-tricks") == (-10, -10, 10, 10)  # seat 1 took most
    assert paid(50, 30, 30, 10) == (-10, -10, -10, 30)
    assert paid(40, 40, 20, 20) == (-10, -10, 10, 10)
    assert paid(30, 30, 30, 30) == (0, 0, 0, 0)


def test_the_trumps_of_a_hand_are_what_the_order_says():
    order = schafkopf.order("farbwenz G")
    hand = order.deck.cards(order.deck.spellings[card] for card in ("GO", "EO", "SU", "G7", "HA"))
    assert isinstance(hand, Cards)
    assert str(order.in_suit(hand, TRUMP)).split() == ["GO", "G7", "SU"]
