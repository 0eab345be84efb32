"""Are the bids of a network sane? Which contracts it plays and how often it makes them, beside the rulebook.

    python bench/contracts.py 42 --deals 10000
    python bench/contracts.py schafkopf --net FILE --csv contracts.csv

Both play the same deals at all four seats, dealer turning, as the arena lays them. The network plays in batches, the
rulebook by the arena's own table in worker processes.
"""

import argparse
import csv
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from renege.agents import Rulebook
from renege.arena.greedy import play_greedily
from renege.arena.match import play_deal, terms
from renege.core.game import SEATS, Game, Standing
from renege.core.position import Position
from renege.core.registry import find_game
from renege.jobs import run_pieces
from renege.nets import find_net, read_net

PIECE = 500  # deals that a process plays before it hands them over
NONE = "no contract"
# what of a contract's text its kind is: the bid in 42, the game in Schafkopf, the trumps in Tractor
KINDS = {
    "texas42": r"^(?:trump \S+|doubles|follow-me).* ((?:bid|plunge|splash) .+)$|^(\S+).* bid (.+)$",
    "schafkopf": r"^(\w+)(?: [EGHS])?( tout)?",
}

Outcome = tuple[str, bool | None, int]
"""A deal's contract, whether it was made (None where nobody could), and what its declarer won more than the others."""


def outcome(position: Position, *, kinds: bool) -> Outcome:
    contract, result = position.contract, position.result
    if contract is None or result is None:
        return NONE, None, 0
    text = position.game.write_contract(contract).partition(" by ")[0]
    seat = contract.declarer
    if kinds:
        text = kind_of(position.game.name, text)
    if seat is None:
        return text, None, 0
    return text, result.made, result.score[seat] - (0 if sum(result.score) == 0 else result.score[(seat + 1) % 4])


def kind_of(game: str, text: str) -> str:
    """The kind of a contract: `trump 5 bid 31` is `bid 31`, `nello bid 1 mark` `nello 1 mark`, `solo G` `solo`."""
    found = re.match(KINDS.get(game, "^(.+)$"), text)
    return text if found is None else " ".join(part.strip() for part in found.groups() if part)


def dealt(game: Game, seed: int, deal: int) -> tuple[int, Standing]:
    """A deal by its number: its own seed, and the dealer in turn."""
    return random.Random(f"contracts:{seed}:{deal}").getrandbits(40), Standing(deal % len(SEATS), terms(game).score)


def by_rulebook(name: str, seed: int, deals: int, kinds: bool, piece: int) -> list[Outcome]:
    game, found = find_game(name), list[Outcome]()
    for number in range(piece * PIECE, min(deals, (piece + 1) * PIECE)):
        cards, standing = dealt(game, seed, number)
        streams = [random.Random(0) for _ in SEATS]  # a rulebook leaves nothing to chance
        played = play_deal(game, [Rulebook()] * len(SEATS), cards, streams, standing)
        found.append(outcome(played.record.position, kinds=kinds))
    return found


def by_net(name: str, file: Path | None, seed: int, deals: int, kinds: bool, piece: int) -> list[Outcome]:
    game = find_game(name)
    net = find_net(game.name) if file is None else read_net(file.read_bytes())
    asked = [dealt(game, seed, number) for number in range(piece * PIECE, min(deals, (piece + 1) * PIECE))]
    return [outcome(moment.position, kinds=kinds) for moment in play_greedily(game, net, asked)]


def rows(found: dict[str, list[Outcome]]) -> Iterator[list[str]]:
    """A line for each contract, the commonest first: for each player its share, how often made, what it paid."""
    counts = {who: Counter(text for text, _, _ in outcomes) for who, outcomes in found.items()}
    order = sorted(set().union(*counts.values()), key=lambda text: (-max(c[text] for c in counts.values()), text))
    for text in [*order, "all contracts"]:
        cells = [text]
        for outcomes in found.values():
            mine = [one for one in outcomes if one[0] == text or (text == "all contracts" and one[1] is not None)]
            judged = [made for _, made, _ in mine if made is not None]
            cells += [f"{len(mine) / len(outcomes):.2%}", f"{sum(judged) / len(judged):.1%}" if judged else "-"]
            cells.append(f"{sum(paid for *_, paid in mine) / len(mine):+.2f}" if judged else "-")
        yield cells


def table(found: dict[str, list[Outcome]], unit: str) -> list[list[str]]:
    head = ["contract"]
    for who in found:
        head += [f"{who}: share of deals", "made", f"{unit} to the declarer"]
    return [head, *rows(found)]


def printed(lines: Iterable[list[str]]) -> None:
    head, *rest = lines
    print(f"| {' | '.join(head)} |")
    print("|---" + "|---:" * (len(head) - 1) + "|")
    for line in rest:
        print(f"| {' | '.join(line)} |")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("game")
    reader.add_argument("--deals", type=int, default=10_000)
    reader.add_argument("--net", type=Path, metavar="FILE", help="a network (default: the one in the package)")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--workers", type=int, default=None)
    reader.add_argument("--whole-names", action="store_true", help="tell contracts of one kind apart by suit and trump")
    reader.add_argument("--csv", type=Path, metavar="FILE", help="the table as a file too")
    asked = reader.parse_args()
    game, kinds = find_game(asked.game), not asked.whole_names
    works = {
        "net": partial(by_net, game.name, asked.net, asked.seed, asked.deals, kinds),
        "rulebook": partial(by_rulebook, game.name, asked.seed, asked.deals, kinds),
    }
    found: dict[str, list[Outcome]] = {}
    for who, work in works.items():
        pieces = run_pieces(work, range(-(-asked.deals // PIECE)), workers=asked.workers, noun="piece")
        found[who] = [one for _, some in pieces for one in some]
    print(f"{game.name}, {asked.deals} deals of seed {asked.seed}, each player at all four seats\n")
    lines = table(found, terms(game).unit)
    printed(lines)
    if asked.csv is not None:
        with asked.csv.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(lines)


if __name__ == "__main__":
    main()
