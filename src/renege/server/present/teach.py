"""What a seat is taught: the verdict on what it thinks of doing, a hint, and what it may believe.

All of it is worked out from the seat's view alone. These are plain functions of plain values, so that they can run in
another process than the table.
"""

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from renege.agents.best import best_player
from renege.agents.searcher import describe_doubt
from renege.belief import Belief, NoWorldLeft, TooManyStates
from renege.core.cards import Card
from renege.core.facts import Fact, Holds, format_fact
from renege.core.game import KITTY
from renege.core.notation import NotationError
from renege.core.position import View
from renege.core.trick import Play
from renege.core.verdict import Verdict, WrongPhase
from renege.games.strategy import Advice, Option, strategy_of
from renege.games.words import words_of
from renege.i18n import Message, Speech, join, say
from renege.nets import Likes
from renege.search import ONLY
from renege.search.review import same
from renege.search.study import Study
from renege.server.messages import Language, Refusal
from renege.server.present.hand import held, held_text, order_of
from renege.server.present.leads import belief_of, is_throw, units_of
from renege.server.present.state import plain
from renege.server.teaching import BeliefShown, Check, Estimate, FriendSought, Hint, Liked, Whereabouts

MOST_LIKED, LEAST_LIKED = 4, 0.01  # options that a network is asked for, and the share that one must have

# -- would it be legal?


def check(view: View, what: str, language: Language, names: Sequence[str]) -> Check:
    """What the arbiter would say of a call or play of this seat, and for a lead, which of its units are safe."""
    speech = Speech(language, names)
    try:
        verdict = view.position.judge(what, view.seat)
    except WrongPhase as wrong:
        return _refused(Refusal(code="turn", text=speech.say(plain(wrong))))
    except NotationError as wrong:
        return _refused(Refusal(code="notation", text=speech.say(str(wrong))))
    play = _lead(view, what)
    units = [] if play is None else units_of(view, play, speech)
    return Check(
        legal=verdict.legal,
        text=speech.say(say("{play} is legal", _called(view, verdict.said)) if verdict.legal else verdict.why),
        why=_why(verdict, speech),
        units=units,
        stands=None if play is None or verdict.legal is False else _stands(view, play),
    )


def _refused(why: Refusal) -> Check:
    return Check(legal=False, text=why.text, why=why, units=[], stands=None)


def _lead(view: View, what: str) -> Play | None:
    """The play, if it is this seat's lead."""
    position = view.position
    if not view.my_turn or position.order is None or position.trick is None or position.trick.lead is not None:
        return None
    try:
        return view.game.read_play(what, position.order)
    except NotationError:  # a call beside the play
        return None


def _stands(view: View, play: Play) -> float | None:
    """How likely a throw stands; None where it is none, or where that cannot be counted."""
    if not is_throw(view.position, play):
        return None
    try:
        return belief_of(view).stands(play)
    except ValueError:
        return None


def _why(verdict: Verdict, speech: Speech) -> Refusal | None:
    if verdict.legal is not False or verdict.rule is None:
        return None
    return Refusal(
        code="illegal",
        text=speech.say(verdict.why),
        rule=verdict.rule.id,
        sentence=speech.say(verdict.rule.sentence),
        instead=verdict.instead or "",
    )


def _called(view: View, said: str) -> str:
    """A call or play as it was said, to be translated where the words of the game have the same for it."""
    return call if (call := words_of(view.game).call(said)) == said else said


# -- what would be good?


def hints(view: View, ms: float, seed: int, language: Language, names: Sequence[str]) -> tuple[Hint, Hint]:
    """Advice for the seat: first only the group that it comes from, then the play with what each option is worth.

    Both come of one study by the best player: a second one, on a busier machine, might prefer something else.
    """
    speech = Speech(language, names)
    try:
        by, study = _study(view, ms, seed)
    except WrongPhase as wrong:
        raise WrongPhase(speech.say(plain(wrong))) from None
    best, found, likes = study.advice.what, study.found, study.likes
    nouns, cards = _group(view, best)
    group = speech.say(join(", ", nouns))
    play = Hint(
        step=2,
        group=group,
        cards=_cards_of(view, best),
        what=view.position.spell(best),
        text=speech.say(_named(view, best)),
        why=speech.say(_reason(view, study)),
        alone="" if found is None or len(found.estimates) > 1 else speech.say(found.stopped),
        unit="" if found is None else speech.say(found.unit),
        estimates=[_estimate(view, option, study, speech) for option in _options(study)],
        network=None if likes is None else _liked(view, likes, speech),
        by=speech.say(by),
    )
    return Hint(step=1, group=group, cards=cards), play


