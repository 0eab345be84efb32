"""Every sentence that the engine says: those in its source, and those met in random deals under random house rules."""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path

from renege.agents import Searcher
from renege.belief import Belief, NoWorldLeft, TooManyStates
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.facts import format_fact
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.registry import GAMES
from renege.core.trick import Play
from renege.core.verdict import IllegalPlay, Verdict, WrongPhase
from renege.games.strategy import policy_of, strategy_of
from renege.games.words import words_of
from renege.i18n import Message

IN_PARTS = re.compile(r"\{[a-z]+\d*\}")
# slots that have no words of the engine in them, but names, quotations and what is written in records
NO_WORDS = {"name", "player", "quoted", "rest", "rule", "node", "play", "option"}
SOURCE = Path(__file__).parents[2] / "src" / "renege"

# what a player may type, in its time or not
CALLS = {
    "texas42": (
        "pass|30|31|35|41|42|84|29|1 mark|2 marks|3 marks|5 marks|plunge|splash|trump 0|trump 5|trump doubles|"
        "follow-me|follow-me doubles low|follow-me doubles own-inverted|trump 5 doubles low|nello doubles odd|nello|"
        "nello doubles high|nello doubles low|nello doubles own|nello doubles own-inverted|sevens|give 6-4|"
        "give a tile|give 6-4 5-5|lead 6-4|lead 6-4 5-5|expose 6-4|expose|six|pass"
    ),
    "tractor": (
        "pass|show S2|show H2 H2|show LJ LJ|show BJ BJ|show HA|turn S2|turn HA|take|bury 8 cards|bury S2|bury|show X1"
    ),
    "schafkopf": (
        "pass|double|accept|old|no|stoss|kontra|give a card|give EO|give S7|give S7 S8|rufspiel|rufspiel E|rufspiel G|"
        "rufspiel S|hochzeit|bettel|farbgeier|geier|farbwenz|wenz|solo|tout|sie|ramsch|solo G|solo H tout|wenz tout|"
        "solo tout|geier|farbwenz E|farbgeier S tout|stock|solo 71|rufspiel E renonce|rufspiel GZ"
    ),
}
PLAYS = ("", "6-4 as 4", "6-4 as 9", "SA SK + SA", "SA SA + SK", "SK of SA SK", "EO EU", "X1", "SA SA SA", "+ SA", "HK")


# -- in the source


def templates_in_source() -> Iterator[tuple[str, str]]:
    """Every text with slots in a module that says something, and what `join` puts between two parts."""
    for path, tree in _modules("**/*.py"):
        if not re.search(r"from renege\.(i18n|core\.message) import", path.read_text("utf-8")):
            continue
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            where = f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call) and _callee(node.func) == "join" and isinstance(node.func, ast.Name):
                (separator,) = (part.value for part in node.args[:1] if isinstance(part, ast.Constant))
                yield where, f"{{a}}{separator}{{b}}"
            elif isinstance(node, ast.Constant) and id(node) not in inside:
                found = str(node.value)  # no address and no example
                yield from [(where, found)] if IN_PARTS.search(found) and not re.search("/|>>>", found) else []


def miscounted() -> Iterator[str]:
    """Where a template has not as many slots as it is given fills."""
    for path, tree in _modules("**/*.py"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                template, *fills = node.args
                if not isinstance(template, ast.Constant) or any(isinstance(fill, ast.Starred) for fill in fills):
                    continue
                if len(IN_PARTS.findall(str(template.value))) != len(fills):
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}"


