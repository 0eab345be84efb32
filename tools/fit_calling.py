"""How likely is a game of Schafkopf won with a hand? Fits `renege.games.schafkopf.weights` to deals that are played.

Random deals are played out, each in a game that is forced on one seat: a Rufspiel, or the best solo of a kind that its
hand has, if it has the cards that anybody would look at twice. All four seats play by an agent, `rulebook` unless
another is asked for. A logistic regression of "did the declarer win" on what the hand counts gives the weights, printed
as they stand in `weights.py`, with a table of how often games were won beside how often the weights say.

    python tools/fit_calling.py --deals 8000                      # fits; some minutes for each pack
    python tools/fit_calling.py --check searcher:10w --deals 300  # how often that agent wins, by the weights in use

A seed gives the same deals again; what a check is made on should be another seed than what was fitted.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.agents import Agent, parse_agent
from renege.arena.match import play_deal
from renege.core.game import SEATS, Game, Standing
from renege.core.position import View
from renege.core.registry import find_game
from renege.games.schafkopf.calling import chance, count
from renege.games.schafkopf.declare import Bidding, bid_of
from renege.games.schafkopf.order import DECLARATIONS, parse_declaration
from renege.games.schafkopf.rules import PackSize
from renege.games.schafkopf.weights import Counts
from renege.games.strategy import Advice
from renege.jobs import run_pieces

# the kinds that are counted alike, and the fewest trumps and plain aces together with which one is thought of
ALIKE = {
    "rufspiel": ("rufspiel",),
    "solo": ("solo",),
    "wenz": ("wenz", "geier"),
    "farbwenz": ("farbwenz", "farbgeier"),
}
FEWEST = {
    PackSize.LONG: {"rufspiel": 0, "solo": 7, "wenz": 4, "farbwenz": 6},
    PackSize.SHORT: {"rufspiel": 0, "solo": 5, "wenz": 3, "farbwenz": 4},
}
RIDGE = 0.5  # so that what is rare keeps a modest weight
BINS = 10
PIECE = 25  # deals that a process plays at a time


@dataclass(frozen=True)
class Forced:
    """An agent that names one game if it is its own to name, and else says nothing in the talk."""

    agent: Agent
    game: str  # "" for a seat that only passes

    @property
    def name(self) -> str:
        return self.agent.name

    def choose(self, view: View, rng: random.Random) -> Advice:
        if not isinstance(view.position.talk, Bidding) or not view.position.talking:
            return self.agent.choose(view, rng)
        calls, wanted = view.legal_calls, ["pass"]
        if self.game:
            wanted = [self.game, bid_of(view.game.rules, parse_declaration(self.game)), "pass"]
        return Advice(next((call for call in wanted if call in calls), calls[0]), "forced")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return self.agent.interject(view, rng)


@dataclass(frozen=True)
class Deal:
    """A deal on which a game is forced: the game, who plays it, and what its hand counts."""

    seed: int
    dealer: int
    declarer: int
    game: str
    hand: int
    counted: Counts


def table(deck: PackSize) -> Game:
    return find_game("schafkopf", {"deck": deck.value})


def thought_of(game: Game, hand: int, alike: str, *, leads: bool) -> tuple[str, Counts] | None:
    """The game of some kinds for which a hand counts most; None if it has too little for any."""
    deck = game.rules.deck
    found = {name: count(name, deck, hand, leads=leads) for name in DECLARATIONS if _is(name, alike)}
    aces = {f"rufspiel {suit}": game.deck.spellings[f"{suit}A"] for suit in "EGS"}
    plain = {name: sum(1 << card for card in _plain(game, name)) for name in aces}
    found = {
        name: counts
        for name, counts in found.items()
        if name not in aces or (not hand >> aces[name] & 1 and hand & plain[name])
    }
    if not found:
        return None
    best = max(found, key=lambda name: found[name].trumps + found[name].tops + found[name].aces + found[name].best)
    counts = found[best]
    return (best, counts) if counts.trumps + counts.aces >= FEWEST[deck][alike] else None


def _is(name: str, alike: str) -> bool:
    named = parse_declaration(name)
    return named.kind in ALIKE[alike] and not named.tout


def _plain(game: Game, name: str) -> Iterator[int]:
    """The plain cards of the suit whose ace is called."""
    suit = name[-1]
    return (card for card, text in enumerate(game.deck.names) if text[0] == suit and text[1] not in "OU")


@cache
def deals(deck: PackSize, alike: str, number: int, seed: int) -> list[Deal]:
    """So many deals on which a game of these kinds is thought of; the declarer leads in one of four."""
    game, rng, found = table(deck), random.Random(f"calling:{deck.value}:{alike}:{seed}"), list[Deal]()
    while len(found) < number:
        shuffle, dealer, declarer = rng.getrandbits(40), rng.randrange(4), rng.randrange(4)
        hand = game.deal(shuffle)[0][declarer].kinds
        thought = thought_of(game, hand, alike, leads=declarer == (dealer + 1) % 4)
        if thought is not None:
            found.append(Deal(shuffle, dealer, declarer, thought[0], hand, thought[1]))
    return found


def played(deck: PackSize, name: str, deal: Deal) -> tuple[bool, int]:
    """Did the declarer win, and what?"""
    agent = parse_agent(name)
    agents = [Forced(agent, deal.game if seat == deal.declarer else "") for seat in SEATS]
    streams = [random.Random(f"{deal.seed}:{seat}") for seat in SEATS]
    done = play_deal(table(deck), agents, deal.seed, streams, Standing(deal.dealer, (0,) * 5))
    gain = done.gains[deal.declarer]
    return gain > 0, gain


@dataclass(frozen=True)
class Piece:
    """Some of the deals of a pack and kind, for a process of its own."""

    deck: PackSize
    alike: str
    agent: str
    seed: int
    number: int

    def __call__(self, piece: int) -> list[tuple[bool, int]]:
        own = deals(self.deck, self.alike, self.number, self.seed)[piece * PIECE : (piece + 1) * PIECE]
        return [played(self.deck, self.agent, deal) for deal in own]


def results(piece: Piece, workers: int) -> list[tuple[bool, int]]:
    pieces = range(-(-piece.number // PIECE))
    found = dict(run_pieces(piece, pieces, workers=workers, noun="piece"))
    return [result for number in pieces for result in found[number]]


def fit(counted: list[Counts], won: list[bool]) -> NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's steps."""
    x, y = np.array(counted, float), np.array(won, float)
    weights, ridge = np.zeros(x.shape[1]), np.full(x.shape[1], RIDGE)
    ridge[-1] = 0.0  # of what is always there
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - p) - ridge * weights
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.diag(ridge + 1e-9), slope)
    return weights


