"""What a network would do at a decision: the share of its likelihood that each call or play has, and the likeliest.

Shares are of what the seat may do there: of plays where it is to play, unless a call beside the play is asked about. A
play of several cards is picked one by one, in any order, and its share is the sum over the orders; for one of many
cards only the network's favourite order is followed, with what it likes any of the cards then.
"""

from functools import cached_property
from itertools import permutations

from renege.core.cards import Cards
from renege.core.notation import parse_cards
from renege.core.position import View
from renege.core.trick import Play
from renege.games.encoding import Moment, moment_of
from renege.games.strategy import Option
from renege.nets.file import NetFile
from renege.nets.policy import greedy, shares

ALL_ORDERS = 4  # cards of a play, or parts of a call, that are tried in every order


class Likes:
    """What a network likes to do in one view, which must be that of the seat to move."""

    def __init__(self, net: NetFile, view: View) -> None:
        self._net = net
        self._moment = moment_of(net.encoding(view.game), view)
        self._known: dict[tuple[Cards, tuple[int, ...], bool], dict[int, float]] = {}

    @cached_property
    def best(self) -> Option:
        """What it likes best; a call beside the play is not among it."""
        return greedy(self._net, self._moment).option

    def of(self, option: Option) -> float | None:
        """The share that a call or play has; None where the network has no number for it."""
        moment, calls = self._moment, isinstance(option, str)
        if isinstance(option, Play):
            return None if option.suit is not None else self._of_cards(option.tried or option.cards)
        asked = moment.encoding.asked(moment.position) if moment.position.talking else None
        if asked is not None and option.startswith(f"{asked[0]} "):
            return self._of_cards(parse_cards(moment.position.game.deck, option.removeprefix(f"{asked[0]} ")))
        if (parts := moment.encoding.parts_of(moment.position, option)) is not None:
            return self._of_parts(moment, parts)
        try:
            return self._shares(moment, calls=calls).get(moment.encoding.number(moment.position, option), 0.0)
        except ValueError:
            return None

    def likeliest(self, most: int, *, at_least: float = 0.0) -> list[tuple[Option, float]]:
        """The likeliest calls or plays with their shares; only the best where more than one card is picked."""
        moment = self._moment
        open_now = self._shares(moment, calls=moment.position.talking)
        steps = sorted(((share, moment.step(action)) for action, share in open_now.items()), key=lambda step: -step[0])
        whole = [(option, share) for share, option in steps if not isinstance(option, Moment)]
        if len(whole) < len(steps):
            return [(self.best, self.of(self.best) or 0.0)]
        return [(option, share) for option, share in whole[:most] if share >= at_least]

    def _of_parts(self, moment: Moment, parts: tuple[tuple[int, ...], ...]) -> float:
        """How likely the parts of a call that is made step by step come, in any order."""
        orders = permutations(parts) if len(parts) <= ALL_ORDERS else [parts]
        return sum(self._of_steps(moment, [step for part in order for step in part]) for order in orders)

    def _of_steps(self, moment: Moment, steps: list[int]) -> float:
        share, after = 1.0, moment
        for action in steps:
            assert isinstance(after, Moment)
            share *= self._shares(after, calls=True).get(action, 0.0)
            if not share:
                return 0.0
            after = after.step(action)
        return share

    def _of_cards(self, cards: Cards) -> float:
        return self._rest(self._moment, cards)

    def _rest(self, moment: Moment, left: Cards) -> float:
        """How likely what is left of a play or call is picked, once the rest of it is."""
        likely = self._shares(moment, calls=False)
        if not left:
            return likely.get(moment.encoding.done, 0.0) if moment.encoding.done is not None else 0.0
        open_now = {card: likely[card] for card in set(left) if card in likely}
        if len(moment.chosen) + len(left) > ALL_ORDERS and open_now:
            favourite = max(open_now, key=lambda card: open_now[card])
            return sum(open_now.values()) * self._after(moment, favourite, left)
        return sum(share * self._after(moment, card, left) for card, share in open_now.items())

    def _after(self, moment: Moment, card: int, left: Cards) -> float:
        step, rest = moment.step(card), left - moment.encoding.game.deck.of(1 << card)
        return self._rest(step, rest) if isinstance(step, Moment) else float(not rest)

    def _shares(self, moment: Moment, *, calls: bool) -> dict[int, float]:
        """Each open action with its share of the likelihood; `calls` are among them or not."""
        key = moment.chosen, moment.begun, calls
        if key not in self._known:
            open_now, likely = shares(self._net, moment, calls=calls)
            self._known[key] = dict(zip(open_now, likely.tolist(), strict=True))
        return self._known[key]
