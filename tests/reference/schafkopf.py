"""Schafkopf as its rules are told at the table: card by card, without tables or masks.

A card is its text, `"EO"`, `"S7"`; a hand or a trick is a list of them, a trick in the order played. Declarations are
spelled as in the wire protocol: "rufspiel E", "solo G tout", "ramsch". A bettel that a house ranks in another way has
that beside it: "bettel ace-ten", "bettel herz", "bettel unter". Every question is answered from the words of its rule,
slowly; nothing is imported from what this is compared with. Where the words leave a choice, the reading taken here is
said beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

SUITS = "EGHS"  # Eichel, Gras, Herz, Schellen, the higher first
RANKS = "AZKOU987"
POINTS = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2, "9": 0, "8": 0, "7": 0}

FOLLOW_SUIT = "schafkopf.follow-suit"
HEAD_TRICK = "schafkopf.head-trick"
ANSWER_SEARCH = "schafkopf.answer-search"
ACE_STAYS = "schafkopf.ace-stays"
NO_RUNNING = "schafkopf.no-running"


def parse(text: str) -> list[str]:
    """Cards from their text, in its order.

    >>> parse("EO S7")
    ['EO', 'S7']
    """
    cards = text.split()
    for card in cards:
        if card not in deck(short=False):
            raise ValueError(f"{card!r} is no card")
    return cards


def deck(short: bool) -> list[str]:
    """Four suits of eight cards; the short deck is without the sevens and eights."""
    return [suit + rank for suit in SUITS for rank in RANKS if not (short and rank in "87")]


# --- the declaration ------------------------------------------------------------------------------


def kind(declaration: str) -> str:
    """The game that is played: "rufspiel", "solo", "wenz", ..."""
    return declaration.split()[0]


def is_tout(declaration: str) -> bool:
    return declaration.endswith(" tout")


def named_suit(declaration: str) -> str | None:
    """The suit that a declaration names: the called card's in a rufspiel, the trump suit elsewhere."""
    words = declaration.split()
    return words[1][0] if len(words) > 1 and words[1][0] in SUITS else None


def called_card(declaration: str) -> str | None:
    """The card that a rufspiel calls: an ace, unless a ten is named.

    >>> called_card("rufspiel E"), called_card("rufspiel S renonce"), called_card("rufspiel GZ"), called_card("wenz")
    ('EA', 'SA', 'GZ', None)
    """
    if kind(declaration) != "rufspiel":
        return None
    named = declaration.split()[1]
    return named if len(named) == 2 else f"{named}A"


DECLARATIONS = [
    *(f"rufspiel {suit}" for suit in "EGS"),
    *(
        game + end
        for game in (
            "wenz",
            "geier",
            *(f"solo {suit}" for suit in SUITS),
            *(f"farbwenz {suit}" for suit in SUITS),
            *(f"farbgeier {suit}" for suit in SUITS),
        )
        for end in ("", " tout")
    ),
    "sie",
    "bettel",
    "ramsch",
    "hochzeit",
]


# played by who must play and can call no ace: the ace of a suit that he lacks, or a ten
RENONCES = [f"rufspiel {suit}{end}" for suit in "EGS" for end in (" renonce", "Z")]


def is_alone(declaration: str) -> bool:
    """One against three; only in rufspiel and hochzeit has the declarer a partner, and ramsch has no declarer."""
    return kind(declaration) not in ("rufspiel", "hochzeit", "ramsch")


def trump_ranks(declaration: str) -> str:
    """The ranks that are trumps in every suit, the higher first."""
    game = kind(declaration)
    if game in ("wenz", "farbwenz") or declaration == "bettel unter":
        return "U"
    if game in ("geier", "farbgeier"):
        return "O"
    return "" if declaration in ("bettel", "bettel ace-ten") else "OU"


def trump_suit(declaration: str) -> str | None:
    """The suit whose other cards are trumps too: the one named, or Herz."""
    game = kind(declaration)
    if game in ("wenz", "geier") or declaration in ("bettel", "bettel ace-ten", "bettel unter"):
        return None
    if game in ("solo", "farbwenz", "farbgeier"):
        return named_suit(declaration)
    return "H"  # rufspiel, where the named suit is the called ace's; ramsch, sie, hochzeit and a bettel with trumps


