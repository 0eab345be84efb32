"""Whole deals against the reference: what may be played, who wins, the points and the result, tile by tile."""

import random

import pytest

from reference import texas42 as reference
from renege import texas42
from renege.core.cards import Cards
from renege.core.house_rules import read_rules
from renege.core.record import Record
from renege.core.trick import Play
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

DEALS = 4 * SOAK


def ends(cards: Cards) -> list[reference.Tile]:
    return [reference.TILES[card] for card in cards]


def replayed(record: Record) -> reference.Result:
    """The same deal, settled by the reference."""
    start, contract = record.start, record.position.contract
    assert isinstance(contract, Hand42)
    return reference.replay(
        [ends(hand) for hand in start.hands],  # type: ignore[arg-type]
        start.standing.dealer,
        [str(act.what) for act in record.acts[:4]],
        contract.declaration,
        [ends(act.what.cards)[0] for act in record.acts if isinstance(act.what, Play)],
        contract.doubles.value,
    )


@pytest.mark.parametrize("early_end", ["stop", "play-on"])
@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_what_may_be_played_who_wins_and_what_it_pays(contract: tuple[str, str], early_end: str):
    game = texas42.game(read_rules(Rules(), {"early_end": early_end}))
    for number in range(DEALS):
        record = play_out(game, next(deals_for(contract[0], game, 41 * number + 7)), steer(*contract))
        for position, after in zip(record.positions(), list(record.positions())[1:], strict=False):
            if position.trick is None:
                continue
            terms = position.contract
            assert isinstance(terms, Hand42)
            assert isinstance(position.hand, Cards)
            trick = [ends(play.cards)[0] for play in position.trick.plays]
            lead = trick[0] if trick else None
            legal = reference.legal_plays(ends(position.hand), lead, terms.declaration, terms.doubles.value)
            assert sorted(ends(play.cards)[0] for play in position.legal_plays) == sorted(legal)
            assert after.trick is not None
            if len(trick) + 1 == len(position.active):
                played = next(ends(cards)[0] for cards in _played(position, after))
                whole = [*trick, played]
                won = reference.winner(whole, terms.declaration, terms.doubles.value)
                assert after.trick.leader == position.trick.seats[won]
                gained = after.points[after.trick.leader] - position.points[after.trick.leader]
                assert gained == reference.trick_points(whole)
        told, end = replayed(record), record.position
        assert end.result is not None
        assert (sum(end.points[0::2]), sum(end.points[1::2])) == told.points
        assert tuple(sum(seat == winner for winner in told.tricks) for seat in range(4)) == end.tricks
        assert end.result.made is told.made
        assert end.result.score[:2] == told.marks


def _played(before, after):
    seat = before.turn
    yield before.hands[seat] - after.hands[seat]


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_random_hands_and_leads_of_any_size(contract: tuple[str, str]):
    """Positions that no deal need pass through: any lead, any hand, any number of tiles."""
    rng = random.Random(str(contract))
    bid = {"plunge": " plunge 4 marks", "splash": " splash 2 marks"}.get(contract[0], f" bid {contract[0]}")
    for _ in range(60 * SOAK):
        tiles = rng.sample(reference.TILES, rng.randint(2, 8))
        lead, hand = tiles[0], tiles[1:]
        names = " ".join(f"{high}-{low}" for high, low in hand)
        position = texas42.position(f"{contract[1]}{bid} by 0 | 0 leads | led {lead[0]}-{lead[1]} | hand {names}")
        terms = position.contract
        assert isinstance(terms, Hand42)
        legal = reference.legal_plays(hand, lead, terms.declaration, terms.doubles.value)
        for high, low in hand:
            verdict = position.judge(f"{high}-{low}")
            assert verdict.legal == ((high, low) in legal)
            if not verdict:
                assert str(verdict.rule) == f"texas42.{'nearest-seven' if contract[1] == 'sevens' else 'follow-suit'}"
                assert reference.parse_tile(str(verdict.instead)) in legal


@pytest.mark.parametrize("led", [str(pip) for pip in range(7)])
def test_a_small_end_lead_is_followed_and_won_in_the_suit_that_was_named(led: str):
    """The first lead for the lower end: followed and won as if the tile were of that suit alone."""
    rules = read_rules(Rules(), {"opening_lead": "small-end", "early_end": "play-on"})
    rng = random.Random(led)
    for declared in ("trump 5", "trump doubles", "follow-me", "nello", "nello doubles low"):
        declaration = declared.split()[1] if declared.startswith("trump") else declared.split()[0]
        doubles = declared.split()[-1] if "doubles " in declared else None
        for _ in range(12 * SOAK):
            tiles = rng.sample(reference.TILES, 12)
            high, low = tiles[0]
            if str(low) != led or high == low or not reference.can_follow((high, low), led, declaration, doubles):
                continue
            hands = [tiles[:3], tiles[3:6], tiles[6:9], tiles[9:]]
            text = " | ".join(
                f"{seat}: {' '.join(f'{a}-{b}' for a, b in hand)}"
                for seat, hand in enumerate(hands)
                if declaration != "nello" or seat != 2
            )
            position = texas42.position(f"{declared} by 0 | {text}", rules).play(f"{high}-{low} as {led}")
            trick = [(high, low)]
            while position.trick is not None and position.trick.plays:
                assert position.turn is not None
                held = hands[position.turn]
                legal = [tile for tile in held if reference.can_follow(tile, led, declaration, doubles)] or held
                assert sorted(ends(play.cards)[0] for play in position.legal_plays) == sorted(legal)
                trick.append(rng.choice(legal))
                position = position.play("{}-{}".format(*trick[-1]))
            best = 0
            for place, tile in enumerate(trick):
                if place and reference.beats(tile, trick[best], led, declaration, doubles):
                    best = place
            seats = [seat for seat in range(4) if declaration != "nello" or seat != 2]
            assert position.trick is not None
            assert position.trick.leader == seats[best]


def test_ties_in_sevens_go_to_the_first_played_or_to_the_declarers():
    rng = random.Random(7)
    ties = 0
    first = texas42.game()
    house = texas42.game(read_rules(Rules(), {"sevens_tie": "declarers"}))
    for _ in range(200 * SOAK):
        tiles = rng.sample(reference.TILES, 4)
        declarer, leader = rng.randrange(4), rng.randrange(4)
        hands = " | ".join(f"{(leader + place) % 4}: {high}-{low}" for place, (high, low) in enumerate(tiles))
        away = [reference.from_seven(tile) for tile in tiles]
        nearest = [place for place in range(4) if away[place] == min(away)]
        ours = [place for place in nearest if (leader + place) % 2 == declarer % 2]
        ties += len(nearest) > 1
        for game, winner in ((first, nearest[0]), (house, (ours or nearest)[0])):
            taken = _six_tricks(declarer, 42 - reference.trick_points(tiles))
            position = texas42.position(f"sevens by {declarer} | {leader} leads | {hands} | {taken}", game.rules)
            for high, low in tiles:
                position = position.play(f"{high}-{low}")
            assert position.trick is not None
            assert position.trick.leader == (leader + winner) % 4
    assert ties > 20


def _six_tricks(declarer: int, points: int) -> str:
    """Six tricks for the declarer, so that the hand is still open."""
    seats = range(4)
    return (
        f"points {' '.join(str(points * (seat == declarer)) for seat in seats)} | "
        f"tricks {' '.join(str(6 * (seat == declarer)) for seat in seats)}"
    )
