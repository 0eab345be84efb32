"""A table that has been played at for long: does what it shows, and the work for it, stay as small as at the start?"""

import random
from collections import Counter

import pytest

from renege.core.registry import find_game
from renege.server.messages import Language
from renege.server.present import state as shown
from renege.server.present.replay import replay
from renege.server.tables import history
from renege.server.tables.bots import first_legal
from renege.server.tables.chance import Source
from renege.server.tables.events import Event, Left, Made, Sat
from renege.server.tables.state import TableState
from renege.server.tables.table import Table

DEALS = 65


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """Many deals of Schafkopf, which is never won."""
    made = Made("schafkopf", find_game("schafkopf").version, {}, ("open", "simple", "simple", "simple"), 0, "g")
    state, rng, log = TableState(made), random.Random(1), list[Event]([made])

    def happen(*happened: Event) -> None:
        for event in happened:
            log.append(event)
            state.go_on(event)

    happen(*state.and_deal(Sat(0, "g", "Zoë"), Source(1)))
    while (deal := state.deal) is not None and not (deal.position.over and deal.number == DEALS):
        if deal.position.over:
            happen(state.next_deal(Source(rng.getrandbits(60))))
            continue
        position, turn = deal.position, deal.position.turn
        assert turn is not None
        what = rng.choice(position.legal_calls) if position.talking else first_legal(position)
        happen(*deal.attempt(turn, what))
    return log


@pytest.fixture
def state(log: list[Event]) -> TableState:
    """As it is found again after a restart."""
    return TableState.replayed(log)


def test_the_score_sheet_has_its_last_lines(state: TableState) -> None:
    score = state.shown("t", 0, state.seating.places({}), "en").score
    assert [line.deal for line in score.lines] == list(range(DEALS - shown.MOST_LINES + 1, DEALS + 1))
    assert score.score == score.lines[-1].score


def test_a_deal_is_read_again_once_whoever_looks(state: TableState, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[str] = Counter()
    judge = shown.judge

    def counting(record: object) -> object:
        read[str(record)] += 1
        return judge(record)  # type: ignore[arg-type]

    monkeypatch.setattr(shown, "judge", counting)
    languages: tuple[Language, ...] = ("en", "de", "zh", "en")
    for name in ("Zoë", "Max", "Zoë", "Eva"):
        state.go_on(Left(0, "g", "Zoë"))
        state.go_on(Sat(0, "g", name))
        for lang in languages:
            seen = state.shown("t", 0, state.seating.places({}), lang)
            assert seen.result is not None and seen.result.text == seen.score.lines[-1].text
    assert len(read) == shown.MOST_LINES and set(read.values()) == {1}
    assert {lang: len(lines) for lang, (_, lines) in state._lines.items()} == dict.fromkeys(("en", "de", "zh"), 60)


def test_what_was_missed_is_told_when_there_is_time_for_it(state: TableState, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    tell = history.format_event
    monkeypatch.setattr(history, "format_event", lambda entry, *more: told.append(entry.number) or tell(entry, *more))
    later = state.history.since(0, 10, state.seating.names, "en")
    number = state.number
    assert len(later) == number - 10 and not told
    state.go_on(Left(0, "g", "Zoë"))
    state.go_on(Sat(0, "g", "Zoë"))
    assert [event.number for event in later()] == told == list(range(11, number + 1))


def test_a_deal_to_look_at_takes_the_others_endings_alone(log: list[Event]) -> None:
    table = Table.replayed(log, "t", None)
    telling = table.played(DEALS)
    assert telling is not None
    played = telling()
    assert len(played.endings) == shown.MOST_LINES
    found = replay(played, ("A", "B", "C", "D"), "en")
    assert (found.deal, found.deals, len(found.score.lines)) == (DEALS, DEALS, shown.MOST_LINES)
    assert found.result == found.score.lines[-1].text
    assert table.played(0) is None and table.played(DEALS + 1) is None
