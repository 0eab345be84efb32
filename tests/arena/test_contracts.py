"""A network's deals in batches are those of the arena, and what is told of its contracts and decisions holds."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from renege.agents import Net
from renege.arena.greedy import play_greedily
from renege.arena.match import play_deal, terms
from renege.core.game import SEATS, Standing
from renege.core.registry import find_game
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.nets import write_net
from support.random_nets import random_network
from support.scripts import bench

contracts, decisions = bench("contracts"), bench("decisions")


def net_file(name: str, folder: Path) -> Path:
    """A network of chance, in a file."""
    encoding = encoding_of(find_game(name), Rows(1))
    path = folder / f"{name}.net"
    made = random_network(encoding.width, 16, 1, len(encoding.actions))
    made.card.update(game=name, rows=1, rules={})
    write_net(path, made)
    return path


@pytest.mark.parametrize("name", ["texas42", "tractor", "schafkopf"])
def test_deals_in_batches_are_those_of_the_agent(name: str, tmp_path: Path):
    game, agent = find_game(name), Net(str(net_file(name, tmp_path)))
    deals = [(seed, Standing(seed % 4, terms(game).score)) for seed in range(8)]
    compared = 0
    for (seed, standing), moment in zip(deals, play_greedily(game, agent.network(name), deals), strict=True):
        streams = [random.Random(seat) for seat in SEATS]
        record = play_deal(game, [agent] * 4, seed, streams, standing).record
        assert moment.over
        broke_in = [i for i, (act, position) in enumerate(record.steps()) if position.turn != act.seat]
        same = slice(broke_in[0] if broke_in else None)
        assert moment.acts[same] == record.acts[same]
        if not broke_in:
            assert moment.rewards == ((0,) * 4 if record.position.result is None else record.position.result.score)
            compared += 1
    assert compared >= 2


def test_kinds_of_contracts():
    kinds = {
        ("texas42", "trump 5 bid 31"): "bid 31",
        ("texas42", "follow-me bid 2 marks"): "bid 2 marks",
        ("texas42", "nello doubles low bid 1 mark"): "nello 1 mark",
        ("texas42", "trump 0 plunge 4 marks"): "plunge 4 marks",
        ("schafkopf", "rufspiel E"): "rufspiel",
        ("schafkopf", "solo G tout"): "solo tout",
        ("schafkopf", "ramsch"): "ramsch",
        ("tractor", "trump H2"): "trump H2",
    }
    for (game, text), kind in kinds.items():
        assert contracts.kind_of(game, text) == kind


@pytest.mark.parametrize("name", ["texas42", "schafkopf", "tractor"])
def test_shares_of_contracts_are_counted_as_they_were_played(name: str, tmp_path: Path):
    net, deals = net_file(name, tmp_path), 12
    found = {
        "net": contracts.by_net(name, net, 1, deals, True, 0),
        "rulebook": contracts.by_rulebook(name, 1, deals, True, 0),
    }
    assert all(len(outcomes) == deals for outcomes in found.values())
    head, *lines, whole = contracts.table(found, "points")
    assert len(head) == 7 and whole[0] == "all contracts"
    counted = Counter(text for text, _, _ in found["rulebook"])
    assert {line[0]: line[4] for line in lines if counted[line[0]]} == {
        text: f"{count / deals:.2%}" for text, count in counted.items()
    }
    made = [made for _, made, _ in found["rulebook"] if made is not None]
    assert whole[5] == f"{np.mean(made):.1%}"
    for text, was_made, paid in found["rulebook"]:
        assert was_made is None or (paid > 0) == was_made, text


@pytest.mark.parametrize("name", ["texas42", "schafkopf", "tractor"])
def test_decisions_are_the_networks_own(name: str, tmp_path: Path):
    game, agent = find_game(name), Net(str(net_file(name, tmp_path)))
    found = decisions.drawn(game, agent, 4, 1, differ=False)
    assert len(found) == 4 and sum(one.called for one in found) == 2
    for one in found:
        assert sum(share for _, share in one.shares) == pytest.approx(1)
        shares = [share for _, share in one.shares]
        assert shares == sorted(shares, reverse=True)
        if not agent.network(name).encoding(game).several:
            assert one.net.startswith(one.shares[0][0])  # a call may name more than its action does
        text = "\n".join(one.lines())
        assert one.rulebook in text and str(one.view.hand) in text
    assert all(one.net != one.rulebook for one in decisions.drawn(game, agent, 4, 2, differ=True))
