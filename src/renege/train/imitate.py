# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""The first lessons of a network: what a teacher did, and what deals came to under it."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from renege.train.learner import Learner
from renege.train.lessons import Lessons, padded
from renege.train.network import masked
from renege.train.rollout import by_mover
from renege.train.tables import Tables


class Imitation:
    """Replays lessons at the tables, and lets the policy copy the teacher and the critic foresee what deals pay."""

    def __init__(self, learner: Learner, tables: Tables, lessons: list[Lessons], seed: int) -> None:
        self.learner, self.tables, self.memory, self.lessons = learner, tables, learner.memory, lessons
        self.rng = np.random.default_rng(seed)
        self.longest = max(part.actions.shape[1] for part in lessons)

    def passes(self, count: int) -> Iterator[float]:
        """Plays a lesson on every lane, so many times; what is yielded is how often the policy does as the teacher."""
        for _ in range(count):
            actions, paid = self._begin()
            right, asked = torch.zeros((), device=self.tables.device), 0
            for first in range(0, self.longest, self.tables.plan.steps):
                self._replay(actions[:, first : first + self.tables.plan.steps], paid)
                for part in self._parts():
                    right += self._copy(part)
                    asked += len(part)
            yield float(right) / max(asked, 1)

    def _begin(self) -> tuple[Tensor, Tensor]:
        """A lesson on every lane; their actions, and what they paid."""
        actions, paid = [], []
        for env, house in zip(self.tables.envs, self.tables.houses, strict=True):
            lessons = self.lessons[house]
            chosen = self.rng.integers(0, len(lessons), env.lanes)
            told = [env.encoding.standing_of(row, env.terms.score) for row in lessons.standings[chosen].tolist()]
            env.begin(lessons.piles[chosen], told)
            actions.append(padded(lessons.actions[chosen], self.longest))
            paid.append(lessons.paid[chosen])
        device = self.tables.device
        reward = torch.from_numpy(np.concatenate(paid)).to(device) * self.tables.unit
        return torch.from_numpy(np.concatenate(actions)).to(device).long(), reward

    @torch.no_grad()
    def _replay(self, actions: Tensor, paid: Tensor) -> None:
        """Some steps of the lessons into the memory. Lanes whose lesson is over play on by what comes first."""
        memory, tables = self.memory, self.tables
        memory.decides.zero_()
        for step in range(actions.shape[1]):
            for name, tensor in (("observation", memory.rows), ("hidden", memory.hidden), ("mask", memory.mask)):
                tables.read(name, tensor[step])
            tables.read("mover", memory.mover[step])
            taught = actions[:, step] >= 0
            action = torch.where(taught, actions[:, step], memory.mask[step].to(torch.int32).argmax(1))
            memory.action[step].copy_(action)
            memory.decides[step].copy_(taught & (memory.mask[step].sum(1, dtype=torch.int32) > 1))
            tables.step(action.to(torch.int32))
        mover = memory.mover[: actions.shape[1]]
        wanted = by_mover(paid.expand(*mover.shape, -1), mover).flatten(0, 1)
        self.learner.targets[: len(wanted)].copy_(wanted)

    def _parts(self) -> Iterator[Tensor]:
        at = self.memory.decides[:-1].flatten().nonzero()[:, 0]
        order = torch.from_numpy(self.rng.permutation(len(at))).to(at.device)
        yield from at[order].split(self.tables.plan.batch)

    def _copy(self, at: Tensor) -> Tensor:
        """One update by the decisions of this list; how often the policy would have done the same."""
        learner, memory, plan = self.learner, self.memory, self.tables.plan
        rows, mask = memory.rows[:-1].flatten(0, 1)[at], memory.mask[:-1].flatten(0, 1)[at]
        action = memory.action[:-1].flatten()[at]
        logits = masked(learner.policy.look(rows), mask)
        taken = torch.arange(logits.shape[1], device=at.device) == action[:, None]
        loss = -torch.where(taken, logits.log_softmax(1), 0.0).sum(1).mean()
        learner.policy.slope(loss, plan.gradient)
        learner.policy_steps.step()
        hidden = memory.hidden[:-1].flatten(0, 1)[at]
        error = (learner.critic.look(torch.cat([rows, hidden], 1)) - learner.targets[at]).square().mean()
        learner.critic.slope(error, plan.gradient)
        learner.critic_steps.step()
        for fast in (learner.policy, learner.critic):
            fast.refresh()
        return (logits.argmax(1) == action).sum()
