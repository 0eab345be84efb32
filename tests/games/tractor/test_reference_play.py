"""The brute force at the table: what a follower owes, who wins, which throws stand, and the score."""

import random
from collections import Counter
from itertools import combinations, permutations, product

import pytest

from reference import tractor, tractor_round
from reference.tractor import parse
from support.tractor_piles import plain_suit, random_pile

# --- following ------------------------------------------------------------------------------------


def test_a_match_gives_the_longest_led_run_first():
    hand = parse("H3 H3 H4 H4 H5 H5 H7 H7 H8 H8")  # a run of three and a run of two
    assert tractor.best_match([4], hand, "S2") == (3,)
    assert tractor.best_match([2], hand, "S2") == (2,)
    assert tractor.best_match([2, 2], hand, "S2") == (2, 2)
    assert tractor.best_match([2, 2, 2], hand, "S2") == (2, 2, 0)  # the pair left of the three is no run
    assert tractor.best_match([3, 3], hand, "S2") == (3, 2)
    assert tractor.best_match([4, 2], hand, "S2", shorter_runs="not-owed") == (0, 2)
    assert tractor.best_match([3, 2], hand, "S2", shorter_runs="not-owed") == (3, 2)
    assert tractor.best_match([], hand, "S2") == ()


def test_the_longest_run_goes_first_even_where_it_leaves_nothing_to_the_next():
    # Runs of three and two led, a single run of four held: three and nothing comes before two and two.
    assert tractor.best_match([3, 2], parse("H3 H3 H4 H4 H5 H5 H6 H6"), "S2") == (3, 0)
    # Such a hand, eleven cards for ten: all five pairs must go, and with them the three.
    hand = parse("H3 H3 H4 H4 H5 H5 H6 H6 H8 H8 HT")
    lead = parse("H9 H9 HJ HJ HQ HQ HK HK HA HA")
    five = parse("H3 H3 H4 H4 H5 H5 H6 H6 H8 H8")
    grouping = [parse("HQ HQ HK HK HA HA"), parse("H9 H9"), parse("HJ HJ")]
    assert tractor.legal_follows(lead, hand, "S2", grouping=grouping) == {five}


def test_every_further_run_is_owed_to_what_is_left_of_the_longest_led_run():
    def all_owed(led: list[int], *runs: int) -> tuple[int, ...]:
        kinds = iter("23456789TJQKA")
        hand = [f"H{kind}" for run in runs for kind in (*(next(kinds) for _ in range(run)), next(kinds))[:run]]
        return tractor.best_match(led, parse(" ".join([*hand, *hand])), "SA", shorter_runs="all-owed")

    assert all_owed([4], 2, 2) == (2, 2)
    assert all_owed([4], 3, 2) == (3,)  # one pair is left of the four, and no run is so short
    assert all_owed([5], 2, 3) == (3, 2)
    assert all_owed([5, 3], 3, 3) == (3, 3)  # the second goes to the led run of three: that is longer than what is left
    assert all_owed([6, 2], 3, 3) == (3, 3)  # and here to what is left of the six
    assert all_owed([6], 2, 2, 2) == (2, 2, 2)
    assert all_owed([2, 2], 4) == (2, 2)
    assert all_owed([3], 1, 1, 1) == ()


def test_a_pair_inside_a_tractor_is_owed_to_tractors_alone():
    def legal(lead: str, hand: str, play: str) -> bool:
        return tractor.legal_follow(parse(lead), parse(hand), parse(play), "S2", follow="tractors-protected")[0]

    assert legal("H5 H5", "HQ HQ HK HK H3 H4", "H3 H4")
    assert legal("H5 H5", "HQ HQ HK HK H3 H4", "HQ HQ")
    assert not legal("H5 H5", "HQ HQ HK HK H7 H7 H3 H4", "H3 H4")  # the sevens are in no tractor
    assert legal("H5 H5", "HQ HQ HK HK H7 H7 H3 H4", "HK HK")
    assert not legal("H5 H5 H6 H6", "HQ HQ HK HK H3 H4", "HQ HQ H3 H4")  # tractors draw tractors
    assert legal("H5 H5 H6 H6 H7 H7", "HQ HQ HK HK H9 H9 HT HT H3 H4", "HQ HQ HK HK H3 H4")
    assert legal("S5 S5", "SA SA H2 H2 D2 D2 S3 S4", "S3 S4")  # ace and either level pair make a tractor


