"""What a whole deal of Tractor comes to at a table of four to eight, with sides or with friends, told from the words.

Cards, units and winners of tricks are those of `reference.tractor_packs`. A trick is its plays from the leader on.
A friend is a card and a number: who plays so-many-th copy of it, counted over the whole deal and whoever plays them.
Levels are ranks, of both sides or of every seat; a level is None for one who is past the ace.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reference.tractor_packs import JOKERS, RANKS, Pile, Table, shape, winner

Friend = tuple[str, int]
Level = str | None


class House(NamedTuple):
    """The house rules that decide what a deal comes to."""

    seats: int = 4
    packs: int = 2
    mode: str = "teams"
    friends: int = 0
    double_friend: str = "allowed"
    step: int = 20  # a pack
    turnover: int = 2
    dead_zone: int = 1
    nothing_taken: str = "level-more"
    small_team: str = "level-more"
    must_defend: tuple[str, ...] = ()
    multiplier: str = "two-to-cards"
    comparison: str = "longest-unit"
    throw_penalty: int = 0


class Joined(NamedTuple):
    trick: int
    seat: int
    friend: Friend


class Told(NamedTuple):
    """How the deal went, trick by trick, and what it comes to."""

    winners: list[int]
    joined: list[Joined]
    team: set[int]  # the banker's, at the end
    attackers: int
    levels: list[Level]
    banker: int


def points(cards: Sequence[str]) -> int:
    return sum({"5": 5, "T": 10, "K": 10}.get(card[1], 0) for card in cards if card not in JOKERS)


def take_tricks(house: House, table: Table, leader: int, tricks: Sequence[Sequence[Pile]]) -> list[int]:
    """The seat that takes each trick, and so leads the next."""
    found: list[int] = []
    for plays in tricks:
        leader = (leader + winner(plays, table, house.comparison)[0]) % house.seats
        found.append(leader)
    return found


def joiners(
    house: House, banker: int, friends: Sequence[Friend], leaders: Sequence[int], tricks: Sequence[Sequence[Pile]]
) -> list[Joined]:
    """Who takes the place of which friend, in turn; every copy that lies on the table counts, the banker's too.

    Where nobody may be two friends, one who is of the team passes the place on to whoever plays the next copy.
    """
    found: list[Joined] = []
    team, open_places, laid = {banker}, list(friends), list[str]()
    for number, (leader, plays) in enumerate(zip(leaders, tricks, strict=True)):
        for place, play in enumerate(plays):
            seat = (leader + place) % house.seats
            for card in sorted(play, key=lambda card: (card in JOKERS, JOKERS.index(card) if card in JOKERS else card)):
                laid.append(card)
                for friend in sorted(open_places):
                    if friend[0] != card or laid.count(card) < friend[1]:
                        continue
                    if seat in team and house.double_friend == "not":
                        continue
                    open_places.remove(friend)
                    team.add(seat)
                    found.append(Joined(number, seat, friend))
    return found


def kitty_times(house: House, table: Table, lead: Pile) -> int:
    width, length = shape(lead, table)[0]
    tuples = sum(length for width, length in shape(lead, table) if width > 1)
    return {
        "two-to-cards": 2 ** (width * length),
        "twice-cards": 2 * width * length,
        "two-to-pairs-plus-1": 2 ** (tuples + 1),
        "twice-lead": 2 * len(lead),
        "two-or-four": 4 if tuples else 2,
    }[house.multiplier]


def levels_won(house: House, attackers: int) -> tuple[bool, int]:
    """Does the banker's team hold, and by how many levels does the winning team rise?

    The points from nothing up are cut into steps. Below the turnover the team of the banker goes up by one in the last
    step, by one more in each step before it, and by one more still if nothing was taken; from there on the attackers
    have the bank, and behind the dead zone they go up by one for each step.
    """
    step = house.step * house.packs
    number = attackers // step
    if number < house.turnover:
        extra = 1 if attackers == 0 and house.nothing_taken == "level-more" else 0
        return True, house.turnover - number + extra
    behind = number - house.turnover - house.dead_zone
    return False, behind + 1 if behind >= 0 else 0


def climb(at: str, steps: int, defended: bool, must_defend: Sequence[str]) -> Level:
    for made in range(steps):
        if at in must_defend and not (made == 0 and defended):
            return at
        if at == "A":
            return None
        at = RANKS[RANKS.index(at) + 1]
    return at


def tell(
    house: House,
    table: Table,
    banker: int,
    levels: Sequence[str],
    kitty: Pile,
    tricks: Sequence[Sequence[Pile]],
    friends: Sequence[Friend] = (),
    stopped: Sequence[int] = (),  # the seats of throws that were stopped
) -> Told:
    """The whole deal; the banker leads first."""
    winners = take_tricks(house, table, banker, tricks)
    leaders = [banker, *winners[:-1]]
    joined = joiners(house, banker, friends, leaders, tricks)
    if house.mode == "teams":
        team = {seat for seat in range(house.seats) if seat % 2 == banker % 2}
    else:
        team = {banker, *(one.seat for one in joined)}
    attackers = sum(
        points([card for play in plays for card in play])
        for taker, plays in zip(winners, tricks, strict=True)
        if taker not in team
    )
    attackers += sum(house.throw_penalty if seat in team else -house.throw_penalty for seat in stopped)
    attackers = max(0, attackers)
    if winners[-1] not in team:
        attackers += kitty_times(house, table, tricks[-1][0]) * points(kitty)
    held, rise = levels_won(house, attackers)
    if held and house.mode == "friends" and len(team) < house.friends + 1 and house.small_team == "level-more":
        rise += 1
    new: list[Level] = []
    for i, level in enumerate(levels):
        ours = i in team if house.mode == "friends" else i == banker % 2
        new.append(climb(level, rise, held and ours, house.must_defend) if ours == held else level)
    then = (banker + 1) % house.seats
    while (then in team) != held:
        then = (then + 1) % house.seats
    return Told(winners, joined, team, attackers, new, then)


# --- naming trumps --------------------------------------------------------------------------------


def names_trumps(cards: Pile, level: str, jokers: str, packs: int) -> bool:
    """One card of the level or more alike; like jokers, as many as the table asks for."""
    if not cards or len(set(cards)) != 1:
        return False
    if cards[0] not in JOKERS:
        return cards[0][1] == level
    return {
        "any": True,
        "two-or-more": len(cards) >= 2,
        "all": len(cards) == packs,
        "none": False,
    }[jokers]


def overrules(new: Pile, old: Pile, overruling: str) -> bool:
    """Does one showing go over another? Both name trumps."""
    if len(new) != len(old):
        return len(new) > len(old)
    if overruling == "length-alone":
        return False
    if new[0] in JOKERS or old[0] in JOKERS:
        return new[0] in JOKERS and (old[0] not in JOKERS or (new[0], old[0]) == ("BJ", "LJ"))
    return overruling == "jokers-or-suit" and len(new) > 1 and "SHCD".index(new[0][0]) < "SHCD".index(old[0][0])
