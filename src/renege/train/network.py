# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false, reportPrivateImportUsage=false
"""The networks: a policy that sees what a seat sees, and a critic that sees all hands.

Both are the same body: a first layer, then blocks that add to what they are given. Rows are bytes; what counts higher
than a card (points, levels, prices) is scaled down before the first layer, so that all inputs are of a size.
"""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from renege.games.encoding import Encoding

NEVER = -1e9  # the logit of an action that is not open


@dataclass(frozen=True, slots=True)
class Size:
    """How wide a body is, and how many blocks it has."""

    width: int
    blocks: int


POLICY, CRITIC = Size(448, 3), Size(192, 2)  # with the rows of any game a file of both stays under 3 MB


def input_scale(encoding: Encoding) -> Tensor:
    """`float32[width]`: what each byte of a row is multiplied by."""
    scale = torch.ones(encoding.width)
    for name, most in (("points", 64.0), ("tricks", 8.0), ("levels", 14.0), ("stock", 8.0)):
        if name in encoding.sections:
            scale[encoding.sections[name]] = 1 / most
    first = encoding.sections["rules"].start
    for i, name in enumerate(encoding.rule_names):
        if "=" not in name:  # a byte of a number
            scale[first + i] = 1 / 64
    return scale


def normal(x: Tensor) -> Tensor:
    """Without its mean, and of deviation 1. How much each place counts is for the layer behind it to learn."""
    return functional.layer_norm(x, x.shape[-1:])


class Block(nn.Module):
    """Adds to what it is given what two layers make of it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(functional.relu(self.up(normal(x))))


class Body(nn.Module):
    """From a row of bytes to so many numbers."""

    scale: Tensor

    def __init__(self, scale: Tensor, out: int, size: Size) -> None:
        super().__init__()
        self.register_buffer("scale", scale)
        self.first = nn.Linear(len(scale), size.width)
        self.blocks = nn.ModuleList(Block(size.width) for _ in range(size.blocks))
        self.last = nn.Linear(size.width, out)
        nn.init.orthogonal_(self.last.weight, 0.01)
        nn.init.zeros_(self.last.bias)

    def forward(self, rows: Tensor) -> Tensor:
        x = self.first(rows * self.scale)
        for block in self.blocks:
            x = block(x)
        return self.last(normal(x))


def make_policy(encoding: Encoding, size: Size) -> Body:
    """Logits of all actions, open or not."""
    return Body(input_scale(encoding), len(encoding.actions), size)


def make_critic(encoding: Encoding, size: Size) -> Body:
    """What the deal is worth to each seat, the one to act first, from its row and what it does not see."""
    scale = torch.cat([input_scale(encoding), torch.ones(encoding.hidden_width)])
    return Body(scale, encoding.game.players, size)


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """Logits in which only open actions count."""
    return torch.where(mask.bool(), logits.float(), NEVER)


def quick_at_16_bits(device: torch.device) -> bool:
    """Does a device multiply matrices of bfloat16 faster than of float32? GPUs do, and CPUs with AVX-512 for it."""
    return device.type == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported()


class Fast:
    """A network as it is learnt, in 32 bits, and the same in what a device is quick at: 16 bits where it can."""

    def __init__(self, body: Body, device: torch.device) -> None:
        self.body = body.to(device)
        self.twin = copy.deepcopy(body).to(torch.bfloat16) if quick_at_16_bits(device) else body
        self.kept, self.used = list(self.body.parameters()), list(self.twin.parameters())
        for parameter in self.kept:
            parameter.grad = torch.zeros_like(parameter)

    @torch.no_grad()
    def refresh(self) -> None:
        """The twin is what was learnt."""
        if self.twin is not self.body:
            torch._foreach_copy_(tuple(self.used), tuple(self.kept))
            self.twin.scale.copy_(self.body.scale)

    def look(self, rows: Tensor) -> Tensor:
        """What the network makes of rows of bytes."""
        return self.twin(rows.to(self.used[0].dtype)).float()

    def slope(self, loss: Tensor, most: float) -> None:
        """The gradient of a loss, at most so long, where the optimizer looks for it."""
        found = torch.autograd.grad(loss, self.used)
        with torch.no_grad():
            slopes = [parameter.grad for parameter in self.kept if parameter.grad is not None]
            torch._foreach_copy_(slopes, list(found))
        nn.utils.clip_grad_norm_(self.kept, most)
