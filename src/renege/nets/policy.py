"""What a network would do at a table: how likely each action is to it, and which calls and plays it would consider.

A play of several cards is picked card by card, and so is a call that names cards; how likely the whole is, is the
product of its picks, summed over the orders in which they were looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from renege.core.trick import Play
from renege.games.encoding import Moment
from renege.games.strategy import Option
from renege.native.arrays import F64
from renege.nets.file import NetFile


@dataclass(frozen=True, slots=True)
class Considered:
    """A call or play that a network considers: its share of the likelihood, and the actions that come to it."""

    option: Option
    share: float
    actions: tuple[int, ...]


def shares(net: NetFile, moment: Moment, *, calls: bool) -> tuple[list[int], F64]:
    """The open actions and how likely the network is to take each; `calls` beside a play are among them, or not."""
    open_now = [action for action in moment.legal if calls or action < moment.encoding.first_call]
    if len(open_now) == 1:
        return open_now, np.ones(1)
    assert moment.turn is not None
    logits = net.logits(moment.observe(moment.turn)[None])[0][open_now].astype(np.float64)
    likely = np.exp(logits - logits.max())
    return open_now, likely / likely.sum()


def greedy(net: NetFile, moment: Moment) -> Considered:
    """The call or play that the network likes best, pick by pick; its share is that of the least certain pick."""
    actions, sure = list[int](), 1.0
    after: Moment | Option = moment
    while isinstance(after, Moment):
        open_now, likely = shares(net, after, calls=after.position.talking)
        best = int(likely.argmax())
        actions.append(open_now[best])
        after, sure = after.step(open_now[best]), min(sure, float(likely[best]))
    return Considered(after, sure, tuple(actions))


def considered(net: NetFile, moment: Moment, most: int, least: float) -> tuple[Considered, ...]:
    """At most so many calls or plays that have at least this share each, the network's choice first."""
    first = greedy(net, moment)
    found: dict[tuple[str, bool], Considered] = {}
    for one in _likeliest(net, moment, most, least):
        same = found.get(_key(one.option))
        found[_key(one.option)] = one if same is None else Considered(same.option, same.share + one.share, same.actions)
    chosen = found.pop(_key(first.option), first)
    others = sorted((one for one in found.values() if one.share >= least), key=lambda one: -one.share)
    return (Considered(first.option, chosen.share, first.actions), *others[: most - 1])


def _key(option: Option) -> tuple[str, bool]:
    return str(option.cards if isinstance(option, Play) else option), isinstance(option, Play)


def _likeliest(net: NetFile, moment: Moment, most: int, least: float) -> Iterator[Considered]:
    """Beam search over picks: the likeliest ways on are followed, so many at a time."""
    beam: list[tuple[float, Moment, tuple[int, ...]]] = [(1.0, moment, ())]
    while beam:
        wider = list[tuple[float, Moment, tuple[int, ...]]]()
        for share, at, actions in beam:
            open_now, likely = shares(net, at, calls=at.position.talking)
            for action, chance in zip(open_now, likely.tolist(), strict=True):
                if share * chance < least:
                    continue
                after = at.step(action)
                if isinstance(after, Moment):
                    wider.append((share * chance, after, (*actions, action)))
                else:
                    yield Considered(after, share * chance, (*actions, action))
        beam = sorted(wider, key=lambda way: -way[0])[:most]
