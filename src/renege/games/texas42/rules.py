"""The rules of Texas 42 as a referee would list them, and the choices between house rules.

Every question on which tables differ is an enum named for it; one frozen `Rules` holds all the answers and is passed
whole. `PRESETS` are the tables people know by name.
"""

from dataclasses import dataclass
from enum import Enum

from renege.core.house_rules import Choice, HouseRules, asking
from renege.core.verdict import Rule


class Doubles(Enum):
    """How doubles stand where no trumps are called (follow-me and nello)."""

    HIGH = "high"  # each the highest of its suit
    LOW = "low"  # each the lowest of its suit
    OWN = "own"  # a suit of their own, 6-6 high
    OWN_INVERTED = "own-inverted"  # a suit of their own, 0-0 high


class FollowMeDoubles(Choice):
    """How doubles stand in follow-me, or that the declarer says."""

    ANY = "any", "The declarer says; unsaid, each double is the highest of its suit."
    HIGH = "high", "Each double is the highest of its suit."
    LOW = "low", "Each double is the lowest of its suit."
    OWN = "own", "The doubles are a suit of their own, 6-6 high."


class NelloDoubles(Choice):
    """How doubles stand in nello, or that the declarer says."""

    ANY = "any", "The declarer says; unsaid, the doubles are a suit of their own."
    HIGH = "high", "Each double is the highest of its suit."
    LOW = "low", "Each double is the lowest of its suit."
    OWN = "own", "The doubles are a suit of their own, 6-6 high."
    OWN_INVERTED = "own-inverted", "The doubles are a suit of their own, 0-0 high."


class AllPass(Choice):
    """What happens when three seats have passed and the shaker is left."""

    RESHAKE = "reshake", "The shaker may pass too, and the next one shakes."
    FORCE_30 = "force-30", "The shaker must bid 30 or more."
    FORCE_31 = "force-31", "The shaker must bid 31 or more."
    FORCE_MARK = "force-mark", "The shaker must bid a mark or more."
    FORCE_NELLO = "force-nello", "The shaker must play nello at its least number of marks."


class Nello(Choice):
    """When nello may be played."""

    OFF = "off", "Nello is not played."
    ONE_MARK = "one-mark", "On a bid of one mark or more."
    TWO_MARKS = "two-marks", "On a bid of two marks or more."
    FORCED_ONLY = "forced-only", "Only by a shaker who was forced to bid, on any bid in marks."


class NelloExchange(Choice):
    """Whether a nello declarer may swap a tile with the partner, face down."""

    OFF = "off", "No tiles are swapped."
    ONE_TILE = "one-tile", "The declarer passes one tile, then the partner passes one back."


class Plunge(Choice):
    """The least number of marks of a plunge (four doubles in hand; partner names trumps)."""

    OFF = "off", "Plunge is not played."
    TWO_MARKS = "two-marks", "Two marks, or one more than the highest bid."
    THREE_MARKS = "three-marks", "Three marks, or one more than the highest bid."
    FOUR_MARKS = "four-marks", "Four marks, or one more than the highest bid."


class Splash(Choice):
    """The marks of a splash (three doubles in hand; partner names trumps)."""

    OFF = "off", "Splash is not played."
    TWO_MARKS = "two-marks", "Two marks."
    THREE_MARKS = "three-marks", "Three marks."
    TWO_OR_THREE = "two-or-three", "Two marks, or three over a bid of two."


class PartnerLead(Choice):
    """Who leads first in plunge and splash."""

    PARTNER = "partner", "The partner, who named trumps."
    DECLARER = "declarer", "The declarer, who made the bid."


class Sevens(Choice):
    """Whether sevens may be declared."""

    OFF = "off", "Sevens is not played."
    ON = "on", "On any bid in marks."
    NEEDS_SEVEN = "needs-seven", "Only with a tile of seven pips in hand."


class SevensTie(Choice):
    """Who wins a sevens trick when two tiles are equally near to seven."""

    FIRST_PLAYED = "first-played", "The one that was played first."
    DECLARERS = "declarers", "The declarers."