def trumps(declaration: str, short: bool = False) -> list[str]:
    """The trumps, the highest first.

    >>> trumps("wenz")
    ['EU', 'GU', 'HU', 'SU']
    >>> trumps("farbgeier S", short=True)
    ['EO', 'GO', 'HO', 'SO', 'SA', 'SZ', 'SK', 'SU', 'S9']
    >>> len(trumps("rufspiel E")), len(trumps("solo G")), len(trumps("bettel"))
    (14, 14, 0)
    """
    return list(_trumps(declaration, short))


@cache  # asked for every card of every trick
def _trumps(declaration: str, short: bool) -> tuple[str, ...]:
    order = [suit + rank for rank in trump_ranks(declaration) for suit in SUITS]
    order += [card for card in deck(short) if card[0] == trump_suit(declaration) and card not in order]
    return tuple(order)


def side_order(declaration: str) -> str:
    """The ranks of a plain suit, the highest first: an Ober or Unter that is no trump stands between king and nine.

    In a bettel without trumps king, Ober and Unter go before the ten.

    >>> side_order("rufspiel E"), side_order("wenz"), side_order("farbgeier S"), side_order("bettel")
    ('AZK987', 'AZKO987', 'AZKU987', 'AKOUZ987')
    >>> side_order("bettel ace-ten"), side_order("bettel herz"), side_order("bettel unter")
    ('AZKOU987', 'AZK987', 'AZKO987')
    """
    if declaration == "bettel":
        return "AKOUZ987"
    return "".join(rank for rank in RANKS if rank not in trump_ranks(declaration))


@cache
def suit_of(card: str, declaration: str) -> str:
    """The suit a card follows: "T", or the one printed on it.

    >>> suit_of("EO", "rufspiel E"), suit_of("EO", "wenz"), suit_of("EO", "farbwenz E")
    ('T', 'E', 'T')
    """
    return "T" if card in trumps(declaration) else card[0]


def in_suit(cards: Sequence[str], suit: str, declaration: str) -> list[str]:
    return [card for card in cards if suit_of(card, declaration) == suit]


# --- who wins a trick -----------------------------------------------------------------------------


def beats(challenger: str, best: str, led_suit: str, declaration: str) -> bool:
    """Does a card take the trick from one played before it?"""
    order = trumps(declaration)
    if challenger in order and best in order:
        return order.index(challenger) < order.index(best)
    if challenger in order:
        return True
    if best in order:
        return False
    if challenger[0] != led_suit:
        return False
    if best[0] != led_suit:
        return True
    ranks = side_order(declaration)
    return ranks.index(challenger[1]) < ranks.index(best[1])


def winner(trick: Sequence[str], declaration: str) -> int:
    """Which card of a trick, in the order played, takes it.

    >>> winner(parse("E9 EZ H7 EA"), "rufspiel G"), winner(parse("E9 EO EK S9"), "wenz")
    (2, 2)
    """
    led = suit_of(trick[0], declaration)
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], led, declaration):
            best = place
    return best


def card_points(cards: Sequence[str]) -> int:
    return sum(POINTS[card[1]] for card in cards)


# --- calling --------------------------------------------------------------------------------------


def may_call(hand: Sequence[str], suit: str) -> bool:
    """Eichel, Gras or Schellen: not the own ace, and with a card of the suit that is no trump.

    >>> may_call(parse("EK GO HA"), "E"), may_call(parse("EO EU HA"), "E"), may_call(parse("EA EK"), "E")
    (True, False, False)
    """
    if suit not in ("E", "G", "S"):
        return False
    return suit + "A" not in hand and in_suit(hand, suit, f"rufspiel {suit}") != []


def callable_suits(hand: Sequence[str]) -> list[str]:
    return [suit for suit in SUITS if may_call(hand, suit)]


def is_sie(hand: Sequence[str], short: bool = False) -> bool:
    """All Ober and all Unter; in the short deck, with hands of six, the six highest of them."""
    return set(hand) == set(trumps("sie", short)[: 6 if short else 8])


# --- what may be played ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Called:
    """What everybody knows of the called ace.

    `searched`: somebody who does not hold the ace has led its suit, or the ace itself has been played, led or not.
    `ran`: its holder has led its suit under it.
    """

    suit: str
    searched: bool = False
    ran: bool = False
    rank: str = "A"  # or that of a called ten, which has the same duties

    @property
    def ace(self) -> str:
        return self.suit + self.rank


def called_at_first(declaration: str) -> Called | None:
    """The called ace before any card is played; None where no ace is called."""
    card = called_card(declaration)
    return None if card is None else Called(card[0], rank=card[1])


