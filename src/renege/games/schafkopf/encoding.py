"""The encoding of Schafkopf: its calls, the Stoss beside the play, and the two cards that a Hochzeit moves face down.

The calls, and with them the layout of a row, are the same under all house rules but two: the short pack numbers its
cards anew, which makes a row narrower, and `precedence=raising` adds its bids after all other calls.

    got           [cards]   what was given to the seat face down, in a Hochzeit       (the whole game)
    partners      [4]       1 for each seat that may be the declarer's partner, for all that everybody has seen
    led_called    [4]       1 for each seat that has led the called suit with another card than its ace
    trumps_taken  [4]       in a Ramsch, the trumps in the tricks that each seat took (the whole game); where ties are
                            broken by the highest of them, how high that is: 1 for the lowest trump, 0 for none
"""

from collections.abc import Callable

from renege.core.game import SEATS, Game
from renege.core.notation import parse_cards
from renege.core.position import Position
from renege.games.encoding import Encoding, KernelEnv, Moment
from renege.games.schafkopf.calls import BID_NAMES, RENONCE_NAMES, SMALL_CALLS, calls_of
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding, bids_of
from renege.games.schafkopf.env import kernel, small_kernel
from renege.games.schafkopf.rules import HochzeitCards, HochzeitCouples, Played, Rules
from renege.games.schafkopf.score import most_times
from renege.games.schafkopf.team import public_partners
from renege.native.arrays import U8

GIVE = "give"  # the call that names a card
GIVING = 1 + 3 + 1  # a card is offered, three answer, and one is given back
MOST_TRUMPS = 14


class EncodingSchafkopf(Encoding):
    """Calls are numbered whatever the table plays; a card that is offered or given for it is an action of its own."""

    def __init__(self, game: Game) -> None:
        if game.rules.hochzeit_cards is HochzeitCards.FACE_UP:
            raise ValueError("environments have no place for cards that are shown: hochzeit_cards=face-up")
        if game.rules.hochzeit_couples is HochzeitCouples.TWO:
            raise ValueError("environments have no call that offers a second trump: hochzeit_couples=two")
        adds = [("got", len(game.deck.names)), ("partners", 4), ("led_called", 4), ("trumps_taken", 4)]
        super().__init__(game, calls_of(game.rules), gives=True, adds=adds)

    def name_of(self, position: Position, call: str) -> str:
        bids = isinstance(position.talk, Bidding) and position.talk.step == "bid"
        return BID_NAMES.get(call, call) if bids else RENONCE_NAMES.get(call, call)

    def call_of(self, position: Position, name: str) -> str:
        if not isinstance(position.talk, Bidding):
            return name
        return next((call for call in position.legal_calls if self.name_of(position, call) == name), name)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert isinstance(position.talk, Bidding)
        return (GIVE, 1) if position.talk.step in ("offer", "give") else None

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        _add_called(self, moment, seat, row)
        taken = self.sections["trumps_taken"].start
        if isinstance(moment.position.contract, Bargain):
            self._add_renonce(moment.position.contract, seat, row)
            for other, count in enumerate(moment.position.memory.taken):
                row[taken + _from(seat, other)] = count
        for card in () if seat is None else self._given_to(moment, seat):
            row[self.sections["got"].start + card] = 1

    def _add_renonce(self, contract: Bargain, seat: int | None, row: U8) -> None:
        """A Renonce counts twice as what its declarer said, and thrice where it calls a ten."""
        if not contract.named.renonce or contract.declarer is None:
            return
        number = self.calls.index(RENONCE_NAMES[contract.declaration])
        said = self.sections["said"].start + _from(seat, contract.declarer) * len(self.calls)
        row[said + number] += 1 + contract.named.ten

    def kernel(self) -> Callable[[int], KernelEnv] | None:
        return kernel(self.game)

    def longest(self) -> int:
        """Every seat doubles, goes through all bids and passes; a game is named and two cards are given; the play."""
        rules: Rules = self.game.rules
        talk = len(SEATS) + len(SEATS) * (len(bids_of(rules)) + 1) + 1 + GIVING
        return talk + rules.stoss_limit + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        return _worth(self.game.rules)

    def _given_to(self, moment: Moment, seat: int) -> list[int]:
        """What was given to a seat in a Hochzeit: the trump to who accepted it, and a plain card back."""
        accepted = next((act.seat for act in moment.acts if act.what == "accept"), None)
        given = [act for act in moment.acts if isinstance(act.what, str) and act.what.startswith(f"{GIVE} ")]
        takers = [accepted, *(act.seat for act in given)]
        return [
            card
            for act, taker in zip(given, takers, strict=False)
            if taker == seat
            for card in parse_cards(self.game.deck, str(act.what).removeprefix(f"{GIVE} "))
        ]


class SmallEncoding(Encoding):
    """The shrunk game: forehand names a game or passes, and nothing is given."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, SMALL_CALLS, adds=[("partners", 4), ("led_called", 4)])

    def longest(self) -> int:
        return 1 + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        return _worth(self.game.rules)

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        _add_called(self, moment, seat, row)

    def kernel(self) -> Callable[[int], KernelEnv] | None:
        rules = self.game.rules
        return small_kernel(self.game, rules.declarations, may_pass=rules.passing is Played.YES)


def _worth(rules: Rules) -> tuple[int, int]:
    """What who plays alone wins or loses at the highest price there is: from each of three others, all doubled."""
    extras = rules.number("runner") * MOST_TRUMPS
    prices = [max(rules.base, rules.solo) + extras + rules.number("schneider") + rules.number("schwarz")]
    prices += [2 * (rules.solo + extras)] * (rules.tout is Played.YES)
    prices += [4 * (rules.solo + extras)] * (rules.sie is Played.YES)
    prices.append(rules.ramsch * 2 ** (len(SEATS) - 1))  # three virgins
    most = (len(SEATS) - 1) * max(prices) * most_times(rules)
    return -most, most


def _add_called(encoding: Encoding, moment: Moment, seat: int | None, row: U8) -> None:
    """Who may be the partner, and who has led the called suit: that is seen by all, and not in who played what."""
    contract, memory = moment.position.contract, moment.position.memory
    if not isinstance(contract, Bargain):
        return
    for other in public_partners(contract, memory):
        row[encoding.sections["partners"].start + _from(seat, other)] = 1
    for other in SEATS:
        row[encoding.sections["led_called"].start + _from(seat, other)] = memory.leaders >> other & 1


def _from(seat: int | None, other: int) -> int:
    """A seat counted from the one that looks."""
    return (other - (seat or 0)) % len(SEATS)