def in_source(folder: str, callees: set[str]) -> Iterator[tuple[str, str | re.Pattern[str]]]:
    """Sentences that are written as arguments of these calls; an f-string is a pattern of what it makes."""
    for path, tree in _modules(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (callee := _callee(node.func)) in callees:
                arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
                for argument in arguments[1:2] if callee in ("Rule", "Advice") else arguments:
                    for sentence in _sentences(argument):
                        yield f"{path.relative_to(SOURCE)}:{argument.lineno}", sentence


def written() -> tuple[set[str], dict[bool, list[re.Pattern[str]]]]:
    """Every text in the source, and patterns of the f-strings: those without and with slots of a message."""
    constants, patterns = set[str](), {False: list[re.Pattern[str]](), True: list[re.Pattern[str]]()}
    constants |= {template for _, template in templates_in_source()}
    for _, tree in _modules("**/*.py"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                literal = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
                has_slots = IN_PARTS.search(literal) is not None
                if has_slots or len(re.findall("[a-z]", literal)) > 2:
                    patterns[has_slots].append(_pattern(node))
    return constants, patterns


def _modules(folder: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(SOURCE.glob(folder)):
        yield path, ast.parse(path.read_text("utf-8"))


def _callee(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _sentences(node: ast.expr) -> Iterator[str | re.Pattern[str]]:
    """What a literal says; a call or a name as an argument is looked at where it is made."""
    if isinstance(node, ast.IfExp):
        yield from _sentences(node.body)
        yield from _sentences(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _sentences(value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
        yield node.value
    elif isinstance(node, ast.JoinedStr) and any(" " in str(getattr(part, "value", "")) for part in node.values):
        yield _pattern(node)


def _pattern(node: ast.JoinedStr) -> re.Pattern[str]:
    return re.compile(
        "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[^{}]+" for p in node.values)
    )


# -- in a message


def unknown(said: str, told: Mapping[str, str]) -> Iterator[str]:
    """The parts of a message that have no translation, though they have words."""
    if isinstance(said, Message):
        if said.template not in told:
            yield said.template
        for slot, fill in said.slots.items():
            if slot.rstrip("0123456789") not in NO_WORDS and isinstance(fill, str):
                yield from unknown(fill, told)
    elif said not in told and re.search("[a-z]{2}", said):
        yield said


# -- at the table


def random_rules(game: str, rng: random.Random) -> object:
    """House rules, about a third of them unusual."""
    usual = GAMES[game].Rules()
    choices = {
        field.name: rng.choice(list(type(choice)))
        for field in fields(usual)
        if isinstance(choice := getattr(usual, field.name), Enum) and rng.random() < 0.35
    }
    return replace(usual, **choices)


def met(game: str, deals: int, seed: int = 0) -> Iterator[str]:
    """What is said in so many deals: verdicts on good and bad attempts, advice, facts, beliefs, results."""
    rng = random.Random(f"{game} {seed}")
    for rule in GAMES[game].RULES:
        yield rule.sentence
    for number in range(deals):
        rules = GAMES[game].Rules() if number % 4 == 0 else random_rules(game, rng)
        table = Arbiter(GAMES[game].game(rules), rng.getrandbits(32))
        while table.position.turn is not None:
            yield from _turn(table, rng)
        yield from ended(table.record)
        yield from _reneged(table.record, rng)


def _turn(table: Arbiter, rng: random.Random) -> Iterator[str]:
    """One seat is asked: what it could not do, what it would be told, and what it does."""
    position, seat = table.position, table.position.turn
    assert seat is not None
    for _ in range(2):
        yield from attempted(table, rng.choice(range(4)) if rng.random() < 0.1 else seat, _attempt(position, rng))
    if rng.random() < 0.06:
        yield from _claimed(table, rng.choice(range(4)))
    view = table.view(seat) if position.talking else table.record.view(seat)
    game = table.record.game
    on_kitty = position.talking and position.talk is not None and position.talk.on_kitty
    advice = policy_of(game)(view)
    yield advice.why
    if not on_kitty and strategy_of(game).search is not None and rng.random() < 0.02:
        with suppress(NoWorldLeft, TooManyStates):
            yield Searcher(worlds=3).choose(view, rng).why
    if rng.random() < (0.01 if game.name == "tractor" else 0.1):
        yield from believed(view, rng)
    if strategy_of(game).interject is not None:
        for other in position.speakers:
            said = strategy_of(game).interject(table.view(other))
            if said is not None:
                yield said.why
    what = advice.what
    if rng.random() < 0.5:
        what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
    words = words_of(game)
    if isinstance(what, str):
        yield from (words.call(what), *words.called(position, seat, what), words.call_group(position, what))
        yield from words.called(position, seat, position.floor(seat).heard(what, (seat + 1) % 4))
    assert table.act(seat, what)
    if table.position.contract is not None and position.contract is None:
        parts, trump = words.contract(table.position.contract, game.rules)
        yield from (*parts, trump, *(role for role, _ in words.roles(table.position)))


def _attempt(position: Position, rng: random.Random) -> str:
    calls = CALLS[position.game.name].split("|")
    if position.talking or rng.random() < 0.05:
        return rng.choice(calls)
    if rng.random() < 0.1:
        return rng.choice((*PLAYS, *calls))
    hand = position.hand
    assert isinstance(hand, Cards)
    held = list(hand)
    lead = position.trick.lead if position.trick else None
    size = 1 if position.game.name != "tractor" else len(lead.cards) if lead else rng.randint(1, 4)
    size = min(len(held), max(0, size + (rng.random() < 0.1)))
    order = position.order
    cards = held if order is None else sorted(held, key=lambda card: (order.led_suit[card], rng.random()))
    first = rng.randrange(len(cards) - size + 1) if rng.random() < 0.7 else 0
    picked = cards[first : first + size] if rng.random() < 0.7 else rng.sample(held, size)
    return str(hand.deck.cards(picked))


def attempted(table: Arbiter, seat: int, what: str) -> Iterator[str]:
    """What is said to an attempt that is not carried out."""
    try:
        verdict = table.position.judge(what, seat)
    except (NotationError, WrongPhase) as wrong:
        yield wrong.why if isinstance(wrong, WrongPhase) else str(wrong)
        return
    yield from refused(verdict)


def refused(verdict: Verdict) -> Iterator[str]:
    if verdict.why:
        yield verdict.why
    if verdict.rule is not None:
        yield verdict.rule.sentence
        yield str(IllegalPlay(verdict, "dealer 0"))


def _claimed(table: Arbiter, seat: int) -> Iterator[str]:
    check = table.position.game.claim
    try:
        if check is None or seat != table.position.turn:
            yield from refused(table.claim(seat))
        else:
            yield from refused(check(table.position, seat)[0])
    except WrongPhase as wrong:
        yield wrong.why


def believed(view: View, rng: random.Random) -> Iterator[str]:
    """What a seat is told of the hidden hands."""
    for fact in view.facts():
        yield format_fact(fact, view.position.order)
    try:
        belief = Belief(view)
    except (NoWorldLeft, TooManyStates) as none:
        yield from (str(none),) if isinstance(none, NoWorldLeft) else ()
        return
    for card in rng.sample(range(len(view.game.deck.names)), 3):
        yield belief.explain(card)


def ended(record: Record) -> Iterator[str]:
    judgement, words = judge(record), words_of(record.game)
    yield from map(str, judgement.breaches)
    for result in (record.position.result, judgement.result):
        yield from () if result is None else words.result(result)
    if record.position.over:
        yield words.kitty(record.position)


def _reneged(record: Record, rng: random.Random) -> Iterator[str]:
    """The same deal with anything at all played in its tricks: what the judge says."""
    position, acts = record.start, []
    for act in record.acts:
        if position.contract is not None or position.over:
            break
        acts.append(act)
        position = position.then(act)
    while not position.over and position.turn is not None:
        hand = position.hand
        assert isinstance(hand, Cards)
        lead = position.trick.lead if position.trick else None
        size = len(lead.cards) if lead else 1
        play = Play(hand.deck.cards(rng.sample(list(hand), size)))
        act = position.read(play)
        acts.append(replace(act, what=play))
        position = position.put(play)
    if position.contract is not None:
        yield from ended(Record(record.start, tuple(acts)))
