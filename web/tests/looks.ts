/** How the three games look, for tests that ask no server. */
import { learn } from "../src/looks";
import type { Look } from "../src/wire";

const PLAIN: Look = {
  suits: "french", clockwise: true, several: false, dealt_slowly: false,
  review: "open", declarers_value: false, whole_costs: false,
};
export const LOOKS: Record<string, Look> = {
  texas42: { ...PLAIN, suits: "dominoes" },
  tractor: { ...PLAIN, clockwise: false, several: true, dealt_slowly: true, review: "known" },
  schafkopf: { ...PLAIN, suits: "german", declarers_value: true, whole_costs: true },
};
for (const [game, look] of Object.entries(LOOKS)) learn({ game, look });
