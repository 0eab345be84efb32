"""The study as a report: a page of Markdown, and its figures beside it."""

import errno
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from textwrap import fill

import numpy as np

from study import claims
from study.compare import Holdings
from study.paper import STEPS, ZONES
from study.run import Plan, Study, run
from study.summary import claim_rows, percent, seconds
from study.timing import Latency

PAGE = "README.md"
NEEDS = "the figures need matplotlib: install renege[report], or in a clone run make study"


def prepare(folder: Path) -> Callable[[Study], None]:
    """Make the folder if need be, and what draws the figures into it; whatever is missing is said here, at once."""
    draw = _figures()
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return lambda study: draw(study, folder)


def write_report(folder: Path, plan: Plan, told: Callable[[str], None] = lambda _: None) -> Study:
    """Measure all, and write the page and its figures into a folder."""
    draw = prepare(folder)
    study = run(plan, told)
    told("figures")
    draw(study)
    (folder / PAGE).write_text(page(study), encoding="utf-8")
    return study


def _figures() -> Callable[[Study, Path], None]:
    try:
        from renege.figures import style
        from study import pictures, plots
    except ModuleNotFoundError as missing:
        if missing.name is None or not missing.name.startswith("matplotlib"):
            raise
        raise ValueError(NEEDS) from None

    def draw(study: Study, folder: Path) -> None:
        with style.styled():
            for name, picture in pictures.PICTURES.items():
                style.save(picture(), folder / f"{name}.svg")
            for name, chart in plots.CHARTS.items():
                style.save(chart(study), folder / f"{name}.svg")

    return draw


def page(study: Study) -> str:
    sections = (
        _head,
        _leads,
        _table_two,
        _table_three,
        _table_four,
        _times,
        _real,
        _errors,
        _table_five,
        _pictures,
        _foot,
    )
    blocks = "\n\n".join(section(study) for section in sections).split("\n\n")
    return "\n\n".join(_wrapped(block) for block in blocks) + "\n"


def _wrapped(block: str) -> str:
    """A paragraph in lines of 120; headings, tables, pictures and commands stay as they are."""
    if block.startswith(("#", "|", "!", "    ")):
        return block
    return fill(block, 120, break_long_words=False, break_on_hyphens=False)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown; all columns but the first are set to the right if they hold numbers."""
    body = [[str(cell) for cell in row] for row in rows]
    right = [at > 0 and all(row[at][:1] in "0123456789-<≈M" for row in body) for at in range(len(head))]
    rule = ["---:" if side else "---" for side in right]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *body))


def _picture(name: str, text: str) -> str:
    return f"![{text}]({name}.svg)"


def _head(study: Study) -> str:
    quick = "\n\n**A quick run**: times and error rates come from few rows." if study.plan.quick else ""
    return f"""# The paper's study, measured

{claims.PAPER}, draws {claims.LEADS:,} random leads, counts the blocks in them, and argues from the counts that its
matcher is fast. Here the experiment is run again with {study.plan.leads:,} leads (seed {study.plan.seed}), its exact
distribution is worked out beside it, and what the paper argues about is measured: the orders that its matcher tries,
the time it takes, and how often it is right. *Published* and *the program* mean its method, compiled here as it was
published, errors included; *ours* is the exact engine.{quick}

