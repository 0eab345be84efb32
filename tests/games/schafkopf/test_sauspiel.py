"""Pages of sauspiel.de: records of ours written as such pages and read again, what a page states, and broken pages.

The pages have the structure that the reader names and nothing of the site. What they state of the end comes from the
literal reference, so that the round trip also compares it with our prices.
"""

import random
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from reference import schafkopf as reference
from renege.core.deal_state import Act
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.record import Record, new_record
from renege.core.registry import parse_record
from renege.core.trick import Play
from renege.games import schafkopf
from renege.games.schafkopf import sauspiel
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding
from renege.games.schafkopf.rules import AllPass, Doubling, March, PackSize, Played, Rules
from support.command import renege
from support.steering import SOAK

NAMES = ("Anna Äpfel", "Anna", "Ex-Sauspieler #7", "d.D")  # made up, with what a name may have in it
TITLE_SUITS = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
CALLED = {"E": "Alte", "G": "Blaue", "S": "Hundsgfickte"}
WOULD = {"rufspiel": "a Sauspiel", "solo": "a Solo", "solo tout": "a Solo-Tout"}
HOUSE = reference.RamschHouse(ties=("highest-trump",), virgins="price", march="91-points")


def as_written(bid: str) -> str:
    """`wenz tout` as the site has it: Wenz-Tout."""
    return bid.capitalize().replace(" tout", "-Tout")


# --- a record of ours, and the page it would be ---------------------------------------------------


def site_rules(rng: random.Random) -> Rules:
    extra = rng.choice([1, 10])
    return Rules(
        deck=rng.choice(list(PackSize)),
        geier=rng.choice(list(Played)),
        farbwenz=rng.choice(list(Played)),
        farbgeier=Played.NO,
        bettel=Played.NO,
        hochzeit=Played.NO,
        all_pass=rng.choice([AllPass.RAMSCH, AllPass.REDEAL]),
        doubling=Doubling.ANYONE,
        runners_from_wenz=2,
        march=March.FROM_91,
        base=2 * extra,
        solo=5 * extra,
        extra=extra,
        ramsch=2 * extra,
    )


def random_record(seed: int) -> Record:
    """A deal with random calls, some of them a Stoss before the first card, and random legal plays."""
    rng = random.Random(seed)
    start = position = new_record(schafkopf.game(site_rules(rng)), seed).start
    acts: list[Act] = []
    while not position.over:
        if position.talking:
            act = position.read(random_call(position, rng))
        elif len(position.hand) == position.game.hand_size and position.trick and not position.trick.plays:
            willing = [seat for seat in position.speakers if rng.random() < 0.2 and position.judge("stoss", seat)]
            act = position.read("stoss", willing[0]) if willing else position.read(position.legal_plays.choose(rng))
        else:
            act = position.read(position.legal_plays.choose(rng))
        acts.append(act)
        position = position.then(act)
    return Record(start, tuple(acts))


def random_call(position: Position, rng: random.Random) -> str:
    """Bids stay low and few, so that every kind of game comes about."""
    assert isinstance(position.talk, Bidding)
    calls = [call for call in position.legal_calls if call != "sie"]
    if position.talk.step == "bid":
        return rng.choice(calls[:3]) if rng.random() < 0.4 else "pass"
    return rng.choice(calls)


def amount(value: int, sign: str) -> str:
    if sign == "P":
        return f"P {value}"
    return f"{sign} {'-' if value < 0 else ''}{abs(value) // 100},{abs(value) % 100:02d}"


def span(card: str, size: str = "g3") -> str:
    return f'<span class="card-image by {size} {card.replace("Z", "X")}" title="...">...</span>'


def person(seat: int) -> str:
    return f'<a class="avatar" data-userid="1" data-username="{NAMES[seat]}"><img alt="{NAMES[seat]}">{NAMES[seat]}</a>'


def links(seats: Sequence[int]) -> str:
    return ", ".join(f'<a href="#{NAMES[seat]}_Karten">{NAMES[seat]}</a>' for seat in seats) or "-"


