"""Deals of Tractor in numbers, played by chance but with a liking for what is rare: pairs, runs, throws, showings."""

import random
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from itertools import pairwise

from renege.core.cards import Cards
from renege.core.house_rules import read_rules, write_rules
from renege.games.encoding import Encoding, Moment
from renege.games.tractor.encoding import NOT_TOLD
from renege.games.tractor.order import DECK, LITTLE, RANKS
from renege.games.tractor.rules import NewDeal, NoCall, Rules, StoppedThrow, ThrowTest


def house_rules() -> list[Rules]:
    """The default, every other answer to one question, and a table where all is otherwise."""
    default = Rules()
    found = [default, Rules(throw_penalty=40)]
    for question in fields(default):
        answer = getattr(default, question.name)
        if isinstance(answer, Enum):
            found += [
                read_rules(default, {question.name: other.value}) for other in type(answer) if other is not answer
            ]
    found.append(Rules(stopped_throw=StoppedThrow.REFUSED, throw_test=ThrowTest.PUBLIC_INFO))
    return [rules for rules in found if not is_refused(rules)]


def said(rules: Rules) -> str:
    """What a table does otherwise, as the name of a case."""
    return " ".join(f"{name}={answer}" for name, answer in write_rules(rules).items()) or "default"


def is_refused(rules: Rules) -> bool:
    """Is this not put into numbers?"""
    told = rules.stopped_throw is StoppedThrow.REFUSED and rules.throw_test is not ThrowTest.PUBLIC_INFO
    turned = rules.no_call not in (NoCall.NO_TRUMP, NoCall.REDEAL)
    unasked = turned or rules.new_deal is not NewDeal.NOBODY
    otherwise = any(name in NOT_TOLD for name in write_rules(rules))
    return told or unasked or otherwise or not rules.is_four_in_teams


def likes(encoding: Encoding, moment: Moment, rng: random.Random) -> int:
    """An action that makes long deals eventful: shows are made, pairs go together, runs grow, and leads end in time."""
    legal = list(moment.legal)
    if moment.position.talking:
        shows = [action for action in legal if encoding.actions[action].startswith("show")]
        return rng.choice(shows) if shows and rng.random() < 0.5 else rng.choice(legal)
    hand, order = moment.position.hand, moment.position.order
    assert isinstance(hand, Cards)
    assert order is not None
    cards = [action for action in legal if action < encoding.cards]
    twin = [card for card in cards if card in moment.chosen]
    if twin and rng.random() < 0.9:
        return rng.choice(twin)
    pairs = hand.at_least(2)
    near = [card for card in cards if (_beside(order.steps, moment.chosen.kinds) & pairs) >> card & 1]
    if near and rng.random() < 0.8:
        return rng.choice(near)
    if encoding.done in legal and rng.random() < 0.7:
        return encoding.done
    running = [card for card in cards if (pairs & _beside(order.steps, pairs)) >> card & 1]
    if running and not moment.chosen and rng.random() < 0.7:
        return rng.choice(running)
    paired = [card for card in cards if pairs >> card & 1]
    return rng.choice(paired if paired and rng.random() < 0.6 else legal)


def _beside(steps: tuple[tuple[int, ...], ...], kinds: int) -> int:
    """The kinds on the steps next to some."""
    found = 0
    for suit in steps:
        for below, above in pairwise(suit):
            found |= (above if below & kinds else 0) | (below if above & kinds else 0)
    return found


def rigged(rng: random.Random) -> tuple[tuple[Cards, ...], Cards]:
    """A deal in which neighbours lie together, with both copies: hands are full of pairs and runs."""
    kinds = list(range(len(DECK.names)))
    if rng.random() < 0.5:  # by rank, so that the level cards lie together
        kinds.sort(key=lambda card: (card >= LITTLE, card % len(RANKS), card))
    chunks: list[list[int]] = []
    while kinds:
        size = rng.choice([1, 2, 3, 4])
        chunks.append([card for card in kinds[:size] for _ in range(2)])
        kinds = kinds[size:]
    rng.shuffle(chunks)
    pack = [card for chunk in chunks for card in chunk]
    for _ in range(rng.choice([0, 4, 12])):
        i, j = rng.randrange(len(pack)), rng.randrange(len(pack))
        pack[i], pack[j] = pack[j], pack[i]
    *hands, kitty = (DECK.cards(pack[25 * i : 25 * i + 25]) for i in range(5))
    return tuple(hands), kitty


def eventful(encoding: Encoding, moment: Moment, rng: random.Random) -> Iterator[tuple[Moment, int]]:
    """A deal to its end, each moment with the action taken: by chance, or by what is liked."""
    eager = rng.choice([0.2, 0.8, 1.0])
    while not moment.over:
        action = likes(encoding, moment, rng) if rng.random() < eager else rng.choice(moment.legal)
        yield moment, action
        moment = moment.after(action)