def called_after(called: Called, hand_before: Sequence[str], trick_before: Sequence[str], card: str) -> Called:
    """What is known of the called ace once one more card is played.

    Read to the letter: the lead that searches counts as the search at once, before the holder has answered, so the
    duty to answer it cannot end with `searched`. A lead under the ace is running whether or not it was allowed.
    After running, a lead of the suit by somebody else is a search too; the holder then owes it nothing.

    >>> called_after(Called("E"), parse("EK H7"), [], "EK")
    Called(suit='E', searched=True, ran=False, rank='A')
    >>> called_after(Called("E"), parse("EA EK E9 E8"), [], "E8")
    Called(suit='E', searched=False, ran=True, rank='A')
    >>> called_after(Called("E"), parse("EO EK"), [], "EO")
    Called(suit='E', searched=False, ran=False, rank='A')
    """
    if card == called.ace:
        return replace(called, searched=True)
    leads_its_suit = not trick_before and suit_of(card, f"rufspiel {called.suit}") == called.suit
    if leads_its_suit and called.ace in hand_before:
        return replace(called, ran=True)
    if leads_its_suit:
        return replace(called, searched=True)
    return called


def breaks_follow_suit(hand: Sequence[str], trick: Sequence[str], card: str, declaration: str) -> bool:
    """The suit of the first card is to be followed, trumps being a suit; who has none of it plays anything.

    Nobody has to beat or to trump.
    """
    if not trick:
        return False
    led = suit_of(trick[0], declaration)
    return in_suit(hand, led, declaration) != [] and suit_of(card, declaration) != led


def breaks_head_trick(hand: Sequence[str], trick: Sequence[str], card: str, declaration: str) -> bool:
    """Who can beat the best card of the trick, with a card that the duty to follow lets him play, plays such a card.

    Who has none of the led suit may play any card, so that a trump that beats the trick is owed too.
    """
    if not trick:
        return False
    led = suit_of(trick[0], declaration)
    best = trick[winner(trick, declaration)]
    may_be_played = in_suit(hand, led, declaration) or hand
    beating = [other for other in may_be_played if beats(other, best, led, declaration)]
    return beating != [] and card not in beating


def breaks_answer_search(hand: Sequence[str], trick: Sequence[str], card: str, called: Called) -> bool:
    """Somebody else led the called suit: the holder plays the ace, whatever else of the suit is in the hand.

    Only running frees the holder from this. An ace that is still in hand after an earlier search (its holder
    did not answer) is owed to the next one too.
    """
    if called.ace not in hand or called.ran or not trick:
        return False
    return suit_of(trick[0], f"rufspiel {called.suit}") == called.suit and card != called.ace


def breaks_ace_stays(hand: Sequence[str], trick: Sequence[str], card: str, called: Called) -> bool:
    """The called ace is not thrown on another suit before it was searched or its holder ran, except as last card.

    Only the ace has to stay: its holder, void in the led suit, may throw the other cards of the called suit, down to
    the bare ace. As there is one called ace, a hand of two or more cards always has another card to throw.
    """
    if card != called.ace or called.searched or called.ran or not trick:
        return False
    on_another_suit = suit_of(trick[0], f"rufspiel {called.suit}") != called.suit
    return on_another_suit and len(hand) > 1


def breaks_no_running(hand: Sequence[str], trick: Sequence[str], card: str, called: Called, run_from: int = 4) -> bool:
    """Before the suit was led its holder leads the ace, or under it with four or more of the suit in hand now.

    Four, or as many as the house says. The ace is one of the four; Ober and Unter are trumps and are not. Who once ran
    may lead any card. An ace with another card beside it is no last card, so the last card needs no mention here.
    """
    if called.ace not in hand or called.searched or called.ran or trick:
        return False
    of_the_suit = in_suit(hand, called.suit, f"rufspiel {called.suit}")
    return card in of_the_suit and card != called.ace and len(of_the_suit) < run_from


