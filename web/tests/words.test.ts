import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GameName, Language } from "../src/wire";
import { cardName, pretty, sentence, spoken, t, tell } from "../src/words";

describe("cards by name", () => {
  const NAMES: [string, GameName, Record<Language, string>][] = [
    ["HK", "tractor", { en: "king of hearts", de: "Herz-König", zh: "红桃K" }],
    ["ST", "tractor", { en: "ten of spades", de: "Pik-Zehn", zh: "黑桃10" }],
    ["BJ", "tractor", { en: "big joker", de: "großer Joker", zh: "大王" }],
    ["EO", "schafkopf", { en: "Eichel Ober", de: "Eichel-Ober", zh: "橡果上将" }],
    ["6-4", "texas42", { en: "6-4", de: "6-4", zh: "6-4" }],
    ["5-5", "texas42", { en: "double 5", de: "5er-Pasch", zh: "双5" }],
  ];
  test.each(NAMES)("%s in %s", (card, game, names) => {
    for (const language of ["en", "de", "zh"] as const) expect(cardName(card, game, language)).toBe(names[language]);
  });
});

describe("texts of the server", () => {
  test("are read with the signs of the suits", () => {
    expect(pretty("a pair of hearts was led; play HK HK or HT", "tractor", "en")).toBe("a pair of hearts was led; play ♥K ♥K or ♥10");
    expect(pretty("Ann leads LJ", "tractor", "zh")).toBe("Ann leads 小王");
    expect(pretty("EO H7", "schafkopf", "de")).toBe("Eichel-Ober Herz-Siebener");
    expect(pretty("6-4 is a trump", "texas42", "en")).toBe("6-4 is a trump");
  });
  test("leave words alone that only begin like a card", () => {
    expect(pretty("SHED H20 HKX", "tractor", "en")).toBe("SHED H20 HKX");
  });
  test("are heard with every card by name", () => {
    expect(spoken("Ann leads HK HK", "tractor", "en")).toBe("Ann leads king of hearts king of hearts");
    expect(spoken("5-5 is led", "texas42", "en")).toBe("double 5 is led");
  });
});

test("slots are filled in, and an unknown key is shown", () => {
  expect(t("table.choose", { count: 3, of: 8 }, "en")).toBe("3 of 8");
  expect(t("no.such.key", {}, "en")).toBe("no.such.key");
});

/** All keys that the sources name outright. */
function keysUsed(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:svelte|ts)$/.test(file) && file !== "openapi.d.ts")
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/\bt\(\s*"([^"]+)"/g)].map((match) => match[1]!));
}

test("every key that the page names has its English text", () => {
  const page = JSON.parse(readFileSync(new URL("../../src/renege/i18n/en.json", import.meta.url), "utf8")) as {
    page: Record<string, string>;
  };
  const missing = new Set(keysUsed(new URL("../src", import.meta.url).pathname).filter((key) => !(key in page.page)));
  expect([...missing]).toEqual([]);
});

test("a game has its own word where it needs one", () => {
  expect(tell("review.declarer", "tractor", {}, "de")).toBe("Bankhalter");
  expect(tell("review.declarer", "schafkopf", {}, "de")).toBe("Spieler");
  expect(tell("review.got", "schafkopf", { points: 61, tricks: 5 }, "de")).toBe("Augen 61, Stiche 5");
  expect(tell("review.got", "tractor", { points: 61, tricks: 5 }, "de")).toBe("Punkte 61, Stiche 5");
});

test("what stands by itself begins with a capital", () => {
  expect(["there is none", "", "6-4", "没有"].map(sentence)).toEqual(["There is none", "", "6-4", "没有"]);
});
