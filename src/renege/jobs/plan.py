"""The plan of a job: all that is needed to do any piece of it again. It is kept with the results, as JSON.

Everything about a piece follows from the plan and its number, so that pieces may be done in any order, by anybody, and
a job that was interrupted is resumed where it stopped.
"""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Self, cast


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Its format and the version of renege that made it; each kind of job adds what it is of."""

    A: ClassVar[str]  # the kind of job with its article: `a survey`
    OTHER: ClassVar[str]
    FREE: ClassVar[tuple[str, ...]] = ()  # fields that may differ when a job is resumed

    format: str
    renege: str

    def write(self, indent: int | None = 1) -> bytes:
        """As JSON; on one line without an indent."""
        separators = None if indent else (",", ":")
        return (json.dumps(asdict(self), indent=indent, separators=separators, ensure_ascii=False) + "\n").encode()

    @classmethod
    def read(cls, text: bytes) -> Self:
        """A plan as `write` writes it; `ValueError` if it is something else."""
        try:
            found: Any = json.loads(text)
            usual = {field.name: field.default for field in fields(cls)}
            if found["format"] != usual["format"] or set(found) != set(usual):
                raise ValueError
            lists = {name: tuple(cast("list[Any]", value)) for name, value in found.items() if isinstance(value, list)}
            return cls(**found | lists)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"it holds something else than {cls.A} of this version") from None

    def check_resumes(self, theirs: Self) -> None:
        """Refuse to resume another job."""
        for field in fields(self):
            here, there = getattr(self, field.name), getattr(theirs, field.name)
            if field.name not in self.FREE and here != there:
                raise ValueError(f"it holds {self.OTHER}: {self.difference(field.name, there, here)}")

    def difference(self, name: str, there: Any, here: Any) -> str:
        return f"its {name.replace('_', ' ')} is {_text(there)}, and here {_text(here)}"


def _text(value: Any) -> str:
    return ", ".join(map(str, cast("tuple[Any, ...]", value))) if isinstance(value, tuple) else repr(value)
