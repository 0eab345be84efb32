"""Roles apart: who declared is told as the records have it, parts add up to the whole, and a shared agent is shared."""

import dataclasses
import random
from typing import Any

import pytest

from renege.agents import Agent, Random, Rulebook
from renege.arena import run
from renege.arena.match import Half, PlayedDeal, Shared, play_deal, terms
from renege.arena.roles import Role, role_of, roles_apart, split_by_calls, split_by_role
from renege.arena.run import MatchPlan, make_plan, play_pairs
from renege.arena.stats import estimate
from renege.arena.summary import summarise
from renege.core.game import SEATS, Standing
from renege.core.position import View
from renege.core.registry import find_game
from renege.games.strategy import Advice
from support.steering import SOAK

GAMES = ("texas42", "tractor", "schafkopf")


def plan(game: str = "texas42", a: str = "rulebook", b: str = "random", **other: Any) -> MatchPlan:
    asked: dict[str, Any] = {"seed": 1, "pairs": 8, **other}
    return dataclasses.replace(make_plan(find_game(game), a, b, **asked), renege="0")


def played(name: str, agents: list[Agent], seed: int, shared: Shared | None = None) -> PlayedDeal:
    game = find_game(name)
    streams = [random.Random(f"{seed}:{seat}") for seat in SEATS]
    return play_deal(game, agents, seed, streams, Standing(seed % 4, terms(game).score), shared)


# -- who declared


@pytest.mark.parametrize("name", GAMES)
def test_roles_of_the_two_sides_mirror_each_other(name: str):
    other = {Role.DECLARER: Role.DEFENDER, Role.DEFENDER: Role.DECLARER}
    met: set[Role] = set()
    for seed in range(40 * SOAK):
        position = played(name, [Rulebook()] * 4, seed).record.position
        even, odd = role_of(position, (0, 2)), role_of(position, (1, 3))
        assert odd is other.get(even, even)
        if position.contract is not None and position.contract.declarer is not None:
            assert even is not Role.NOBODY
            if even is not Role.SPLIT:
                assert (even is Role.DECLARER) == (position.contract.declarer % 2 == 0)
        met.add(even)
    assert {Role.DECLARER, Role.DEFENDER} <= met


def test_a_schafkopf_side_is_who_has_the_called_ace():
    """Read off the cards: in a Rufspiel the declarer's side is the declarer and who was dealt the called ace."""
    split = alone = 0
    for seed in range(60):
        record = played("schafkopf", [Rulebook()] * 4, seed).record
        position, contract = record.position, record.position.contract
        role = role_of(position, (0, 2))
        if contract is None or contract.declarer is None:
            assert role is Role.NOBODY
        elif contract.declaration.startswith("rufspiel"):
            ace = position.game.deck.spellings[f"{contract.declaration.split()[-1]}A"]
            (partner,) = (seat for seat in SEATS if ace in record.start.hands[seat])
            assert (role is Role.SPLIT) == (partner % 2 != contract.declarer % 2)
            split += role is Role.SPLIT
        else:
            assert role is (Role.DEFENDER if contract.declarer % 2 else Role.DECLARER)
            alone += 1
    assert split > 5 and alone > 3


# -- parts of the mean


@pytest.mark.parametrize("name", GAMES)
def test_parts_add_up_to_the_mean(name: str):
    pairs = list(play_pairs(plan(name), range(12)))
    told = [pair.told for pair in pairs]
    mean = estimate([pair.score for pair in pairs]).mean
    assert sum(part.adds.mean for part in split_by_role(told).values()) == pytest.approx(mean)
    assert sum(part.share for part in split_by_role(told).values()) == pytest.approx(1)
    assert sum(part.adds.mean for part in split_by_calls(told)) == pytest.approx(mean)
    for part in split_by_role(told).values():
        assert part.lead * part.share == pytest.approx(part.adds.mean)  # deal by deal
    for pair in pairs:
        for one in pair.rounds:
            assert sum(one.leads) == one.score and len(one.roles) == len(one.results)


def test_parts_are_what_they_are_by_hand():
    told = [
        (1.0, True, [(Role.DECLARER, 3.0), (Role.DEFENDER, -1.0)]),
        (0.5, False, [(Role.DECLARER, 1.0), (Role.NOBODY, 0.0)]),
    ]
    roles = split_by_role(told)
    assert set(roles) == {Role.DECLARER, Role.DEFENDER, Role.NOBODY}
    assert (roles[Role.DECLARER].share, roles[Role.DECLARER].lead, roles[Role.DECLARER].adds.mean) == (0.5, 2.0, 1.0)
    assert (roles[Role.DEFENDER].share, roles[Role.DEFENDER].lead, roles[Role.DEFENDER].adds.mean) == (
        0.25,
        -1.0,
        -0.25,
    )
    alike, different = split_by_calls(told)
    assert (alike.share, alike.lead, alike.adds.mean) == (0.5, 1.0, 0.5)
    assert (different.share, different.lead, different.adds.mean) == (0.5, 0.5, 0.25)


