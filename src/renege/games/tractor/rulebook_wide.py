"""Rules of thumb for larger tables, of more packs or seats: a player that keeps to the rules and looks at one trick.

With two packs, the usual units and four seats it is the usual rulebook, which also talks and buries here. It leads
what nothing that is out can beat, the greatest unit first, else a tuple or its lowest card; it follows with the
cheapest cards that are legal, with points where its partner is ahead, and with cards that win where a foe is and points
lie on the table.
In Finding Friends it counts itself to the banker's team once it holds a card that would make it a friend; whoever has
not joined is a foe to it, whichever side it is on itself.
"""

from collections.abc import Callable, Iterator

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Turn
from renege.core.position import View
from renege.core.trick import Play
from renege.games.strategy import Advice
from renege.games.tractor import rulebook_follow, rulebook_lead
from renege.games.tractor.follow import beats
from renege.games.tractor.friends import plays_with
from renege.games.tractor.order import TRUMP
from renege.games.tractor.plays import picks
from renege.games.tractor.rulebook import rulebook as usual
from renege.games.tractor.throws import may_beat
from renege.games.tractor.units import led_form, served_by, units_of

TRUMPS = 20  # how much dearer a trump is than the highest plain card
TEAR = 4  # what it costs to tear up a pair


def rulebook(view: View) -> Advice:
    """What this seat would call or play."""
    return usual(view) if view.position.talking else advise(view.position.turn_to_play())


def advise(turn: Turn) -> Advice:
    """What the seat to play would play."""
    if turn.rules.is_four_in_teams:
        return rulebook_lead.lead(turn) if turn.trick.lead is None else rulebook_follow.follow(turn)
    return _lead(turn) if turn.trick.lead is None else _follow(turn)


def price(turn: Turn, card: Card, points: int) -> int:
    """How dear a card is where a point given away is lost (1) or won (-1)."""
    suit = turn.order.led_suit[card]
    torn = TEAR * (turn.hand.count(card) - 1)
    return turn.order.strength[suit][card] + (TRUMPS if suit == TRUMP else 0) + torn + points * turn.order.points[card]


def _lead(turn: Turn) -> Advice:
    order = turn.order
    units = [
        (suit, unit)
        for suit in range(len(order.suits))
        if (held := order.in_suit(turn.hand, suit))
        for unit in units_of(order, suit, held)
    ]
    sure = [unit for suit, unit in units if suit != TRUMP and not may_beat(turn, suit, unit)]
    if sure:
        return Advice(Play(max(sure, key=len)), "nothing that is out beats it")
    wide = [unit for suit, unit in units if suit != TRUMP and len(unit) > 1]
    if wide:
        return Advice(Play(max(wide, key=len)), "it is likely to hold")
    low = min(kinds_in(turn.hand.kinds), key=lambda card: (price(turn, card, 1), card))
    return Advice(Play(turn.hand.deck.of(1 << low)), "it costs least")


def _follow(turn: Turn) -> Advice:
    trick = turn.trick
    best = trick.plays[trick.best]
    partner = plays_with(turn, trick.winner)
    cheap = cheapest(turn, -1 if partner else 1)
    stake = sum(turn.order.worth(play.cards) for play in trick.plays)
    if partner or not stake or beats(turn, best, Play(cheap)):
        return Advice(Play(cheap), "the partner is ahead" if partner else "it costs least")
    winning = next((pile for pile in winners(turn) if beats(turn, best, Play(pile))), None)
    if winning is None:
        return Advice(Play(cheap), "a foe is ahead")
    return Advice(Play(winning), "it is ahead")


def cheapest(turn: Turn, points: int) -> Cards:
    """The cheapest cards, one after the other, that can still become a legal follow."""
    return built(turn, lambda card: price(turn, card, points))


def built(turn: Turn, cost: Callable[[Card], int]) -> Cards:
    """A legal follow of cards that cost least, chosen one after the other."""
    assert turn.trick.lead is not None
    chosen = turn.hand.deck.none
    for _ in range(len(turn.trick.lead.cards)):
        mask, _ = picks(turn, chosen)
        card = min(kinds_in(mask), key=lambda card: (cost(card), card))
        chosen = chosen + turn.hand.deck.of(1 << card)
    return chosen


def winners(turn: Turn) -> Iterator[Cards]:
    """Cards cut into the led units, of the led suit or of trumps where there are none of it."""
    assert turn.trick.lead is not None and turn.led is not None
    order, shape = turn.order, led_form(turn.order, turn.trick.lead)
    held = order.in_suit(turn.hand, turn.led)
    suit = turn.led if len(held) >= len(turn.trick.lead.cards) else TRUMP
    if suit == TRUMP != turn.led and held:
        return
    pile = order.in_suit(turn.hand, suit)
    served = served_by(order, suit, pile, shape) if len(pile) >= shape.cards else None
    if served is None:
        return
    together = turn.hand.deck.none
    for unit in served:
        together = together + unit
    yield together
