"""The rules of Tractor (Sheng Ji, two packs or more) as a referee would list them, and the choices of house rules."""

from dataclasses import dataclass, replace

from renege.core.cards import Deck
from renege.core.house_rules import Choice, HouseRules, asking
from renege.core.message import say
from renege.core.verdict import Rule
from renege.games.tractor.choices import (
    FirstBanker,
    JackBack,
    JokersShown,
    KittyLaid,
    KittyTheft,
    MustDefend,
    NewDeal,
    NoCall,
    NothingTaken,
    Overruling,
    OwnShowing,
    PackJokers,
    SmallTeam,
    TakeBack,
)
from renege.games.tractor.deck import PRINTED, RANKS, deck_of

HAND, BURIED, ALL_POINTS = 25, 8, 200  # with two packs
PACK_POINTS = 100
LEAST_KITTY = 5
MOST_PACKS = 6
FEWEST_SEATS, MOST_SEATS = 4, 8
MOST_KITTY = 52
BOMB = 4  # equal cards that are a bomb, and suits that are a rainbow
ACE, NO_TRUMP_LEVEL = 14, 15  # levels; the first is 2


class ThrowComparison(Choice):
    """What is compared when a throw is ruffed twice."""

    LONGEST_UNIT = "longest-unit", "The highest step among the longest led units."
    ALL_UNITS = "all-units", "Every unit must beat its like, however the play that is ahead is cut."
    HIGHEST_CARD = "highest-card", "The highest card decides."


class ShorterRuns(Choice):
    """Whether a run that is shorter than the led one is owed to it."""

    OWED = "owed", "A shorter run must be given where there is none of full length."
    ALL_OWED = "all-owed", "So must every further run that fits what is left of the led ones, the longest first."
    NOT_OWED = "not-owed", "Only a run of full length is owed; else pairs will do."


class FollowDuty(Choice):
    """What a follower owes besides the suit."""

    SHAPE = "shape", "Pairs for pairs and tractors for tractors, as far as the hand has them."
    TRACTORS_PROTECTED = "tractors-protected", "The same, but nobody has to tear up a tractor to give pairs."
    TUPLES_PROTECTED = (
        "tuples-protected",
        "The same as shape, but nobody has to tear up three equal cards to give a pair.",
    )
    BOTH_PROTECTED = "both-protected", "Neither a tractor nor more equal cards than are asked for have to be torn up."
    SUIT_ONLY = "suit-only", "The suit alone."


class DutyFamily(Choice):
    """How a hand that cannot match the led format is measured."""

    GRADED = "graded", "It gives the best that it has for each led unit, tractors first."
    FIRST_FORMAT = "first-format", "Of a fixed chain of weaker formats the first that it can give is owed."


class Bombs(Choice):
    """Whether four or more equal cards beat whatever as many cards were led."""

    OFF = "off", "They do not."
    ANY_SUIT = "any-suit", "They do, and may be of any suit, also while the hand has the led one."
    FOLLOWING_SUIT = "following-suit", "They do, but one who has the led suit plays them of that suit."


class TrumpThrows(Choice):
    """Whether trumps may be thrown."""

    ALLOWED = "allowed", "Trumps may be thrown like any suit."
    FORBIDDEN = "forbidden", "Trumps are led one unit at a time."


class ThrowTest(Choice):
    """What decides whether a throw stands."""

    TRUE_HANDS = "true-hands", "The true hands of the others."
    OPPONENTS = "opponents", "The true hands of the two opponents; the partner's hand stops nothing."
    PUBLIC_INFO = "public-info", "What the leader can know: a throw that is not proved safe is refused."


class StoppedThrow(Choice):
    """What becomes of a throw that another hand can beat."""

    LEAD_SMALLEST = "lead-smallest", "Its smallest stopped unit is led, and the rest goes back."
    FIRST_FOUND = "first-found", "The smallest unit that the first stopping seat beats is led."
    REFUSED = "refused", "It is refused, and another lead is made."


class KittyMultiplier(Choice):
    """What the points in the kitty are multiplied by when the attackers take the last trick."""

    TWO_TO_CARDS = "two-to-cards", "Two to the number of cards of the longest unit of the last lead."
    TWICE_CARDS = "twice-cards", "Twice the number of cards of the longest unit of the last lead."
    TWO_TO_PAIRS_PLUS_1 = "two-to-pairs-plus-1", "Two to one more than the number of pairs of the last lead."
    TWICE_LEAD = "twice-lead", "Twice the number of all cards of the last lead."
    TWO_OR_FOUR = "two-or-four", "Two where the last lead has no pair, else four."


