# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""The tables that a network learns at: one vectorized environment for each of the house rules, as tensors.

On a GPU the tensors are the environment's own arrays, without a copy; on a CPU they share numpy's memory.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from renege.envs import BatchEnv, lane_seeds
from renege.games.encoding import Encoding
from renege.train.plan import TrainPlan


class Tables:
    """All lanes of a training, house by house. What a step writes is in `rows`, `hidden`, `mask`, `mover` and so on."""

    def __init__(self, plan: TrainPlan, device: torch.device) -> None:
        self.plan, self.device = plan, device
        split = [(house, part) for house, lanes in enumerate(plan.lanes_of()) for part in _parts(lanes, plan.groups)]
        self.houses = [house for house, _ in split]
        """The house of each environment. A house has several, whose deals are at different points."""
        self.envs = [self._make(plan, plan.houses[house], lanes) for house, lanes in split]
        self.encoding: Encoding = self.envs[0].encoding
        self._check()
        rates = [1 / plan.houses[house].unit for house in self.houses]
        units = [torch.full((env.lanes, 1), rate) for env, rate in zip(self.envs, rates, strict=True)]
        self.unit = torch.cat(units).to(device)
        self._shared = [{name: self._tensor(getattr(env, name)) for name in NAMES} for env in self.envs]

    def _make(self, plan: TrainPlan, house: Any, lanes: int) -> BatchEnv:
        options: dict[str, Any] = {"version": 1, "hidden": True, "reward": "difference", "threads": plan.threads}
        if self.device.type == "cuda":
            options |= {"device": "gpu", "stream": torch.cuda.current_stream(self.device).cuda_stream}
        return BatchEnv(plan.table(house), lanes, **options)

    def _check(self) -> None:
        for env in self.envs[1:]:
            if (env.encoding.actions, env.encoding.sections) != (self.encoding.actions, self.encoding.sections):
                raise ValueError(
                    f"{env.game.name} has other rows under {env.game.rules}: it needs a network of its own"
                )

    def _tensor(self, array: Any) -> Tensor:
        return torch.from_numpy(array) if isinstance(array, np.ndarray) else torch.from_dlpack(array)

    def deal(self, seed: int) -> None:
        """New deals on all lanes, begun by chance in all environments of a house but one, so that they are not in step.

        It also brings up contracts that the policy would not play.
        """
        first = 0
        for number, env in enumerate(self.envs):
            env.reset(lane_seeds(seed, env.lanes, first))
            env.run(number % self.plan.groups * self.plan.deal_length // self.plan.groups, salt=seed)
            first += env.lanes

    def step(self, actions: Tensor) -> None:
        first = 0
        for env in self.envs:
            part = actions[first : first + env.lanes]
            if self.device.type == "cuda":
                env.step(part, check=False)  # pyright: ignore
            else:
                env.step(part.numpy())
            first += env.lanes

    def read(self, name: str, out: Tensor) -> Tensor:
        """Copies what the tables show into a tensor of all lanes."""
        return torch.cat([shared[name] for shared in self._shared], out=out)

    def told_rules(self) -> Iterator[bytes]:
        """The house rules of the tables, as rows tell them."""
        return (env.encoding.rule_bytes for env in self.envs)


NAMES = ("observation", "hidden", "mask", "mover", "reward", "done")


def _parts(lanes: int, groups: int) -> list[int]:
    """Lanes in about equal groups."""
    ends = [lanes * i // groups for i in range(groups + 1)]
    return [after - before for before, after in pairwise(ends) if after > before]
