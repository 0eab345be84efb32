"""PIMC search of Tractor at larger tables: any seats and packs, teams or friends, every duty.

Plays are tried one for each of a kind: units that may be led, throws that nothing beats, follows that win, give points
or save them. Every world is played on to its end by rules of thumb (`rollouts_wide`). What a round pays is the levels
that the seat's own team gains more than the others; in Finding Friends the team is that of the end of each world,
where who plays a named copy has joined. Showing, burying and naming friends are weighed by the rounds that follow.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Turn
from renege.core.notation import parse_cards
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.core.world import Drawn, World, piles_of
from renege.games.strategy import Option, Search, Strategy, Worth
from renege.games.tractor import rulebook_follow, rulebook_lead
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.follow import beats
from renege.games.tractor.friends import Friend, format_friends, parse_friends
from renege.games.tractor.friends import usual as usual_friends
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rollouts_wide import layers, play_on
from renege.games.tractor.rulebook import burials, name_friends, order_named
from renege.games.tractor.rulebook_wide import built, cheapest, open_bombs, price, rulebook, winners
from renege.games.tractor.rules import Mode, Rules, TrumpThrows
from renege.games.tractor.score import ENOUGH, enough, outcome
from renege.games.tractor.search import weigh_shows
from renege.games.tractor.throws import may_beat
from renege.games.tractor.units import units_of
from renege.native.engine import CPU, Engine
from renege.native.tractor_wide import WideEnds

MOST_PLAYS, MOST_BURIALS, MOST_FRIENDS = 12, 6, 8
SEATS = 16  # bits of a mask of seats
POINT = 0.004  # levels that a point weighs among equals, counted from those that turn the bank over


def options(view: View) -> tuple[Option, ...]:
    usual, position = rulebook(view).what, view.position
    others: Iterable[Option] = ()
    if isinstance(position.talk, Drawing) and position.talking:
        others = _calls(view, position.talk)
    else:
        turn = position.turn_to_play()
        others = map(Play, dict.fromkeys(_leads(turn) if turn.trick.lead is None else _follows(turn)))
    return tuple(dict.fromkeys((usual, *islice((one for one in others if one != usual), MOST_PLAYS - 1))))


def weigh(
    view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
) -> Worth:
    """The levels that the seat's team gains more than the others by each option."""
    position = view.position
    if not position.talking:
        plays = [option for option in options if isinstance(option, Play)]
        assert isinstance(position.contract, Bank)
        return worth(position, view.seat, position.contract.declarer, play_on(position, worlds, plays, until, engine))
    assert isinstance(position.talk, Drawing)
    calls = [str(option) for option in options]
    verb = calls[0].partition(" ")[0]
    ways = {"bury": _weigh_burials, "friends": _weigh_friends}
    return ways.get(verb, _weigh_shows)(view, position.talk, worlds, calls, until, engine)


def unweighed(view: View) -> str:
    return "nothing else wins, gives or saves points, or empties a suit"


STRATEGY = Strategy(rulebook, search=Search("levels", options, weigh, confirm=True, unweighed=unweighed))


# -- what ends are worth


def worth(position: Position, seat: int, banker: int, ends: WideEnds) -> Worth:
    """What rounds pay a seat; a world with a negative number of points was not reached."""
    rules, levels = position.game.rules, position.standing.score[:-1]
    keys, which = np.unique(ends.points.astype(np.int64) << SEATS | ends.teams, return_inverse=True)
    mask = (1 << SEATS) - 1
    found = np.array([_pays(rules, levels, seat, banker, key >> SEATS, key & mask) for key in keys.tolist()])
    paid, tie_break = np.moveaxis(found.reshape(-1, 2)[which.reshape(ends.points.shape)], -1, 0)
    paid = paid.copy()
    paid[np.isnan(paid).any(axis=1)] = np.nan
    return Worth(paid, tie_break)


