"""Finished deals, from a table or from a pasted text, examined in a worker."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from renege.core.message import say
from renege.core.record import Record
from renege.server.messages import BeliefShown, Language, Pasted, Recognised, Replay
from renege.server.present import teach
from renege.server.present.replay import ReplayedDeal, deals_of, pick, recognise, replay, review

Source: TypeAlias = "str | ReplayedDeal"  # a pasted text, or a finished deal of a table
REVIEW_MS = 100.0  # to search each decision


class NoDeal(LookupError):
    """There is no such deal, or no such step of it."""


@lru_cache(maxsize=4)
def _read(text: str) -> tuple[Record, ...]:
    return deals_of(text)


def _record(source: Source, deal: int) -> Record:
    if isinstance(source, ReplayedDeal):
        return source.record
    deals = _read(source)
    if not 1 <= deal <= len(deals):
        raise NoDeal(say("there is no deal {n}: they run from 1 to {n2}", deal, len(deals)))
    return deals[deal - 1]


def replay_of(source: Source, deal: int, language: Language, names: Sequence[str]) -> Replay:
    """A deal, step by step."""
    _record(source, deal)
    return replay(source if isinstance(source, ReplayedDeal) else pick(_read(source), deal), names, language)


def record_of(source: Source, deal: int) -> str:
    """A deal as text."""
    return str(_record(source, deal))


def belief_of(source: Source, deal: int, seat: int, step: int, language: Language, names: Sequence[str]) -> BeliefShown:
    """What a seat could believe after so many acts."""
    record = _record(source, deal)
    if step > len(record.acts):
        raise NoDeal(f"the deal has {len(record.acts)} calls and plays, not {step}")
    return teach.belief(replace(record, acts=record.acts[:step]).view(seat), language, names)


def review_of(source: Source, deal: int, language: Language, names: Sequence[str]) -> Iterator[str]:
    """What each act of a deal cost, a line of JSON each."""
    for judged in review(_record(source, deal), language, names, REVIEW_MS):
        yield judged.model_dump_json()


def recognised(pasted: Pasted) -> Recognised:
    """What a pasted text is, and its answers where it asks."""
    found = recognise(pasted.text)
    return Recognised(kind=found.kind, deals=len(found.deals), answers=list(found.answers))
