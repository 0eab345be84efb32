"""How many random plays of Schafkopf a second on one core, beside OpenSpiel's rollouts of Skat in the same run?

Renege deals and plays the deals out: a Rufspiel, where the called ace is watched, and a solo; 32 plays each, dealing
included. OpenSpiel has no Schafkopf; its nearest game is Skat, with 32 cards and 30 plays. It starts at the opening
lead: its deal, its bidding and the cards put away are not in its time, so all that it does there counts as plays. The
measuring is that of `playouts.py`.
"""

import random
from typing import Any

import numpy as np
from playouts import Job, repeat, rollouts, run

from renege.games import schafkopf
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf

RUFSPIEL = "Rufspiel, deal and play"
SOLO = "solo, deal and play"
PLAYOUTS = "Rufspiel, from dealt hands"
PORTABLE = "Rufspiel, portable path"
OPENSPIEL = "OpenSpiel, Skat rollouts"
SKAT_PLAYS = 30
CLUBS = 36


def renege_jobs(deals: int = 20_000) -> dict[str, Job]:
    deck = schafkopf.LONG
    rufspiel = native_schafkopf.order(schafkopf.order("rufspiel E"), deck.spellings["EA"])
    solo = native_schafkopf.order(schafkopf.order("solo G"))
    states = native_schafkopf.states(
        rufspiel,
        native.deals(deck.kinds, [8] * 4, deals, seed=1),
        np.zeros(deals, np.uint8),
    )

    def from_hands(turn: int) -> int:
        native.playouts(rufspiel, states, seed=turn)
        return deals * len(deck)

    jobs = {
        RUFSPIEL: repeat(lambda turn: native.random_deals(rufspiel, deals, seed=turn).plays),
        PLAYOUTS: repeat(from_hands),
        SOLO: repeat(lambda turn: native.random_deals(solo, deals, seed=turn).plays),
    }
    if native.features().bmi2:
        jobs[PORTABLE] = repeat(lambda turn: native.random_deals(rufspiel, deals, turn, portable=True).plays)
    return jobs


def dealt_skat(game: Any, rng: random.Random) -> Any:
    """A Skat state at the opening lead: dealt at random, clubs bid at once, two cards put away."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    state.apply_action(CLUBS)
    for _ in range(2):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def main() -> None:
    skat = rollouts("skat", dealt_skat, SKAT_PLAYS)
    theirs = {} if skat is None else {OPENSPIEL: skat}
    note = f"a Schafkopf deal is 32 plays, a Skat rollout {SKAT_PLAYS}"
    run(__doc__ or "", renege_jobs() | theirs, OPENSPIEL, note)


if __name__ == "__main__":
    main()
