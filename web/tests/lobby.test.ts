import { describe, expect, it } from "vitest";
import { tsv } from "../src/lobby/pasted";
import { answer, changed, everyone, fitted, order, playersOf, presetNames, seated, usual } from "../src/lobby/wanted";
import type { GameCard } from "../src/wire";
import { LOOKS } from "./looks";

const GAME: GameCard = {
  game: "tractor",
  title: "Tractor",
  about: "",
  players: 4,
  look: LOOKS["tractor"]!,
  picture: ["BJ"],
  presets: { spoj: { throws: "refused" } },
  rules: [
    { name: "throws", question: "?", default: "led", choices: [{ value: "led", text: "" }, { value: "refused", text: "" }] },
    { name: "penalty", question: "?", default: "0", choices: [] },
  ],
};
const USUAL = usual(4);
const [throws, penalty] = GAME.rules as [GameCard["rules"][0], GameCard["rules"][0]];

describe("seats", () => {
  it("has one me, who changes places", () => {
    expect(seated(USUAL, 2, "me")).toEqual(["simple", "simple", "me", "simple"]);
    expect(seated(["me", "open", "strong", "simple"], 2, "me")).toEqual(["strong", "open", "me", "simple"]);
  });
  it("never leaves the table without me", () => {
    expect(seated(USUAL, 0, "open")).toEqual(USUAL);
  });
  it("gives the others away together", () => {
    expect(everyone(["simple", "me", "open", "strong"], "strong")).toEqual(["strong", "me", "strong", "strong"]);
  });
  it("are as many as the game says, or the house rule of that name", () => {
    expect(usual(6)).toEqual(["me", "simple", "simple", "simple", "simple", "simple"]);
    expect(playersOf(GAME, "default", {})).toBe(4);
    const seats = { name: "seats", question: "?", default: "5", choices: [] };
    const any = { ...GAME, players: 5, rules: [seats], presets: { eight: { seats: "8" } } };
    expect(playersOf(any, "default", {})).toBe(5);
    expect(playersOf(any, "eight", {})).toBe(8);
    expect(playersOf(any, "eight", { seats: "6" })).toBe(6);
    expect(["1", "9", "many", "5.5"].map((said) => playersOf(any, "eight", { seats: said }))).toEqual([5, 5, 5, 5]);
  });
  it("grow and shrink with the table, and I stay", () => {
    expect(fitted(["me"], 3)).toEqual(["me", "simple", "simple"]);
    expect(fitted(["open", "me", "strong", "open"], 6)).toEqual(["open", "me", "strong", "open", "simple", "simple"]);
    expect(fitted(["open", "strong", "simple", "open", "me"], 3)).toEqual(["open", "strong", "me"]);
    expect(fitted(["open", "me", "strong", "open"], 2)).toEqual(["open", "me"]);
  });
});

describe("house rules", () => {
  it("are answered by hand, else by the preset, else as usual", () => {
    expect(answer(GAME, "default", {}, throws)).toBe("led");
    expect(answer(GAME, "spoj", {}, throws)).toBe("refused");
    expect(answer(GAME, "spoj", { throws: "led" }, throws)).toBe("led");
    expect(answer(GAME, "spoj", {}, penalty)).toBe("0");
    const fine = { ...penalty, name: "fine", default: "penalty" }; // the penalty, unless it is given
    const both = { ...GAME, rules: [...GAME.rules, fine] };
    expect(answer(both, "default", {}, fine)).toBe("0");
    expect(answer(both, "default", { penalty: "7" }, fine)).toBe("7");
    expect(answer(both, "default", { penalty: "7", fine: "3" }, fine)).toBe("3");
  });
  it("are sent only where they differ from the preset", () => {
    expect(changed(GAME, "spoj", { throws: "refused", penalty: "5" })).toEqual({ penalty: "5" });
    expect(changed(GAME, "spoj", { penalty: "" })).toEqual({});
    const wish = { seats: [...USUAL], preset: "spoj", own: { throws: "led" }, name: " ", pace: 0 };
    expect(order(GAME, wish)).toEqual({ game: "tractor", seats: USUAL, preset: "spoj", rules: { throws: "led" }, pace: 0 });
    expect(order(GAME, { ...wish, name: " Ann " }).name).toBe("Ann");
  });
  it("list the usual preset first, once", () => {
    expect(presetNames(GAME)).toEqual(["default", "spoj"]);
    expect(presetNames({ ...GAME, presets: { spoj: {}, default: {} } })).toEqual(["default", "spoj"]);
  });
});

it("answers are saved as two columns, a line each", () => {
  expect(tsv([{ asked: "a\tb", answer: "c\nd\n" }])).toBe("a b\tc d\n");
});
