"""The rules of Schafkopf as a referee would list them, and the choices between house rules.

German words stand beside the English ones where players use them: Rufspiel (or Sauspiel), Wenz, Geier, Stoss.
"""

from dataclasses import dataclass
from typing import Any

from renege.core.house_rules import Choice, HouseRules, asking, asking_own
from renege.core.verdict import Rule

MONEY = 1_000_000
"""No price is higher, so that what any deal pays, doubled and raised as often as can be, is a whole number that a float
holds, and every reader of JSON. The kernel takes only tables whose prices it can add; Python steps the others.
"""


class PackSize(Choice):
    """How many cards are played with."""

    LONG = "long", "32 cards, eight a hand."
    SHORT = "short", "24 cards without sevens and eights, six a hand."


class Played(Choice):
    """Whether the table plays this contract."""

    YES = "yes", "It is played."
    NO = "no", "It is not played."


class Precedence(Choice):
    """Which solo goes before which."""

    RANKED = (
        "ranked",
        "Solo before Wenz, Farbwenz, Geier and Farbgeier; any Tout goes before them, and Touts rank as their solos do.",
    )
    EQUAL = "equal", "All solos are equal, and so are all Touts."
    RAISING = (
        "raising",
        "Solos are equal and are raised by points (Steigern): 61, then 71, 81 and so on, as many as the player then "
        "needs; Touts go before them and rank as their solos do.",
    )


class HerzSolo(Choice):
    """Whether a solo in Herz goes before the other solos."""

    LIKE_OTHERS = "like-others", "It is a solo like the others."
    FIRST = "first", "It goes before every other solo, and as Tout before every other Tout."


class AllPass(Choice):
    """What happens when nobody would play."""

    RAMSCH = "ramsch", "A Ramsch: everybody alone, and who takes most points loses."
    REDEAL = "redeal", "The cards are thrown in, and a new deal follows."
    STOCK = "stock", "Everybody pays into the stock, and a new deal follows."
    OLD_MUST = "old-must", "Who holds the Eichel-Ober (der Alte) must play, and if no ace can be called, a Renonce."


class HochzeitCards(Choice):
    """Who sees the two cards that a Hochzeit moves."""

    FACE_DOWN = "face-down", "Only the two who swap them."
    FACE_UP = "face-up", "Everybody: they are laid open on the table."


class HochzeitReturn(Choice):
    """What is given for the trump of a Hochzeit."""

    PLAIN = "plain", "A card that is no trump."
    ANY = "any", "Any card: a trump may be given back, the same one too."


class HochzeitCouples(Choice):
    """How many couples may swap in a Hochzeit."""

    ONE = "one", "One: the declarer and who takes the trump."
    TWO = (
        "two",
        "Two (Doppelhochzeit): who then has one trump alone may offer it to the fourth, and they swap too; they play "
        "against the first two.",
    )


class Doubling(Choice):
    """Whether the stakes may be doubled on the first half of a hand, before the bidding (Klopfen, Aufdoppeln)."""

    NONE = "none", "There is no doubling."
    ANYONE = "anyone", "Each seat may double once."
    CHAIN = "chain", "From forehand on, as long as every seat before has doubled."
    ONE = "one", "One seat only: once somebody has doubled, no other may."
    FOREHAND = "forehand", "Forehand alone may double."


class StossDeadline(Choice):
    """How long the stakes may be raised against a contract (Stoss, Kontra)."""

    FIRST_CARD = "first-card", "Until the first card is led; an answer has one card more."
    OWN_CARD = "own-card", "Until one's own first card; an answer has one card more."
    FIRST_TRICK = "first-trick", "As long as the first trick lies, answers too."


class StossRole(Choice):
    """Who needs 61 points after a Stoss."""

    STAYS = "stays", "The declarer's side, as before."
    TAKES_OVER = "takes-over", "The side that raised last."


class StossPrice(Choice):
    """What each Stoss does to the price."""

    DOUBLES = "doubles", "It doubles the price."
    ADDS = "adds", "It adds the price once more: two, three, four times."


class BettelOrder(Choice):
    """How cards rank in a Bettel."""

    ACE_KING = "ace-king", "Without trumps; every suit ranks A K O U Z 9 8 7."
    ACE_TEN = "ace-ten", "Without trumps; every suit ranks A Z K O U 9 8 7."
    HERZ = "herz", "Ober, Unter and Herz are trumps, as in a Rufspiel."
    UNTER = "unter", "The Unter are trumps, as in a Wenz (Wenz-Bettel)."


class HeadTrick(Choice):
    """Where who can beat the trick must do so (Stichzwang)."""

    NOWHERE = "nowhere", "Nowhere: nobody must beat or trump."
    BETTEL = "bettel", "In a Bettel."
    RAMSCH = "ramsch", "In a Ramsch."
    BOTH = "both", "In a Bettel and in a Ramsch."


