# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""The folder of a training: its plan, where it stands, its curve.

What was learnt is kept at the end of each round, in parts of less than 16 MB. `state.json` names the parts of the last
round that is whole, and is written last: a training that is killed goes on from there.
"""

import hashlib
import io
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from renege.core.atomic_file import write_atomically
from renege.train.plan import TrainPlan, read_plan

MOST_BYTES = 15_000_000
PLAN, STATE, CURVE = "plan.json", "state.json", "curve.jsonl"


@dataclass
class Kept:
    """Where a training stands: the rounds behind it, what it has seen, and all its tensors by name."""

    rounds: int = 0
    deals: int = 0
    decisions: int = 0
    seconds: float = 0.0
    tensors: dict[str, Tensor] = field(default_factory=dict)


def write_plan(folder: Path, plan: TrainPlan) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / PLAN, json.dumps(plan.as_json(), indent=1).encode())


def find_plan(folder: Path) -> TrainPlan | None:
    path = folder / PLAN
    return read_plan(json.loads(path.read_text("utf-8"))) if path.exists() else None


def save(folder: Path, kept: Kept) -> None:
    """Keep where a training stands; what was kept before is dropped once this is whole."""
    before = _parts(folder)
    parts = []
    for number, tensors in enumerate(_packed(kept.tensors)):
        name, data = f"state-{kept.rounds:04}-{number}.pt", _bytes(tensors)
        _write(folder / name, data)
        parts.append({"name": name, "sha256": hashlib.sha256(data).hexdigest()})
    told = {key: value for key, value in asdict(kept).items() if key != "tensors"}
    _write(folder / STATE, json.dumps({**told, "parts": parts}, indent=1).encode())
    for name in before - {part["name"] for part in parts}:
        (folder / name).unlink(missing_ok=True)


def load(folder: Path, device: torch.device) -> Kept | None:
    """Where a training stands; None if it has not finished a round. `ValueError` if a part is missing or damaged."""
    path = folder / STATE
    if not path.exists():
        return None
    told = json.loads(path.read_text("utf-8"))
    tensors: dict[str, Tensor] = {}
    for part in told.pop("parts"):
        file = folder / part["name"]
        data = file.read_bytes() if file.exists() else b""
        if hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise ValueError(f"{file}: a part of the training is missing or damaged")
        tensors |= torch.load(io.BytesIO(data), map_location=device, weights_only=True)
    return Kept(**told, tensors=tensors)


def add_to_curve(folder: Path, rounds: int, line: dict[str, Any]) -> None:
    """One more line of the curve. What an earlier try has written of this round and later ones is dropped."""
    lines = [kept for kept in read_curve(folder) if kept["round"] < rounds]
    text = "".join(f"{json.dumps(kept)}\n" for kept in [*lines, {"round": rounds, **line}])
    _write(folder / CURVE, text.encode())


def add_match(folder: Path, rounds: int, found: dict[str, Any]) -> None:
    """A match that was played by the network of a round."""
    lines = read_curve(folder)
    for line in lines:
        if line["round"] == rounds:
            line["matches"] = [*line.get("matches", ()), found]
    _write(folder / CURVE, "".join(f"{json.dumps(line)}\n" for line in lines).encode())


def read_curve(folder: Path) -> list[dict[str, Any]]:
    path = folder / CURVE
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _write(path: Path, data: bytes) -> None:
    with write_atomically(path) as file:
        file.write(data)


def _parts(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("state-*.pt")}


def _packed(tensors: dict[str, Tensor]) -> list[dict[str, Tensor]]:
    """Tensors in parts that are small enough."""
    parts: list[dict[str, Tensor]] = [{}]
    size = 0
    for name, tensor in tensors.items():
        more = tensor.numel() * tensor.element_size()
        if parts[-1] and size + more > MOST_BYTES:
            parts.append({})
            size = 0
        parts[-1][name] = tensor
        size += more
    return parts


def _bytes(tensors: dict[str, Tensor]) -> bytes:
    out = io.BytesIO()
    torch.save({name: tensor.cpu() for name, tensor in tensors.items()}, out)
    return out.getvalue()
