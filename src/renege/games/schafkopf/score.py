"""Scoring of Schafkopf: points, Schneider, Schwarz, runners, the price, and who pays whom."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from renege.core.game import SEATS, Result, Standing
from renege.core.position import Course, Position
from renege.core.verdict import Breach
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.order import DECKS, TRUMP, VALUES, Declaration, order, trumps
from renege.games.schafkopf.rules import (
    AllPass,
    Doubling,
    March,
    PackSize,
    RamschLosers,
    RamschTie,
    RenegePenalty,
    Rules,
    StossPrice,
    StossRole,
    Virgins,
)


class Marks(NamedTuple):
    """The points in a pack and what they are measured by: 120, 61 and 31, unless the pack is a shrunk one."""

    all: int
    enough: int  # for the side that must win: more than half
    free: int  # for it to escape Schneider: more than a quarter; the other escapes with one less


MARCH_FROM = {March.FROM_90: 90, March.FROM_91: 91, March.FROM_120: 120}


def marks(rules: Rules) -> Marks:
    """The points that a table plays for."""
    left_out = rules.left_out
    names = (name for card, name in enumerate(DECKS[rules.deck].names) if not left_out >> card & 1)
    points = sum(VALUES.get(name[1], 0) for name in names)
    return Marks(points, points // 2 + 1, points // 4 + 1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A deal played out. Schneider, Schwarz and runners are those that count in the price."""

    payouts: tuple[int, ...]
    points: tuple[int, ...]  # of the declarer's side and of the others; in a Ramsch of each seat
    won: bool | None = None  # by the declarer's side
    schneider: bool = False
    schwarz: bool = False
    runners: int = 0


def outcome(position: Position) -> Outcome:
    """A deal that is played out: who pays whom how much, without the stock."""
    rules, contract = position.game.rules, _bargain(position)
    if contract.declarer is None:
        return _ramsch(position, contract)
    named, side = contract.named, {contract.declarer, partner_of(position)} - {None}
    ours = sum(position.points[seat] for seat in SEATS if seat in side)
    our_tricks = sum(position.tricks[seat] for seat in SEATS if seat in side)
    points = marks(rules)
    theirs, their_tricks = points.all - ours, sum(position.tricks) - our_tricks
    # whose side needs 61: after a Stoss, at some tables, that of who raised last
    needs = not (rules.stoss_role is StossRole.TAKES_OVER and len(contract.raised) % 2)
    enough = contract.need if needs and contract.need else points.enough
    won = _won(named, enough, (ours, theirs), (our_tricks, their_tricks), needs=needs)
    schneider = schwarz = False
    if named.kind != "bettel" and not named.every_trick:
        losers, loser_tricks = (theirs, their_tricks) if won else (ours, our_tricks)
        schneider = losers < points.free - (won == needs)
        schwarz = loser_tricks == 0
    held = [card for seat in SEATS if seat in side for card in position.memory.trumps[seat]]
    row = runners(str(named), rules.deck, held, rules.left_out)
    row = row if row >= rules.number(runners_rule(named.kind)) else 0
    counted = {"schneider": schneider, "schwarz": schwarz, "runner": row}
    value = price(rules, contract, sum(rules.number(name) * times for name, times in counted.items()))
    gain = value if won else -value
    share = 1 if len(side) == 2 else 3
    payouts = tuple(gain * share if seat in side else -gain for seat in SEATS)
    return Outcome(payouts, (ours, theirs), won, schneider, schwarz, row)


def _won(named: Declaration, enough: int, points: Sequence[int], tricks: Sequence[int], *, needs: bool) -> bool:
    """Has the declarer's side, named first, won? `needs`: it is the one that needs 61 points."""
    if named.kind == "bettel":
        return tricks[0] == 0
    if named.every_trick:
        return tricks[1] == 0
    return points[0] >= enough if needs else points[1] < enough


def price(rules: Rules, contract: Bargain, added: int = 0) -> int:
    """What one seat pays another; `added` to the price of the game, before it is doubled."""
    named = contract.named
    value = (rules.solo if named.alone else rules.base) + added
    return value * times_raised(rules, contract) * (2 if named.tout else 4 if named.kind == "sie" else 1)