def title_of(contract: Bargain | None, runners: int) -> str:
    if contract is None:
        return "Zamgworfen"
    if contract.declarer is None:
        return "Ramsch"
    named = contract.named
    if named.kind == "rufspiel":
        game = f"Sauspiel auf die {CALLED[named.suit or '']}"
    else:
        game = "-".join(filter(None, (TITLE_SUITS.get(named.suit or ""), named.kind.capitalize())))
    game += "-Tout" if named.tout else ""
    return f"{game}{f' mit {runners}' if runners else ''} von {NAMES[contract.declarer]}"


def talk_rows(record: Record) -> list[str]:
    """Who would play, in a first round; then the bids, and last the suit."""
    said: list[tuple[int, str]] = []
    for act, position in record.steps():
        if isinstance(position.talk, Bidding) and position.talk.step == "bid":
            said.append((act.seat, str(act.what)))
    keen = {seat for seat, call in said if call != "pass"}
    rows = [f"{NAMES[seat]}\n   {'dad gern.' if seat in keen else 'sagt weiter.'}\n" for seat in range(4)]
    for seat, call in said:
        if seat in keen:
            words = "lässt den Vortritt." if call == "pass" else f"hätt {WOULD.get(call, f'an {as_written(call)}')}"
            rows.append(f"{NAMES[seat]} {words}")
    contract = record.position.contract
    if isinstance(contract, Bargain) and contract.declarer is not None and contract.named.kind == "rufspiel":
        rows.append(f"{NAMES[contract.declarer]} spielt auf die {CALLED[contract.named.suit or '']} (timeout)")
    return rows


def page_of(record: Record, sign: str = "P") -> str:
    game, position = record.game, record.position
    rules: Rules = game.rules
    contract = position.contract
    assert contract is None or isinstance(contract, Bargain)
    hands = [str(hand).split() for hand in record.start.hands]
    plays = [(act.seat, str(act.what.cards)) for act in record.acts if isinstance(act.what, Play)]
    tricks = [plays[i : i + 4] for i in range(0, len(plays), 4)]
    roles, outcome, runners, payouts = ["Spieler"] * 4, "–", 0, [0] * 4
    winners: list[int] = []
    if contract is not None:
        tariff = {"base": rules.base, "solo": rules.solo, "extra": rules.extra, "ramsch": rules.ramsch}
        tariff["runners_from"] = 2 if contract.named.kind in ("wenz", "geier") else 3
        cards = [[card for _, card in trick] for trick in tricks]
        winners = reference.tricks_of(0, cards, contract.declaration)
        doublings = contract.doubled + len(contract.raised)
        short = rules.deck is PackSize.SHORT
        end = reference.settle(
            hands, contract.declarer, contract.declaration, 0, cards, tariff, doublings, short=short, house=HOUSE
        )
        payouts, runners = end.payouts, end.runners
        if contract.declarer is not None:
            partner = reference.partner_of(hands, contract.declarer, contract.declaration, None)
            side = {contract.declarer: "Spieler", partner: "Mitspieler"}
            roles = [side.get(seat, "Gegenspieler") for seat in range(4)]
            how = "Schwarz" if end.schwarz else "Schneider" if end.schneider else "Normal"
            won = "Gewonnen" if payouts[contract.declarer] > 0 else "Verloren"
            outcome = f"{won} mit {end.points[0]} Augen ({how})"
    doublers = [
        act.seat
        for act, before in record.steps()
        if isinstance(before.talk, Bidding) and before.talk.step == "double" and act.what == "double"
    ]
    special = ["Kurze Karte"] if rules.deck is PackSize.SHORT else []
    special += ["Geier"] if rules.geier is Played.YES else []
    special += ["Farbwenz"] if rules.farbwenz is Played.YES else []
    special += ["Ramsch"] if rules.all_pass is AllPass.RAMSCH else []
    images = "".join(f'<img alt="{rule}" title="{rule}" class="rules__rule" />' for rule in special) or "-"
    prices = " / ".join(amount(price, sign).split(" ")[1] for price in (rules.extra, rules.base, rules.solo))
    rows = {
        "Tarif": f"{sign} {prices}",
        "Sonderregeln": images,
        "Laufende": str(runners) if runners else "–",
        "Spielausgang": outcome,
        "Wert": amount(max(payouts), sign),
        "Klopfer": links(doublers),
        "Kontra und Retour": links(contract.raised if contract else ()),
    }
    people = "".join(
        f'<div class="game-participant">{person(seat)}<div class="game-participant-role muted">\n {roles[seat]}\n<br/>'
        f"<span>{amount(payouts[seat], sign)}</span></div></div>\n"
        for seat in range(4)
    )
    table = "".join(f"<tr><th>{name}</th>\n<td>\n {value}\n</td></tr>\n" for name, value in rows.items())
    dealt = "".join(
        f'<div class="card-row game-protocol-item"><div class="game-participant"><h5>Karten von:</h5>'
        f"{person(seat)}</div><div>{''.join(map(span, hand))}</div></div>\n"
        for seat, hand in enumerate(hands)
    )
    talk = "".join(f'<div class="card-row">\n {row}\n</div>\n' for row in talk_rows(record))
    laid = "".join(
        f'<div class="card"><h4>{number}. Stich</h4><div class="game-protocol-trick"><div class="game-participant">'
        f"<h5>Stich von</h5>{person(winner)}</div>\n<div>"
        + "".join(
            f'<div class="game-protocol-trick-card position-{place}"><a data-username="{NAMES[seat]}">{NAMES[seat]}</a>'
            f"{span(card, 'g1')}</div>\n"
            for place, (seat, card) in enumerate(trick)
        )
        + "</div></div></div>\n"
        for number, (trick, winner) in enumerate(zip(tricks, winners, strict=True), start=1)
    )
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>...</title></head><body><p>{person(2)}\n"
        f'<div><h2 class="h4 title-supertext">...</h2><h1>{title_of(contract, runners)}</h1></div>\n'
        f'<div class="game-participants">{people}</div>\n'
        f'<table class="game-result-table"><tbody>{table}</tbody></table>\n'
        f'<div class="card"><div><h4>Karten werden ausgegeben</h4></div><div>{dealt}</div></div>\n'
        f'<div class="card"><div><h4>Spielermittlung</h4></div><div class="card-rows">{talk}</div></div>\n'
        f"{laid}<script>if (1 < 2) {{}}</script></body></html>\n"
    )


