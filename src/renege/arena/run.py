"""Matches of many pairs of deals, played by worker processes and logged; an interrupted match is resumed.

A pair is the same deal, or the same row of deals for whole games, played twice with the sides swapped. Everything
about it follows from the plan and its number, so that pairs can be played in any order, by any number of processes.
"""

import math
import random
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import ClassVar, TypedDict, Unpack

import msgspec

from renege.agents import Searcher
from renege.arena.control import ELSEWHERE, luck
from renege.arena.match import Half, PlayedDeal, Shared, lead_of, play_deal, play_game, terms
from renege.arena.open_hands import Player, check_player, parse_player
from renege.arena.roles import Role, Told, role_of, roles_apart
from renege.arena.stats import estimate, without_luck
from renege.core.game import Game, Standing
from renege.core.house_rules import write_rules
from renege.core.registry import find_game
from renege.games.strategy import strategy_of
from renege.jobs import run_pieces
from renege.jobs.folder import Plan
from renege.search import engine_named

FORMAT = "renege arena 2"
DIGITS = 6  # of seconds in the log
GPU_SHARE = 0.25  # of a cluster's GPU for each pair at play: agents wait for each other's turn


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan(Plan):
    """The plan of a match: all that is needed to play it again. It is the first line of the log."""

    A: ClassVar[str] = "a match"
    OTHER: ClassVar[str] = "another match"
    FREE: ClassVar[tuple[str, ...]] = ("pairs",)

    format: str = FORMAT
    game: str
    version: int  # the game's own version: it rises when a verdict changes
    rules: dict[str, str]
    a: str
    b: str
    seed: int
    whole_games: bool = False
    control: bool = False
    talk_by: str = ""  # one agent that calls for all, and A and B only play
    play_by: str = ""  # one that plays for all, and A and B only call
    roles_apart: bool = False  # are deals also played by each agent at all seats, to tell declaring from defending?
    pairs: int  # how many pairs were planned; a match may be carried on beyond

    def table(self) -> Game:
        return find_game(self.game, self.rules)


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the two plays of a pair: the seats of agent A, its lead, and of each deal its result, role and lead."""

    seats: tuple[int, ...]
    score: float
    acts: int
    results: tuple[str, ...]
    roles: tuple[Role, ...]
    leads: tuple[float, ...]


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair that was played: agent A's mean lead over its two rounds, and every move's time by agent."""

    pair: int
    deal: int  # the seed of its deal, or of the first
    score: float
    rounds: tuple[Round, Round]
    a: tuple[float, ...]
    b: tuple[float, ...]
    cores: tuple[float, float]  # seconds that A and B had a core while they thought
    alike: bool  # were both rounds called alike?
    luck: tuple[float, ...] | None = None
    apart: tuple[float, float] | None = None  # what declaring and what defending were worth to A

    @property
    def told(self) -> Told:
        """The pair as its match is split."""
        return (
            self.score,
            self.alike,
            [deal for each in self.rounds for deal in zip(each.roles, each.leads, strict=True)],
        )


class Kind(TypedDict, total=False):
    """What kind of match it is; `MatchPlan` says what each means."""

    whole_games: bool
    control: bool
    talk_by: str
    play_by: str
    roles_apart: bool


def make_plan(game: Game, a: str, b: str, *, seed: int, pairs: int, **kind: Unpack[Kind]) -> MatchPlan:
    """The plan of a match; agents and games that cannot play it are refused."""
    talk_by, play_by = kind.get("talk_by", ""), kind.get("play_by", "")
    if talk_by and play_by:
        raise ValueError("one agent calls for all (--talk-by) or plays for all (--play-by): both would leave nothing")
    if kind.get("roles_apart") and (not talk_by or kind.get("whole_games")):
        raise ValueError("roles are told apart deal by deal where one agent calls for all: add --talk-by AGENT")
    for name in (a, b, talk_by or play_by or a):
        check_player(parse_player(name), game)
    whole_games, control = kind.get("whole_games", False), kind.get("control", False)
    if whole_games and terms(game).endless:
        raise ValueError(f"nobody ever wins a game of {game.name}: it is measured deal by deal")
    if control and strategy_of(game).policy is None:
        raise ValueError(f"{game.name} has no rulebook yet, and the luck of a deal is told by how that plays it")
    return MatchPlan(
        game=game.name,
        version=game.version,
        rules=write_rules(game.rules),
        a=a,
        b=b,
        seed=seed,
        pairs=pairs,
        **kind,
    )


