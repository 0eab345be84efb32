"""Conformance tests for any game package: perft counts, and random deals that check every invariant.

`perft` counts; `check_game` plays random deals through the public surface and checks everything that must hold of
any game, ours or a stranger's. Neither knows the rules: tables of cases by hand do that.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards
from renege.core.game import KITTY, Game
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.position_text import parse_position
from renege.core.record import FindGame, Record, parse_record
from renege.core.trick import Play
from renege.core.verdict import IllegalPlay, WrongPhase

SMALL_HAND = 8  # up to this many cards, every subset of a hand is judged


def perft(position: Position, depth: int) -> int:
    """The number of legal sequences of calls and plays of this length; one that ends before counts once."""
    if depth == 0 or position.over:
        return 1
    return sum(perft(after, depth - 1) for _, after in _next(position))


def perft_split(position: Position, depth: int) -> dict[str, int]:
    """The same count, divided by the first act: where two programs differ, this shows under which play."""
    return {act: perft(after, depth - 1) for act, after in _next(position)}


def _next(position: Position) -> Iterator[tuple[str, Position]]:
    if position.talking:
        yield from ((call, position.say(call)) for call in position.legal_calls)
    else:
        assert position.order is not None
        for play in position.legal_plays:
            yield position.game.write_play(play, position.order), position.then(position.read(play))


class Nonconforming(AssertionError):
    """A game broke something that must hold of every game; the message has the seed and the position."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """What a conformance run covered."""

    deals: int
    acts: int
    subsets: int

    def __str__(self) -> str:
        return f"{self.deals} deals, {self.acts} acts, {self.subsets} subsets judged: nothing wrong"


def check_game(
    game: Game, *, deals: int = 20, seed: int = 0, choose: Callable[[Position, random.Random], str | Play] | None = None
) -> Conformance:
    """Play random deals and check what must hold of any game; `choose` may steer them to a contract."""
    acts = subsets = 0
    for number in range(seed, seed + deals):
        rng = random.Random(number)
        try:
            record, judged = _play_out(game, number, rng, choose or _anything)
            _check_record(record, rng)
        except (AssertionError, ValueError, RuntimeError) as wrong:
            raise Nonconforming(f"{game.name}, deal of seed {number}: {wrong}") from wrong
        acts += len(record.acts)
        subsets += judged
    return Conformance(deals, acts, subsets)


def _anything(position: Position, rng: random.Random) -> str | Play:
    return rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)


def _play_out(
    game: Game, seed: int, rng: random.Random, choose: Callable[[Position, random.Random], str | Play]
) -> tuple[Record, int]:
    table, judged = Arbiter(game, seed), 0
    passed: list[Position] = []
    while (seat := table.position.turn) is not None:
        position = table.position
        _check_refusals(table, seat)
        if position.talking:
            _check_heard(position)
        else:
            judged += _check_legal_plays(position)
        act = choose(position, rng)
        assert table.act(seat, act), f"{act} was offered as legal and then refused: {position}"
        passed.append(position)
        again = parse_position(game, str(position))
        assert again == position, f"the text reads back as another position:\n  {position}\n  {again}"
    replayed = list(table.record.positions())
    assert replayed == [*passed, table.position], f"a replay passes through other positions:\n{table.record}"
    return table.record, judged


def _check_heard(position: Position) -> None:
    """Cards that change hands face down must sound alike, whichever they are, to all but giver and taker."""
    talk = position.talk
    assert talk is not None
    for listener in position.game.all_seats:
        told: dict[object, str] = {}
        for call in position.legal_calls:
            moves = talk.moves(call)
            hidden = [move for move in moves if not move.shown]
            if not hidden or listener == talk.turn or any(listener in (move.giver, move.taker) for move in hidden):
                continue
            alike = tuple((move.giver, move.taker, move.cards and len(move.cards)) for move in moves)
            heard = talk.heard(call, listener)
            assert told.setdefault(alike, heard) == heard, f"seat {listener} hears {heard!r}: {position}"


def _check_refusals(table: Arbiter, seat: int) -> None:
    before = table.position
    for other in before.game.all_seats:
        if other != seat and other not in before.speakers:
            told = _raises(lambda other=other: table.act(other, "pass"), WrongPhase, "acted out of turn: seat", other)
            shown = [name for name in before.game.deck.names if name in str(told).split()]
            assert not shown, f"the table tells every seat of {shown}: {told}"
    _raises(lambda: table.act(seat, "no such act"), NotationError, "nonsense was taken for an act")
    assert table.position is before, f"a refused act changed the position: {before}"


def _raises(action: Callable[[], object], error: type[Exception], otherwise: str, *about: object) -> Exception:
    try:
        action()
    except error as refusal:
        return refusal
    raise AssertionError(": ".join(map(str, (otherwise, *about))))


def _check_legal_plays(position: Position) -> int:
    legal = list(position.legal_plays)
    assert legal, f"no play is legal: {position}"
    assert position.legal_plays.count() == len(legal), f"the count differs from the list: {position}"
    assert len(set(legal)) == len(legal), f"a play is listed twice: {position}"
    for play in legal:
        assert play in position.legal_plays and position.judge(play).legal is not False, f"{play}: {position}"
    hand = position.hand
    assert isinstance(hand, Cards)
    if len(hand) > SMALL_HAND:
        return 0
    plain = {play.cards for play in legal if play.suit is None and not play.units}
    offered: set[str] = set()
    judged = {hand.deck.cards(cards) for size in range(1, len(hand) + 1) for cards in combinations(list(hand), size)}
    for cards in judged:
        verdict = position.judge(cards)
        assert (verdict.legal is not False) == (cards in plain), f"{cards} is judged {verdict!r}: {position}"
        if verdict.legal is False:
            assert verdict.rule in position.game.rule_list, f"{verdict!r} names a rule that the game does not list"
            assert verdict.why and verdict.instead, f"{verdict!r} gives no reason, or nothing that would do"
            _raises(lambda cards=cards: position.play(cards), IllegalPlay, "an illegal play was made", cards, position)
            offered.add(verdict.instead)
    for play in offered:
        assert position.judge(play).legal is not False, f"{play} is offered and would be refused"
    return len(judged)


def _check_record(record: Record, rng: random.Random) -> None:
    game = record.game
    same: FindGame = lambda name, choices: game  # noqa: E731
    again = parse_record(str(record), same)
    assert again == record and str(again) == str(record), f"the record reads back as another:\n{record}\n{again}"
    assert list(record.replay()) == list(record.positions()), f"a strict replay comes to something else:\n{record}"
    assert judge(record), f"the judge finds fault with a legal record: {judge(record).breaches[0]}"
    _check_points(record)
    for length in {0, rng.randrange(len(record.acts) + 1), len(record.acts)}:
        for seat in record.game.all_seats:
            _check_view(replace(record, acts=record.acts[:length]), seat, rng)


def _check_points(record: Record) -> None:
    position = record.position
    if position.contract is None or position.order is None:
        assert position.result is None, f"a hand that was thrown in has a result:\n{record}"
        return
    order = position.order
    played = [act.what.cards for act in record.acts if isinstance(act.what, Play)]
    worth = sum(map(order.worth, played)) + order.trick_points * position.tricks_played
    assert sum(position.points) == worth, f"{sum(position.points)} points were taken of {worth} played:\n{record}"
    result = position.result
    assert result is not None and len(result.score) == record.game.players, f"no score for every seat:\n{record}"


def _check_view(record: Record, seat: int, rng: random.Random) -> None:
    """Two deals that differ only in cards this seat has not seen must look the same to it."""
    view = record.view(seat)
    assert judge(view), f"the judge finds fault with what seat {seat} saw: {judge(view).breaches[0]}"
    other = _reshuffled(record, seat, rng)
    assert other.view(seat) == view and str(other.view(seat)) == str(view), f"seat {seat} sees hidden cards:\n{view}"
    hand = record.position.hands[seat]
    assert view.hand == hand, f"seat {seat} sees {view.hand} for its hand {hand}"
    if not _took_kitty(record, seat) and record.start.kitty:
        assert not isinstance(view.start.kitty, Cards), f"seat {seat} sees the kitty: {view.start.kitty}"
    told = [hand for i, hand in enumerate(view.position.hands) if i != seat and isinstance(hand, Cards)]
    assert not any(told), f"seat {seat} is told a hand of another: {told}"


def _took_kitty(record: Record, seat: int) -> bool:
    moves = [
        move
        for act, position in record.steps()
        if isinstance(act.what, str) and position.talk is not None
        for move in position.talk.by(act.seat).moves(act.what)
    ]
    return any(move.giver == KITTY and move.taker == seat for move in moves)


def _reshuffled(record: Record, seat: int, rng: random.Random) -> Record:
    """The same acts from another deal: what other hands still hold and nobody has shown is dealt among them anew."""
    named = {word for act in record.acts if isinstance(act.what, str) for word in act.what.split()}
    fixed = sum(1 << card for card, name in enumerate(record.game.deck.names) if name in named)
    for act in record.acts:  # what was shown and went back was seen
        if isinstance(act.what, Play) and act.what.tried is not None:
            fixed |= act.what.tried.kinds
    hands = list(record.start.hands)
    free = {
        i: (held & before).only(~fixed)  # what a call moved stays where it went
        for i, (before, held) in enumerate(zip(hands, record.position.hands, strict=True))
        if i != seat and isinstance(held, Cards) and isinstance(before, Cards)
    }
    unseen = [card for held in free.values() for card in held]
    rng.shuffle(unseen)
    for i, held in free.items():
        before = hands[i]
        assert isinstance(before, Cards)
        fresh, unseen = unseen[: len(held)], unseen[len(held) :]
        hands[i] = before - held + before.deck.cards(fresh)
    return replace(record, start=replace(record.start, hands=tuple(hands)))