{_table(("claim", "holds?", "measured"), claim_rows(study))}"""


def _leads(study: Study) -> str:
    found = study.experiment
    names = [f"{name} zone" for name in claims.ZONE_NAMES]
    rows = [
        (name, percent(s.printed), percent(s.drawn), percent(s.exact, 3), f"{s.printed_z:.2f}", f"{s.z:.2f}")
        for name, s in zip(
            (*names, "tractors, mean of the leads' shares", "the same from 10 blocks on"), found.shares, strict=True
        )
    ]
    cuts = [
        ("as the paper counts them", *map(percent, found.drawn.zones)),
        ("by Algorithm 2 as printed", *map(percent, found.by_printed.zones)),
        ("by the program", *map(percent, found.by_program.zones)),
    ]
    tractors = [
        ("drawn", *(f"{x:.3f}" for x in found.drawn.tractors_by_blocks[claims.HIGH :])),
        ("exact", *(f"{x:.3f}" for x in found.exact.tractors_by_blocks[claims.HIGH :])),
    ]
    head = ("", "printed", "drawn here", "exact", "printed, errors off", "drawn, errors off")
    ranges = ((1, STEPS), *ZONES, (claims.HIGH, STEPS))
    shares = [
        (f"{name}, {how}", *(percent(share(low, high), digits) for low, high in ranges))
        for how, leads, digits in (("drawn", found.drawn, 2), ("exact", found.exact, 3))
        for name, share in (
            ("mean of the leads' shares", leads.tractor_share),
            ("share of all blocks", leads.pooled_tractor_share),
        )
    ]
    zones_head = ("tractors among blocks", "all leads", *names, "from 10 blocks on")
    return f"""## The leads

Sixteen ranks with two copies each, a lead of 1 to 25 cards, each size as likely; longest runs of pairs are blocks, then
pairs, then singles. The last two columns say by how many standard errors a share is off the exact one.

{_table(head, rows)}

A share of tractors can mean two things. The paper's is the *mean of the leads' shares*: each lead has a share of its
own, and every lead counts as one, a lead of a single block like one of sixteen. The *share of all blocks* puts the
blocks of all leads together, and leads of many blocks count more:

{_table(zones_head, shares)}

{_picture("fig5-blocks", "Leads by number of blocks")}

The paper counts blocks with a short script, not with its Algorithm 2. That one tries window lengths n, n-2, and so on,
so in an odd number of cards it finds no tractor as such, and counts more blocks:

{_table(("the same leads, cut", *names), cuts)}

{_picture("fig6-tractors", "Mean number of tractors by number of blocks")}

{_table(("tractors in a lead of n blocks", *(str(n) for n in range(claims.HIGH, 17))), tractors)}"""


def _table_two(study: Study) -> str:
    found = study.phases
    columns = zip(found.cards, found.projection, found.sorting, found.windows, found.cutting, found.shape, strict=True)
    rows = [(m, seconds(a), seconds(b), windows, seconds(c), seconds(d)) for m, a, b, windows, c, d in columns]
    powers = [f"M^{found.exponent(x):.1f}" for x in (found.projection, found.sorting)]
    rest = [f"M^{found.exponent(x):.1f}" for x in (found.windows, found.cutting, found.shape)]
    printed = _table(("phase", "printed"), claims.PHASES)
    head = ("M", "map (Python)", "sort (Python)", "windows", "map, sort, cut (compiled)", "our shape (compiled)")
    return f"""## Table II: cutting a lead

{printed}

Measured on random leads of M cards; the last line is the power of M that each grows with from 8 cards on. Map and sort
do as printed. The scan for tractors is no linear one: every window of n, n-2, ... cards is looked at, as long as none
fits.

{_table(head, [*rows, ("growth", *powers, *rest)])}

{_picture("growth", "Time to cut a lead, by its number of cards")}"""


def _table_three(study: Study) -> str:
    rows = [
        (lead.name, "yes" if lead.possible else "no", lead.blocks, f"{lead.orders:,}", f"{lead.visited:,}")
        for lead in study.table_three
    ]
    plain = study.real.plain_all
    return f"""## Table III: leads and their orders

{_table(("printed", "blocks n", "search space n!"), claims.SEARCH_SPACES)}

{_table(("here", "possible in two packs", "blocks n", "distinct orders", "orders tried"), rows)}

