/**
 * Which cards a tap raises. In games of single cards that is the card; in Tractor a tap raises the pair or run that
 * fits; on a lead a second tap raises the longest run through the pair; the next lowers the card. With Shift a tap means
 * that card alone.
 */

export interface Held {
  key: string;
  card: string;
  suit: string;
  step: number;
  trump: boolean;
}

/** What cards are raised for. */
export type Task =
  | { kind: "one" } // a single card is played or given
  | { kind: "some" } // any cards, one by one: the kitty is buried, or it is nobody's turn
  | { kind: "lead" } // units of one suit
  | { kind: "follow"; led: readonly string[] };

/** How many pairs of identical cards there are. */
export function pairsIn(cards: readonly string[]): number {
  const seen = new Set<string>();
  let pairs = 0;
  for (const card of cards) {
    if (seen.delete(card)) pairs += 1;
    else seen.add(card);
  }
  return pairs;
}

/** The raised cards after a tap on the card with this key. */
export function tap(hand: readonly Held[], raised: ReadonlySet<string>, key: string, task: Task, alone = false): Set<string> {
  const tapped = hand.find((held) => held.key === key);
  if (!tapped) return new Set(raised);
  if (raised.has(key)) return task.kind === "lead" && !alone ? extended(hand, raised, tapped) : without(raised, [tapped]);
  if (task.kind === "one" || (task.kind === "follow" && task.led.length === 1)) return new Set([key]);
  if (alone || task.kind === "some") return new Set([...raised, key]);
  if (task.kind === "lead") {
    const stay = hand.filter((held) => raised.has(held.key) && held.suit === tapped.suit);
    return keys([...stay, ...pairOf(hand, raised, tapped)]);
  }
  return answer(hand, raised, tapped, task.led);
}

function without(raised: ReadonlySet<string>, cards: readonly Held[]): Set<string> {
  return new Set([...raised].filter((key) => cards.every((held) => held.key !== key)));
}

/**
 * A second tap on a raised pair: the longest run through it. Where that is raised too, or there is none, the tapped card
 * goes down, and with it the run: its copy alone stays.
 */
function extended(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held): Set<string> {
  const pair = pairOf(hand, new Set(), tapped);
  const whole = pair.length === 2 && pair.every((held) => raised.has(held.key));
  const run = whole ? longestRun(hand, tapped) : undefined;
  if (!run) return without(raised, [tapped]);
  if (run.some((held) => !raised.has(held.key))) return new Set([...raised, ...keys(run)]);
  return without(raised, run.filter((held) => held.card !== tapped.card || held.key === tapped.key));
}

function longestRun(hand: readonly Held[], tapped: Held): Held[] | undefined {
  for (let length = Math.floor(hand.length / 2); length >= 2; length -= 1) {
    const run = runWith(hand, new Set(), tapped, length);
    if (run) return run;
  }
  return undefined;
}

/** A tap that answers a lead of several cards: what fits it best, in place of the rest where it would be too much. */
function answer(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, led: readonly string[]): Set<string> {
  const up = hand.filter((held) => raised.has(held.key));
  const pairs = pairsIn(led);
  const together = fitting(hand, raised, tapped, led, pairs - pairsIn(up.map((held) => held.card)), led.length - up.length);
  if (together.length + up.length <= led.length) return keys([...up, ...together]);
  return keys(fitting(hand, new Set(), tapped, led, pairs, led.length));
}

/** The longest run, else the pair, else the card: as many pairs as were led and as many cards as there is room for. */
function fitting(
  hand: readonly Held[],
  raised: ReadonlySet<string>,
  tapped: Held,
  led: readonly string[],
  pairs: number,
  room: number,
): Held[] {
  const answers = tapped.trump || tapped.suit === led[0]?.slice(0, 1);
  if (!answers || pairs < 1 || room < 2) return [tapped];
  for (let length = Math.min(pairs, Math.floor(room / 2)); length >= 2; length -= 1) {
    const run = runWith(hand, raised, tapped, length);
    if (run) return run;
  }
  return pairOf(hand, raised, tapped);
}

/** The card with its copy, where that is in the hand and not raised yet. */
function pairOf(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held): Held[] {
  const copy = hand.find((held) => held.card === tapped.card && held.key !== tapped.key && !raised.has(held.key));
  return copy ? [tapped, copy] : [tapped];
}

/** A run of so many pairs on consecutive steps with the tapped card in it: upwards from it where there is one. */
function runWith(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, length: number): Held[] | undefined {
  for (let below = 0; below < length; below += 1) {
    const steps = Array.from({ length }, (_, i) => tapped.step - below + i);
    const pairs = steps.map((step) => pairOn(hand, raised, tapped, step));
    if (pairs.every((pair) => pair !== undefined)) return pairs.flat();
  }
  return undefined;
}

function pairOn(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, step: number): Held[] | undefined {
  const here = step === tapped.step ? [tapped] : hand.filter((held) => held.suit === tapped.suit && held.step === step && !raised.has(held.key));
  return here.map((held) => pairOf(hand, raised, held)).find((pair) => pair.length === 2);
}

function keys(cards: readonly Held[]): Set<string> {
  return new Set(cards.map((held) => held.key));
}

/** The keys of these cards in the hand, as many of each as are named; cards that are not held are passed over. */
export function keysOf(hand: readonly Held[], cards: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const card of cards) {
    const held = hand.find((other) => other.card === card && !found.has(other.key));
    if (held) found.add(held.key);
  }
  return found;
}
