"""A small Deep-Monte-Carlo trainer on the batched environment: it learns a game by playing against itself.

    pip install 'renege[train]'
    python examples/deep_monte_carlo.py --game texas42 --minutes 4 --out learnt

One network tells, for what a seat sees, what each action is worth to it. All four seats play by it, now and then at
random, and when a deal is over every action that was taken in it is moved towards what the deal paid that seat. Nothing
else: no search, no rules of thumb, no knowledge of the game but its numbers (`renege.games.encoding`).

Every so often the network plays duplicate deals against the rulebook: each deal twice, once in either pair of seats.
The curve has the mean and the 95 % interval of that, and is written as `curve.csv` and `curve.svg` beside `network.pt`.
"""

import argparse
import csv
import random
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from renege.agents import Rulebook
from renege.arena.stats import PairEstimate, estimate
from renege.envs import BatchEnv
from renege.games.encoding import Encoding, Moment

_tensor = torch.from_numpy


class Worth(nn.Module):
    """What each action is worth to the seat that looks, from the row of bytes that it sees."""

    scale: torch.Tensor

    def __init__(self, encoding: Encoding, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(encoding.width, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, len(encoding.actions)),
        )  # fmt: skip
        # points and the like run to a hundred and more, cards to two
        large = torch.ones(encoding.width)
        large[encoding.sections["points"]] = 1 / 32
        self.register_buffer("scale", large)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self.layers(rows.float() * self.scale)


@dataclass
class Step:
    """One action on every lane: what was seen, what was done, by whom."""

    rows: NDArray[np.uint8]
    actions: NDArray[np.int32]
    movers: NDArray[np.uint8]


class Trainer:
    """Tables that are played by a network, and the network that learns from them."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.env = BatchEnv(asked.game, asked.lanes, seed=asked.seed, threads=asked.threads)
        self.encoding = self.env.encoding
        self.device = torch.device(asked.device)
        torch.manual_seed(asked.seed)
        self.rng = np.random.default_rng(asked.seed)
        self.network = Worth(self.encoding, asked.width).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=asked.rate)
        self.astray, self.batch = asked.astray, asked.batch
        self.deals = self.actions = 0
        self.unit = 1.0  # what a deal usually pays, so that targets are near 1
        self._under_way: deque[Step] = deque()
        self._since: NDArray[np.int64] = np.zeros(asked.lanes, np.int64)  # the step with which each lane's deal began
        self._number = 0  # of the next step
        self._known: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []

    def choose(self, rows: NDArray[np.uint8], mask: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The best action on each lane, as the network has it."""
        with torch.no_grad():
            worth = self.network(_tensor(rows).to(self.device))
            worth[_tensor(mask).to(self.device) == 0] = -torch.inf
            return worth.argmax(dim=1).to("cpu", torch.int32).numpy()

    def step(self) -> None:
        """One action on every lane; deals that end are learnt from as soon as there are enough of them."""
        env = self.env
        rows, movers = env.observation.copy(), env.mover.copy()
        actions = self.choose(rows, env.mask)
        astray = self.rng.random(env.lanes) < self.astray
        actions[astray] = env.choose(int(self.rng.integers(1 << 62)))[astray]
        self._under_way.append(Step(rows, actions, movers))
        env.step(actions)
        self._number += 1
        self.actions += env.lanes
        ended = np.flatnonzero(env.done)
        if len(ended):
            self._collect(ended)

    def _collect(self, lanes: NDArray[np.intp]) -> None:
        """The actions of deals that have just ended, each with what the deal paid who took it."""
        first = self._number - len(self._under_way)
        self.deals += len(lanes)
        # What a seat has above the mean of the table: in 42 a side wins marks and the other loses none, and who looked
        # at his own alone would bid on anything.
        paid = self.env.reward[lanes]
        paid = paid - paid.mean(axis=1, keepdims=True)
        self.unit += 0.01 * (float(np.abs(paid).mean()) + 1e-3 - self.unit)
        for i, step in enumerate(self._under_way):
            own = self._since[lanes] <= first + i
            of = lanes[own]
            got = paid[own, step.movers[of]] / self.unit
            self._known.append((_tensor(step.rows[of]), _tensor(step.actions[of]), _tensor(got)))
        self._since[lanes] = self._number
        while self._under_way and first < self._since.min():
            self._under_way.popleft()
            first += 1
        if sum(len(actions) for _, actions, _ in self._known) >= 8 * self.batch:
            self._learn()

    def _learn(self) -> None:
        """One pass over what is known of ended deals, in batches by chance."""
        rows, actions, paid = (torch.cat(parts) for parts in zip(*self._known, strict=True))
        self._known = []
        mixed = torch.randperm(len(actions))
        for part in mixed.split(self.batch):
            worth = self.network(rows[part].to(self.device))
            taken = worth.gather(1, actions[part].to(self.device, torch.int64)[:, None])[:, 0]
            loss = nn.functional.smooth_l1_loss(taken, paid[part].to(self.device))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def against_rulebook(trainer: Trainer, pairs: int, seed: int) -> PairEstimate:
    """Duplicate deals: what the network wins a deal more than the rulebook, with the cards of either."""
    scores: list[float] = []
    for number in range(pairs):
        both = [_played(trainer, trainer.encoding.deal(seed + number), side) for side in (0, 1)]
        scores.append(sum(both) / 2)
    return estimate(scores)