def times_raised(rules: Rules, contract: Bargain) -> int:
    """How many times its price a game is played for, with its doublings and each Stoss."""
    raised = len(contract.raised)
    return 2**contract.doubled * (1 + raised if rules.stoss_price is StossPrice.ADDS else 2**raised)


def most_doubled(rules: Rules) -> int:
    """How often the stakes may be doubled before the bidding."""
    return {Doubling.NONE: 0, Doubling.ONE: 1, Doubling.FOREHAND: 1}.get(rules.doubling, len(SEATS))


def most_times(rules: Rules) -> int:
    """How many times its price a game may be played for."""
    most = Bargain("wenz", 0, 0, doubled=most_doubled(rules), raised=(1,) * rules.stoss_limit)
    return times_raised(rules, most)


def runners(declaration: str, deck: PackSize, held: Collection[str], left_out: int = 0) -> int:
    """The top trumps in a row that are all among these cards, or all not: no least number is asked for."""
    names = DECKS[deck].names
    top = [names[card] in held for card in trumps(declaration, deck) if not left_out >> card & 1]
    return next((i for i, here in enumerate(top) if here != top[0]), len(top))


def runners_rule(kind: str) -> str:
    """The house rule that says from how many on runners count in a kind of game."""
    return "runners_from" if kind in ("rufspiel", "bettel") else f"runners_from_{kind}"  # a Bettel has none


# -- Ramsch


def _ramsch(position: Position, contract: Bargain) -> Outcome:
    """Losers pay who does not lose; one who marches is paid by all."""
    rules, points = position.game.rules, position.points
    value, marcher = rules.ramsch * times_raised(rules, contract), _marcher(position)
    if marcher is not None:
        return Outcome(tuple(3 * value if seat == marcher else -value for seat in SEATS), points)
    virgins = [seat for seat in SEATS if not position.tricks[seat]]
    payouts = [0] * len(SEATS)
    for loser, other in _ramsch_payments(rules, _ramsch_losers(position), contract.leader):
        pays = value * 2 ** _doublings(rules.virgins, other, virgins)
        payouts[loser] -= pays
        payouts[other] += pays
    return Outcome(tuple(payouts), points)


def _ramsch_payments(rules: Rules, losers: list[int], forehand: int) -> list[tuple[int, int]]:
    """Who pays whom: each loser each of the others, or, two against two, one of them, in turn from forehand."""
    around = [(forehand + i) % len(SEATS) for i in range(len(SEATS))]
    lose, others = [s for s in around if s in losers], [s for s in around if s not in losers]
    one = rules.ramsch_losers is RamschLosers.TWO_MOST or rules.ramsch_tie is RamschTie.ALL_ONE
    if one and len(lose) == 2:
        return list(zip(lose, others, strict=True))
    return [(loser, other) for loser in lose for other in others]


def _doublings(house: Virgins, seat: int, virgins: list[int]) -> int:
    """How often virgins double what a seat is paid."""
    if house is Virgins.PRICE:
        return len(virgins)
    if house is Virgins.NOTHING or seat not in virgins:
        return 0
    return 1 if house is Virgins.OWN else len(virgins)


def _marcher(position: Position) -> int | None:
    march: March = position.game.rules.march
    if march is March.ALL_TRICKS:
        return next((seat for seat in SEATS if position.tricks[seat] == sum(position.tricks)), None)
    enough = MARCH_FROM.get(march)
    return next((seat for seat in SEATS if enough is not None and position.points[seat] >= enough), None)


def _ramsch_losers(position: Position) -> list[int]:
    """The one or two with most points, and with them those whom the table's question does not tell apart.

    Where nobody would be left to be paid, there is no second.
    """
    bad = list(zip(position.points, _tie_breakers(position), strict=True))
    first, second, *_ = sorted(bad, reverse=True)
    losers = [seat for seat in SEATS if bad[seat] >= second]
    two = position.game.rules.ramsch_losers is RamschLosers.TWO_MOST and len(losers) < len(SEATS)
    return losers if two else [seat for seat in SEATS if bad[seat] == first]


