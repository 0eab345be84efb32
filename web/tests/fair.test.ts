import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { foreknown, handsOf, judge, newSalt, remember } from "../src/fair";
import type { Drawn } from "../src/wire";

/** As `renege verify` prints them: a deal of 42 from a secret of nothing but noughts. */
const tiles = Array.from({ length: 7 }, (_, high) => Array.from({ length: high + 1 }, (_, low) => `${high}-${low}`)).flat();
const terms = `renege deal 1\ngame texas42 version 1\nrules default\nsizes 7 7 7 7 0\npack ${tiles.join(" ")}\n`;
const secret = "00".repeat(32);
const drawn: Drawn = {
  terms,
  secret,
  salts: { 2: "anything" },
  commitment: createHash("sha256").update(`${terms}secret ${secret}\n`).digest("hex"),
  hands: [],
};

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  Object.assign(globalThis, {
    sessionStorage: {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    },
  });
});

describe("a deal", () => {
  test("comes of the secret as the server draws it", () => {
    expect(handsOf(drawn)).toEqual(EXPECTED);
    expect(handsOf({ ...drawn, salts: {} })).not.toEqual(EXPECTED);
  });

  test("is fair where all agrees", () => {
    const hands = handsOf(drawn).map((hand) => [...hand].reverse());
    const known = { commitment: drawn.commitment, salt: "anything" };
    expect(judge(drawn, hands, 2, known)).toBe("fair");
    expect(judge(drawn, hands, null, { commitment: drawn.commitment })).toBe("fair");
    expect(judge(drawn, hands, 2, undefined)).toBe("unwatched");
  });

  test("is not where something differs", () => {
    const hands = handsOf(drawn);
    expect(judge(drawn, hands, 2, { commitment: "ab".repeat(32) })).toBe("commitment");
    expect(judge({ ...drawn, secret: "11".repeat(32) }, hands, 2, undefined)).toBe("commitment");
    expect(judge(drawn, [hands[1]!, hands[0]!, ...hands.slice(2)], 2, undefined)).toBe("hands");
    expect(judge(drawn, hands, 2, { commitment: drawn.commitment, salt: "other" })).toBe("salt");
    expect(judge(drawn, hands, 0, { commitment: drawn.commitment, salt: "anything" })).toBe("salt");
  });
});

test("what was published first is remembered, of the last deals", () => {
  remember("t", 1, { commitment: "a" });
  remember("t", 1, { commitment: "b" });
  expect(foreknown("t", 1)).toEqual({ commitment: "a" });
  for (let deal = 2; deal < 12; deal++) remember("t", deal, { commitment: `${deal}`, salt: "s" });
  expect(foreknown("t", 1)).toBeUndefined();
  expect(foreknown("t", 11)).toEqual({ commitment: "11", salt: "s" });
  storage.set("fair/u", "no JSON");
  expect(foreknown("u", 1)).toBeUndefined();
});

test("salts are as the server takes them, and never the same", () => {
  expect(newSalt()).toMatch(/^[0-9a-f]{32}$/);
  expect(newSalt()).not.toBe(newSalt());
});

const EXPECTED: string[][] = [
  ["4-3", "4-4", "2-1", "6-5", "6-6", "4-0", "2-2"],
  ["0-0", "5-4", "6-4", "1-1", "3-3", "5-3", "4-2"],
  ["1-0", "2-0", "5-2", "3-0", "5-5", "6-3", "4-1"],
  ["3-2", "6-1", "6-0", "5-1", "6-2", "3-1", "5-0"],
];
