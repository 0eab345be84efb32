# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""A network from a file as PyTorch has it: to be played against as it is, or to begin from.

Its whole numbers are taken as they are, in 32 bits on every device. What a file rounds on the way through (to 16 bits)
is not rounded here, so choices agree with the file's but where two actions are as good as equal.
"""

import hashlib
from pathlib import Path

import torch
from torch import Tensor

from renege.agents import Net, parse_agent
from renege.games.encoding import Encoding
from renege.nets import NetFile, read_net, write_net
from renege.train.network import Body, Size, input_scale, make_policy

TARGET = "against.net"  # in the folder: the network that an exploiter learns against


class Frozen:
    """A policy that no longer learns."""

    def __init__(self, net: NetFile, encoding: Encoding, device: torch.device) -> None:
        self.body = body_of(net, encoding).to(device).requires_grad_(False)

    def look(self, rows: Tensor) -> Tensor:
        """What the network makes of rows of bytes."""
        return self.body(rows.float())


def body_of(net: NetFile, encoding: Encoding) -> Body:
    """The policy that a file holds."""
    shape = net.card["shape"]
    if (shape["width"], shape["actions"]) != (encoding.width, len(encoding.actions)):
        raise ValueError(f"the network has other rows or actions than {encoding.game.name} has here")
    body, scale = make_policy(encoding, sizes_of(net)["size"]), input_scale(encoding).double()
    inner = [f"blocks.{i}.{name}" for i in range(shape["blocks"]) for name in ("up", "down")]
    state: dict[str, Tensor] = {"scale": scale.float()}
    for name, layer in zip(("first", *inner, "last"), net.layers, strict=True):
        weights = torch.from_numpy(layer.weights).double()
        if name == "first":  # by input, and the scale of a row's bytes is in it already
            weights = weights.T / scale
        state[f"{name}.weight"] = weights * torch.from_numpy(layer.scale).double()[:, None]
        state[f"{name}.bias"] = torch.from_numpy(layer.bias)
    body.load_state_dict(state)
    return body


def sizes_of(net: NetFile) -> dict[str, Size]:
    """The sizes of a network's policy and, if it has one, of its critic, by their names in a plan."""
    shapes = {"size": net.card["shape"], "critic": net.card.get("critic")}
    return {name: Size(shape["hidden"], shape["blocks"]) for name, shape in shapes.items() if shape}


def keep_target(folder: Path, text: str, game: str) -> tuple[str, NetFile]:
    """Copy the network that is played against into the folder of a training; its digest, as a plan tells it, and it.

    `text` is a file, or an agent that is a network: `net`, `net:FILE`. `ValueError` if another one is there already.
    """
    if Path(text).is_file():
        net = read_net(Path(text).read_bytes())
    else:
        agent = parse_agent(text)
        if not isinstance(agent, Net):
            raise ValueError(f"{text} is no network: name a file, net or net:FILE")
        net = agent.network(game)
    if net.card["game"] != game:
        raise ValueError(f"this network plays {net.card['game']}, not {game}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / TARGET
    before = digest(path) if path.exists() else None
    write_net(folder / f".{TARGET}", net)
    told = digest(folder / f".{TARGET}")
    if before is not None and before != told:
        (folder / f".{TARGET}").unlink()
        raise ValueError(f"{folder} holds a training against another network")
    (folder / f".{TARGET}").replace(path)
    return told, net


def find_target(folder: Path, told: str) -> NetFile:
    """The network that a training is against; `ValueError` if it is missing or not the one that was."""
    path = folder / TARGET
    if not path.exists() or digest(path) != told:
        raise ValueError(f"{path}: the network that this training is against is missing or another one")
    return read_net(path.read_bytes())


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
