/**
 * Fair deals, checked in the page: the commitment is remembered before a deal, this seat adds a text of its own, and when
 * the deal is over the cards are drawn again from the secret. `docs/table.md` says what is hashed.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Drawn, Seat } from "./wire";

/** What this page knew of a deal before it: the commitment, and what its seat has added. */
export interface Foreknown {
  commitment: string;
  salt?: string;
}

const KEPT = 4; // deals of a table that are remembered
const WORD = 2 ** 32;

const place = (table: string) => `fair/${table}`;

function kept(table: string): Record<string, Foreknown> {
  try {
    return JSON.parse(sessionStorage.getItem(place(table)) ?? "{}") as Record<string, Foreknown>;
  } catch {
    return {}; // no storage, or not ours
  }
}

export const foreknown = (table: string, deal: number): Foreknown | undefined => kept(table)[deal];

/** Remembers what was published before a deal; the first word counts. */
export function remember(table: string, deal: number, known: Foreknown): void {
  const before = kept(table);
  if (before[deal]) return;
  const all = Object.entries({ ...before, [deal]: known }).sort(([a], [b]) => Number(a) - Number(b));
  try {
    sessionStorage.setItem(place(table), JSON.stringify(Object.fromEntries(all.slice(-KEPT))));
  } catch {
    // without storage a reload forgets it, and the check says less
  }
}

/** A text that nobody can guess, for a seat to add to a deal. */
export const newSalt = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));

const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/** The numbers of the shuffle: words of four bytes, the highest first. */
function* numbers(key: string): Generator<number, never> {
  for (let block = 0; ; block++) {
    const words = new DataView(hash(`${key} ${block}`).buffer);
    for (let start = 0; start < 32; start += 4) yield words.getUint32(start);
  }
}

/** The hands that come of a secret and of what seats have added. */
export function handsOf({ terms, secret, salts }: Pick<Drawn, "terms" | "secret" | "salts">): string[][] {
  const line = (name: string) => (new RegExp(`^${name} (.*)$`, "m").exec(terms)?.[1] ?? "").split(" ");
  const added = Object.keys(salts)
    .sort((a, b) => Number(a) - Number(b))
    .map((seat) => `salt ${seat} ${salts[seat]}\n`);
  const words = numbers(bytesToHex(hash(`${terms}secret ${secret}\n${added.join("")}`)));
  const pack = line("pack");
  for (let last = pack.length - 1; last > 0; last--) {
    const whole = WORD - (WORD % (last + 1));
    let word = words.next().value;
    while (word >= whole) word = words.next().value;
    const chosen = word % (last + 1);
    [pack[last], pack[chosen]] = [pack[chosen]!, pack[last]!];
  }
  const sizes = line("sizes").map(Number).slice(0, -1);
  return sizes.map((size) => pack.splice(0, size));
}

export type Finding = "fair" | "unwatched" | "commitment" | "hands" | "salt";

const sorted = (hands: string[][]) => JSON.stringify(hands.map((hand) => [...hand].sort()));

/**
 * Whether the cards that were played are those that were committed to; `unwatched` where this page did not see the
 * commitment before the deal, so that only the sum can be said to be right.
 */
export function judge(drawn: Drawn, hands: string[][], seat: Seat | null, known: Foreknown | undefined): Finding {
  const computed = bytesToHex(hash(`${drawn.terms}secret ${drawn.secret}\n`));
  if (computed !== drawn.commitment || (known && computed !== known.commitment)) return "commitment";
  if (sorted(handsOf(drawn)) !== sorted(hands)) return "hands";
  if (known?.salt !== undefined && seat !== null && drawn.salts[seat] !== known.salt) return "salt";
  return known ? "fair" : "unwatched";
}
