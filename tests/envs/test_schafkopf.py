"""Does the kernel play Schafkopf as Python does: every mover, mask, row, reward and end?"""

import random
from collections import Counter
from functools import reduce

import numpy as np
import pytest

from renege import _kernel
from renege.core.game import Standing
from renege.envs import BatchEnv, Env, lane_seeds
from renege.games import schafkopf
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.schafkopf import Bargain, PackSize, Rules, Small
from renege.games.schafkopf.encoding import setting
from renege.games.schafkopf.order import TRUMP
from renege.games.schafkopf.rules import (
    AllPass,
    Doubling,
    Played,
    StossDeadline,
)
from renege.games.schafkopf.score import outcome
from renege.native.arrays import U8
from support.env_lanes import all_begun, begun, check_lane, check_row, full_encoding, laid, laid_one, tables
from support.schafkopf_moments import CHANCE, HOUSES, Aim, aims, any_rules, choose, games_of, may_declare
from support.steering import SOAK

DEALS = 3000  # to find hands in
# the seeds of lanes whose first deal has a Sie in it: once in 2.6 million deals, 34 thousand in the short pack
SIE = {PackSize.LONG: 1382079, PackSize.SHORT: 40331}


class Lockstep:
    """Tables in the kernel and the same in Python, an aim each; after its first deal a table goes on by chance."""

    def __init__(self, env: BatchEnv, aims: list[Aim], seed: int) -> None:
        self.env, self.aims = env, list(aims)
        self.rngs = [random.Random(seed + lane) for lane in range(env.lanes)]
        self.moments = all_begun(env)
        self.seen: Counter[str] = Counter()

    def play(self) -> Counter[str]:
        """Until every table has had its first deal; what came up."""
        waiting = set(range(self.env.lanes))
        while waiting:
            self._compare()
            actions = [choose(*lane) for lane in zip(self.moments, self.aims, self.rngs, strict=True)]
            self.env.step(np.array(actions, np.int32))
            new = all_begun(self.env) if self.env.done.any() else []
            for lane, action in enumerate(actions):
                after = self.moments[lane].after(action)
                assert self.env.done[lane] == after.over
                assert self.env.reward[lane].tolist() == list(after.rewards), after.position
                self.moments[lane] = after
                if after.over:
                    self.seen.update(events(after))
                    self.moments[lane], self.aims[lane] = new[lane], CHANCE
                    waiting.discard(lane)
        return self.seen

    def _compare(self) -> None:
        seats = np.array([rng.randrange(4) for rng in self.rngs], np.uint8)
        rows = self.env.observe(seats)
        for lane, moment in enumerate(self.moments):
            check_lane(self.env, lane, moment)
            if self.rngs[lane].random() < 0.3:
                check_row(rows[lane], moment, int(seats[lane]))


def events(moment: Moment) -> list[str]:
    """What a deal that is over had in it."""
    position, contract = moment.position, moment.position.contract
    said = [act.what for act in moment.acts if isinstance(act.what, str)]
    found = [call for call in ("double", "old", "accept") if call in said]
    found += ["hochzeit passed by"] * (said.count("hochzeit") > 1 and "accept" not in said)  # bid and named
    if not isinstance(contract, Bargain):
        return [*found, "thrown in"]
    found += [contract.declaration, f"raised {len(contract.raised)}"]
    found += ["ten" if contract.named.ten else "renonce"] * contract.named.renonce
    found += ["ran"] * (position.memory.ran is not None) + ["answered"] * (contract.answered is not None)
    end = outcome(position)
    found += [f"won {end.won}", *["schneider"] * end.schneider, *["runners"] * (end.runners > 0)]
    return found + ["virgin"] * (contract.declarer is None and 0 in position.tricks)


def lanes_for(rules: Rules, seed: int) -> tuple[list[int], list[Aim]]:
    """Seeds of lanes whose first deals allow every game of a table, and these games."""
    game = schafkopf.game(rules)
    seeds = [*range(seed * DEALS, (seed + 1) * DEALS), SIE[rules.deck]]
    deals = BatchEnv(game, len(seeds), seed=seeds).dealt()[:, :4, 0].tolist()
    found = list(aims(rules, game.opening.dealer, deals, seed))
    return [seeds[number] for number, _ in found], [aim for _, aim in found]


