"""Prices, at their edges, worked out by hand; and what a renege costs."""

from dataclasses import replace

import pytest

from reference import schafkopf as reference
from renege.core.arbiter import judge
from renege.core.house_rules import read_rules
from renege.core.position import Course
from renege.games import schafkopf
from renege.games.schafkopf.rules import Rules
from renege.games.schafkopf.score import Outcome, price, runners
from support.schafkopf_deals import deals
from support.schafkopf_end import Taken, settle


def rules(**choices: str) -> Rules:
    return read_rules(Rules(), choices)


def ended(
    points: int,
    declaration: str = "rufspiel E",
    *,
    house: Rules | None = None,
    tricks: int = 4,
    raised: tuple[int, ...] = (),
    held: str = "EO HO",
) -> Outcome:
    """A deal of seat 0 (with seat 2) that took so many points and tricks; EO and HO are a row of one."""
    contract = schafkopf.Bargain(declaration, 0, 0, raised=raised)
    partner = 2 if contract.named.kind == "rufspiel" else None
    theirs = 120 - points
    taken = Taken((points, theirs, 0, 0), (tricks, 8 - tricks, 0, 0), (held.split(), (), (), ()))
    return settle(house or Rules(), contract, partner, taken)


@pytest.mark.parametrize(
    ("points", "won", "schneider"),
    [
        (120, True, True),
        (91, True, True),  # 29 for the others
        (90, True, False),  # 30 frees them
        (61, True, False),
        (60, False, False),  # level loses
        (31, False, False),  # 31 frees the declarers
        (30, False, True),
        (0, False, True),
    ],
)
def test_sixty_one_wins_and_the_sides_escape_schneider_one_apart(points: int, won: bool, schneider: bool):
    end = ended(points)
    assert (end.won, end.schneider, end.schwarz) == (won, schneider, False)
    value = 30 if schneider else 20
    assert end.payouts == ((value, -value, value, -value) if won else (-value, value, -value, value))
    assert end.points == (points, 120 - points)


@pytest.mark.parametrize(
    ("points", "won", "schneider"),
    [(90, True, False), (91, True, True), (60, True, False), (59, False, False), (30, False, False), (29, False, True)],
)
def test_where_a_stoss_takes_over_the_others_need_sixty_one(points: int, won: bool, schneider: bool):
    end = ended(points, house=rules(stoss_role="takes-over"), raised=(1,))
    if points in (90, 91):  # now the others are free with 31
        assert end.schneider == (120 - points < 31)
        return
    assert (end.won, end.schneider) == (won, schneider)
    again = ended(points, house=rules(stoss_role="takes-over"), raised=(1, 0))
    assert again.won == (points >= 61)
    assert ended(points, raised=(1,)).won == (points >= 61)


def test_schwarz_comes_on_top_of_schneider():
    assert ended(120, tricks=8).payouts == (40, -40, 40, -40)
    assert ended(120, tricks=7).payouts == (30, -30, 30, -30)  # a trick of nothing is one
    assert ended(0, tricks=0).payouts == (-40, 40, -40, 40)


def test_a_soloist_pays_or_gets_three_times():
    assert ended(61, "solo G").payouts == (150, -50, -50, -50)
    assert ended(60, "wenz", held="EU HU").payouts == (-150, 50, 50, 50)


def test_tout_sie_and_bettel():
    assert ended(120, "solo G tout", tricks=8).payouts == (300, -100, -100, -100)
    assert ended(119, "solo G tout", tricks=7).payouts == (-300, 100, 100, 100)
    every = "EO GO HO SO EU GU HU SU"
    sie = ended(120, "sie", tricks=8, held=every)
    assert (sie.runners, sie.payouts) == (8, (4 * 3 * 130, -520, -520, -520))
    assert ended(0, "bettel", tricks=0).payouts == (150, -50, -50, -50)
    assert ended(0, "bettel", tricks=1).payouts == (-150, 50, 50, 50)