# --- the round trip -------------------------------------------------------------------------------


def test_a_record_comes_back_from_its_page():
    """Every kind of game, both packs, points and money; the page states what the reference makes of the deal."""
    kinds: set[str] = set()
    raised = doubled = 0
    for seed in range(120 * SOAK):
        record = random_record(seed)
        (reading,) = sauspiel.read(page_of(record, "P" if seed % 2 else "€"))
        assert reading.record is not None
        assert str(reading.record) == str(record), seed
        assert str(reading) == "agrees", seed
        contract = record.position.contract
        kinds.add("thrown in" if contract is None else contract.declaration.split()[0])
        if isinstance(contract, Bargain):
            kinds |= {"tout"} if contract.named.tout else set()
            raised, doubled = raised + bool(contract.raised), doubled + bool(contract.doubled)
    assert kinds == {"rufspiel", "solo", "wenz", "farbwenz", "geier", "ramsch", "thrown in", "tout"}
    assert raised and doubled


@cache
def rufspiel() -> Record:
    """The first Rufspiel of the long pack with a Kontra."""
    for seed in range(1000):
        record = random_record(seed)
        contract = record.position.contract
        is_called = isinstance(contract, Bargain) and contract.named.kind == "rufspiel" and contract.raised
        if is_called and record.game.rules.deck is PackSize.LONG:
            return record
    raise AssertionError("no such deal")


def test_no_name_is_left():
    record = rufspiel()
    (reading,) = sauspiel.read(page_of(record))
    for name in NAMES:
        assert name not in str(reading.record)
        assert name not in str(reading)


