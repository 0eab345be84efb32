"""Text to cards and back: one grammar for every game.

Cards stand apart by spaces or commas, in any order, and a card that comes twice is written twice. What cannot be
read is a `NotationError` that quotes the text and says where it went wrong.

A play may say more than its cards: `SA SA + SK` groups a lead into units, `6-4 as 4` names the suit it is led for,
and `SK of SA SA SK` is what was led of a throw that was stopped (`SQ SQ of SK SK + SQ SQ` if its leader grouped it).
"""

import re

from renege.core.cards import Card, Cards, Deck, Hand, NotationError
from renege.core.message import say
from renege.core.trick import Play

__all__ = ["NotationError", "format_play", "on_line", "parse_card", "parse_cards", "parse_hand", "parse_play"]


def on_line(line: int, why: object) -> NotationError:
    """What is wrong on a line of a text."""
    return NotationError(say("line {n}: {error}", line, why))


def parse_card(deck: Deck, text: str) -> Card:
    """One card by its name."""
    return deck.card(text)


def parse_cards(deck: Deck, text: str) -> Cards:
    """A pile of cards: a hand, a play, a kitty. An empty text is an empty pile."""
    kinds = [parse_card(deck, word) for word in re.split(r"[\s,]+", text.strip()) if word]
    try:
        return deck.cards(kinds)
    except ValueError as too_many:
        pile = " ".join(text.split())
        raise NotationError(say("{a} (in {quoted})", too_many, repr(pile))) from None


def parse_hand(deck: Deck, text: str) -> Hand:
    """A pile of cards, or the size of one that is not told: `?7`."""
    hidden = re.fullmatch(r"\?([0-9]{1,3})", text)
    return deck.hidden(int(hidden[1])) if hidden else parse_cards(deck, text)


def parse_play(deck: Deck, suits: tuple[str, ...], text: str) -> Play:
    """A play, with what its leader said besides the cards."""
    text, of, tried = f"{text} ".partition(" of ")
    text, as_, suit = f"{text} ".partition(" as ")
    if as_ and suit.strip() not in suits:
        raise NotationError(say("{quoted} is no suit here: {rest}", repr(suit.strip()), " ".join(suits)))
    if of and "+" in text:
        raise NotationError(say("one unit is led of a throw that was stopped, not {quoted}", repr(text.strip())))
    shown = tried if of else text
    units = tuple(parse_cards(deck, unit) for unit in shown.split("+")) if "+" in shown else ()
    cards = parse_cards(deck, text.replace("+", " "))
    thrown = parse_cards(deck, tried.replace("+", " ")) if of else None
    if not all(units):
        raise NotationError(say("a unit without cards in {quoted}", repr(shown.strip())))
    if thrown is not None and not (cards and cards <= thrown):
        raise NotationError(
            say("{quoted} was not in what was tried: {quoted2}", repr(text.strip()), repr(tried.strip()))
        )
    return Play(cards, tried=thrown, units=units, suit=suits.index(suit.strip()) if as_ else None)


def format_play(play: Play, suits: tuple[str, ...]) -> str:
    """A play as text; `parse_play` reads it back."""
    shown = " + ".join(map(str, play.units)) if play.units else str(play.tried or play.cards)
    text = shown if play.tried is None else str(play.cards)
    if play.suit is not None:
        text += f" as {suits[play.suit]}"
    return text if play.tried is None else f"{text} of {shown}"
