"""Legal sequences of plays, counted with nothing but the brute force that reads each game's rules literally.

Each count takes a position between two tricks whose hands are all told, and goes on in the words of `reference`: hands
as lists of cards, the trick as it lies. The split by first play shows where two programs differ.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations

from reference import schafkopf, texas42, tractor, tractor_round
from renege.core.position import Position
from renege.games.texas42.contract import Hand42

Split = Iterator[tuple[str, int]]  # every first play, and how many sequences begin with it


def split_literally(position: Position, house: Mapping[str, str], depth: int) -> dict[str, int]:
    """By first play, how many sequences of this length there are; one that ends before counts once."""
    return dict(SPLITS[position.game.name](position, house, depth))


def _hands(position: Position) -> list[list[str]]:
    assert position.trick is not None and not position.trick.plays
    return [str(hand).split() for hand in position.hands]


def _total(split: Split) -> int:
    return sum(count for _, count in split)


# -- Texas 42


def _texas42(position: Position, house: Mapping[str, str], depth: int) -> Split:
    terms, trick = position.contract, position.trick
    assert isinstance(terms, Hand42) and trick is not None
    standing = texas42.Standing(terms.declarer, str(terms.bid), terms.bid.marks)
    playing = texas42.seats_in_play(terms.declarer, terms.declaration)
    doubles, stop = terms.doubles.value, house.get("early_end") != "play-on"

    def split(held, leader, table, points, tricks, left) -> Split:
        seat = leader
        for _ in table:
            seat = texas42.next_seat(seat, playing)
        for tile in texas42.legal_plays(held[seat], table[0] if table else None, terms.declaration, doubles):
            after = {**held, seat: [other for other in held[seat] if other != tile]}
            lies = [*table, tile]
            if len(lies) < len(playing):
                yield f"{tile[0]}-{tile[1]}", count(after, leader, lies, points, tricks, left - 1)
                continue
            winner = leader
            for _ in range(texas42.winner(lies, terms.declaration, doubles)):
                winner = texas42.next_seat(winner, playing)
            gained = list(points)
            gained[winner % 2] += texas42.trick_points(lies)
            yield f"{tile[0]}-{tile[1]}", count(after, winner, [], gained, [*tricks, winner], left - 1)

    def count(held, leader, table, points, tricks, left) -> int:
        made = texas42.outcome(standing, terms.declaration, points, tricks)
        if left == 0 or (not table and (not any(held.values()) or (stop and made is not None))):
            return 1
        return _total(split(held, leader, table, points, tricks, left))

    hands = {s: [texas42.TILES[c] for c in position.hands[s]] for s in playing}  # type: ignore[union-attr]
    taken = [seat for seat in range(4) for _ in range(position.tricks[seat])]
    points = [sum(position.points[side::2]) for side in (0, 1)]
    return split(hands, trick.leader, [], points, taken, depth)


# -- Schafkopf


def _schafkopf(position: Position, house: Mapping[str, str], depth: int) -> Split:
    assert position.contract is not None and position.trick is not None
    declaration = position.contract.declaration
    run_from = int(house.get("run_from", "4"))

    def split(hands: list[list[str]], trick: list[str], leader: int, called, left: int) -> Split:
        seat = (leader + len(trick)) % 4
        for card in schafkopf.legal(hands[seat], trick, declaration, called, run_from=run_from):
            after = None if called is None else schafkopf.called_after(called, hands[seat], trick, card)
            rest = [[held for held in hand if held != card] for hand in hands]
            laid = [*trick, card]
            if len(laid) < 4:
                yield card, count(rest, laid, leader, after, left - 1)
            else:
                taker = (leader + schafkopf.winner(laid, declaration)) % 4
                yield card, count(rest, [], taker, after, left - 1)

    def count(hands: list[list[str]], trick: list[str], leader: int, called, left: int) -> int:
        return 1 if left == 0 or not any(hands) else _total(split(hands, trick, leader, called, left))

    called = schafkopf.called_at_first(declaration)
    return split(_hands(position), [], position.trick.leader, called, depth)


# -- Tractor


def _tractor(position: Position, house: Mapping[str, str], depth: int) -> Split:
    assert position.contract is not None and position.trick is not None
    declaration, gap = position.contract.declaration, house.get("level_gap", "closes")
    follows = {"shorter_runs": house.get("shorter_runs", "owed"), "follow": house.get("follow_duty", "shape")}
    stops = {"stopped_throw": house.get("stopped_throw", "lead-smallest")}
    stops["throw_test"] = house.get("throw_test", "true-hands")

    def leads(hand: list[str], others: list[list[str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What may be led, and what really lies then: a throw that is stopped comes to less, or is refused."""
        every = chain.from_iterable(combinations(sorted(hand), size) for size in range(1, len(hand) + 1))
        for cards in sorted(set(every)):
            lawful, rule = tractor_round.legal_lead(
                cards, declaration, others, gap=gap, trump_throws=house.get("trump_throws", "allowed")
            )
            if not lawful and rule != "throw-stopped":
                continue
            tried = tractor_round.throw(cards, others, declaration, gap=gap, **stops)
            if tried.stands or stops["stopped_throw"] != "refused":
                assert tried.led is not None
                yield " ".join(cards), tried.led

    def split(hands: list[list[str]], trick: list[tuple[str, ...]], leader: int, left: int) -> Split:
        seat = (leader + len(trick)) % 4
        if trick:
            found = tractor.legal_follows(trick[0], hands[seat], declaration, gap=gap, **follows)
            plays = ((" ".join(cards), cards) for cards in sorted(found))
        else:
            plays = leads(hands[seat], [hands[(seat + i) % 4] for i in (1, 2, 3)])
        for name, cards in plays:
            rest = [list(tractor.without(hand, cards)) if i == seat else hand for i, hand in enumerate(hands)]
            laid = [*trick, cards]
            if len(laid) < 4:
                yield name, count(rest, laid, leader, left - 1)
            else:
                place, _ = tractor.winner(laid, declaration, house.get("throw_comparison", "longest-unit"), gap=gap)
                yield name, count(rest, [], (leader + place) % 4, left - 1)

    def count(hands: list[list[str]], trick: list[tuple[str, ...]], leader: int, left: int) -> int:
        return 1 if left == 0 or not any(hands) else _total(split(hands, trick, leader, left))

    return split(_hands(position), [], position.trick.leader, depth)


SPLITS: dict[str, Callable[[Position, Mapping[str, str], int], Split]] = {
    "texas42": _texas42,
    "schafkopf": _schafkopf,
    "tractor": _tractor,
}