def _pays(rules: Rules, levels: tuple[int, ...], seat: int, banker: int, points: int, mask: int) -> tuple[float, float]:
    """Levels that the seat's team gains more than the others, and what points weigh beside them.

    Points count from those that turn the bank over, to either side as far as that is from nothing: being the banker or
    not weighs nothing by itself, and no kitty outweighs a level.
    """
    if points < 0:
        return np.nan, 0.0
    team = frozenset(one for one in range(rules.seats) if mask >> one & 1)
    end = outcome(rules, levels, banker, points, 0, 1, team)
    gains = [end.gains[one % len(end.gains)] for one in range(rules.seats)]
    ours = [gain for one, gain in enumerate(gains) if (one in team) == (seat in team)]
    theirs = [gain for one, gain in enumerate(gains) if (one in team) != (seat in team)]
    middle = enough(rules)
    beyond = min(max(points - middle, -middle), middle) * POINT * ENOUGH / max(middle, 1)
    paid = sum(ours) / len(ours) - (sum(theirs) / len(theirs) if theirs else 0.0)
    return paid, -beyond if seat in team else beyond


# -- plays


def _leads(turn: Turn) -> Iterator[Cards]:
    """Throws and units that nothing beats, then wide ones, then high and low cards of every suit."""
    if turn.rules.is_four_in_teams:
        yield from rulebook_lead.leads(turn)
        return
    order, deck = turn.order, turn.hand.deck
    later: list[list[Cards]] = [[], [], []]
    for suit in range(len(order.suits)):
        held = order.in_suit(turn.hand, suit)
        if not held:
            continue
        units = units_of(order, suit, held)
        sure = [unit for unit in units if not may_beat(turn, suit, unit)]
        if len(sure) > 1 and (suit != TRUMP or turn.rules.trump_throws is TrumpThrows.ALLOWED):
            yield _together(sure)
        later[0] += sorted(sure, key=len, reverse=True)[:1]
        later[1] += [unit for unit in units if len(unit) > 1][:2]
        kinds = sorted(kinds_in(held.kinds), key=lambda card: (price(turn, card, 1), card))
        later[2] += [deck.of(1 << card) for card in (kinds[0], kinds[-1])]
    for piles in later:
        yield from piles


def _together(units: Iterable[Cards]) -> Cards:
    first, *rest = units
    for unit in rest:
        first = first + unit
    return first


def _follows(turn: Turn) -> Iterator[Cards]:
    """Cheap cards, points given and saved, cards that win, and the cheapest of each suit where the led one runs out."""
    if turn.rules.is_four_in_teams:
        yield from rulebook_follow.follows(turn)
        return
    assert turn.trick.lead is not None
    order, best = turn.order, turn.trick.plays[turn.trick.best]
    yield cheapest(turn, 1)
    yield cheapest(turn, -1)
    yield from (pile for pile in (*winners(turn), *open_bombs(turn)) if beats(turn, best, Play(pile)))
    if turn.led is None:  # a rainbow: no suit is owed
        return
    led = len(turn.trick.lead.cards)
    held = order.in_suit(turn.hand, turn.led)
    if led == 1:
        yield from _single_follows(turn, held or turn.hand, best)
        return
    if len(held) < led:
        for suit in range(len(order.suits)):
            if suit != turn.led and order.in_suit(turn.hand, suit):
                yield built(turn, lambda card, suit=suit: price(turn, card, 1) - 200 * (order.led_suit[card] == suit))
    else:
        yield built(turn, lambda card: -order.strength[order.led_suit[card]][card])


def _single_follows(turn: Turn, pile: Cards, best: Play) -> Iterator[Cards]:
    """For one card: the cheapest that wins, the dearest, the cheapest of each suit, and each that counts points."""
    order, deck = turn.order, pile.deck

    def cost(card: Card) -> tuple[int, int]:
        return price(turn, card, 0), card

    kinds = sorted(kinds_in(pile.kinds), key=cost)
    ahead = [card for card in kinds if beats(turn, best, Play(deck.of(1 << card)))]
    chosen = [*ahead[:1], *ahead[-1:], *[card for card in kinds if order.points[card]][::-1]]
    for suit in range(len(order.suits)):
        chosen += [card for card in kinds if order.led_suit[card] == suit][:1]
    yield from (deck.of(1 << card) for card in chosen)


# -- calls


def _calls(view: View, drawing: Drawing) -> Iterator[str]:
    if drawing.on_kitty:
        return
    calls = view.legal_calls
    if calls[0].startswith("bury"):
        piles = burials(order_named(drawing), view.hand, drawing.rules.buried)[:MOST_BURIALS]
        yield from (f"bury {pile}" for pile in piles)
    elif calls[0].startswith("friends"):
        yield from islice(_friend_calls(view, drawing), MOST_FRIENDS)
    else:
        yield from calls