def _tie_breakers(position: Position) -> Sequence[int]:
    """What tells seats with equally many points apart: who has most of it has lost."""
    rules = position.game.rules
    if rules.ramsch_tie in (RamschTie.ALL, RamschTie.ALL_ONE):
        return (0,) * len(SEATS)
    if rules.ramsch_tie is RamschTie.MOST_TRICKS:
        return position.tricks
    if rules.ramsch_tie is not RamschTie.HIGHEST_TRUMP:
        return position.memory.taken
    strength, spellings = order("ramsch", rules.deck).strength[TRUMP], DECKS[rules.deck].spellings
    return [max((strength[spellings[card]] for card in held), default=0) for held in position.memory.trumps]


# -- at the table


def _bargain(position: Position) -> Bargain:
    assert isinstance(position.contract, Bargain)
    return position.contract


def partner_of(position: Position) -> int | None:
    """The declarer's partner, once it is known: who was named, or who has played the called ace."""
    contract = _bargain(position)
    partner = position.memory.ace if contract.named.kind == "rufspiel" else contract.partner
    return None if partner == contract.declarer else partner


def score(position: Position) -> Result:
    """The result of a deal that is played out, the stock included."""
    contract, partner, end = _bargain(position), partner_of(position), outcome(position)
    payouts, stock = list(end.payouts), position.standing.score[len(SEATS)]
    if contract.named.kind == "rufspiel" and stock:
        for seat in (contract.declarer, partner):
            if seat is not None:
                payouts[seat] += (stock if end.won else -stock) // 2
    return Result(tuple(payouts), end.won, _text(contract, partner, end, payouts))


def _text(contract: Bargain, partner: int | None, end: Outcome, payouts: Sequence[int]) -> str:
    pays = " ".join(f"{pay:+d}" if pay else "0" for pay in payouts)
    if contract.declarer is None:
        return f"ramsch, points {' '.join(map(str, end.points))}: {pays}"
    who = f"by {contract.declarer}" + ("" if partner is None else f" with {partner}")
    parts = [f"{contract.declaration} {who} {'won' if end.won else 'lost'} with {end.points[0]}"]
    parts += ["Schneider"] * end.schneider + ["Schwarz"] * end.schwarz
    parts += [f"{end.runners} runners"] if end.runners else []
    return f"{', '.join(parts)}: {pays}"


def penalty(course: Course, breaches: tuple[Breach, ...]) -> Result | None:
    """What a deal comes to in which somebody reneged: the first offender's side loses the plain price."""
    position, offender = course.position, breaches[0].seat
    contract, rules = _bargain(position), position.game.rules
    if rules.renege_penalty is RenegePenalty.NONE:
        return score(position) if position.over else None
    side = position.side(offender)
    if side is None:
        return None  # whose partner the offender is does not show
    if contract.declarer is None:
        value = rules.ramsch * times_raised(rules, contract)
        payouts = [-3 * value if seat == offender else value for seat in SEATS]
    else:
        gain = price(rules, contract) if side else -price(rules, contract)  # side 0 is the declarer's
        sides = [position.side(seat) for seat in SEATS]
        if None in sides:
            return None  # who pays with whom does not show
        share = 3 if sides.count(0) == 1 else 1
        payouts = [gain * share if on == 0 else -gain for on in sides]
    pays = " ".join(f"{pay:+d}" for pay in payouts)
    return Result(tuple(payouts), None if contract.declarer is None else bool(side), f"renege by {offender}: {pays}")


def advance(position: Position, deal: Result | None) -> Standing:
    """The dealer moves on, payments are booked, and what nobody has is in the stock."""
    *scores, stock = position.standing.score
    rules: Rules = position.game.rules
    pays = (0,) * len(SEATS) if deal is None else deal.score
    if position.contract is None and rules.all_pass is AllPass.STOCK:
        pays = (-rules.stock,) * len(SEATS)
    after = tuple(score + pay for score, pay in zip(scores, pays, strict=True))
    return Standing((position.standing.dealer + 1) % len(SEATS), (*after, stock - sum(pays)))


def winner(rules: Rules, standing: Standing) -> int | None:
    """Nobody: one plays for money, as long as one likes."""
    return None
