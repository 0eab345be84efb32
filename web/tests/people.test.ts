import { describe, expect, test } from "vitest";
import { CLOCKS, clockOf, order } from "../src/lobby/wanted";
import { countdown, duration, idle, left, missing } from "../src/table/people";
import type { ClockShown, Place, State } from "../src/wire";

const person = (seat: number, more: Partial<Place> = {}): Place => ({
  seat,
  name: `P${seat}`,
  kind: "person",
  level: null,
  online: true,
  away_since: null,
  stand_in: null,
  wanted_by: [],
  ...more,
});
const CLOCK: ClockShown = { kind: "act", seconds: 120, seat: 1, since: 1000, until: 1120, left: null, patience: 30 };

function table(places: Place[], clock: ClockShown | null = CLOCK): State {
  return { me: 0, phase: "play", seats: places.map((place) => ({ place })), people: { clock } } as unknown as State;
}

describe("times", () => {
  test("are told as coarsely as one would", () => {
    expect([0, 59.9, 60, 3599, 7200, 172_800].map(duration)).toEqual(["0 s", "59 s", "1 min", "59 min", "2 h", "2 days"]);
  });
  test("run down as on a clock", () => {
    expect([120, 65.2, 9.01, 0, -3].map(countdown)).toEqual(["2:00", "1:06", "0:10", "0:00", "0:00"]);
  });
  test("are left where a clock counts, and stay as they are where it stands still", () => {
    expect(left(CLOCK, 1100)).toBe(20);
    expect(left(CLOCK, 1200)).toBe(0);
    expect(left({ ...CLOCK, until: null, left: 7 }, 1100)).toBe(7);
    expect(left({ ...CLOCK, kind: "none", until: null }, 1100)).toBeUndefined();
    expect(left(null, 1100)).toBeUndefined();
  });
});

describe("a bot is asked for", () => {
  const seats = (state: State, now: number) => idle(state, now).map((place) => place.seat);
  test("for who is away, and for who lets the table wait", () => {
    const state = table([person(0), person(1), person(2, { online: false, away_since: 990 }), person(3, { kind: "bot" })]);
    expect(seats(state, 1010)).toEqual([2]);
    expect(seats(state, 1030)).toEqual([1, 2]);
  });
  test("for nobody for whom one plays already, and by nobody who watches", () => {
    const state = table([person(0), person(1, { online: false, stand_in: "middle" })], null);
    expect(seats(state, 1030)).toEqual([]);
    expect(seats({ ...table([person(0), person(1, { online: false })]), me: null } as State, 1030)).toEqual([]);
  });
  test("by all who are here", () => {
    const gone = person(1, { online: false, wanted_by: [0] });
    const state = table([person(0), gone, person(2), person(3, { online: false })]);
    expect(missing(state, gone)).toEqual([2]);
  });
});

describe("the clock of a table", () => {
  test("is chosen by name, or left to the server", () => {
    expect(clockOf("usual")).toBeNull();
    expect(clockOf("act 60")).toEqual({ kind: "act", seconds: 60 });
    expect(CLOCKS.slice(1).every((name) => clockOf(name) !== null)).toBe(true);
    const wish = { seats: [], preset: "default", own: {}, name: "", pace: 0 };
    const game = { game: "tractor", rules: [], presets: {} } as unknown as Parameters<typeof order>[0];
    expect(order(game, wish)).not.toHaveProperty("clock");
    expect(order(game, { ...wish, clock: "deal 600", substitutes: "middle" })).toMatchObject({ clock: { kind: "deal", seconds: 600 }, substitutes: "middle" });
  });
});
