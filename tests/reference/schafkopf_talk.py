"""The talk of Schafkopf as it goes round the table, said from the words of its rules and nothing else.

`talk` is the table itself: it asks a seat, tells it all that it may say, waits for the answer and asks on, until there
is a contract or the cards are thrown in. House rules are the choices by name. Hands are lists of cards, as in
`schafkopf`, and change hands where a Hochzeit says so.
"""

from collections.abc import Generator
from dataclasses import dataclass

from reference.schafkopf import DECLARATIONS, callable_suits, is_sie, is_tout, kind, named_suit, suit_of

SOLOS = ["farbgeier", "geier", "farbwenz", "wenz", "solo"]  # the lowest first
POINTS = [61, 71, 81, 91, 101, 111]
DEFAULT = {
    "precedence": "ranked", "herz_solo": "like-others", "all_pass": "ramsch", "doubling": "none",
    "hochzeit_cards": "face-down", "hochzeit_return": "plain", "hochzeit_couples": "one",
    "deck": "long",
    **dict.fromkeys(("geier", "farbwenz", "farbgeier", "bettel", "hochzeit", "tout", "sie"), "yes"),
}  # fmt: skip
House = dict[str, str]
Table = Generator[tuple[int, list[str]], str, "Agreed | None"]


@dataclass(frozen=True)
class Agreed:
    """What the talk came to: the game, who plays it, with whom in a Hochzeit, and for what."""

    declaration: str
    declarer: int | None
    partner: int | None
    doubled: int
    points: int  # that the player needs; 61, if nothing else was promised


def round_from(seat: int, seats: int = 4) -> list[int]:
    return [(seat + i) % 4 for i in range(seats)]


def talk(house: House, dealer: int, hands: list[list[str]]) -> Table:
    """Doubling, bidding, and the game that is named, from forehand on."""
    house = DEFAULT | house
    doubled = yield from double(house, dealer)
    highest, bidder = yield from bid(house, dealer, hands)
    if bidder is None:
        return (yield from all_passed(house, dealer, hands, doubled))
    game = yield bidder, games_for(house, hands[bidder], highest)
    if game == "hochzeit":
        partner = yield from marry(house, bidder, hands)
        if partner is None:
            return (yield from all_passed(house, dealer, hands, doubled))
        if house["hochzeit_couples"] == "two":
            yield from marry_too(house, [seat for seat in round_from(bidder) if seat not in (bidder, partner)], hands)
        return Agreed(game, bidder, partner, doubled, 61)
    promised = points_in(highest) if kind(game) in SOLOS and not is_tout(game) else 61
    return Agreed(game, bidder, None, doubled, promised)


# --- doubling -------------------------------------------------------------------------------------


def double(house: House, dealer: int) -> Generator[tuple[int, list[str]], str, int]:
    """Each in turn; in a chain until one does not; one only until one does; or forehand alone."""
    how, doubled = house["doubling"], 0
    if how == "none":
        return 0
    for seat in round_from(dealer + 1):
        said = yield seat, ["pass", "double"]
        doubled += said == "double"
        if how == "forehand" or (how == "chain" and said == "pass") or (how == "one" and said == "double"):
            break
    return doubled


# --- bidding --------------------------------------------------------------------------------------


def is_played(house: House, game: str) -> bool:
    """Does the table play this kind of game? A Tout of a game needs both."""
    return all(house.get(word, "yes") == "yes" for word in game.split())


def bids(house: House) -> list[str]:
    """All that may be bid at a table, in whatever order."""
    found = ["rufspiel", "hochzeit", "bettel", *SOLOS, *(f"{solo} tout" for solo in SOLOS), "sie"]
    if house["herz_solo"] == "first":  # where solos are raised by points it goes before other Touts alone
        found += ["solo H tout"] if house["precedence"] == "raising" else ["solo H", "solo H tout"]
    if house["precedence"] == "raising":
        found += [f"{solo} {points}" for solo in SOLOS for points in POINTS[1:]]
    return [name for name in found if is_played(house, name)]


def points_in(name: str) -> int:
    """The points that a bid promises."""
    last = name.split()[-1]
    return int(last) if last.isdigit() else 61


def goes_before(house: House, bid: str, other: str) -> bool:
    """Does a bid go before another? Rufspiel and Hochzeit are level and below all; Bettel; solos; Touts; Sie."""
    classes = [class_of(name) for name in (bid, other)]
    if classes[0] != classes[1]:
        return classes[0] > classes[1]
    herz = [name.startswith("solo H") for name in (bid, other)]
    if herz[0] != herz[1]:  # only where a Herz-Solo is bid as such
        return herz[0]
    if classes[0] == 2 and house["precedence"] == "raising":
        return points_in(bid) > points_in(other)
    if classes[0] in (2, 3) and house["precedence"] != "equal":
        return SOLOS.index(kind(bid)) > SOLOS.index(kind(other))
    return False


def class_of(name: str) -> int:
    if name == "sie":
        return 4
    if name in ("rufspiel", "hochzeit"):
        return 0
    return 1 if name == "bettel" else 3 if "tout" in name else 2


