/**
 * Which cards a tap raises. In games of single cards that is the card; in Tractor a tap raises the copies or the run that
 * fits; on a lead a second tap raises the longest run through the copies; the next lowers the card, so that two of three
 * stay. With Shift a tap means that card alone.
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

/** How many tuples of so many identical cards there are. */
export function tuplesIn(cards: readonly string[], width: number): number {
  const seen = new Map<string, number>();
  for (const card of cards) seen.set(card, (seen.get(card) ?? 0) + 1);
  return [...seen.values()].reduce((found, count) => found + Math.floor(count / width), 0);
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
    return keys([...stay, ...copiesOf(hand, raised, tapped)]);
  }
  return answer(hand, raised, tapped, task.led);
}

function without(raised: ReadonlySet<string>, cards: readonly Held[]): Set<string> {
  return new Set([...raised].filter((key) => cards.every((held) => held.key !== key)));
}

/**
 * A second tap on raised copies: the longest run of as many copies each through them. Where that is raised too, or there
 * is none, the tapped card goes down, and with it the run: its copies alone stay.
 */
function extended(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held): Set<string> {
  const copies = copiesOf(hand, new Set(), tapped);
  const whole = copies.length > 1 && copies.every((held) => raised.has(held.key));
  const run = whole ? longestRun(hand, tapped, copies.length) : undefined;
  if (!run) return without(raised, [tapped]);
  if (run.some((held) => !raised.has(held.key))) return new Set([...raised, ...keys(run)]);
  return without(raised, run.filter((held) => held.card !== tapped.card || held.key === tapped.key));
}

function longestRun(hand: readonly Held[], tapped: Held, width: number): Held[] | undefined {
  for (let length = Math.floor(hand.length / width); length >= 2; length -= 1) {
    const run = runWith(hand, new Set(), tapped, length, width);
    if (run) return run;
  }
  return undefined;
}

/** A tap that answers a lead of several cards: what fits it best, in place of the rest where it would be too much. */
function answer(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, led: readonly string[]): Set<string> {
  const up = hand.filter((held) => raised.has(held.key));
  const together = fitting(hand, raised, tapped, led, up.map((held) => held.card));
  if (together.length + up.length <= led.length) return keys([...up, ...together]);
  return keys(fitting(hand, new Set(), tapped, led, []));
}

/**
 * The widest tuples that were led and are not answered yet: of them the longest run, else the copies, else the card, as
 * many cards as there is room for.
 */
function fitting(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, led: readonly string[], up: readonly string[]): Held[] {
  const answers = tapped.trump || tapped.suit === led[0]?.slice(0, 1);
  const room = led.length - up.length;
  for (let width = answers ? Math.min(room, copiesOf(hand, raised, tapped).length) : 1; width >= 2; width -= 1) {
    const tuples = tuplesIn(led, width) - tuplesIn(up, width);
    if (tuples < 1) continue;
    for (let length = Math.min(tuples, Math.floor(room / width)); length >= 2; length -= 1) {
      const run = runWith(hand, raised, tapped, length, width);
      if (run) return run;
    }
    return copiesOf(hand, raised, tapped, width);
  }
  return [tapped];
}

/** The card with its copies, as many as are wanted, in the hand and not raised yet. */
function copiesOf(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, wanted = Infinity): Held[] {
  const others = hand.filter((held) => held.card === tapped.card && held.key !== tapped.key && !raised.has(held.key));
  return [tapped, ...others].slice(0, wanted);
}

/** A run of so many tuples on consecutive steps with the tapped card in it: upwards from it where there is one. */
function runWith(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, length: number, width: number): Held[] | undefined {
  for (let below = 0; below < length; below += 1) {
    const steps = Array.from({ length }, (_, i) => tapped.step - below + i);
    const tuples = steps.map((step) => tupleOn(hand, raised, tapped, step, width));
    if (tuples.every((tuple) => tuple !== undefined)) return tuples.flat();
  }
  return undefined;
}

function tupleOn(hand: readonly Held[], raised: ReadonlySet<string>, tapped: Held, step: number, width: number): Held[] | undefined {
  const here = step === tapped.step ? [tapped] : hand.filter((held) => held.suit === tapped.suit && held.step === step && !raised.has(held.key));
  return here.map((held) => copiesOf(hand, raised, held, width)).find((tuple) => tuple.length === width);
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
