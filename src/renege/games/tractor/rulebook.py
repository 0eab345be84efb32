"""Rules of thumb for Tractor: a player after the published flowcharts, who keeps to the rules where those do not.

It sees a `View` and nothing else, remembers what was played and who showed a void, and looks one trick ahead. Each
play names the node of the flowchart that decided it (`docs/rules/tractor.md` explains them). The weights are round
numbers: played against itself with others it did worse, or no better that could be measured. The searcher is the strong
player, this one is quick and easy to follow. Here are the talk and the burying; leads and follows have their own files.
"""

from itertools import combinations

from renege.core.cards import Card, Cards, Hand, kinds_in
from renege.core.message import say
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import View
from renege.games.strategy import Advice
from renege.games.tractor.declare import Drawing
from renege.games.tractor.friends import Friend, format_friends
from renege.games.tractor.friends import usual as usual_friends
from renege.games.tractor.order import BIG, LITTLE, POINTS, TRUMP, order_of, printed_suit, rank_of
from renege.games.tractor.rulebook_follow import follow
from renege.games.tractor.rulebook_lead import lead
from renege.games.tractor.rules import BURIED, Mode, Rules

# the strength with which trumps are named, what it must be above that in the trumps of a foe, what no trump suit lacks
ENOUGH, BETTER, NO_SUIT = 10.0, 2.0, 4.0
# what a card is worth in hand rather than buried
ACE, SURE, PAIR, RUN, STEP, TRUMPS = 8.0, 4.0, 2.5, 2.0, 0.15, 50.0
VOID, STRONG = 5.0, 14  # what a void is worth; so many trumps guard points in the kitty
GOOD = 8  # with so many trumps no new deal is asked for


def rulebook(view: View) -> Advice:
    """What this seat would call or play; a play is a `RulebookStep`."""
    if view.position.talking:
        return talk(view)
    turn = view.position.turn_to_play()
    return lead(turn) if turn.trick.lead is None else follow(turn)


def talk(view: View) -> Advice:
    """What this seat would call."""
    drawing = view.position.talk
    assert isinstance(drawing, Drawing)
    calls = view.position.legal_calls  # those of a kitty that is turned up are about the kitty, not about the hand
    if calls[0].startswith("bury"):
        pile = burials(order_named(drawing), view.hand, drawing.rules.buried)[0]
        return Advice(f"bury {pile}", "short weak suits, and what is worth least")
    if calls[0].startswith("friends"):
        return name_friends(drawing, view.hand, view.position.kitty)
    if len(calls) == 1 or calls[0] != "pass":  # a kitty to take up or to turn, or nothing to show or to ask for
        return Advice(calls[0], "nothing else to say")
    return answer(drawing, view.seat, view.hand, calls)


def answer(drawing: Drawing, seat: int, hand: Cards, calls: tuple[str, ...]) -> Advice:
    """What to say where one may pass: show, or ask for a new deal.

    A poor hand is thrown in; one with few points and good trumps is not.
    """
    if not drawing.asking:
        return show(drawing, seat, hand, calls)
    trumps = len(order_named(drawing).in_suit(hand, TRUMP))
    poor = "redeal" in calls and trumps < GOOD
    return Advice("redeal" if poor else "pass", say("{n} trumps in hand, {n2} are good", trumps, GOOD))


def show(drawing: Drawing, seat: int, hand: Cards, calls: tuple[str, ...]) -> Advice:
    """Name the suit in which the hand is strongest, if it is strong enough there."""
    if drawing.shown is not None and _ours(drawing.rules, drawing.shown[0], seat):
        return Advice("pass", "our side has named trumps")
    needed = ENOUGH
    if drawing.shown is not None:
        needed = max(needed, strength(hand, drawing.level, drawing.shown[1]) + BETTER)
    piles = {call: parse_cards(drawing.deck, call.removeprefix("show ")) for call in calls[1:]}
    if not piles:
        return Advice("pass", "nothing to show")
    strengths = {call: (strength(hand, drawing.level, pile), len(pile)) for call, pile in piles.items()}
    best = max(strengths, key=lambda call: strengths[call])  # rather a pair than a card: it is harder to overrule
    found = strengths[best][0]
    why = say("strength {n} with {cards}, {n2} needed", f"{found:.1f}", piles[best], f"{needed:.1f}")
    return Advice("pass" if found < needed else best, why)


