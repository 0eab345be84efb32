# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""PPO: the policy takes more of what came out better than the critic expected, and never far at once."""

from dataclasses import dataclass, fields

import torch
from torch import Tensor

from renege.train.network import Fast, masked
from renege.train.plan import TrainPlan
from renege.train.replay import Replay
from renege.train.rollout import Memory, advantages, by_mover, values


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


class Learner:
    """The policy, the critic and their optimizers, and what an update is made from."""

    def __init__(self, plan: TrainPlan, policy: Fast, critic: Fast, memory: Memory, first_call: int) -> None:
        self.plan, self.policy, self.critic, self.memory, self.first_call = plan, policy, critic, memory, first_call
        self.device = memory.rows.device
        on_gpu = self.device.type == "cuda"
        options = {"eps": 1e-5, "capturable": on_gpu, "fused": on_gpu}
        self.rate, self.policy_rate = (torch.tensor(plan.rate[0], device=self.device) for _ in range(2))
        self.policy_steps = torch.optim.Adam(policy.kept, lr=self.policy_rate if on_gpu else plan.rate[0], **options)
        self.critic_steps = torch.optim.Adam(critic.kept, lr=self.rate if on_gpu else plan.rate[0], **options)
        steps, lanes = plan.steps, plan.lanes
        self._held = torch.zeros(2, device=self.device)  # what entropy counts, of plays and of calls
        self._better = torch.zeros(steps * lanes, device=self.device)
        self.targets = torch.zeros((steps * lanes, memory.reward.shape[-1]), device=self.device)
        self._at = torch.zeros(plan.batch, dtype=torch.int64, device=self.device)
        self._sums = torch.zeros(len(fields(Losses)), device=self.device)
        self.replay = Replay(self.device, self._update)

    def learn(self, done: float, rng: torch.Generator) -> Losses:
        """One pass over what was played; `done` is the share of the training that is behind."""
        plan, memory = self.plan, self.memory
        self._set(done)
        worth = values(self.critic, memory)
        better, target = advantages(memory, worth, plan.trace)
        mover, learns = memory.mover[:-1], memory.learns[:-1]
        own = by_mover(better, mover)[..., 0]
        wanted = by_mover(target, mover).flatten(0, 1)
        self._better.copy_((own / own[learns].std().clamp_min(1e-6)).flatten())
        self.targets.copy_(wanted)
        at = memory.decides[:-1].flatten().nonzero()[:, 0]
        at = at[torch.randperm(len(at), generator=rng, device=at.device)]
        self._sums.zero_()
        parts = [part for part in at.split(plan.batch) if len(part) == plan.batch] or [_repeated(at, plan.batch)]
        for part in parts:  # the rest, less than a batch, is left out
            self._at.copy_(part)
            self.replay()
        told = Losses(*(self._sums / len(parts)).tolist())
        off = wanted - by_mover(worth[:-1], mover).flatten(0, 1)
        told.explained = float(1 - off.index_select(0, at).var() / wanted.index_select(0, at).var())
        return told

    def _set(self, done: float) -> None:
        plan = self.plan
        rate = plan.between(plan.rate, done)
        policy_rate = 0.0 if done < plan.warm_up else rate
        for steps, tensor, now in (
            (self.policy_steps, self.policy_rate, policy_rate),
            (self.critic_steps, self.rate, rate),
        ):
            tensor.fill_(now)
            for group in steps.param_groups:
                if not isinstance(group["lr"], Tensor):
                    group["lr"] = now
        held = [plan.between(plan.entropy, done), plan.between(plan.call_entropy, done)]
        self._held.copy_(torch.tensor(held, device=self.device))

    def _some(self, tensor: Tensor) -> Tensor:
        return tensor[:-1].flatten(0, 1).index_select(0, self._at)

    def _update(self) -> None:
        """One batch, of the decisions that `_at` names."""
        plan, memory = self.plan, self.memory
        rows, mask, learns = self._some(memory.rows), self._some(memory.mask), self._some(memory.learns).float()
        chances = masked(self.policy.look(rows), mask).log_softmax(1)
        # not by `gather`: what flows back through it is added up in any order
        taken = torch.arange(chances.shape[1], device=self.device) == self._some(memory.action)[:, None]
        ratio = (torch.where(taken, chances, 0.0).sum(1) - self._some(memory.likelihood)).exp()
        near, better = ratio.clamp(1 - plan.clip, 1 + plan.clip), self._better.index_select(0, self._at)
        count = learns.sum().clamp_min(1.0)
        gain = (torch.minimum(ratio * better, near * better) * learns).sum() / count
        entropy = -(chances.exp() * chances).sum(1) * learns
        call = ~mask[:, : self.first_call].bool().any(1)  # where a card may be played, a call is beside it
        calls, plays = (entropy * call).sum(), (entropy * ~call).sum()
        held = (self._held[0] * plays + self._held[1] * calls) / count
        self.policy.slope(-(gain + held), plan.gradient)
        self.policy_steps.step()
        expected = self.critic.look(torch.cat([rows, self._some(memory.hidden)], 1))
        error = (expected - self.targets.index_select(0, self._at)).square().mean()
        self.critic.slope(error, plan.gradient)
        self.critic_steps.step()
        for fast in (self.policy, self.critic):
            fast.refresh()
        on_calls = (call * learns).sum()
        clipped = ((ratio != near) * learns).sum() / count
        told = [
            -gain,
            error,
            plays / (count - on_calls).clamp_min(1.0),
            calls / on_calls.clamp_min(1.0),
            clipped,
            gain * 0,
        ]
        self._sums += torch.stack([part.detach() for part in told])


def _repeated(at: Tensor, size: int) -> Tensor:
    """So many, each as often as the others or once more: where there are too few for a batch."""
    return at.repeat(-(-size // len(at)))[:size]