class LevelGap(Choice):
    """Whether the cards on both sides of the missing level are consecutive."""

    CLOSES = "closes", "They are: at level 7 the 6 and the 8 are neighbours."
    BREAKS = "breaks", "They are not: the gap breaks a run."


class NoTrump(Choice):
    """What is trump when there is no trump suit."""

    LEVEL_CARDS = "level-cards", "The level cards and the jokers."
    JOKERS_ONLY = "jokers-only", "The jokers alone."


class Mode(Choice):
    """Who plays with the banker."""

    TEAMS = "teams", "Every other seat."
    FRIENDS = "friends", "Whoever plays a card that the banker names after burying: Finding Friends."


class FriendCards(Choice):
    """By which cards the banker may name friends."""

    NO_TRUMPS = "no-trumps", "By any card that is no trump."
    TRUMPS_TOO = "trumps-too", "By any card, also trumps and jokers."
    NOT_HIGHEST = "not-highest", "By any card that is neither a trump nor the highest of its suit."
    NO_POINTS = "no-points", "By any card that is no trump and counts no points, or is the highest of its suit."


class DoubleFriend(Choice):
    """What happens where the banker or one who has joined plays the card of a further friend."""

    ALLOWED = "allowed", "The place is taken, and the team has one fewer."
    NOT = "not", "The place stays open for whoever plays the next copy."


class RenegeFound(Choice):
    """What a renege that is found in a record costs."""

    CANNOT_WIN = "cannot-win", "The points of its trick go to the best play that kept to the rules."
    STANDS = "stands", "Nothing: the deal stands as it was played."
    PENALTY = "penalty", "Forty points go to the other side."
    REFUSED = "refused", "The deal comes to nothing."


