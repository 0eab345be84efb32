"""Texas 42 as its rules are told at the table: no ranks, no masks, no tables.

A tile is its two ends, `(6, 4)`, the higher first. Suits, declarations, bids and ways to treat doubles are
spelled as in the wire protocol. Every question is answered from the words of its rule, by looking at one tile
or at two side by side; nothing is imported from what this is compared with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

Tile = tuple[int, int]

PIPS = range(7)
TILES: list[Tile] = [(high, low) for high in PIPS for low in range(high + 1)]
SUITS = ["0", "1", "2", "3", "4", "5", "6", "called"]
PIP_TRUMPS = ["0", "1", "2", "3", "4", "5", "6"]
DECLARATIONS = [*PIP_TRUMPS, "doubles", "follow-me", "nello", "sevens"]
DOUBLES_ARE_A_SUIT = ["own", "own-inverted"]


def parse_tile(text: str) -> Tile:
    one, other = (int(end) for end in text.split("-"))
    return (max(one, other), min(one, other))


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def other_end(tile: Tile, pip: int) -> int:
    high, low = tile
    return low if high == pip else high


# --- suits ----------------------------------------------------------------------------------------


def how_doubles_stand(declaration: str, doubles: str | None = None) -> str:
    """What was said about doubles or, unsaid, what holds: high, but own in nello and as trumps.

    Under "doubles" a house may turn their order round, so there "own-inverted" can be said too.
    """
    if doubles is not None:
        return doubles
    return "own" if declaration in ("nello", "doubles") else "high"


def called_set(declaration: str, doubles: str | None = None) -> set[Tile]:
    """The tiles that have left their own suits for the called one."""
    if declaration == "sevens":
        return set(TILES)  # sevens has no suits: one suit of all tiles comes to the same
    if declaration in PIP_TRUMPS:
        return {tile for tile in TILES if int(declaration) in tile}
    if declaration == "doubles" or how_doubles_stand(declaration, doubles) in DOUBLES_ARE_A_SUIT:
        return {tile for tile in TILES if is_double(tile)}
    return set()


def is_trump(tile: Tile, declaration: str) -> bool:
    if declaration == "doubles":
        return is_double(tile)
    return declaration in PIP_TRUMPS and int(declaration) in tile


def led_suit(tile: Tile, declaration: str, doubles: str | None = None) -> str:
    """A called tile leads the called suit; any other leads its higher end."""
    return "called" if tile in called_set(declaration, doubles) else str(tile[0])


def can_follow(tile: Tile, suit: str, declaration: str, doubles: str | None = None) -> bool:
    """A called tile follows the called suit alone; any other follows either of its ends."""
    if tile in called_set(declaration, doubles):
        return suit == "called"
    return suit != "called" and int(suit) in tile


# --- what may be played ---------------------------------------------------------------------------


def from_seven(tile: Tile) -> int:
    return abs(tile[0] + tile[1] - 7)


def legal_plays(hand: Sequence[Tile], lead: Tile | None, declaration: str, doubles: str | None = None) -> list[Tile]:
    """The tiles of a hand that may be played; without a lead the hand is leading."""
    if declaration == "sevens":
        return [tile for tile in hand if all(from_seven(tile) <= from_seven(held) for held in hand)]
    if lead is None:
        return list(hand)
    suit = led_suit(lead, declaration, doubles)
    in_suit = [tile for tile in hand if can_follow(tile, suit, declaration, doubles)]
    return in_suit or list(hand)


def with_face_up(allowed: Sequence[Tile], face_up: Sequence[Tile]) -> list[Tile]:
    """What may be played from a hand some of whose tiles lie face up: one of those, if the rules allow any of them."""
    return [tile for tile in allowed if tile in face_up] or list(allowed)


# --- who wins -------------------------------------------------------------------------------------


def stands_above(one: Tile, other: Tile, suit: str, declaration: str, doubles: str | None = None) -> bool:
    """Of two different tiles of the same suit, is the first the higher?"""
    stand = how_doubles_stand(declaration, doubles)
    if is_double(one) and is_double(other):  # they meet only where doubles are a suit
        return one < other if stand == "own-inverted" else one > other
    if is_double(one):
        return stand == "high"
    if is_double(other):
        return stand == "low"
    pip = int(declaration) if suit == "called" else int(suit)
    return other_end(one, pip) > other_end(other, pip)


def beats(late: Tile, early: Tile, suit: str, declaration: str, doubles: str | None = None) -> bool:
    """Once a suit is led, does a tile take the trick from one that was played before it?"""
    if declaration == "sevens":
        return from_seven(late) < from_seven(early)
    if is_trump(late, declaration) and is_trump(early, declaration):
        return stands_above(late, early, "called", declaration, doubles)
    if is_trump(late, declaration):
        return True
    if is_trump(early, declaration):
        return False
    if not can_follow(late, suit, declaration, doubles):
        return False
    if not can_follow(early, suit, declaration, doubles):
        return True
    return stands_above(late, early, suit, declaration, doubles)


def winner(trick: Sequence[Tile], declaration: str, doubles: str | None = None) -> int:
    """Which tile of a trick, in the order played, takes it."""
    suit = led_suit(trick[0], declaration, doubles)
    best = 0
    for place, tile in enumerate(trick):
        if place and beats(tile, trick[best], suit, declaration, doubles):
            best = place
    return best


def count(tile: Tile) -> int:
    """A tile whose ends sum to five or ten is worth that."""
    total = tile[0] + tile[1]
    return total if total in (5, 10) else 0


def trick_points(trick: Sequence[Tile]) -> int:
    return 1 + sum(count(tile) for tile in trick)


# --- the auction ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """The highest bid so far: who made it, what it promises and what it stakes."""

    seat: int
    bid: str
    marks: int  # 0 for a bid in points


def marks_bid(bid: str) -> int:
    """The marks named by "1 mark", "2 marks", ...; 0 for a bid in points."""
    return int(bid.split()[0]) if "mark" in bid else 0


def say_marks(marks: int) -> str:
    return f"{marks} mark" if marks == 1 else f"{marks} marks"


def doubles_in(hand: Sequence[Tile]) -> int:
    return sum(is_double(tile) for tile in hand)


def plunge_marks(standing: Standing | None) -> int:
    """Four marks, from anywhere; over four or more marks, one more than they are."""
    return 4 if standing is None or standing.marks < 4 else standing.marks + 1


def splash_marks(standing: Standing | None) -> int | None:
    """Two marks or, over a bid of two, three; over three and more there is no splash."""
    if standing is None or standing.marks < 2:
        return 2
    return 3 if standing.marks == 2 else None


def legal_bids(standing: Standing | None, hand: Sequence[Tile] = ()) -> list[str]:
    """What a seat may say in its one turn."""
    bids = ["pass"]
    for points in range(30, 42):
        if standing is None or (standing.marks == 0 and points > int(standing.bid)):
            bids.append(str(points))
    if standing is None or standing.marks == 0:
        bids += ["1 mark", "2 marks"]  # the first bid in marks is one of these
    else:
        bids.append(say_marks(standing.marks + 1))
    if doubles_in(hand) >= 4:
        bids.append("plunge")
    if doubles_in(hand) >= 3 and splash_marks(standing) is not None:
        bids.append("splash")
    return bids


def say(standing: Standing | None, seat: int, bid: str) -> Standing | None:
    """The highest bid after a seat has spoken."""
    if bid == "pass":
        return standing
    if bid == "plunge":
        return Standing(seat, bid, plunge_marks(standing))
    if bid == "splash":
        marks = splash_marks(standing)
        assert marks is not None
        return Standing(seat, bid, marks)
    return Standing(seat, bid, marks_bid(bid))


def auctions(most_marks: int) -> Iterator[tuple[str, ...]]:
    """Every auction of four turns with plain bids of at most so many marks, all-pass included."""

    def continue_from(said: tuple[str, ...], standing: Standing | None) -> Iterator[tuple[str, ...]]:
        if len(said) == 4:
            yield said
            return
        for bid in legal_bids(standing):
            if marks_bid(bid) <= most_marks:
                yield from continue_from((*said, bid), say(standing, len(said), bid))

    yield from continue_from((), None)


def auction(hands: Sequence[Sequence[Tile]], dealer: int, bids: Sequence[str]) -> Standing | None:
    """Who won the auction, and with what; None if all passed."""
    assert len(bids) == 4
    standing = None
    for turn, bid in enumerate(bids):
        seat = (dealer + 1 + turn) % 4
        if bid not in legal_bids(standing, hands[seat]):
            raise ValueError(f"seat {seat} may not bid {bid!r} over {standing}")
        standing = say(standing, seat, bid)
    return standing


# --- trumps left unsaid -----------------------------------------------------------------------------


def trumps_by_lead(tile: Tile) -> str:
    """Who leads without naming trumps has the high end of the tile for trumps; a double has but one."""
    return str(max(tile))


# --- a whole deal ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    points: tuple[int, int]  # taken by seats 0 and 2, by seats 1 and 3
    made: bool | None  # None while it is open
    marks: tuple[int, int]
    tricks: tuple[int, ...]  # the seat that won each


def seats_in_play(declarer: int, declaration: str) -> list[int]:
    """In nello the declarer's partner puts the hand face down."""
    return [seat for seat in range(4) if declaration != "nello" or seat != (declarer + 2) % 4]


