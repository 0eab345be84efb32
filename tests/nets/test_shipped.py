"""Are the networks that come with the package whole, small, told of beside them, and players of their game?"""

import random
import re
from importlib.resources import files
from pathlib import Path

import pytest

from renege.agents import Net, check_agent
from renege.core.arbiter import Arbiter
from renege.core.registry import find_game
from renege.nets import find_net
from renege.nets.file import MOST_BYTES

DATA = Path(str(files("renege.nets"))) / "data"
SHIPPED = sorted(path.stem for path in DATA.glob("*.net"))


def test_some_are_shipped_and_nothing_else_lies_there():
    assert "texas42" in SHIPPED
    expected = {f"{game}{ending}" for game in SHIPPED for ending in (".net", ".md")}
    assert {path.name for path in DATA.iterdir()} == expected


@pytest.mark.parametrize("game", SHIPPED)
def test_each_is_small_and_its_card_tells_how_it_was_trained(game: str):
    assert (DATA / f"{game}.net").stat().st_size <= MOST_BYTES
    net, card = find_net(game), (DATA / f"{game}.md").read_text("utf-8")
    trained = net.card["trained"]
    assert net.card["game"] == game
    assert f"{trained['deals']:,} deals" in card
    assert f"{trained['rounds']} rounds" in card
    for heading in ("## Trained", "## Matches", "## Faults"):
        assert heading in card
    assert re.search(r"`renege train .*`", card)


@pytest.mark.parametrize("game", SHIPPED)
def test_each_plays_whole_deals_under_the_default_rules(game: str):
    table, rng = find_game(game), random.Random(1)
    check_agent(Net(), table)
    assert find_net(game).unit(table) is not None
    for seed in range(5):
        arbiter = Arbiter(table, seed)
        while (turn := arbiter.position.turn) is not None:
            view = arbiter.view(turn)
            said = Net().interject(view, rng) if turn in view.position.speakers and not view.position.talking else None
            assert arbiter.act(turn, (said or Net().choose(view, rng)).what).legal
