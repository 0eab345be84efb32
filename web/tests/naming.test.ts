import { expect, test } from "vitest";
import { bySuit, partsOf, same, written } from "../src/table/naming";

const FRIENDS = { verb: "friends" };

test("the cards that may be named stand by suit, the highest first, and those without a suit by themselves", () => {
  const found = bySuit(["S3", "S4", "SA", "H3", "LJ", "BJ"]);
  expect(found).toEqual([
    { suit: "H", cards: ["H3"] },
    { suit: "S", cards: ["SA", "S4", "S3"] },
    { suit: "", cards: ["BJ", "LJ"] },
  ]);
});

test("a call is written as it is read", () => {
  const parts = [
    { card: "HA", nth: 2 },
    { card: "SK", nth: 1 },
  ];
  expect(written(FRIENDS, parts)).toBe("friends HA 2, SK 1");
  expect(partsOf(FRIENDS, written(FRIENDS, parts))).toEqual(parts);
  expect(partsOf(FRIENDS, "friends HA, SK 3")).toEqual([
    { card: "HA", nth: 1 },
    { card: "SK", nth: 3 },
  ]);
  expect(partsOf(FRIENDS, "bury HA SK")).toEqual([]);
});

test("two parts are the same where card and copy are", () => {
  expect(same({ card: "HA", nth: 1 }, { card: "HA", nth: 1 })).toBe(true);
  expect(same({ card: "HA", nth: 1 }, { card: "HA", nth: 2 })).toBe(false);
});
