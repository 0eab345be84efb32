"""A network on a device: are its numbers the CPU's, bit by bit?"""

import numpy as np
import pytest

from renege.native.gpu.net import NetOnDevice
from support.random_nets import random_network, random_rows


@pytest.mark.parametrize(("width", "hidden", "blocks", "actions"), [(612, 512, 3, 70), (33, 16, 0, 1), (77, 48, 4, 67)])
def test_the_numbers_are_the_cpus(gpu, width: int, hidden: int, blocks: int, actions: int):
    net = random_network(width, hidden, blocks, actions)
    parts = [[getattr(layer, part) for layer in net.layers] for part in ("weights", "scale", "bias")]
    there = NetOnDevice(gpu, *parts)
    for count in (1, 8, 21):
        rows = random_rows(count, width, seed=count)
        np.testing.assert_array_equal(there.logits(rows).numpy(), net.logits(rows))
    with pytest.raises(ValueError, match=f"rows of 5 bytes, and the network sees {width}"):
        there.logits(np.zeros((1, 5), np.uint8))