# -- one pair


def deal_seed(plan: MatchPlan, pair: int, number: int | str = 0) -> int:
    """The seed of a deal of a pair: the same for both rounds, whatever the agents."""
    return random.Random(f"deal:{plan.seed}:{pair}:{number}").getrandbits(40)


def play_pair(plan: MatchPlan, pair: int) -> Pair:
    """Play a pair; the dealer moves on from pair to pair."""
    game, a, b = plan.table(), parse_player(plan.a), parse_player(plan.b)
    rounds = [_play_round(plan, game, a, b, pair, side) for side in (0, 1)]
    first, second = (
        Round(
            tuple(game.all_seats[side::2]),
            sum(lead_of(deal.gains, side) for deal in deals),
            sum(len(deal.record.acts) for deal in deals),
            tuple(deal.text for deal in deals),
            tuple(role_of(deal.record.position, game.all_seats[side::2]) for deal in deals),
            tuple(lead_of(deal.gains, side) for deal in deals),
        )
        for side, deals in enumerate(rounds)
    )
    score, chance = (first.score + second.score) / 2, _luck(plan, game, pair) if plan.control else None
    (seconds_a, cores_a), (seconds_b, cores_b) = _thought(rounds, 0), _thought(rounds, 1)
    seed, cores = deal_seed(plan, pair), (cores_a, cores_b)
    one, other = ([deal.talk for deal in deals] for deals in rounds)
    apart = _apart(plan, game, (a, b), pair, rounds) if plan.roles_apart else None
    return Pair(pair, seed, score, (first, second), seconds_a, seconds_b, cores, one == other, chance, apart)


def _apart(
    plan: MatchPlan, game: Game, agents: tuple[Player, Player], pair: int, rounds: list[tuple[PlayedDeal, ...]]
) -> tuple[float, float]:
    """Declaring and defending: the deal again with A at all seats, and with B."""
    more = [_play_round(plan, game, each, each, pair, 2 + i) for i, each in enumerate(agents)]
    (ab, ba, *alone) = (deal for deals in (*rounds, *more) for deal in deals)
    if any(deal.talk != ab.talk for deal in (ba, *alone)):
        raise ValueError(
            f"{plan.talk_by} called deal {pair} differently when asked again: name an agent without a clock"
        )
    contract = ab.record.position.contract
    if contract is None or contract.declarer is None:
        return 0.0, 0.0
    one, other = (lead_of(deal.gains, 0) for deal in alone)
    return roles_apart(contract.declarer % 2 == 0, lead_of(ab.gains, 0), lead_of(ba.gains, 0), (one, other))


def _play_round(plan: MatchPlan, game: Game, a: Player, b: Player, pair: int, side: int) -> tuple[PlayedDeal, ...]:
    """One play of a pair, agent A at the seats of a side; each seat has a stream of its own in each round."""
    agents = [a if seat % 2 == side % 2 else b for seat in game.all_seats]
    streams, shared = _streams(plan, game, pair, side), _shared(plan, game, pair)
    if plan.whole_games:
        seeds = (deal_seed(plan, pair, i) for i in count())
        return play_game(game, agents, seeds, streams, pair % game.players, shared)
    return (play_deal(game, agents, deal_seed(plan, pair), streams, _standing(game, pair), shared),)


def _streams(plan: MatchPlan, game: Game, pair: int, who: int | str) -> list[random.Random]:
    return [random.Random(f"{plan.seed}:{pair}:{who}:{seat}") for seat in game.all_seats]


