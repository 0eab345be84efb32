/** How each game looks, as the server tells it with every list of games, table and replay. */
import type { GameName, Look } from "./wire";

const PLAIN: Look = {
  suits: "french",
  clockwise: true,
  several: false,
  dealt_slowly: false,
  review: "open",
  declarers_value: false,
  whole_costs: false,
};
const known = new Map<GameName, Look>();

/** Keeps how a game looks, before anything of it is drawn. */
export function learn<T extends { game: GameName; look: Look }>(told: T): T {
  known.set(told.game, told.look);
  return told;
}

export const lookOf = (game: GameName): Look => known.get(game) ?? PLAIN;

export const hasTiles = (game: GameName): boolean => lookOf(game).suits === "dominoes";

/** Which suits are printed on its cards. */
export const printOf = (game: GameName): "german" | "french" => (lookOf(game).suits === "german" ? "german" : "french");

/** The classes by which styles tell games apart. */
export const classesOf = (game: GameName): string => `${lookOf(game).suits} ${lookOf(game).several ? "several" : "single"}`;
