import { describe, expect, it } from "vitest";
import { bars, cell, evidence, groups, moved, warmth } from "../src/teach/heat";
import { about, amount, decimal, grouped, percent } from "../src/teach/numbers";
import type { BeliefShown, Estimate, Whereabouts } from "../src/wire";

const card = (name: string, suit: string, odds: Record<string, number>, unseen = 1, why: string[] = []): Whereabouts => ({ card: name, suit, odds, unseen, why });

describe("numbers", () => {
  it("are grouped as the language does", () => {
    expect(grouped("1234567", "en")).toBe("1,234,567");
    expect(grouped("1234567", "de")).toBe("1.234.567");
    expect(grouped("123456789012345678901234567890", "en")).toBe("123,456,789,012,345,678,901,234,567,890");
  });
  it("are told by their power of ten where they are long", () => {
    expect(about("399072960", "en")).toBeUndefined();
    expect(about(`42${"0".repeat(24)}`, "en")).toBe("4.2 × 10²⁵");
    expect(about(`42${"0".repeat(24)}`, "de")).toBe("4,2 × 10²⁵");
    expect(about("9".repeat(20), "en")).toBe("1.0 × 10²⁰");
  });
  it("never call the possible impossible", () => {
    expect(percent(0, "en")).toBe("0%");
    expect(percent(0.0004, "en")).toBe("<1%");
    expect(percent(0.9996, "en")).toBe(">99%");
    expect(percent(1, "en")).toBe("100%");
    expect(percent(0.48, "en")).toBe("48%");
  });
  it("have no tail of zeros as an amount", () => {
    expect([amount(3, "en"), amount(2.25, "en"), amount(1.5, "de")]).toEqual(["3", "2.3", "1,5"]);
  });
});

describe("the map", () => {
  it("groups by suit in the order given", () => {
    const belief = { cards: [card("BJ", "T", {}), card("HK", "H", {}), card("S2", "T", {})] } as unknown as BeliefShown;
    expect(groups(belief).map(({ suit, cards }) => [suit, cards.map((one) => one.card)])).toEqual([
      ["T", ["BJ", "S2"]],
      ["H", ["HK"]],
    ]);
  });
  it("is warm by the part of the unseen copies", () => {
    const two = card("HK", "H", { "1": 1, "2": 1, "3": 0 }, 2);
    expect([warmth(two, "1"), warmth(two, "3"), warmth(two, "kitty")]).toEqual([0.5, 0, 0]);
    expect(cell(two, "1", "en")).toBe("1");
    expect(cell(card("HK", "H", { "1": 0.25 }), "1", "en")).toBe("25%");
    expect(cell(card("HK", "H", { "1": 0.01 }, 2), "1", "en")).toBe("0.1");
  });
  it("takes rounding for a proof only at the very ends", () => {
    expect(warmth(card("HK", "H", { "1": 1 - 1e-12 }), "1")).toBe(1);
    expect(warmth(card("HK", "H", { "1": 1e-6 }), "1")).toBeGreaterThan(0);
  });
  it("shows the evidence that names the pile", () => {
    const zero = card("HK", "H", { "1": 0 }, 1, ["Ben has no hearts", "Clara has no hearts"]);
    expect(evidence(zero, "Ben")).toEqual(["Ben has no hearts"]);
    expect(evidence(zero, "Kitty")).toHaveLength(2);
  });
  it("is walked by arrow keys and left by no other", () => {
    expect(moved("ArrowRight", [0, 0], 3, 2)).toEqual([0, 1]);
    expect(moved("ArrowRight", [0, 1], 3, 2)).toBeUndefined();
    expect(moved("ArrowDown", [0, 1], 3, 2)).toEqual([1, 1]);
    expect(moved("ArrowDown", [2, 1], 3, 2)).toBeUndefined();
    expect(moved("End", [2, 0], 3, 2)).toEqual([2, 1]);
    expect(moved("Tab", [1, 1], 3, 2)).toBeUndefined();
  });
});

it("bars share one scale and leave out what was not tried", () => {
  const estimate = (what: string, mean: number | null, low: number | null, high: number | null): Estimate => ({ what, text: what, mean, low, high, worlds: 9 });
  expect(bars([estimate("a", 8, 6, 10), estimate("b", 2, 0, 4), estimate("c", null, null, null)])).toEqual([
    { what: "a", from: 60, length: 40, mean: 80 },
    { what: "b", from: 0, length: 40, mean: 20 },
  ]);
  expect(bars([estimate("a", 3, null, null)])).toEqual([{ what: "a", from: 0, length: 0, mean: 0 }]);
});

it("no number is less than nothing by a hair", () => {
  expect(decimal(-0.04, "en")).toBe("0.0");
  expect(decimal(-0.06, "en")).toBe("-0.1");
  expect(amount(-0.01, "en")).toBe("0");
});