def _friend_calls(view: View, drawing: Drawing) -> Iterator[str]:
    """Friends by the highest cards of the plain suits, of each the copy that is as likely as can be to be another's."""
    rules, known = drawing.rules, view.hand
    if isinstance(view.position.kitty, Cards):
        known = known + view.position.kitty
    likely: dict[Card, list[Friend]] = {}
    for friend in usual_friends(rules, drawing.order):
        if known.count(friend.card) < rules.packs:
            likely.setdefault(friend.card, []).append(friend)
    first: list[Friend] = []
    for card, places in likely.items():
        own = min(view.hand.count(card), len(places) - 1)
        first += [*places[own : own + 2]]
    first.sort(key=lambda friend: (abs(friend.nth - view.hand.count(friend.card) - 1), friend))
    for named in combinations(first, rules.friend_count):
        yield f"friends {format_friends(sorted(named))}"


def _bank(drawing: Drawing, banker: int, friends: tuple[Friend, ...]) -> Bank:
    return Bank(drawing.declaration, banker, banker, friends)


def _opened(
    view: View, bank: Bank, piles: Sequence[World] | Drawn, until: float, engine: Engine
) -> tuple[Position, WideEnds]:
    """Rounds from the first lead on, which the banker makes."""
    position = view.position.begun(bank)
    return position, play_on(position, piles, [None], until, engine)


def _weigh_burials(
    view: View, drawing: Drawing, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine
) -> Worth:
    found: list[Worth] = []
    packs, deck = drawing.rules.packs, view.game.deck
    for call in calls:
        pile = parse_cards(deck, call.removeprefix("bury "))
        rows = piles_of(worlds).copy()
        rows[:, view.seat] = 0
        rows[:, view.seat, :packs] = layers(view.hand - pile, packs)
        rows[:, -1] = 0
        rows[:, -1, :packs] = layers(pile, packs)
        bank = _bank(drawing, view.seat, friends_for(drawing, view.hand - pile, pile))
        position, ends = _opened(view, bank, Drawn(deck, rows), until, engine)
        found.append(worth(position, view.seat, view.seat, ends))
    return _beside(found)


def _weigh_friends(
    view: View, drawing: Drawing, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine
) -> Worth:
    found: list[Worth] = []
    for call in calls:
        bank = _bank(drawing, view.seat, parse_friends(call.removeprefix("friends ")))
        position, ends = _opened(view, bank, worlds, until, engine)
        found.append(worth(position, view.seat, view.seat, ends))
    return _beside(found)


def _beside(columns: Sequence[Worth]) -> Worth:
    paid = np.hstack([column.paid for column in columns])
    paid[np.isnan(paid).any(axis=1)] = np.nan
    return Worth(paid, np.hstack([column.tie_break for column in columns]))


def friends_for(drawing: Drawing, hand: Cards, kitty: Cards) -> tuple[Friend, ...]:
    """The friends that a banker with these cards would name; none where there are sides."""
    if drawing.rules.mode is Mode.TEAMS:
        return ()
    return parse_friends(str(name_friends(drawing, hand, kitty).what).removeprefix("friends "))


def _weigh_shows(
    view: View, drawing: Drawing, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine
) -> Worth:
    """Each world is talked to its end, its kitty buried, friends named, and played out."""

    def round_after(end: Drawing, world: World) -> tuple[float, float]:
        return _round_after(view, end, world, until, engine)

    return weigh_shows(view, drawing, worlds, calls, until, round_after)


def _round_after(view: View, drawing: Drawing, world: World, until: float, engine: Engine) -> tuple[float, float]:
    """What the round pays, and what speaks for it besides; nothing where the cards are thrown in."""
    if drawing.turn is None:
        return 0.0, 0.0
    banker = drawing.banker
    whole = world.hands[banker] + world.kitty
    pile = burials(order_named(drawing), whole, drawing.rules.buried)[0]
    hands = tuple(whole - pile if seat == banker else hand for seat, hand in enumerate(world.hands))
    bank = _bank(drawing, banker, friends_for(drawing, whole - pile, pile))
    position, ends = _opened(view, bank, [World(hands, pile)], until, engine)
    found = worth(position, view.seat, banker, ends)
    return float(found.paid[0, 0]), float(found.tie_break[0, 0])
