/** The table somebody wants: who sits where, and which house rules are played. */
import type { Clock, GameCard, HouseRule, NewTable } from "../wire";

export type Who = "me" | "open" | "simple" | "middle" | "strong";
export const WHO: readonly Who[] = ["me", "open", "simple", "middle", "strong"];

/** Who sits at a table of so many seats, if nobody says otherwise. */
export const usual = (players: number): Who[] => ["me", ...Array.from({ length: players - 1 }, () => "simple" as const)];

/** How many seats a table has: as many as the house rule `seats` says where there is one, else as the game does. */
export function playersOf(game: GameCard, name: string, own: Record<string, string>): number {
  const rule = game.rules.find((one) => one.name === "seats");
  const said = rule ? Number(answer(game, name, own, rule)) : game.players;
  return Number.isInteger(said) && said >= FEWEST && said <= MOST ? said : game.players;
}
const [FEWEST, MOST] = [2, 8];

/** The seats of a table that has become larger or smaller: the last ones go, or bots come, and I stay. */
export function fitted(seats: readonly Who[], players: number): Who[] {
  const left = seats.slice(0, players);
  if (!left.includes("me")) left[players - 1] = "me";
  return [...left, ...usual(players).slice(Math.max(1, left.length))].slice(0, players);
}

/** The seats after one of them is given to somebody else. There is one `me`: who moves there changes places. */
export function seated(seats: readonly Who[], seat: number, who: Who): Who[] {
  const mine = seats.indexOf("me");
  if (who === "me") return seats.map((now, at) => (at === seat ? "me" : at === mine ? (seats[seat] ?? "simple") : now));
  if (seat === mine) return [...seats]; // somebody must sit there: choose `me` elsewhere first
  return seats.map((now, at) => (at === seat ? who : now));
}

/** All other seats alike. */
export const everyone = (seats: readonly Who[], who: Who): Who[] => seats.map((now) => (now === "me" ? "me" : who));

/** What a house rule is answered with, once a preset is chosen. */
export function preset(game: GameCard, name: string, rule: HouseRule): string {
  return game.presets[name]?.[rule.name] ?? rule.default;
}

/**
 * What a house rule is answered with: by hand, else by the preset, else as usual. A number may be that of another rule,
 * and then names it: `schneider` is `extra` until it is given.
 */
export function answer(game: GameCard, name: string, own: Record<string, string>, rule: HouseRule): string {
  const value = own[rule.name] || preset(game, name, rule);
  const other = game.rules.find((one) => !rule.choices.length && !one.choices.length && one.name === value);
  return other ? answer(game, name, own, other) : value;
}

/** The answers given by hand that differ from the preset's. */
export function changed(game: GameCard, name: string, own: Record<string, string>): Record<string, string> {
  const rules = game.rules.filter((rule) => own[rule.name] && own[rule.name] !== preset(game, name, rule));
  return Object.fromEntries(rules.map((rule) => [rule.name, own[rule.name] ?? ""]));
}

/** Presets by name, the usual rules first even where the server does not list them. */
export const presetNames = (game: GameCard): string[] => [
  "default",
  ...Object.keys(game.presets).filter((name) => name !== "default"),
];

/** The clocks that one may choose from; `usual` leaves it to the server. */
export const CLOCKS = ["usual", "none", "act 30", "act 60", "act 120", "act 300", "deal 300", "deal 600", "deal 1200"] as const;
export type ClockName = (typeof CLOCKS)[number];

/** A clock by its name: `act 60`. */
export function clockOf(name: ClockName): Clock | null {
  const [kind, seconds] = name.split(" ");
  if (kind === "act" || kind === "deal") return { kind, seconds: Number(seconds) };
  return kind === "none" ? { kind, seconds: USUAL } : null;
}
export const USUAL = 120;

interface Wished {
  seats: Who[];
  preset: string;
  own: Record<string, string>;
  name: string;
  pace: number;
  clock?: ClockName;
  substitutes?: "between" | "middle";
}

/** What is sent to make the table. */
export function order(game: GameCard, wish: Wished): NewTable {
  const name = wish.name.trim();
  const table: NewTable = {
    game: game.game,
    seats: wish.seats,
    preset: wish.preset,
    rules: changed(game, wish.preset, wish.own),
    pace: wish.pace,
    ...(wish.substitutes === "middle" ? { substitutes: "middle" } : {}),
  };
  const clock = clockOf(wish.clock ?? "usual");
  if (clock) table.clock = clock;
  return name ? { ...table, name } : table;
}
