/** The cards that stand for each game: its strongest trumps. */
import type { GameName } from "../wire";

const PICTURE: Record<GameName, string[]> = {
  texas42: ["5-5", "6-5", "5-4"],
  tractor: ["BJ", "LJ", "S2"],
  schafkopf: ["EO", "GU", "HA"],
};

/** Of a game that was added: high cards of any. */
const ADDED = ["SA", "HK", "DQ"];

export const pictureOf = (game: GameName): string[] => PICTURE[game] ?? ADDED;
