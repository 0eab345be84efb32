"""Decisions of a network in readable form, to be read and judged by a person.

    python bench/decisions.py schafkopf --count 20
    python bench/decisions.py 42 --net FILE --differ

The network plays deals at all four seats. Of its decisions some are drawn at random, half of them calls where the game
has enough; a decision is what the seat saw, the network's three likeliest actions with their shares, and what the
rulebook would have done. In games whose plays have several cards the shares are those of the first card picked, and the
whole play that came of it is told beside them.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from renege.agents import Net, Rulebook
from renege.arena.match import terms
from renege.core.arbiter import Arbiter
from renege.core.game import SEATS, Game, Standing
from renege.core.position import View
from renege.core.registry import find_game
from renege.core.view import Onlooker
from renege.games.encoding import moment_of
from renege.games.strategy import Option
from renege.nets import NetFile


@dataclass(frozen=True)
class Decision:
    """What a seat saw, the actions that were open with the network's shares, and who would have done what."""

    seed: int
    view: View
    shares: tuple[tuple[str, float], ...]  # the likeliest first
    net: str
    rulebook: str

    @property
    def called(self) -> bool:
        return self.view.position.talking

    def lines(self) -> Iterator[str]:
        yield f"deal {self.seed}, seat {self.view.seat} to {'call' if self.called else 'play'}"
        yield from (f"    {line}" for line in str(self.view).splitlines() if "?" not in line or ":" not in line[:2])
        yield f"    now: {self.view.position}"
        yield f"  network: {', '.join(f'{name} {share:.0%}' for name, share in self.shares[:3])}; it does {self.net}"
        yield f"  rulebook: {self.rulebook}{'' if self.net == self.rulebook else '   <- differs'}"


def shares_of(net: NetFile, view: View) -> tuple[tuple[str, float], ...]:
    """The open actions by name, each with the network's share."""
    moment = moment_of(net.encoding(view.game), view)
    legal = list(moment.legal)
    logits = net.logits(moment.observe(view.seat)[None])[0][legal].astype(float)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    order = np.argsort(-chances, kind="stable")
    return tuple((moment.encoding.actions[legal[i]], float(chances[i])) for i in order)


def written(view: View, what: Option) -> str:
    """A call or play as text."""
    if isinstance(what, str):
        return what
    assert view.position.order is not None
    return view.game.write_play(what, view.position.order)


def decisions(game: Game, agent: Net, seed: int, standing: Standing) -> Iterator[Decision]:
    """All decisions of a deal at which more than one thing could be done."""
    arbiter, chance = Arbiter(game, seed, standing), random.Random(seed)
    net, seen = agent.network(game.name), [Onlooker(arbiter.record, seat) for seat in SEATS]
    while (seat := arbiter.position.turn) is not None:
        before, view = arbiter.position, seen[seat].view
        said = agent.interject(view, chance) if seat in before.speakers and not before.talking else None
        what = (said or agent.choose(view, chance)).what
        shares = shares_of(net, view)
        if len(shares) > 1:
            thumb = Rulebook().interject(view, chance) if not before.talking else None
            thumb = thumb or Rulebook().choose(view, chance)
            yield Decision(seed, view, shares, written(view, what), written(view, thumb.what))
        arbiter.act(seat, what)
        for onlooker in seen:
            onlooker.follow(before, arbiter.record)


def drawn(game: Game, agent: Net, count: int, seed: int, *, differ: bool) -> list[Decision]:
    """So many decisions, a few of each deal and half of them calls, where there are enough."""
    chance, found = random.Random(f"decisions:{seed}"), {True: list[Decision](), False: list[Decision]()}
    for deal in range(4 * count):
        standing = Standing(deal % len(SEATS), terms(game).score)
        here = list(decisions(game, agent, chance.getrandbits(40), standing))
        for called in (True, False):
            some = [one for one in here if one.called is called and (one.net != one.rulebook or not differ)]
            found[called] += chance.sample(some, min(1, len(some)))
        if min(map(len, found.values())) >= count:
            break
    calls = found[True][: count // 2]
    return [*calls, *found[False][: count - len(calls)]]


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("game")
    reader.add_argument("--count", type=int, default=20)
    reader.add_argument("--net", metavar="FILE", help="a network (default: the one in the package)")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--differ", action="store_true", help="only where the rulebook would do something else")
    asked = reader.parse_args()
    game = find_game(asked.game)
    for number, one in enumerate(drawn(game, Net(asked.net), asked.count, asked.seed, differ=asked.differ), start=1):
        print(f"{number}.", *one.lines(), sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
