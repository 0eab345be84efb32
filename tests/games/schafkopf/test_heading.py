"""The duty to beat the trick: what a play proves is exactly what it takes to be legal, and agents play by it."""

import random

import pytest

from reference import schafkopf as reference
from renege.agents import Rulebook, Searcher
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.facts import Lacks, Void
from renege.core.judge import judge
from renege.core.position import Course, begin
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games import schafkopf
from renege.games.schafkopf.calling import is_caught
from renege.games.schafkopf.rules import HEAD_TRICK, BettelOrder, HeadTrick, PackSize, Rules
from renege.games.schafkopf.solve import solve
from support.schafkopf_deals import SOAK, begin_deal

TOLD = {order: "bettel" if order is BettelOrder.ACE_KING else f"bettel {order.value}" for order in BettelOrder}
HEADS = ("bettel", "ramsch")


def test_a_play_proves_what_made_it_legal():
    """Every other hand with that card is allowed by the facts if, and only if, it might have played it."""
    proved = 0
    for number in range(200 * SOAK):
        rng = random.Random(f"heading {number}")
        order = rng.choice(list(BettelOrder))
        rules = Rules(deck=rng.choice(list(PackSize)), bettel_order=order, head_trick=HeadTrick.BOTH)
        declaration, told = ("bettel", TOLD[order]) if number % 2 else ("ramsch", "ramsch")
        game, pack = schafkopf.game(rules), reference.deck(rules.deck is PackSize.SHORT)
        rng.shuffle(pack)
        size = len(pack) // 4
        hands = [pack[i * size : (i + 1) * size] for i in range(4)]
        trick: list[str] = []
        for seat in range(rng.randint(2, 4)):
            trick.append(rng.choice(reference.legal(hands[seat], trick, told, heads=HEADS)))
        *before, card = trick
        seat = len(before)
        piles = tuple(game.deck.cards(game.deck.spellings[name] for name in hand) for hand in hands)
        contract = schafkopf.Bargain(declaration, None if declaration == "ramsch" else 3, 0)
        acts = [Act(i, Play(game.deck.cards([game.deck.spellings[name]]))) for i, name in enumerate(trick)]
        course = Course(begin(game, contract, piles), tuple(acts))
        facts = [fact for fact in course.facts() if fact.seat == seat]
        proved += any(fact.rule is HEAD_TRICK for fact in facts)
        hidden = [name for name in pack if name not in trick]
        for _ in range(20):
            hand = [card, *rng.sample(hidden, rng.randint(0, size - 1))]
            could = reference.broken(hand, before, card, told, heads=HEADS) is None
            assert all(holds(fact, hand, told) for fact in facts) is could, (told, trick, hand, facts)
    assert proved > 20


def holds(fact: object, hand: list[str], declaration: str) -> bool:
    if isinstance(fact, Void):
        suit = "TEGHS"[fact.suit]
        return not reference.in_suit(hand, suit, declaration)
    assert isinstance(fact, Lacks)
    return not set(str(fact.cards).split()) & set(hand)


@pytest.mark.parametrize("order", BettelOrder)
def test_agents_play_by_it_and_beliefs_keep_the_true_deal(order: BettelOrder):
    rules = Rules(bettel_order=order, head_trick=HeadTrick.BOTH, stoss_limit=0)
    game = schafkopf.game(rules)
    for number in range(2 * SOAK):
        for declaration in HEADS:
            table = Arbiter.resume(begin_deal(game, declaration, random.Random(f"agents {order} {number}")))
            agents, rng = [Rulebook(), Searcher(worlds=2)], random.Random(number)
            while (turn := table.position.turn) is not None:
                view = table.view(turn)
                assert Belief(view).count() >= 1
                assert table.act(turn, agents[turn % 2].choose(view, rng).what)
            assert judge(table.record)
            hands = [str(hand).split() for hand in table.record.start.hands]
            told = TOLD[order] if declaration == "bettel" else declaration
            assert reference.first_renege(hands, 0, tricks_of(table.record), told, heads=HEADS) is None


def tricks_of(record: Record) -> list[list[str]]:
    cards = [str(act.what) for act in record.acts if isinstance(act.what, Play)]
    return [cards[i : i + 4] for i in range(0, len(cards), 4)]


def test_the_solver_refuses_it_by_name():
    line = "bettel by 0 | 0: E7 | 1: E8 | 2: G7 | 3: S7 | 0 leads"
    with pytest.raises(WrongPhase, match="under head_trick=bettel"):
        solve(schafkopf.position(line, Rules(head_trick=HeadTrick.BETTEL)))
    assert solve(schafkopf.position(line, Rules(head_trick=HeadTrick.RAMSCH))).value == 1


@pytest.mark.parametrize(
    ("order", "head", "hand", "caught"),
    [
        ("ace-king", "nowhere", "E7 E9 EU G7 G8 S7 S9 H7", False),
        ("ace-king", "nowhere", "E7 E8 E9 EZ G7 S7 S8 H7", False),
        ("ace-ten", "nowhere", "E7 E9 EO G7 G8 S7 S9 H7", False),
        ("ace-king", "nowhere", "E7 E9 EO G7 G8 S7 S9 H7", True),
        ("herz", "nowhere", "H7 H9 E7 E8 G7 S7 S8 S9", False),
        ("herz", "nowhere", "HA E7 E8 G7 S7 S8 S9 G8", True),
        ("ace-king", "bettel", "E7 E8 E9 G7 G8 S7 S8 H7", False),
        ("ace-king", "bettel", "E7 E9 G7 G8 S7 S8 S9 H7", True),
        ("herz", "bettel", "E7 E8 E9 G7 G8 S7 S8 H7", True),
    ],
)
def test_a_bettel_is_safe_by_its_own_order(order: str, head: str, hand: str, caught: bool):
    rules = Rules(bettel_order=BettelOrder(order), head_trick=HeadTrick(head))
    deck = schafkopf.game(rules).deck
    cards = deck.cards(deck.spellings[card] for card in hand.split())
    assert isinstance(cards, Cards)
    assert is_caught(rules, cards.kinds) is caught