def test_a_match_is_the_best_of_all_cuttings_dealt_to_the_led_runs():
    rng = random.Random(19)
    for _ in range(300):
        declaration = rng.choice(["S2", "S7", "HA", "NT5"])
        cards = random_pile(rng, declaration, rng.choice(["T", "T", "C"]), 12)
        led = tuple(sorted(rng.choices([2, 2, 3, 4], k=rng.randint(1, 3)), reverse=True))
        best = tuple(0 for _ in led)
        for runs in {shape.runs for shape in tractor.shapes(cards, declaration)}:
            for dealt in permutations([*runs, *[0] * len(led)], len(led)):
                if all(given <= length for given, length in zip(dealt, led, strict=True)):
                    best = max(best, dealt)
        assert tractor.best_match(led, cards, declaration) == best


def test_a_hand_of_three_pairs_answers_a_pair_in_three_ways():
    # Five cards in suit for two led: 33, 44 or 77, never a pair broken.
    follows = tractor.legal_follows(parse("HA HA"), parse("H3 H3 H4 H4 H7 H7 C3 C3"), "S2")
    assert follows == {("H3", "H3"), ("H4", "H4"), ("H7", "H7")}


def test_a_hand_short_of_the_suit_fills_with_anything():
    # One heart for two led: it goes, with any of the three other kinds.
    follows = tractor.legal_follows(parse("HA HA"), parse("H3 C3 C3 C4 S3"), "S2")
    assert follows == {("C3", "H3"), ("C4", "H3"), ("H3", "S3")}


def test_every_lead_leaves_something_legal_and_every_refusal_names_its_duty():
    rng = random.Random(3)
    seen: Counter[str | None] = Counter()
    for _ in range(2500):
        declaration = rng.choice(tractor.DECLARATIONS)
        suit = rng.choice(["T", plain_suit(declaration)])
        lead = random_pile(rng, declaration, suit, 8)
        if not lead or (not tractor.shape(lead, declaration).runs and rng.random() < 0.8):
            continue
        hand = random_pile(rng, declaration, suit, 12, taken=lead)
        rest = tractor.without([card for card in tractor.CARDS for _ in range(2)], [*lead, *hand])
        hand = tractor.pile([*hand, *rng.sample(rest, max(1, len(lead) + 1 - len(hand)))])
        follows = tractor.legal_follows(lead, hand, declaration)
        assert follows, (declaration, lead, hand)
        for play in set(combinations(hand, len(lead))):
            legal, duty = tractor.legal_follow(lead, hand, play, declaration)
            assert legal == (play in follows) == (duty is None)
            seen[duty] += 1
        assert tractor.legal_follow(lead, hand, hand, declaration) == (False, "length")
        strict = tractor.legal_follows(lead, hand, declaration, shorter_runs="not-owed")
        assert strict
    assert set(seen) == {None, "follow-suit", "follow-pair", "follow-run", "follow-longer-run"}
    assert min(seen.values()) >= 50, seen


def hands_over(kinds: str) -> list[tractor.Pile]:
    """Every hand of some kinds, up to two copies of each."""
    names = kinds.split()
    counts = product(range(3), repeat=len(names))
    return [tractor.pile(n for n, k in zip(names, count, strict=True) for _ in range(k)) for count in counts]


