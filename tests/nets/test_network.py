"""Does the kernel come to the numbers of the reference, bit by bit, and is a file what was written?"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference.network import logits
from renege import _kernel, schafkopf, texas42
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.nets import NetFile, find_net, read_net, write_net
from renege.nets.file import Layer
from support.random_nets import random_network, random_rows


@pytest.mark.parametrize(("width", "hidden", "blocks", "actions"), [(613, 512, 3, 70), (33, 16, 0, 1), (77, 48, 8, 67)])
@pytest.mark.parametrize("size", [1.0, 40.0, 1e-4])
def test_the_kernel_comes_to_the_references_numbers(width: int, hidden: int, blocks: int, actions: int, size: float):
    net, seen = random_network(width, hidden, blocks, actions, size=size), random_rows(19, width)
    parts = [[getattr(layer, part) for layer in net.layers] for part in ("weights", "scale", "bias")]
    expected = np.array([logits(row, *parts) for row in seen])
    kernel = _kernel.Net(*parts)
    for path in _kernel.net_paths():
        for threads in (1, 3):
            out = np.empty_like(expected)
            kernel.logits(seen, out, path, threads)
            np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(net.logits(seen[:1]), expected[:1])


def test_nothing_overflows_at_the_edge():
    """The largest weights there are, all of one sign, and inputs of all sizes: sums stay within 32 bits."""
    hidden = 512
    ones = Layer(np.full((4, hidden), 32767, np.int16), np.full(hidden, 1e-3, np.float32), np.zeros(hidden, np.float32))
    up = Layer(np.full((hidden, hidden), 127, np.int16), *([np.ones(hidden, np.float32)] * 2))
    down = Layer(np.full((hidden, hidden), -127, np.int16), *([np.ones(hidden, np.float32)] * 2))
    last = Layer(np.full((2, hidden), 2047, np.int16), np.ones(2, np.float32), np.zeros(2, np.float32))
    layers = (ones, up, down, last)
    parts = [[getattr(layer, part) for layer in layers] for part in ("weights", "scale", "bias")]
    seen = np.full((3, 4), 255, np.uint8)
    seen[1] = 0
    for path in _kernel.net_paths():
        out = np.empty((3, 2), np.float32)
        _kernel.Net(*parts).logits(seen, out, path, 1)
        np.testing.assert_array_equal(out, np.array([logits(row, *parts) for row in seen]))


def test_a_file_is_what_was_written(tmp_path: Path):
    net, path = random_network(40, 32, 2, 9), tmp_path / "a.net"
    assert write_net(path, net) == path.stat().st_size
    again = read_net(path.read_bytes())
    assert {**again.card, "digest": None} == {**net.card, "digest": None}
    for one, other in zip(net.layers, again.layers, strict=True):
        for part in ("weights", "scale", "bias"):
            np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    data = path.read_bytes()
    for bad in (
        b"",
        data[:-1],
        data + b"x",
        b"x" + data,
        data[:30],
        data.replace(b'"hidden": 32', b'"hidden": 33'),
        flip(data),
    ):
        with pytest.raises(ValueError, match="network"):
            read_net(bad)
    for name in ("game", "rows", "rules"):
        write_net(path, NetFile({key: value for key, value in net.card.items() if key != name}, net.layers))
        with pytest.raises(ValueError, match=f"its card does not tell {name}"):
            read_net(path.read_bytes())


def flip(data: bytes) -> bytes:
    """One bit of a weight is another."""
    return data[:-100] + bytes([data[-100] ^ 1]) + data[-99:]


def parts_of(net: NetFile) -> list[list[Any]]:
    return [[getattr(layer, part) for layer in net.layers] for part in ("weights", "scale", "bias")]


@pytest.mark.parametrize("change", ["missing", "narrow", "odd", "nan", "large"])
def test_layers_that_do_not_fit_are_refused(change: str):
    layers = parts_of(random_network(10, 30 if change == "odd" else 32, 1, 5))
    if change == "missing":
        layers[0].pop()
    elif change == "narrow":
        layers[0][1] = layers[0][1][:, :16].copy()
    elif change == "nan":
        layers[1][2] = np.full(32, np.nan, np.float32)
    elif change == "large":
        layers[0][2][31, 31] = 128
    with pytest.raises(ValueError, match=r"a network|a layer"):
        _kernel.Net(*layers)


def test_a_rule_that_it_never_met_is_refused_by_name():
    width = encoding_of(texas42.game(), Rows(1)).width
    net = random_network(width, 32, 1, 9)
    net.card["rules"] = {"all_pass": ["reshake", "force-30"]}
    assert net.encoding(texas42.game()).rows.version == 1
    with pytest.raises(ValueError, match="not trained under all_pass=force-31"):
        net.encoding(texas42.game(all_pass="force-31"))
    with pytest.raises(ValueError, match="plays texas42, not schafkopf"):
        net.encoding(schafkopf.game())
    with pytest.raises(ValueError, match="not trained with this deck"):
        random_network(width + 1, 32, 1, 9).encoding(texas42.game())
    with pytest.raises(ValueError, match="no network for whist"):
        find_net("whist")
