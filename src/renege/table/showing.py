"""What a table shows: to each seat and to spectators, in each language, once for each time that something changes."""

from typing import TypeAlias

from renege.table import shown
from renege.table.messages import Language, Place, ResultShown, SheetLine, State
from renege.table.story import Story
from renege.words import speech_in


_Told: TypeAlias = tuple[int, Language, tuple[str, ...]]  # a deal, a language, and the names in it


class Showing:
    """The states of one table, kept until it has changed. How a deal ended is kept longer: it takes a replay."""

    def __init__(self, table_id: str, story: Story) -> None:
        self._id = table_id
        self._story = story
        self._states: dict[tuple[int | None, Language], State] = {}
        self._lines: dict[_Told, SheetLine] = {}
        self._results: dict[_Told, ResultShown] = {}  # the last

    def changed(self) -> None:
        self._states.clear()

    def state(self, seat: int | None, lang: Language, places: tuple[Place, ...]) -> State:
        """All that a seat is shown, or a spectator."""
        if (seat, lang) not in self._states:
            story = self._story
            view = story.public() if seat is None else story.view(seat)
            speech = speech_in(lang, story.seating.names)
            self._states[seat, lang] = shown.state(view, seat, self._setting(seat, lang, places), speech)
        return self._states[seat, lang]

    def _setting(self, seat: int | None, lang: Language, places: tuple[Place, ...]) -> shown.Setting:
        story = self._story
        winner = None if story.deal is None else story.deal.winner
        return shown.Setting(
            table=self._id,
            number=story.number,
            deal=story.deal_number,
            places=places,
            lines=self._sheet(lang),
            waiting=story.deal is None,
            may_undo=seat is not None and story.undo_to(seat) is not None,
            result=self._result(lang),
            winner=winner,
        )

    def _result(self, lang: Language) -> ResultShown | None:
        deal, names = self._story.deal, self._story.seating.names
        if deal is None or not deal.position.over:
            return None
        if (deal.number, lang, names) not in self._results:
            result = shown.result_shown(deal.record, deal.winner, speech_in(lang, names))
            self._results = {(deal.number, lang, names): result}
        return self._results[deal.number, lang, names]

    def _sheet(self, lang: Language) -> tuple[SheetLine, ...]:
        """The score sheet of this game, a line a deal."""
        names = self._story.seating.names
        for deal in self._story.sheet:
            if (deal.number, lang, names) not in self._lines:
                line = shown.sheet_line(deal.number, deal.record, speech_in(lang, names))
                self._lines[deal.number, lang, names] = line
        return tuple(self._lines[deal.number, lang, names] for deal in self._story.sheet)
