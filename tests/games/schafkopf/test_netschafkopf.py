"""Protocols of NetSchafkopf: those that others recorded, some made up here by the literal reference, and broken ones.

The recorded ones are in the folder that `RENEGE_VECTORS` names; without it those tests are skipped.
"""

import os
import random
import re
import subprocess
import textwrap
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reference import schafkopf as reference
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.registry import parse_game_record
from renege.games.formats import game_records
from renege.games.schafkopf import netschafkopf
from support.command import renege
from support.steering import SOAK

NAMES = ("Links", "Frau Oben", "Rechts.2", "Mensch")  # made up
PLAYER = 3
SAMPLE, DEALS = 11, 20
SUITS = {"E": "Eichel", "G": "Grün", "H": "Herz", "S": "Schellen"}
KINDS = {"solo": "Solo", "wenz": "Wenz", "geier": "Geier", "farbwenz": "Wenz", "farbgeier": "Geier"}
DECLARATIONS = [text for text in reference.DECLARATIONS if text.split()[0] in ("rufspiel", *KINDS)]
TARIFF = {"base": 2, "solo": 5, "extra": 1, "runners_from": 3, "ramsch": 1}
HOUSE = reference.RamschHouse(virgins="price")
VECTORS = os.environ.get("RENEGE_VECTORS")
recorded = pytest.mark.skipif(VECTORS is None, reason="RENEGE_VECTORS names no folder")


# --- protocols made up by the reference -----------------------------------------------------------


def named(seat: int) -> str:
    return "Du" if seat == PLAYER else NAMES[seat]


def verb(seat: int, stem: str) -> str:
    return f"{named(seat)} {stem}{'st' if seat == PLAYER else 't'}"


def game_words(declaration: str) -> str:
    kind, suit = reference.kind(declaration), reference.named_suit(declaration)
    if kind == "rufspiel":
        return f"Mit der {SUITS[suit or '']}-Ass"
    words = f"{SUITS[suit]}-{KINDS[kind]}" if suit else KINDS[kind]
    return f"{words} Tout" if reference.is_tout(declaration) else words


def play_out(
    hands: list[list[str]], leader: int, declaration: str, rng: random.Random
) -> tuple[list[int], list[list[str]]]:
    """Random legal cards: who leads each trick, and the cards from there on."""
    held, called = [list(hand) for hand in hands], reference.called_at_first(declaration)
    leaders: list[int] = []
    tricks: list[list[str]] = []
    for _ in range(len(hands[0])):
        trick: list[str] = []
        for place in range(4):
            hand = held[(leader + place) % 4]
            card = rng.choice(reference.legal(hand, trick, declaration, called))
            called = called and reference.called_after(called, hand, trick, card)
            hand.remove(card)
            trick.append(card)
        leaders.append(leader)
        tricks.append(trick)
        leader = (leader + reference.winner(trick, declaration)) % 4
    return leaders, tricks


def wrapped(text: str) -> str:
    """A paragraph: lines that go on end in a space."""
    return " \n".join(textwrap.wrap(text, 64, break_on_hyphens=False))