def broken(
    hand: Sequence[str],
    trick: Sequence[str],
    card: str,
    declaration: str,
    called: Called | None = None,
    *,
    heads: Sequence[str] = (),
    run_from: int = 4,
) -> str | None:
    """The first duty that a card would break, or None. `heads`: the games in which who can beat the trick must.

    The called ace has duties in a rufspiel only, and only for the hand that holds it. Nothing said about it there
    means that it was not searched and that nobody ran.

    >>> broken(parse("EA EK H7 GO"), parse("E9"), "EK", "rufspiel E")
    'schafkopf.answer-search'
    >>> broken(parse("EA EK H7 GO"), parse("G9"), "EA", "rufspiel E")
    'schafkopf.ace-stays'
    >>> broken(parse("EA EK E9 GO"), [], "E9", "rufspiel E")
    'schafkopf.no-running'
    >>> broken(parse("EA EK H7 GO"), parse("H9"), "EA", "rufspiel E")
    'schafkopf.follow-suit'
    """
    if card not in hand:
        raise ValueError(f"{card} is not in {hand}")
    if kind(declaration) != "rufspiel":
        called = None
    elif called is None:
        called = called_at_first(declaration)
    if breaks_follow_suit(hand, trick, card, declaration):
        return FOLLOW_SUIT
    if kind(declaration) in heads and breaks_head_trick(hand, trick, card, declaration):
        return HEAD_TRICK
    if called is None:
        return None
    if breaks_answer_search(hand, trick, card, called):
        return ANSWER_SEARCH
    if breaks_ace_stays(hand, trick, card, called):
        return ACE_STAYS
    if breaks_no_running(hand, trick, card, called, run_from):
        return NO_RUNNING
    return None


def legal(
    hand: Sequence[str],
    trick: Sequence[str],
    declaration: str,
    called: Called | None = None,
    *,
    heads: Sequence[str] = (),
    run_from: int = 4,
) -> list[str]:
    """The cards of a hand that break no duty, in the order of the hand; never none of them.

    >>> legal(parse("EA EK H7 GO"), parse("E9"), "rufspiel E")
    ['EA']
    >>> legal(parse("EA EK H7 GO"), [], "rufspiel E")
    ['EA', 'H7', 'GO']
    """
    return [
        card for card in hand if broken(hand, trick, card, declaration, called, heads=heads, run_from=run_from) is None
    ]


# --- a whole deal ---------------------------------------------------------------------------------


def tricks_of(leader: int, tricks: Sequence[Sequence[str]], declaration: str) -> list[int]:
    """The seat that takes each trick; it leads the next."""
    takers: list[int] = []
    for trick in tricks:
        leader = (leader + winner(trick, declaration)) % 4
        takers.append(leader)
    return takers


def cards_of(leader: int, tricks: Sequence[Sequence[str]], declaration: str) -> list[list[str]]:
    """The cards in the tricks that each seat takes."""
    cards: list[list[str]] = [[], [], [], []]
    for taker, trick in zip(tricks_of(leader, tricks, declaration), tricks, strict=True):
        cards[taker] += trick
    return cards


def points_of(leader: int, tricks: Sequence[Sequence[str]], declaration: str) -> list[int]:
    """The card points that each seat takes."""
    return [card_points(cards) for cards in cards_of(leader, tricks, declaration)]


@dataclass(frozen=True)
class Renege:
    trick: int
    seat: int
    rule: str


def first_renege(
    hands: Sequence[Sequence[str]],
    leader: int,
    tricks: Sequence[Sequence[str]],
    declaration: str,
    *,
    heads: Sequence[str] = (),
    run_from: int = 4,
) -> Renege | None:
    """The first duty broken in a deal; a card that its seat does not hold is a ValueError."""
    held = [list(hand) for hand in hands]
    called = called_at_first(declaration)
    for number, trick in enumerate(tricks):
        for place, card in enumerate(trick):
            seat = (leader + place) % 4
            rule = broken(held[seat], trick[:place], card, declaration, called, heads=heads, run_from=run_from)
            if rule is not None:
                return Renege(number, seat, rule)
            if called is not None:
                called = called_after(called, held[seat], trick[:place], card)
            held[seat].remove(card)
        leader = (leader + winner(trick, declaration)) % 4
    return None


def runners(declarer_side_cards: Sequence[str], declaration: str, short: bool = False) -> int:
    """The top trumps in a row that the declaring party was dealt all of, or none of; no least number is asked for.

    >>> runners(parse("EO GO HO EU"), "rufspiel E"), runners(parse("SO"), "rufspiel E"), runners([], "wenz")
    (3, 3, 4)
    """
    order = trumps(declaration, short)
    row = 0
    while row < len(order) and (order[row] in declarer_side_cards) == (order[0] in declarer_side_cards):
        row += 1
    return row


def partner_of(hands: Sequence[Sequence[str]], declarer: int, declaration: str, partner: int | None) -> int | None:
    """In a rufspiel the holder of the called card, in a hochzeit the one named, else nobody."""
    if kind(declaration) == "rufspiel":
        ace = called_card(declaration)
        partner = next(seat for seat in range(4) if ace in hands[seat])
    elif kind(declaration) != "hochzeit":
        return None
    if partner is None or partner == declarer:
        raise ValueError(f"{declaration} needs a partner for seat {declarer}")
    return partner


