import { describe, expect, test } from "vitest";
import { keysOf, tap, tuplesIn, type Held, type Task } from "../src/table/selection";
import { keyed } from "../src/table/view";

// Hearts from the ace down at level 2 with spades trump: the step of a heart is its rank less one below.
const STEPS = "3456789TJQKA";

function hand(text: string): Held[] {
  const cards = text.split(" ").map((card) => {
    const trump = card.startsWith("S") || card.endsWith("2") || card.endsWith("J") && card.length === 2 && "LB".includes(card[0]!);
    const step = card.endsWith("2") ? (card === "S2" ? 13 : 12) : STEPS.indexOf(card.slice(1));
    return { card, suit: trump ? "T" : card.slice(0, 1), step, trump };
  });
  return keyed(cards);
}

function taps(text: string, task: Task, ...keys: string[]): string {
  const held = hand(text);
  let raised = new Set<string>();
  for (const key of keys) raised = tap(held, raised, key.replace("!", ""), task, key.endsWith("!"));
  return held
    .filter((card) => raised.has(card.key))
    .map((card) => card.card)
    .join(" ");
}

test("pairs are two identical cards", () => {
  expect(tuplesIn(["HK", "HK", "HQ", "SK"], 2)).toBe(1);
  expect(tuplesIn(["HK", "SK"], 2)).toBe(0);
  expect(tuplesIn(["H2", "H2", "D2", "D2"], 2)).toBe(2);
  expect(tuplesIn(["H2", "H2", "H2", "D2", "D2"], 3)).toBe(1);
  expect(tuplesIn(["H2", "H2", "H2", "H2", "D2", "D2"], 2)).toBe(3);
});

describe("one card", () => {
  test("a tap on another card takes its place, a second tap lowers it", () => {
    expect(taps("HK HK HQ", { kind: "one" }, "HK.0", "HQ.0")).toBe("HQ");
    expect(taps("HK HK HQ", { kind: "one" }, "HK.0", "HK.0")).toBe("");
    expect(taps("HK HK HQ", { kind: "follow", led: ["H3"] }, "HK.0", "HQ.0")).toBe("HQ");
  });
});

describe("leading", () => {
  test("a tap raises the pair, a second tap lowers that card", () => {
    expect(taps("HK HK HQ", { kind: "lead" }, "HK.1")).toBe("HK HK");
    expect(taps("HK HK HQ", { kind: "lead" }, "HK.1", "HK.1")).toBe("HK");
    expect(taps("HK HK HQ", { kind: "lead" }, "HK.0!")).toBe("HK");
  });
  test("a second tap raises the longest run through the pair, a third lowers it but for the copy", () => {
    const held = "HQ HQ HJ HJ HT HT H8 H8";
    expect(taps(held, { kind: "lead" }, "HJ.0")).toBe("HJ HJ");
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.0")).toBe("HQ HQ HJ HJ HT HT");
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.1")).toBe("HQ HQ HJ HJ HT HT");
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.0", "HJ.0")).toBe("HJ");
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.0", "HJ.0", "HJ.1")).toBe("");
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.0!")).toBe("HJ");
  });
  test("what else is raised of a throw stays", () => {
    expect(taps("HA HQ HQ HJ HJ", { kind: "lead" }, "HA.0", "HJ.0", "HJ.0")).toBe("HA HQ HQ HJ HJ");
    expect(taps("HA HQ HQ HJ HJ", { kind: "lead" }, "HA.0", "HJ.0", "HJ.0", "HJ.0")).toBe("HA HJ");
  });
  test("more units of the suit are added for a throw", () => {
    expect(taps("HA HK HK HQ", { kind: "lead" }, "HA.0", "HK.0")).toBe("HA HK HK");
  });
  test("a lead is of one suit: another suit begins again, unless Shift means it", () => {
    expect(taps("SA HK HK", { kind: "lead" }, "SA.0", "HK.0")).toBe("HK HK");
    expect(taps("SA HK HK", { kind: "lead" }, "SA.0", "HK.0!")).toBe("SA HK");
  });
});

