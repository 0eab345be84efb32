"""Questions to `renege ask` with the answers that were worked out for them, a pair a line in `data/answers`.

Of an error a part of the text is written down. `...` stands for some sentence, or for some play that is legal.
"""

import json
from pathlib import Path
from typing import Any

from renege.ask.serve import reply

FOLDER = Path(__file__).parents[1] / "data" / "answers"
SOME = "..."
Pair = dict[str, Any]  # question `q` and answer `a`


def pairs(files: str) -> list[Pair]:
    """The pairs of all files that match, like `tractor_*.jsonl`."""
    found = [json.loads(line) for file in sorted(FOLDER.glob(files)) for line in file.read_text("utf-8").splitlines()]
    assert found
    return found


def name(pair: Pair) -> str:
    return f"{pair['q'].get('ask')}"


def check(pair: Pair) -> None:
    """Ask, and compare; what is offered instead of a refused play must be legal."""
    question, expected = pair["q"], pair["a"]
    line, good = reply(json.dumps(question).encode())
    answer = json.loads(line)
    assert good is ("error" not in expected), answer
    if "error" in expected:
        assert expected["error"] in answer["error"]
        assert "fault of renege" not in answer["error"]
        expected = expected | {"error": answer["error"]}
    assert answer == _filled(expected, answer)
    if "instead" in answer:
        grouped = question.keys() & {"grouping"} if not question.get("lead") else ()  # how the refused lead was named
        instead = {key: value for key, value in question.items() if key not in grouped} | {"play": answer["instead"]}
        again, _ = reply(json.dumps(instead).encode())
        assert json.loads(again)["legal"]


def _filled(expected: Any, answer: Any) -> Any:
    """What is expected, with what is left open taken from the answer."""
    if isinstance(expected, dict) and isinstance(answer, dict):
        return {key: _filled(value, answer.get(key)) for key, value in expected.items()}
    if isinstance(expected, list) and isinstance(answer, list) and len(expected) == len(answer):
        return [_filled(*both) for both in zip(expected, answer, strict=True)]
    return answer if expected == SOME and isinstance(answer, str) and answer else expected
