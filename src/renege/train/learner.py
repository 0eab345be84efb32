# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""PPO: the policy takes more of what came out better than the critic expected, and never far at once."""

from dataclasses import dataclass, fields

import torch
from torch import Tensor, nn

from renege.train.network import Body, masked
from renege.train.plan import TrainPlan
from renege.train.rollout import Memory, advantages, by_mover, looked, values


@dataclass
class Losses:
    """Means over an update: what is told of how the learning goes."""

    policy: float = 0.0
    value: float = 0.0
    entropy: float = 0.0
    call_entropy: float = 0.0
    clipped: float = 0.0
    explained: float = 0.0
    """The share of the variance of what deals paid that the critic foresaw."""


@dataclass
class Batch:
    """Decisions to learn from, and what each came to."""

    rows: Tensor
    hidden: Tensor
    mask: Tensor
    action: Tensor
    likelihood: Tensor
    better: Tensor
    target: Tensor
    learns: Tensor


class Learner:
    """The policy, the critic and their optimizers."""

    def __init__(self, plan: TrainPlan, policy: Body, critic: Body, first_call: int) -> None:
        self.plan, self.policy, self.critic, self.first_call = plan, policy, critic, first_call
        fused = next(policy.parameters()).is_cuda
        self.policy_steps = torch.optim.Adam(policy.parameters(), lr=plan.rate[0], eps=1e-5, fused=fused)
        self.critic_steps = torch.optim.Adam(critic.parameters(), lr=plan.rate[0], eps=1e-5, fused=fused)

    def learn(self, memory: Memory, done: float, rng: torch.Generator) -> Losses:
        """One pass over what was played; `done` is the share of the training that is behind."""
        plan = self.plan
        for steps in (self.policy_steps, self.critic_steps):
            for group in steps.param_groups:
                group["lr"] = plan.between(plan.rate, done)
        worth = values(self.critic, memory)
        better, target = advantages(memory, worth, plan.trace)
        mover = memory.mover[:-1]
        own = by_mover(better, mover)[..., 0]
        wanted = by_mover(target, mover)
        learns = memory.learns[:-1]
        spread = own[learns].std().clamp_min(1e-6)
        at = memory.decides[:-1].flatten().nonzero()[:, 0]
        at = at[torch.randperm(len(at), generator=rng, device=at.device)]
        sums, count = torch.zeros(len(fields(Losses)), device=at.device), 0
        for part in at.split(plan.batch):
            batch = _batch(memory, own / spread, wanted, part)
            sums += self._update(batch, done)
            count += 1
        told = Losses(*(sums / max(count, 1)).tolist())
        paid = wanted.flatten(0, 1)[at]
        told.explained = float(1 - (paid - by_mover(worth[:-1], mover).flatten(0, 1)[at]).var() / paid.var())
        return told

    def _update(self, batch: Batch, done: float) -> Tensor:
        plan = self.plan
        logits = masked(looked(self.policy, batch.rows), batch.mask)
        chances = logits.log_softmax(1)
        # not by `gather`: what flows back through it is added up in any order
        taken = torch.arange(chances.shape[1], device=chances.device) == batch.action[:, None]
        likelihood = torch.where(taken, chances, 0.0).sum(1)
        ratio = (likelihood - batch.likelihood).exp()
        near = ratio.clamp(1 - plan.clip, 1 + plan.clip)
        learns = batch.learns.float()
        count = learns.sum().clamp_min(1.0)
        gain = (torch.minimum(ratio * batch.better, near * batch.better) * learns).sum() / count
        entropy = -(chances.exp() * chances).sum(1) * learns
        call = ~batch.mask[:, : self.first_call].bool().any(1)  # where a card may be played, a call is beside it
        calls, plays = (entropy * call).sum(), (entropy * ~call).sum()
        held = (plan.between(plan.call_entropy, done) * calls + plan.between(plan.entropy, done) * plays) / count
        _climb(self.policy_steps, self.policy, -(gain + held), plan.gradient)
        expected = looked(self.critic, torch.cat([batch.rows, batch.hidden], 1))
        error = (expected - batch.target).square().mean()
        _climb(self.critic_steps, self.critic, error, plan.gradient)
        on_calls = (call * learns).sum().clamp_min(1.0)
        on_plays = (count - (call * learns).sum()).clamp_min(1.0)
        clipped = ((ratio != near) * learns).sum() / count
        told = [-gain, error, plays / on_plays, calls / on_calls, clipped, torch.zeros_like(gain)]
        return torch.stack([part.detach() for part in told])


def _batch(memory: Memory, better: Tensor, target: Tensor, at: Tensor) -> Batch:
    def some(tensor: Tensor) -> Tensor:
        return tensor[:-1].flatten(0, 1)[at]

    return Batch(
        rows=some(memory.rows),
        hidden=some(memory.hidden),
        mask=some(memory.mask),
        action=some(memory.action),
        likelihood=some(memory.likelihood),
        better=better.flatten()[at],
        target=target.flatten(0, 1)[at],
        learns=some(memory.learns),
    )


def _climb(steps: torch.optim.Optimizer, body: nn.Module, loss: Tensor, most: float) -> None:
    steps.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(body.parameters(), most)
    steps.step()
