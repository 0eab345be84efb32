"""The command `renege perft`: the legal sequences from a position, counted by length."""

import re
from typing import Annotated

import typer
from typer import Argument, Option

from renege.cli.arguments import RulesOption, choices, text_of
from renege.core.game import Game
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.position_text import parse_position
from renege.core.registry import find_game
from renege.games.testing import perft as count_sequences
from renege.games.testing import perft_split


def perft(
    position: Annotated[str, Argument(help="a position as text; with --check a file of them, or -")],
    depth: Annotated[int, Option(min=0, help="the longest sequences to count")] = 4,
    split: Annotated[bool, Option("--split", help="divide the last count by the first play")] = False,
    check: Annotated[bool, Option("--check", help="compare the counts in a file with ours")] = False,
    game: Annotated[str, Option("--game", help="the game")] = "texas42",
    rules: RulesOption = None,
) -> None:
    """Count the legal sequences of calls and plays from a position, by length.

    A file for --check has 'position ...' lines, each followed by its 'perft 1 3 | 2 5 | ...' lines, and may change
    the house rules by a line 'rules name=choice ...'. Where a count differs, ours is shown divided by the first
    play, and the exit status is 1.

    \b
    Examples:
      renege perft --depth 3 'trump 5 | 0: 6-4 5-5 | 1: 6-6 6-5 | 2: 4-4 3-3 | 3: 6-2 4-1'
      renege perft --check counts.txt
    """
    table = find_game(game, choices(rules))
    if check:
        raise typer.Exit(0 if _check_counts(table, text_of(position)) else 1)
    start = parse_position(table, position)
    counts = " | ".join(f"{length} {count_sequences(start, length)}" for length in range(1, depth + 1))
    print(f"perft {counts}".rstrip())
    if split:
        _print_split(start, depth)


def _print_split(start: Position, depth: int) -> None:
    if depth and not start.over:
        for act, count in sorted(perft_split(start, depth).items()):
            print(f"  {act}: {count}")


def _check_counts(game: Game, text: str) -> bool:
    """Compare the counts in a perft file with ours."""
    good, start, checked = True, None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, rest = line.strip().partition(" ")
        try:
            if key == "rules":
                game = find_game(game.name, choices([pair for pair in rest.split() if pair != "default"]))
            elif key == "position":
                start = parse_position(game, rest)
            elif key == "perft" and start is not None:
                for pair in rest.split("|"):
                    good &= _same_count(number, start, pair)
                    checked += 1
            elif key and not key.startswith("#"):
                raise NotationError(f"{line.strip()!r} is no 'rules ...', 'position ...' or, after one, 'perft ...'")
        except ValueError as wrong:
            raise NotationError(f"line {number}: {wrong}") from None
    print(f"{checked} counts, {'all' if good else 'not all'} the same")
    return good


def _same_count(number: int, start: Position, pair: str) -> bool:
    found = re.fullmatch(r"\s*(\d+)\s+(\d+)\s*", pair, re.ASCII)
    if found is None:
        raise NotationError(f"{pair.strip()!r} is no depth and count; write it like '2 5'")
    depth, expected = int(found[1]), int(found[2])
    count = count_sequences(start, depth)
    if count != expected:
        print(f"line {number}: depth {depth} has {count} sequences, not {expected}: {start}")
        _print_split(start, depth)
    return count == expected
