"""At the dearest prices that a table may play for, all that counts money still counts right."""

import json
import math
import random
from typing import Any

import pytest

from renege.agents.best import best_player
from renege.ask.serve import reply
from renege.core.arbiter import Arbiter
from renege.core.house_rules import read_rules, write_rules
from renege.core.notation import NotationError
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.solution import Limits
from renege.envs import Env
from renege.games import schafkopf
from renege.games.encoding import encoding_of
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.rules import MONEY, Rules
from renege.search import weigh
from renege.search.review import Known, review
from support.schafkopf_end import Taken, settle

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
    moves = list(review(record, best_player(record.game, worlds=2), limits=Limits(seconds=1)))
    assert len(moves) == len(record.acts)
    assert all(math.isfinite(move.known.cost) for move in moves if isinstance(move.known, Known))


def test_an_environment_pays_the_same(record: Record):
    """The kernel's numbers would not hold such a price, so Python steps it."""
    env = Env(record.game)
    assert not env.in_kernel
    while not env.over:
        env.act(env.legal[0])
    assert sum(env.rewards) == 0


def test_no_deal_at_any_table_pays_more_than_a_float_holds():
    """All prices the dearest, doubled by all, raised without end: in floats and in JSON it is still a whole number."""
    prices = dict.fromkeys((*PRICES, "schneider", "schwarz", "runner"), str(MONEY))
    dear: Rules = read_rules(Rules(), prices | {"stoss_limit": "20", "doubling": "anyone"})
    low, high = encoding_of(schafkopf.game(dear)).worth()
    assert -low == high < 1 << 53
    sie = Bargain("sie", 0, 0, doubled=4, raised=(1, 0) * 10)
    tops = ["EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU"]
    end = settle(dear, sie, None, Taken((120, 0, 0, 0), (8, 0, 0, 0), (tops, (), (), ())))
    assert end.payouts == (3 * 4 * 9 * MONEY << 24, *[-4 * 9 * MONEY << 24] * 3)
    assert end.payouts[0] <= high and float(end.payouts[0]) == end.payouts[0]


def test_rules_and_tariffs_have_one_limit():
    hands = ["EA EZ EK E9 E8 E7 EO EU", "GA GZ GK G9 G8 G7 GO GU", "SA SZ SK S9 S8 S7 SO SU", "HA HZ HK H9 H8 H7 HO HU"]
    *tricks, last = zip(*map(str.split, hands[3:] + hands[:3]), strict=True)  # Herz leads until the Eichel-Ober comes
    told = [" ".join(cards) for cards in (*tricks, last[1:] + last[:1])]
    question = {"ask": "score", "game": "schafkopf", "hands": hands, "declaration": "ramsch", "leader": 3}

    def score(**more: object) -> dict[str, Any]:
        return json.loads(reply(json.dumps(question | {"tricks": told, "doubled": 20} | more).encode())[0])

    named = score(rules={"ramsch": str(MONEY), "ramsch_tie": "all"})
    priced = score(rules={"ramsch_tie": "all"}, tariff={"ramsch": MONEY})
    assert named == priced and max(named["payouts"]) == MONEY << 20, named
    assert str(MONEY) in score(rules={"ramsch": str(MONEY + 1)})["error"]
    assert str(MONEY) in score(tariff={"ramsch": MONEY + 1})["error"]
