"""The command `renege hint`: what the seat to move should do, and why."""

import json
import math
import random
from collections.abc import Iterable
from typing import Annotated, Any

from typer import Option

from renege.agents.best import Adviser
from renege.belief.belief import Belief, name_pile
from renege.cli.adviser import AgentOption, adviser
from renege.cli.arguments import (
    ActsOption,
    DealOption,
    JsonOption,
    RecordArgument,
    SeedOption,
    WorldsOption,
    record_of,
)
from renege.cli.output import show_table
from renege.core.cards import Card
from renege.core.game import KITTY, MOST
from renege.core.notation import NotationError
from renege.core.position import View, evidence_of
from renege.core.trick import Play
from renege.games.strategy import Option as Choice
from renege.games.strategy import strategy_of
from renege.search import ONLY, Estimate, Findings
from renege.search.review import same
from renege.search.study import Study

HIGH_CARDS = 6  # whose whereabouts a hint tells
LEADS = 3  # whose odds to stand a hint tells
DIGITS = 2  # of a pay
MOST_LIKED, LEAST_LIKED = 4, 0.005  # options that a network is asked for, and the share that one must have


def hint(
    file: RecordArgument,
    seat: Annotated[int | None, Option(min=0, max=MOST - 1, help="whose view (default: the seat to move)")] = None,
    ms: Annotated[float, Option(min=1, help="milliseconds of search")] = 1000,
    worlds: WorldsOption = None,
    device: Annotated[str, Option(help="where to compute: cpu or gpu")] = "cpu",
    agent: AgentOption = None,
    acts: ActsOption = None,
    deal: DealOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Advise the seat to move, from what it has seen alone, and say why.

    The advice is that of the best player: the search on the network where there is one for these house rules, else the
    search of open hands. Each option is tried in the same worlds, deals that fit all that the seat has seen; the
    estimate is what it wins on average, with the 95 % interval of that, and how far it is behind the best where both
    were tried. Beside it stands how likely the network would take it. Below stands what the rules of thumb say, and
    where the high cards are, by exact count.

    \b
    Examples:
      renege hint game.txt
      renege hint game.txt --seat 2 --acts 20 --ms 3000
      renege hint game.txt --agent searcher:500ms
    """
    record = record_of(file, deal, acts)
    turn, seats = record.position.turn, record.game.all_seats
    if seat is not None and seat not in seats:
        raise NotationError(f"--seat is {seats[0]} to {seats[-1]} in this game, and not {seat}")
    if turn is None:
        raise NotationError("the deal is over: nobody is to move; --acts looks back")
    if seat not in (None, turn):
        raise NotationError(f"it is the turn of seat {turn}, not of seat {seat}; --acts looks back")
    view = record.view(turn)
    by = adviser(agent, view.game, ms, worlds, device)
    study = by.study(view, random.Random(seed))
    reasons = list(_reasons(view, by, study))
    if as_json:
        print(json.dumps(_hint_json(view, by, study, reasons)))
    else:
        _show_hint(view, by, study, reasons)


def _show_hint(view: View, by: Adviser, study: Study, reasons: list[str]) -> None:
    does, spell, found = "call" if view.position.talking else "play", view.position.spell, study.found
    print(f"seat {view.seat} to {does}, holding {view.hand}")
    if found is None or len(found.estimates) == 1:
        alone = found is not None and same(found.best.option, study.advice.what)
        print(f"{spell(study.advice.what)}: {found.stopped if found is not None and alone else study.advice.why}")
        if study.likes is not None and (found is None or found.stopped != ONLY):
            liked = study.likes.likeliest(MOST_LIKED, at_least=LEAST_LIKED)
            show_table((does, "network"), [(spell(option), _percent(share)) for option, share in liked])
    else:
        _show_estimates(view, study, found)
    print(by.describe("advice {how}"))
    for reason in reasons:
        print(reason)


def _show_estimates(view: View, study: Study, found: Findings) -> None:
    does, spell, advice = "call" if view.position.talking else "play", view.position.spell, study.advice
    first = [one for one in found.estimates if same(one.option, advice.what)]
    ranked = [*first, *(one for one in found.estimates if one not in first)]
    rows = [
        (spell(one.option), *_estimate(one), str(one.worlds), *_liked(study, one.option), "~" * _ahead(one))
        for one in ranked
    ]
    if first:
        rows[0] = (*rows[0][:-1], "best")
    else:
        rows.insert(0, (spell(advice.what), "", "", "", "", *_liked(study, advice.what), "best"))
    network = ("network",) if study.likes is not None else ()
    show_table((does, found.unit, "95 % interval", "behind", "worlds", *network, ""), rows)
    if any(map(_ahead, found.estimates)):
        usual = found.best.option == found.usual
        print(f"~ ahead, but not clearly, and so {'the usual' if usual else 'what is ahead by points'} stays first")
    print(f"{found.worlds} world{'s' * (found.worlds != 1)} in {found.seconds:.2f} s: {found.stopped}")


def _liked(study: Study, option: Choice) -> tuple[str, ...]:
    """The cell that has how likely the network takes an option; no cell where there is no network."""
    return () if study.likes is None else (_percent(study.likes.of(option)),)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def _ahead(estimate: Estimate) -> bool:
    """Did an option come to more than the one that is put first, by as much as is shown?"""
    return round(estimate.behind, DIGITS) < 0


def _estimate(estimate: Estimate) -> tuple[str, str, str]:
    if math.isnan(estimate.mean):
        return "", "", ""
    within = f"{estimate.low:+.2f} to {estimate.high:+.2f}" if math.isfinite(estimate.low) else "unknown"
    behind = round(estimate.behind, DIGITS)
    return f"{estimate.mean:+.2f}", within, f"{behind:.{DIGITS}f}" if behind else ""


def _hint_json(view: View, by: Adviser, study: Study, reasons: list[str]) -> dict[str, Any]:
    spell, found, likes = view.position.spell, study.found, study.likes
    told: dict[str, Any] = {
        "seat": view.seat,
        "hand": str(view.hand),
        "advice": spell(study.advice.what),
        "by": by.agent.name,
        "options": [
            {
                "option": spell(estimate.option),
                "mean": _number(estimate.mean),
                "low": _number(estimate.low),
                "high": _number(estimate.high),
                "behind": _number(estimate.behind),
                "worlds": estimate.worlds,
                "network": None if likes is None else likes.of(estimate.option),
            }
            for estimate in (() if found is None else found.estimates)
        ],
        "why": reasons,
    }
    if likes is not None:
        likely = likes.likeliest(MOST_LIKED, at_least=LEAST_LIKED)
        told["network"] = [{"option": spell(option), "share": share} for option, share in likely]
    if found is not None:
        told |= {"unit": found.unit, "worlds": found.worlds, "seconds": found.seconds, "stopped": found.stopped}
    return told


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _reasons(view: View, by: Adviser, study: Study) -> Iterable[str]:
    """What network and rules of thumb say, and what is known of the cards that matter."""
    if study.likes is not None and (study.found is None or study.found.stopped != ONLY):
        best = study.likes.best
        yield f"network: {view.position.spell(best)}, {_percent(study.likes.of(best))} sure"
    policy = strategy_of(view.game).policy
    if policy is not None:
        usual = policy(view)
        agrees = "" if same(usual.what, study.advice.what) else " instead"
        yield f"rules of thumb: {view.position.spell(usual.what)}{agrees}, {usual.why}"
    if view.position.order is None or view.position.talking:
        return
    belief = Belief(view)
    yield f"beliefs: {belief.count():,} deals fit what seat {view.seat} has seen"
    cards = _high_cards(belief)
    if not cards and view.position.trick is not None and view.position.trick.plays:
        yield "  no card that is out beats what lies on the table"
    by_place: dict[str, list[str]] = {}
    for card in cards:
        by_place.setdefault(_whereabouts(belief, card, view.seat), []).append(view.game.deck.names[card])
    of = "copies of " if view.game.deck.copies > 1 else ""
    yield from (f"  {of}{' '.join(names)}: {where}" for where, names in by_place.items())
    if study.found is not None:
        yield from _throws(belief, study.found)


def _whereabouts(belief: Belief, card: Card, seat: int) -> str:
    """Where a card is that this seat does not hold: how likely or, in a deck of two packs, how many of it."""
    found = [(-round(share, 4), pile) for pile, share in belief.odds(card).items() if share >= 0.0005]
    likely = sorted(found, key=lambda one: (one[0], one[1] == KITTY, one[1]))  # of equals the kitty last
    two = belief.view.game.deck.copies > 1
    shown = [(pile, f"{-share:.2f}" if two else f"{-100 * share:.0f} %") for share, pile in likely]
    return ", ".join(f"{name_pile(pile)} {share}" for pile, share in shown if pile != seat)


def _high_cards(belief: Belief) -> list[Card]:
    """The cards out that matter most: those that beat what lies on the table, else the highest, trumps first."""
    view, problem = belief.view, belief.compiled.problem
    order, trick = view.position.order, view.position.trick
    assert order is not None and trick is not None
    out = [kind for kind, copies in zip(problem.kinds, problem.copies, strict=True) if copies]
    ahead = trick.plays[trick.best].cards.single() if trick.plays else None
    lead = trick.lead.cards.single() if trick.lead is not None else None
    if ahead is not None and lead is not None and trick.lead is not None:
        led = order.led_suit[lead] if trick.lead.suit is None else trick.lead.suit
        out = [card for card in out if order.strength[led][card] > order.strength[led][ahead]]
    return sorted(out, key=lambda card: -order.strength[order.led_suit[card]][card])[:HIGH_CARDS]


def _throws(belief: Belief, found: Findings) -> Iterable[str]:
    """How likely the best leads of several cards stand, where others may stop them."""
    view = belief.view
    needs = evidence_of(view.game).stands
    if needs is None or view.position.trick is None or view.position.trick.plays:
        return
    leads = [
        one.option for one in found.estimates[:LEADS] if isinstance(one.option, Play) and len(one.option.cards) > 1
    ]
    for lead in leads:
        if not needs(view.position, lead):
            continue
        try:
            yield f"  {lead} stands: {100 * belief.stands(lead):.0f} %"
        except ValueError as cannot:  # a table of many hands that would be too large
            yield f"  {lead} stands: {cannot}"
