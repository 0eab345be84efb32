"""The contest judge: the published program's wrong answers put right, the literal reference, speed, and bad text."""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from reference import tractor as reference
from reference import tractor_round
from renege.core.notation import NotationError
from renege.games.tractor.order import order
from renege.games.tractor.spoj import judge, kitty_times, read_blob, winner_of
from support.command import renege
from support.steering import SOAK
from support.tractor_rounds import Round, play_round

NAMES = ["Alice", "Bob", "Charles", "David"]


def code(cards: Sequence[str], rng: random.Random | None = None) -> str:
    """Cards as the problem writes them, in any order; the second letter of a joker says nothing."""
    second = rng.choice("JO5K") if rng else "J"
    words = [{"LJ": f"B{second}", "BJ": f"R{second}"}.get(card, card) for card in cards]
    if rng:
        rng.shuffle(words)
    return "".join(words)


# --- the tricks that the published program gets wrong ---------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        pytest.param(["HQHQHJHJHK", "S3S3S8S8S6"], 0, id="W1 no tractor in the ruff"),
        pytest.param(["HQHQHJHJHK", "S3S3S4S4S6"], 1, id="W2 a tractor in the ruff"),
        pytest.param(["HQHQHJHJHTHTHK", "S3S3S4S4S5S5S7"], 1, id="W3"),
        pytest.param(["HAHAHKHQ", "C3D4C6D7", "S5S5S7S8", "S3S3S9S9"], 3, id="W4 the highest pair counts"),
        pytest.param(["HAHAHQHQ", "C2D2C2D2"], 1, id="W5 the order of the cards does not matter"),
        pytest.param(["HAHAHQHQ", "C2C2D2D2"], 1, id="W5 sorted"),
        pytest.param(["HAHAHKHKHQHQH9H9", "SASAH2H2D2D2S2S2"], 1, id="W6 a run of three past the level step"),
        pytest.param(["H3H3H4H4H5H5H7H7H8H8HTHTHJHJ", "S3S3S4S4S5S5S6S6S8S8S9S9STST"], 1, id="W7"),
    ],
)
def test_the_exact_play_takes_the_trick(plays: list[str], winner: int):
    size = len(plays[0])
    discards = ["C3C4C6C7C8C9CTCJCQCKCAD3D4D6D7"[:size], "D8D9DTDJDQDKDAC3C4C6C7C8C9CTCJ"[:size]]
    blobs = [read_blob(play) for play in (plays + discards)[:4]]
    assert winner_of(order("S2"), blobs) == winner


@pytest.mark.parametrize(
    ("lead", "times"),
    [("HK", 2), ("HKHK", 4), ("HQHQHJHJHK", 16), ("HQHQHJHJHTHTHK", 64), ("HAHAHQHQ", 4), ("HAHKHQ", 2)],
)
def test_the_kitty_counts_by_the_longest_unit(lead: str, times: int):
    assert kitty_times(order("S2"), read_blob(lead)) == times


def finish(last: list[str]) -> list[str]:
    """A round that ends with this trick, 80 points in the kitty; Alice leads to all tricks and wins those before."""
    used = [card for play in last for card in [play[i : i + 2] for i in range(0, len(play), 2)]]
    free = [card for card in reference.CARDS for _ in range(2)]
    for card in used:
        free.remove(card)
    for card in [card for card in free if card[0] in "CDH" and card[1] in "TK"][:8]:
        free.remove(card)
    free.sort(key=lambda card: (reference.suit(card, "S2") == "T", reference.step(card, "S2")))
    lines: list[str] = []
    while free:
        lines.append(" ".join(code([card]) for card in (free.pop(), *[free.pop(0) for _ in range(3)])))
    return ["1", "S Alice 2 2", *lines, " ".join(last)]


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        pytest.param(["HQHQHJHJHK", "S3S3S8S8S6", "C3C4C6C7D3", "D4D6D7D8C8"], ["0", "5 2 Charles"], id="W1"),
        pytest.param(
            ["HQHQHJHJHK", "S3S3S4S4S6", "C3C4C6C7D3", "D4D6D7D8C8"], [f"{10 + 80 * 16}", "Winner: Team 2"], id="W2"
        ),
        pytest.param(
            ["HQHQHJHJHTHTHK", "S3S3S4S4S5S5S7", "C3C4C6C7D3D4D6", "D4D6D7D8C8C9CJ"],
            [f"{40 + 80 * 64}", "Winner: Team 2"],
            id="W3",
        ),
        pytest.param(["HAHAHKHQ", "C3D4C6D7", "S5S5S7S8", "S3S3S9S9"], [f"{20 + 80 * 4}", "2 8 Bob"], id="W4"),
        pytest.param(["HAHAHQHQ", "C2D2C2D2", "C3D4C6D7", "C4D6C7D8"], [f"{80 * 4}", "2 8 Bob"], id="W5"),
        pytest.param(
            ["HAHAHKHKHQHQH9H9", "SASAH2H2D2D2S2S2", "C3C4C6C7D3D4D6D7", "C8C9CJCQD8D9DJDQ"],
            [f"{20 + 80 * 64}", "Winner: Team 2"],
            id="W6",
        ),
    ],
)
def test_the_last_trick_is_judged_exactly(last: list[str], answer: list[str]):
    assert list(judge(finish(last))) == ["Case #1:", *answer]


