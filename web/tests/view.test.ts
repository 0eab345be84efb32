import { describe, expect, test } from "vitest";
import { callGroups } from "../src/table/calls";
import { fan, type Room } from "../src/table/fan";
import { levelName, signed, tally } from "../src/table/paper";
import { around, byTrick, cardsIn, cut, groups, instead, keyed, lines, listed, mixed, onlyPasses, sideOf, trumpEnd } from "../src/table/view";
import type { State } from "../src/wire";

describe("who sits where", () => {
  test("play goes to the left, in Tractor to the right, and the partner sits opposite", () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 0, "texas42", 4))).toEqual(["bottom", "left", "top", "right"]);
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 2, "schafkopf", 4))).toEqual(["top", "right", "bottom", "left"]);
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 3, "tractor", 4))).toEqual(["right", "top", "left", "bottom"]);
  });
  test("others sit round the table, the next on the left or in Tractor on the right", () => {
    expect(around(0, "texas42", 5)).toEqual({ bottom: [0], left: [1], top: [2, 3], right: [4] });
    expect(around(2, "texas42", 6)).toEqual({ bottom: [2], left: [3], top: [4, 5, 0], right: [1] });
    expect(around(1, "tractor", 6)).toEqual({ bottom: [1], left: [0], top: [5, 4, 3], right: [2] });
    expect(around(0, "texas42", 8)).toEqual({ bottom: [0], left: [1, 2], top: [3, 4, 5], right: [6, 7] });
    for (let players = 2; players <= 8; players += 1) {
      const seats = Array.from({ length: players }, (_, seat) => seat);
      const found = around(players - 1, "tractor", players);
      expect(Object.values(found).flat().toSorted()).toEqual(seats);
      for (const seat of seats) expect(found[sideOf(seat, players - 1, "tractor", players)]).toContain(seat);
    }
  });
});

describe("cards", () => {
  test("copies have names of their own", () => {
    expect(keyed([{ card: "HK" }, { card: "HQ" }, { card: "HK" }]).map((held) => held.key)).toEqual(["HK.0", "HQ.0", "HK.1"]);
  });
  test("suits stand together", () => {
    const held = [{ suit: "T" }, { suit: "T" }, { suit: "H" }];
    expect(groups(held).map((group) => group.length)).toEqual([2, 1]);
  });
  test("a text's cards", () => {
    expect(cardsIn("SA SA + SK")).toEqual(["SA", "SA", "SK"]);
    expect(cardsIn("show LJ LJ")).toEqual(["LJ", "LJ"]);
    expect(cardsIn("give 6-4")).toEqual(["6-4"]);
    expect(cardsIn("EO, SZ")).toEqual(["EO", "SZ"]);
    expect(cardsIn("bury 8 cards")).toEqual([]);
  });
  test("the trump end of a tile", () => {
    const contract = { what: "trump 5 bid 31 by 2", text: "", trump: "", declarer: 2 };
    expect(trumpEnd({ game: "texas42", contract })).toBe(5);
    expect(trumpEnd({ game: "texas42", contract: { ...contract, what: "trump doubles bid 30 by 1" } })).toBeNull();
    expect(trumpEnd({ game: "tractor", contract: { ...contract, what: "trump S2 by 1" } })).toBeNull();
  });
  test("a deal is shown in a mixed order, every card once, the same each time", () => {
    expect([...mixed(25, 3)].sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, i) => i));
    expect(mixed(25, 3)).toEqual(mixed(25, 3));
    expect(mixed(25, 3)).not.toEqual(mixed(25, 4));
  });
});

describe("the fan", () => {
  const phone: Room = { width: 374, card: 56, most: 40, least: 22, gap: 8, last: 0 };
  const desk: Room = { width: 890, card: 84, most: 49, least: 30, gap: 14, last: 84 };
  const inside = (groups: number[], room: Room) => {
    const { spots } = fan(groups, room);
    for (const spot of spots) {
      expect(spot.x).toBeGreaterThanOrEqual(0);
      expect(spot.x + room.card).toBeLessThanOrEqual(room.width + 0.01);
    }
    return spots;
  };
  test("25 cards lie in two rows on a phone, 33 in three, eight in one", () => {
    expect(fan([11, 6, 4, 4], phone).rows).toBe(2);
    expect(fan([14, 8, 6, 5], phone).rows).toBe(3);
    expect(fan([4, 2, 2], phone).rows).toBe(1);
  });
  test("every card has its place, within the width and in order", () => {
    for (const sizes of [[25], [11, 6, 4, 4], [14, 8, 6, 5], [1, 1, 1, 1, 3], [1], []]) {
      const spots = inside(sizes, phone);
      expect(spots).toHaveLength(sizes.reduce((a, b) => a + b, 0));
      const rows = spots.map((spot) => spot.row);
      expect(rows).toEqual([...rows].sort((a, b) => a - b));
    }
  });
  test("rows hold about the same, and break between suits where that is near", () => {
    const rows = fan([12, 5, 4, 4], phone).spots.map((spot) => spot.row);
    expect(rows.filter((row) => row === 0)).toHaveLength(12);
    const split = fan([20, 5], phone);
    expect(split.spots.filter((spot) => spot.row === 0)).toHaveLength(13);
    expect(split.labels.map((label) => label.group)).toEqual([0, 0, 1]);
  });
  test("on a desk an index shows whole, and no card lies under the next suit", () => {
    for (const sizes of [[14, 8, 6, 5], [11, 6, 4, 4], [9, 3, 2, 1, 1], [1, 1, 1, 1, 1], [8]]) {
      const { spots } = fan(sizes, desk);
      inside(sizes, desk);
      const ends = sizes.map((_, i) => sizes.slice(0, i + 1).reduce((a, b) => a + b, 0) - 1);
      spots.slice(0, -1).forEach((spot, i) => {
        const next = spots[i + 1]!;
        if (next.row === spot.row) expect(next.x - spot.x).toBeGreaterThanOrEqual(ends.includes(i) ? desk.card : desk.least);
      });
    }
    expect(fan([14, 8, 6, 5], desk).rows).toBe(2);
  });
  test("there is a gap between suits", () => {
    const { spots } = fan([2, 2], { ...phone, width: 1000 });
    const [a, b, c] = spots.map((spot) => spot.x) as [number, number, number];
    expect(b - a).toBeCloseTo(40);
    expect(c - b).toBeCloseTo(48);
  });
});

