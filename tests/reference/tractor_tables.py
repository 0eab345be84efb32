"""What a whole deal of Tractor comes to at a table of four to eight, with sides or with friends, told from the words.

Cards, units and winners of tricks are those of `reference.tractor_packs`. A trick is its plays from the leader on.
A friend is a card and a number: who plays so-many-th copy of it, counted over the whole deal and whoever plays them.
Levels are ranks, of both sides or of every seat; a level is None for one who is past the last.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reference.tractor_packs import JOKERS, RANKS, Pile, Table, shape, winner

Friend = tuple[str, int]
Level = str | None
LADDER = [*RANKS, "NT"]


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
    jack_back: str = "off"
    first_level: str = "2"
    last_level: str = "A"  # or another rank, or NT, which comes after the ace and has no trumps but the jokers


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


def climb(house: House, at: str, steps: int, defended: bool, played: str) -> Level:
    """Step by step: a level that must be defended is left only by one whose team has just held the bank, and the one
    without trumps only if it was the one that was played."""
    for made in range(steps):
        held_here = made == 0 and defended and (at != "NT" or played == "NT")
        if at in house.must_defend and not held_here:
            return at
        if at == house.last_level:
            return None
        at = LADDER[LADDER.index(at) + 1]
    return at


def is_thrown_back(house: House, played: str, attackers_took: bool, winning: Pile) -> bool:
    """At level J a jack that takes the last trick for the attackers: alone, or in any play."""
    if house.jack_back == "off" or played != "J" or not attackers_took:
        return False
    jacks = [card for card in winning if card not in JOKERS and card[1] == "J"]
    return bool(jacks) and (house.jack_back == "any-jack" or len(winning) == 1)


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
    played = levels[banker if house.mode == "friends" else banker % 2]
    winning = tricks[-1][(winners[-1] - leaders[-1]) % house.seats]
    back = is_thrown_back(house, played, winners[-1] not in team, winning)
    new: list[Level] = []
    for i, level in enumerate(levels):
        ours = i in team if house.mode == "friends" else i == banker % 2
        at = house.first_level if back and ours else level
        new.append(climb(house, at, rise, held and ours, played) if ours == held else at)
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
        "big-one-fewer": len(cards) >= (packs if cards[0] == "LJ" else packs - 1),
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


class TalkHouse(NamedTuple):
    """The house rules of a talk."""

    seats: int = 4
    packs: int = 2
    overruling: str = "jokers"
    jokers_shown: str = "two-or-more"
    own_showing: str = "strengthen"
    take_back: str = "no"
    kitty_theft: str = "off"
    first_banker: str = "last-to-show"


class Talked(NamedTuple):
    """Where a talk stands: what is to be done and who may do it, the first of them if nobody breaks in."""

    stage: str  # show, take, bury or over
    who: tuple[int, ...]
    shown: tuple[int, Pile] | None  # what is ahead
    banker: int
    buried_by: int | None


def in_turn(house: TalkHouse, first: int, left: set[int]) -> tuple[int, ...]:
    return tuple((first + i) % house.seats for i in range(house.seats) if (first + i) % house.seats in left)


def talked(house: TalkHouse, dealer: int, first_deal: bool, calls: Sequence[tuple[int, str]]) -> Talked:
    """Follow a talk call by call.

    Everybody is asked in turn, and each showing or taking back asks all others again. A showing is laid on those
    before it; one that is taken back is lifted. When all others have passed the banker takes up the kitty and buries.
    Where the kitty may be stolen and trumps were shown, all others are then asked again, from the next seat on; if
    anything has been shown since, its owner takes up the kitty and buries, and so on.
    """
    everyone = set(range(house.seats))
    pile: list[tuple[int, Pile, int]] = []  # who, what, and after how many burials
    asked, start, stage, burials = set(everyone), dealer, "show", 0
    banker = buried_by = None

    def bank() -> int:
        if not first_deal or not pile:
            return dealer
        return pile[0][0] if house.first_banker == "first-to-show" else pile[-1][0]

    for seat, call in calls:
        if call == "pass":
            asked.discard(seat)
        elif call == "withdraw":
            pile.pop()
            asked = set(everyone)
            if pile and pile[-1][2] == burials:
                asked.discard(pile[-1][0])
            elif burials:
                asked.discard(buried_by)
        elif call.startswith("show "):
            pile.append((seat, tuple(call.split()[1:]), burials))
            asked = everyone - {seat}
        elif call == "take":
            banker = bank() if banker is None else banker
            stage = "bury"
            continue
        elif call.startswith("bury "):
            buried_by, burials, start = seat, burials + 1, seat
            asked = everyone - {seat} if house.kitty_theft == "on" and pile else set()
            stage = "show"
        if not asked:
            stolen = pile and pile[-1][2] == burials
            stage = "take" if burials == 0 or stolen else "over"
    ahead = pile[-1] if pile else None
    of_now = ahead is not None and ahead[2] == burials
    who: tuple[int, ...] = ()
    if stage == "show":
        who = in_turn(house, start, asked)
        who = (*who, ahead[0]) if of_now and ahead else who
    elif stage in ("take", "bury"):
        who = (ahead[0],) if burials and ahead else (bank() if banker is None else banker,)
    return Talked(stage, who, ahead and ahead[:2], bank() if banker is None else banker, buried_by)


def may_show(house: TalkHouse, level: str, calls: Sequence[tuple[int, str]], seat: int, cards: Pile) -> bool:
    """May a seat show these cards, which it has, where it is to speak?"""
    if not names_trumps(cards, level, house.jokers_shown, house.packs):
        return False
    lies: list[tuple[int, Pile]] = []
    lifted: list[tuple[int, Pile]] = []
    for who, call in calls:
        if call.startswith("show "):
            lies.append((who, tuple(call.split()[1:])))
        elif call == "withdraw":
            lifted.append(lies.pop())
    if (seat, cards) in lifted:
        return False
    if not lies:
        return True
    ahead_of, ahead = lies[-1]
    if seat == ahead_of:
        same = cards[0] == ahead[0]
        return overrules(cards, ahead, house.overruling) and (same or house.own_showing == "overturn")
    if overrules(cards, ahead, house.overruling):
        return True
    own = [pile for who, pile in lies if who == seat]
    if house.own_showing != "equal" or not own or ahead[0] in JOKERS:
        return False
    return cards[0] == own[-1][0] and len(own[-1]) < len(cards) == len(ahead)


def may_withdraw(house: TalkHouse, calls: Sequence[tuple[int, str]], seat: int) -> bool:
    """Only what is ahead, and was shown since the kitty was last buried."""
    lies: list[int] = []
    for who, call in calls:
        if call.startswith("show "):
            lies.append(who)
        elif call == "withdraw":
            lies.pop()
        elif call.startswith("bury "):
            lies = [-1 for _ in lies]
    return house.take_back == "yes" and bool(lies) and lies[-1] == seat


def turned_kinds(no_call: str, level: str, kitty: Pile) -> set[str]:
    """The cards of which one names trumps where nobody has shown and the kitty is turned up card by card.

    Cards lie in any order: a card may be the one if the kitty may lie so that it is.
    """
    if no_call == "first-card":
        return set(kitty)
    named = {card for card in kitty if card not in JOKERS and card[1] == level}
    if no_call == "level-or-joker":
        named |= {card for card in kitty if card in JOKERS}
    plain = [card for card in kitty if card not in JOKERS]
    top = max((RANKS.index(card[1]) for card in plain), default=0)
    return named or {card for card in plain if RANKS.index(card[1]) == top}
