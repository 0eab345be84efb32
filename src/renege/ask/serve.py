"""The server loop of `renege ask`: a JSON question a line, a JSON answer a line (PROTOCOL).

This file reads and writes lines and finds who answers; what is asked about a game, and the answer, come from that
game's facet `Wire`, or from the plain one if it offers none. A bad question is answered with an `error` that
quotes it, and the run goes on.
"""

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from renege.ask import deals
from renege.core.notation import NotationError
from renege.core.registry import GAMES, find_game, game_names
from renege.core.version import version
from renege.games.wire import Answer, Wire, plain_wire, quote

PROTOCOL = 1
_wires: dict[str, Wire] = {}  # by game, each found when it is first asked about
LONGEST_LINE = 1 << 20  # bytes
NO_ID = msgspec.Raw(b"")


class Heading(msgspec.Struct):
    """What tells us who is to read the question."""

    ask: Any = None
    game: Any = None
    id: msgspec.Raw = NO_ID


class VersionQuestion(msgspec.Struct, forbid_unknown_fields=True):
    ask: str
    id: msgspec.Raw = NO_ID


def _plain(value: object) -> int | str:
    """What an answer has that is a number or a text and more, a `Count` or a `Message`, as the plain one that it is."""
    if isinstance(value, str):
        return "".join(value)
    if isinstance(value, int):
        return int(value)
    raise NotImplementedError(f"{type(value).__name__} has no place in an answer")


_encode = msgspec.json.Encoder(enc_hook=_plain).encode
_heading = msgspec.json.Decoder(Heading)
_decoders: dict[type[msgspec.Struct], msgspec.json.Decoder[Any]] = {}


def serve(source: BinaryIO, sink: io.RawIOBase | BinaryIO) -> bool:
    """Answer every line, each at once; say whether all were good questions."""
    good = True
    for line in _lines(source):
        answer, fine = reply(line)
        good &= fine
        sink.write(answer + b"\n")
        sink.flush()
    return good


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that are not blank; of one that is too long just so much that it can be seen to be."""
    first = True
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        if first:
            line, first = line.removeprefix(b"\xef\xbb\xbf"), False
        if line.strip():
            yield line


def reply(line: bytes) -> tuple[bytes, bool]:
    """The answer to one question, and whether it was a good one."""
    heading, good = Heading(), False
    try:
        if len(line) > LONGEST_LINE:
            raise NotationError(f"the line is longer than {LONGEST_LINE} bytes: {_quote(line)}")
        heading = _read_heading(line)
        answer, good = _answer(heading, line), True
    except ValueError as wrong:
        answer = {"error": str(wrong)}
    except Exception as fault:  # a line must not end the run
        answer = {"error": f"a fault of renege, please report it: {type(fault).__name__}: {fault} at {_quote(line)}"}
    if heading.id:
        # the id goes back as it came; a carriage return between its parts would look like the end of the line
        answer = {"id": msgspec.Raw(bytes(heading.id).replace(b"\r", b""))} | answer
    return _encode(answer), good


def _read_heading(line: bytes) -> Heading:
    try:
        line.decode()
        return _heading.decode(line)
    except UnicodeDecodeError as wrong:
        raise NotationError(f"byte {wrong.start + 1} of the line is not UTF-8: {_quote(line)}") from None
    except msgspec.ValidationError:
        raise NotationError(f"a question is a JSON object: {_quote(line)}") from None
    except msgspec.DecodeError as wrong:
        raise NotationError(f"{wrong}: {_quote(line)}") from None
    except RecursionError:
        raise NotationError(f"the brackets go too deep: {_quote(line)}") from None


def _answer(heading: Heading, line: bytes) -> Answer:
    if heading.ask == "version":
        _read(VersionQuestion, "version", line)
        return {"protocol": PROTOCOL, "renege": version(), "games": list(game_names())}
    if heading.ask == "deals":
        return _deals(_read(deals.DealsQuestion, "deals", line))
    if not isinstance(heading.ask, str):
        raise NotationError(f"'ask' says which question it is: {_quote(line)}")
    wire = wire_of(heading.game)
    if heading.ask not in wire.questions:
        raise NotationError(_no_question(heading.ask, heading.game, wire))
    kind, respond = wire.questions[heading.ask]
    return respond(_read(kind, heading.ask, line))


def _deals(question: deals.DealsQuestion) -> Answer:
    if question.game is None:
        if question.declaration is not None or bytes(question.rules) != b"{}":
            raise NotationError("'declaration' and 'rules' are those of a 'game', and none is named")
        return deals.answer(question, None, None)
    wire = wire_of(question.game)
    rules, declaration = bytes(question.rules), question.declaration
    if declaration is None:
        return deals.answer(question, wire.house(rules).deck, None)
    return deals.answer(question, wire.house(rules).deck, lambda: wire.order(rules, declaration))


def _no_question(ask: str, game: str, wire: Wire) -> str:
    there = f"version deals {' '.join(wire.questions)}"
    others = [name for name in game_names() if ask in wire_of(name).questions]
    if type(wire) is not Wire or not others:
        return f"'ask' is one of {there}; {quote(ask)} is not"
    return f"{ask!r} is answered for {' '.join(others)}, not for {game}, of which one may ask {there}"


def wire_of(game: object) -> Wire:
    """The protocol of a game: its own, or the general one."""
    if not isinstance(game, str) or game not in GAMES:
        raise NotationError(f"'game' is one of {' '.join(GAMES)}; {quote(str(game))} is not")
    if game not in _wires:
        _wires[game] = find_game(game).facet(Wire) or plain_wire(game)
    return _wires[game]


def _read(kind: type[msgspec.Struct], name: str, line: bytes) -> Any:
    decoder = _decoders.setdefault(kind, msgspec.json.Decoder(kind))
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as wrong:
        raise NotationError(_explain(kind, name, line, str(wrong))) from None


def _explain(kind: type[msgspec.Struct], name: str, line: bytes, wrong: str) -> str:
    """What is wrong with the fields of a question, in words."""
    given: dict[str, msgspec.Raw] = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    fields = msgspec.structs.fields(kind)
    known = [field.name for field in fields]
    if unknown := [key for key in given if key not in known]:
        return f"{quote(unknown[0])} is no field of {name!r}: {' '.join(known)}"
    if missing := [field.name for field in fields if field.required and field.name not in given]:
        return f"{name!r} needs {missing[0]!r}: {_quote(line)}"
    problem, _, path = wrong.partition(" - at `$.")
    key = path.rstrip("`").partition("[")[0].partition(".")[0]
    return f"{key!r}: {problem[:1].lower()}{problem[1:]}: {quote(bytes(given[key]).decode())}"


def _quote(line: bytes) -> str:
    return quote(line.decode(errors="replace").strip())