# --- what is stated, and otherwise ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "instead", "difference"),
    [
        (r"Spieler\s*<br/><span>P (-?)(\d+)", r"Spieler<br/><span>P \g<1>1\2", "payouts: stated"),
        (r"mit (\d+) Augen", "mit 7 Augen", "points: stated 7, found"),
        ("(Normal|Schneider|Schwarz)\\)", lambda found: "Normal)" if found[1] != "Normal" else "Schwarz)", "Schwarz"),
        ("(?s)<th>Laufende</th>.*?</td>", "<th>Laufende</th><td>9</td>", "runners: stated 9, found"),
        ("(?s)<th>Wert</th>.*?</td>", "<th>Wert</th><td>P 3</td>", "value: stated 'P 3', found"),
        (
            "(?s)<th>Kontra und Retour</th>.*?</td>",
            "<th>Kontra und Retour</th><td>-</td>",
            "payouts: stated",
        ),
        ("hätt a Sauspiel", "lässt den Vortritt.", "the talk does not lead to rufspiel"),
    ],
)
def test_what_is_stated_otherwise_is_named(pattern: str, instead: str, difference: str):
    page = re.sub(pattern, instead, page_of(rufspiel()))
    (reading,) = sauspiel.read(page)
    assert str(reading).startswith("differs (")
    assert difference in str(reading)


def test_a_kontra_by_the_wrong_side_is_named():
    contract = rufspiel().position.contract
    assert contract is not None and contract.declarer is not None
    row = f"<th>Kontra und Retour</th><td>{links([contract.declarer])}</td>"
    page = re.sub("(?s)<th>Kontra und Retour</th>.*?</td>", row, page_of(rufspiel()))
    (reading,) = sauspiel.read(page)
    assert f"seat {contract.declarer} is stated to raise the stakes, and may not" in str(reading)


def test_a_trick_taken_by_another_is_named():
    record = rufspiel()
    page = page_of(record)
    winner = re.search('Stich von</h5>.*?data-username="(.*?)"', page)
    assert winner is not None
    other = next(seat for seat in range(4) if NAMES[seat] != winner[1])
    said = page.replace(winner[0], winner[0].replace(f'"{winner[1]}"', f'"{NAMES[other]}"'), 1)
    (reading,) = sauspiel.read(said)
    assert f"trick 1: stated to be taken by seat {other}, found by seat {NAMES.index(winner[1])}" in str(reading)


def test_a_renege_is_a_difference():
    """A page with a card that does not follow suit: the record is there, and the breach is named."""
    record = next(record for record in map(random_record, range(400)) if _reneged(record) is not None)
    wrong = _reneged(record)
    assert wrong is not None
    (reading,) = sauspiel.read(page_of(wrong))
    assert "schafkopf.follow-suit" in str(reading)


def _reneged(record: Record) -> Record | None:
    """The record with the first two cards of the second seat in each other's place, if it still runs and is wrong."""
    mine = [i for i, act in enumerate(record.acts) if act.seat == 1 and isinstance(act.what, Play)][:2]
    if not mine:
        return None
    acts = list(record.acts)
    acts[mine[0]], acts[mine[1]] = acts[mine[1]], acts[mine[0]]
    wrong = Record(record.start, tuple(acts))
    try:
        breaches = judge(wrong).breaches
    except ValueError:
        return None
    return wrong if [breach.rule.id for breach in breaches] == ["schafkopf.follow-suit"] else None


