"""PIMC search of Schafkopf: every world is solved with open hands, and the payoff is money.

A price has steps: the game is won at 61, the losers are Schneider or Schwarz. Each step is a question to the solver,
"do the declarers get so many?", and the answers together are exactly what is paid if everybody plays for money and sees
all hands. The side of a seat is that of the world: it may be the partner of the declarer in one and not in another.

A bid is worth the best game of its kind: what such hands won when they were played out, and half of what the open hands
of a world bring more than open hands usually do with such a hand, since few worlds can be tried in a moment. Open hands
themselves would not do: where three defenders see everything, most solos are lost that a table would let win. To pass
is worth what the rulebook thinks. A question takes a share of the time at most. If the solver leaves it open, then in
the play that world counts as not reached, and in the talk only the rulebook says what the game is worth.

For the same reason a defender who believed the open hands would double every solo: so a Stoss is left to the rulebook,
and so are a Ramsch, which has no value with open hands, a Bettel in which the trick must be beaten, which the solver
does not play, and all talk of a Hochzeit.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from renege.core.game import KITTY
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.core.world import World, piles_of
from renege.games.schafkopf.calling import chance, games, lowest_bid, passing, promise
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding, need_of, points_of
from renege.games.schafkopf.follow import heads
from renege.games.schafkopf.open_hands import OpenHandPayoff
from renege.games.schafkopf.rulebook import interject, rulebook
from renege.games.strategy import Option, Search, Strategy, Worth
from renege.native.arrays import U32
from renege.native.engine import CPU, Engine

# how many games are tried by a bidder, by who has the bidding; the chance to try one at all, and to try no further
BIDS_TRIED, GAMES_NAMED, TRY_FROM, CLEAR = 2, 3, 0.35, 0.9
NEWS = 0.5  # of what the open hands say beyond what is usual for such a hand
# of the time, for one question about one world, in the play and in the talk
PLAY_SHARE, TALK_SHARE = 0.2, 0.1
SLICES = {8: 1, 7: 1, 6: 4}  # worlds that are solved together, by cards in hand; later more
LATE_SLICE = 16


def options(view: View) -> tuple[Option, ...]:
    usual, position = rulebook(view).what, view.position
    others: Sequence[Option] = ()
    if isinstance(position.talk, Bidding):
        others = () if usual == "hochzeit" else _calls(position.talk, view)
    elif _is_weighed(position):
        others = tuple(view.legal_plays)
    return (usual, *(option for option in others if option != usual))


def weigh(
    view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
) -> Worth:
    """What the seat is paid, in the units of the tariff, and what points weigh besides; NaN where time was out.

    Where the rulebook decides alone nothing is weighed, and all is NaN.
    """
    talk, calls = view.position.talk, [option for option in options if isinstance(option, str)]
    plays = [option for option in options if isinstance(option, Play)]
    if isinstance(talk, Bidding) and talk.step in ("bid", "declare") and "hochzeit" not in calls:
        return _weigh_calls(view, worlds, calls, until, engine)
    if plays and _is_weighed(view.position):
        return _weigh_plays(view, worlds, plays, until, engine)
    return _nothing(worlds, options)


def _is_weighed(position: Position) -> bool:
    """Is this a game with sides, and with the duties that the solver knows?"""
    contract = position.contract
    if not isinstance(contract, Bargain) or contract.declarer is None:
        return False
    return not heads(position.game.rules, contract.declaration)


def unweighed(view: View) -> str:
    talk, contract = view.position.talk, view.position.contract
    if isinstance(talk, Bidding):
        if talk.step == "double":
            return "it is doubled before a game is named, and so that is not weighed"
        if talk.step != "bid" or rulebook(view).what == "hochzeit":
            return "what is said in a Hochzeit is not weighed"
        clear = next(iter(_chances(talk, view).values()), 0.0) >= CLEAR or rulebook(view).what != "pass"
        return "the best game is clear" if clear else "no game is likely enough to be tried"
    if isinstance(contract, Bargain) and contract.declarer is None:
        return "a Ramsch has no sides, and its open hands are not solved"
    return "the open hands are not solved where the trick must be beaten"


STRATEGY = Strategy(rulebook, interject, Search("cents", options, weigh, unweighed=unweighed))


def _nothing(worlds: Sequence[World], options: Sequence[Option]) -> Worth:
    """No world is reached yet."""
    shape = len(worlds), len(options)
    return Worth(np.full(shape, np.nan), np.zeros(shape))


def _weigh_plays(view: View, worlds: Sequence[World], plays: Sequence[Play], until: float, engine: Engine) -> Worth:
    cards = [next(iter(play.cards)) for play in plays]
    found, hands = _nothing(worlds, plays), _hands(worlds)
    table = OpenHandPayoff(view.position, view.seat, until, PLAY_SHARE * (until - time.perf_counter()), engine)
    size = engine.at_once(SLICES.get(len(view.hand), LATE_SLICE))
    for first in range(0, len(worlds), size):
        if time.perf_counter() >= until:
            break
        some = slice(first, first + size)
        solved = table.pays(hands[some], cards)
        found.paid[some], found.tie_break[some] = solved.paid, solved.tie_break
    return found


def _hands(worlds: Sequence[World]) -> U32:
    """`uint32[worlds, 4]`: the cards of each hand."""
    return piles_of(worlds)[:, :KITTY, 0].astype(np.uint32)


# -- the talk


def _calls(talk: Bidding, view: View) -> tuple[str, ...]:
    """Bids, or games to name: those that may be worth it."""
    calls = view.legal_calls
    if talk.step == "declare" and "hochzeit" not in calls:
        return tuple(game for game in games(talk, view.hand) if game in calls)[:GAMES_NAMED]
    chances = _chances(talk, view) if talk.step == "bid" else {}
    if not chances or next(iter(chances.values())) >= CLEAR:
        return ()
    tried = [bid for bid, good in chances.items() if good >= TRY_FROM][:BIDS_TRIED]
    return ("pass", *tried) if tried else ()


def _chances(talk: Bidding, view: View) -> dict[str, float]:
    """How likely the best game of each bid is won, the most promising first."""
    hand, leads = view.hand, talk.turn == talk.forehand
    chances = dict[str, float]()
    for game, bid in _bids(talk, view):
        chances.setdefault(bid, chance(game, talk.rules, hand.kinds, leads=leads, need=points_of(bid)))
    return chances


def _bids(talk: Bidding, view: View) -> list[tuple[str, str]]:
    """The games that this seat could play, the most promising first, each with its lowest bid."""
    calls = view.legal_calls
    found = [(game, lowest_bid(talk, game, calls)) for game in games(talk, view.hand)]
    return [(game, bid) for game, bid in found if bid is not None]


def _weigh_calls(view: View, worlds: Sequence[World], calls: Sequence[str], until: float, engine: Engine) -> Worth:
    """What each bid, or game, is worth if this seat then plays: by the rulebook, and by the news of each world.

    Where the solver does not know in time, and for a pass, it is the rulebook's word alone.
    """
    talk, seat, rules = view.position.talk, view.seat, view.game.rules
    assert isinstance(talk, Bidding)
    best = {bid: game for game, bid in reversed(_bids(talk, view))} if talk.step == "bid" else {}
    named = [best.get(call, call) for call in calls]
    leads, needs = seat == talk.forehand, [points_of(call if talk.step == "bid" else talk.bid) for call in calls]
    hand = view.hand.kinds
    usual, usual_open = (
        2**talk.doubled
        * np.array([
            passing(rules) if game == "pass" else promise(rules, game, hand, leads=leads, need=need, hands_open=seen)
            for game, need in zip(named, needs, strict=True)
        ])
        for seen in (False, True)
    )  # fmt: skip
    found, hands = _nothing(worlds, calls), _hands(worlds)
    question, size = TALK_SHARE * (until - time.perf_counter()), engine.at_once(1)
    for first in range(0, len(worlds), size):
        if time.perf_counter() >= until:
            break
        some = slice(first, first + size)
        solved = np.full((len(hands[some]), len(named)), np.nan)
        for column, game in enumerate(named):
            if game != "pass" and not heads(rules, game):
                begun = _begun(view.position, worlds[first], game, seat, needs[column])
                table = OpenHandPayoff(begun, seat, until, question, engine)
                solved[:, column] = table.pays(hands[some], None).paid[:, 0]
        if time.perf_counter() < until:
            found.paid[some] = np.where(np.isnan(solved), usual, usual + NEWS * (solved - usual_open))
    return found


def _begun(position: Position, world: World, game: str, seat: int, need: int) -> Position:
    """A world at the first lead, when this seat has named its game."""
    talk = position.talk
    assert isinstance(talk, Bidding)
    begun = replace(position, hands=world.hands, kitty=world.kitty)
    return begun.begun(Bargain(game, seat, talk.forehand, doubled=talk.doubled, need=need_of(game, need)))
