"""Whole deals of Tractor at tables of four to eight by random players, and how the brute force is told of them."""

import random

from reference import tractor_packs
from reference.tractor_tables import LADDER, House, Told, tell
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, known_cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.position import Position
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.world import World
from renege.games.strategy import policy_of
from renege.games.tractor.deck import NAMES
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.friends import Friend, format_friends, open_to
from renege.games.tractor.rules import Rules

MOST_LED = 5  # cards; what is longer the brute force cuts for minutes


def choose(position: Position, rng: random.Random, most: int = MOST_LED) -> str | Play:
    """Anything legal; the banker buries any cards, and leads are short."""
    if not position.talking:
        for _ in range(50):
            found = position.legal_plays.choose(rng)
            if len(found.cards) <= most or (position.trick and position.trick.plays):
                return found
        assert isinstance(position.hand, Cards)
        return Play(position.game.deck.of(1 << rng.choice(list(position.hand))))
    calls = position.legal_calls
    if calls[0].startswith("bury"):
        assert isinstance(position.hand, Cards)
        return f"bury {position.game.deck.cards(rng.sample(list(position.hand), position.game.kitty_size))}"
    if calls[0].startswith("friends"):
        return any_friends(position, rng)
    return rng.choice(calls)


def any_friends(position: Position, rng: random.Random) -> str:
    """Friends by any cards that may be named, often such as are in hand or come more than once."""
    assert isinstance(position.talk, Drawing)
    rules, order = position.game.rules, position.talk.order
    cards = [card for card in range(len(NAMES)) if open_to(rules, order, card)]
    held = [card for card in cards if isinstance(position.hand, Cards) and position.hand.count(card)]
    few = rng.sample(cards, 2) + rng.sample(held, min(2, len(held)))
    every = {Friend(card, nth) for card in few for nth in range(1, rules.packs + 1)}
    return f"friends {format_friends(rng.sample(sorted(every), rules.friend_count))}"


def play_deal(game: Game, seed: int, standing: Standing | None = None, most: int = MOST_LED) -> Record:
    """A deal by random players, played to its end."""
    table, rng = Arbiter(game, seed, standing), random.Random(f"deal {seed}")
    while (seat := table.position.turn) is not None:
        assert table.act(seat, choose(table.position, rng, most))
    return table.record


def tricks_of(record: Record) -> list[list[tuple[int, tuple[str, ...]]]]:
    """The tricks of a record, each play with its seat."""
    found: list[list[tuple[int, tuple[str, ...]]]] = []
    for act, position in record.steps():
        if isinstance(act.what, Play):
            if position.trick is not None and not position.trick.plays:
                found.append([])
            found[-1].append((act.seat, tuple(sorted(str(act.what.cards).split()))))
    return found


def stopped_in(record: Record) -> list[int]:
    """The seats whose throws were stopped."""
    return [act.seat for act in record.acts if _is_stopped(act)]


def _is_stopped(act: Act) -> bool:
    return isinstance(act.what, Play) and act.what.tried is not None


def told_of(house: House, record: Record) -> Told:
    """What the brute force says of a record."""
    position, rules = record.position, record.game.rules
    contract = position.contract
    assert isinstance(contract, Bank) and isinstance(rules, Rules)
    ranks = [LADDER[level - 2] for level in record.start.standing.score[:-1]]
    declared = "NT-" if contract.declaration == "NT" else contract.declaration
    return tell(
        house,
        tractor_packs.Table(declared),
        contract.declarer,
        ranks,
        tuple(sorted(str(position.kitty).split())),
        [[play for _, play in trick] for trick in tricks_of(record)],
        [(NAMES[friend.card], friend.nth) for friend in contract.friends],
        stopped_in(record),
    )


def by_rulebooks(game: Game, deals: int) -> None:
    """Deals one after the other, all seats by the rulebook, none of which is refused."""
    rulebook, standing = policy_of(game), game.opening
    for seed in range(deals):
        table = Arbiter(game, seed, standing)
        while (seat := table.position.turn) is not None:
            talk = table.position.talk
            if table.position.talking and talk is not None and talk.on_kitty:
                what = talk.chance(known_cards(table.position.kitty), random.Random(seed))  # nobody's choice
            else:
                what = rulebook(table.view(seat)).what
            assert table.act(seat, what)
        standing = game.advance(table.position, table.position.result)
        if game.winner(game.rules, standing) is not None:
            standing = game.opening


def true_deal_is_a_world(game: Game, seed: int) -> None:
    """No fact that a seat has learned is wrong of the hands as they are, and there are deals that fit them all."""
    table, rng = Arbiter(game, seed), random.Random(f"world {seed}")
    until = rng.randrange(20, 120)
    while (seat := table.position.turn) is not None and len(table.record.acts) < until:
        table.act(seat, choose(table.position, rng))
    position = table.position
    true = World(tuple(map(known_cards, position.hands)), known_cards(position.kitty))
    for seat in rng.sample(range(game.players), 2):
        belief = Belief(table.view(seat))
        assert belief.allows(true)
        assert belief.count() > 0
        assert all(belief.allows(world) for world in belief.draw(2, seed))
