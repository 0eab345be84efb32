import { describe, expect, it } from "vitest";
import { bestOf, bestText, cardsOf, chapters, costText, costly, frame, isPlay, judgedBy, line, marked, path, stepped } from "../src/review/story";
import type { Judged, Replay, Step, TrickShown } from "../src/wire";

const trick = (number: number, seats: number[], winner: number | null = null): TrickShown => ({
  number,
  leader: 0,
  plays: seats.map((seat) => ({ seat, cards: ["6-4"], tried: [] })),
  winner,
  points: 5,
});
const step = (seat: number | null, what: string, now: TrickShown | null, last: TrickShown | null = null) =>
  ({ seat, what, text: what, trick: now, last_trick: last }) as Step;

// two calls, a trick of two, then the first play of the next
const REPLAY = {
  steps: [
    step(null, "", null),
    step(0, "bid 30", null),
    step(1, "pass", trick(1, [])),
    step(0, "6-4", trick(1, [0], 0)),
    step(1, "6-6", trick(2, []), trick(1, [0, 1], 1)),
    step(1, "5-5", trick(2, [1], 1), trick(1, [0, 1], 1)),
  ],
} as Replay;

const judged = (number: number, over: Partial<Judged>): Judged => ({
  number, seat: 0, what: "", trick: 1, text: "", value: null, taken: null, cost: null, best: [], known_cost: null, known_best: "", known_text: "", network: null, unit: "", note: "", ...over,
});

describe("the story", () => {
  it("has the talk and then every trick, with its winner", () => {
    const story = chapters(REPLAY);
    expect(story.map(({ trick, winner, acts }) => [trick, winner, acts.map((act) => act.number)])).toEqual([
      [null, null, [0, 1]],
      [1, 1, [2, 3]],
      [2, null, [4]],
    ]);
  });
  it("is walked by acts, by tricks, and to its ends", () => {
    const story = chapters(REPLAY);
    const to = (key: string, at: number) => stepped(key, at, story, 5);
    expect([to("ArrowLeft", 0), to("ArrowLeft", 3), to("ArrowRight", 3), to("ArrowRight", 5)]).toEqual([0, 2, 4, 5]);
    expect([to("ArrowDown", 0), to("ArrowDown", 2), to("ArrowDown", 4), to("ArrowDown", 5)]).toEqual([2, 4, 5, 5]);
    expect([to("ArrowUp", 5), to("ArrowUp", 4), to("ArrowUp", 3), to("ArrowUp", 2), to("ArrowUp", 0)]).toEqual([4, 2, 2, 0, 0]);
    expect([to("Home", 3), to("End", 3), to("a", 3)]).toEqual([0, 5, undefined]);
  });
});

describe("cards of an act", () => {
  it("are those it puts down, whatever the game", () => {
    expect(cardsOf("SA SA + SK")).toEqual(["SA", "SA", "SK"]);
    expect(cardsOf("SK of SA SA SK")).toEqual(["SK"]);
    expect(cardsOf("bury H3 HT LJ")).toEqual(["H3", "HT", "LJ"]);
    expect(cardsOf("EZ")).toEqual(["EZ"]);
    expect(cardsOf("6-4")).toEqual(["6-4"]);
    expect(cardsOf("bid 30")).toEqual([]);
  });
  it("stand alone in a play, not in a call", () => {
    expect(["SA SA + SK", "SK of SA SA SK", "6-4"].map(isPlay)).toEqual([true, true, true]);
    expect(["bury H3 H4", "pass", "rufspiel E", ""].map(isPlay)).toEqual([false, false, false, false]);
  });
  it("are marked in the hand, of two copies only what was played", () => {
    expect(marked(["HK", "HK", "H5"], ["HK", "HQ"], "HK")).toEqual([
      { card: "HK", best: true, played: true },
      { card: "HK", best: true, played: false },
      { card: "H5", best: false, played: false },
    ]);
  });
});

describe("a call", () => {
  it("is judged by what its seat could know, whatever plays are judged by", () => {
    expect([judgedBy({ what: "pass" }, "open"), judgedBy({ what: "bury H3 H4" }, "open"), judgedBy({ what: "6-4" }, "open")]).toEqual([
      "known", "known", "open",
    ]);
    expect(judgedBy({ what: "6-4" }, "known")).toBe("known");
  });
  it("has its best alternative in words, or its cards", () => {
    const bid = judged(0, { what: "pass", known_cost: 0.4, known_best: "rufspiel E", known_text: "a Rufspiel on Eichel" });
    expect(bestText(bid, "known")).toEqual(["a Rufspiel on Eichel"]);
    const buried = judged(0, { what: "bury H3", known_cost: 0.4, known_best: "bury H4", known_text: "H4" });
    expect(bestText(buried, "known")).toEqual(["bury H4"]);
    expect(bestText(judged(0, { best: ["6-4"] }), "open")).toEqual(["6-4"]);
  });
});

describe("what it cost", () => {
  const acts = [
    judged(0, { cost: 2, known_cost: 0 }),
    judged(1, { cost: null, known_cost: 3.5 }),
    judged(2, { cost: 7 }),
    judged(3, { cost: 0 }),
  ];
  it("is listed dearest first, by either measure", () => {
    expect(costly(acts, "open").map((act) => act.number)).toEqual([2, 0]);
    expect(costly(acts, "known").map((act) => act.number)).toEqual([1]);
    expect(costly(acts, "open", 1)).toHaveLength(1);
  });
  it("is said in hundredths of a mark or level, in whole points and cents", () => {
    expect(costText(0.5, "known", "tractor", "en")).toBe("0.50");
    expect(costText(0.125, "known", "texas42", "de")).toBe("0,13");
    expect(costText(7, "open", "tractor", "en")).toBe("7");
    expect(costText(12, "known", "schafkopf", "en")).toBe("12");
  });
  it("comes with what would have been better", () => {
    const act = judged(0, { best: ["6-4", "6-6"], known_best: "5-5" });
    expect([bestOf(act, "open"), bestOf(act, "known"), bestOf(judged(1, {}), "known")]).toEqual([["6-4", "6-6"], ["5-5"], []]);
  });
});

describe("the line", () => {
  const points = line([
    judged(0, {}),
    judged(1, { value: 30, taken: 0 }),
    judged(2, { value: 25, taken: 10 }),
    judged(4, { value: 0, taken: 42 }),
  ]);
  it("counts what is taken and what is to come, where it is known", () => {
    expect(points).toEqual([
      { step: 1, total: 30 },
      { step: 2, total: 35 },
      { step: 4, total: 42 },
    ]);
  });
  it("lies in a frame with round ends, and breaks where nothing is known", () => {
    const within = frame(points, 5, 500, 100);
    expect([within.low, within.high]).toEqual([30, 45]);
    expect(path(points, within)).toBe("M100 100H200V66.7H300M400 20H500");
    expect(frame([], 5, 500, 100)).toMatchObject({ low: 0, high: 1 });
    expect(path([], within)).toBe("");
  });
});