# Sub-decks around the level step: for each lead and each hand of these cards (a lead may share cards with the hand:
# only shapes meet), the number of hands that are long enough and of legal plays, summed.
LITTLE_DECKS = [
    ("S2", "S3 S3 S4 S4", "SK SA H2 D2 S2 LJ", 651, 1290),
    ("S2", "S3 S3 S4 S4 S5 S5", "SK SA H2 D2 S2 LJ", 435, 751),
    ("S2", "S3 S3 S4 S4 S6 S6 S7 S7", "SA H2 C2 D2 S2 LJ", 168, 241),
    ("NT2", "S2 S2 LJ LJ", "S2 H2 C2 D2 LJ BJ", 651, 1485),
    ("S7", "H3 H3 H4 H4 H9", "H5 H6 H8 HT HJ HQ", 561, 1900),
]


@pytest.mark.parametrize(("declaration", "lead", "kinds", "hands", "follows"), LITTLE_DECKS)
def test_the_little_decks_have_so_many_legal_plays(declaration: str, lead: str, kinds: str, hands: int, follows: int):
    led = parse(lead)
    counts = [len(tractor.legal_follows(led, hand, declaration)) for hand in hands_over(kinds) if len(hand) >= len(led)]
    assert (len(counts), sum(counts)) == (hands, follows)


# --- who wins -------------------------------------------------------------------------------------


def win(plays: str, declaration: str = "S2", comparison: str = "longest-unit") -> int:
    return tractor.winner([parse(play) for play in plays.split("|")], declaration, comparison)[0]


def test_single_cards_win_as_card_beats_card():
    rng = random.Random(11)
    for _ in range(2000):
        declaration = rng.choice(tractor.DECLARATIONS)
        cards = rng.sample(tractor.CARDS * 2, 4)
        led, best = tractor.suit(cards[0], declaration), 0
        for place in (1, 2, 3):
            if tractor.beats_card(cards[place], cards[best], led, declaration):
                best = place
        for comparison in ("longest-unit", "all-units", "highest-card"):
            assert tractor.winner([(card,) for card in cards], declaration, comparison)[0] == best


def test_pairs_and_tractors_of_the_led_suit_compare_by_their_top():
    assert win("H3 H3 | H5 H5 | H4 H4 | HA HK") == 1
    assert win("H3 H3 H4 H4 | H6 H6 H7 H7 | H5 H5 H8 H8 | HA HA HK HK") == 3
    assert win("H3 H3 | H4 H4 | S3 S3 | H2 S2") == 2
    assert win("H3 H3 | C2 C2 | D2 D2 | H2 H2") == 1  # equal pairs: the earlier


def test_a_ruff_of_a_throw_is_ruffed_over():
    # Pair and single thrown. Longest unit: the pair decides. Every unit: pair and single must both go over.
    plays = "HA HA HK | S5 S5 S9 | S6 S6 S7 | S4 S4 SA"
    assert win(plays) == 2
    assert win(plays, comparison="all-units") == 1
    assert win(plays, comparison="highest-card") == 3


def test_where_every_unit_counts_a_ruff_is_cut_anew_each_time_it_is_compared():
    # Pair and two singles thrown, 66 T 5 ruffs. 99 JJ goes over it as pair 99 with two jacks (9 > 6, J > T, J > 5).
    # It stands as pair JJ with two nines as well as so: QQ K T would have to go over both.
    start = "HA HA HK HQ | S6 S6 S5 ST | S9 S9 SJ SJ |"
    assert win(start + "SQ SQ SK ST", comparison="all-units") == 2  # T is not above J
    assert win(start + "SQ SQ S7 S7", comparison="all-units") == 2
    assert win(start + "SQ SQ SK SA", comparison="all-units") == 3
    # TT 55 may be cut in two ways, and QQ 99 goes over each of them, cut the same way.
    assert win("HA HA HK HQ | ST ST S5 S5 | SQ SQ S9 S9 | S3 S3 S4 S4", comparison="all-units") == 2
    # The ten of diamonds is a level card: as a pair of fives with two of them it is over the king of trumps.
    plays = "S3 S6 S6 S5 | DT DT C5 C5 | C8 C8 C9 C9 | BJ BJ CK LJ"
    assert win(plays, "CT", comparison="all-units") == 1


