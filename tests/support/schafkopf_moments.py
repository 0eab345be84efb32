"""Deals of Schafkopf steered to the game that a test needs, action by action, under many house rules."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from itertools import islice
from typing import Any

from renege.core.cards import Cards
from renege.games.encoding import Moment
from renege.games.schafkopf import PRESETS, Bargain, PackSize, Rules, order, trumps
from renege.games.schafkopf.declare import OLD, bid_of, from_forehand, kinds_played
from renege.games.schafkopf.encoding import BID_NAMES
from renege.games.schafkopf.order import CALLED_SUITS, DECKS, DECLARATIONS, TRUMP, parse_declaration
from renege.games.schafkopf.rules import (
    AllPass,
    BettelOrder,
    Doubling,
    HeadTrick,
    HerzSolo,
    HochzeitCards,
    HochzeitCouples,
    HochzeitReturn,
    March,
    Played,
    Precedence,
    RamschLosers,
    RamschTie,
    StossDeadline,
    StossPrice,
    StossRole,
    Virgins,
)

# every preset, and tables that answer each question in each way
HOUSES: dict[str, Rules] = {
    **PRESETS,
    "old must": Rules(
        all_pass=AllPass.OLD_MUST,
        doubling=Doubling.ANYONE,
        stoss_deadline=StossDeadline.FIRST_TRICK,
        stoss_role=StossRole.TAKES_OVER,
        runners_from=1,
        runners_from_wenz=2,
    ),
    "stock": Rules(
        precedence=Precedence.EQUAL,
        herz_solo=HerzSolo.FIRST,
        doubling=Doubling.ONE,
        all_pass=AllPass.STOCK,
        stoss_deadline=StossDeadline.FIRST_CARD,
        stoss_limit=3,
        farbgeier=Played.NO,
        bettel=Played.NO,
    ),
    "ramsch": Rules(
        doubling=Doubling.ANYONE,
        hochzeit_return=HochzeitReturn.ANY,
        stoss_price=StossPrice.ADDS,
        stoss_deadline=StossDeadline.FIRST_TRICK,
        ramsch_tie=RamschTie.MOST_TRICKS,
        virgins=Virgins.OWN,
        march=March.FROM_91,
        base=17,
        solo=41,
        extra=7,
        ramsch=13,
    ),
    "short ramsch": Rules(
        deck=PackSize.SHORT,
        precedence=Precedence.EQUAL,
        doubling=Doubling.ANYONE,
        stoss_role=StossRole.TAKES_OVER,
        ramsch_tie=RamschTie.MOST_TRUMPS,
        virgins=Virgins.OWN_EACH,
        march=March.NONE,
    ),
    "short old must": Rules(
        deck=PackSize.SHORT,
        herz_solo=HerzSolo.FIRST,
        all_pass=AllPass.OLD_MUST,
        doubling=Doubling.CHAIN,
        stoss_price=StossPrice.ADDS,
        stoss_limit=6,
    ),
    "beaten tricks": Rules(
        bettel_order=BettelOrder.HERZ,
        head_trick=HeadTrick.BOTH,
        run_from=2,
        ramsch_losers=RamschLosers.TWO_MOST,
        ramsch_tie=RamschTie.HIGHEST_TAKEN,
        virgins=Virgins.OWN,
        march=March.FROM_90,
        schneider=3,
        schwarz=40,
        runner=0,
        runners_from_solo=1,
        runners_from_geier=2,
        runners_from_farbwenz=15,
    ),
    "level losers": Rules(
        ramsch_losers=RamschLosers.TWO_MOST, ramsch_tie=RamschTie.ALL, virgins=Virgins.OWN, march=March.NONE
    ),
    "few games": Rules(
        doubling=Doubling.FOREHAND,
        ramsch_tie=RamschTie.ALL_ONE,
        virgins=Virgins.NOTHING,
        geier=Played.NO,
        farbwenz=Played.NO,
        tout=Played.NO,
        sie=Played.NO,
        stoss_limit=0,
    ),
}


def any_rules(rng: random.Random) -> Rules:
    """A table of any kind."""
    asked = {rule.name: type(rule.default) for rule in fields(Rules) if isinstance(rule.default, Enum)}
    answers: dict[str, Any] = {name: rng.choice(list(kind)) for name, kind in asked.items()}
    answers |= {name: rng.randrange(100) for name in ("base", "solo", "extra", "ramsch", "stock")}
    answers |= {name: rng.randint(1, 5) for name in ("runners_from", "runners_from_wenz")}
    own = [rule for rule in fields(Rules) if isinstance(rule.default, str)]  # numbers of their own
    answers |= {rule.name: rng.randint(rule.metadata["least"], 20) for rule in own if rng.random() < 0.5}
    answers["stoss_limit"], answers["run_from"] = rng.randrange(5), rng.randint(2, 7)
    answers["hochzeit_cards"] = HochzeitCards.FACE_DOWN  # which alone an environment shows
    answers["hochzeit_couples"] = HochzeitCouples.ONE
    if answers["precedence"] is Precedence.RAISING:  # which Python steps
        answers["precedence"] = Precedence.RANKED
    return Rules(**answers)


@dataclass(frozen=True)
class Aim:
    """The game that a deal is steered to, and who bids it; without one, all is left to chance."""

    declaration: str = ""
    bidder: int | None = None
    runs: bool = False  # forehand leads the called suit from under its ace
    refused: bool = False  # nobody accepts the Hochzeit
    quiet: bool = False  # nobody raises the stakes

    @property
    def bid(self) -> str:
        named = parse_declaration(self.declaration)
        return BID_NAMES[f"{named.kind} tout" if named.tout else named.kind]


CHANCE = Aim()


def may_declare(rules: Rules, hand: int, declaration: str) -> bool:
    """Does a hand, a mask, have what a game asks of it?"""
    named, table = parse_declaration(declaration), order(declaration, rules.deck)
    if named.kind == "rufspiel":
        assert named.suit is not None
        ace = 1 << table.deck.spellings[f"{named.suit}A"]
        return not hand & ace and bool(hand & table.follow[table.suits.index(named.suit)])
    if named.kind == "sie":
        return hand == sum(1 << card for card in trumps("sie", rules.deck)[: hand.bit_count()])
    if named.kind == "hochzeit":
        return (hand & table.follow[TRUMP]).bit_count() == 1
    return True


def games_of(rules: Rules) -> list[str]:
    """The games that a table plays, whoever has the hand for them."""
    kinds = kinds_played(rules)
    named = [parse_declaration(name) for name in DECLARATIONS if name != "ramsch"]
    return [str(game) for game in named if bid_of(rules, game) in kinds]


def aims(rules: Rules, dealer: int, deals: Sequence[Sequence[int]], seed: int) -> Iterator[tuple[int, Aim]]:
    """For every game of a table a deal, by its number, in which somebody has a hand for it; and what goes with it.

    `deals[n]` are four hands as masks. Games that none of them allows are left out.
    """
    rng = random.Random(seed)
    numbers = rng.sample(range(len(deals)), len(deals))
    for declaration in games_of(rules):
        able = ((n, seat) for n in numbers for seat in range(4) if may_declare(rules, deals[n][seat], declaration))
        often = declaration.startswith(("rufspiel", "hochzeit"))
        for number, seat in islice(able, 0, 12 * often + 1, 4):
            yield number, Aim(declaration, seat, refused=number % 3 == 0, quiet=number % 4 == 0)
    if "hochzeit" in games_of(rules):
        yield from islice(_trumps_only(rules, deals, numbers), 2)
    yield from ((number, Aim("ramsch")) for number in numbers[:4])
    yield from ((number, CHANCE) for number in numbers[4:8])
    yield from _runs(rules, from_forehand(dealer)[0], deals, numbers)
    if rules.all_pass is AllPass.OLD_MUST:
        yield from _renonces(rules, deals, numbers)


def _renonces(rules: Rules, deals: Sequence[Sequence[int]], numbers: Iterable[int]) -> Iterator[tuple[int, Aim]]:
    """Deals in which who holds the Eichel-Ober can call no ace: he lacks the suit of one, or holds all."""
    names = [f"rufspiel {suit}" for suit in CALLED_SUITS]
    deck = DECKS[rules.deck]
    old, aces = 1 << deck.spellings[OLD], sum(1 << deck.spellings[f"{suit}A"] for suit in CALLED_SUITS)
    held = [(n, seat, hand) for n in numbers for seat, hand in enumerate(deals[n]) if hand & old]
    barred = [(n, seat, hand) for n, seat, hand in held if not any(may_declare(rules, hand, name) for name in names)]
    for tens in (False, True):
        some = [(n, seat) for n, seat, hand in barred if (hand & aces == aces) == tens]
        yield from ((n, Aim(names[n % len(names)], seat)) for n, seat in some[:4])


def _trumps_only(rules: Rules, deals: Sequence[Sequence[int]], numbers: Iterable[int]) -> Iterator[tuple[int, Aim]]:
    """Deals in which a Hochzeit can be offered, and somebody has no card to give for it."""
    plain = ~order("hochzeit", rules.deck).follow[TRUMP]
    for number in numbers:
        offers = [seat for seat, hand in enumerate(deals[number]) if may_declare(rules, hand, "hochzeit")]
        if offers and not all(hand & plain for hand in deals[number]):
            yield number, Aim("hochzeit", offers[0], refused=True)


def _runs(
    rules: Rules, forehand: int, deals: Sequence[Sequence[int]], numbers: Iterable[int]
) -> Iterator[tuple[int, Aim]]:
    """Deals in which forehand may run from the called ace."""
    for suit in CALLED_SUITS:
        name = f"rufspiel {suit}"
        table = order(name, rules.deck)
        ace, plain = 1 << table.deck.spellings[f"{suit}A"], table.follow[table.suits.index(suit)]
        for number in numbers:
            hands = deals[number]
            if not hands[forehand] & ace or (hands[forehand] & plain).bit_count() < rules.run_from:
                continue
            callers = [seat for seat in range(4) if may_declare(rules, hands[seat], name) and hands[seat] & plain]
            if callers:
                yield number, Aim(name, callers[0], runs=True)
                break


def choose(moment: Moment, aim: Aim, rng: random.Random) -> int:
    """An action on the way to the aim."""
    names = {moment.encoding.actions[action]: action for action in moment.legal}
    if "stoss" in names and not aim.quiet and rng.random() < 0.7:
        return names["stoss"]
    if moment.position.talking and aim != CHANCE:
        wishes = [aim.declaration, aim.bid] if moment.turn == aim.bidder else []
        wishes += ["accept"] * (not aim.refused and rng.random() < 0.7) + ["double"] * (rng.random() < 0.4) + ["pass"]
        wish = next((wish for wish in wishes if wish in names), None)
        return rng.choice(moment.legal) if wish is None else names[wish]
    runs = _running(moment) if aim.runs else []
    return rng.choice(runs or moment.legal)


def _running(moment: Moment) -> list[int]:
    """Leads from under the called ace."""
    position = moment.position
    contract, hand = position.contract, position.hand
    if (
        not isinstance(contract, Bargain)
        or not isinstance(hand, Cards)
        or position.trick is None
        or position.trick.plays
    ):
        return []
    deck, called = DECKS[position.game.rules.deck], str(contract.named.called)
    ace = deck.spellings[called]
    assert position.order is not None
    plain = position.order.follow[position.order.suits.index(called[0])]
    return [
        card for card in moment.legal if card < len(deck.names) and plain >> card & 1 and card != ace and ace in hand
    ]
