/** The belief of a seat as a map: unseen cards in groups, and how warm each cell is. */
import type { BeliefShown, Estimate, Language, Whereabouts } from "../wire";
import { amount, percent } from "./numbers";

export interface Group {
  suit: string;
  cards: Whereabouts[];
}

/** The unseen cards by the suit they follow, in the order in which they came. */
export function groups(belief: BeliefShown): Group[] {
  const found = new Map<string, Whereabouts[]>();
  for (const card of belief.cards) {
    const group = found.get(card.suit);
    if (group) group.push(card);
    else found.set(card.suit, [card]);
  }
  return [...found].map(([suit, cards]) => ({ suit, cards }));
}

const CLOSE = 1e-9;

/** How much of what is unseen of a card lies in a pile: 0 is a proof that nothing does, 1 that all does. */
export function warmth(card: Whereabouts, pile: string): number {
  const part = (card.odds[pile] ?? 0) / Math.max(card.unseen, 1);
  return part < CLOSE ? 0 : part > 1 - CLOSE ? 1 : part;
}

/** What a cell says: a chance in percent, or the expected copies where two are unseen. */
export function cell(card: Whereabouts, pile: string, language: Language): string {
  const part = warmth(card, pile);
  if (card.unseen === 1 || part === 0) return percent(part, language);
  return amount((card.odds[pile] ?? 0) < 0.05 ? 0.1 : (card.odds[pile] ?? 0), language);
}

/** The evidence for one pile: the lines that name it, or all of them where none does. */
export function evidence(card: Whereabouts, name: string): string[] {
  const about = card.why.filter((line) => line.includes(name));
  return about.length ? about : card.why;
}

/** Where a key leads from a cell, over all groups; undefined where it leads nowhere. */
export function moved(key: string, at: [row: number, column: number], rows: number, columns: number): [number, number] | undefined {
  const [row, column] = at;
  switch (key) {
    case "ArrowLeft":
      return column > 0 ? [row, column - 1] : undefined;
    case "ArrowRight":
      return column < columns - 1 ? [row, column + 1] : undefined;
    case "ArrowUp":
      return row > 0 ? [row - 1, column] : undefined;
    case "ArrowDown":
      return row < rows - 1 ? [row + 1, column] : undefined;
    case "Home":
      return [row, 0];
    case "End":
      return [row, columns - 1];
    default:
      return undefined;
  }
}

/** Bars on one scale, in percent of its length: where the interval begins, how long it is, and where the mean stands. */
export interface Bar {
  what: string;
  from: number;
  length: number;
  mean: number;
}

export function bars(estimates: readonly Estimate[]): Bar[] {
  const ends = estimates.flatMap(({ mean, low, high }) => [low ?? mean, high ?? mean]).filter((end) => end !== null);
  const least = Math.min(...ends);
  const span = Math.max(...ends) - least || 1;
  const place = (value: number) => (100 * (value - least)) / span;
  return estimates.flatMap(({ what, mean, low, high }) =>
    mean === null ? [] : [{ what, from: place(low ?? mean), length: place(high ?? mean) - place(low ?? mean), mean: place(mean) }],
  );
}
