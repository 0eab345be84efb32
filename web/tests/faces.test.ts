import { describe, expect, it } from "vitest";
import { isTile } from "../src/cards";
import { body, ends, pips, printed } from "../src/faces/printed";

describe("what is printed on a card", () => {
  it("spells tens as 10 in both packs", () => {
    expect(printed("HT", "tractor").index).toBe("10");
    expect(printed("EZ", "schafkopf").index).toBe("10");
    expect(printed("HQ", "tractor").index).toBe("Q");
  });
  it("reads S as spades or as Schellen", () => {
    expect(printed("SA", "tractor").sign).not.toEqual(printed("SA", "schafkopf").sign);
    expect(printed("SA", "schafkopf").deck).toBe("german");
  });
  it("tells the jokers apart", () => {
    expect(printed("LJ", "tractor").joker).toBe("little");
    expect(printed("BJ", "tractor").joker).toBe("big");
    expect(printed("HJ", "tractor").joker).toBe("");
    expect(["BJ", "LJ"].map((card) => printed(card, "tractor", "zh").index)).toEqual(["大", "小"]);
    expect(printed("BJ", "tractor", "de").index).toBe("BJ");
  });
  it("has a sign for every suit of both packs", () => {
    for (const suit of "SHDC") expect(printed(`${suit}5`, "tractor").sign.length).toBeGreaterThan(0);
    for (const suit of "EGHS") expect(printed(`${suit}7`, "schafkopf").sign.length).toBeGreaterThan(0);
  });
});

describe("the body of a card", () => {
  it("has as many signs as its rank on a full face, and one on a plain one", () => {
    for (const [rank, count] of [["2", 2], ["7", 7], ["T", 10]] as const) {
      expect(body(printed(`H${rank}`, "tractor"), true)).toHaveLength(count);
      expect(body(printed(`H${rank}`, "tractor"), false)).toHaveLength(1);
    }
  });
  it("puts the suit of an Ober above and of an Unter below", () => {
    const suit = (card: string) => body(printed(card, "schafkopf"), false).find((mark) => !mark.worn);
    expect(suit("EO")?.y).toBeLessThan(suit("EU")?.y ?? 0);
  });
  it("keeps every sign inside the card and right of the index", () => {
    for (const rank of "23456789TJQKA") {
      for (const { x, y, size } of body(printed(`C${rank}`, "tractor"), true)) {
        expect(x - size / 2).toBeGreaterThan(36);
        expect(x + size / 2).toBeLessThan(100);
        expect(y + size / 2).toBeLessThan(140);
      }
    }
  });
});

describe("tiles", () => {
  it("have the trump end first, else the higher", () => {
    expect(ends("6-4")).toEqual([6, 4]);
    expect(ends("6-4", 4)).toEqual([4, 6]);
    expect(ends("6-4", 6)).toEqual([6, 4]);
    expect(ends("6-4", 5)).toEqual([6, 4]);
    expect(ends("4-6")).toEqual([6, 4]);
  });
  it("have as many pips as they say, none twice", () => {
    for (let count = 0; count <= 6; count++) expect(new Set(pips(count).map(String)).size).toBe(count);
  });
  it("are known by their spelling", () => {
    expect(["6-4", "0-0"].every(isTile)).toBe(true);
    expect(["HK", "LJ", "E7"].some(isTile)).toBe(false);
  });
});