class RamschLosers(Choice):
    """Who pays for a Ramsch."""

    MOST_POINTS = "most-points", "Who has most points pays each of the others."
    TWO_MOST = (
        "two-most",
        "The two who have most points pay, each of them one of the other two; who cannot be told from the second pays "
        "too, and if that is everybody, who has most pays alone.",
    )


class RamschTie(Choice):
    """Who loses a Ramsch among those who have equally many points."""

    HIGHEST_TRUMP = "highest-trump", "Who was dealt the highest trump."
    MOST_TRICKS = "most-tricks", "Who took most tricks."
    MOST_TRUMPS = "most-trumps", "Who has most trumps in the tricks taken."
    HIGHEST_TAKEN = "highest-taken", "Who has the highest trump, mostly an Ober, in the tricks taken."
    ALL = "all", "They lose together, and each pays each of the others."
    ALL_ONE = "all-one", "They lose together; if they are two, each pays one of the others."


class Virgins(Choice):
    """What a seat without a trick (Jungfrau) does to the price of a Ramsch."""

    PRICE = "price", "Each of them doubles the price."
    OWN = "own", "Each of them gets twice the price."
    OWN_EACH = "own-each", "Each of them gets the price doubled once for every one of them."
    NOTHING = "nothing", "Nothing."


class March(Choice):
    """Whether one who takes nearly everything wins a Ramsch (Durchmarsch)."""

    ALL_TRICKS = "all-tricks", "Yes, with every trick."
    FROM_120 = "from-120", "Yes, with all 120 points."
    FROM_91 = "from-91", "Yes, with 91 points or more."
    FROM_90 = "from-90", "Yes, with 90 points or more."
    NONE = "none", "No."


class RenegePenalty(Choice):
    """What a renege that is found in a record costs."""

    LOSE_GAME = "lose-game", "The side of the offender loses at the price without Schneider."
    NONE = "none", "The deal stands as it was played."


def _played(game: str, meaning: str) -> Any:
    """A house rule: whether the table plays a kind of game."""
    answers = {"yes": f"{game} is played: {meaning}", "no": f"{game} is not played."}
    return asking(f"Whether the table plays {game}.", Played.YES, answers=answers)


def _runners(game: str, otherwise: str = "runners_from") -> Any:
    """A house rule: the fewest runners that count in a kind of game."""
    return asking_own(f"The same in {game}, where it has a number of its own.", otherwise, least=1)


@dataclass(frozen=True, slots=True)
class Rules(HouseRules):
    """The house rules of a table; the default allows every contract. The numbers are its tariff."""

    deck: PackSize = PackSize.LONG
    precedence: Precedence = Precedence.RANKED
    herz_solo: HerzSolo = HerzSolo.LIKE_OTHERS
    geier: Played = _played("Geier", "the Ober alone are trumps.")
    farbwenz: Played = _played("Farbwenz", "the Unter and one suit are trumps.")
    farbgeier: Played = _played("Farbgeier", "the Ober and one suit are trumps.")
    bettel: Played = _played("Bettel", "the declarer takes no trick.")
    hochzeit: Played = _played("Hochzeit", "who has a single trump may offer it for a partner.")
    hochzeit_cards: HochzeitCards = HochzeitCards.FACE_DOWN
    hochzeit_return: HochzeitReturn = HochzeitReturn.PLAIN
    hochzeit_couples: HochzeitCouples = HochzeitCouples.ONE
    tout: Played = _played("Tout", "a solo that promises every trick, for twice the price.")
    sie: Played = _played("Sie", "all Ober and Unter in one hand, for four times the price.")
    bettel_order: BettelOrder = BettelOrder.ACE_KING
    head_trick: HeadTrick = HeadTrick.NOWHERE
    run_from: int = asking(
        "The fewest cards of the called suit, its ace among them, with which it is led from under the ace.",
        4,
        least=2,
        most=7,
    )
    all_pass: AllPass = AllPass.RAMSCH
    doubling: Doubling = Doubling.NONE
    stoss_limit: int = asking(
        "How often the stakes may be raised against a contract: up to 20 times, 0 for never.", 4, most=20
    )
    stoss_deadline: StossDeadline = StossDeadline.OWN_CARD
    stoss_role: StossRole = StossRole.STAYS
    stoss_price: StossPrice = StossPrice.DOUBLES
    base: int = asking("The price of a Rufspiel or a Hochzeit.", 20, most=MONEY)
    solo: int = asking("The price of a solo.", 50, most=MONEY)
    extra: int = asking("What Schneider, Schwarz and each runner (Laufende) add.", 10, most=MONEY)
    schneider: int | str = asking_own("What Schneider adds, where it has a price of its own.", "extra", most=MONEY)
    schwarz: int | str = asking_own("What Schwarz adds, where it has a price of its own.", "extra", most=MONEY)
    runner: int | str = asking_own("What a runner adds, where it has a price of its own.", "extra", most=MONEY)
    runners_from: int = asking("The fewest runners that count.", 3, least=1)
    runners_from_wenz: int = asking("The same in Wenz and Geier, which have four trumps.", 3, least=1)
    runners_from_geier: int | str = _runners("Geier", "runners_from_wenz")
    runners_from_farbwenz: int | str = _runners("Farbwenz")
    runners_from_farbgeier: int | str = _runners("Farbgeier")
    runners_from_solo: int | str = _runners("a Solo")
    runners_from_sie: int | str = _runners("a Sie")
    runners_from_hochzeit: int | str = _runners("a Hochzeit")
    ramsch: int = asking("The price of a Ramsch.", 10, most=MONEY)
    stock: int = asking("What each seat pays into the stock.", 10, most=MONEY)
    ramsch_losers: RamschLosers = RamschLosers.MOST_POINTS
    ramsch_tie: RamschTie = RamschTie.HIGHEST_TRUMP
    virgins: Virgins = Virgins.PRICE
    march: March = March.ALL_TRICKS
    renege_penalty: RenegePenalty = RenegePenalty.LOSE_GAME

    @property
    def left_out(self) -> int:
        """The cards that are not dealt, a mask: none, unless the game is a shrunk one."""
        return 0


