import { expect, test } from "vitest";
import { wait } from "../src/socket";

test("the wait before another attempt doubles up to ten seconds", () => {
  expect([0, 1, 2, 3].map((attempt) => wait(attempt, 0.5))).toEqual([400, 800, 1600, 3200]);
  expect(wait(20, 0.5)).toBe(10_000);
});

test("two pages do not come back at the same moment", () => {
  expect(wait(3, 0)).toBe(2400);
  expect(wait(3, 1)).toBe(4000);
});
