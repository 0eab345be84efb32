/** The suits as we draw them: shapes in a square from -50 to 50, the first in the suit's colour. */

export type Tone = "suit" | "second" | "paper";

export interface Stroke {
  d: string;
  tone: Tone;
  /** A line of this width instead of a filled shape. */
  width?: number;
}

const disc = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;

const HEART = "M0 46C-12 30-47 10-47-17C-47-36-34-45-22-45C-11-45-3-38 0-28C3-38 11-45 22-45C34-45 47-36 47-17C47 10 12 30 0 46Z";
const SPADE =
  "M0-47C9-30 45-11 45 15C45 29 35 37 23 37C13 37 7 31 4 24C5 36 9 43 17 48H-17C-9 43-5 36-4 24C-7 31-13 37-23 37C-35 37-45 29-45 15C-45-11-9-30 0-47Z";
const CLUB = `${disc(0, -25, 22)}${disc(-24, 9, 22)}${disc(24, 9, 22)}M0-14C6-2 12 2 22 4V14L5 12C6 30 9 41 17 48H-17C-9 41-6 30-5 12L-22 14V4C-12 2-6-2 0-14Z`;
const DIAMOND = "M0-49C9-30 22-14 39 0C22 14 9 30 0 49C-9 30-22 14-39 0C-22-14-9-30 0-49Z";

const ACORN: Stroke[] = [
  { d: "M-31-7H31C35 20 15 38 0 49C-15 38-35 20-31-7Z", tone: "suit" },
  { d: "M-40-4C-42-30-22-39-5-40L-6-50H6L5-40C22-39 42-30 40-4C26-9-26-9-40-4Z", tone: "second" },
  { d: "M-27-13L-10-34M-9-14L14-36M10-14L29-28", tone: "paper", width: 3 },
];
const LEAF: Stroke[] = [
  {
    d: "M0-49C15-38 46-20 44 7C43 24 28 32 14 28C9 27 6 25 4 22L5 49H-5L-4 22C-6 25-9 27-14 28C-28 32-43 24-44 7C-46-20-15-38 0-49Z",
    tone: "suit",
  },
  { d: "M0-32V20M0-14L16-24M0-14L-16-24M0 4L24-8M0 4L-24-8", tone: "paper", width: 3.5 },
];
const BELL: Stroke[] = [
  { d: `${disc(0, 8, 40)}M-9-32a9 9 0 1 1 18 0Z`, tone: "suit" },
  { d: "M-39 2H39", tone: "paper", width: 5 },
  { d: "M0 22V42", tone: "paper", width: 6 },
  { d: disc(0, 21, 7), tone: "paper" },
  { d: disc(-20, -13, 5), tone: "paper" },
];

const plain = (d: string): Stroke[] => [{ d, tone: "suit" }];

export const FRENCH: Record<string, Stroke[]> = { S: plain(SPADE), H: plain(HEART), C: plain(CLUB), D: plain(DIAMOND) };

export const GERMAN: Record<string, Stroke[]> = { E: ACORN, G: LEAF, H: plain(HEART), S: BELL };

/** A star with five points: filled on the big joker, an outline on the little one. */
export const STAR = "M0-46L12-14L46-13L19 7L29 40L0 21L-29 40L-19 7L-46-13L-12-14Z";

/** What the court wears, beside its suit: crown, coronet, cap with a feather. */
const CAP = "M-44 22C-40-12-20-24 2-22C22-20 36-4 38 22ZM-48 28H46V40H-48ZM14-22C24-46 44-48 50-46C48-34 36-16 22-16Z";
export const WEARS: Record<string, string> = {
  K: "M-40 26L-46-22L-20 0L0-34L20 0L46-22L40 26ZM-40 32H40V42H-40Z",
  Q: `M-38 26C-34 6-40-6-46-14C-34-12-26-4-22 4C-20-10-10-22 0-28C10-22 20-10 22 4C26-4 34-12 46-14C40-6 34 6 38 26ZM-38 32H38V42H-38Z${disc(0, -38, 8)}${disc(-46, -22, 7)}${disc(46, -22, 7)}`,
  J: CAP,
  O: CAP,
  U: CAP,
};
