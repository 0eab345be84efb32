/** The cards that stand for each game: its strongest trumps. */
import type { GameName } from "../wire";

export const PICTURE: Record<GameName, string[]> = {
  texas42: ["5-5", "6-5", "5-4"],
  tractor: ["BJ", "LJ", "S2"],
  schafkopf: ["EO", "GU", "HA"],
};
