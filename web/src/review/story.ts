/** A deal as a story: acts trick by trick, what each cost, and how the odds went. */
import { isCard } from "../cards";
import { lookOf } from "../looks";
import { amount, decimal } from "../teach/numbers";
import type { GameName, Judged, Language, Replay, Step } from "../wire";

export interface Act {
  /** The position it was made in; `number + 1` is the one it led to. */
  number: number;
  seat: number | null;
  what: string;
  text: string;
}

export interface Chapter {
  /** From 1; null for what was said before the first lead. */
  trick: number | null;
  winner: number | null;
  points: number;
  acts: Act[];
}

/** The trick that the act before this position belongs to. */
function trickOf(step: Step, before: Step): number | null {
  if (step.trick?.plays.length) return step.trick.number;
  if (step.last_trick && step.last_trick.number !== before.last_trick?.number) return step.last_trick.number;
  return null;
}

/** The acts of a deal in chapters: the talk, then every trick. */
export function chapters(replay: Replay): Chapter[] {
  const found: Chapter[] = [];
  replay.steps.forEach((step, at) => {
    const before = replay.steps[at - 1];
    if (!before) return;
    const trick = trickOf(step, before);
    let chapter = found.at(-1);
    if (chapter?.trick !== trick || !chapter) found.push((chapter = { trick, winner: null, points: 0, acts: [] }));
    chapter.acts.push({ number: at - 1, seat: step.seat, what: step.what, text: step.text });
    if (step.last_trick && step.last_trick.number === trick) {
      chapter.winner = step.last_trick.winner;
      chapter.points = step.last_trick.points;
    }
  });
  return found;
}

/** The position a key leads to: one act on or back, a trick on or back, the first or the last. */
export function stepped(key: string, at: number, story: readonly Chapter[], last: number): number | undefined {
  const starts = [...story.map((chapter) => chapter.acts[0]?.number ?? 0), last];
  switch (key) {
    case "ArrowLeft":
      return Math.max(at - 1, 0);
    case "ArrowRight":
      return Math.min(at + 1, last);
    case "ArrowUp":
      return starts.findLast((start) => start < at) ?? 0;
    case "ArrowDown":
      return starts.find((start) => start > at) ?? last;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

/** The cards that an act puts down or names, copies included: `bury H3 H3` has two. Of a stopped throw, what was led. */
export const cardsOf = (what: string): string[] => (what.split(" of ")[0] ?? "").split(/\s+/).filter(isCard);

/** Is it cards alone, put down in a trick? */
export const isPlay = (what: string): boolean => {
  const words = (what.split(" of ")[0] ?? "").split(/\s+/).filter((word) => word !== "+");
  return words.length > 0 && words.every(isCard);
};

export interface Marked {
  card: string;
  best: boolean;
  /** It was played from this position. */
  played: boolean;
}

/** A hand with the best plays and what was played marked on it; of two copies only as many as were played. */
export function marked(hand: readonly string[], best: readonly string[], played: string): Marked[] {
  const good = new Set(best.flatMap(cardsOf));
  const left = cardsOf(played);
  return hand.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return { card, best: good.has(card), played: at >= 0 };
  });
}

/** What is less than this is rounding, or luck of the draw. */
export const LITTLE = 0.05;

export type By = "open" | "known";

/** By what an act is judged: the open hands say nothing of a call, which goes by what its seat could know. */
export const judgedBy = (act: { what: string }, by: By): By => (isPlay(act.what) ? by : "known");

export const costOf = (act: Judged, by: By): number => (by === "open" ? act.cost : act.known_cost) ?? 0;

/** What it cost as one reads it: of marks and levels there are few, so parts of them count. */
export const costText = (cost: number, by: By, game: GameName, language: Language): string =>
  by === "known" && !lookOf(game).whole_costs ? decimal(cost, language, 2) : amount(cost, language);

/** What would have been best there. */
export const bestOf = (act: Judged, by: By): string[] => (by === "open" ? act.best : act.known_best ? [act.known_best] : []);

/** The same as one reads it: a call in words, unless its cards are shown. */
export const bestText = (act: Judged, by: By): string[] =>
  by === "known" && act.known_text && !cardsOf(act.known_best).length ? [act.known_text] : bestOf(act, by);

/** The acts that cost most, the dearest first. */
export function costly(acts: readonly Judged[], by: By, most = 8): Judged[] {
  return acts
    .filter((act) => costOf(act, by) > LITTLE)
    .sort((a, b) => costOf(b, by) - costOf(a, by) || a.number - b.number)
    .slice(0, most);
}

export interface Point {
  step: number;
  total: number;
}

/** How many points the side is heading for, position by position, where it could be worked out. */
export const line = (acts: readonly Judged[]): Point[] =>
  acts.flatMap(({ number, value, taken }) => (value === null ? [] : [{ step: number, total: value + (taken ?? 0) }]));

export interface Frame {
  width: number;
  height: number;
  last: number;
  low: number;
  high: number;
}

/** A frame that holds the whole line, with round ends. */
export function frame(points: readonly Point[], last: number, width: number, height: number): Frame {
  const totals = points.map((point) => point.total);
  const least = Math.min(...totals, Infinity);
  const most = Math.max(...totals, -Infinity);
  if (least > most) return { width, height, last, low: 0, high: 1 };
  const grain = most - least > 40 ? 20 : most - least > 15 ? 10 : 5;
  const low = Math.floor(least / grain) * grain;
  const high = Math.ceil(most / grain) * grain;
  return { width, height, last, low, high: high === low ? low + grain : high };
}

export const xOf = (step: number, { width, last }: Frame): number => (last ? (width * step) / last : 0);
export const yOf = (total: number, { height, low, high }: Frame): number => height - (height * (total - low)) / (high - low);

/** The line as steps: level until an act changes it, broken where nothing is known. */
export function path(points: readonly Point[], within: Frame): string {
  let d = "";
  points.forEach(({ step, total }, at) => {
    const before = points[at - 1];
    const [x, y] = [round(xOf(step, within)), round(yOf(total, within))];
    d += before && before.step === step - 1 ? `H${x}V${y}` : `M${x} ${y}`;
    if (!points[at + 1] || points[at + 1]?.step !== step + 1) d += `H${round(xOf(Math.min(step + 1, within.last), within))}`;
  });
  return d;
}

const round = (value: number): number => Math.round(value * 10) / 10;
