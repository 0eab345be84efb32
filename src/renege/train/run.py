# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
"""A training from its beginning, or from where it was left, to the end that is asked for.

A round deals all tables anew from a seed of its own, makes some updates and ends in a checkpoint. Chance has its seed
from the round too, and what is kept rounded is rounded for those who go on as well; so a training that was stopped or
killed comes out the same as one that was not.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from renege.envs import lane_seeds
from renege.nets import NetFile, write_net
from renege.train.export import export
from renege.train.folder import Kept, add_to_curve, load, save
from renege.train.frozen import Frozen, find_target
from renege.train.imitate import Imitation
from renege.train.learner import Learner, Losses
from renege.train.lessons import Lessons
from renege.train.network import Body, Fast, make_critic, make_policy
from renege.train.plan import TrainPlan
from renege.train.rollout import Player, make_memory
from renege.train.tables import Tables


@dataclass
class TrainProgress:
    """How far a training is: told after each update."""

    round: int
    update: int
    deals: int
    decisions: int
    speed: float
    """Decisions a second, forced ones among them, learning and all."""
    losses: Losses


def pick_device(name: str | None) -> torch.device:
    """The device that is asked for, or a GPU if there is one."""
    if name is None:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError("there is no GPU that PyTorch can use here: say --device cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise ValueError(f"a network trains on cpu or cuda, not on {name!r}")
    return device


class Training:
    """The networks of a training, its tables, and where it stands."""

    def __init__(self, plan: TrainPlan, folder: Path, device: torch.device) -> None:
        _be_exact()
        self.plan, self.folder, self.device = plan, folder, device
        if device.type == "cuda":
            torch.cuda.set_stream(torch.cuda.Stream(device))  # of the default one no graph can be recorded
        self.tables = Tables(plan, device)
        encoding = self.tables.encoding
        torch.manual_seed(plan.seed)
        self.policy = Fast(make_policy(encoding, plan.size), device)
        self.critic = Fast(make_critic(encoding, plan.critic), device)
        self.older: Fast | Frozen
        if plan.against:
            target = find_target(folder, plan.against)
            for house in plan.houses:
                target.encoding(plan.table(house))  # which refuses house rules that it has never met
            self.older = Frozen(target, encoding, device)
            self.policy.body.load_state_dict(self.older.body.state_dict())
        else:
            self.older = Fast(make_policy(encoding, plan.size), device)
        self.memory = make_memory(self.tables)
        self.learner = Learner(plan, self.policy, self.critic, self.memory, encoding.first_call)
        self.player = Player(plan, self.tables, self.memory, self.policy, self.older)
        self.pool: list[dict[str, Tensor]] = [] if plan.against else [_state(self.policy.body, torch.bfloat16)]
        self.kept = load(folder, device) or Kept()
        if not self.kept.tensors:
            self.kept.tensors = {name: tensor.clone() for name, tensor in self._tensors()}
        self._record()
        self._restore(self.kept.tensors)

    def _record(self) -> None:
        """Lets the replays be recorded, which plays and learns; what was learnt by it is forgotten."""
        self.tables.deal(0)
        self.player.rng.manual_seed(0)
        self.player.record()
        self.learner.replay.record()

    def run(self, rounds: int, seconds: float | None, told: Callable[[TrainProgress], None]) -> Iterator[int]:
        """Train until so many rounds are behind, or for so long: then no further round is begun. Each is yielded."""
        began, longest = time.monotonic(), 0.0
        while self.kept.rounds < rounds:
            left = None if seconds is None else seconds - (time.monotonic() - began)
            if left is not None and left < longest:
                return
            at = time.monotonic()
            for progress in self._round():
                told(progress)
            write_net(self.net_path, self.export())
            yield self.kept.rounds
            longest = max(longest, time.monotonic() - at)

    def teach(self, lessons: list[Lessons]) -> Iterator[float]:
        """Before the first round: a teacher's lessons. Yields after each pass how often the policy does as it does."""
        if self.kept.rounds or not lessons:
            return
        yield from Imitation(self.learner, self.tables, lessons, self.plan.seed).passes(self.plan.lesson_passes)
        for _, _, steps in self._learnt():
            for state in steps.state.values():
                for tensor in state.values():
                    tensor.zero_()
        self.pool = [_state(self.policy.body, torch.bfloat16)]

    @property
    def net_path(self) -> Path:
        """The network as it stands, to be played by."""
        return self.folder / f"{self.plan.game}.net"

    def export(self) -> NetFile:
        kept = self.kept
        where = torch.cuda.get_device_name(self.device) if self.device.type == "cuda" else self.device.type
        told: dict[str, object] = {"deals": kept.deals, "decisions": kept.decisions, "rounds": kept.rounds}
        told |= {"seed": self.plan.seed, "device": where}
        if self.plan.against:
            told["against"] = self.plan.against
        return export(self.policy.body, self.critic.body, self.plan, self.tables.encoding, told)

    def _round(self) -> Iterator[TrainProgress]:
        plan, kept = self.plan, self.kept
        number = kept.rounds
        seed = int(lane_seeds(plan.seed, 1, number)[0])
        rng = self.player.rng.manual_seed(seed & (1 << 62) - 1)
        self.tables.deal(seed)
        self._choose_older(number)
        began, losses = time.monotonic(), []
        for update in range(plan.updates):
            done = (number + update / plan.updates) / plan.rounds
            at = time.monotonic()
            kept.deals += self.player.play()
            losses.append(self.learner.learn(done, rng))
            played = plan.lanes * plan.steps
            kept.decisions += played
            yield TrainProgress(
                number, update, kept.deals, kept.decisions, played / (time.monotonic() - at), losses[-1]
            )
        kept.rounds += 1
        kept.seconds += time.monotonic() - began
        self._keep(losses)

    def _keep(self, losses: list[Losses]) -> None:
        kept, plan = self.kept, self.plan
        if not plan.against:
            self.pool = [*self.pool, _state(self.policy.body, torch.bfloat16)][-plan.pool_size :]
        self._round_moments()
        kept.tensors = dict(self._tensors())
        save(self.folder, kept)
        means = {name: sum(asdict(loss)[name] for loss in losses) / len(losses) for name in asdict(losses[0])}
        line = {"deals": kept.deals, "decisions": kept.decisions, "seconds": round(kept.seconds, 1), **means}
        add_to_curve(self.folder, kept.rounds, line)

    def _choose_older(self, number: int) -> None:
        """One of the older policies sits at some tables, another one each round; a frozen network stays."""
        if isinstance(self.older, Frozen):
            return
        state = self.pool[number % len(self.pool)]
        self.older.body.load_state_dict({name: tensor.float() for name, tensor in state.items()})
        self.older.refresh()

    # -- what is kept

    def _tensors(self) -> Iterator[tuple[str, Tensor]]:
        for who, body, steps in self._learnt():
            yield from ((f"{who}.{name}", tensor) for name, tensor in body.state_dict().items())
            for i, state in steps.state_dict()["state"].items():
                yield from ((f"{who}:{i}.{name}", tensor) for name, tensor in _moments(state))
        for i, older in enumerate(self.pool):
            yield from ((f"older{i}.{name}", tensor) for name, tensor in older.items())

    def _learnt(self) -> tuple[tuple[str, Body, torch.optim.Optimizer], ...]:
        learner = self.learner
        critic = ("critic", self.critic.body, learner.critic_steps)
        return ("policy", self.policy.body, learner.policy_steps), critic

    def _round_moments(self) -> None:
        """What the optimizers remember is kept in 16 bits; so who goes on has no more of it than who comes back."""
        for _, _, steps in self._learnt():
            for state in steps.state.values():
                for name in MOMENTS:
                    state[name].copy_(state[name].to(torch.bfloat16))

    @torch.no_grad()
    def _restore(self, tensors: dict[str, Tensor]) -> None:
        """Be where a training stood. Everything is written where it lies, since replays know it by its place."""
        for who, body, steps in self._learnt():
            start = f"{who}."
            body.load_state_dict({k.removeprefix(start): v for k, v in tensors.items() if k.startswith(start)})
            for i, parameter in enumerate(body.parameters()):
                state = steps.state[parameter]
                for name in ("step", *MOMENTS) if state else ():
                    found = tensors.get(f"{who}:{i}.{name}")
                    state[name].zero_() if found is None else state[name].copy_(found)
                if not state and f"{who}:{i}.step" in tensors:
                    moments = {name: tensors[f"{who}:{i}.{name}"].float() for name in MOMENTS}
                    steps.state[parameter] = {"step": tensors[f"{who}:{i}.step"].clone(), **moments}
        for fast in (self.policy, self.critic):
            fast.refresh()
        count = len({name.partition(".")[0] for name in tensors if name.startswith("older")})
        self.pool = [
            {k.partition(".")[2]: v for k, v in tensors.items() if k.startswith(f"older{i}.")} for i in range(count)
        ]


MOMENTS = ("exp_avg", "exp_avg_sq")


def _moments(state: dict[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    yield "step", state["step"]
    yield from ((name, state[name].to(torch.bfloat16)) for name in MOMENTS)


def _state(body: Body, dtype: torch.dtype) -> dict[str, Tensor]:
    return {name: tensor.detach().to(dtype, copy=True) for name, tensor in body.state_dict().items()}


def _be_exact() -> None:
    """The same numbers every time: no algorithm that adds up in whatever order its threads come to it."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # a launch for every tensor there is