@pytest.mark.parametrize("house", HOUSES)
def test_the_kernel_plays_as_python_does(house: str):
    rules, seen = HOUSES[house], Counter[str]()
    for seed in range(SOAK):
        seeds, wanted = lanes_for(rules, seed)
        seen += Lockstep(laid(schafkopf.game(rules), seeds), wanted, seed).play()
    for game in games_of(rules):  # each came up, and so did what the rules are about
        assert seen[game], f"no {game}: {seen}"
    in_turn = {StossDeadline.OWN_CARD: 4, StossDeadline.FIRST_TRICK: 3, StossDeadline.FIRST_CARD: 2}
    raised = [f"raised {times}" for times in range(min(rules.stoss_limit, in_turn[rules.stoss_deadline]) + 1)]
    expected = ["won True", "won False", "schneider", "runners", *raised]
    expected += ["ran"] * (rules.deck is PackSize.LONG or rules.run_from < 4) + ["answered"] * (
        rules.stoss_limit > 1 and rules.stoss_deadline is not StossDeadline.FIRST_CARD
    )
    expected += ["accept", "hochzeit passed by"] * (rules.hochzeit is Played.YES)
    expected += ["double"] * (rules.doubling is not Doubling.NONE)
    expected += {
        AllPass.RAMSCH: ["ramsch", "virgin"],
        AllPass.OLD_MUST: ["old", "renonce", "ten"],
        AllPass.REDEAL: ["thrown in"],
        AllPass.STOCK: ["thrown in"],
    }[rules.all_pass]
    assert [event for event in expected if not seen[event]] == [], seen


def test_any_house_rules():
    rng = random.Random(9)
    for seed in range(8 * SOAK):
        rules = any_rules(rng)
        lanes = rng.sample(list(zip(*lanes_for(rules, 100 + seed), strict=True)), 8)
        Lockstep(laid(schafkopf.game(rules), [lane for lane, _ in lanes]), [aim for _, aim in lanes], seed).play()


BORDERS = (30, 31, 60, 61, 90, 91)  # points where the price changes


def played_out(encoding: Encoding, table: "_kernel.EnvOne", game: str, rng: random.Random) -> list[int]:
    """Plays a deal in the kernel; some seats mostly put their strongest card, the others their weakest."""
    ramsch = schafkopf.order("ramsch", encoding.game.rules.deck)
    worth = [100 * strength + points for strength, points in zip(ramsch.strength[TRUMP], ramsch.points, strict=True)]
    strong, raises, wild = rng.choice((0, 1, 1, 3, 7, 15)), rng.random() < 0.5, rng.choice((0, 0.3))
    taken: list[int] = []
    while table.turn < 4:
        names = {encoding.actions[action]: action for action in table.legal()}
        cards = [action for action in names.values() if action < encoding.cards]
        wishes = (game, game.split()[0], "pass", *["stoss"] * raises)
        wish = next((name for name in wishes if name in names), None)
        raises &= wish != "stoss"
        pick = max if strong >> table.turn & 1 else min
        card = rng.choice(cards) if cards and rng.random() < wild else pick(cards, key=worth.__getitem__, default=0)
        taken.append(card if wish is None else names[wish])
        table.act(taken[-1])
    return taken


def rare(encoding: Encoding, row: U8, game: str) -> set[str]:
    """What is rare about an end, by the points and tricks in a row."""
    points, tricks = (row[encoding.sections[name]].tolist() for name in ("points", "tricks"))
    found = {f"{game}: {tricks.count(0)} without a trick"}
    if game == "ramsch":
        found |= {"tie"} if points.count(max(points)) > 1 else set()
        first, *rest = sorted(points, reverse=True)
        found |= {"three level for second"} if first > rest[0] == rest[-1] else set()
        return found | ({"a march by points"} if max(points) > 90 else set())
    said = row[encoding.sections["said"]].reshape(4, -1)
    ours = points[said[:, encoding.calls.index(game)].argmax()]
    raised = " raised" * int(said[:, encoding.calls.index("stoss")].sum())
    return found | ({str(ours)} if ours in BORDERS else set()) | ({f"60{raised}"} if ours == 60 else set())