def _ours(rules: Rules, shown: int, seat: int) -> bool:
    """Has this seat's side shown? With friends nobody has a side yet."""
    return shown == seat if rules.mode is Mode.FRIENDS else shown % 2 == seat % 2


def name_friends(drawing: Drawing, hand: Cards, kitty: Hand) -> Advice:
    """By the highest cards that may be named: those first of which the banker has fewest, and the copy after its own.

    So its own copies, played first, do not take the place; where it has or buried all but the last, that is named.
    """
    rules = drawing.rules
    known = hand + kitty if isinstance(kitty, Cards) else hand
    open_ones = usual_friends(rules, drawing.order)

    def own(friend: Friend) -> tuple[int, int, Friend]:
        held = hand.count(friend.card)
        sure = friend.nth == min(held + 1, rules.packs) and known.count(friend.card) < rules.packs
        return -sure, held, friend

    named = sorted(sorted(open_ones, key=own)[: rules.friend_count])
    return Advice(f"friends {format_friends(named)}", "the highest cards that others hold")


def strength(hand: Cards, level: str, shown: Cards) -> float:
    """How good a hand is if these cards name trumps: a point a trump, more for high ones and pairs."""
    suit = printed_suit(next(iter(shown)))
    total = 0.0
    for card in kinds_in(hand.kinds):
        copies = hand.count(card)
        if card in (LITTLE, BIG):
            total += copies * (2.5 if card == BIG else 2.0) + (copies > 1)
        elif rank_of(card) == level:
            total += copies * 1.5 + (copies > 1)
        elif suit is not None and printed_suit(card) == suit:
            total += copies + 0.5 * (copies > 1)
        elif rank_of(card) == "A":
            total += copies * 0.5
    return total if suit is not None else total - NO_SUIT


def order_named(drawing: Drawing) -> Order:
    """The order under the trumps that have been named."""
    return order_of(drawing.rules, drawing.declaration)


def burials(table: Order, hand: Cards, buried: int = BURIED) -> list[Cards]:
    """For each choice of suits to be void in the cards that are worth least, the best choice first.

    Short weak suits go whole, then what is worth least; no trumps, and points only behind strong trumps.
    """
    trumps = len(table.in_suit(hand, TRUMP))
    worth = {card: _worth(table, hand, card, guarded=trumps >= STRONG) for card in kinds_in(hand.kinds)}
    plain = [suit for suit in range(1, len(table.suits)) if table.in_suit(hand, suit)]
    found: list[tuple[float, list[Card]]] = []
    for size in range(len(plain) + 1):
        for voids in combinations(plain, size):
            gone = [card for suit in voids for card in table.in_suit(hand, suit)]
            if len(gone) <= buried:
                rest = sorted(hand - hand.deck.cards(gone), key=lambda card: (worth[card], card))
                pile = gone + rest[: buried - len(gone)]
                cost = sum(worth[card] for card in pile) - VOID * size * (trumps > 4)
                found.append((cost, pile))
    return [hand.deck.cards(pile) for _, pile in sorted(found)]


def _worth(table: Order, hand: Cards, card: Card, *, guarded: bool) -> float:
    suit = table.led_suit[card]
    held, steps, strength = table.in_suit(hand, suit), table.steps[suit], table.strength[suit]
    at = next(i for i, step in enumerate(steps) if step >> card & 1)
    worth = STEP * at + POINTS[card] * (0.5 if guarded else 1.0)
    if suit == TRUMP:
        return TRUMPS + strength[card]
    higher = sum(hand.deck.copies * step.bit_count() for step in steps[at + 1 :]) - sum(
        strength[c] > strength[card] for c in held
    )
    worth += ACE if not higher else SURE if higher == 1 else 0.0
    pairs = held.at_least(2)
    if pairs >> card & 1:
        beside = (steps[at - 1] if at else 0) | (steps[at + 1] if at + 1 < len(steps) else 0)
        worth += PAIR + STEP * at + (RUN if pairs & beside else 0.0)
    return worth
