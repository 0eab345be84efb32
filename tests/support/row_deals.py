"""Deals of all games for tests of rows: under every preset and random rules, steered to contracts, from anywhere on."""

import random
from collections.abc import Callable, Iterator
from functools import partial

from renege.core.cards import Cards
from renege.core.registry import find_game
from renege.envs import BatchEnv
from renege.games import schafkopf, texas42, tractor
from renege.games.encoding import Encoding, Moment
from renege.games.tractor.rules import Rules as TractorRules
from support import schafkopf_moments, texas42_moments, tractor_lanes, tractor_larger
from support.env_lanes import full_encoding
from support.steering import CONTRACTS, deals_for
from support.texas42_moments import Steered
from support.tractor_moments import some_rules

Choose = Callable[[Moment], int]
Deal = Iterator[Moment]


def _played(moment: Moment, choose: Choose) -> Deal:
    while not moment.over:
        yield moment
        moment = moment.after(choose(moment))


def _begun(encoding: Encoding, seed: int, rng: random.Random) -> Moment:
    return encoding.deal(seed, encoding.standing(rng))


def of_texas42(rng: random.Random) -> Iterator[Deal]:
    """Deals without end."""
    houses = list(texas42_moments.HOUSES.values())
    while True:
        rules = rng.choice([rng.choice(houses), texas42_moments.random_rules(rng)])
        encoding, (bid, declared) = full_encoding(texas42.game(rules)), rng.choice(CONTRACTS)
        seed = next(deals_for(bid, encoding.game, rng.getrandbits(40)))
        yield _played(_begun(encoding, seed, rng), Steered(encoding, bid, declared, rng).choose)


def of_schafkopf(rng: random.Random) -> Iterator[Deal]:
    houses = list(schafkopf_moments.HOUSES.values())
    while True:
        must = schafkopf_moments.HOUSES[rng.choice(["old must", "short old must"])]  # where Renonces are
        rules = rng.choice([rng.choice(houses), schafkopf_moments.any_rules(rng), must])
        encoding = full_encoding(schafkopf.game(rules))
        piles = BatchEnv(encoding.game, 300, seed=rng.getrandbits(60)).dealt()[:, :4, 0]
        standing = encoding.standing(rng)
        aims = list(schafkopf_moments.aims(rules, standing.dealer, piles.tolist(), rng.getrandbits(30)))
        for number, aim in [*rng.sample(aims, min(5, len(aims))), aims[-1]]:  # where he must play, a Renonce is last
            hands = [Cards(encoding.game.deck, (int(pile),)) for pile in piles[number]]
            moment = encoding.begin(hands, encoding.game.deck.none, standing)
            yield _played(moment, lambda moment, aim=aim: schafkopf_moments.choose(moment, aim, rng))


def of_tractor(rng: random.Random) -> Iterator[Deal]:
    houses = tractor_lanes.house_rules()
    while True:
        rules = rng.choice([rng.choice(houses), _any_tractor_rules(rng)])
        encoding = full_encoding(tractor.game(rules))
        hands, kitty = tractor_lanes.rigged(rng) if rng.random() < 0.5 else encoding.game.deal(rng.getrandbits(60))
        begun = encoding.begin(hands, kitty, encoding.standing(rng))
        yield (moment for moment, _ in tractor_lanes.eventful(encoding, begun, rng))


def _any_tractor_rules(rng: random.Random) -> TractorRules:
    while tractor_lanes.is_refused(rules := some_rules(rng)):
        pass
    return rules


def of_larger_tables(rng: random.Random) -> Iterator[Deal]:
    """Tables of four to eight with two to four packs, in teams or with friends, under any house rules."""
    while True:
        encoding = full_encoding(tractor.game(tractor_larger.any_house(rng)))
        game = encoding.game
        hands, kitty = tractor_larger.rigged(game, rng) if rng.random() < 0.5 else game.deal(rng.getrandbits(60))
        begun = encoding.begin(hands, kitty, encoding.standing(rng))
        yield (moment for moment, _ in tractor_lanes.eventful(encoding, begun, rng))


def of_small(name: str, rng: random.Random) -> Iterator[Deal]:
    encoding = full_encoding(find_game(name))
    while True:
        yield _played(_begun(encoding, rng.getrandbits(60), rng), lambda moment: rng.choice(moment.legal))


DEALS: dict[str, Callable[[random.Random], Iterator[Deal]]] = {
    "texas42": of_texas42,
    "schafkopf": of_schafkopf,
    "tractor": of_tractor,
    "larger tables": of_larger_tables,
    **{f"{name}-small": partial(of_small, f"{name}-small") for name in ("texas42", "schafkopf", "tractor")},
}
