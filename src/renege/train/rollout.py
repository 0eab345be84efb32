# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""Deals played by the policy at all seats, and what each decision came to.

Values are of the seats as the table has them, from 0 on. A forced move is no decision: it belongs to what follows from
the decision before it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from renege.train.frozen import Frozen
from renege.train.network import Fast, masked
from renege.train.plan import TrainPlan
from renege.train.replay import Replay
from renege.train.tables import Tables

CHUNK = 1 << 17  # rows that a network looks at together where nothing is learnt
STEP = 1 << 13


@dataclass
class Memory:
    """`steps` actions on every lane: what was seen, done, paid. `[steps, lanes, ...]`, all on the device."""

    rows: Tensor
    hidden: Tensor
    mask: Tensor
    mover: Tensor
    reward: Tensor
    done: Tensor
    action: Tensor
    likelihood: Tensor
    """The logarithm of how likely the policy was to take the action."""
    learns: Tensor
    """Was it a decision of the policy that learns?"""
    decides: Tensor
    """Was there more than one action open? What a frozen network does is no decision: it belongs to the tables."""


def make_memory(tables: Tables) -> Memory:
    plan, device, encoding = tables.plan, tables.device, tables.encoding
    steps, lanes = plan.steps + 1, plan.lanes  # the last row is what the last action leads to

    def space(dtype: torch.dtype, *shape: int) -> Tensor:
        return torch.zeros((steps, lanes, *shape), dtype=dtype, device=device)

    return Memory(
        rows=space(torch.uint8, encoding.width),
        hidden=space(torch.uint8, encoding.hidden_width),
        mask=space(torch.uint8, len(encoding.actions)),
        mover=space(torch.uint8),
        reward=space(torch.float32, encoding.game.players),
        done=space(torch.uint8),
        action=space(torch.int64),
        likelihood=space(torch.float32),
        learns=space(torch.bool),
        decides=space(torch.bool),
    )


class Player:
    """Plays the tables by a policy, on some lanes against an older one or on all against a frozen one, and remembers.

    All chance comes from `rng`, of which the seed is set at the beginning of each round.
    """

    def __init__(self, plan: TrainPlan, tables: Tables, memory: Memory, policy: Fast, older: Fast | Frozen) -> None:
        self.plan, self.tables, self.memory = plan, tables, memory
        self.policy, self.older = policy, older
        self.rng = torch.Generator(tables.device)
        aside = int(plan.pool * plan.lanes)  # lanes with older players, spread over all houses
        stride = plan.lanes // aside if aside else 1
        self.aside = slice(0, aside * stride, stride)
        self.sides = (torch.arange(aside, device=tables.device) & 1).to(torch.uint8)
        self._replay = Replay(tables.device, self._play, self.rng)

    def play(self) -> int:
        """Fills the memory; how many deals came to their end."""
        self._replay()
        return int(self.memory.done[:-1].sum(dtype=torch.int64))

    def record(self) -> None:
        """From now on a play is launched at once, where there is a GPU."""
        self._replay.record()

    @torch.no_grad()
    def _play(self) -> None:
        memory, tables = self.memory, self.tables
        for step in range(self.plan.steps + 1):
            for name, tensor in (("observation", memory.rows), ("hidden", memory.hidden), ("mask", memory.mask)):
                tables.read(name, tensor[step])
            tables.read("mover", memory.mover[step])
            torch.gt(memory.mask[step].sum(1, dtype=torch.int32), 1, out=memory.decides[step])
            if step == self.plan.steps:
                break
            self._choose(step)
            tables.step(memory.action[step].to(torch.int32))
            tables.read("reward", memory.reward[step])
            tables.read("done", memory.done[step])
            memory.reward[step] *= tables.unit

    def _choose(self, step: int) -> None:
        memory = self.memory
        logits = masked(self.policy.look(memory.rows[step]), memory.mask[step])
        action, learns = drawn(logits, self.rng), memory.decides[step].clone()
        if len(self.sides):
            theirs = (memory.mover[step, self.aside] & 1) == self.sides
            rows, mask = memory.rows[step, self.aside], memory.mask[step, self.aside]
            likes = masked(self.older.look(rows), mask)
            frozen = isinstance(self.older, Frozen)
            chosen = likes.argmax(1) if frozen and self.plan.greedy else drawn(likes, self.rng)
            action[self.aside] = torch.where(theirs, chosen, action[self.aside])
            learns[self.aside] &= ~theirs
            if frozen:
                memory.decides[step, self.aside] &= ~theirs
        memory.action[step].copy_(action)
        memory.learns[step].copy_(learns)
        memory.likelihood[step].copy_(logits.log_softmax(1).gather(1, action[:, None])[:, 0])


def drawn(logits: Tensor, rng: torch.Generator) -> Tensor:
    """An action by its likelihood: the largest logit once each has an amount of chance of its own (Gumbel)."""
    chance = torch.rand(logits.shape, generator=rng, device=logits.device).clamp_(1e-9, 1 - 1e-7)
    return (logits - (-chance.log()).log()).argmax(1)


@torch.no_grad()
def values(critic: Fast, memory: Memory) -> Tensor:
    """`float32[steps + 1, lanes, seats]`: what deals are worth to each seat, where one decides and at the end."""
    steps, lanes = memory.mover.shape
    out = torch.zeros((steps * lanes, memory.reward.shape[-1]), device=memory.rows.device)
    rows, hidden = memory.rows.flatten(0, 1), memory.hidden.flatten(0, 1)
    asked = memory.decides.clone()
    asked[-1] = True
    for at in in_steps(asked.flatten().nonzero()[:, 0]).split(CHUNK):
        seen = torch.cat([rows.index_select(0, at), hidden.index_select(0, at)], 1)
        out.index_copy_(0, at, critic.look(seen))
    return by_table(out.view(steps, lanes, -1), memory.mover)


def in_steps(at: Tensor) -> Tensor:
    """A multiple of STEP of them, the last one repeated: for every number of rows a CPU keeps some memory for good."""
    return torch.cat([at, at[-1:].expand(-len(at) % STEP)])


def by_table(mine: Tensor, mover: Tensor) -> Tensor:
    """From seats counted from the mover to seats of the table."""
    players = mine.shape[-1]
    seats = torch.arange(players, device=mine.device)
    return mine.gather(-1, (seats - mover[..., None].long()) % players)


def by_mover(table: Tensor, mover: Tensor) -> Tensor:
    """From seats of the table to seats counted from the mover."""
    players = table.shape[-1]
    seats = torch.arange(players, device=table.device)
    return table.gather(-1, (seats + mover[..., None].long()) % players)


@torch.no_grad()
def advantages(memory: Memory, worth: Tensor, trace: float) -> tuple[Tensor, Tensor]:
    """How much better than expected each decision came out for each seat (GAE), and what the critic should have said.

    `float32[steps, lanes, seats]` both. What follows a forced move and what it pays counts for the decision before it.
    """
    better = torch.zeros_like(worth[:-1])
    ahead, later = worth[-1], torch.zeros_like(worth[-1])
    for step in reversed(range(len(better))):
        over = memory.done[step].bool()[:, None]
        ahead = memory.reward[step] + torch.where(over, 0.0, ahead)
        later = torch.where(over, 0.0, later)
        decides = memory.decides[step][:, None]
        better[step] = torch.where(decides, ahead - worth[step] + trace * later, 0.0)
        later = torch.where(decides, better[step], later)
        ahead = torch.where(decides, worth[step], ahead)
    return better, better + worth[:-1]