def next_seat(seat: int, playing: Sequence[int]) -> int:
    seat = (seat + 1) % 4
    while seat not in playing:
        seat = (seat + 1) % 4
    return seat


def outcome(standing: Standing, declaration: str, points: Sequence[int], tricks: Sequence[int]) -> bool | None:
    """Is the bid made (True), set (False), or still open?"""
    side = standing.seat % 2
    ours = [seat for seat in tricks if seat % 2 == side]
    theirs = [seat for seat in tricks if seat % 2 != side]
    if declaration == "nello":  # the declarer is to lose every trick
        if ours:
            return False
        return True if len(theirs) == 7 else None
    if standing.marks:  # all 42 points, which takes every trick
        if theirs:
            return False
        return True if len(ours) == 7 else None
    bid = int(standing.bid)
    if points[side] >= bid:
        return True
    return False if 42 - points[1 - side] < bid else None


def replay(
    hands: Sequence[Sequence[Tile]],
    dealer: int,
    bids: Sequence[str],
    declaration: str,
    plays: Sequence[Tile],
    doubles: str | None = None,
) -> Result:
    """Play a deal again, tile by tile, and settle it. Anything against the rules is a ValueError."""
    standing = auction(hands, dealer, bids)
    if standing is None:
        raise ValueError("all passed: there is nothing to play")
    if declaration in ("nello", "sevens") and (standing.marks == 0 or standing.bid in ("plunge", "splash")):
        raise ValueError(f"{declaration} needs a plain bid in marks")
    partner = (standing.seat + 2) % 4
    leader = partner if standing.bid in ("plunge", "splash") else standing.seat
    playing = seats_in_play(standing.seat, declaration)
    held = [list(hand) for hand in hands]
    points, tricks = [0, 0], []
    made: bool | None = None
    trick: list[Tile] = []
    seats: list[int] = []
    for tile in plays:
        seat = leader if not trick else next_seat(seats[-1], playing)
        if tile not in legal_plays(held[seat], trick[0] if trick else None, declaration, doubles):
            raise ValueError(f"seat {seat} may not play {tile} from {held[seat]} on {trick}")
        held[seat].remove(tile)
        trick.append(tile)
        seats.append(seat)
        if len(trick) == len(playing):
            leader = seats[winner(trick, declaration, doubles)]
            points[leader % 2] += trick_points(trick)
            tricks.append(leader)
            trick, seats = [], []
            if made is None:  # once certain it stays; the rest is played for show
                made = outcome(standing, declaration, points, tricks)
    marks = [0, 0]
    if made is not None:
        marks[standing.seat % 2 if made else 1 - standing.seat % 2] = standing.marks or 1
    return Result((points[0], points[1]), made, (marks[0], marks[1]), tuple(tricks))