def _study(view: View, ms: float, seed: int) -> tuple[str, Study]:
    """How the best player plays, and what it makes of the decision; out of turn, what the rules of thumb say to it."""
    position, strategy = view.position, strategy_of(view.game)
    if not view.my_turn:
        said = strategy.interject(view) if view.seat in position.speakers else None
        if said is None and view.seat not in position.speakers:
            raise WrongPhase(say("it is not the turn of {seat}", view.seat))
        return "", Study(Advice("pass", "nothing has to be said") if said is None else said)
    if position.talking and position.talk is not None and position.talk.on_kitty:
        raise WrongPhase("nobody chooses now, for the kitty names trumps")
    player = best_player(view.game, ms)
    return player.describe("advice {how}"), player.study(view, random.Random(seed))


def _options(study: Study) -> list[Option]:
    """What is shown, the advised option first: those that were tried or, where nothing was, what the network likes."""
    best, found, likes = study.advice.what, study.found, study.likes
    shown = [] if found is None else [one.option for one in found.estimates]
    if likes is not None and len(shown) < 2 and (found is None or found.stopped != ONLY):
        shown += [option for option, _ in likes.likeliest(MOST_LIKED, at_least=LEAST_LIKED)]
    first = [best] if shown else []
    return first + [
        option for place, option in enumerate(shown) if not any(same(option, o) for o in [best, *shown[:place]])
    ]


def _estimate(view: View, option: Option, study: Study, speech: Speech) -> Estimate:
    tried = () if study.found is None else study.found.estimates
    found = next((one for one in tried if same(one.option, option)), None)
    return Estimate(
        what=view.position.spell(option),
        text=speech.say(_named(view, option)),
        mean=None if found is None else _known(found.mean),
        low=None if found is None else _known(found.low),
        high=None if found is None else _known(found.high),
        worlds=0 if found is None else found.worlds,
        share=None if study.likes is None else study.likes.of(option),
    )


def _liked(view: View, likes: Likes, speech: Speech) -> Liked:
    best = likes.best
    return Liked(what=view.position.spell(best), text=speech.say(_named(view, best)), share=likes.of(best) or 0.0)


def _reason(view: View, study: Study) -> str:
    """The rule of thumb behind the advice; where the player has found another, that it did, and why.

    Where the table shows another option with a higher mean, why this one stands before it.
    """
    policy, found, best = strategy_of(view.game).policy, study.found, study.advice.what
    if not view.my_turn or policy is None:
        return study.advice.why
    usual = policy(view)
    if same(usual.what, best):
        why = _thumb(usual)
    elif found is not None and any(same(one.option, usual.what) for one in found.estimates):
        why = say("on average better than {option}, which the rule of thumb would choose", _named(view, usual.what))
    else:
        why = study.advice.why
    if found is None or len(found.estimates) == 1:
        return why
    return why if found.rival is None else join("; ", (why, describe_doubt(found, _named(view, found.rival.option))))


def _thumb(usual: Advice) -> str:
    """A rule of thumb, without where in a flowchart it stands."""
    return str(usual.why.slots["why"]) if isinstance(usual.why, Message) and "node" in usual.why.slots else usual.why


def _named(view: View, option: Option) -> str:
    """An option as it is named in a sentence."""
    return words_of(view.game).call(option) if isinstance(option, str) else view.position.spell(option)


def _group(view: View, option: Option) -> tuple[list[str], list[str]]:
    """The group that an option comes from, in words (or the suits of it), and all cards of it in the hand."""
    order = order_of(view.position)
    if isinstance(option, Play):
        suits = dict.fromkeys(order.led_suit[card] for card in held(order, option.cards))
        mask = sum(order.leads[suit] for suit in suits)
        return [order.nouns[suit] for suit in suits], held_text(order, view.hand.only(mask))
    verb = option.split()[0]
    if verb not in ("bury", "give"):
        return [words_of(view.game).call_group(view.position, option)], []
    suits = [order.led_suit[order.deck.spellings[card]] for card in _cards_of(view, option)]
    most = max(suits, key=suits.count)
    what = "cards to bury" if verb == "bury" else f"a {view.game.deck.noun} to give"
    return [what, order.nouns[most]], held_text(order, view.hand.only(order.leads[most]))