@pytest.mark.parametrize("house", ["default", "ramsch", "short ramsch", "few games", "beaten tricks", "level losers"])
def test_rare_ends_pay_as_python_says(house: str):
    """Many deals are played in the kernel, and those with a rare end once more by the rules."""
    encoding, seen, rng = full_encoding(schafkopf.game(HOUSES[house])), Counter[str](), random.Random(house)
    dealer, piles = tables(encoding_of(encoding.game)).one(), np.empty((5, 2), np.uint64)
    expected = ["solo E: 3 without a trick", "tie", "three level for second", "a march by points", *map(str, BORDERS)]
    expected += ["60 raised"] * (encoding.game.rules.stoss_limit > 0)
    expected += [f"ramsch: {n} without a trick" for n in range(4)]
    for number in range(4000):
        missing = [end for end in expected if seen[end] < 2 * SOAK]
        if not missing:
            break
        dealer.deal(number, 7)
        dealer.dealt(piles)
        table = laid_one(encoding, piles)
        game = "ramsch" if number % 2 else "solo E"
        taken = played_out(encoding, table, game, rng)
        rows = [np.frombuffer(table.observe(seat), np.uint8) for seat in range(4)]
        ends = rare(encoding, rows[0], game)
        if ends & set(missing):
            seen.update(ends)
            moment = reduce(Moment.after, taken, begun(encoding, piles))
            assert moment.over and table.rewards() == moment.rewards
            for seat in range(4):
                check_row(rows[seat], moment, seat)
    assert [end for end in expected if not seen[end]] == [], seen


def test_a_stock_and_another_dealer():
    """A Rufspiel wins or loses what lies in the stock; an odd one is not shared out alike."""
    seen = set[tuple[float, ...]]()
    for dealer, stock in ((0, 40), (1, 35), (2, 1)):
        standing = Standing(dealer, (0, 0, 0, 0, stock))
        env = Env("schafkopf", seed=5, version=1, history=True, score=standing.score)
        for number in range(12 * SOAK):
            env.deal()
            env.begin(env.dealt(), standing)
            assert env.standing == standing
            moment, rng = begun(env.encoding, env.dealt(), standing), random.Random(number)
            bidder = next(s for s in range(4) if may_declare(Rules(), int(env.dealt()[s, 0]), "rufspiel E"))
            while not moment.over:
                assert env.turn == moment.turn and tuple(env.legal) == moment.legal
                action = choose(moment, Aim("rufspiel E", bidder, quiet=True), rng)
                moment = moment.after(action)
                env.act(action)
            for seat in range(4):
                check_row(env.observe(seat), moment, seat)
            assert env.rewards == moment.rewards
            seen.add(moment.rewards)
    assert any(sum(rewards) > 0 for rewards in seen) and any(sum(rewards) < 0 for rewards in seen)


def test_prices_that_a_float_would_round_are_left_to_python():
    dear = schafkopf.game(Rules(solo=100_000))
    assert encoding_of(dear).kernel() is None
    assert not BatchEnv(dear, 2).in_kernel
    assert all(encoding_of(schafkopf.game(rules)).kernel() is not None for rules in HOUSES.values())


def test_a_setting_that_makes_no_sense_is_refused():
    good = setting(Rules(), schafkopf.game().opening)
    for field, value, why in (
        ("dealer", 4, "a dealer is 0..3"),
        ("size", 7, "the pack does not make four hands"),
        ("old", 0, "the Eichel-Ober is not dealt"),
    ):
        bad = good.copy()
        bad[field] = value
        with pytest.raises(ValueError, match=f"setting: {why}"):
            _kernel.EnvSchafkopf(bad.tobytes(), 1, False)
    with pytest.raises(ValueError, match="setting: 5 bytes, and it has"):
        _kernel.EnvSchafkopf(b"short", 1, False)
    with pytest.raises(ValueError, match="not in the pack"):  # the long pack's cards at the short one's tables
        _kernel.EnvSchafkopfShort(good.tobytes(), 1, False)


@pytest.mark.parametrize(
    "small",
    [
        Small(),
        Small(solos="EG", passing=Played.YES, runners_from=1),
        Small(suits="EGHS", ranks="UOZA", called="EGS", solos="S", base=7),
        Small(suits="EGS", ranks="9OKA", called="EGS"),
    ],
)
def test_the_shrunk_game_is_played_too(small: Small):
    env = laid(schafkopf.small(small), lane_seeds(1, 60 * SOAK))
    seen = Lockstep(env, [CHANCE] * env.lanes, 1).play()
    expected = [*small.declarations, *["thrown in"] * (small.passing is Played.YES)]
    assert [event for event in expected if not seen[event]] == [], seen