def test_a_throw_of_trumps_is_never_beaten():
    # Even if it should not have stood.
    for comparison in ("longest-unit", "all-units", "highest-card"):
        assert win("S3 S3 S5 | S9 S9 ST | LJ LJ BJ | H2 H2 S2", comparison=comparison) == 0


# --- throws ---------------------------------------------------------------------------------------


def test_of_equal_singles_the_first_by_card_order_is_led():
    thrown = tractor_round.throw(parse("H2 D2 C2"), [parse("S3"), parse("S2"), parse("LJ")], "S2")
    assert (thrown.stands, thrown.led, thrown.stopped_by) == (False, ("C2",), 2)


def test_what_public_knowledge_proves_holds_in_every_deal():
    # Random small worlds: four hands and a kitty that agree with what the thrower sees.
    rng = random.Random(5)
    verdicts: Counter[bool | None] = Counter()
    for _ in range(400):
        declaration = rng.choice(["S2", "HT", "NT5"])
        suit = rng.choice(["T", "C", "D"])
        cards = [c for c in tractor.CARDS for _ in range(2)]
        mine = [card for card in cards if tractor.suit(card, declaration) == suit]
        rng.shuffle(mine)
        mine.sort(key=lambda card: tractor.step(card, declaration) + rng.random() * 6)
        thrown = tractor.pile(mine[-rng.randint(2, 5) :])
        rest = list(tractor.without(mine, thrown))
        rng.shuffle(rest)
        seen, hidden = rest[: rng.randrange(len(rest) + 1)], []
        hidden = rest[len(seen) :]
        known = rng.random() < 0.5
        kitty = hidden[: rng.randrange(3)]
        others: list[list[str]] = [[], [], []]
        void = rng.choice([[], [], [0], [0, 1], [1, 2]])
        for card in hidden[len(kitty) :]:
            others[rng.choice([seat for seat in range(3) if seat not in void])].append(card)
        voids = [[suit] if not hand else [] for hand in others]
        elsewhere = [card for card in cards if tractor.suit(card, declaration) != suit]
        whole = [*kitty, *elsewhere[: 8 - len(kitty)]] if known else None
        public = tractor_round.throw_public(thrown, thrown, seen, voids, whole, declaration)
        open_hands = tractor_round.throw(thrown, others, declaration)
        verdicts[public.stands] += 1
        if public.stands is not None:
            assert public.stands == open_hands.stands
        assert public.led in (None, open_hands.led)
        assert public.stopped_by in (None, open_hands.stopped_by)
        for said, true in zip(public.units, open_hands.units, strict=True):
            assert said.cards == true.cards
            assert set(true.beaters) <= set(said.beaters)
            assert true.safe or not said.safe
    assert min(verdicts[True], verdicts[False], verdicts[None]) >= 10


# --- the score ------------------------------------------------------------------------------------


def test_two_decks_have_200_points():
    assert 2 * tractor_round.points(tractor.CARDS) == 200


@pytest.mark.parametrize(
    ("lead", "cards", "twice", "pairs"),
    [
        ("HK", 2, 2, 2),
        ("HK HK", 4, 4, 4),
        ("HK HK HQ HQ", 16, 8, 8),
        ("HK HK HQ HQ HJ HJ", 64, 12, 16),
        ("HQ HQ HJ HJ HK", 16, 8, 8),  # W2
        ("HQ HQ HJ HJ HT HT HK", 64, 12, 16),  # W3
        ("HA HA HQ HQ", 4, 4, 8),  # two pairs: the longest unit is one of them, all pairs are two
        ("HA HA HQ", 4, 4, 4),
    ],
)
def test_the_kitty_counts_by_the_last_lead(lead: str, cards: int, twice: int, pairs: int):
    led = tractor.shape(parse(lead), "S2")
    assert tractor_round.kitty_multiplier(led) == cards
    assert tractor_round.kitty_multiplier(led, "twice-cards") == twice
    assert tractor_round.kitty_multiplier(led, "two-to-pairs-plus-1") == pairs


