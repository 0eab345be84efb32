"""Does the kernel step Texas 42 as the rules do, whatever is bid and under any house rules?"""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from renege import texas42
from renege.core.game import Game
from renege.core.registry import find_game
from renege.envs import BatchEnv, Env, lane_seeds
from renege.games.encoding import Moment, encoding_of
from renege.games.texas42.contract import Hand42, Kind, format_declaration
from renege.games.texas42.order import ALL_DOUBLES
from renege.games.texas42.rules import AllPass, EarlyEnd, ForcedSweep, Rules, SevensTie
from support.env_lanes import all_begun, begun, check_lane, check_row, laid
from support.steering import CONTRACTS, JUMPS, SOAK
from support.texas42_moments import HOUSES, Steered, random_rules


def lanes_for(bids: list[str], env: BatchEnv, seed: int) -> NDArray[np.uint64]:
    """Seeds of lanes whose first deal has a hand that may make the bid."""
    seeds = lane_seeds(seed, env.lanes)
    env.reset(seeds)
    hands = env.dealt()[:, :4, 0]
    doubles = np.bitwise_count(hands & np.uint64(ALL_DOUBLES)).max(axis=1)
    free = {need: iter(seeds[doubles >= need]) for need in (0, 3, 4)}
    return np.array([next(free[JUMPS.get(bid, 0)]) for bid in bids], np.uint64)


def check_same(env: BatchEnv, moments: list[Moment]) -> None:
    rows = np.stack([env.observe(seat) for seat in range(4)], axis=1)
    for lane, moment in enumerate(moments):
        for seat in range(4):
            check_row(rows[lane, seat], moment, seat)
        check_lane(env, lane, moment, rows[lane, env.mover[lane]])


class Sweeper(Steered):
    """A forced shaker with good trumps: its side plays the strongest tile it may, the others the weakest."""

    def choose(self, moment: Moment) -> int:
        order = moment.position.order
        if order is None:
            return self.pass_ if self.pass_ in moment.legal else super().choose(moment)
        assert moment.turn is not None
        led = moment.position.turn_to_play().led
        ranks = {tile: order.strength[order.led_suit[tile] if led is None else led][tile] for tile in moment.legal}
        return (max if moment.turn % 2 else min)(ranks, key=lambda tile: ranks[tile])


def compare(rules: Rules, contracts: list[tuple[str, str]], seed: int) -> set[str]:
    """Steps tables in the kernel and by the rules beside each other, a deal and more on each lane; what was played."""
    game = texas42.game(rules)
    encoding, rng = encoding_of(game), random.Random(seed)
    seeds = lanes_for([bid for bid, _ in contracts], BatchEnv(game, 2000), seed)
    return compare_lanes(seeds, game, [Steered(encoding, bid, declared, rng) for bid, declared in contracts])


def compare_lanes(seeds: NDArray[np.uint64], game: Game, steered: Sequence[Steered]) -> set[str]:
    env = laid(game, seeds)
    moments, played, waiting = all_begun(env), set[str](), set(range(env.lanes))
    while waiting:
        check_same(env, moments)
        actions = [who.choose(moment) for who, moment in zip(steered, moments, strict=True)]
        env.step(np.array(actions, np.int32))
        moments = [moment.after(action) for moment, action in zip(moments, actions, strict=True)]
        over = [moment.over for moment in moments]
        assert env.done.tolist() == over
        assert env.reward.tolist() == [list(moment.rewards) for moment in moments]
        if any(over):
            new = all_begun(env)
            for lane in np.flatnonzero(over).tolist():
                played |= terms(moments[lane])
                moments[lane] = new[lane]
                waiting.discard(lane)
    return played


def terms(moment: Moment) -> set[str]:
    """The kind of contract that a deal came to, what was declared, and what it paid."""
    contract = moment.position.contract
    if contract is None:
        return {"thrown in"}
    assert isinstance(contract, Hand42)
    paid = f"{max(moment.rewards)} paid"
    return {contract.kind.value, format_declaration(contract.declaration, contract.doubles), paid}


@pytest.mark.parametrize("name", list(HOUSES))
def test_every_contract_is_played_as_the_rules_say(name: str):
    rng = random.Random(name)
    for seed in range(SOAK):
        compare(HOUSES[name], rng.sample(CONTRACTS, 12), seed)


def test_every_contract_comes_up():
    played = compare(Rules(), CONTRACTS, 1)
    assert played >= {kind.value for kind in Kind} | {declared for _, declared in CONTRACTS}


def test_ties_in_sevens_are_won_as_the_table_has_it():
    for tie in SevensTie:
        compare(Rules(sevens_tie=tie, early_end=EarlyEnd.PLAY_ON), [("1 mark", "sevens")] * 8, 1)


@pytest.mark.parametrize("end", list(EarlyEnd))
def test_a_forced_thirty_may_sweep(end: EarlyEnd):
    game = texas42.game(Rules(all_pass=AllPass.FORCE_30, forced_sweep=ForcedSweep.TWO_MARKS, early_end=end))
    seeds = lane_seeds(1, 4000)
    shaker = BatchEnv(game, len(seeds), seed=seeds).dealt()[:, 3, 0]
    sixes = np.uint64(sum(1 << tile for tile in range(21, 28)))
    good = np.flatnonzero((np.bitwise_count(shaker & sixes) >= 5) & (shaker >> np.uint64(27) & np.uint64(1) == 1))
    chosen = seeds[good[:12]]
    rng = random.Random(1)
    played = compare_lanes(chosen, game, [Sweeper(encoding_of(game), "30", "trump 6", rng) for _ in chosen])
    assert played >= {"2 paid", "1 paid"}


def test_any_house_rules_are_played_as_they_say():
    rng = random.Random(1)
    for seed in range(8 * SOAK):
        compare(random_rules(rng), rng.sample(CONTRACTS, 5), seed)


def test_a_finished_deal_is_seen_as_the_rules_see_it():
    rng, finished = random.Random(6), 0
    for seed in range(20 * SOAK):
        env = Env("texas42", seed=seed, version=1, history=True)
        moment = begun(env.encoding, env.dealt(), env.standing)
        while not moment.over:
            action = rng.choice(moment.legal[1:] or moment.legal)  # rather a bid than a pass
            env.act(action)
            moment = moment.after(action)
        finished += moment.position.contract is not None
        for seat in range(4):
            check_row(env.observe(seat), moment, seat)
            assert (env.hidden(seat) == moment.hidden(seat)).all()
    assert finished > 10


@pytest.mark.parametrize("name", ["texas42", "texas42-small"])
def test_a_lead_for_the_small_end_has_no_action_and_the_rule_is_refused(name: str):
    """A tile is one action: it would lead its high end alone, and nobody would be told."""
    game = find_game(name, {"opening_lead": "small-end"})
    for make in (encoding_of, Env, lambda game: BatchEnv(game, 2)):
        with pytest.raises(ValueError, match=r"^opening_lead=small-end has no actions in an environment"):
            make(game)
