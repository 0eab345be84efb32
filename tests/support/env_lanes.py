"""Tables with the widest rows there are, version 1 with the history, and with deals that a test chooses."""

from collections.abc import Sequence

import numpy as np

from renege import _kernel
from renege.core.game import Game, Standing
from renege.core.world import Drawn
from renege.envs import BatchEnv
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.rows import Rows
from renege.native.arrays import U8, U64

FULL = Rows(1, history=True)


def full_encoding(game: Game) -> Encoding:
    return encoding_of(game, FULL)


def laid(game: Game, seeds: Sequence[int] | U64) -> BatchEnv:
    """The kernel's tables with the first deals that version 0 has for these seeds; later ones are drawn."""
    env = BatchEnv(game, len(seeds), seed=seeds, version=1, history=True, hidden=True)
    env.begin(BatchEnv(game, len(seeds), seed=seeds).dealt(), game.opening)
    assert env.in_kernel
    return env


def laid_one(encoding: Encoding, piles: U64, standing: Standing | None = None) -> "_kernel.EnvOne":
    """One table of the kernel with this deal."""
    at = encoding.game.opening if standing is None else standing
    table = tables(encoding).one()
    dealer, even, odd, first = encoding.told_standing(at)
    table.begin(dealer, even, odd, first, piles)
    return table


def tables(encoding: Encoding, lanes: int = 1) -> "_kernel.Env":
    made = encoding.kernel()
    assert made is not None
    return made.make(lanes)


def begun(encoding: Encoding, piles: U64, standing: Standing | None = None) -> Moment:
    """The table of Python's rules with these cards."""
    world = Drawn(encoding.game.deck, piles[None])[0]
    return encoding.begin(world.hands, world.kitty, standing)


def all_begun(env: BatchEnv) -> list[Moment]:
    """The tables of Python's rules with the deals of all lanes."""
    piles, standings = env.dealt(), env.standings
    return [begun(env.encoding, dealt, standing) for dealt, standing in zip(piles, standings, strict=True)]


def check_row(row: U8 | bytes, moment: Moment, seat: int) -> None:
    """Is this what the seat sees? If not, which section is wrong?"""
    true, sections = moment.observe(seat), moment.encoding.sections
    seen = np.frombuffer(row, np.uint8)
    assert seen.shape == true.shape
    if (seen != true).any():
        wrong = [name for name, part in sections.items() if (seen[part] != true[part]).any()]
        raise AssertionError(f"seat {seat} sees other {wrong}: {moment.position}")


def check_lane(env: BatchEnv, lane: int, moment: Moment, row: U8 | None = None) -> None:
    """Does a lane show what Python's table does to the seat to act, or this row, which is checked?"""
    where = f"lane {lane}: {moment.position}"
    assert env.mover[lane] == moment.turn, where
    assert env.mask[lane].tolist() == moment.mask.tolist(), where
    assert moment.turn is not None
    if row is None:
        check_row(env.observation[lane], moment, moment.turn)
    else:
        assert (env.observation[lane] == row).all(), where
    if env.hidden is not None:
        assert env.hidden[lane].tolist() == moment.hidden(moment.turn).tolist(), where
