"""What the talk of Schafkopf fixes: the contract, and how a position writes it."""

import re
from dataclasses import dataclass

from renege.core.game import Contract
from renege.core.message import say
from renege.core.notation import NotationError
from renege.games.schafkopf.order import SOLOS, Declaration, parse_declaration
from renege.games.schafkopf.rules import Rules

RAISES = (71, 81, 91, 101, 111)  # the points above 61 that a solo may be raised to


@dataclass(frozen=True, slots=True)
class Bargain(Contract):
    """The contract: the game as named, who plays it (nobody in a Ramsch), and what it is played for."""

    declarer: int | None
    partner: int | None = None  # in a Hochzeit; the called ace's holder is known by the play alone
    doubled: int = 0  # before the bidding
    raised: tuple[int, ...] = ()  # the seats that gave a Stoss, in order
    need: int = 0  # the points that were promised, where they are more than 61

    @property
    def named(self) -> Declaration:
        return parse_declaration(self.declaration)

    @property
    def answered(self) -> int | None:
        """The seat that has shown itself as the partner by raising the stakes for the declarer."""
        return next((seat for seat in self.raised[1::2] if seat != self.declarer), None)


def read_contract(rules: Rules, text: str) -> Bargain:
    """`rufspiel E by 1`, `hochzeit by 1 with 3`, `ramsch`, each with `from 2 doubled 1 stoss 0 1` where that is so.

    `wenz by 1 for 71`: so many points were promised.
    """
    found = re.fullmatch(
        r"([a-z]+(?: [eghs]z?)?(?: tout| renonce)?)(?: by ([0-3]))?(?: with ([0-3]))?(?: for ([0-9]{2,3}))?"
        r"(?: from ([0-3]))?(?: doubled ([0-9]))?(?: stoss ([0-3](?: [0-3]){0,19}))?",
        " ".join(text.split()),
        re.IGNORECASE,
    )
    if found is None:
        why = say("{quoted} is no contract; write it like 'rufspiel E by 1' or 'solo G tout by 0 from 2'", repr(text))
        raise NotationError(why)
    named = parse_declaration(found[1])
    declarer = None if named.kind == "ramsch" else int(found[2] or 0)
    partner = None if found[3] is None else int(found[3])
    if named.kind == "ramsch" and found[2]:
        raise NotationError(say("a Ramsch has no declarer: {quoted}", repr(text)))
    if (named.kind == "hochzeit") != (partner is not None) or (partner is not None and partner == declarer):
        why = say("a Hochzeit, and nothing else, is played 'by' one 'with' another: {quoted}", repr(text))
        raise NotationError(why)
    need = int(found[4] or 0)
    if need and (need not in RAISES or named.kind not in SOLOS or named.tout):
        raise NotationError(say("a solo that is no Tout is played 'for' 71, 81, 91, 101 or 111: {quoted}", repr(text)))
    raised = tuple(map(int, (found[7] or "").split()))
    if raised and (declarer is None or declarer in raised[::2] or set(raised[::2]) & set(raised[1::2])):
        why = say("the sides take turns to raise the stakes, the declarer's second: {quoted}", repr(text))
        raise NotationError(why)
    return Bargain(str(named), declarer, int(found[5] or 0), partner, int(found[6] or 0), raised, need)


def write_contract(contract: Bargain) -> str:
    words = [contract.declaration]
    words += [] if contract.declarer is None else [f"by {contract.declarer}"]
    words += [] if contract.partner is None else [f"with {contract.partner}"]
    words += [f"for {contract.need}"] if contract.need else []
    words += [f"from {contract.leader}"] if contract.leader else []
    words += [f"doubled {contract.doubled}"] if contract.doubled else []
    words += [f"stoss {' '.join(map(str, contract.raised))}"] if contract.raised else []
    return " ".join(words)