class DoublesTrump(Choice):
    """The order of doubles when they are trumps."""

    SIX_HIGH = "six-high", "6-6 is the highest."
    INVERTED = "inverted", "0-0 is the highest."


class OpeningLead(Choice):
    """What the first lead of a hand may be."""

    ANY = "any", "Any tile; it leads its high end."
    TRUMP = "trump", "A trump, if the leader has one and there are trumps."
    SMALL_END = "small-end", "Any tile, and the leader may name its small end as the suit."


class UnsaidTrump(Choice):
    """Whether the leader may leave trumps unsaid and lead at once."""

    NOT_ALLOWED = "not-allowed", "Trumps are named before the first lead."
    FIRST_LEAD = "first-lead", "The high end of the first tile that is led is then trumps."


class ExposedTile(Choice):
    """What becomes of a tile that a seat shows too early."""

    OFF = "off", "Exposed tiles are not written down."
    MUST_PLAY = "must-play", "It lies face up and must be played as soon as the other rules allow it."


class MarkRaise(Choice):
    """How far a bid of two marks or more may be raised."""

    ONE = "one", "By one mark."
    ONE_OR_TWO = "one-or-two", "By one mark or two."


class Scoring(Choice):
    """What a game is played for."""

    MARKS = "marks", "Each hand is worth the marks that were bid."
    POINTS = "points", "Each side writes down the points it takes; a side that is set gives the others its bid besides."


class WinBy(Choice):
    """The lead that wins once the target is reached."""

    ONE = "one", "One ahead is enough."
    TWO = "two", "A side must be two ahead."


class EarlyEnd(Choice):
    """Whether play stops as soon as the bid is certainly made or set."""

    STOP = "stop", "The hand ends there."
    PLAY_ON = "play-on", "All seven tricks are played."


class ForcedSweep(Choice):
    """What a forced bid of 30 earns when the declarers take every trick."""

    ONE_MARK = "one-mark", "One mark, as otherwise."
    TWO_MARKS = "two-marks", "Two marks."


class RenegePenalty(Choice):
    """What a renege costs when it is found in a record."""

    LOSE_HAND = "lose-hand", "The offenders lose the stake of the hand."
    HAND_AND_MARK = "hand-and-mark", "The offenders lose the stake of the hand, and the other side gets a mark more."
    HAND_AND_TWO = (
        "hand-and-two-marks",
        "The offenders lose the stake of the hand, and the other side gets two marks more.",
    )
    TWO_MARKS = "two-marks", "The other side gets two marks instead."
    NONE = "none", "The hand stands as it was played."


@dataclass(frozen=True, slots=True)
class Rules(HouseRules):
    """The house rules of a table; the default allows every contract of the game."""

    scoring: Scoring = Scoring.MARKS
    target: int = asking("The score that wins a game.", 7, least=1, most=1000)
    win_by: WinBy = WinBy.ONE
    all_pass: AllPass = AllPass.RESHAKE
    mark_raise: MarkRaise = MarkRaise.ONE
    follow_me_doubles: FollowMeDoubles = FollowMeDoubles.ANY
    doubles_trump: DoublesTrump = DoublesTrump.SIX_HIGH
    nello: Nello = Nello.ONE_MARK
    nello_doubles: NelloDoubles = NelloDoubles.ANY
    nello_exchange: NelloExchange = NelloExchange.OFF
    plunge: Plunge = Plunge.FOUR_MARKS
    splash: Splash = Splash.TWO_OR_THREE
    partner_lead: PartnerLead = PartnerLead.PARTNER
    sevens: Sevens = Sevens.ON
    sevens_tie: SevensTie = SevensTie.FIRST_PLAYED
    unsaid_trump: UnsaidTrump = UnsaidTrump.NOT_ALLOWED
    opening_lead: OpeningLead = OpeningLead.ANY
    exposed_tile: ExposedTile = ExposedTile.OFF
    early_end: EarlyEnd = EarlyEnd.STOP
    forced_sweep: ForcedSweep = ForcedSweep.ONE_MARK
    renege_penalty: RenegePenalty = RenegePenalty.LOSE_HAND

    @property
    def bids(self) -> range:
        """The bids in points; a shrunk game has others."""
        return range(30, 42)


