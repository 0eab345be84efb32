"""Scoring of Texas 42: made or set, marks or points, and who has won the game."""

from renege.core.game import SEATS, Result, Standing, all_played
from renege.core.position import Course, Position
from renege.core.verdict import Breach
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.rules import EarlyEnd, ForcedSweep, RenegePenalty, Rules, Scoring, WinBy

ALL_POINTS = 42
# what a renege costs above the hand, and its name
MARKS_BESIDE_THE_HAND = {RenegePenalty.HAND_AND_MARK: (1, "a mark"), RenegePenalty.HAND_AND_TWO: (2, "two marks")}


def _taken(position: Position, side: int) -> tuple[int, int]:
    """The points and tricks that a side has taken."""
    return sum(position.points[side::2]), sum(position.tricks[side::2])


def made(position: Position) -> bool | None:
    """Have the declarers made their contract? None while that is open."""
    contract = _contract(position)
    declarers = contract.declarer % 2
    (points, tricks), (against, lost) = _taken(position, declarers), _taken(position, 1 - declarers)
    if contract.kind is Kind.POINTS:
        if points >= contract.bid.points:
            return True
        short = against > all_points(position) - contract.bid.points
        return False if short or all_played(position) else None
    if contract.kind is Kind.NELLO:
        tricks, lost = lost, tricks  # the declarer plays to lose
    if lost:
        return False
    return True if tricks == position.game.hand_size else None


def all_points(position: Position) -> int:
    """What tricks and counters come to, tiles asleep included where a shrunk game leaves some: 42 in a whole deal."""
    assert position.order is not None
    return position.order.worth(position.order.deck.all) + position.order.trick_points * position.game.hand_size


def over(position: Position) -> bool:
    """Played out, or decided where the table then stops; a points game plays its bids in points to the end."""
    if all_played(position):
        return True
    rules: Rules = position.game.rules
    contract = _contract(position)
    counts = rules.scoring is Scoring.POINTS and contract.kind is Kind.POINTS
    # a forced thirty may still take every trick, where that earns two marks
    sweeps = contract.forced and contract.bid.points == 30 and rules.forced_sweep is ForcedSweep.TWO_MARKS
    open_still = counts or (sweeps and not _taken(position, 1 - contract.declarer % 2)[1])
    return rules.early_end is EarlyEnd.STOP and not open_still and made(position) is not None


def score(position: Position) -> Result:
    contract, kept = _contract(position), made(position)
    if kept is None:
        raise ValueError(f"the hand is still open: {position}")
    return result(position.game.rules, contract, position, kept=kept)


def result(rules: Rules, contract: Hand42, position: Position, *, kept: bool) -> Result:
    """What a hand pays when it is made, or set."""
    declarers = contract.declarer % 2
    pays = _points(contract, position, kept) if rules.scoring is Scoring.POINTS else None
    if pays is None:
        winners = declarers if kept else 1 - declarers
        pays = tuple(stake(rules, contract, position) if side == winners else 0 for side in (0, 1))
    taken, _ = _taken(position, declarers)
    verb = "made" if kept else "set"
    name = contract.bid.amount if contract.kind in (Kind.POINTS, Kind.MARKS) else contract.kind.value
    points = "1 point" if taken == 1 else f"{taken} points"
    text = f"{name} by {contract.declarer} {verb} with {points}, {pays[0]}-{pays[1]}"
    return Result(tuple(pays[seat % 2] for seat in SEATS), kept, text)


def penalty(course: Course, breaches: tuple[Breach, ...]) -> Result | None:
    """What the hand comes to when somebody has reneged: the first is punished."""
    return punished(course.position, breaches[0].seat)


def punished(position: Position, offender: int) -> Result | None:
    """What the hand comes to when this seat has reneged, as the table punishes it."""
    rules = position.game.rules
    if rules.renege_penalty is RenegePenalty.NONE:
        return score(position) if made(position) is not None else None
    others = 1 - offender % 2
    if rules.renege_penalty is RenegePenalty.TWO_MARKS and rules.scoring is Scoring.MARKS:
        marks = tuple(2 if seat % 2 == others else 0 for seat in SEATS)
        return Result(marks, None, f"renege by {offender}, two marks, {marks[0]}-{marks[1]}")
    lost = _lost(position, offender)
    more, named = MARKS_BESIDE_THE_HAND.get(rules.renege_penalty, (0, ""))
    if not more:
        return lost
    worth = ALL_POINTS if rules.scoring is Scoring.POINTS else 1
    pays = tuple(paid + more * worth * (seat % 2 == others) for seat, paid in enumerate(lost.score))
    return Result(pays, lost.made, f"renege by {offender}, the hand and {named}, {pays[0]}-{pays[1]}")


def _lost(position: Position, offender: int) -> Result:
    """The hand as the other side has won it."""
    rules, contract, others = position.game.rules, _contract(position), 1 - offender % 2
    paid = result(rules, contract, position, kept=others == contract.declarer % 2)
    if rules.scoring is Scoring.POINTS and not contract.bid.marks:
        # the innocent side is taken to have won every point
        gain = ALL_POINTS if paid.made else ALL_POINTS + contract.bid.points
        pays = tuple(gain if seat % 2 == others else 0 for seat in SEATS)
        return Result(
            pays, paid.made, f"renege by {offender} against a bid of {contract.bid.amount}, {pays[0]}-{pays[1]}"
        )
    return Result(paid.score, paid.made, f"renege by {offender}: {paid.text}")


def stake(rules: Rules, contract: Hand42, position: Position) -> int:
    """The marks that a hand is played for."""
    if contract.bid.marks:
        return contract.bid.marks
    _, tricks = _taken(position, contract.declarer % 2)
    swept = contract.forced and contract.bid.points == 30 and tricks == position.game.hand_size
    return 2 if swept and rules.forced_sweep is ForcedSweep.TWO_MARKS else 1


def _points(contract: Hand42, position: Position, kept: bool) -> tuple[int, int]:
    declarers = contract.declarer % 2
    taken = [_taken(position, side)[0] for side in (0, 1)]
    if kept and not contract.bid.marks:
        return taken[0], taken[1]
    winners, pays = declarers if kept else 1 - declarers, [0, 0]
    pays[winners] = ALL_POINTS * contract.bid.marks if contract.bid.marks else taken[winners] + contract.bid.points
    return pays[0], pays[1]


def advance(position: Position, hand: Result | None) -> Standing:
    """The shake passes to the left, also after a hand that was thrown in."""
    standing = position.standing
    gained = (0, 0) if hand is None else (hand.score[0], hand.score[1])
    total = tuple(old + new for old, new in zip(standing.score, gained, strict=True))
    return Standing((standing.dealer + 1) % len(SEATS), total)


def winner(rules: Rules, standing: Standing) -> int | None:
    """The side that has won the game: at the target and far enough ahead."""
    ours, theirs = standing.score
    margin = 2 if rules.win_by is WinBy.TWO else 1
    if max(ours, theirs) < rules.target or abs(ours - theirs) < margin:
        return None
    return 0 if ours > theirs else 1


def _contract(position: Position) -> Hand42:
    assert isinstance(position.contract, Hand42)
    return position.contract
