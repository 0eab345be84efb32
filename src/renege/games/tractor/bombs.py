"""Bombs and rainbows, house rules that are off at most tables: what they are, who may play them, and what they beat.

A bomb is four or more equal cards. It answers any lead of as many cards in place of what is owed, and beats whatever is
no bomb. A rainbow is one rank in four suits: the one lead of several suits, answered with as many cards of one rank.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from renege.core.cards import Cards, kinds_in
from renege.core.game import Check, Turn
from renege.core.message import say
from renege.core.order import Order
from renege.core.trick import Play
from renege.core.verdict import Objection, Ruling
from renege.games.tractor.deck import PRINTED, RANKS
from renege.games.tractor.rules import BOMB, BOMB_IN_SUIT, FOLLOW_RAINBOW, Bombs, Rules

OF_RANK = tuple(sum(1 << rank + len(RANKS) * suit for suit in range(len(PRINTED))) for rank in range(len(RANKS)))


# -- bombs


def is_bomb(rules: Rules, cards: Cards) -> bool:
    """Four or more equal cards, where that is something."""
    return rules.bombs is not Bombs.OFF and len(cards) >= BOMB and cards.kinds & cards.kinds - 1 == 0


def answers_as_bomb(turn: Turn, play: Play) -> bool:
    """Is a follow a bomb, so that it owes no more than a bomb does? A rainbow is answered by ranks alone."""
    return turn.led is not None and is_bomb(turn.rules, play.cards)


def tells_nothing(turn: Turn, play: Play) -> bool:
    """Is a follow a bomb that passes over the suit, so that nobody learns whether the hand has it?"""
    return turn.rules.bombs is Bombs.ANY_SUIT and answers_as_bomb(turn, play)


def bomb_in_suit(turn: Turn, play: Play) -> Objection | None:
    if turn.rules.bombs is not Bombs.FOLLOWING_SUIT or turn.led is None or not is_bomb(turn.rules, play.cards):
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if not held or play.cards.kinds & held.kinds:
        return None
    why = "bombs follow suit here, {suit} were led and the hand has {n} of them, and {cards} is none"
    return Objection(BOMB_IN_SUIT, say(why, turn.order.nouns[turn.led], len(held), play.cards), Ruling.RENEGE)


def unless_bomb(check: Check) -> Check:
    """A duty that a bomb need not keep."""

    def checked(turn: Turn, play: Play) -> Objection | None:
        return None if answers_as_bomb(turn, play) else check(turn, play)

    return checked


def is_higher_bomb(rules: Rules, order: Order, best: Play, play: Play) -> bool:
    """Does a play go over another, where one of them is a bomb: a trump over a plain card, else by the step?"""
    if not is_bomb(rules, play.cards):
        return False
    return not is_bomb(rules, best.cards) or _height(order, play.cards) > _height(order, best.cards)


def _height(order: Order, bomb: Cards) -> int:
    card = next(kinds_in(bomb.kinds))
    return order.strength[order.led_suit[card]][card]


def bombs_in(turn: Turn, size: int) -> Iterator[Cards]:
    """The bombs of so many cards that the seat to play may answer a lead of one suit with."""
    assert turn.led is not None
    kinds = turn.hand.at_least(size) if size >= BOMB and turn.rules.has_bombs else 0
    own = turn.order.follow[turn.led]
    if turn.rules.bombs is Bombs.FOLLOWING_SUIT and turn.hand.kinds & own:
        kinds &= own
    for card in kinds_in(kinds):
        yield Cards(turn.hand.deck, (1 << card,) * size)


# -- rainbows


def rank_in(cards: Cards) -> int | None:
    """The printed rank that all cards have, from 0 for a two; jokers have none."""
    kinds = cards.kinds
    if not kinds:
        return None
    rank = (kinds.bit_length() - 1) % len(RANKS)
    return None if kinds & ~OF_RANK[rank] else rank


def is_rainbow(rules: Rules, order: Order, cards: Cards) -> bool:
    """One rank in four suits, where that may be led, and as many cards as are asked for."""
    if not rules.rainbows or len(cards) < rules.rainbows or rank_in(cards) is None:
        return False
    return spans(order, cards.kinds)


def spans(order: Order, kinds: int) -> bool:
    """Are these kinds of four suits?"""
    return sum([1 for suit in order.leads if suit & kinds]) >= BOMB


def leads_rainbow(turn: Turn) -> bool:
    """Was a rainbow led?"""
    lead = turn.trick.lead
    return turn.rules.rainbows > 0 and lead is not None and is_rainbow(turn.rules, turn.order, lead.cards)


def ranks_held(hand: Cards, least: int) -> list[Cards]:
    """The cards of each rank that a hand has so often, the highest rank first."""
    found = (hand.only(kinds) for kinds in reversed(OF_RANK) if hand.kinds & kinds)
    return [pile for pile in found if len(pile) >= least]


def follow_rainbow(turn: Turn, play: Play) -> Objection | None:
    if not leads_rainbow(turn) or rank_in(play.cards) is not None:
        return None
    held = ranks_held(turn.hand, len(play.cards))
    if not held:
        return None
    why = "a rainbow of {n} cards was led, the hand has as many of one rank in {cards}, and {cards2} is of several"
    return Objection(FOLLOW_RAINBOW, say(why, len(play.cards), held[0], play.cards), Ruling.RENEGE)


def is_higher_rank(best: Play, play: Play) -> bool:
    """Does an answer to a rainbow go over the best one so far?"""
    ours, theirs = rank_in(play.cards), rank_in(best.cards)
    return ours is not None and (theirs is None or ours > theirs)


def rainbows_in(rules: Rules, order: Order, hand: Cards) -> list[Cards]:
    """The cards of each rank that could be led as a rainbow."""
    return [pile for pile in ranks_held(hand, rules.rainbows) if spans(order, pile.kinds)]


def why_no_rainbow(turn: Turn, cards: Cards) -> str | None:
    """Why cards of several suits are no rainbow, at a table that leads them; None where it does not."""
    if not turn.rules.rainbows:
        return None
    return say("{cards} is no rainbow: that is one rank in four suits, {n} cards or more", cards, turn.rules.rainbows)


# -- what is open besides


def more_leads(turn: Turn) -> Iterator[Cards]:
    """The rainbows that may be led, each once."""
    for pile in rainbows_in(turn.rules, turn.order, turn.hand) if turn.rules.rainbows else ():
        kinds = list(kinds_in(pile.kinds))
        for taken in product(*[range(pile.count(card) + 1) for card in kinds]):
            cards = pile.deck.cards([card for card, count in zip(kinds, taken, strict=True) for _ in range(count)])
            if is_rainbow(turn.rules, turn.order, cards):
                yield cards


def goes_on(piles: Iterable[Cards], chosen: Cards) -> int:
    """The kinds by which what is chosen can grow into one of these piles, as a mask."""
    found = 0
    for pile in piles:
        found |= (pile - chosen).kinds if chosen <= pile else 0
    return found


def rainbow_picks(turn: Turn, chosen: Cards) -> int:
    """The kinds that may be picked next where a rainbow was led."""
    assert turn.trick.lead is not None
    size = len(turn.trick.lead.cards)
    if len(chosen) == size:
        return 0
    return goes_on(ranks_held(turn.hand, size) or [turn.hand], chosen)
