"""At the dearest prices that a table may play for, all that counts money still counts right."""

import math
import random

import pytest

from renege.arbiter import Arbiter
from renege.envs import Env
from renege.games import find_game
from renege.games.schafkopf.declare import Bargain
from renege.games.schafkopf.rules import MONEY
from renege.house_rules import write_rules
from renege.notation import NotationError
from renege.record import Record
from renege.review import Known, review, solver_of
from renege.search import weigh
from renege.solving import Limits

PRICES = ("base", "solo", "extra", "ramsch", "stock")
DEAREST = dict.fromkeys(PRICES, str(MONEY)) | {"doubling": "anyone"}
TOUT = 32  # the seed of a deal in which seat 0 can bid a tout, all double, and four Stoss follow


@pytest.fixture(scope="module")
def record() -> Record:
    """Everybody doubles, the dearest game is bid, and the stakes are raised as often as the rules allow."""
    table, rng = Arbiter(find_game("schafkopf", DEAREST), TOUT), random.Random(TOUT)
    while (seat := table.position.turn) is not None:
        position = table.position
        raising = [s for s in position.speakers if "stoss" in tuple(position.floor(s).calls(position.hands[s]))]
        if raising:
            assert table.act(raising[0], "stoss")
        elif position.talking:
            dear = [call for call in position.legal_calls if call == "double" or call.endswith("tout")]
            assert table.act(seat, rng.choice(dear or position.legal_calls))
        else:
            assert table.act(seat, position.legal_plays.choose(rng))
    return table.record


@pytest.mark.parametrize("price", PRICES)
def test_a_price_beyond_the_dearest_is_refused_by_name(price: str):
    assert write_rules(find_game("schafkopf", {price: str(MONEY)}).rules)[price] == str(MONEY)
    for beyond in (str(MONEY + 1), "9223372036854775807", "9" * 5000, "-1"):
        with pytest.raises(NotationError, match=price):
            find_game("schafkopf", {price: beyond})


def test_the_price_of_a_deal_is_what_the_doublings_make_it(record: Record):
    contract, result = record.position.contract, record.position.result
    assert result is not None
    assert isinstance(contract, Bargain) and (contract.doubled, len(contract.raised)) == (4, 4)
    assert result.score == (-3 * 2 * MONEY * 2**8, *[2 * MONEY * 2**8] * 3)  # a tout without runners


def test_hints_and_strong_bots_work_it_out(record: Record):
    for acts in range(0, len(record.acts), 5):
        part = Record(record.start, record.acts[:acts])
        turn = part.position.turn
        assert turn is not None
        found = weigh(part.view(turn), worlds=4, seed=1)
        assert len(found.estimates) == 1 or all(math.isfinite(one.mean) for one in found.estimates)


def test_a_review_works_it_out(record: Record):
    moves = list(review(record, solver_of(record.game), worlds=2, limits=Limits(seconds=1)))
    assert len(moves) == len(record.acts)
    assert all(math.isfinite(move.known.cost) for move in moves if isinstance(move.known, Known))


def test_an_environment_pays_the_same(record: Record):
    """The kernel's numbers would not hold such a price, so Python steps it."""
    env = Env(record.game)
    assert not env.in_kernel
    while not env.over:
        env.act(env.legal[0])
    assert sum(env.rewards) == 0