PRESETS: dict[str, Rules] = {
    "default": Rules(),
    # Rufspiel, Wenz and Solo alone, thrown in when all pass, as at most tournaments
    "plain": Rules(
        precedence=Precedence.EQUAL,
        geier=Played.NO,
        farbwenz=Played.NO,
        farbgeier=Played.NO,
        bettel=Played.NO,
        hochzeit=Played.NO,
        all_pass=AllPass.REDEAL,
        stoss_limit=2,
    ),
    "short": Rules(deck=PackSize.SHORT),
    # as the program NetSchafkopf counts
    "netschafkopf": Rules(base=2, solo=5, extra=1, ramsch=1, march=March.NONE),
}

ONE_CARD = Rule("schafkopf.one-card", "A play is one card.", "common rules")
FOLLOW_SUIT = Rule(
    "schafkopf.follow-suit", "Who holds a card of the led suit plays one; trumps are a suit.", "common rules"
)
ANSWER_SEARCH = Rule(
    "schafkopf.answer-search",
    "When another leads the called suit, its ace is played, whatever else of the suit is in the hand.",
    "common rules",
)
ACE_STAYS = Rule(
    "schafkopf.ace-stays",
    "The called ace is not thrown on another suit before it was searched or its holder ran, except as the last card.",
    "common rules",
)
NO_RUNNING = Rule(
    "schafkopf.no-running",
    "The called suit is led from under its ace (Davonlaufen) only with enough of it in hand, usually four.",
    "common rules",
    excusable=True,
)
HEAD_TRICK = Rule(
    "schafkopf.head-trick",
    "Who can beat the best card of the trick with one that follows, or that is free where nothing follows, plays such.",
    "house rule head_trick",
)
BID = Rule(
    "schafkopf.bid",
    "A bid names a kind of game that goes before the last one; an earlier seat may match it.",
    "common rules",
)
DECLARE = Rule(
    "schafkopf.declare",
    "Who has the bidding names a game of the kind that was bid, or one that goes before it.",
    "common rules",
)
CALL_ACE = Rule(
    "schafkopf.call-ace",
    "In a Rufspiel the ace of Eichel, Gras or Schellen is called by who lacks it and holds a plain card of its suit.",
    "common rules",
)
SIE = Rule("schafkopf.sie", "A Sie is all Ober and Unter; with six cards the six highest of them.", "common rules")
HOCHZEIT = Rule(
    "schafkopf.hochzeit",
    "Who holds one trump alone may offer it: who takes it gives a card for it, a plain one or, at some tables, any.",
    "house rules hochzeit, hochzeit_return and hochzeit_couples",
)
OLD_MUST = Rule(
    "schafkopf.old-must",
    "Where all pass, who holds the Eichel-Ober says so and plays, no Bettel; if no ace can be called, a Renonce calls "
    "the ace of a suit that the hand lacks, or with all aces a ten.",
    "house rule all_pass",
)
STOSS = Rule(
    "schafkopf.stoss",
    "The other side raises the stakes against a contract, and the sides then take turns.",
    "house rules stoss_limit and stoss_deadline",
)

RULES: tuple[Rule, ...] = (
    ONE_CARD, FOLLOW_SUIT, HEAD_TRICK,
    ANSWER_SEARCH, ACE_STAYS, NO_RUNNING, BID, DECLARE, CALL_ACE, SIE, HOCHZEIT, OLD_MUST, STOSS,
)  # fmt: skip
