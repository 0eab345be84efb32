"""Schafkopf in numbers under many house rules: has every call its number, and does no row tell what is hidden?"""

import random
from collections.abc import Iterator

import pytest

from renege.belief import Belief
from renege.core.cards import Cards
from renege.core.registry import find_game
from renege.core.world import World
from renege.games import schafkopf
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.schafkopf import Bargain, Rules
from renege.games.schafkopf.encoding import CALLS
from renege.games.schafkopf.rules import HochzeitCards, HochzeitCouples, Precedence
from support.schafkopf_moments import HOUSES, Aim, aims, choose
from support.steering import SOAK

TALKS = ["default", "plain", "short", "old must", "stock", "ramsch"]  # between them all that may be said
PILES = (  # forehand has one trump
    "EA EK E9 GA GK G9 S7 H7",
    "EZ E8 E7 GZ G8 EO GO HO",
    "SA SZ SK S9 S8 G7 HA HZ",
    "EU GU HU SU SO HK H9 H8",
)


def deals(encoding: Encoding, rules: Rules, seed: int) -> Iterator[tuple[Moment, Aim]]:
    """First deals, each with the game that it is steered to."""
    piles = [[hand.kinds for hand in encoding.game.deal(400 * seed + n)[0]] for n in range(400)]
    for number, aim in aims(rules, encoding.game.opening.dealer, piles, seed):
        yield encoding.deal(400 * seed + number), aim


def moments(moment: Moment, aim: Aim, seed: int) -> Iterator[Moment]:
    rng = random.Random(seed)
    while not moment.over:
        yield moment
        moment = moment.after(choose(moment, aim, rng))
    yield moment


@pytest.mark.parametrize("house", TALKS)
def test_every_call_has_a_number_at_every_table(house: str):
    rules = HOUSES[house]
    encoding = encoding_of(schafkopf.game(rules))
    for seed in range(SOAK):
        for start, aim in deals(encoding, rules, seed):
            for moment in moments(start, aim, seed):
                if moment.over:
                    break
                position, turn = moment.position, moment.turn
                assert turn is not None
                said = list(position.floor(turn).calls(position.hand)) if turn in position.speakers else []
                plays = [] if position.talking else list(position.legal_plays)
                assert {moment.numbers(what) for what in (*said, *plays)} == {(action,) for action in moment.legal}


def seen_in(world: World, belief: Belief, moment: Moment) -> Moment:
    """The same deal, had the cards lain so."""
    record = belief.record(world)
    other = moment.encoding.begin([hand for hand in record.start.hands if isinstance(hand, Cards)], world.kitty)
    for act in record.acts:
        other = other._acted(act.what)
    return other


@pytest.mark.parametrize("house", TALKS)
def test_no_row_tells_what_its_seat_has_not_seen(house: str):
    rules = HOUSES[house]
    encoding, rng = encoding_of(schafkopf.game(rules)), random.Random(house)
    for seed in range(SOAK):
        games = list(deals(encoding, rules, seed))
        told = [game for game in games if game[1].declaration.startswith(("hochzeit", "rufspiel"))]
        for start, aim in (*told[::3], *told[-2:], *rng.sample(games, 2)):
            for moment in moments(start, aim, seed):
                if rng.random() < 0.85:
                    continue
                seat = rng.randrange(4)
                belief = Belief(moment.view(seat))
                for world in belief.draw(2, seed):
                    other = seen_in(world, belief, moment)
                    assert (other.observe(seat) == moment.observe(seat)).all()
                    assert (other.observe(None) == moment.observe(None)).all()
                    assert moment.turn != seat or other.legal == moment.legal


def test_the_cards_of_a_hochzeit_are_seen_by_two():
    encoding = encoding_of(schafkopf.game())
    hands = [encoding.game.deck.cards(map(encoding.game.deck.spellings.__getitem__, text.split())) for text in PILES]
    moment = encoding.begin(hands, encoding.game.deck.none)
    for call in ("hochzeit", "pass", "pass", "pass", "hochzeit", "pass", "accept", "give H7", "give SA"):
        moment = moment.act(call)
    trump, ace = encoding.actions.index("H7"), encoding.actions.index("SA")
    for seat, gave, got in ((0, [trump], [ace]), (2, [ace], [trump]), (1, [], []), (3, [], []), (None, [], [])):
        row = moment.observe(seat)
        assert row[encoding.sections["gave"]].nonzero()[0].tolist() == gave
        assert row[encoding.sections["got"]].nonzero()[0].tolist() == got
        assert row[encoding.sections["partners"]].nonzero()[0].tolist() == [(2 - (seat or 0)) % 4]


def test_who_holds_the_called_ace_may_be_the_partner():
    """The section of partners has the true one in it all the time, and at the end it alone."""
    encoding, seen = encoding_of(schafkopf.game()), set[int]()
    for start, aim in deals(encoding, Rules(), 0):
        for moment in moments(start, aim, 1):
            contract = moment.position.contract
            if not isinstance(contract, Bargain) or contract.named.kind != "rufspiel":
                continue
            ace = encoding.game.deck.spellings[f"{contract.named.suit}A"]
            (holder,) = (
                seat for seat, hand in enumerate(start.position.hands) if isinstance(hand, Cards) and ace in hand
            )
            partners = moment.observe(0)[encoding.sections["partners"]]
            assert partners[holder] == 1
            assert partners.sum() == 1 or not moment.over
            seen.add(int(partners.sum()))
    assert seen == {1, 2, 3}


def test_numbers_stay_what_they_are():
    """Calls are numbered alike under all house rules; the short pack and the shrunk game have numbers of their own."""
    for rules in HOUSES.values():
        encoding = encoding_of(schafkopf.game(rules))
        assert encoding.actions == (*schafkopf.game(rules).deck.names, *CALLS)
        assert encoding.width == 12 * encoding.cards + 4 * len(CALLS) + 8 * 4
    assert encoding_of(find_game("schafkopf-small")).calls == (
        *("pass", "rufspiel E", "rufspiel G", "rufspiel S"),
        *("solo E", "solo G", "solo H", "solo S"),
    )


def test_bids_that_are_raised_come_after_all_other_calls():
    """Python steps such a table: every number makes the call it is named for, and the layout before it stays."""
    encoding = encoding_of(schafkopf.game(Rules(precedence=Precedence.RAISING)))
    plain = encoding_of(schafkopf.game())
    assert encoding.kernel() is None and plain.kernel() is not None
    assert encoding.actions[: len(plain.actions)] == plain.actions and len(encoding.actions) == len(plain.actions) + 25
    raised = 0
    for seed in range(6):
        moment, rng = encoding.deal(seed), random.Random(seed)
        while not moment.over:
            named = {action: encoding.actions[action] for action in moment.legal}
            for action, name in named.items():
                what = name if action < encoding.cards else encoding.call_of(moment.position, name)
                assert moment.numbers(what) == (action,)
            moment = moment.after(rng.choice([action for action, name in named.items() if "tout" not in name]))
        contract = moment.position.contract
        raised += isinstance(contract, Bargain) and contract.need > 0
    assert raised


def test_cards_that_are_shown_have_no_place_in_a_row():
    with pytest.raises(ValueError, match="hochzeit_cards=face-up"):
        encoding_of(schafkopf.game(Rules(hochzeit_cards=HochzeitCards.FACE_UP)))


def test_a_second_couple_has_no_call_in_a_row():
    with pytest.raises(ValueError, match="hochzeit_couples=two"):
        encoding_of(schafkopf.game(Rules(hochzeit_couples=HochzeitCouples.TWO)))