@pytest.mark.parametrize(
    ("attackers", "side", "steps"),
    [
        *[(0, "banker", 3), (5, "banker", 2), (35, "banker", 2), (40, "banker", 1), (75, "banker", 1)],
        *[(80, "attackers", 0), (115, "attackers", 0), (120, "attackers", 1), (155, "attackers", 1)],
        *[(160, "attackers", 2), (200, "attackers", 3), (3050, "attackers", 74)],
    ],
)
def test_the_level_table(attackers: int, side: str, steps: int):
    assert tractor_round.levels_won(attackers) == (side, steps)
    assert [tractor_round.next_banker(seat, attackers) for seat in range(4)] == (
        [2, 3, 0, 1] if side == "banker" else [1, 2, 3, 0]
    )


def test_levels_that_must_be_defended_are_not_passed_over():
    assert tractor_round.climb("2", 3, True) == "5"
    assert tractor_round.climb("Q", 3, True) is None
    assert tractor_round.climb("Q", 2, False) == "A"
    assert tractor_round.climb("A", 1, False) is None
    assert tractor_round.climb("4", 3, True, ["5", "T", "K", "A"]) == "5"
    assert tractor_round.climb("5", 2, True, ["5", "T", "K", "A"]) == "7"
    assert tractor_round.climb("5", 2, False, ["5", "T", "K", "A"]) == "5"
    assert tractor_round.climb("Q", 3, True, ["A"]) == "A"
    assert tractor_round.climb("A", 1, False, ["A"]) == "A"
    assert tractor_round.climb("A", 1, True, ["A"]) is None


def test_a_last_trick_is_settled_as_the_paper_should_have():
    # W2: seat 0 is banker and leads; seat 1, an attacker, ruffs. 10 in the trick; 190 lie unseen: 10 + 190 x 16.
    plays = [parse(play) for play in ("HQ HQ HJ HJ HK", "S3 S3 S4 S4 S6", "C3 C4 C6 C7 D3", "D4 D6 D7 D8 C8")]
    unseen = tractor.without([c for c in tractor.CARDS for _ in range(2)], [c for play in plays for c in play])
    result = tractor_round.score("S2", 0, ["2", "2"], unseen, 0, [plays])
    assert (result.attackers, result.multiplier, result.winners) == (3050, 16, (1,))
    assert (result.levels, result.banker, result.winner) == (("2", "A"), 1, 1)  # 74 levels are past the ace
    # Were seat 1 banker, the trick and the kitty are of no account: nothing for the attackers, three levels.
    result = tractor_round.score("S2", 1, ["2", "2"], unseen, 0, [plays])
    assert (result.attackers, result.levels, result.banker, result.winner) == (0, ("2", "5"), 3, None)


def test_a_renege_shows_when_the_kept_cards_come_out():
    # Seat 1 discards on hearts and has one in the next trick.
    first = [parse(card) for card in ("HA", "C3", "H4", "H5")]
    second = [parse(card) for card in ("HK", "H3", "C4", "C5")]
    assert tractor_round.first_renege("S2", 0, [first, second]) == (0, 1, "follow-suit")
    second[1] = parse("D3")
    assert tractor_round.first_renege("S2", 0, [first, second]) is None
    # A throw that another hand stops is a wrong lead.
    throw = [parse(cards) for cards in ("HK HQ", "H3 HA", "H4 H5", "C4 C5")]
    assert tractor_round.first_renege("S2", 0, [throw]) == (0, 0, "throw-stopped")
