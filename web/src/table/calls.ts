/** How what may be said is laid out: a ladder of bids, trumps by suit, games by kind. */
import type { Call, GameName } from "../wire";

export interface CallGroup {
  name: string;
  calls: Call[];
  /** Seldom said: folded away where there is something else to say. */
  seldom: boolean;
}

const NAMES: Record<GameName, (what: string) => string> = {
  texas42: (what) => {
    if (what === "pass") return "pass";
    if (/^\d+$/.test(what)) return "points";
    if (/ marks?$/.test(what)) return "marks";
    if (what === "splash" || what === "plunge") return "jump";
    if (what.startsWith("trump ")) return "trump";
    if (what.startsWith("lead ")) return "lead";
    return what.includes(" doubles ") ? "doubles" : "untrumped";
  },
  tractor: (what) => {
    if (what === "redeal") return "say";
    return what.startsWith("show ") ? "show" : what.startsWith("turn ") ? "turn" : "pass";
  },
  schafkopf: (what) => {
    if (what === "pass" || what === "no") return "pass";
    if (["double", "accept", "offer", "old", "stoss"].includes(what)) return "say";
    const [kind, tout] = [what.split(" ")[0], what.endsWith(" tout")];
    if (!suitCalled(what)) return tout ? "tout" : "kind";
    return tout ? `${kind} tout` : `${kind}`;
  },
};

/** Of a game that was added: passes, and the rest together. */
const named = (game: GameName, what: string): string => (NAMES[game] ?? ((said) => (said === "pass" ? "pass" : "kind")))(what);

/** The suit that a game of Schafkopf names: `solo G tout` is G. */
export function suitCalled(what: string): string | undefined {
  return / ([EGHS])(?: tout)?$/.exec(what)?.[1];
}

const BIDS: ReadonlySet<string> = new Set(["pass", "points", "marks", "jump"]);

/** What a seat is asked for, by what it may say: to show or pass, to take up the kitty, to bid, to name trumps. */
export function asks(game: GameName, calls: readonly Call[]): "show" | "take" | "bid" | "trump" | "wish" | "declare" | "call" {
  const said = calls.map((call) => call.what);
  if (game === "tractor") return said.includes("take") ? "take" : said.includes("redeal") ? "call" : "show";
  if (game === "texas42") return said.some((what) => BIDS.has(named(game, what))) ? "bid" : "trump";
  if (said.some((what) => named(game, what) === "say") || said.includes("no")) return "call";
  return said.includes("pass") ? "wish" : "declare";
}

const isSeldom = (name: string) => name === "doubles" || name.endsWith("tout");

/** The calls in groups, in the order in which they first come; to say nothing comes first. */
export function callGroups(game: GameName, calls: readonly Call[]): CallGroup[] {
  const found = new Map<string, Call[]>();
  for (const call of calls) {
    const name = named(game, call.what);
    found.set(name, [...(found.get(name) ?? []), call]);
  }
  const plain = [...found.keys()].some((name) => !isSeldom(name) && name !== "pass");
  const all = [...found].map(([name, group]) => ({ name, calls: group, seldom: plain && isSeldom(name) }));
  const place = ({ name, seldom }: CallGroup) => (name === "pass" ? 0 : seldom ? 2 : 1);
  return all.sort((a, b) => place(a) - place(b));
}
