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

from reference import schafkopf as reference
from renege import Position, parse_position, schafkopf, texas42
from renege.core.cards import Cards
from renege.core.house_rules import read_rules
from renege.core.registry import find_game
from renege.games.testing import perft, perft_split
from renege.games.texas42.rules import Rules
from support.literal_counts import split_literally
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

FILES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.txt"))


@dataclass(frozen=True)
class Count:
    file: str
    line: int
    choices: dict[str, str]
    text: str
    counts: dict[int, int]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def position(self) -> Position:
        return parse_position(find_game(self.file.split("-")[0], self.choices), self.text)


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


def compare(position: Position, depth: int, expected: int, split: dict[str, int]) -> None:
    if (found := sum(split.values())) != expected:
        lines = "\n".join(f"  {play}: {number}" for play, number in sorted(split.items()))
        pytest.fail(f"{found} sequences of {depth} instead of {expected}: {position}\n{lines}")


def test_every_game_has_its_counts():
    assert {count.file.split("-")[0] for count in COUNTS} == {"texas42", "schafkopf", "tractor"}


@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_the_counts_are_those_of_the_file(count: Count):
    for depth, expected in sorted(count.counts.items()):
        compare(count.position, depth, expected, perft_split(count.position, depth))


@pytest.mark.parametrize("count", [count for count in COUNTS if count.file != "texas42-auction"], ids=str)
def test_the_counts_are_those_of_the_rules_read_literally(count: Count):
    if count.choices.get("opening_lead", "any") != "any" or "sevens_tie" in count.choices:
        pytest.skip("the reference knows no such house rule")
    for depth, expected in sorted(count.counts.items()):
        compare(count.position, depth, expected, split_literally(count.position, count.choices, depth))


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
            if position.trick is not None and not position.trick.plays and not position.over and _size(position) == 3
        ]
        for position in endings:
            for depth in (3, 5, 12):
                compare(position, depth, perft(position, depth), split_literally(position, choices, depth))


def _size(position: Position) -> int:
    hand = position.hands[position.active[0]]
    return len(hand) if isinstance(hand, Cards) else 0


def test_random_endings_of_schafkopf_are_counted_as_the_rules_read_literally():
    kept = 0
    for number in range(40 * SOAK):
        rng = random.Random(f"perft {number}")
        declaration = rng.choice([f"rufspiel {rng.choice('EGS')}", rng.choice(reference.DECLARATIONS)])
        pack = reference.deck(short=False)
        called = reference.called_at_first(declaration)
        suit = "" if called is None else called.suit  # it is in it, its ace above all
        pack.sort(key=lambda card: rng.random() + 0.5 * (card[0] != suit) - 0.4 * (card == f"{suit}A"))
        size = rng.choice([2, 3, 3])
        pack = rng.sample(pack[: 4 * size], 4 * size)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(4)]
        declarer = next((seat for seat in range(4) if called is None or called.ace not in hands[seat]), 0)
        by = f" by {declarer}" + (f" with {(declarer + 1) % 4}" if declaration == "hochzeit" else "")
        contract = declaration if declaration == "ramsch" else declaration + by
        told = " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(hands))
        position = schafkopf.position(f"{contract} | {told} | 0 leads")
        for depth in (1, 4, 5, 4 * size):
            compare(position, depth, perft(position, depth), split_literally(position, {}, depth))
        kept += called is not None and any(called.ace in hand for hand in hands)
    assert kept > 10


def test_the_auction_is_counted_whole():
    """3,214 straight auctions, of which one is thrown in; then the declarations."""
    rules = read_rules(Rules(), {"plunge": "off", "splash": "off"})
    position = texas42.position("0: 6-6 6-5 6-4 6-3 6-2 6-1 6-0", rules)
    assert perft(position, 4) == 3214
    assert sum(perft_split(position, 4).values()) == 3214
