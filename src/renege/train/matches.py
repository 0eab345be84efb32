"""The running matches of a training: its network against other players, beside the learning, on duplicate deals."""

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

from renege.arena.run import make_plan, play_pairs, scores
from renege.arena.stats import estimate
from renege.core.registry import find_game

SEED = 90_001  # of deals that nobody trains on: training draws its own from other numbers


def play_match(game: str, rules: dict[str, str], net: str, other: str, pairs: int, workers: int) -> dict[str, Any]:
    """A network's mean lead over another player under these rules, with its 95 % interval."""
    plan = make_plan(find_game(game, rules), f"net:{net}", other, seed=SEED, pairs=pairs)
    found = estimate(scores(list(play_pairs(plan, range(pairs), workers))))
    return {"against": other, "pairs": pairs, "mean": found.mean, "low": found.low, "high": found.high}


class Matches:
    """Matches that are played while the learning goes on, one after the other, by processes of their own."""

    def __init__(self, game: str, rules: dict[str, str], others: tuple[str, ...], pairs: int, workers: int) -> None:
        self.game, self.rules, self.others, self.pairs, self.workers = game, rules, others, pairs, workers
        # a process of its own: forked from one that has a GPU open, it would not come up
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) if others and pairs else None
        self._asked: list[tuple[int, Future[dict[str, Any]], Path]] = []

    def begin(self, rounds: int, net: Path) -> None:
        """Ask for matches of a network, unless those before are still under way."""
        if self._pool is None or self._asked:
            return
        kept = net.with_name(f".{net.name}.match")
        kept.write_bytes(net.read_bytes())
        for other in self.others:
            asked = self._pool.submit(play_match, self.game, self.rules, str(kept), other, self.pairs, self.workers)
            self._asked.append((rounds, asked, kept))

    def finished(self, *, wait: bool = False) -> list[tuple[int, dict[str, Any]]]:
        """The results that have come in: the round that each is of, and what came out."""
        found = [(rounds, asked) for rounds, asked, _ in self._asked if wait or asked.done()]
        self._asked = [each for each in self._asked if not any(each[1] is asked for _, asked in found)]
        return [(rounds, asked.result()) for rounds, asked in found]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
