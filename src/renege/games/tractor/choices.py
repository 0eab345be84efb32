"""The choices of Tractor's house rules about the talk before the first lead, and about points and levels."""

from renege.core.house_rules import Choice


class NoCall(Choice):
    """What happens when nobody names trumps."""

    NO_TRUMP = "no-trump", "The deal is played without a trump suit."
    TURN_KITTY = (
        "turn-kitty",
        "The kitty is turned up: its first card of the level names trumps, else its highest card.",
    )
    REDEAL = "redeal", "There is a new deal."
    FIRST_CARD = "first-card", "The first card of the kitty names trumps, whatever it is; a joker no trump suit."
    LEVEL_OR_JOKER = (
        "level-or-joker",
        "The kitty is turned up: its first card of the level or joker names trumps, else its highest card.",
    )


class Overruling(Choice):
    """What overrules cards that were shown, where as many are shown."""

    JOKERS = "jokers", "Little jokers overrule cards of the level, and big ones those."
    LENGTH_ALONE = "length-alone", "Nothing: only more cards overrule."
    JOKERS_OR_SUIT = (
        "jokers-or-suit",
        "Jokers, and from two cards on a higher suit: spades, hearts, clubs, diamonds.",
    )


class JokersShown(Choice):
    """How many like jokers name no trump suit."""

    TWO_OR_MORE = "two-or-more", "Two or more."
    ANY = "any", "One is enough."
    ALL = "all", "As many as there are packs."
    BIG_ONE_FEWER = "big-one-fewer", "Little ones, as many as there are packs; big ones, one fewer."
    NONE = "none", "None do: jokers are not shown."


class OwnShowing(Choice):
    """What a seat may show that has shown before."""

    STRENGTHEN = "strengthen", "While it is ahead, more of the same cards."
    OVERTURN = "overturn", "While it is ahead, anything that overrules what it has shown."
    EQUAL = (
        "equal",
        "While it is ahead, more of the same; once overruled, also as many of them as are ahead, unless jokers are.",
    )


class TakeBack(Choice):
    """Whether a showing may be taken back."""

    NO = "no", "It stands."
    YES = "yes", "While nothing overrules it; what was shown before is ahead again."


class KittyLaid(Choice):
    """Whether cards are laid aside for the banker."""

    YES = "yes", "A kitty, which the banker takes up to bury as many cards."
    NO = "no", "None: all cards are dealt, and the banker leads at once."


class PackJokers(Choice):
    """Whether the packs have their jokers."""

    BOTH = "both", "A little one and a big one each."
    NONE = "none", "None: the cards of the level are the highest trumps."


class KittyTheft(Choice):
    """Whether the kitty may be taken from the seat that has buried it."""

    OFF = "off", "What is buried stays."
    ON = "on", "Who overrules the showing that is ahead takes the kitty up, names trumps and buries anew."


class FirstBanker(Choice):
    """Who has the bank in the first deal of a game."""

    LAST_TO_SHOW = "last-to-show", "The seat that named trumps."
    FIRST_TO_SHOW = "first-to-show", "The seat that showed first, whoever names trumps."


class NewDeal(Choice):
    """Whether an attacker may ask for a new deal, after trumps are named and before the banker takes up the kitty."""

    NOBODY = "nobody", "Nobody may."
    FEW_POINTS = "few-points", "An attacker with few points in hand may."
    FEW_TRUMPS = "few-trumps", "An attacker with few trumps in hand may."
    EITHER = "either", "An attacker with few points or with few trumps in hand may."


class NothingTaken(Choice):
    """What the banker's team gains where the attackers have no points at all."""

    LEVEL_MORE = "level-more", "A level more than for a few points."
    AS_FEW = "as-few", "The same as for a few points."


class SmallTeam(Choice):
    """What a banker gains who wins with fewer friends than were named."""

    LEVEL_MORE = "level-more", "A level more."
    NOTHING_MORE = "nothing-more", "Nothing more."


class MustDefend(Choice):
    """The levels that a side cannot pass without holding the bank there."""

    NONE = "none", "None."
    ACE = "ace", "The ace, or the last level where the game ends at another; where it ends without trumps, both."
    POINT_LEVELS = "point-levels", "5, 10 and king, and the ace or the last levels."
    FROM_TWO = "from-two", "2, 5, 10 and king."


class JackBack(Choice):
    """What a jack costs that takes the last trick for the attackers at level J."""

    OFF = "off", "Nothing more."
    SINGLE_JACK = "single-jack", "A jack played alone throws the banker's team back to 2, before levels are counted."
    ANY_JACK = "any-jack", "So does any play with a jack in it."