# --- rounds of the literal reference --------------------------------------------------------------


def write_round(rng: random.Random, most: int = 6) -> tuple[str, Round]:
    """The text of a round, and the round."""
    deal = play_round(rng, most)
    trump = reference.trump_suit(deal.declaration) or "O"
    lines = [f"{trump} {NAMES[deal.leader]} {deal.levels[0]} {deal.levels[1]}"]
    lines += [" ".join(code(play, rng) for play in plays) for plays in deal.tricks]
    return "\n".join(lines), deal


def write_end(end: tractor_round.Score) -> list[str]:
    stand = f"{end.levels[0]} {end.levels[1]} {NAMES[end.banker]}"
    return [str(end.attackers), stand if end.winner is None else f"Winner: Team {end.winner + 1}"]


def test_rounds_end_as_the_reference_says():
    number = 150 * SOAK
    rounds = [write_round(random.Random(seed)) for seed in range(number)]
    text = "\n".join([str(number), *(lines for lines, _ in rounds)])
    expected = [line for k, (_, deal) in enumerate(rounds, start=1) for line in (f"Case #{k}:", *write_end(deal.score))]
    assert list(judge(text.splitlines())) == expected


def test_two_thousand_rounds_are_judged_from_the_command_line(tmp_path: Path):
    rounds = [write_round(random.Random(seed), most=1 if seed % 2 else 6)[0] for seed in range(200)]
    file = tmp_path / "rounds.txt"
    file.write_text("\n".join(["2000", *(rounds * 10)]))
    done = subprocess.run([sys.executable, "-m", "renege", "spoj", file], capture_output=True, text=True, check=True)
    assert done.stdout.count("Case #") == 2000


# --- bad text -------------------------------------------------------------------------------------

GOOD = write_round(random.Random(5), most=1)[0].splitlines()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1, column 1: the text ends where the number of cases should stand"),
        ("many", "line 1, column 1: 'many' is no number of cases"),
        ("-1", "line 1, column 1: '-1' is no number of cases"),
        (f" {'9' * 5000}", "line 1, column 2: '99999"),
        (f" {'9' * 5000}", "are too many cases: the number has 5000 digits"),
        ("\ufeffmany", "line 1, column 1: 'many' is no number of cases"),
        ("0\n\ufeff", "line 2, column 1: '\\ufeff' stands after the last of 0 cases"),
        ("1\n", "line 1, column 2: the text ends where the trump suit of case 1 should stand"),
        ("1\nX Alice 2 2", "line 2, column 1: 'X' is no trump suit: S H C D O"),
        ("1\nS Alicia 2 2", "line 2, column 3: 'Alicia' is no player"),
        ("1\nS Alice 2 1", "line 2, column 11: '1' is no level"),
        ("1\nS Alice 2 2\nSA SK\tS3 S1", "line 3, column 10: 'S1' is no card"),
        ("1\nS Alice 2 2\nSASA SKSK SQS", "line 3, column 13: 'S' is no card"),
        ("1\nS Alice 2 2\nSASA SK", "line 3, column 6: 'SK' has 1 cards, and 2 were led"),
        ("1\nS Alice 2 2\nSASASA", "line 3, column 5: 'SA' comes three times"),
        ("1\nS Alice 2 2\nSASA SKSK S3S3 S4S4\nSA", "line 4, column 1: 'SA': SA comes three times in case 1"),
        ("1\nS Alice 2 2\nSA SK", "line 3, column 6: the text ends where the play of Charles in trick 1 of case 1"),
        ("\n".join(["1", *GOOD[:-1]]), "in trick 25 of case 1 should stand"),
        ("\n".join(["1", *GOOD, "S2"]), "line 28, column 1: 'S2' stands after the last of 1 cases"),
        ("\n".join(["2", *GOOD]), "the text ends where the trump suit of case 2 should stand"),
        ("1\nS Alice 2 2\n\N{SNOWMAN}2", "line 3, column 1: '\N{SNOWMAN}2' is no card"),
    ],
)
def test_bad_text_is_refused_with_its_place(text: str, says: str):
    with pytest.raises(NotationError) as wrong:
        list(judge(text.splitlines()))
    assert says in str(wrong.value)


def test_the_command_says_it_in_one_line():
    done = renege("spoj", text="1\nS Alice 2 2\nSA SX")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "renege: line 3, column 4: 'SX' is no card; write it like S2, HT or, for jokers, RJ and BJ\n"


def test_a_byte_order_mark_is_no_fault():
    lines = ["1", *GOOD]
    assert list(judge(["\ufeff1", *GOOD])) == list(judge(lines))
    text = b"\xef\xbb\xbf" + "\r\n".join(lines).encode()
    done = subprocess.run([sys.executable, "-m", "renege", "spoj"], input=text, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_cards_may_stand_on_any_lines_and_levels_may_be_ten():
    head, *tricks = GOOD
    trump, leader, *_ = head.split()
    spread = "\r\n".join(["1", trump, f"{leader} 10 T", *" ".join(tricks).split()])
    assert list(judge(spread.splitlines())) == list(judge(["1", f"{trump} {leader} T T", *tricks]))
