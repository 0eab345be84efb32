"""Pieces of work for the tests of the crew: here, where other processes can import them."""

import os
import signal
import time
from pathlib import Path


def square(piece: int) -> int:
    return piece * piece


def whose(piece: int) -> int:
    """Who does it."""
    return os.getpid()


def fails(piece: int) -> int:
    if piece == 3:
        raise ValueError("three is too much")
    return piece


def falters(piece: int) -> int:
    if piece == 3:
        raise KeyError("no such card")
    return piece


def keeps(piece: int) -> object:
    """Something that cannot be sent."""
    return lambda: piece


def noted(folder: Path, seconds: float, piece: int) -> int:
    """Takes its time, and leaves a line in a file when it begins: who is at it."""
    with open(folder / str(piece), "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(seconds)
    return piece * piece


def dies_once(folder: Path, piece: int) -> int:
    """The first who is at piece 2 is killed over it."""
    noted(folder, 0.0, piece)
    if piece == 2 and len(begun(folder, piece)) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return piece * piece


def dies(piece: int) -> int:
    """Nobody lives through piece 2."""
    if piece == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def begun(folder: Path, piece: int) -> list[int]:
    """The processes that were at a piece, in order."""
    file = folder / str(piece)
    return [int(line) for line in file.read_text().split()] if file.exists() else []
