import { expect, test } from "vitest";
import { formatRoute, parseRoute, type Route } from "../src/router";

const ROUTES: [string, Route][] = [
  ["/", { page: "lobby" }],
  ["/paste", { page: "paste" }],
  ["/t/k3m-9_X", { page: "table", table: "k3m-9_X" }],
  ["/t/k3m/2/17", { page: "review", source: "tables", id: "k3m", deal: 2, step: 17 }],
  ["/r/abc/1/0", { page: "review", source: "records", id: "abc", deal: 1, step: 0 }],
];

test.each(ROUTES)("%s is read and written", (path, route) => {
  expect(parseRoute(path)).toEqual(route);
  expect(formatRoute(route)).toBe(path);
});

test("a deal without a step is at its beginning", () => {
  expect(parseRoute("/t/k3m/2")).toEqual({ page: "review", source: "tables", id: "k3m", deal: 2, step: 0 });
});

test.each(["/t", "/t/", "/x/1", "/t/a b", "/r/abc", "/t/k3m/x/1"])("%s is nowhere", (path) => {
  expect(parseRoute(path)).toEqual({ page: "lost" });
});