@dataclass(frozen=True)
class Settlement:
    """What a deal comes to. Schneider, Schwarz and runners are those that were counted in the price."""

    payouts: list[int]
    points: list[int]  # of the declarer's side and of the others; in a ramsch of each seat
    schneider: bool = False
    schwarz: bool = False
    runners: int = 0


@dataclass(frozen=True)
class RamschHouse:
    """How a table plays ramsch. Unsaid, the one with most points loses and nothing else counts.

    `ties`: what is asked, in turn, of those who share the most points; whoever still shares after the last question
    loses with the others, so that `()` is "all-tied".
        "highest-trump": who was dealt the highest trump; "most-tricks": who took most tricks; "most-trumps": in whose
        tricks most trumps lie; "highest-taken": in whose tricks the highest trump lies. "highest-trump" settles every
        tie but one between hands without a trump, "highest-taken" every one but between tricks without a trump.
    `virgins`, who took no trick: "none"; "price" doubles the price once for each; "own" doubles what a virgin gets;
        "own-each" doubles what a virgin gets once for each virgin.
    `march`, the loser turned winner: "none", "all-tricks", or "91-points" for at least so many, and so "90-points" and
        "120-points". A march is paid the plain price by each of the others; virgins double nothing then.
    `losers`: how many lose at least, the one or the two with most points. Two are found as one is: by points, then by
        the questions of `ties`; who cannot be told from the second loser loses too. Where that would be everybody, so
        that nobody were left to be paid, there is no second: who has most points loses alone.
    `pays_one`: two losers pay one of the two others each. Which one: in turn from forehand the first loser pays the
        first of the others, the second the second. It matters where virgins are paid more.
    """

    ties: tuple[str, ...] = ("highest-trump",)
    virgins: str = "none"
    march: str = "none"
    losers: int = 1
    pays_one: bool = False


def highest_trump(hand: Sequence[str]) -> int:
    """A number that is larger the higher a hand's best trump is; 0 without one."""
    order = trumps("ramsch")
    return max((len(order) - order.index(card) for card in hand if card in order), default=0)


def ramsch_losers(
    hands: Sequence[Sequence[str]], leader: int, tricks: Sequence[Sequence[str]], ties: Sequence[str], least: int = 1
) -> list[int]:
    """The seats that lose: the `least` with most points, and those that no question tells from the last of them.

    If they are all four, only those lose who would if `least` were one; four who are level in all lose together.
    """
    takers = tricks_of(leader, tricks, "ramsch")
    taken = cards_of(leader, tricks, "ramsch")
    measures = {
        "highest-trump": [highest_trump(hand) for hand in hands],
        "most-tricks": [takers.count(seat) for seat in range(4)],
        "most-trumps": [len(in_suit(cards, "T", "ramsch")) for cards in taken],
        "highest-taken": [highest_trump(cards) for cards in taken],
    }
    losers: list[int] = []
    while len(losers) < least:
        worst = [seat for seat in range(4) if seat not in losers]
        for measure in [points_of(leader, tricks, "ramsch"), *(measures[question] for question in ties)]:
            most = max(measure[seat] for seat in worst)
            worst = [seat for seat in worst if measure[seat] == most]
        if losers and len(losers) + len(worst) == 4:
            break
        losers += worst
    return sorted(losers)


def ramsch_virgins(leader: int, tricks: Sequence[Sequence[str]]) -> list[int]:
    takers = tricks_of(leader, tricks, "ramsch")
    return [seat for seat in range(4) if seat not in takers]


def ramsch_marcher(leader: int, tricks: Sequence[Sequence[str]], march: str) -> int | None:
    """The seat that makes the march, if one does."""
    takers = tricks_of(leader, tricks, "ramsch")
    points = points_of(leader, tricks, "ramsch")
    for seat in range(4):
        if march == "all-tricks" and takers.count(seat) == len(takers):
            return seat
        if march.endswith("-points") and points[seat] >= int(march.removesuffix("-points")):
            return seat
    return None


