/** What is printed on a card or tile, read from its spelling: `HT`, `BJ`, `EO`, `6-4`. */
import { isJoker, split } from "../cards";
import { printOf } from "../looks";
import type { Language } from "../wire";
import { t } from "../words";
import { FRENCH, GERMAN, WEARS, type Stroke } from "./suits";

export interface Printed {
  deck: "french" | "german";
  suit: string;
  rank: string;
  /** As it stands in the corner: `10`, not `T` or `Z`; of a Chinese joker that it is the big or the little one. */
  index: string;
  joker: "" | "little" | "big";
  sign: Stroke[];
}

/** What a card shows. */
export function printed(card: string, game: string, language: Language = "en"): Printed {
  const deck = printOf(game);
  const { suit, rank } = split(card);
  if (isJoker(card)) {
    const joker = card === "BJ" ? "big" : "little";
    return { deck, suit, rank, index: language === "zh" ? t(`faces.${joker}`, {}, language) : card, joker, sign: [] };
  }
  const index = rank === "T" || rank === "Z" ? "10" : rank;
  return { deck, suit, rank, index, joker: "", sign: (deck === "german" ? GERMAN : FRENCH)[suit] ?? [] };
}

/** The two ends of a tile: the trump end first where it has one, else the higher. */
export function ends(tile: string, trumpEnd?: number | null): [number, number] {
  const [a = 0, b = 0] = tile.split("-").map(Number);
  const [high, low] = a >= b ? [a, b] : [b, a];
  return trumpEnd === low ? [low, high] : [high, low];
}

type Spot = readonly [x: number, y: number];

const DICE: readonly Spot[][] = [
  [],
  [[50, 50]],
  [[26, 26], [74, 74]],
  [[26, 26], [50, 50], [74, 74]],
  [[26, 26], [74, 26], [26, 74], [74, 74]],
  [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  [[26, 26], [74, 26], [26, 50], [74, 50], [26, 74], [74, 74]],
];

/** Where the pips of half a tile lie, in a square of 100. */
export const pips = (count: number): readonly Spot[] => DICE[count] ?? [];

/** A sign on the body of a card: the suit, or what the court wears. */
export interface Mark {
  x: number;
  y: number;
  size: number;
  worn?: string;
}

const LEFT = 52;
const MIDDLE = 69;
const RIGHT = 86;
const column = (x: number, ...ys: number[]): Spot[] => ys.map((y) => [x, y] as const);
const SPOTS: Record<string, Spot[]> = {
  "2": column(MIDDLE, 30, 112),
  "3": column(MIDDLE, 26, 71, 116),
  "4": [...column(LEFT, 30, 112), ...column(RIGHT, 30, 112)],
  "5": [...column(LEFT, 30, 112), ...column(RIGHT, 30, 112), [MIDDLE, 71]],
  "6": [...column(LEFT, 28, 71, 114), ...column(RIGHT, 28, 71, 114)],
  "7": [...column(LEFT, 28, 71, 114), ...column(RIGHT, 28, 71, 114), [MIDDLE, 49]],
  "8": [...column(LEFT, 28, 71, 114), ...column(RIGHT, 28, 71, 114), ...column(MIDDLE, 49, 93)],
  "9": [...column(LEFT, 24, 55, 87, 118), ...column(RIGHT, 24, 55, 87, 118), [MIDDLE, 71]],
  "10": [...column(LEFT, 24, 55, 87, 118), ...column(RIGHT, 24, 55, 87, 118), ...column(MIDDLE, 39, 103)],
};

/**
 * What lies on the body of a card: one large sign, or all of them where the face is to be a full one. An Ober carries
 * its suit above and an Unter below, and the German ace, once a deuce, carries two.
 */
export function body({ deck, rank, index, joker }: Printed, full: boolean): Mark[] {
  if (joker) return [];
  const worn = WEARS[rank];
  if (worn && rank === "O") return [{ x: 65, y: 60, size: 46 }, { x: 65, y: 111, size: 43, worn }];
  if (worn) return [{ x: 65, y: 60, size: 46, worn }, { x: 65, y: 109, size: 46 }];
  if (deck === "german" && rank === "A") return [{ x: 66, y: 47, size: 46 }, { x: 66, y: 104, size: 46 }];
  const spots = full ? SPOTS[index] : undefined;
  if (spots) return spots.map(([x, y]) => ({ x, y, size: spots.length > 8 ? 22 : 25 }));
  return [{ x: 66, y: 97, size: 59 }];
}