def _cards_of(view: View, option: Option) -> list[str]:
    if isinstance(option, Play):
        return held_text(order_of(view.position), option.cards)
    verb, _, cards = option.partition(" ")
    return cards.split() if verb in ("bury", "give", "show") else []


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


# -- what may be believed?


def belief(view: View, language: Language, names: Sequence[str]) -> BeliefShown:
    """Where each card that the seat has not seen may be, how likely, and the evidence behind it."""
    speech = Speech(language, names)
    try:
        found = belief_of(view)
    except TooManyStates:
        raise ValueError(speech.say("there are more deals here than can be counted")) from None
    except NoWorldLeft as none:
        raise ValueError(speech.say(str(none))) from None
    order = order_of(view.position)
    piles = [pile for pile in found.compiled.piles if pile >= KITTY]
    sizes = dict(zip(found.compiled.piles, found.compiled.problem.sizes, strict=True))
    copies = dict(zip(found.compiled.problem.kinds, found.compiled.problem.copies, strict=True))
    unseen = held(order, order.deck.of(sum(1 << kind for kind, number in copies.items() if number)))
    evidence = _evidence(found, piles, speech)
    return BeliefShown(
        seat=view.seat,
        piles=[_pile(pile) for pile in piles],
        sizes={_pile(pile): sizes[pile] for pile in piles},
        deals=str(int(found.count())),
        exact=found.exact,
        cards=[
            Whereabouts(
                card=order.deck.names[kind],
                suit=order.suits[order.led_suit[kind]],
                unseen=copies[kind],
                odds={_pile(pile): odds[pile] for pile in piles},
                why=evidence.get(kind, []),
            )
            for kind in unseen
            for odds in [found.odds(kind)]
        ],
        facts=[speech.say(format_fact(fact, view.position.order)) for fact in _news(view.facts())],
        **_friends(found),
    )


def _friends(found: Belief) -> dict[str, Any]:
    """Who may join the banker, where cards decide it and a place is open."""
    odds = found.friends()
    if odds is None:
        return {}
    names = found.view.game.deck.names
    return {
        "friends": [
            FriendSought(
                name=one.place.name,
                card=names[one.place.card],
                holds={str(seat): share for seat, share in one.holds.items()},
                takes={str(seat): share for seat, share in one.takes.items()},
                nobody=one.nobody,
            )
            for one in odds.places
        ],
        "team": {str(seat): share for seat, share in odds.team.items()},
    }


def _pile(pile: int) -> str:
    return "kitty" if pile == KITTY else str(pile)


def _news(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts less those that say again, of a later trick, what a hand cannot have got back since."""
    known: set[Fact] = set()
    for fact in facts:
        timeless = replace(fact, trick=0)
        if isinstance(fact, Holds) or timeless not in known:
            known.add(timeless)
            yield fact


def _evidence(found: Belief, piles: Sequence[int], speech: Speech) -> dict[Card, list[str]]:
    """Why a card cannot be in a pile: the fact that bars it, or that no deal has it there; and where it must be."""
    lines: dict[Card, list[str]] = {}
    barred: set[tuple[int, Card]] = set()
    for fact, kinds in found.compiled.used:
        sentence = speech.say(format_fact(fact, found.view.position.order))
        for kind in kinds:
            if (fact.seat, kind) not in barred:  # the first fact will do
                lines.setdefault(kind, []).append(sentence)
                barred.add((fact.seat, kind))
    odds = found.worlds.odds()
    for place, kind in enumerate(found.compiled.problem.kinds):
        for hand, pile in enumerate(found.compiled.piles):
            if pile not in piles or not found.compiled.problem.copies[place] or (pile, kind) in barred:
                continue
            if deals := "no" if not odds[place, hand, 1:].any() else "every" if not odds[place, hand, 0] else "":
                there = f"{deals} deal that fits has it with the kitty"
                there = there if pile == KITTY else say(f"{deals} deal that fits has it with {{seat}}", pile)
                lines.setdefault(kind, []).append(speech.say(there))
    return lines