# --- broken pages ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "instead", "why"),
    [
        ("game-participants", "people", "the list 'game-participants' is missing"),
        ("title-supertext", "title", "the line above the title is missing"),
        ("<h1>.*</h1>", "", "the title is missing"),
        ("<h1>.* von", "<h1>Hochzeit von", "'Hochzeit' is no game that we know"),
        ("<h1>(.*) von .*</h1>", "<h1>\\1 von Somebody Else</h1>", "the title is no game that we know"),
        ("(?s)<tr><th>Tarif</th>.*?</tr>", "", "the row 'Tarif' is missing, and this page tells no other price"),
        ("<th>Tarif</th>", "<th>Turnier</th>", "a tournament page tells no other price"),
        (r"P \d+ / \d+ / \d+", "P 10 / 20 / viel", "'P 10 / 20 / viel' is no tariff"),
        ("(?s)<th>Sonderregeln</th>.*?</td>", '<td><img title="Muss"></td>', "the row 'Sonderregeln' is missing"),
        (
            "(?s)<th>Sonderregeln</th>.*?</td>",
            '<th>Sonderregeln</th><td><img title="Muss"></td>',
            "'Muss' is no special rule that we know",
        ),
        (
            "(?s)<th>Sonderregeln</th>.*?</td>",
            '<th>Sonderregeln</th><td><img title="Kurze Karte"></td>',
            "hands of 8 cards do not go with Kurze Karte",
        ),
        ("<th>Klopfer</th>", "<th>Klopft</th>", "the row 'Klopfer' is missing"),
        ("<th>Wert</th>", "<th>Werth</th>", "the row 'Wert' is missing"),
        ("Karten von:", "Karten", "the block 'Karten von:' of seat 0 is missing"),
        ("<h4>Spielermittlung", "<h4>Spiel", "the block 'Spielermittlung' is missing"),
        ("(?s)<h5>Stich von</h5>(.*)<h5>Stich von</h5>", r"<h5>Stich von</h5>\1", "8 blocks 'Stich von' are expected"),
        ("game-protocol-trick-card position-2", "position-2", "trick 1 does not have four cards"),
        ('class="card-image by g3 ..', 'class="card-image by g3 E1', "this shows no card"),
        ("Augen \\(", "Ohren (", "does not say how the game ended"),
        (f"data-username=\"{NAMES[3]}\"", f"data-username=\"{NAMES[0]}\"", "each with another name"),
    ],
)  # fmt: skip
def test_a_broken_page_is_refused_with_its_line(pattern: str, instead: str, why: str):
    page = page_of(rufspiel())
    broken = re.sub(pattern, instead, page, count=1 if pattern.startswith(("game-protocol", "class")) else 0)
    assert broken != page
    with pytest.raises(NotationError) as refused:
        sauspiel.read(broken)
    assert re.match(r"line \d+: ", str(refused.value))
    assert why in str(refused.value)
    for name in (*NAMES, "Somebody Else"):
        assert name not in str(refused.value)


def test_a_card_that_is_not_there_is_refused():
    record = rufspiel()
    page = page_of(record)
    first, second = re.findall(r"card-image by g1 (..)", page)[:2]
    with pytest.raises(NotationError, match=rf"line \d+: seat \d plays {first.replace('X', 'Z')}, and has "):
        sauspiel.read(page.replace(f"g1 {second}", f"g1 {first}", 1))
    hands = re.findall(r"card-image by g3 (..)", page)
    with pytest.raises(NotationError, match=r"line \d+: the hand of seat [1-3]: "):
        sauspiel.read(page.replace(f"g3 {hands[9]}", f"g3 {hands[0]}", 1))


@pytest.mark.parametrize("text", ["<", "<html></html>", "<!-- ", "<div class='game-participants'>"])
def test_other_pages_are_refused(text: str):
    with pytest.raises(NotationError):
        sauspiel.read(text)


@pytest.mark.parametrize("text", ["<a>" * 3_000, "<a>" * 130_000, "<p>" * 1_900 + "</b>" * 50_000, "<" * 100_000])
def test_a_page_of_open_tags_is_refused_in_a_line(text: str):
    with pytest.raises(NotationError, match=r"^line 1: "):
        sauspiel.read(text)


def test_tags_that_are_never_closed_are_read_on():
    page = page_of(rufspiel())
    assert sauspiel.read("<ul>" + "<li>" * 1_500 + page)[0].agrees == sauspiel.read(page)[0].agrees


def test_the_command_refuses_open_tags_in_a_line(tmp_path: Path):
    file = tmp_path / "page.html"
    file.write_text("<a>" * 3_000, encoding="utf-8")
    done = renege_read(file)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


# --- the command ----------------------------------------------------------------------------------


def renege_read(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return renege("read", *arguments)


def test_the_command_reads_a_page(tmp_path: Path):
    record = rufspiel()
    file = tmp_path / "page.html"
    file.write_text(page_of(record), encoding="utf-8")
    done = renege_read(file)
    assert done.returncode == 0, done.stderr
    assert str(parse_record(done.stdout)) == str(record)
    assert renege_read("--check", file).stdout == f"{file}: deal 1: agrees\n"
