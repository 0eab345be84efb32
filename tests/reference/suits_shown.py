"""Who has led which suit and who has shown to be out of which, as somebody at the table remembers it.

A trick is a list of plays, the lead first; a play is a seat and the cards that it put, as texts. What suit a card leads
and whether one follows a suit is told by the reference of each game; nothing is imported from what is tested.
"""

from collections.abc import Callable, Sequence

Trick = Sequence[tuple[int, Sequence[str]]]


def led(tricks: Sequence[Trick], suit_of: Callable[[str], str]) -> set[tuple[int, str]]:
    """Seats with the suits that they have led: that of the card, or of the cards, which are of one suit."""
    found = set[tuple[int, str]]()
    for trick in tricks:
        leader, cards = trick[0]
        suits = {suit_of(card) for card in cards}
        assert len(suits) == 1
        found |= {(leader, suit) for suit in suits}
    return found


def out_of(
    tricks: Sequence[Trick], suit_of: Callable[[str], str], follows: Callable[[str, str], bool]
) -> set[tuple[int, str]]:
    """Seats with the suits that they are out of: whoever puts fewer cards of a led suit than were led has no more."""
    found = set[tuple[int, str]]()
    for trick in tricks:
        _, lead = trick[0]
        suit = suit_of(lead[0])
        for seat, cards in trick[1:]:
            followed = 0
            for card in cards:
                if follows(card, suit):
                    followed += 1
            if followed < len(lead):
                found.add((seat, suit))
    return found