def protocol(
    seed: int, deals: int, doubling: bool = False, *, short: bool = False, tariff: Mapping[str, Any] = TARIFF
) -> str:
    rng = random.Random(seed)
    dealer, totals = rng.randrange(4), [0] * 4
    parts = [f"made up\ngespielt von {NAMES[PLAYER]} am 01.01.01 mit Version 1.\n \n"]
    for number in range(1, deals + 1):
        pack = reference.deck(short)
        rng.shuffle(pack)
        hands = [pack[i * len(pack) // 4 : (i + 1) * len(pack) // 4] for i in range(4)]
        declarer = rng.choice([None, 0, 1, 2, 3])
        fits = [text for text in DECLARATIONS if declarer is not None and _may_play(hands[declarer], text)]
        called = [text for text in fits if text.startswith("rufspiel")]
        declaration = rng.choice(called if called and rng.random() < 0.5 else fits) if fits else "ramsch"
        leaders, tricks = play_out(hands, (dealer + 1) % 4, declaration, rng)
        doubled = rng.choice([0, 0, 1, 3]) if doubling else 0
        raised = rng.choice([0, 0, 1, 2]) if declarer is not None else 0
        end = reference.settle(
            hands, declarer, declaration, leaders[0], tricks, tariff, doubled + raised, short=short, house=HOUSE
        )
        totals = [total + pay for total, pay in zip(totals, end.payouts, strict=True)]
        result = _result(hands, declarer, declaration, leaders[0], tricks, end)
        held: list[str] = []
        if declarer is not None:
            partner = reference.partner_of(hands, declarer, declaration, None)
            held = hands[declarer] + ([] if partner is None else hands[partner])
        virgins = reference.ramsch_virgins(leaders[0], tricks)
        price, last = _price(declaration, end, doubled, raised, virgins, held, tariff)
        head = (
            "Es wurde Ramsch gespielt." if declarer is None else f"{NAMES[declarer]} spielt {game_words(declaration)}"
        )
        order = [(dealer + 1 + i) % 4 for i in range(4)]
        lines = [
            f"Geber: {NAMES[dealer]}",
            *(f"{NAMES[seat]:>12} hat: {' '.join(hands[seat])}" for seat in order),
            head,
            *(f"{NAMES[seat]:>12} spielt aus: {' '.join(trick)}" for seat, trick in zip(leaders, tricks, strict=True)),
            wrapped(result),
            wrapped(price),
            f"Spiel    Preis{''.join(f'{name:>13}' for name in NAMES)}    Stock",
            f"{number:5}{last:9}{''.join(f'{total:>+13}' for total in totals)}        0",
            " ",
        ]
        parts.append("\n".join(lines) + "\n")
        dealer = (dealer + 1) % 4
    return "".join(parts)


def _may_play(hand: list[str], declaration: str) -> bool:
    return reference.kind(declaration) != "rufspiel" or reference.may_call(hand, declaration[-1])


def _result(
    hands: list[list[str]],
    declarer: int | None,
    declaration: str,
    leader: int,
    tricks: list[list[str]],
    end: reference.Settlement,
) -> str:
    if declarer is None:
        (loser,) = reference.ramsch_losers(hands, leader, tricks, HOUSE.ties)
        virgins = reference.ramsch_virgins(leader, tricks)
        said = f"{verb(loser, 'verlier')} den Ramsch"
        if len(virgins) > 1:
            return said
        said += f". {named(loser)} {'hast' if loser == PLAYER else 'hat'} {max(end.points)} Augen"
        said += "".join(f". {named(seat)} {'bist' if seat == PLAYER else 'ist'} Jungfrau" for seat in virgins)
        tied = end.points.count(max(end.points)) > 1
        return f"{said}. Bei Augengleichheit verliert, wer den höheren Ober hatte" if tied else said
    stem = "gewinn" if end.payouts[declarer] > 0 else "verlier"
    words = game_words(declaration)
    if reference.kind(declaration) == "rufspiel":
        partner = reference.partner_of(hands, declarer, declaration, None)
        assert partner is not None
        words = f"das Rufspiel: {words} mit {'dir' if partner == PLAYER else NAMES[partner]}"
    else:
        words = f"{'das' if 'Solo' in words else 'den'} {words}"
    said = f"{verb(declarer, stem)} {words}"
    return said if reference.is_tout(declaration) else f"{said}. Die Gegner haben {end.points[1]} Augen"


def _price(
    declaration: str,
    end: reference.Settlement,
    doubled: int,
    raised: int,
    virgins: list[int],
    held: list[str],
    tariff: Mapping[str, Any],
) -> tuple[str, int]:
    kind = reference.kind(declaration)
    name = {"rufspiel": "Das Rufspiel", "ramsch": "Der Ramsch"}.get(kind, "Das Einzelspiel")
    price = tariff[{"rufspiel": "base", "ramsch": "ramsch"}.get(kind, "solo")]
    steps: list[tuple[str, int]] = [(f"{name} kostet", price)]
    runners = f"Mit {end.runners} Laufenden"
    if reference.trumps(declaration)[0] not in held:
        runners = f"Ohne {end.runners} Laufende"
    extras = [("Mit Schneider", "schneider", end.schneider), ("Mit Schwarz", "schwarz", end.schwarz)]
    for words, name, times in (*extras, (runners, "runner", end.runners)):
        if times:
            price += reference.in_tariff(tariff, name) * times
            steps.append((words, price))
    virgin_times = len(virgins) if kind == "ramsch" else 0
    doublings = [
        ("Doppelt für Tout", reference.is_tout(declaration)),
        (f"Mit {virgin_times} mal Jungfrau", virgin_times),
        (f"{doubled} mal aufgedoppelt", doubled),
        (f"{raised} mal gespritzt", raised),
    ]
    for words, times in doublings:
        if times:
            price *= 2**times
            steps.append((words, price))
    return " ".join(f"{words} {cost} Punkt{'e' if cost > 1 else ''}." for words, cost in steps), price


def test_made_up_protocols_agree():
    kinds: Counter[str] = Counter()
    for seed in range(6 * SOAK):
        for reading in netschafkopf.read(protocol(seed, 14, doubling=seed % 2 == 1)):
            assert str(reading) == "agrees", (seed, reading.number)
            assert reading.record is not None
            assert judge(reading.record)
            contract = reading.record.position.contract
            assert contract is not None
            kinds[contract.declaration.split()[0]] += 1
    assert set(kinds) == {"rufspiel", "ramsch", *KINDS}


def test_protocols_with_the_short_pack_agree():
    for seed in range(2 * SOAK):
        readings = netschafkopf.read(protocol(seed, 14, short=True))
        assert [str(reading) for reading in readings] == ["agrees"] * 14, seed
        assert all(reading.record is not None and reading.record.game.hand_size == 6 for reading in readings)
    with pytest.raises(NotationError, match="deck is long in the rules, and a hand has 6 cards"):
        netschafkopf.read(protocol(1, 2, short=True), {"deck": "long"})


def test_house_rules_that_a_protocol_does_not_tell():
    """Runners by contract, and prices of their own, which the text tells."""
    least = {"rufspiel": 3, "solo": 4, "wenz": 2, "geier": 1, "farbwenz": 2, "farbgeier": 15}
    tariff = TARIFF | {"schneider": 3, "schwarz": 4, "runners_from": least}
    rules = {"runners_from" if kind == "rufspiel" else f"runners_from_{kind}": str(n) for kind, n in least.items()}
    differ = 0
    for seed in range(3 * SOAK):
        text = protocol(seed, 14, tariff=tariff)
        assert [str(reading) for reading in netschafkopf.read(text, rules)] == ["agrees"] * 14, seed
        told = [reading for reading in netschafkopf.read(text) if reading.differences]
        assert all("runners" in str(reading) for reading in told)
        differ += len(told)
    assert differ
    with pytest.raises(NotationError, match="'runners' is no house rule here"):
        netschafkopf.read(sample(), {"runners": "2"})


def test_a_protocol_is_a_game_record():
    """Where the first dealer is ours, the deals make one game, which reads back and has nobody's name in it."""
    seed = next(seed for seed in range(40) if f"Geber: {NAMES[3]}\n" in protocol(seed, 1))
    (game,) = game_records(netschafkopf.read(protocol(seed, 5)))
    assert len(game.deals) == 5
    assert str(parse_game_record(str(game))) == str(game)
    for name in NAMES:
        assert name not in str(game)


# --- protocols that others recorded ---------------------------------------------------------------


@recorded
def test_every_recorded_deal_agrees_or_is_unsupported():
    assert VECTORS is not None
    found: Counter[str] = Counter()
    unsupported: list[tuple[str, int]] = []
    for file in sorted((Path(VECTORS) / "schafkopf").glob("protocol_*.txt")):
        for reading in netschafkopf.read(file.read_text("utf-8")):
            assert not reading.differences, (file.name, reading.number, str(reading))
            if reading.record is None:
                assert reading.unsupported.startswith("Schieber")
                unsupported.append((file.stem, reading.number))
                continue
            for _ in reading.record.replay():  # insists on the rules
                pass
            contract = reading.record.position.contract
            assert contract is not None
            found[contract.declaration.split()[0]] += 1
    assert unsupported == [("protocol_7", number) for number in (18, 19, 20, 21)]
    counts = {"rufspiel": 344, "ramsch": 143, "farbwenz": 52, "farbgeier": 43, "solo": 24, "wenz": 14, "geier": 2}
    assert found == counts
    assert sum(found.values()) == 622


@recorded
def test_recorded_games_read_back_without_names():
    assert VECTORS is not None
    for number in (1, 7):
        text = (Path(VECTORS) / "schafkopf" / f"protocol_{number}.txt").read_text("utf-8")
        columns = next(line for line in text.splitlines() if line.startswith("Spiel "))
        text = "Geber: ".join(text.split("Geber: ")[:11])
        written = [str(game) for game in game_records(netschafkopf.read(text))]
        assert len(written) == (1 if number == 1 else 10)  # the seventh starts with another dealer than ours
        for game in written:
            assert str(parse_game_record(game)) == game
            assert not [name for name in columns.split()[2:6] if name in game]


# --- what is stated, and otherwise ----------------------------------------------------------------


@cache
def sample() -> str:
    """A protocol with every kind of sentence in it."""
    text = protocol(SAMPLE, DEALS, doubling=True)
    words = ("Schneider", "Schwarz", "Ohne ", "Tout", "1 mal gespritzt", "2 mal gespritzt", "ist Jungfrau",
             "mal aufgedoppelt", "dir", "gewinnt das Rufspiel", "hat ")  # fmt: skip
    assert [word for word in words if word not in text] == []
    return text


def changed(pattern: str, instead: str) -> str:
    text, count = re.subn(pattern, instead, sample(), count=1)
    assert count == 1
    assert text != sample()
    return text


@pytest.mark.parametrize(
    ("pattern", "instead", "difference"),
    [
        (r"Gegner\s+haben (\d+)", r"Gegner haben 1\1", "points of the others: stated 1"),
        ("gewinnt das Rufspiel", "verliert das Rufspiel", "result: stated lost, found won"),
        (r"verliert den Ramsch. (.+?) hat (\d+)", r"verliert den Ramsch. \1 hat 1\2", "points of the loser: stated 1"),
        ("Mit Schneider", "Mit Schwarz", "Schneider: stated False, found True"),
        (r"(Mit|Ohne) (\d+) Laufenden?", r"\1 1\2 Laufenden", "runners: stated 1"),
        ("Ohne ", "Mit ", "with the highest trump: stated True, found False"),
        (r"Mit Schneider 3 Punkte", "Mit Schneider 4 Punkte", "price after 'Mit Schneider': stated 4, expected 3"),
        (r"(?<=Stock\n)    1", "   17", "number: stated 17, expected 1"),
        (r"(\n    1 +)(\d+)", r"\g<1>9\2", "price: stated 9"),
        (r"(\n    1 +\d+ +)([+-])", r"\g<1>\g<2>7", "payouts: stated"),
        (r"(Mit \d mal Jungfrau)", "Mit 3 mal Jungfrau", "number of virgins: stated 3, found"),
        (r"1 mal gespritzt", "2 mal gespritzt", "price"),
        (r"(Frau Oben|Links|Rechts.2) ist Jungfrau", "Du bist Jungfrau", "virgins: stated (3,)"),
    ],
)
def test_what_is_stated_otherwise_is_named(pattern: str, instead: str, difference: str):
    readings = netschafkopf.read(changed(pattern, instead))
    wrong = [reading for reading in readings if not reading.agrees]
    assert wrong
    assert any(difference in str(reading) for reading in wrong), [str(reading) for reading in wrong]
    for reading in wrong:
        assert str(reading).startswith("differs (")
        assert not any(name in str(reading) for name in NAMES)


def test_another_leader_or_dealer_is_named():
    lead = re.search(r"(?:.*spielt aus: .*\n){2}", sample())
    assert lead is not None
    first, second = lead[0].splitlines()
    told = second.split(" spielt")[0].strip()
    other = next(name for name in NAMES if name != told)
    (reading, *_) = netschafkopf.read(sample().replace(f"{first}\n{second}", f"{first}\n{second.replace(told, other)}"))
    led = f"trick 2: stated to be led by seat {NAMES.index(other)}, found by seat {NAMES.index(told)}"
    assert reading.differences == (led,)
    parts = sample().split("Geber: ")
    dealer, rest = parts[2].split("\n", 1)
    parts[2] = f"{next(name for name in NAMES if name != dealer)}\n{rest}"
    assert str(netschafkopf.read("Geber: ".join(parts))[1]).startswith("differs (trick 1: stated to be led by")


def test_an_illegal_card_is_named():
    """Two cards of a hand played in each other's place: in some deal that is a renege."""
    for seed in range(60):
        text = protocol(seed, 1)
        tricks = re.findall(r"^ *(.+?) spielt aus: (.*)$", text, re.MULTILINE)
        leads = [NAMES.index(name) for name, _ in tricks]
        seat = (leads[0] + 1) % 4  # follows in the first trick
        mine = [cards.split()[(seat - lead) % 4] for lead, (_, cards) in zip(leads, tricks, strict=True)]
        head, plays = text[: text.index("spielt aus")], text[text.index("spielt aus") :]
        plays = plays.replace(mine[0], "??").replace(mine[1], mine[0]).replace("??", mine[1])
        (reading,) = netschafkopf.read(head + plays)
        assert reading.record is not None
        if "schafkopf.follow-suit" in str(reading):
            return
    raise AssertionError("no renege came about")


# --- what is unsupported, and what is refused -----------------------------------------------------


def test_special_deals_are_unsupported_and_the_others_go_on():
    parts = sample().split("Geber: ")
    name, rest = parts[2].split("\n", 1)
    parts[2] = f"{name}\nSpielart: Schieber\n{rest}"
    readings = netschafkopf.read("Geber: ".join(parts))
    assert [reading.agrees for reading in readings].count(True) == DEALS - 1
    assert str(readings[1]) == "unsupported (Schieber: cards are passed on before the play)"
    thrown = re.sub(r"(?s)(hat: [^\n]*\n)[^\n]*(?:Ramsch gespielt|spielt (?!aus))[^\n]*\n.*?(?=Spiel  )",
                    r"\1Es wurde zusammengeworfen.\n", sample(), count=1)  # fmt: skip
    assert str(netschafkopf.read(thrown)[0]) == "unsupported (thrown in: no cards were played)"
    stock = re.sub(r"(\n    1 .*) 0\n", r"\1 4\n", sample())
    assert [bool(reading.record) for reading in netschafkopf.read(stock)[:3]] == [False, False, True]
    assert str(netschafkopf.read(stock)[1]) == "unsupported (a stock is played for)"


@pytest.mark.parametrize(
    ("pattern", "instead", "why"),
    [
        (r"gespielt von", "recorded by", "line 2: a protocol says here 'gespielt von'"),
        (r"gespielt von \w+", "gespielt von Fremd", "line 2: a protocol says here 'gespielt von'"),
        (r"hat: ..", "hat: XX", r"line 5: 'XX' is no card of long pack; .*: 'seat \d hat: XX "),
        (r"hat: .. ", "hat: ", r"line 5: a hand has 8 cards, and '.*' are 7: 'seat \d hat:"),
        (r"hat: (..) ..", r"hat: \1 \1", r"line 5: .. comes 2 times"),
        (r"\n[^\n]* hat: (..)([^\n]*)\n([^\n]* hat: )..", r"\n\g<0>", "line [56]: "),
        (r"\n[^\n]* hat: [^\n]*", "", "line 8: four lines say what each seat has"),
        (r"\n[^\n]*?(\S+) hat: ", r"\n   Fremd hat: ", r"line 5: four lines say what each seat has: '... hat: "),
        (r"spielt aus: (..)", r"spielt aus: \1 \1", r"line \d+: a trick has four cards, and this one 5: 'seat \d"),
        (r"spielt aus: ..", "spielt aus: E1", r"line \d+: 'E1' is no card"),
        (r"spielt aus: (..) ..", r"spielt aus: \1 \1", r"line \d+: seat \d plays .., and has "),
        (r"\n[^\n]* spielt aus: [^\n]*", "", r"line \d+: 8 lines say who leads and what is played"),
        (r"(?<!ge)spielt (?!aus)[^\n]*", "spielt Sechsundsechzig", r"line \d+: no game that we know is named here"),
        (r"Augen\n", "Ohren\n", r"line \d+: this does not say how the deal ended"),
        (r"kostet", "wiegt", r"line \d+: this does not say what the deal cost"),
        (r"Mit Schneider", "Mit Bäcker", r"line \d+: this does not say what the deal cost"),
        (r"(?<=Stock\n)    1", "  one", r"line \d+: a deal ends with its number"),
        (r"Geber: [^\n]*", "Geber: Fremd", r"line 4: a deal starts with 'Geber: ' and one .*: 'Geber: \.\.\.'"),
        (r"Stock\n([^\n]*)\n \n", r"Stock\n\1\n", r"line \d+: an empty line follows on a deal"),
    ],
)  # fmt: skip
def test_malformed_text_is_refused_with_its_line(pattern: str, instead: str, why: str):
    with pytest.raises(NotationError) as refused:
        netschafkopf.read(changed(pattern, instead))
    assert re.match(why, str(refused.value)), str(refused.value)
    for name in (*NAMES, "Fremd"):
        assert name not in str(refused.value)


def test_a_cut_text_is_refused_wherever_it_is_cut():
    lines = protocol(1, 2).split("\n")
    ends = [i for i, line in enumerate(lines) if i and lines[i - 1].startswith("Spiel ")]
    for length in range(len(lines)):
        cut = "\n".join(lines[:length])
        if any(end < length <= end + 2 for end in ends):
            assert netschafkopf.read(cut)
            continue
        with pytest.raises(NotationError) as refused:
            netschafkopf.read(cut)
        for name in NAMES:
            assert name not in str(refused.value)


@pytest.mark.parametrize("text", ["", "\n", "hello", "renege record 1\ngame schafkopf version 2\nrules default\n"])
def test_other_texts_are_refused(text: str):
    with pytest.raises(NotationError, match="this is no protocol"):
        netschafkopf.read(text)


def test_line_ends_of_windows_are_read():
    assert [str(reading) for reading in netschafkopf.read(sample().replace("\n", "\r\n"))] == ["agrees"] * DEALS


# --- the command ----------------------------------------------------------------------------------


def renege_read(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return renege("read", *arguments)


def test_the_command_checks_each_deal(tmp_path: Path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(protocol(2, 3), encoding="cp1252")
    bad.write_text(protocol(2, 3).replace(" Augen", "1 Augen"), encoding="utf-8")
    done = renege_read("--check", good)
    assert done.returncode == 0
    assert done.stdout == "".join(f"{good}: deal {number}: agrees\n" for number in (1, 2, 3))
    done = renege_read("--check", good, bad)
    assert done.returncode == 1
    assert done.stdout.count(f"{good}: ") == done.stdout.count(f"{bad}: ") == 3
    assert f"{bad}: deal 3: differs (points of the others: stated " in done.stdout
    done = renege_read("--check", good, "--rules", "base=9", "--rules", "solo=9", "--rules", "ramsch=9")
    assert done.returncode == 1
    assert done.stdout.count(", expected 9") >= 3


def test_the_command_writes_records(tmp_path: Path):
    file = tmp_path / "protocol.txt"
    parts = protocol(2, 3).split("Geber: ")
    name, rest = parts[2].split("\n", 1)
    parts[2] = f"{name}\nSpielart: Schieber\n{rest}"
    file.write_text("Geber: ".join(parts), encoding="utf-8")
    done = renege_read(file)
    assert done.returncode == 0
    reason = "Schieber: cards are passed on before the play"
    assert done.stderr == f"renege: {file}: 1 of 3 deals are not read: {reason}\n"
    assert done.stdout.startswith(f"# {file}: deal 2, line ")
    assert done.stdout.count("renege record 1\n") == 2
    assert not any(name in done.stdout for name in NAMES)
    file.write_text("nothing of the kind", encoding="utf-8")
    done = renege_read(file)
    assert done.returncode == 2
    assert done.stderr.startswith(f"renege: {file}: nothing that is read here: a page of sauspiel.de starts with")
