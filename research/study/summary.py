"""Which of the paper's claims hold? A row for each: what it says, whether it does, and what was measured."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import factorial

import numpy as np

from study import claims
from study.paper import MOST_CARDS, ZONES
from study.run import Study

Row = tuple[str, str, str]
CHANCE = 3.0  # standard errors that chance may do
MILLISECOND = 1e-3


def percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f} %"


def percents(shares: Iterable[float], digits: int = 2) -> str:
    """`52.67, 34.66 and 12.67 %`."""
    *first, last = (f"{100 * share:.{digits}f}" for share in shares)
    return f"{', '.join(first)} and {last} %" if first else f"{last} %"


def seconds(time: float) -> str:
    """A time in the unit that suits it.

    >>> seconds(0.00114), seconds(13e-9), seconds(2.5)
    ('1.14 ms', '13 ns', '2.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if time >= size:
            return f"{time / size:.3g} {unit}"
    return f"{time / 1e-9:.3g} ns"


def claim_rows(study: Study) -> tuple[Row, ...]:
    return (*_the_experiment(study), *_the_search(study), *_the_cutting(study), *_the_rest(study))


def _yes(holds: bool) -> str:
    return "yes" if holds else "**no**"


def _rises(values: Sequence[float]) -> bool:
    return all(before < after for before, after in pairwise(values))


def _the_experiment(study: Study) -> Sequence[Row]:
    found = study.experiment
    real = study.real.trump_leads
    by_zone = [found.exact.tractor_share(low, high) for low, high in ZONES]
    pooled = [found.exact.pooled_tractor_share(low, high) for low, high in ZONES]
    sizes = found.exact.blocks_by_size
    return (
        (
            f"{percents(claims.ZONE_SHARES)} of leads have up to 9, 10 to 12 and more blocks",
            _yes(all(abs(share.printed_z) < CHANCE and abs(share.z) < CHANCE for share in found.zones)),
            f"drawn {percents(share.drawn for share in found.zones)}; exact "
            f"{percents((share.exact for share in found.zones), 3)}",
        ),
        (
            f"tractors are {percent(claims.TRACTOR_SHARE)} of the blocks, {percent(claims.TRACTOR_SHARE_HIGH)} from 10 "
            "blocks on",
            _yes(all(abs(share.printed_z) < CHANCE for share in (found.tractors, found.tractors_high))),
            "as the mean over leads of each lead's share: drawn "
            f"{percents((found.tractors.drawn, found.tractors_high.drawn))}; exact "
            f"{percents((found.tractors.exact, found.tractors_high.exact), 3)}. Of all blocks pooled they are "
            f"{percents((found.exact.pooled_tractor_share(), found.exact.pooled_tractor_share(claims.HIGH)), 3)}",
        ),
        (
            f"a lead has at most {claims.MOST_BLOCKS} blocks, since there are 16 ranks of trumps",
            "in its experiment" if real.blocks.most > claims.MOST_BLOCKS else "yes",
            f"drawn {found.drawn.most_blocks}; a real trump suit has 18 kinds, and leads of {real.blocks.most} blocks",
        ),
        (
            f"tractor shares rise from zone to zone ({', '.join(claims.ZONE_TRACTORS)})",
            _yes(_rises(by_zone)),
            f"exact {percents(by_zone)} as means over leads, which is how the paper counts, and {percents(pooled)} of "
            f"all blocks; the printed {claims.ZONE_TRACTORS[-1]} is that of both upper zones together, exactly "
            f"{percent(found.tractors_high.exact, 3)}",
        ),
        (
            "more cards make fewer blocks",
            _yes(max(sizes) == sizes[1]),
            f"blocks rise up to {sizes.index(max(sizes))} cards (mean {max(sizes):.2f}) and are "
            f"{sizes[MOST_CARDS]:.2f} at {MOST_CARDS}",
        ),
        (
            "the experiment shows what the engine does with these leads",
            _yes(study.matching.reached > 0 and found.by_program.zones == found.drawn.zones),
            f"it counts blocks in another way: Algorithm 2 has {percents(found.by_printed.zones)} as printed, "
            f"{percents(found.by_program.zones)} in the program. And the program matches none of these throws: a throw "
            f"of trumps wins at once, with {study.matching.reached} orders tried over all of them",
        ),
    )


def _the_search(study: Study) -> Sequence[Row]:
    found, packing = study.matching, study.packing
    worst = max(lead.orders for lead in study.table_three)
    times = study.matches.published
    slowest = max(float(times.max()), float(study.tricks.published.max()), study.worst.published)
    return (
        (
            f"the matcher searches n! orders, up to {claims.ZONE_PERMUTATIONS[2]}",
            _yes(int(found.orders.max()) >= factorial(int(found.blocks.max()))),
            f"equal blocks are not exchanged: {int(found.orders.max()):,} distinct orders at most in these leads, "
            f"{worst:,} in any lead; {int(found.visited.max()):,} tried at most",
        ),
        (
            "if the blocks fit in some order, it is found",
            f"program {_yes(not packing.wrong_program)}, printed {_yes(not packing.wrong_printed)}",
            f"of all {packing.questions:,} questions of up to {packing.most_cards} cards, each structure into each, "
            f"the program answers {packing.wrong_program} wrongly and Algorithm 3 as printed "
            f"{packing.wrong_printed}: it tries a single order",
        ),
        (
            "longest blocks first, so that branches are cut early",
            "**no**",
            "the program begins with the smallest blocks, the printed form tries only the longest first, and neither "
            "keeps anything from one order to the next",
        ),
        (
            "verdicts take less than a millisecond",
            "yes" if slowest < MILLISECOND else "not all",
            f"the paper timed no verdict. Compiled, {percent(float((times < MILLISECOND).mean()))} of the experiment's "
            f"leads are under 1 ms: median {seconds(float(np.median(times)))}, worst {seconds(float(times.max()))}; "
            f"the worst lead that was found takes {seconds(slowest)}. Ours: median "
            f"{seconds(float(np.median(study.matches.ours)))}, worst {seconds(float(study.matches.ours.max()))}",
        ),
    )


def _the_cutting(study: Study) -> Sequence[Row]:
    real, phases = study.real, study.phases
    singles = study.table_three[0]
    most = max(study.table_three, key=lambda lead: lead.orders)
    grows = phases.exponent(phases.cutting)
    return (
        (
            "the largest blocks are found (Algorithm 2)",
            _yes(real.plain_all.wrong_program == 0),
            "in an odd number of cards no tractor is found as such: wrong on "
            f"{percent(real.plain_all.wrong_program)} of all holdings of a plain suit, and on "
            f"{percent(real.plain_hands.wrong_program)} of those that are dealt",
        ),
        (
            "tractors are found by a linear scan (Table II)",
            _yes(phases.exponent(phases.windows) < 1.5),
            f"up to {phases.windows[-1]} windows are looked at in {phases.cards[-1]} cards, growing as "
            f"M^{phases.exponent(phases.windows):.1f}; the time grows as M^{grows:.1f}, and that of our shape as "
            f"M^{phases.exponent(phases.shape):.1f}",
        ),
        (
            "25 singles are led (Table III)",
            _yes(singles.possible),
            "a suit has at most 18 kinds, so the nineteenth card makes a pair",
        ),
        (
            "10 blocks are the worst case (Table III)",
            _yes(most.blocks <= 10),
            f"{most.blocks} blocks have the most orders, {most.orders:,}",
        ),
    )


def _the_rest(study: Study) -> Sequence[Row]:
    one, together, _, apart = study.errors
    runs = study.runs
    return (
        (
            "rules are enforced rigorously",
            _yes(not any(sum(found.wrong) for found in study.errors)),
            "hands are no input, so no play is ever found illegal. Of throws of up to 12 cards that three seats ruff "
            f"{percent(together.up_to(12))} go to the wrong seat where half the pairs are kept together, "
            f"{percent(apart.up_to(12))} where cards are random; of those that one seat ruffs, "
            f"{percent(one.up_to(12))}",
        ),
        (
            f"a run takes {claims.RUN_SECONDS} s and {claims.RUN_MEGABYTES} MB (Table V)",
            "not tested",
            "that is a C++ program on the judge's own tests, which are not public. `renege spoj` is Python: "
            f"{seconds(runs.median_seconds)} and {runs.median_memory / 1e6:.1f} MB; judging {runs.rounds} rounds is "
            f"{seconds(runs.alone)} of it",
        ),
    )
