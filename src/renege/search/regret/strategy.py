"""Strategies trained on a small game: saved, resumed, and queried for their action probabilities in a view."""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from renege.core.cards import Cards, known_cards
from renege.core.game import KITTY, Game
from renege.core.house_rules import write_rules
from renege.core.position import View
from renege.core.view import heard_by_all
from renege.games.small import BITS, pile_code
from renege.native.arrays import F64
from renege.search.regret.archive import NoFit, open_arrays, save_arrays
from renege.search.regret.cfr import Curve, Point, Tables, averaged
from renege.search.regret.trees import InformationSets, Tree

FORMAT = "renege shrunk strategy 1"
_ARRAYS = ("seats", "first_slots", "slot_acts", "parents", "histories", "private", "history_parents", "history_acts")


@dataclass(frozen=True)
class StrategySource:
    """The game and the algorithm of a training: a file is resumed only if all of this is the same."""

    game: str
    version: int
    rules: dict[str, str]
    method: str
    batch: int = 0
    seed: int = 0

    @classmethod
    def of(cls, game: Game, method: str, batch: int = 0, seed: int = 0) -> "StrategySource":
        return cls(game.name, game.version, write_rules(game.rules), method, batch, seed)

    def __str__(self) -> str:
        rules = " ".join(f"{name}={choice}" for name, choice in self.rules.items()) or "default"
        sampled = f", batches of {self.batch}, seed {self.seed}" if self.method == "mccfr" else ""
        return f"{self.game} version {self.version}, rules {rules}, by {self.method}{sampled}"


@dataclass
class TrainedStrategy:
    """A strategy with its tables, its source, and its exploitability by iteration."""

    made: StrategySource
    info: InformationSets
    tables: Tables
    curve: Curve
    deals: int
    nodes: int
    payoff_range: float
    beside: dict[str, float]  # the exploitability of strategies that need no learning, to compare with

    def save(self, path: Path) -> None:
        """Write it atomically."""
        header = {
            "format": FORMAT,
            **asdict(self.made),
            "iterations": self.tables.iterations,
            "deals": self.deals,
            "nodes": self.nodes,
            "payoff_range": self.payoff_range,
            "beside": self.beside,
            "curve": [asdict(point) for point in self.curve.points],
            "acts": self.info.acts,
        }
        arrays: dict[str, Any] = {name: getattr(self.info, name) for name in _ARRAYS}
        arrays |= {"regrets": self.tables.regrets, "average": self.tables.average}
        save_arrays(path, {"header": np.frombuffer(msgspec.json.encode(header), np.uint8), **arrays})

    @classmethod
    def load(cls, path: Path) -> "TrainedStrategy":
        """Read it; `NoFit` where it is no strategy, or one of another version of this program."""
        with open_arrays(path) as file:
            header = msgspec.json.decode(file["header"].tobytes())
            if header.get("format") != FORMAT:
                raise NoFit(f"{path} is a {header.get('format')!r}, not a {FORMAT!r}")
            info = InformationSets(**{name: file[name] for name in _ARRAYS}, acts=tuple(header["acts"]))
            tables = Tables(file["regrets"], file["average"], header["iterations"])
        points = msgspec.convert(header["curve"], list[Point])
        made = StrategySource(*(header[name] for name in ("game", "version", "rules", "method", "batch", "seed")))
        size = header["deals"], header["nodes"], header["payoff_range"]
        return cls(made, info, tables, Curve(points), *size, header["beside"])

    @classmethod
    def blank(cls, made: StrategySource, tree: Tree, beside: dict[str, float]) -> "TrainedStrategy":
        """The strategy before the first iteration."""
        size = tree.deals, tree.nodes, tree.payoff_range
        return cls(made, tree.info, Tables.blank(tree), Curve(), *size, beside)

    def goes_on(self, made: StrategySource, tree: Tree) -> None:
        """Raise `NoFit` unless it can be resumed with this source."""
        if self.made != made:
            raise NoFit(f"the strategy is of {self.made}; asked for was {made}")
        same = all(np.array_equal(getattr(self.info, name), getattr(tree.info, name)) for name in _ARRAYS)
        if not same or self.info.acts != tree.info.acts:
            raise NoFit("the strategy has other information sets than the game has now")

    # -- at the table

    def fits(self, game: Game) -> None:
        """Raise `NoFit` for a game that it was not trained on."""
        here = StrategySource.of(game, self.made.method, self.made.batch, self.made.seed)
        if here != self.made:
            raise NoFit(f"the strategy is of {self.made}; the table plays {here}")

    @cached_property
    def strategy(self) -> F64:
        """[S]: the average."""
        return averaged(self.info, self.tables)

    def chances(self, view: View) -> dict[str, float]:
        """The probability of each call or play in a view where there is a choice."""
        self.fits(view.game)
        history = 0
        for act, position in view.steps():
            if isinstance(act.what, str):
                heard = heard_by_all(position, act.seat, act.what)
            else:
                heard = position.spell(act.what)
            found = self._histories.get((history, self._acts.get(heard, -1)))
            if found is None:
                raise NoFit(f"nobody who plays by the rules does {heard!r} here: {position}")
            history = found
        chosen = self._sets.get((history, private_code(view)))
        if chosen is None:
            raise NoFit(f"the strategy knows no such hand here: {view.hand}")
        slots = range(self.info.first_slots[chosen], self.info.first_slots[chosen + 1])
        return {self.info.acts[self.info.slot_acts[slot]]: float(self.strategy[slot]) for slot in slots}

    @cached_property
    def _acts(self) -> dict[str, int]:
        return {act: number for number, act in enumerate(self.info.acts)}

    @cached_property
    def _histories(self) -> dict[tuple[int, int], int]:
        pairs = zip(self.info.history_parents.tolist(), self.info.history_acts.tolist(), strict=True)
        return {pair: number for number, pair in enumerate(pairs)}

    @cached_property
    def _sets(self) -> dict[tuple[int, int], int]:
        pairs = zip(self.info.histories.tolist(), self.info.private.tolist(), strict=True)
        return {pair: number for number, pair in enumerate(pairs)}


def private_code(view: View) -> int:
    """What a seat alone knows: the hand it was dealt, the kitty if it took that up, the cards it laid there."""
    game = view.game
    code = pile_code(game, known_cards(view.start.hands[view.seat]))
    if isinstance(view.start.kitty, Cards) and view.start.kitty:
        code |= pile_code(game, view.start.kitty) << BITS
    for act, position in view.steps():
        if act.seat == view.seat and isinstance(act.what, str):
            for move in position.floor(act.seat).moves(act.what):
                if move.taker == KITTY and isinstance(move.cards, Cards):
                    code |= pile_code(game, move.cards) << 2 * BITS
    return code