def told(alike: str, weights: NDArray[np.float64]) -> str:
    """A line of `weights.py`, rounded to twentieths."""
    rounded = [round(20 * weight) / 20 + 0.0 for weight in weights.tolist()]
    return (
        f'    "{alike}": Counts({", ".join(f"{name}={w:g}" for name, w in zip(Counts._fields, rounded, strict=True))}),'
    )


def calibration(said: NDArray[np.float64], found: list[tuple[bool, int]]) -> Iterator[str]:
    """How often games were won, by how likely that was said to be."""
    won, cents = np.array([w for w, _ in found], float), np.array([c for _, c in found], float)
    for low in range(BINS):
        some = np.minimum((said * BINS).astype(int), BINS - 1) == low
        if some.any():
            error = cents[some].std() / some.sum() ** 0.5
            yield (
                f"      {low / BINS:.1f} to {(low + 1) / BINS:.1f}: won {won[some].mean():4.0%} of {some.sum():5d}, "
                f"said {said[some].mean():4.0%}, {cents[some].mean():+6.1f} cents +- {error:.1f}"
            )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--deals", type=int, default=8000, help="of each kind and pack")
    reader.add_argument("--seed", type=int, default=101)
    reader.add_argument("--workers", type=int, default=2)
    reader.add_argument("--check", default="", metavar="AGENT", help="fit nothing; how often does this agent win?")
    reader.add_argument("--pack", default="", choices=["", "long", "short"])
    reader.add_argument("--kind", default="", choices=["", *ALIKE])
    asked = reader.parse_args()
    for deck in PackSize:
        if asked.pack not in ("", deck.value):
            continue
        print(f"{deck.value} pack")
        for alike in ALIKE:
            if asked.kind not in ("", alike):
                continue
            forced = deals(deck, alike, asked.deals, asked.seed)
            piece = Piece(deck, alike, asked.check or "rulebook", asked.seed, asked.deals)
            found = results(piece, asked.workers)
            counted = [deal.counted for deal in forced]
            if asked.check:
                rules = table(deck).rules
                chances = [chance(deal.game, rules, deal.hand, leads=bool(deal.counted.lead)) for deal in forced]
                said = np.array(chances)
                print(f"    {alike}, by the weights in use")
            else:
                weights = fit(counted, [won for won, _ in found])
                print(told(alike, weights))
                said = 1 / (1 + np.exp(-np.array(counted, float) @ weights))
            print("\n".join(calibration(said, found)), flush=True)


if __name__ == "__main__":
    main()
