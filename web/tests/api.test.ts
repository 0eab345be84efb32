import { expect, test } from "vitest";
import { Refuse, judged, said } from "../src/api";

test("a refusal is a sentence", () => {
  expect(said(new Refuse(404, "there is no such table"))).toBe("There is no such table");
  expect(said(new TypeError("Failed to fetch"))).toBe("The server does not answer");
  expect(said("gone")).toBe("gone");
});

test("a bad name and one that nobody has are both nothing", () => {
  expect([404, 422, 409, 503].map((status) => new Refuse(status, "").nothing)).toEqual([true, true, false, false]);
});

test("a review may break off and say why", () => {
  expect(judged('{"number": 3, "what": "6-4"}')).toMatchObject({ number: 3 });
  expect(() => judged('{"detail": "the time is up"}')).toThrow("The time is up");
});