test("cards are listed with commas where a name has two words", () => {
  expect(listed(["SQ", "HT"], "tractor")).toBe("♠Q ♥10");
  expect(listed(["LJ", "SQ"], "tractor")).toBe("little joker, ♠Q");
  expect(instead("LJ + SQ SQ", "tractor")).toBe("little joker, ♠Q, ♠Q");
  expect(instead("6-4 as 4", "texas42")).toBe("6-4 as 4");
});

describe("what may be said", () => {
  const call = (what: string, group: string, seldom = false) => ({ what, text: what, group, seldom, cards: [], suit: "" });
  const shape = (...said: ReturnType<typeof call>[]) =>
    callGroups(said).map((group) => `${group.seldom ? "(" : ""}${group.name}: ${group.calls.map(({ what }) => what).join(", ")}`);

  test("stands in groups, passes first and what is seldom last", () => {
    expect(shape(call("30", "points"), call("solo E tout", "tout", true), call("pass", "pass"), call("31", "points"), call("1 mark", "marks"))).toEqual([
      "pass: pass",
      "points: 30, 31",
      "marks: 1 mark",
      "(tout: solo E tout",
    ]);
  });
  test("is not folded away where there is nothing else", () => {
    expect(shape(call("pass", "pass"), call("solo E tout", "tout", true))).toEqual(["pass: pass", "tout: solo E tout"]);
  });
});

describe("the sheet", () => {
  test("marks are strokes in bundles of five", () => {
    expect(tally(0)).toEqual([]);
    expect(tally(4)).toEqual([4]);
    expect(tally(5)).toEqual([5]);
    expect(tally(7)).toEqual([5, 2]);
  });
  test("levels and signs", () => {
    expect([2, 10, 11, 14].map(levelName)).toEqual(["2", "10", "J", "A"]);
    expect([3, 0, -20].map(signed)).toEqual(["+3", "0", "−20"]);
  });
});

/** As much of a state as these functions look at. */
function state(more: Partial<Record<keyof State, unknown>>, kinds: string[] = ["person", "bot", "bot", "bot"]): State {
  const seats = kinds.map((kind, seat) => ({ place: { seat, kind, name: "" }, points: 10 * seat }));
  return { game: "tractor", me: 0, asked: true, phase: "talk", calls: [], seats, contract: null, result: null, ...more } as unknown as State;
}

describe("what there is to say", () => {
  const pass = { what: "pass", text: "pass" };
  test("who can only pass, among bots, need not", () => {
    expect(onlyPasses(state({ calls: [pass] }))).toBe(true);
    expect(onlyPasses(state({ calls: [pass, { what: "show S2", text: "" }] }))).toBe(false);
    expect(onlyPasses(state({ calls: [{ what: "take", text: "" }] }))).toBe(false);
    expect(onlyPasses(state({ calls: [] }))).toBe(false);
  });
  test("nor before it is asked, nor where other people would see how fast", () => {
    expect(onlyPasses(state({ calls: [pass], asked: false }))).toBe(false);
    expect(onlyPasses(state({ calls: [pass], phase: "play" }))).toBe(false);
    expect(onlyPasses(state({ calls: [pass] }, ["person", "bot", "person", "bot"]))).toBe(false);
  });
});

describe("what happened", () => {
  test("trick by trick, the newest first, what is said between with the trick that is played", () => {
    const events = [null, null, 1, 1, null, 1, 2].map((trick, number) => ({ trick, number }));
    expect(byTrick(events).map(({ trick, events: told }) => [trick, told.map(({ number }) => number)])).toEqual([
      [2, [6]],
      [1, [2, 3, 4, 5]],
      [0, [0, 1]],
    ]);
    expect(byTrick([])).toEqual([]);
  });
});

describe("plays of many cards", () => {
  const six = ["SA", "SA", "SA", "SK", "SK", "SK"];
  test("cards are as wide as all corners can be read", () => {
    expect(lines(["SA"], 88, true)).toEqual({ lines: [["SA"]], width: 88 });
    const { lines: laid, width } = lines(six, 88, true);
    expect(laid).toEqual([six]);
    expect(width * (1 + 5 * 0.37)).toBeCloseTo(88);
  });
  test("what would be too small lies in two lines", () => {
    const { lines: laid, width } = lines([...six, "SQ", "SQ", "SQ"], 88, true);
    expect(laid.map((line) => line.length)).toEqual([5, 4]);
    expect(width).toBeCloseTo(33);
    expect(lines([...six, "SQ", "SQ", "SQ"], 88, false).width).toBeGreaterThan(33);
  });
  test("a long hand is cut into lines of about the same length", () => {
    const hand = Array.from({ length: 52 }, () => "SA");
    expect(cut(hand, 330, 40).map((line) => line.length)).toEqual([18, 18, 16]);
    expect(cut(hand, 800, 48).map((line) => line.length)).toEqual([52]);
    expect(cut([], 330, 40)).toEqual([]);
  });
});
