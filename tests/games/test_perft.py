"""Counts of legal sequences by depth, against files and against an enumeration that reads the rules literally.

    rules early_end=play-on
    position trump 5 | 0: 6-4 5-5 3-1 | 1: 6-6 6-5 2-1 | 2: 4-4 3-3 5-0 | 3: 6-2 4-1 0-0 | 0 leads
    perft 1 3 | 2 5 | 3 7 | 4 15 | 5 30 | 8 100 | 12 100

`rules` holds for all positions below it. A failure prints the split by first play.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from reference import texas42 as reference
from renege import Position, parse_position, texas42
from renege.core.cards import Cards
from renege.core.house_rules import read_rules
from renege.core.registry import find_game
from renege.games.testing import perft, perft_split
from renege.games.texas42.declare import Hand42
from renege.games.texas42.rules import Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

FILES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.txt"))


@dataclass(frozen=True)
class Count:
    file: str
    line: int
    choices: dict[str, str]
    position: str
    counts: dict[int, int]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def read(path: Path) -> list[Count]:
    counts, choices, position = [], {}, ""
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        key, _, rest = line.partition(" ")
        if key == "rules":
            choices = dict(pair.split("=", 1) for pair in rest.split() if pair != "default")
        elif key == "position":
            position = rest
        elif key == "perft":
            pairs = [pair.split() for pair in rest.split("|")]
            by_depth = {int(depth): int(sequences) for depth, sequences in pairs}
            counts.append(Count(path.stem, number, choices, position, by_depth))
        else:
            assert not line.strip() or line.startswith("#"), f"{path.name}:{number}: {line!r}"
    return counts


COUNTS = [count for path in FILES for count in read(path)]


@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_the_counts_are_those_of_the_file(count: Count):
    position = parse_position(find_game(count.file.split("-")[0], count.choices), count.position)
    for depth, expected in sorted(count.counts.items()):
        if (found := perft(position, depth)) != expected:
            split = "\n".join(f"  {play}: {number}" for play, number in perft_split(position, depth).items())
            pytest.fail(f"{found} sequences of {depth} instead of {expected}: {position}\n{split}")


@pytest.mark.parametrize("count", [count for count in COUNTS if count.file != "texas42-auction"], ids=str)
def test_the_counts_are_those_of_the_rules_read_literally(count: Count):
    if count.choices.get("opening_lead", "any") != "any" or "sevens_tie" in count.choices:
        pytest.skip("the reference knows no such house rule")
    position = parse_position(find_game(count.file.split("-")[0], count.choices), count.position)
    stop = count.choices.get("early_end") != "play-on"
    for depth, expected in count.counts.items():
        assert literal(position, depth, stop) == expected, f"depth {depth}"


def literal(position: Position, depth: int, stop: bool) -> int:
    """The same count with nothing but the reference: hands as lists of tiles, the trick as it lies."""
    terms, trick = position.contract, position.trick
    assert isinstance(terms, Hand42)
    assert trick is not None
    standing = reference.Standing(terms.declarer, str(terms.bid), terms.bid.marks)
    playing = reference.seats_in_play(terms.declarer, terms.declaration)
    hands = {s: [reference.TILES[c] for c in position.hands[s]] for s in playing}  # type: ignore[union-attr]
    doubles = terms.doubles.value

    def count(held, leader, table, points, tricks, left) -> int:
        made = reference.outcome(standing, terms.declaration, points, tricks)
        if not table and (not any(held.values()) or (stop and made is not None)):
            return 1
        if left == 0:
            return 1
        seat = leader
        for _ in table:
            seat = reference.next_seat(seat, playing)
        total = 0
        for tile in reference.legal_plays(held[seat], table[0] if table else None, terms.declaration, doubles):
            after = {**held, seat: [other for other in held[seat] if other != tile]}
            lies = [*table, tile]
            if len(lies) < len(playing):
                total += count(after, leader, lies, points, tricks, left - 1)
                continue
            winner = leader
            for _ in range(reference.winner(lies, terms.declaration, doubles)):
                winner = reference.next_seat(winner, playing)
            gained = list(points)
            gained[winner % 2] += reference.trick_points(lies)
            total += count(after, winner, [], gained, [*tricks, winner], left - 1)
        return total

    assert not trick.plays
    taken = [seat for seat in range(4) for _ in range(position.tricks[seat])]
    points = [sum(position.points[side::2]) for side in (0, 1)]
    return count(hands, trick.leader, [], points, taken, depth)


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_random_endings_are_counted_as_the_rules_read_literally(contract: tuple[str, str]):
    for number in range(2 * SOAK):
        rng = random.Random(number)
        choices = {"early_end": rng.choice(["stop", "play-on"])}
        game = texas42.game(read_rules(Rules(), choices))
        record = play_out(game, next(deals_for(contract[0], game, 53 * number)), steer(*contract))
        endings = [
            position
            for position in record.positions()
            if position.trick is not None and not position.trick.plays and _size(position) == 3
        ]
        for position in endings:
            for depth in (3, 5, 12):
                assert perft(position, depth) == literal(position, depth, choices["early_end"] == "stop"), position


def _size(position: Position) -> int:
    hand = position.hands[position.active[0]]
    return len(hand) if isinstance(hand, Cards) else 0


def test_the_auction_is_counted_whole():
    """3,214 straight auctions, of which one is thrown in; then the declarations."""
    rules = read_rules(Rules(), {"plunge": "off", "splash": "off"})
    position = texas42.position("0: 6-6 6-5 6-4 6-3 6-2 6-1 6-0", rules)
    assert perft(position, 4) == 3214
    assert sum(perft_split(position, 4).values()) == 3214
