"""The command `renege judge`: the breaches of a record, and what each deal comes to."""

import typer

from renege.cli.arguments import FileArgument, text_of
from renege.core.arbiter import judge as judge_record
from renege.core.registry import parse_game_record


def judge(file: FileArgument) -> None:
    """Judge a record: every breach of a rule, and what each deal comes to. The exit status is 1 if there is one.

    \b
    Example:
      renege judge game.txt
    """
    record = parse_game_record(text_of(file))
    clean = True
    for number, deal in enumerate(record.deals, start=1):
        judgement = judge_record(deal)
        clean &= bool(judgement)
        for breach in judgement.breaches:
            print(f"deal {number}: {breach}")
        thrown_in = deal.position.over and deal.position.contract is None
        open_end = "thrown in" if thrown_in else "not decided"
        print(f"deal {number}: {judgement.result.text if judgement.result else open_end}")
    raise typer.Exit(0 if clean else 1)
