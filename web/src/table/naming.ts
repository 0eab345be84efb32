/** A call that is put together of parts: a card and which of its copies, as many as the table names. */
import { split } from "../cards";
import type { Compose } from "../wire";

export interface Part {
  card: string;
  nth: number;
}

/** The cards that may be named in groups: one for each printed suit, the last one first, and one for those without; in each the highest first. */
export function bySuit(cards: readonly string[]): { suit: string; cards: string[] }[] {
  const found = new Map<string, string[]>();
  for (const card of cards) found.set(split(card).suit, [card, ...(found.get(split(card).suit) ?? [])]);
  const all = [...found].map(([suit, named]) => ({ suit, cards: named })).toReversed();
  return [...all.filter(({ suit }) => suit), ...all.filter(({ suit }) => !suit)];
}

/** The call that these parts make up. */
export function written({ verb }: Pick<Compose, "verb">, parts: readonly Part[]): string {
  return `${verb} ${parts.map(({ card, nth }) => `${card} ${nth}`).join(", ")}`;
}

/** The parts of such a call; nothing where a text is another. */
export function partsOf({ verb }: Pick<Compose, "verb">, what: string): Part[] {
  if (!what.startsWith(`${verb} `)) return [];
  const read = what.slice(verb.length + 1).split(",").map((part) => /^(\S+)(?: (\d+))?$/.exec(part.trim()));
  return read.flatMap((found) => (found?.[1] ? [{ card: found[1], nth: Number(found[2] ?? 1) }] : []));
}

export const same = (a: Part, b: Part): boolean => a.card === b.card && a.nth === b.nth;
