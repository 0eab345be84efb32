# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""From a trained policy to a file that plays without PyTorch: weights as whole numbers.

The scale of a row's bytes is put into the first layer, so that what is left is sums of whole numbers.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from torch import Tensor

from renege.core.house_rules import write_all_rules
from renege.core.version import version
from renege.games.encoding import Encoding
from renege.games.training import House
from renege.native.arrays import F32, F64
from renege.nets.file import Layer, NetFile, pack_net
from renege.train.network import Block, Body, Size
from renege.train.plan import TrainPlan

BITS_16, BITS_12, BITS_8 = 32767, 2047, 127
MOST_BYTES = 3_000_000  # of a file


def export(policy: Body, critic: Body, plan: TrainPlan, encoding: Encoding, trained: dict[str, Any]) -> NetFile:
    """The networks as a file; `trained` says for how long and on what. A critic that makes it too large is left out."""
    card = {
        "game": plan.game,
        "rows": encoding.rows.version,
        "shape": _shape(encoding.width, plan.size, len(encoding.actions)),
        "rules": rules_met(plan, encoding),
        "trained": {**trained, "renege": version()},
    }
    layers, judges = tuple(_layers(policy)), tuple(_layers(critic))
    whole = {**card, "critic": _shape(encoding.width + encoding.hidden_width, plan.critic, encoding.game.players)}
    whole["units"] = [{"rules": felt_rules(plan, house, encoding), "unit": house.unit} for house in plan.houses]
    net = NetFile(whole, layers, judges)
    return net if len(pack_net(net)) <= MOST_BYTES else NetFile(card, layers)


def _shape(width: int, size: Size, actions: int) -> dict[str, int]:
    return {"width": width, "hidden": size.width, "blocks": size.blocks, "actions": actions}


def _layers(body: Body) -> Iterator[Layer]:
    first = _array(body.first.weight) * _array(body.scale)
    yield _rounded(first, _array(body.first.bias), BITS_16, by_input=True)
    for block in body.blocks:
        assert isinstance(block, Block)
        yield from (_rounded(_array(layer.weight), _array(layer.bias), BITS_8) for layer in (block.up, block.down))
    yield _rounded(_array(body.last.weight), _array(body.last.bias), BITS_12)


def felt_rules(plan: TrainPlan, house: House, encoding: Encoding) -> dict[str, str]:
    """The house rules of a house that a deal feels."""
    rules = write_all_rules(plan.table(house).rules)
    return {rule: value for rule, value in rules.items() if rule not in encoding.rules_not_felt}


def rules_met(plan: TrainPlan, encoding: Encoding) -> dict[str, list[str]]:
    """For each house rule that a deal feels, the choices that the network met."""
    houses = [felt_rules(plan, house, encoding) for house in plan.houses]
    return {rule: sorted({house[rule] for house in houses}) for rule in houses[0]}


def _rounded(weights: F64, bias: F64, most: int, *, by_input: bool = False) -> Layer:
    """Weights `[outputs, inputs]` as whole numbers up to `most`, an own scale for each output."""
    scale = np.maximum(np.abs(weights).max(axis=1), 1e-12) / most
    whole = np.rint(weights / scale[:, None]).astype(np.int16)
    kept: F32 = scale.astype(np.float32)
    return Layer(np.ascontiguousarray(whole.T if by_input else whole), kept, bias.astype(np.float32))


def _array(tensor: Tensor) -> F64:
    return tensor.detach().cpu().double().numpy()
