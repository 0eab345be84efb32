"""Where things lie on the page: everybody is seen, in the window, and nothing lies over something else."""

from e2e.pages import Screen

Boxes = dict[str, tuple[float, float, float, float]]
BOXES = """(all, name) => Object.fromEntries(all.map((one) => {
    const box = one.getBoundingClientRect();
    const called = one.dataset[name] ?? one.dataset.seatPlayed ?? "";
    return [called, [box.left, box.top, box.right, box.bottom]];
}))"""


def boxes(screen: Screen, selector: str, name: str = "seat") -> Boxes:
    """Where the things lie that a selector finds, each by what its data call it."""
    return screen.page.locator(selector).evaluate_all(BOXES, name)


def check_apart(found: Boxes) -> None:
    """No two lie over each other."""
    placed = list(found.items())
    for i, (one, (left, top, right, bottom)) in enumerate(placed):
        for other, (x, y, far, low) in placed[i + 1 :]:
            assert right <= x + 1 or far <= left + 1 or bottom <= y + 1 or low <= top + 1, (one, other)


def look_round(screen: Screen, players: int, size: tuple[int, int]) -> None:
    """Everybody is there, in the window, and nobody in another's place."""
    plates, plays = boxes(screen, "[data-seat]"), boxes(screen, "[data-seat-played]")
    assert sorted(plates, key=int) == [str(seat) for seat in range(players)]
    for left, top, right, bottom in (*plates.values(), *plays.values()):
        assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    check_apart(plates)
    check_apart(plays)
    check_apart({f"plate {seat}": box for seat, box in plates.items()} | {f"play {s}": box for s, box in plays.items()})
    assert screen.no_sideways()
    names = [seat["place"]["name"] for seat in screen.state["seats"]]
    assert all(screen.page.locator(f'[data-seat="{seat}"] b').inner_text() == names[seat] for seat in range(players))


# what a card shows of itself in a hand: its corner, with rank and suit, under nothing else; and no suit's name on it
COVERED = """() => {
  const labels = [...document.querySelectorAll('[data-testid="hand"] .noun')].map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll('[data-testid="hand"] button[data-card]')].filter((one) => {
    const card = one.querySelector("svg").getBoundingClientRect();
    const at = (x, y) => [card.left + x * card.width, card.top + y * card.height];
    const [rank, suit, [right, low]] = [at(0.195, 0.2), at(0.195, 0.41), at(0.33, 0.48)];
    if (![rank, suit].every(([x, y]) => document.elementFromPoint(x, y)?.closest("button") === one)) return true;
    const under = (box) => box.left < right && card.left < box.right && box.top < low && card.top < box.bottom - 1;
    return labels.some(under);
  }).map((one) => one.dataset.key);
}"""


def check_hand(screen: Screen, size: tuple[int, int]) -> None:
    """Every card of the hand can be read and clicked, without moving anything."""
    assert not screen.page.evaluate(COVERED)
    for left, top, right, bottom in boxes(screen, '[data-testid="hand"] button[data-card]', "key").values():
        assert left >= 0 and top >= 0 and right <= size[0] + 1 and bottom <= size[1] + 1
        assert right - left >= 20


def check_table(screen: Screen, size: tuple[int, int]) -> None:
    """The parts of the table are apart: plates, plays, the cards that were named, what is to be done, the hand."""
    found = {f"plate {seat}": box for seat, box in boxes(screen, "[data-seat]").items()}
    found |= {f"play {seat}": box for seat, box in boxes(screen, "[data-seat-played]").items()}
    found |= {f"named {card}": box for card, box in boxes(screen, "[data-named]", "named").items()}
    for name, selector in (("control", ".control"), ("hand", '[data-testid="hand"]'), ("head", "header")):
        (found[name],) = boxes(screen, selector, "testid").values()
    for name, (left, top, right, bottom) in found.items():
        assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1] + 1, (name, found[name])
    check_apart(found)
    assert screen.no_sideways()
