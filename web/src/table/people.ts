/** The people at a table: who is away, for whom one may ask for a bot, and how much time is left. */
import type { ClockShown, Place, Seat, State } from "../wire";
import { t } from "../words";

/** A time in words, as coarse as one says it: `45 s`, `3 min`, `2 h`. */
export function duration(seconds: number): string {
  const past = Math.max(0, Math.floor(seconds));
  if (past < 60) return t("table.time.seconds", { seconds: past });
  if (past < 3600) return t("table.time.minutes", { count: Math.floor(past / 60) });
  if (past < 48 * 3600) return t("table.time.hours", { count: Math.floor(past / 3600) });
  return t("table.time.days", { count: Math.floor(past / 86400) });
}

/** A time as a clock shows it: `1:05`. What has begun counts as a whole second. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** The seconds that are left, where a clock counts. */
export function left(clock: ClockShown | null | undefined, now: number): number | undefined {
  if (!clock || clock.kind === "none" || clock.seat == null) return undefined;
  return clock.until != null ? Math.max(0, clock.until - now) : (clock.left ?? undefined);
}

/** For whom may this seat ask for a bot: people who are away, or who are here and let the table wait for long. */
export function idle(state: State, now: number): Place[] {
  if (state.me === null || (state.phase !== "talk" && state.phase !== "play")) return [];
  const { clock } = state.people;
  return state.seats
    .map((seat) => seat.place)
    .filter((place) => place.kind === "person" && place.seat !== state.me && place.stand_in == null)
    .filter((place) => !place.online || (clock?.seat === place.seat && clock.since != null && now - clock.since >= clock.patience));
}

/** Names in a row. */
export const named = (state: State, seats: readonly Seat[]): string =>
  seats.map((seat) => state.seats[seat]?.place.name ?? "").join(", ");

/** Those who are here, play themselves, and have not asked yet for a bot for somebody. */
export function missing(state: State, of: Place): Seat[] {
  return state.seats
    .map((seat) => seat.place)
    .filter((place) => place.kind === "person" && place.online && place.stand_in == null)
    .map((place) => place.seat)
    .filter((seat) => seat !== of.seat && !of.wanted_by.includes(seat));
}
