/** How the table looks from one chair: who sits where, and which card is which. */
import { isCard } from "../cards";
import { hasTiles, lookOf } from "../looks";
import type { GameName, Seat, State } from "../wire";
import { pretty } from "../words";

export type Side = "bottom" | "left" | "top" | "right";

/** How many sit on the left, at the top and on the right, by the number of the others. */
const AROUND: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
  [1, 1, 1],
  [1, 2, 1],
  [1, 3, 1],
  [2, 2, 2],
  [2, 3, 2],
];

/** Who sits at each side, seen from a seat, in the order in which one goes round the table clockwise: play goes that way, in
 * some games the other way. */
export function around(from: Seat, game: GameName, players: number): Record<Side, Seat[]> {
  const step = lookOf(game).clockwise ? 1 : players - 1;
  const round = Array.from({ length: players }, (_, place) => (from + place * step) % players);
  const [left, top] = AROUND[players - 1] ?? [0, players - 1];
  return {
    bottom: round.slice(0, 1),
    left: round.slice(1, 1 + left),
    top: round.slice(1 + left, 1 + left + top),
    right: round.slice(1 + left + top),
  };
}

/** Where a seat is, seen from another. */
export function sideOf(seat: Seat, from: Seat, game: GameName, players: number): Side {
  const found = around(from, game, players);
  return (["left", "top", "right"] as const).find((side) => found[side].includes(seat)) ?? "bottom";
}

/** The lines in which a play lies, and how wide its cards may be at most, so that what stands in the corner of each shows. */
export function lines(cards: readonly string[], room: number, narrow: boolean): { lines: string[][]; width: number } {
  const fit = (count: number) => room / (1 + SHOWN * Math.max(0, count - 1));
  const half = Math.ceil(cards.length / 2);
  if (cards.length < 4 || fit(cards.length) >= LEAST) return { lines: [[...cards]], width: fit(cards.length) };
  return { lines: [cards.slice(0, half), cards.slice(half)], width: narrow ? Math.min(fit(half), 1.1 * LEAST) : fit(half) };
}

/** A row of cards cut into as many as can be read beside each other. */
export function cut(cards: readonly string[], room: number, width: number): string[][] {
  const most = Math.max(1, Math.floor((room / width - 1) / (0.8 * SHOWN)) + 1);
  const rows = Math.ceil(cards.length / most);
  const each = Math.ceil(cards.length / Math.max(1, rows));
  return Array.from({ length: rows }, (_, row) => cards.slice(row * each, (row + 1) * each));
}

/** The part of a card's width in which its corner stands, and the least width at which one can read it. */
const SHOWN = 0.37;
const LEAST = 30;

/** Cards with a name of their own each: the first king of hearts is `HK.0`, the second `HK.1`. */
export function keyed<T extends { card: string }>(cards: readonly T[]): (T & { key: string })[] {
  const seen = new Map<string, number>();
  return cards.map((held) => {
    const copy = seen.get(held.card) ?? 0;
    seen.set(held.card, copy + 1);
    return { ...held, key: `${held.card}.${copy}` };
  });
}

/** Cards that stand together: each run of one suit. */
export function groups<T extends { suit: string }>(cards: readonly T[]): T[][] {
  const found: T[][] = [];
  for (const held of cards) {
    const last = found.at(-1);
    if (last?.[0]?.suit === held.suit) last.push(held);
    else found.push([held]);
  }
  return found;
}

/** The cards of a text that names some: `SA SA + SK`, `show S2`. */
export function cardsIn(text: string): string[] {
  return text.split(/[\s,+]+/).filter(isCard);
}

/** Cards as one reads them, one after the other; with commas where one of them is called by a name of two words. */
export function listed(cards: readonly string[], game: GameName, tell: (card: string, game: GameName) => string = pretty): string {
  const names = cards.map((card) => tell(card, game));
  return names.join(names.some((name) => name.includes(" ")) ? ", " : " ");
}

/** What would do instead: cards as a list, anything else as the server says it. */
export function instead(what: string, game: GameName): string {
  const cards = cardsIn(what);
  return cards.length && cards.length === what.split(/[\s,+]+/).length ? listed(cards, game) : pretty(what, game);
}

/** Has a trick been completed between two states of one deal? Not where something was taken back. */
export function completed(before: State | undefined, after: State): boolean {
  if (!before || before.table !== after.table || before.deal !== after.deal || before.number >= after.number) return false;
  return (after.last_trick?.number ?? 0) > (before.last_trick?.number ?? 0);
}

/** Has a seat nothing to say but to pass, and nobody but bots to see how fast it does? */
export function onlyPasses(state: State): boolean {
  const [only, other] = state.calls;
  if (!state.asked || state.phase !== "talk" || only?.what !== "pass" || other) return false;
  return state.seats.every(({ place }) => place.seat === state.me || place.kind === "bot");
}

/** What happened, trick by trick: the newest trick first, and in each the plays as they came. */
export function byTrick<T extends { trick: number | null }>(events: readonly T[]): { trick: number; events: T[] }[] {
  const found: { trick: number; events: T[] }[] = [];
  for (const event of events) {
    const last = found.at(-1);
    const trick = event.trick ?? last?.trick ?? 0; // what is said beside the play belongs to the trick that is played
    if (last?.trick === trick) last.events.push(event);
    else found.push({ trick, events: [event] });
  }
  return found.toReversed();
}

/** Is this the beginning of a deal: all cards held, nothing said? */
export function fresh(state: State): boolean {
  return state.phase === "talk" && state.contract === null && state.seats.every((seat) => seat.said === "");
}

/** The end of a tile that is trump, where one number is. */
export function trumpEnd(state: Pick<State, "game" | "contract">): number | null {
  const found = hasTiles(state.game) ? /^trump ([0-6])\b/.exec(state.contract?.what ?? "") : null;
  return found ? Number(found[1]) : null;
}

/** An order in which to show the cards of a deal one by one: mixed, and the same each time for one deal. */
export function mixed(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  let value = (seed * 2654435761) >>> 0 || 1;
  for (let i = count - 1; i > 0; i -= 1) {
    value ^= value << 13;
    value ^= value >>> 17;
    value ^= value << 5;
    const j = (value >>> 0) % (i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