def settle_ramsch(
    hands: Sequence[Sequence[str]], leader: int, tricks: Sequence[Sequence[str]], price: int, house: RamschHouse
) -> Settlement:
    """Each loser pays the price to each who does not lose, or to one of them; where all four lose nobody pays."""
    points = points_of(leader, tricks, "ramsch")
    marcher = ramsch_marcher(leader, tricks, house.march)
    if marcher is not None:
        return Settlement([3 * price if seat == marcher else -price for seat in range(4)], points)
    losers = ramsch_losers(hands, leader, tricks, house.ties, house.losers)
    virgins = ramsch_virgins(leader, tricks)
    payouts = [0, 0, 0, 0]
    in_turn = [(leader + i) % 4 for i in range(4)]
    payers, others = [seat for seat in in_turn if seat in losers], [seat for seat in in_turn if seat not in losers]
    for loser in payers:
        for other in others:
            if house.pays_one and len(losers) == 2 and payers.index(loser) != others.index(other):
                continue
            pays = price
            if house.virgins == "price" or (house.virgins == "own-each" and other in virgins):
                pays *= 2 ** len(virgins)
            elif house.virgins == "own" and other in virgins:
                pays *= 2
            payouts[loser] -= pays
            payouts[other] += pays
    return Settlement(payouts, points)


def in_tariff(tariff: Mapping[str, int | Mapping[str, int]], name: str) -> int:
    """A price; Schneider, Schwarz and a runner cost the extra where they have none of their own."""
    price = tariff[name] if name in tariff else tariff["extra"]
    assert isinstance(price, int)
    return price


def settle(
    hands: Sequence[Sequence[str]],
    declarer: int | None,
    declaration: str,
    leader: int,
    tricks: Sequence[Sequence[str]],
    tariff: Mapping[str, int | Mapping[str, int]],
    doubled: int = 0,
    partner: int | None = None,
    short: bool = False,
    house: RamschHouse | None = None,
    enough: int = 61,
) -> Settlement:
    """Who pays what for a deal played to its end; `hands` are the cards that each seat played from.

    The declarer's side wins with 61 points, or as many as were promised (`enough`); a tout or a sie with all tricks; a
    bettel with none. The losing side is
    Schneider below 31 as declarers and below 30 as defenders, and Schwarz without a trick, which is Schneider too.
    A price is base (with a partner) or solo, and extra for Schneider, Schwarz and each runner, each of which may have a
    price of its own in the tariff, doubled so often as was said. Runners count from `runners_from` on, which is one
    number or one for each kind of game. Tout and sie promise every trick, won or lost, and so have no Schneider and no
    Schwarz; they count their runners and are worth twice and four times the sum. A bettel has its base and nothing
    else.
    """
    assert len(tricks) == (6 if short else 8)
    if kind(declaration) == "ramsch":
        return settle_ramsch(hands, leader, tricks, in_tariff(tariff, "ramsch") * 2**doubled, house or RamschHouse())
    assert declarer is not None
    partner = partner_of(hands, declarer, declaration, partner)
    side = [seat for seat in range(4) if seat in (declarer, partner)]
    takers = tricks_of(leader, tricks, declaration)
    by_seat = points_of(leader, tricks, declaration)
    ours = sum(by_seat[seat] for seat in side)
    theirs = sum(by_seat) - ours
    our_tricks = sum(taker in side for taker in takers)
    their_tricks = len(takers) - our_tricks

    all_tricks_promised = is_tout(declaration) or kind(declaration) == "sie"
    if kind(declaration) == "bettel":
        won = our_tricks == 0
    elif all_tricks_promised:
        won = their_tricks == 0
    else:
        won = ours >= enough

    schneider = schwarz = False
    if kind(declaration) != "bettel" and not all_tricks_promised:
        schneider = theirs < 30 if won else ours < 31
        schwarz = their_tricks == 0 if won else our_tricks == 0
    row = runners([card for seat in side for card in hands[seat]], declaration, short)
    least = tariff["runners_from"]
    if kind(declaration) == "bettel" or row < (least if isinstance(least, int) else least[kind(declaration)]):
        row = 0

    price = in_tariff(tariff, "solo" if is_alone(declaration) else "base")
    price += in_tariff(tariff, "schneider") if schneider else 0
    price += in_tariff(tariff, "schwarz") if schwarz else 0
    price += in_tariff(tariff, "runner") * row
    price *= 2**doubled
    if is_tout(declaration):
        price *= 2
    if kind(declaration) == "sie":
        price *= 4

    gain = price if won else -price
    payouts = [gain if seat in side else -gain for seat in range(4)]
    if partner is None:
        payouts[declarer] = 3 * gain
    return Settlement(payouts, [ours, theirs], schneider, schwarz, row)