describe("following", () => {
  test("a pair was led: a tap raises a pair, and another pair takes its place", () => {
    const task: Task = { kind: "follow", led: ["HA", "HA"] };
    expect(taps("HK HK HQ HQ H9", task, "HK.0")).toBe("HK HK");
    expect(taps("HK HK HQ HQ H9", task, "HK.0", "HQ.1")).toBe("HQ HQ");
    expect(taps("HK HK HQ HQ H9", task, "H9.0")).toBe("H9");
    expect(taps("HK HQ H9", task, "HK.0", "H9.0")).toBe("HK H9");
  });
  test("a run was led: a tap raises a run with the card in it", () => {
    const task: Task = { kind: "follow", led: ["HA", "HA", "HK", "HK"] };
    expect(taps("HQ HQ HJ HJ HT HT H3", task, "HJ.0")).toBe("HQ HQ HJ HJ");
    expect(taps("HQ HQ HJ HJ HT HT H3", task, "HQ.0")).toBe("HQ HQ HJ HJ");
    expect(taps("HQ HQ HT HT H3", task, "HQ.0")).toBe("HQ HQ");
    expect(taps("HQ HQ HT HT H3", task, "HQ.0", "HT.0")).toBe("HQ HQ HT HT");
  });
  test("pairs on one step are no run", () => {
    const task: Task = { kind: "follow", led: ["SA", "SA", "SK", "SK"] };
    expect(taps("H2 H2 D2 D2 S3", task, "H2.0")).toBe("H2 H2");
    expect(taps("S2 S2 H2 H2 D2 D2", task, "D2.0")).toBe("S2 S2 D2 D2");
  });
  test("a throw of a pair and a card: first the pair, then one more card", () => {
    const task: Task = { kind: "follow", led: ["HA", "HA", "HK"] };
    expect(taps("HQ HQ HJ HJ H3", task, "HQ.0", "HJ.0")).toBe("HQ HQ HJ");
    expect(taps("HQ HQ HJ HJ H3", task, "H3.0", "HJ.0")).toBe("HJ HJ H3");
  });
  test("what is thrown away comes one by one", () => {
    const task: Task = { kind: "follow", led: ["HA", "HA"] };
    expect(taps("CK CK C5 D3", task, "CK.0")).toBe("CK");
    expect(taps("CK CK C5 D3", task, "C5.0", "D3.0")).toBe("C5 D3");
    expect(taps("SK SK C5 D3", task, "SK.0")).toBe("SK SK");
  });
  test("too many cards begin again with the last", () => {
    const task: Task = { kind: "follow", led: ["HA", "HA"] };
    expect(taps("CK C5 D3", task, "CK.0", "C5.0", "D3.0")).toBe("D3");
  });
});

test("burying raises cards one by one", () => {
  expect(taps("HK HK HQ", { kind: "some" }, "HK.0", "HQ.0")).toBe("HK HQ");
});

test("the cards that would do are found in the hand, as many as are named", () => {
  expect([...keysOf(hand("HK HK HQ"), ["HK", "HK", "H3"])]).toEqual(["HK.0", "HK.1"]);
});

describe("three copies and more", () => {
  test("a tap leads all copies, each further one lowers a card: two of three stay", () => {
    expect(taps("HK HK HK HQ", { kind: "lead" }, "HK.1")).toBe("HK HK HK");
    expect(taps("HK HK HK HQ", { kind: "lead" }, "HK.1", "HK.1")).toBe("HK HK");
    expect(taps("HK HK HK HQ", { kind: "lead" }, "HK.1", "HK.1", "HK.0")).toBe("HK");
    expect(taps("HK HK HK HQ", { kind: "lead" }, "HK.0!", "HK.2!")).toBe("HK HK");
  });
  test("a second tap raises the run of as many copies each", () => {
    const held = "HQ HQ HQ HJ HJ HJ HT HT";
    expect(taps(held, { kind: "lead" }, "HJ.0", "HJ.0")).toBe("HQ HQ HQ HJ HJ HJ");
    expect(taps(held, { kind: "lead" }, "HT.0", "HT.0")).toBe("HQ HQ HJ HJ HT HT");
  });
  test("an answer has as many copies as were led", () => {
    const held = "HQ HQ HQ HJ HJ HT H3";
    expect(taps(held, { kind: "follow", led: ["HK", "HK"] }, "HQ.0")).toBe("HQ HQ");
    expect(taps(held, { kind: "follow", led: ["HK", "HK", "HK"] }, "HQ.0")).toBe("HQ HQ HQ");
    expect(taps(held, { kind: "follow", led: ["HK", "HK", "HK"] }, "HJ.0")).toBe("HJ HJ");
    expect(taps(held, { kind: "follow", led: ["HK", "HK", "HK"] }, "HJ.0", "HT.0")).toBe("HJ HJ HT");
  });
  test("to bury two of three is two taps", () => {
    expect(taps("HK HK HK HQ", { kind: "some" }, "HK.0", "HK.2")).toBe("HK HK");
  });
});
