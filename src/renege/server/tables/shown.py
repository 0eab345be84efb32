"""A cache of what a table shows to each seat and to spectators, in each language, until the next event."""

from typing import TypeAlias

from renege.i18n import Speech
from renege.server.messages import Language, Place, ResultShown, SheetLine, State
from renege.server.present import state as shown
from renege.server.tables.state import TableState

_Names: TypeAlias = tuple[str, ...]


class StateCache:
    """The cached states of one table; the texts of past deals are kept for as long as the names stay the same."""

    def __init__(self, table_id: str, state: TableState) -> None:
        self._id = table_id
        self._state = state
        self._states: dict[tuple[int | None, Language], State] = {}
        self._lines: dict[Language, tuple[_Names, dict[int, SheetLine]]] = {}  # by deal, for those names
        self._results: dict[Language, tuple[tuple[int, _Names], ResultShown]] = {}  # of the last deal

    def changed(self) -> None:
        self._states.clear()

    def state(self, seat: int | None, lang: Language, places: tuple[Place, ...]) -> State:
        """All that a seat is shown, or a spectator."""
        if (seat, lang) not in self._states:
            state = self._state
            view = state.public() if seat is None else state.view(seat)
            speech = Speech(lang, state.seating.names)
            self._states[seat, lang] = shown.state(view, seat, self._setting(seat, lang, places), speech)
        return self._states[seat, lang]

    def _setting(self, seat: int | None, lang: Language, places: tuple[Place, ...]) -> shown.Setting:
        state = self._state
        winner = None if state.deal is None else state.deal.winner
        return shown.Setting(
            table=self._id,
            number=state.number,
            deal=state.deal_number,
            places=places,
            lines=self._sheet(lang),
            waiting=state.deal is None,
            may_undo=seat is not None and state.undo_to(seat) is not None,
            may_claim=seat is not None and state.deal is not None and state.deal.may_claim(seat),
            result=self._result(lang),
            winner=winner,
        )

    def _result(self, lang: Language) -> ResultShown | None:
        deal, names = self._state.deal, self._state.seating.names
        if deal is None or not deal.position.over:
            return None
        kept = self._results.get(lang)
        if kept is None or kept[0] != (deal.number, names):
            result = shown.result_shown(deal.record, deal.ending, deal.winner, Speech(lang, names))
            kept = self._results[lang] = ((deal.number, names), result)
        return kept[1]

    def _sheet(self, lang: Language) -> tuple[SheetLine, ...]:
        """The last lines of the score sheet of this game, a line a deal."""
        names, deals = self._state.seating.names, self._state.sheet[-shown.MOST_LINES :]
        known, lines = self._lines.get(lang, (names, {}))
        told = lines if known == names else {}
        game, speech = self._state.game, Speech(lang, names)
        now = {
            deal.number: told.get(deal.number) or shown.sheet_line(game, deal.number, deal.ending, speech)
            for deal in deals
        }
        self._lines[lang] = (names, now)
        return tuple(now.values())
