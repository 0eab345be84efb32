"""A deal of 42 as a question to `renege ask`: what does it score?"""

from typing import Any

from renege.core.record import Record
from renege.games.texas42.contract import Hand42


def score_question(record: Record, **rules: str) -> dict[str, Any]:
    """The whole deal, with the house rules that differ from the usual; what is said beside the play stands in it."""
    contract, said = record.position.contract, str(record.acts[4].what)
    assert isinstance(contract, Hand42)
    doubles = {"doubles": said.split(" doubles ")[1]} if " doubles " in said else {}
    return {
        "ask": "score",
        "game": "texas42",
        "hands": [str(hand) for hand in record.start.hands],
        "dealer": record.start.standing.dealer,
        "bids": [str(act.what) for act in record.acts[:4]],
        "declaration": "unsaid" if said.startswith("lead ") else contract.declaration,
        "plays": [
            f"{act.seat} says {act.what}" if isinstance(act.what, str) else str(act.what) for act in record.acts[5:]
        ],
        "rules": rules | doubles,
    }