def _played(trainer: Trainer, moment: Moment, side: int) -> float:
    """What a seat of the network is paid more than one of the rulebook's, if they sit crosswise."""
    rng, rulebook = random.Random(0), Rulebook()
    while moment.turn is not None:
        if moment.turn % 2 == side:
            moment = moment.after(int(trainer.choose(moment.observe(moment.turn)[None], moment.mask[None])[0]))
        else:
            moment = moment.act(rulebook.choose(moment.view(moment.turn), rng).what)
    return (sum(moment.rewards[side::2]) - sum(moment.rewards[1 - side :: 2])) / 2


def write_curve(folder: Path, curve: list[tuple[float, int, PairEstimate]], title: str) -> None:
    """The curve as numbers, and as a picture where matplotlib is installed."""
    with (folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["minutes", "deals", "mean", "low", "high"])
        table.writerows(
            [f"{at:.2f}", deals, f"{e.mean:.4f}", f"{e.low:.4f}", f"{e.high:.4f}"] for at, deals, e in curve
        )
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, axes = plt.subplots(figsize=(7, 4))
    minutes, means = [at for at, _, _ in curve], [e.mean for _, _, e in curve]
    axes.fill_between(minutes, [e.low for _, _, e in curve], [e.high for _, _, e in curve], alpha=0.25, lw=0)
    axes.plot(minutes, means, marker="o")
    axes.axhline(0, color="black", lw=0.8)
    axes.set(xlabel="minutes of training", ylabel="won a deal from the rulebook", title=title)
    figure.tight_layout()
    figure.savefig(folder / "curve.svg")
    plt.close(figure)


def main(arguments: list[str] | None = None) -> list[tuple[float, int, PairEstimate]]:
    reader = argparse.ArgumentParser(description="Learn a game by Deep Monte Carlo, and plot it against the rulebook.")
    reader.add_argument("--game", default="texas42", help="a game or an id: texas42, schafkopf, renege/tractor-v0")
    reader.add_argument("--minutes", type=float, default=4.0, help="of training, without the matches")
    reader.add_argument("--looks", type=int, default=6, help="matches against the rulebook, the last at the end")
    reader.add_argument("--pairs", type=int, default=200, help="duplicate deals of a match")
    reader.add_argument("--lanes", type=int, default=1024, help="tables at once")
    reader.add_argument("--threads", type=int, default=1, help="of the tables")
    reader.add_argument("--width", type=int, default=256, help="of the network")
    reader.add_argument("--batch", type=int, default=2048)
    reader.add_argument("--rate", type=float, default=1e-3)
    reader.add_argument("--astray", type=float, default=0.05, help="share of actions that are taken by chance")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    reader.add_argument("--out", type=Path, default=Path("learnt"), help="the folder for network and curve")
    asked = reader.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(asked)
    print(
        f"{trainer.env}, {sum(p.numel() for p in trainer.network.parameters()):,} weights on {trainer.device}",
        flush=True,
    )
    curve: list[tuple[float, int, PairEstimate]] = []
    trained = 0.0
    for look in range(asked.looks + 1):
        until = 60 * asked.minutes * look / asked.looks
        while trained < until:
            began = time.perf_counter()
            trainer.step()
            trained += time.perf_counter() - began
        found = against_rulebook(trainer, asked.pairs, seed=1_000_000)
        curve.append((trained / 60, trainer.deals, found))
        rate = trainer.actions / trained if trained else 0
        done = f"{trained / 60:5.2f} min, {trainer.deals:>9,} deals, {rate:>9,.0f} actions/s"
        print(f"{done}: {found} a deal against the rulebook", flush=True)
        torch.save(trainer.network.state_dict(), asked.out / "network.pt")
        write_curve(
            asked.out, curve, f"Deep Monte Carlo at {trainer.env.game.name}, {asked.pairs} duplicate deals a point"
        )
    return curve


if __name__ == "__main__":
    main()
