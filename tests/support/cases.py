"""Cases of which each takes microseconds: one test looks at all of them, and a failure names its case."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Case = TypeVar("Case")


def check_each(cases: Iterable[Case], check: Callable[[Case], object], name: Callable[[Case], Any] = str) -> None:
    for case in cases:
        try:
            check(case)
        except BaseException as wrong:
            wrong.add_note(f"in the case {name(case)}")
            raise


def each(cases: Iterable[Case], name: Callable[[Case], Any] = str) -> Callable[[Callable[[Case], None]], Any]:
    """As `parametrize`, in one test."""

    def over(test: Callable[[Case], None]) -> Callable[[], None]:
        def all_of_them() -> None:
            check_each(cases, test, name)

        all_of_them.__name__, all_of_them.__doc__ = test.__name__, test.__doc__
        return all_of_them

    return over