def paid_for_a_renege(
    penalty: str, standing: Standing, offender: int, as_played: tuple[int, int], *, in_points: bool = False
) -> tuple[int, int]:
    """What each side gets when a seat has reneged; `as_played` is what the hand itself comes to.

    In a game for points a mark is 42 points, the innocent side is taken to have won all 42, and two marks instead
    of the hand are not known.
    """
    if penalty == "none":
        return as_played
    innocent = 1 - offender % 2
    mark = 42 if in_points else 1
    if standing.marks:
        stake = standing.marks * mark
    elif in_points:
        stake = 42 + (0 if innocent == standing.seat % 2 else int(standing.bid))
    else:
        stake = 1
    if penalty == "two-marks" and not in_points:
        stake = 2
    if penalty == "hand-and-mark":
        stake += mark
    if penalty == "hand-and-two-marks":
        stake += 2 * mark
    return (stake, 0) if innocent == 0 else (0, stake)


# --- claims ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """What a claim is judged under; `opening` is None once the first lead of the hand has been made."""

    claimer: int
    declarer: int
    declaration: str
    doubles: str | None = None
    ties: str = "first-played"
    opening: str | None = None  # "any", "trump" or "small-end"

    @property
    def seats(self) -> list[int]:
        return seats_in_play(self.declarer, self.declaration)

    @property
    def takers(self) -> list[int]:
        """Who is to take every trick: the claimer's side or, in nello, whoever plays against the declarer."""
        return [seat for seat in self.seats if (seat % 2 == self.claimer % 2) is (self.declaration != "nello")]


