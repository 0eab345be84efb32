/** What stands on the score sheet: strokes, levels, and what was gained. */

/** Marks as strokes in bundles: 7 is a bundle of five and two more. */
export function tally(marks: number): number[] {
  const bundles = Array.from({ length: Math.floor(marks / 5) }, () => 5);
  return marks % 5 ? [...bundles, marks % 5] : bundles;
}

const COURT: Record<number, string> = { 11: "J", 12: "Q", 13: "K", 14: "A" };
export const LEVELS: readonly number[] = Array.from({ length: 13 }, (_, i) => i + 2);

export function levelName(level: number): string {
  return COURT[level] ?? String(level);
}

/** A number with its sign, as sheets show what was gained. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}