Orders tried are those of a follower whom no order fits. The last two leads are of trumps, and the program lets a throw
of trumps win without matching it. In a trick it matches throws of a plain suit alone: of all {plain.rows:,} holdings of
one, none has more than {plain.program_orders:,} distinct orders as the program cuts it."""


def _table_four(study: Study) -> str:
    found, exact = study.matching, study.experiment.exact
    by_zone = range(len(ZONES))
    tried = [found.in_zone(zone, found.visited, found.cut) for zone in by_zone]
    rows = [
        ("leads, printed", *map(percent, claims.ZONE_SHARES)),
        ("leads, drawn here", *(percent(share.drawn) for share in study.experiment.zones)),
        ("leads, exact", *(percent(share.exact, 3) for share in study.experiment.zones)),
        ("tractors among blocks, printed", *claims.ZONE_TRACTORS),
        ("tractors, mean of shares, exact", *(percent(exact.tractor_share(low, high)) for low, high in ZONES)),
        ("tractors of all blocks, exact", *(percent(exact.pooled_tractor_share(low, high)) for low, high in ZONES)),
        ("most orders, printed (n!)", *claims.ZONE_PERMUTATIONS),
        ("most distinct orders", *(f"{int(found.in_zone(z, found.orders, found.blocks).max()):,}" for z in by_zone)),
        ("most orders tried", *(f"{int(orders.max()):,}" for orders in tried)),
        ("median of orders tried", *(f"{float(np.median(orders)):,.0f}" for orders in tried)),
        ("mean of orders tried", *(f"{float(orders.mean()):,.0f}" for orders in tried)),
    ]
    once = float((found.visited == 1).mean())
    return f"""## Table IV: the zones

{_table(("", *claims.ZONE_NAMES), rows)}

For the orders tried each lead is matched with the play of a follower who holds every trump that is left; leads are
counted in the zone of the blocks that the program itself finds. {percent(once, 1)} of the leads need a single order.

{_picture("orders", "Orders of the blocks: n factorial, distinct, and tried")}"""


def _quantiles(found: Latency) -> list[tuple[str, ...]]:
    shares = (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("worst", 1.0))
    return [
        (name, seconds(float(np.quantile(found.published, share))), seconds(float(np.quantile(found.ours, share))))
        for name, share in shares
    ]


def _times(study: Study) -> str:
    by_size = study.matches.by_size(1.0)
    sizes = [(str(m), seconds(a), seconds(b)) for m, a, b in by_size if m in (5, 10, 15, 20, 25)]
    worst = study.worst
    return f"""## The time of a verdict

The paper gives no time of a verdict. Both matchers run here in the same kernel on one core, on
{len(study.matches.cards):,} of the leads above with the same follower. The published one cuts both plays and tries
orders; ours says whether the follow was legal from that hand, and which duty it broke.

{_table(("over all leads", "published", "ours"), _quantiles(study.matches))}

{_table(("worst by cards led", "published", "ours"), sizes)}

{_picture("latency", "Time of a verdict: distribution, and growth with the number of cards")}

A lead of 18 cards leaves the follower 18 trumps, and a longer one too few. The published matcher then tries every
order; ours knows that whoever plays all of the suit has kept every duty. The worst lead for the program,
{worst.orders:,} orders, takes it {seconds(worst.published)}.

In real tricks, throws of 2 to 12 hearts that three seats ruff, both say who wins:

{_table(("over all tricks", "published", "ours"), _quantiles(study.tricks))}"""


def _real(study: Study) -> str:
    real = study.real

    def row(name: str, found: Holdings) -> tuple[str, ...]:
        return (
            name,
            f"{found.rows:,}",
            f"{found.sizes.mean:.1f}",
            f"{found.blocks.mean:.2f}",
            str(found.blocks.most),
            *map(percent, found.blocks.zones),
            f"{found.most_orders:,}",
            percent(found.wrong_program),
        )

    rows = [
        row("1 to 25 cards of a real trump suit", real.trump_leads),
        row("1 to 24 cards of a plain suit", real.plain_leads),
        row("all trumps of a dealt hand", real.trump_hands),
        row("all cards of a plain suit in a dealt hand", real.plain_hands),
        row("every holding of a plain suit, once", real.plain_all),
    ]
    head = ("", "leads", "cards", "blocks", "most", *claims.ZONE_NAMES, "most distinct orders", "cut wrongly")
    trumps, plain = real.trump_hands, real.plain_hands
    return f"""## Real suits and real hands

A real trump suit has 18 kinds on 16 steps: the level cards of the three other suits lie side by side. A plain suit has
12 kinds. A dealt hand has 25 of the 108 cards, and the longest lead it could make in a suit is all it holds there.
*Cut wrongly* is the share where the program finds other blocks than there are.