PRESETS: dict[str, Rules] = {
    "default": Rules(),
    # The National 42 Players Association: straight 42, nothing forced.
    "tournament": Rules(
        follow_me_doubles=FollowMeDoubles.HIGH,
        nello=Nello.OFF,
        plunge=Plunge.OFF,
        splash=Splash.OFF,
        sevens=Sevens.OFF,
    ),
    "family": Rules(all_pass=AllPass.FORCE_30),
    "a-and-m": Rules(all_pass=AllPass.FORCE_30, win_by=WinBy.TWO),
    "points-250": Rules(scoring=Scoring.POINTS, target=250, early_end=EarlyEnd.PLAY_ON),
}

ONE_TILE = Rule("texas42.one-tile", "A play is exactly one tile.", "tournament rules (N42PA)")
FOLLOW_SUIT = Rule(
    "texas42.follow-suit",
    "Who holds a tile of the led suit must play one; a tile that was called follows the called suit alone.",
    "tournament rules (N42PA)",
)
NEAREST_SEVEN = Rule(
    "texas42.nearest-seven",
    "In sevens every play, the lead too, is one of the hand's tiles whose pips come nearest to seven.",
    "house rule",
)
OPENING_TRUMP = Rule(
    "texas42.opening-trump",
    "Where the table asks for it, the first lead of a hand is a trump if the leader has one.",
    "house rule opening_lead",
)
SMALL_END = Rule(
    "texas42.small-end",
    "A tile leads its higher end; the small end may be named for the first lead only, and where the table allows it.",
    "house rule opening_lead",
)
EXPOSED_TILE = Rule(
    "texas42.exposed-tile",
    "Where the table asks for it, a tile that lies face up is played as soon as the other rules allow it.",
    "house rule exposed_tile",
)
BID_HIGHER = Rule("texas42.bid-higher", "A bid must be higher than every bid before it.", "tournament rules (N42PA)")
BID_LADDER = Rule(
    "texas42.bid-ladder",
    "The first bid in marks is one or two marks; above two marks a raise is by one mark.",
    "tournament rules (N42PA)",
)
FORCED_BID = Rule(
    "texas42.forced-bid",
    "Where the table forces the shaker, the shaker may not be the fourth to pass.",
    "house rule all_pass",
)
PLUNGE = Rule("texas42.plunge", "A plunge needs four doubles in hand and enough marks.", "house rule plunge")
SPLASH = Rule("texas42.splash", "A splash needs three doubles in hand and enough marks.", "house rule splash")
DECLARE = Rule(
    "texas42.declare",
    "The declarer names a pip, doubles or follow-me; in plunge and splash the partner does.",
    "tournament rules (N42PA)",
)
UNSAID_TRUMP = Rule(
    "texas42.unsaid-trump",
    "Trumps are named before the first lead; where they may be left unsaid, the high end of the tile led is trumps.",
    "house rule unsaid_trump",
)
DECLARE_NELLO = Rule(
    "texas42.declare-nello", "Nello needs a bid in marks, as many as the table asks for.", "house rule nello"
)
DECLARE_SEVENS = Rule("texas42.declare-sevens", "Sevens needs a bid in marks.", "house rule sevens")
EXCHANGE = Rule(
    "texas42.exchange", "In the nello exchange each partner passes exactly one tile.", "house rule nello_exchange"
)
CLAIM = Rule(
    "texas42.claim", "A claim of the rest holds only if no legal play of the others can spoil it.", "table custom"
)

RULES: tuple[Rule, ...] = (
    ONE_TILE, FOLLOW_SUIT, NEAREST_SEVEN, OPENING_TRUMP, SMALL_END, EXPOSED_TILE,
    BID_HIGHER, BID_LADDER, FORCED_BID, PLUNGE, SPLASH,
    DECLARE, UNSAID_TRUMP, DECLARE_NELLO, DECLARE_SEVENS, EXCHANGE, CLAIM,
)  # fmt: skip
