"""A number of deals that says of itself whether it is exact or an upper bound."""

from typing import Self


class Count(int):
    """A number of deals; where it is not `exact` it is an upper bound, and its text says so: `at most 1,200`."""

    exact: bool

    def __new__(cls, number: int, *, exact: bool = True) -> Self:
        count = super().__new__(cls, number)
        count.exact = exact
        return count

    def __format__(self, spec: str) -> str:
        return f"{'' if self.exact else 'at most '}{format(int(self), spec)}"

    def __str__(self) -> str:
        return format(self)

    __repr__ = __str__