{_table(head, rows)}

{_picture("real-hands", "Blocks in the experiment, in real suits and in dealt hands")}

Of dealt hands {percent(trumps.blocks.zones[0])} are in the real-time zone with all their trumps, and
{percent(plain.blocks.zones[0])} with all cards of a plain suit. The experiment's leads are much longer: it draws 13
cards of a suit on average, and a hand has {trumps.sizes.mean:.1f} trumps and {plain.sizes.mean:.1f} of a plain suit."""


def _errors(study: Study) -> str:
    rows = [
        (found.name, *(percent(found.up_to(size)) for size in (4, 6, 8, 12)), percent(max(found.rates)))
        for found in study.errors
    ]
    one = study.errors[0]
    total = one.tricks * len(one.sizes)
    return f"""## Wrong winners

A throw of hearts, of two units at least, is ruffed with as many trumps, {study.errors[0].tricks:,} tricks for each
number of cards, and the program's winner is compared with the exact one. The two copies of a card are drawn together
with probability one half and else each by itself, so that pairs, tractors and singles mix; or every card is drawn by
itself. How often the program errs depends on that draw, and no draw here is that of real players. Cards are typed in
the order of the deck, which hides the fewest pairs from it, or in any order.

{_table(("share settled wrongly", "up to 4 cards", "to 6", "to 8", "to 12", "worst size"), rows)}

{_picture("errors", "Tricks settled wrongly, by number of cards led")}

Of {total:,} tricks with one ruff, {sum(one.let_win):,} went to a ruff that lacks the led shape and
{sum(one.refused):,} stayed with the leader although the ruff has it. Two more of
its errors depend on what lies in memory and on the library it is built with (W8 and W9), and are left out here. A
position for each is in `docs/rules/tractor.md`."""


def _table_five(study: Study) -> str:
    runs = study.runs
    times, busy, sizes = zip(*((run.seconds, run.busy, run.memory / 1e6) for run in runs.judged), strict=True)
    idle = [run.seconds for run in runs.empty]
    rows = [
        ("runs", claims.RUNS, len(runs.judged)),
        ("mean time", f"{claims.RUN_SECONDS} s", seconds(float(np.mean(times)))),
        ("best time", "0.00 s", seconds(min(times))),
        ("best time of the processor", "-", seconds(min(busy))),
        ("best time with no case", "-", seconds(min(idle))),
        ("judging alone", "-", seconds(runs.alone)),
        ("memory, most of all runs", f"{claims.RUN_MEGABYTES} MB", f"{max(sizes):.1f} MB"),
    ]
    return f"""## Table V: ten runs

`renege spoj` reads {runs.rounds} rounds ({runs.tricks:,} tricks) as the contest problem writes them, each run a process
of its own. The printed numbers are of a C++ program on the contest's hidden tests, so the two are not to be compared
line by line: ours starts Python first.

{_table(("", "printed", "here"), rows)}

{_picture("fig8-runs", "Time and memory of each run")}"""


def _pictures(study: Study) -> str:
    return f"""## The method in pictures

{_picture("fig1-degradation", "A tractor is cut into two pairs")}

{_picture("fig2-pipeline", "One trick, from the cards to its winner")}

{_picture("fig3-search-tree", "The orders of three blocks")}

{_picture("fig4-matching", "Which cards of the ruff serve which block")}

The last two are one case: the program finds it with its first order, Algorithm 3 as printed never does."""


def _foot(study: Study) -> str:
    plan = study.plan
    command = f"python research/paper.py --leads {plan.leads} --seed {plan.seed}{' --quick' if plan.quick else ''}"
    return f"""## How it was made

    {command}

Renege {version("renege")}, {date.today().isoformat()}, {_processor()}, Python {platform.python_version()}. Times and
memory differ from machine to machine and run to run; everything else follows from the seed. A row is timed by repeating
it and taking its best time, so caches are warm for both."""


def _processor() -> str:
    """The name of the processor, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()
