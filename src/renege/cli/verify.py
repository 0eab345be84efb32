"""The command `renege verify`: whether the cards of a record are those that its table had committed itself to."""

import json
from typing import Annotated

import typer
from typer import Option

from renege.cli.arguments import JsonOption, RecordArgument, text_of
from renege.core.fair import SECRET
from renege.core.notation import NotationError
from renege.core.registry import parse_game_record


def verify(
    file: RecordArgument,
    commitment: Annotated[
        list[str] | None,
        Option(metavar="HASH", help="a commitment that was published before its deal; may be repeated, deal by deal"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that the deals of a record come of the secrets that its table committed itself to.

    The table publishes a commitment before each deal and shows the secret when the deal is over; the record keeps the
    secret, and what seats have added to it. A record whose hands do not come of its secret is refused. What is printed
    for each deal is to be compared with what the table published, or given by --commitment to be compared here. The
    exit status is 1 if a commitment differs, or if a deal does not say what it was drawn from.

    \b
    Examples:
      renege verify game.txt
      renege verify game.txt --commitment 6b1f0c…
    """
    record = parse_game_record(text_of(file))
    told = [text.strip().lower() for text in commitment or ()]
    for text in told:
        if not SECRET.fullmatch(text):
            raise NotationError(f"--commitment: {text!r} is not a hash of 64 hexadecimal digits")
    if len(told) > len(record.deals):
        raise NotationError(f"--commitment: {len(told)} are given, and the record has {len(record.deals)} deals")
    good, found = bool(record.deals), list[dict[str, object]]()
    for number, deal in enumerate(record.deals, start=1):
        computed = None if deal.fair is None else deal.fair.commitment(record.game)
        published = told[number - 1] if number <= len(told) else None
        agrees = None if computed is None or published is None else computed == published
        good &= computed is not None and agrees is not False
        found.append({"deal": number, "commitment": computed, "agrees": agrees})
        if not as_json:
            print(_line(number, computed, agrees))
    if as_json:
        print(json.dumps({"deals": found, "good": good}))
    raise typer.Exit(0 if good else 1)


def _line(number: int, computed: str | None, agrees: bool | None) -> str:
    if computed is None:
        return f"deal {number}: it does not say what it was drawn from"
    verdict = {True: ", as it was published", False: ", and another was published", None: ""}[agrees]
    return f"deal {number}: the hands come of the secret; commitment {computed}{verdict}"