def test_a_summary_tells_the_parts():
    made = plan(pairs=12, play_by="rulebook")
    summary = summarise(made, list(play_pairs(made, range(12))), 12)
    lines = list(summary.lines())
    assert "rulebook plays for all four seats" in lines
    assert any(line.startswith("rulebook declares: ") and "% of deals" in line for line in lines)
    assert any(line.startswith("called differently in both rounds: ") for line in lines)
    answer = summary.answer()
    assert answer["play_by"] == "rulebook" and answer["talk_by"] is None
    assert sum(part["adds"] for part in answer["roles"].values()) == pytest.approx(answer["mean"])


# -- one half by one agent


class Told(Random):
    """Plays at random, and notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__("told")
        object.__setattr__(self, "asked", [])

    asked: list[tuple[int, bool]]
    __slots__ = ("asked",)

    def choose(self, view: View, rng: random.Random) -> Advice:
        self.asked.append((view.seat, view.position.talking))
        return super().choose(view, rng)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("half", list(Half))
def test_each_half_is_answered_by_its_own_agent(name: str, half: Half):
    own, common = Told(), Told()
    shared = Shared(common, half, [random.Random(seat) for seat in SEATS])
    deals = (played(name, [own] * 4, seed, shared) for seed in range(50))
    deal = next(deal for deal in deals if len(deal.talk) < len(deal.record.acts))  # one that was not thrown in
    assert own.asked and common.asked
    assert {talking for _, talking in common.asked} == {half is Half.TALK}
    assert {talking for _, talking in own.asked} == {half is Half.PLAY}
    timed = sum(map(len, deal.seconds))
    assert timed < len(deal.record.acts)  # the shared agent's moves are not


@pytest.mark.parametrize("name", GAMES)
def test_who_calls_for_all_calls_alike_in_both_rounds(name: str):
    """Even by chance: its streams are the same, so that only the play tells the agents apart."""
    pairs = list(play_pairs(plan(name, talk_by="random"), range(20 * SOAK)))
    assert all(pair.alike for pair in pairs)
    assert any(pair.score for pair in pairs)
    assert not all(pair.alike for pair in play_pairs(plan(name, "random", "random"), range(6 * SOAK)))


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
def test_where_all_is_played_by_one_a_pair_called_alike_is_level(name: str):
    pairs = list(play_pairs(plan(name, play_by="random"), range(24 * SOAK)))
    assert all(pair.score == 0 for pair in pairs if pair.alike)
    assert any(pair.score for pair in pairs if not pair.alike)
    same = play_pairs(plan(name, "rulebook", "rulebook", play_by="random"), range(6))
    assert all(pair.alike and pair.score == 0 for pair in same)


# -- declaring and defending apart


class Known:
    """The rulebook, but in one role it plays the first card that it may: weak where it is known to be."""

    def __init__(self, name: str, weak: Role) -> None:
        self.name, self.weak = name, weak

    def choose(self, view: View, rng: random.Random) -> Advice:
        contract = view.position.contract
        assert contract is not None and contract.declarer is not None
        declares = contract.declarer % 2 == view.seat % 2
        if declares == (self.weak is Role.DECLARER):
            return Advice(next(iter(view.legal_plays)), "first of all")
        return Rulebook().choose(view, rng)

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None


@pytest.mark.parametrize("weak", [Role.DECLARER, Role.DEFENDER])
def test_who_is_weak_in_one_role_is_found_weak_in_that_alone(weak: Role, monkeypatch: pytest.MonkeyPatch):
    made = {"weak": Known("weak", weak), "random": Random()}
    monkeypatch.setattr(run, "parse_player", lambda text: made.get(text, Rulebook()))
    match = dataclasses.replace(plan(a="rulebook", b="random", talk_by="rulebook", roles_apart=True), b="weak")
    pairs = list(play_pairs(match, range(60 * SOAK)))
    for pair in pairs:
        assert pair.apart is not None and sum(pair.apart) == pytest.approx(pair.score)
    declaring, defending = (estimate([pair.apart[i] for pair in pairs if pair.apart]) for i in (0, 1))
    found, other = (declaring, defending) if weak is Role.DECLARER else (defending, declaring)
    assert found.low > 0
    assert other.mean == other.error == 0  # there the two are one and the same player
    summary = summarise(match, pairs, len(pairs))
    assert any(line.startswith("declaring alone, the same contracts: ") for line in summary.lines())
    assert summary.answer()["apart"]["declaring"]["mean"] == pytest.approx(declaring.mean)


def test_roles_apart_by_hand():
    # the declarers win 3 with A against B, 1 with B against A, 2 with A alone, 0 with B alone
    assert roles_apart(True, 3.0, 1.0, (2.0, 0.0)) == (1.0, 0.0)
    # the same seen from seats 0 and 2 where 1 or 3 declares: A has the even seats where B declares
    assert roles_apart(False, -1.0, -3.0, (-2.0, 0.0)) == (1.0, 0.0)
    with pytest.raises(ValueError, match="add --talk-by"):
        plan(roles_apart=True)


def test_both_halves_by_others_leave_nothing_to_measure():
    with pytest.raises(ValueError, match="both would leave nothing"):
        plan(talk_by="rulebook", play_by="rulebook")
    with pytest.raises(ValueError, match="is no agent"):
        plan(talk_by="bob")