def bid(
    house: House, dealer: int, hands: list[list[str]]
) -> Generator[tuple[int, list[str]], str, tuple[str, int | None]]:
    """Each passes and is out, or bids. A later seat must go before the highest bid, an earlier may match it.

    Who is overbid is asked once more, after all who have not been asked yet.
    """
    around = round_from(dealer + 1)
    waiting, highest, holder = list(around), "", None
    while waiting:
        seat = waiting.pop(0)
        may = ["pass"]
        for name in bids(house):
            if not suits_hand(name, hands[seat], house["deck"] == "short"):
                continue
            earlier = holder is not None and around.index(seat) < around.index(holder)
            matches = earlier and not goes_before(house, highest, name)
            if holder is None or goes_before(house, name, highest) or matches:
                may.append(name)
        said = yield seat, may
        if said != "pass":
            waiting += [] if holder is None else [holder]
            highest, holder = said, seat
    return highest, holder


def suits_hand(name: str, hand: list[str], short: bool) -> bool:
    """Some games ask something of a hand: an ace that can be called, one trump alone, all Ober and Unter."""
    if name == "rufspiel":
        return callable_suits(hand) != []
    if name == "hochzeit":
        return sum(suit_of(card, "hochzeit") == "T" for card in hand) == 1
    return is_sie(hand, short) if name == "sie" else True


def bid_under(house: House, game: str) -> str:
    """The bid that a game would have been."""
    words = [kind(game)]
    first = house["herz_solo"] == "first" and (is_tout(game) or house["precedence"] != "raising")
    words += ["H"] if first and kind(game) == "solo" and named_suit(game) == "H" else []
    return " ".join(words + (["tout"] if is_tout(game) else []))


def games_for(house: House, hand: list[str], highest: str) -> list[str]:
    """What may be named: a game of the kind that was bid, or one that goes before it; points were promised already."""
    bare = highest.removesuffix(f" {points_in(highest)}")
    found: list[str] = []
    for game in DECLARATIONS:
        name = bid_under(house, game)
        if game == "ramsch" or not is_played(house, name) or goes_before(house, bare, name):
            continue
        if kind(game) == "rufspiel" and named_suit(game) not in callable_suits(hand):
            continue
        if kind(game) == "hochzeit" and highest != "hochzeit":
            continue
        if kind(game) == "rufspiel" or suits_hand(name, hand, house["deck"] == "short"):
            found.append(game)
    return found


# --- what follows ---------------------------------------------------------------------------------


def all_passed(house: House, dealer: int, hands: list[list[str]], doubled: int) -> Table:
    """A Ramsch; nothing, where the cards are thrown in; or the old one, who holds the Eichel-Ober, plays."""
    if house["all_pass"] == "ramsch":
        return Agreed("ramsch", None, None, doubled, 61)
    if house["all_pass"] != "old-must":
        return None
    for seat in round_from(dealer + 1):
        if "EO" not in hands[seat]:
            yield seat, ["no"]
            continue
        yield seat, ["old"]
        game = yield seat, games_of_the_old(house, hands[seat])
        return Agreed(game, seat, None, doubled, 61)
    raise AssertionError("somebody has the Eichel-Ober")


def games_of_the_old(house: House, hand: list[str]) -> list[str]:
    """Any game but a Bettel. Who can call no ace plays a Renonce: on an ace of a suit that he lacks, else on a ten."""
    found = [game for game in games_for(house, hand, "rufspiel") if game != "bettel"]
    if callable_suits(hand):
        return found
    lacks_aces = [suit for suit in "EGS" if f"{suit}A" not in hand]
    lacks_tens = [suit for suit in "EGS" if f"{suit}Z" not in hand]
    if lacks_aces:
        return found + [f"rufspiel {suit} renonce" for suit in lacks_aces]
    return found + [f"rufspiel {suit}Z" for suit in lacks_tens]


def marry(house: House, declarer: int, hands: list[list[str]]) -> Generator[tuple[int, list[str]], str, int | None]:
    """The others are asked in turn; who accepts gets the trump and gives a card for it."""
    for seat in round_from(declarer + 1, 3):
        if (yield from accept(house, declarer, seat, hands)):
            return seat
    return None


def marry_too(house: House, seats: list[int], hands: list[list[str]]) -> Generator[tuple[int, list[str]], str, None]:
    """Of the two that are left each is asked in turn: who has one trump alone may offer it to the other, who accepts it
    or passes it by. However that ends, nothing more is asked; contract and sides stay.
    """
    for seat, fourth in (seats, seats[::-1]):
        if (yield seat, ["pass", *["offer"] * suits_hand("hochzeit", hands[seat], short=False)]) == "offer":
            yield from accept(house, seat, fourth, hands)
            return


def accept(house: House, giver: int, seat: int, hands: list[list[str]]) -> Generator[tuple[int, list[str]], str, bool]:
    """Who accepts gets the trump of the giver, and then gives a card for it."""
    plain = [card for card in hands[seat] if suit_of(card, "hochzeit") != "T"]
    may = ["pass", *["accept"] * (house["hochzeit_return"] == "any" or plain != [])]
    if (yield seat, may) == "pass":
        return False
    trump = next(card for card in hands[giver] if suit_of(card, "hochzeit") == "T")
    move(hands, giver, seat, (yield giver, [f"give {trump}"]))
    back = hands[seat] if house["hochzeit_return"] == "any" else plain
    move(hands, seat, giver, (yield seat, [f"give {card}" for card in back]))
    return True


def move(hands: list[list[str]], giver: int, taker: int, said: str) -> None:
    card = said.removeprefix("give ")
    hands[giver].remove(card)
    hands[taker].append(card)