def possible_leads(claim: Claim, hand: Sequence[Tile]) -> list[tuple[Tile, str]]:
    """The tiles that may be led, each with the suit it is led for."""
    tiles = legal_plays(hand, None, claim.declaration, claim.doubles)
    trumps = [tile for tile in tiles if is_trump(tile, claim.declaration)]
    if claim.opening == "trump" and trumps:
        tiles = trumps
    leads = [(tile, led_suit(tile, claim.declaration, claim.doubles)) for tile in tiles]
    if claim.opening == "small-end":
        free = [tile for tile in tiles if tile not in called_set(claim.declaration, claim.doubles)]
        leads += [(tile, str(tile[1])) for tile in free if not is_double(tile)]
    return leads


def possible_follows(claim: Claim, hand: Sequence[Tile], suit: str) -> list[Tile]:
    if claim.declaration == "sevens":
        return legal_plays(hand, None, "sevens")
    return [tile for tile in hand if can_follow(tile, suit, claim.declaration, claim.doubles)] or list(hand)


def taker_of(claim: Claim, trick: Sequence[tuple[int, Tile]], suit: str) -> int:
    """The seat that takes a trick of seats and tiles."""
    best_seat, best = trick[0]
    for seat, tile in trick[1:]:
        equal = claim.declaration == "sevens" and from_seven(tile) == from_seven(best)
        to_declarers = (
            claim.ties == "declarers" and (best_seat - claim.declarer) % 2 and not (seat - claim.declarer) % 2
        )
        if beats(tile, best, suit, claim.declaration, claim.doubles) or (equal and to_declarers):
            best_seat, best = seat, tile
    return best_seat


def claim_holds(
    claim: Claim, hands: dict[int, list[Tile]], leader: int, trick: Sequence[tuple[int, Tile]] = (), suit: str = ""
) -> bool:
    """Every legal line, one by one: the claimer needs one play that keeps the claim, all others must have none that
    spoils it."""
    if not trick and not any(hands[seat] for seat in claim.seats):
        return True
    seat = next_seat(trick[-1][0], claim.seats) if trick else leader
    options = (
        [(tile, suit) for tile in possible_follows(claim, hands[seat], suit)]
        if trick
        else possible_leads(claim, hands[seat])
    )
    outcomes = (_claim_after(claim, hands, leader, [*trick, (seat, tile)], led) for tile, led in options)
    return any(outcomes) if seat == claim.claimer else all(outcomes)


def _claim_after(
    claim: Claim, hands: dict[int, list[Tile]], leader: int, trick: list[tuple[int, Tile]], suit: str
) -> bool:
    seat, played = trick[-1]
    held = hands | {seat: [tile for tile in hands[seat] if tile != played]}
    if len(trick) < len(claim.seats):
        return claim_holds(claim, held, leader, trick, suit)
    taker = taker_of(claim, trick, suit)
    return taker in claim.takers and claim_holds(replace(claim, opening=None), held, taker)