def test_runners_are_counted_with_or_without_from_a_least_number_on():
    assert runners("rufspiel E", Rules().deck, ["EO", "GO", "HO"]) == 3
    assert runners("rufspiel E", Rules().deck, ["SO"]) == 3
    assert runners("solo S", Rules().deck, reference.trumps("solo S")) == 14
    assert runners("wenz", Rules().deck, []) == 4
    assert runners("bettel", Rules().deck, ["EO"]) == 0
    assert ended(61, held="EO GO").runners == 0
    assert ended(61, held="EO GO HO").payouts[0] == 50
    assert ended(61, held="SO").payouts[0] == 50
    assert ended(61, "wenz", held="EU GU").runners == 0
    assert ended(61, "wenz", held="EU GU", house=rules(runners_from_wenz="2")).payouts[0] == 3 * 70
    assert ended(61, "farbwenz G", held="EU GU", house=rules(runners_from_wenz="2")).runners == 0


def test_doublings_and_stosses_multiply():
    contract = schafkopf.Bargain("rufspiel E", 0, 0, doubled=2, raised=(1, 0))
    assert price(Rules(), contract, 10) == 30 * 16
    assert price(Rules(), schafkopf.Bargain("wenz tout", 0, 0, raised=(1,)), 0) == 50 * 2 * 2


def test_a_renege_loses_the_plain_price_for_the_side_of_who_did_it():
    seen: set[tuple[str, int]] = set()
    for deal in deals("penalty", 2, careless=0.3):
        judgement = judge(deal.record)
        if not judgement.breaches:
            continue
        assert judgement.result is not None
        offender, pays = judgement.breaches[0].seat, judgement.result.score
        contract = deal.contract
        assert sum(pays) == 0
        if contract.declarer is None:
            assert pays == tuple(-30 if seat == offender else 10 for seat in range(4))
            continue
        value = price(Rules(), contract, 0)
        partner = next(
            (seat for seat in range(4) if f"{contract.declaration[-1]}A" in deal.hands[seat]), None
        ) if contract.named.kind == "rufspiel" else contract.partner  # fmt: skip
        side = {contract.declarer, partner}
        loses = offender in side
        seen.add((contract.named.kind, loses))
        assert pays[contract.declarer] == (-1 if loses else 1) * value * (1 if len(side - {None}) == 2 else 3)
        if partner is not None:
            assert pays[partner] == pays[contract.declarer]
    assert {("rufspiel", True), ("rufspiel", False), ("solo", True), ("wenz", False)} <= seen


def test_a_march_is_won_from_91_points_on():
    house = rules(march="from-91")
    ramsch = schafkopf.Bargain("ramsch", None, 0)
    held = ((), (), (), ())
    assert settle(house, ramsch, None, Taken((91, 29, 0, 0), (5, 3, 0, 0), held)).payouts == (30, -10, -10, -10)
    assert settle(house, ramsch, None, Taken((90, 30, 0, 0), (5, 3, 0, 0), held)).payouts[0] < 0


def test_runners_of_a_geier_count_from_their_own_number():
    assert ended(61, "geier", held="EO GO").runners == 0
    assert ended(61, "geier", held="EO GO", house=rules(runners_from_wenz="2")).runners == 2


def test_a_renege_in_a_doubled_ramsch_costs_the_doubled_price():
    position = schafkopf.position("ramsch doubled 1 | 0: E9 E8 | 1: EZ G7 | 2: EK S8 | 3: GK GZ | 0 leads")
    course = Course(position)
    for card in ("E9", "G7", "EK", "GK"):
        course = replace(course, acts=(*course.acts, course.position.read(card)))
    result = judge(course).result
    assert result is not None
    assert result.score == (20, -60, 20, 20)


def test_a_view_that_does_not_show_the_partner_settles_no_renege():
    """The declarer reneges; who pays with him, the hands alone tell."""
    position = schafkopf.position("rufspiel E by 1 | 0: G9 E8 GO | 1: EZ G7 H7 | 2: EA GK S8 | 3: GZ S9 HZ | 0 leads")
    course = Course(position)
    for card in ("G9", "EZ", "GK", "GZ", "HZ", "GO", "H7", "S8", "E8", "G7"):
        course = replace(course, acts=(*course.acts, course.position.read(card)))
    told = judge(course).result
    assert told is not None and told.score == (20, -20, -20, 20)
    hidden = replace(position, hands=tuple(position.game.deck.hidden(3) for _ in range(4)))
    unseen = judge(replace(course, start=hidden))
    assert unseen.breaches and unseen.result is None