@dataclass(frozen=True, slots=True)
class Rules(HouseRules):
    """The house rules of a table."""

    throw_comparison: ThrowComparison = ThrowComparison.LONGEST_UNIT
    shorter_runs: ShorterRuns = ShorterRuns.OWED
    follow_duty: FollowDuty = FollowDuty.SHAPE
    trump_throws: TrumpThrows = TrumpThrows.ALLOWED
    throw_test: ThrowTest = ThrowTest.TRUE_HANDS
    stopped_throw: StoppedThrow = StoppedThrow.LEAD_SMALLEST
    throw_penalty: int = asking("The points that a stopped throw costs the side that tried it.", 0)
    kitty_multiplier: KittyMultiplier = KittyMultiplier.TWO_TO_CARDS
    level_gap: LevelGap = LevelGap.CLOSES
    no_trump: NoTrump = NoTrump.LEVEL_CARDS
    no_call: NoCall = NoCall.NO_TRUMP
    new_deal: NewDeal = NewDeal.NOBODY
    few_points: int = asking(
        "With at most how many points in hand an attacker may ask for a new deal.", 15, most=ALL_POINTS
    )
    few_trumps: int = asking("With at most how many trumps in hand an attacker may ask for a new deal.", 3, most=HAND)
    must_defend: MustDefend = MustDefend.NONE
    renege_found: RenegeFound = RenegeFound.CANNOT_WIN
    packs: int = asking("How many packs are played with.", 2, least=2, most=MOST_PACKS)
    kitty: int = asking(
        "The cards of the kitty; 0 for the fewest from 5 on that leave equal hands.", 0, most=MOST_KITTY
    )
    duty_family: DutyFamily = DutyFamily.GRADED
    tractor_width: int = asking(
        "How many equal cards each step of a tractor has at least.", 2, least=2, most=MOST_PACKS
    )
    tractor_length: int = asking("How many steps a tractor has at least.", 2, least=2, most=13)
    seats: int = asking("How many seats the table has.", FEWEST_SEATS, least=FEWEST_SEATS, most=MOST_SEATS)
    mode: Mode = Mode.TEAMS
    friends: int = asking(
        "How many friends the banker names; 0 for one fewer than half the seats.", 0, most=MOST_SEATS - 2
    )
    friend_cards: FriendCards = FriendCards.NO_TRUMPS
    double_friend: DoubleFriend = DoubleFriend.ALLOWED
    level_step: int = asking(
        "How many points of each pack make a step, by which levels are counted.", 20, least=5, most=50
    )
    turnover: int = asking("With how many steps the attackers take the bank.", 2, least=1, most=5)
    dead_zone: int = asking("How many steps from there on bring the attackers no level.", 1, most=10)
    nothing_taken: NothingTaken = NothingTaken.LEVEL_MORE
    small_team: SmallTeam = SmallTeam.LEVEL_MORE
    overruling: Overruling = Overruling.JOKERS
    jokers_shown: JokersShown = JokersShown.TWO_OR_MORE
    own_showing: OwnShowing = OwnShowing.STRENGTHEN
    first_banker: FirstBanker = FirstBanker.LAST_TO_SHOW
    bombs: Bombs = Bombs.OFF
    rainbows: int = asking(
        "From how many cards on one rank may be led in four suits; 0 where it may not.", 0, most=BOMB * MOST_PACKS
    )
    take_back: TakeBack = TakeBack.NO
    kitty_theft: KittyTheft = KittyTheft.OFF
    jack_back: JackBack = JackBack.OFF
    last_level: int = asking(
        "The last level of a game: 11 to 14 are jack to ace, 15 is one after the ace that has no trumps but jokers.",
        ACE,
        least=3,
        most=NO_TRUMP_LEVEL,
    )
    kitty_laid: KittyLaid = KittyLaid.YES
    pack_jokers: PackJokers = PackJokers.BOTH
    lowest_rank: int = asking("The lowest rank of the packs, at which a game begins.", 2, least=2, most=10)

    def check(self) -> None:
        seats = self.seats
        if self.mode is Mode.FRIENDS:
            self._check_friends()
        elif seats % 2:
            why = "seats is {n}; two sides take every other seat of 4, 6 or 8; with mode=friends any number plays"
            raise ValueError(say(why, seats))
        if self.level_step * self.turnover > PACK_POINTS:
            why = "turnover is {n} steps of level_step {n2}: more than the {n3} points of a pack"
            raise ValueError(say(why, self.turnover, self.level_step, PACK_POINTS))
        if 0 < self.rainbows < BOMB:
            why = "rainbows is {n}; it may be 0, or {n2} and more, one of each suit"
            raise ValueError(say(why, self.rainbows, BOMB))
        if self.kitty and self.kitty % seats != self.cards % seats:
            fits = self.cards % seats or seats
            why = "kitty is {n}; with {n2} packs it may be {n3}, and every {n4} more, so that hands are equal"
            raise ValueError(say(why, self.kitty, self.packs, fits, seats))
        if self.lowest_rank >= self.last_level:
            why = "last_level is {n}; a game that begins at {n2} goes on to a higher one"
            raise ValueError(say(why, self.last_level, self.lowest_rank))
        if self.kitty_laid is KittyLaid.NO:
            self._check_without_kitty()

    def _check_without_kitty(self) -> None:
        if self.cards % self.seats:
            why = "kitty_laid=no deals all cards, and {n} are not the same number for each of {n2} seats"
            raise ValueError(say(why, self.cards, self.seats))
        needs = [("kitty", self.kitty), ("kitty_theft=on", self.kitty_theft is KittyTheft.ON)]
        turned = self.no_call not in (NoCall.NO_TRUMP, NoCall.REDEAL)
        for name, asked in (*needs, (f"no_call={self.no_call.value}", turned)):
            if asked:
                raise ValueError(say("{name} asks for a kitty, and kitty_laid=no leaves none", name))

    def _check_friends(self) -> None:
        if self.friends > self.seats - 2:
            why = "friends is {n}; with {n2} seats there may be {n3}, so that somebody attacks"
            raise ValueError(say(why, self.friends, self.seats, self.seats - 2))
        if self.throw_test is ThrowTest.OPPONENTS:
            why = "throw_test=opponents asks who plays with whom, and with mode=friends nobody knows that"
            raise ValueError(say(why))

    @property
    def friend_count(self) -> int:
        """How many friends the banker names; none where there are sides."""
        if self.mode is Mode.TEAMS:
            return 0
        return self.friends or self.seats // 2 - 1

    @property
    def fewest_jokers(self) -> int:
        """How many like jokers name no trump suit; more than there are where none do."""
        fewest = {JokersShown.ANY: 1, JokersShown.TWO_OR_MORE: 2, JokersShown.NONE: self.packs + 1}
        return fewest.get(self.jokers_shown, self.packs)

    @property
    def fewest_big_jokers(self) -> int:
        """The same of big ones, which may be fewer."""
        return self.fewest_jokers - (self.jokers_shown is JokersShown.BIG_ONE_FEWER)

    @property
    def is_counted_as_usual(self) -> bool:
        """Is the bank turned over with 40 points of each pack, and a level worth 20?"""
        return (self.level_step, self.turnover) == (20, 2)

    @property
    def sides(self) -> int:
        """How many have a level: two sides, or with friends every seat."""
        return 2 if self.mode is Mode.TEAMS else self.seats

    @property
    def buried(self) -> int:
        """The cards of the kitty; a shrunk game has another number of them, and of points."""
        if self.kitty or self.kitty_laid is KittyLaid.NO:
            return self.kitty
        left, seats = self.cards % self.seats, self.seats
        return left + max(0, -(-(LEAST_KITTY - left) // seats)) * seats

    @property
    def cards(self) -> int:
        """All cards of all packs."""
        ranks = len(RANKS) + 2 - self.lowest_rank
        return self.packs * (len(PRINTED) * ranks + 2 * (self.pack_jokers is PackJokers.BOTH))

    @property
    def is_whole(self) -> bool:
        """Have the packs all their cards?"""
        return self.lowest_rank == 2 and self.pack_jokers is PackJokers.BOTH

    @property
    def deck(self) -> Deck:
        if self.is_whole:
            return deck_of(self.packs)
        return deck_of(self.packs, self.lowest_rank, jokers=self.pack_jokers is PackJokers.BOTH)

    @property
    def hand_size(self) -> int:
        """The cards of a seat: what the kitty leaves."""
        return (self.cards - self.buried) // self.seats

    @property
    def points(self) -> int:
        """The points by which levels are counted: those of whole packs, or of a shrunk one."""
        return self.packs * PACK_POINTS

    @property
    def is_usual(self) -> bool:
        """Are units singles, pairs and runs of pairs, and the duty the graded one? So it is played with two packs."""
        graded = self.duty_family is DutyFamily.GRADED and not self.rainbows
        return self.least == (2, 2) and self.packs == 2 and graded

    @property
    def has_bombs(self) -> bool:
        """Do four equal cards beat what was led, and are there as many?"""
        return self.bombs is not Bombs.OFF and self.packs >= BOMB

    @property
    def is_for_four(self) -> bool:
        """Is it the table that the kernel knows: usual units, four seats and their sides, whole packs, a kitty of
        eight that nobody steals?"""
        usual_kitty = self.buried == BURIED and self.kitty_theft is KittyTheft.OFF
        return self.is_four_in_teams and usual_kitty and self.is_whole

    @property
    def is_four_in_teams(self) -> bool:
        """Is it played by four, partners opposite, with the usual units?"""
        return self.is_usual and self.seats == FEWEST_SEATS and self.mode is Mode.TEAMS

    @property
    def pair_duty(self) -> FollowDuty:
        """The duty where nobody can have three equal cards to protect."""
        without = {
            FollowDuty.TUPLES_PROTECTED: FollowDuty.SHAPE,
            FollowDuty.BOTH_PROTECTED: FollowDuty.TRACTORS_PROTECTED,
        }
        return without.get(self.follow_duty, self.follow_duty)

    @property
    def least(self) -> tuple[int, int]:
        """The least width and length of a tractor."""
        return self.tractor_width, self.tractor_length


_RBTYING = Rules(
    throw_comparison=ThrowComparison.ALL_UNITS,
    stopped_throw=StoppedThrow.FIRST_FOUND,
    kitty_multiplier=KittyMultiplier.TWICE_CARDS,
    duty_family=DutyFamily.FIRST_FORMAT,
    no_call=NoCall.FIRST_CARD,
    must_defend=MustDefend.ACE,
    take_back=TakeBack.YES,
    last_level=NO_TRUMP_LEVEL,
)
PRESETS: dict[str, Rules] = {
    "default": Rules(),
    # as in the published contest problem
    "spoj": Rules(),
    "three-packs": Rules(packs=3),
    "two-packs-six": Rules(seats=6),
    "three-packs-six": Rules(seats=6, packs=3),
    "four-packs-eight": Rules(seats=8, packs=4),
    # Finding Friends, with half as many packs as seats
    "friends-five": Rules(seats=5, mode=Mode.FRIENDS),
    "friends-six": Rules(seats=6, packs=3, mode=Mode.FRIENDS),
    "friends-seven": Rules(seats=7, packs=3, mode=Mode.FRIENDS),
    "friends-eight": Rules(seats=8, packs=4, mode=Mode.FRIENDS),
    # what a table of rbtying/shengji plays that changes nothing, with four, with six, and with friends
    "rbtying": _RBTYING,
    "rbtying-six": replace(_RBTYING, seats=6, packs=3),
    "rbtying-friends": replace(_RBTYING, seats=6, packs=3, mode=Mode.FRIENDS),
}

LENGTH = Rule("tractor.length", "A follow has as many cards as the lead.", "common rules")
FOLLOW_SUIT = Rule(
    "tractor.follow-suit",
    "Who holds cards of the led suit plays them: all of them if there are no more than were led, else only them.",
    "common rules",
)
FOLLOW_PAIR = Rule(
    "tractor.follow-pair",
    "Pairs are answered with pairs: as many as the hand has and the table asks for.",
    "common rules, house rule follow_duty",
)
FOLLOW_TUPLE = Rule(
    "tractor.follow-tuple",
    "Equal cards are answered with equal cards: as many alike as the hand has and the table asks for.",
    "common rules for three packs and more, house rule follow_duty",
)
FOLLOW_FORMAT = Rule(
    "tractor.follow-format",
    "Of the led format and its chain of weaker ones the first that the hand can give is given.",
    "house rule duty_family",
)
FOLLOW_RUN = Rule(
    "tractor.follow-run",
    "Where a tractor was led, a follower who has one in the suit gives it.",
    "common rules, house rule shorter_runs",
)
FOLLOW_LONGER_RUN = Rule(
    "tractor.follow-longer-run",
    "A tractor is answered with the longest that fits it, not with a shorter one.",
    "common rules, house rule shorter_runs",
)
BOMB_IN_SUIT = Rule(
    "tractor.bomb",
    "Where bombs follow suit, who has the led suit plays no bomb of another.",
    "house rule bombs",
)
FOLLOW_RAINBOW = Rule(
    "tractor.follow-rainbow",
    "A rainbow is answered with as many cards of one rank, where the hand has them.",
    "house rule rainbows",
)
LEAD_ONE_SUIT = Rule("tractor.lead-one-suit", "A lead is of one suit; trumps are a suit.", "common rules")
GROUPING = Rule(
    "tractor.grouping",
    "A leader may group the cards of a lead, each group one unit and all of them used.",
    "common rules",
)
TRUMP_THROW = Rule(
    "tractor.trump-throw", "Where the table forbids it, trumps are not thrown.", "house rule trump_throws"
)
THROW_STOPPED = Rule(
    "tractor.throw-stopped",
    "A throw stands only if, as the table tests it, none of its units can be beaten.",
    "common rules, house rule throw_test",
    excusable=True,  # what the leader holds, no other hand can have
)
SHOW = Rule(
    "tractor.show",
    "Trumps are named by showing a card or a pair of the level, or two like jokers, each stronger than the last.",
    "common rules",
)
TURN_UP = Rule(
    "tractor.turn-up",
    "Where nobody has shown, a card of the level in the kitty names trumps, else one of its highest; no joker does.",
    "house rule no_call",
)
NEW_DEAL = Rule(
    "tractor.new-deal",
    "Where the table allows it, an attacker with few points or trumps may ask for a new deal once trumps are named.",
    "house rule new_deal",
)
FRIENDS_NAMED = Rule(
    "tractor.friends",
    "After burying the banker names friends, each by a card that may be named and the number of a copy.",
    "Finding Friends, house rules mode, friends and friend_cards",
)
BURY = Rule("tractor.bury", "The banker takes up the kitty and buries as many cards as it had.", "common rules")

RULES: tuple[Rule, ...] = (
    LENGTH, FOLLOW_SUIT, FOLLOW_PAIR, FOLLOW_RUN, FOLLOW_LONGER_RUN,
    FOLLOW_TUPLE, FOLLOW_FORMAT, LEAD_ONE_SUIT, GROUPING, TRUMP_THROW, THROW_STOPPED, SHOW, TURN_UP, NEW_DEAL, BURY,
    FRIENDS_NAMED, BOMB_IN_SUIT, FOLLOW_RAINBOW,
)  # fmt: skip