def _shared(plan: MatchPlan, game: Game, pair: int) -> Shared | None:
    """The agent that calls or plays for everybody, with the same chance in both rounds."""
    if not plan.talk_by and not plan.play_by:
        return None
    half = Half.TALK if plan.talk_by else Half.PLAY
    return Shared(parse_player(plan.talk_by or plan.play_by), half, _streams(plan, game, pair, "shared"))


def _standing(game: Game, pair: int) -> Standing:
    return Standing(pair % game.players, terms(game).score)


def _thought(rounds: list[tuple[PlayedDeal, ...]], agent: int) -> tuple[tuple[float, ...], float]:
    """How long an agent thought over each move of a pair, and had a core: A sits at the even seats first."""
    at = [
        (deal, seat)
        for side, deals in enumerate(rounds)
        for deal in deals
        for seat in deal.record.game.all_seats[(side + agent) % 2 :: 2]
    ]
    seconds = tuple(round(spent, DIGITS) for deal, seat in at for spent in deal.seconds[seat])
    return seconds, round(sum(deal.cores[seat] for deal, seat in at), DIGITS)


def _luck(plan: MatchPlan, game: Game, pair: int) -> tuple[float, ...]:
    standing = _standing(game, pair)
    others = [(deal_seed(plan, pair, f"elsewhere {i}"), standing) for i in range(ELSEWHERE)]
    return luck(game, (plan.a, plan.b), (deal_seed(plan, pair), standing), others)


# -- many pairs


def play_pairs(
    plan: MatchPlan, pairs: Iterable[int], workers: int | None = 1, cluster: str | None = None
) -> Generator[Pair, None, None]:
    """Play these pairs, and yield each when it is done: in order by one worker, in any order by more.

    `cluster` names a Ray cluster to play them on; see `run_pieces`.
    """
    agents = map(parse_player, (plan.a, plan.b))
    on_gpu = any(isinstance(agent, Searcher) and agent.device == "gpu" for agent in agents)
    if on_gpu and cluster is None and workers != 1:
        engine_named("gpu")  # what is missing is said here, once, and not by every worker
    shared = GPU_SHARE if on_gpu else 0.0
    played = run_pieces(partial(play_pair, plan), pairs, workers=workers, cluster=cluster, noun="pair", gpus=shared)
    with closing(played):
        for _, pair in played:
            yield pair


# -- the log


def write_line(line: MatchPlan | Pair) -> bytes:
    return line.write(indent=None) if isinstance(line, MatchPlan) else msgspec.json.encode(line) + b"\n"


def read_log(text: bytes, plan: MatchPlan) -> tuple[MatchPlan | None, dict[int, Pair], int]:
    """The plan a log began with, its pairs by number, and how many of its bytes are good.

    A last line without an end was cut short, and does not count. `ValueError` if it is the log of something else.
    """
    whole = text[: text.rfind(b"\n") + 1]
    if not whole:
        if not write_line(plan).startswith(text):
            raise ValueError("it holds something else than a match")
        return None, {}, 0
    first, *lines = whole.splitlines()
    header = MatchPlan.read(first)
    plan.check_resumes(header)
    pairs: dict[int, Pair] = {}
    for number, line in enumerate(lines, start=2):
        try:
            pair = msgspec.json.decode(line, type=Pair)
        except msgspec.MsgspecError as wrong:
            raise ValueError(f"line {number} is damaged: {wrong}") from None
        pairs.setdefault(pair.pair, pair)
    return header, pairs, len(whole)


def scores(pairs: Iterable[Pair], control: bool = False) -> list[float]:
    """The pair scores in the order of the pairs; with `control`, less what the luck of the deals explains."""
    ordered = sorted(pairs, key=lambda pair: pair.pair)
    plain = [pair.score for pair in ordered]
    return without_luck(plain, [pair.luck or () for pair in ordered]) if control else plain


def luck_left(pairs: Iterable[Pair]) -> float:
    """The share of the variance that is left with the control variate."""
    found = list(pairs)
    before, after = estimate(scores(found)).error, estimate(scores(found, control=True)).error
    return (after / before) ** 2 if 0 < before < math.inf else 1.0  # of one pair no variance is known
