# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""From a trained policy to a file that plays without PyTorch: weights as whole numbers.

The scale of a row's bytes is put into the first layer, so that what is left is sums of whole numbers.
"""

from typing import Any

import numpy as np
from torch import Tensor

from renege.core.house_rules import write_rules
from renege.core.version import version
from renege.games.encoding import Encoding
from renege.native.arrays import F32, F64
from renege.nets.file import Layer, NetFile
from renege.train.network import Body
from renege.train.plan import TrainPlan

BITS_16, BITS_12, BITS_8 = 32767, 2047, 127


def export(policy: Body, plan: TrainPlan, encoding: Encoding, trained: dict[str, Any]) -> NetFile:
    """The policy as a file; `trained` says for how long and on what."""
    first = _array(policy.first.weight) * _array(policy.scale)
    layers = [_rounded(first, _array(policy.first.bias), BITS_16, by_input=True)]
    for block in policy.blocks:
        layers += [_rounded(_array(layer.weight), _array(layer.bias), BITS_8) for layer in (block.up, block.down)]
    layers.append(_rounded(_array(policy.last.weight), _array(policy.last.bias), BITS_12))
    shape = {"width": encoding.width, "hidden": plan.size.width, "blocks": plan.size.blocks}
    card = {
        "game": plan.game,
        "rows": encoding.rows.version,
        "shape": {**shape, "actions": len(encoding.actions)},
        "rules": rules_met(plan, encoding),
        "trained": {**trained, "renege": version()},
    }
    return NetFile(card, tuple(layers))


def rules_met(plan: TrainPlan, encoding: Encoding) -> dict[str, list[str]]:
    """For each house rule that a deal feels, the choices that the network met."""
    houses = [write_rules(plan.table(house).rules) for house in plan.houses]
    felt = [rule for rule in houses[0] if rule not in encoding.rules_not_felt]
    return {rule: sorted({house[rule] for house in houses}) for rule in felt}


def _rounded(weights: F64, bias: F64, most: int, *, by_input: bool = False) -> Layer:
    """Weights `[outputs, inputs]` as whole numbers up to `most`, an own scale for each output."""
    scale = np.maximum(np.abs(weights).max(axis=1), 1e-12) / most
    whole = np.rint(weights / scale[:, None]).astype(np.int16)
    kept: F32 = scale.astype(np.float32)
    return Layer(np.ascontiguousarray(whole.T if by_input else whole), kept, bias.astype(np.float32))


def _array(tensor: Tensor) -> F64:
    return tensor.detach().cpu().double().numpy()
