/** The server over HTTP. Each function is one address of `docs/table.md`; what is refused is thrown as `Refuse`. */
import { newSalt, remember } from "./fair";
import { learn } from "./looks";
import { prefs } from "./prefs.svelte";
import type {
  BeliefShown,
  Check,
  Drawn,
  GameCard,
  Hint,
  Invitation,
  Judged,
  NewTable,
  Promised,
  Recognised,
  Recovery,
  RecoveryLink,
  Refusal,
  Replay,
  Seat,
  Seated,
  TableCard,
  Trouble,
} from "./wire";
import { sentence, t } from "./words";

/** Where a deal can be looked at again: a deal of a table, or of a pasted record. */
export type Source = "tables" | "records";

export class Refuse extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly why: Refusal | null = null,
  ) {
    super(sentence(detail));
  }

  /** Is there nothing at this address? A name that is no name is as good as one that nobody has. */
  get nothing(): boolean {
    return this.status === 404 || this.status === 422;
  }
}

/** What went wrong, as a person reads it; a question that gets no answer ends in a TypeError. */
export const said = (wrong: unknown): string =>
  wrong instanceof TypeError ? t("frame.silent") : wrong instanceof Error ? wrong.message : String(wrong);

type Query = Record<string, string | number | undefined>;

/** The path with its query, the language included. */
export function address(path: string, query: Query = {}): string {
  const asked = new URLSearchParams({ lang: prefs.language });
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  return `${path}?${asked}`;
}

let token: string | undefined;

/** Opens a seat in a browser that has no cookie for it: the token goes with every question from here on. */
export function useToken(given: string | undefined): void {
  token = given;
}

async function refusal(response: Response): Promise<Refuse> {
  const body: unknown = await response.json().catch(() => null);
  const { detail, why } = (body ?? {}) as { detail?: unknown; why?: Refusal | null };
  const told = typeof detail === "string" ? detail : response.statusText;
  const named = !(response.status === 422 && told.startsWith("path.")); // else the address itself is in no form
  return new Refuse(response.status, named ? told : t("frame.lost"), why ?? null);
}

async function ask(path: string, query: Query = {}, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set("X-Seat-Token", token);
  const response = await fetch(address(path, query), { ...init, headers });
  if (!response.ok) throw await refusal(response);
  return response;
}

async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, query, signal ? { signal } : {})).json()) as T;
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await (await ask(path, {}, signal ? { ...init, signal } : init)).json()) as T;
}

export const games = async () => (await get<GameCard[]>("/api/games")).map(learn);
export const tables = () => get<TableCard[]>("/api/tables");
export const table = (id: string) => get<TableCard>(`/api/tables/${id}`);
export const promise = ({ game, preset, rules }: NewTable) => post<Promised>("/api/promises", { game, preset, rules });
/** Makes a table, whose first deal is promised before this seat adds to it. */
export async function makeTable(wanted: NewTable): Promise<Seated> {
  const { commitment } = await promise(wanted);
  if (!commitment) return post<Seated>("/api/tables", wanted);
  const salt = newSalt();
  const seated = await post<Seated>("/api/tables", { ...wanted, promise: commitment, salt });
  remember(seated.table, 1, { commitment, salt });
  return seated;
}
export const sit = (id: string, seat: Seat, name: string) => post<Seated>(`/api/tables/${id}/seats/${seat}`, { name });
/** Asks the people of a table for a seat in the middle of a deal. */
export const askForSeat = async (id: string, seat: Seat, name: string): Promise<void> => {
  await post<null>(`/api/tables/${id}/seats/${seat}/ask`, { name });
};
export const stand = async (id: string, seat: Seat): Promise<void> => {
  await ask(`/api/tables/${id}/seats/${seat}`, {}, { method: "DELETE" });
};
export const check = (id: string, seat: Seat, what: string, signal?: AbortSignal) =>
  post<Check>(`/api/tables/${id}/seats/${seat}/check`, { what }, signal);
export const hint = (id: string, seat: Seat, step: 1 | 2, signal?: AbortSignal) =>
  get<Hint>(`/api/tables/${id}/seats/${seat}/hint`, { step }, signal);
export const belief = (id: string, seat: Seat, signal?: AbortSignal) =>
  get<BeliefShown>(`/api/tables/${id}/seats/${seat}/belief`, {}, signal);

// -- who one is

export const recovery = () => get<Recovery>("/api/me/recovery");
export const makeRecovery = () => post<RecoveryLink>("/api/me/recovery", {});
export const withdrawRecovery = async (): Promise<void> => {
  await ask("/api/me/recovery", {}, { method: "DELETE" });
};
/** Makes this browser the guest for whom a recovery link was made. */
export const recover = async (secret: string): Promise<void> => {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ secret }) };
  await ask("/api/me/recover", {}, init);
};

// -- looking back

export const replay = async (source: Source, id: string, deal: number, signal?: AbortSignal) =>
  learn(await get<Replay>(`/api/${source}/${id}/deals/${deal}`, {}, signal));
export const drawn = (source: Source, id: string, deal: number, signal?: AbortSignal) =>
  get<Drawn>(`/api/${source}/${id}/deals/${deal}/drawn`, {}, signal);
/** Have a table no longer among one's own. */
export const deleteTable = (table: string) => ask(`/api/tables/${table}`, {}, { method: "DELETE" });
/** Where others join a table. */
export const invitation = (table: string, signal?: AbortSignal) =>
  get<Invitation>(`/api/tables/${table}/invitation`, {}, signal);
export const believed = (source: Source, id: string, deal: number, seat: Seat, step: number, signal?: AbortSignal) =>
  get<BeliefShown>(`/api/${source}/${id}/deals/${deal}/belief`, { seat, step }, signal);
/** Where the record of one deal can be downloaded, and that of all finished deals of a table. */
export const recordOf = (source: Source, id: string, deal: number) => `/api/${source}/${id}/deals/${deal}/record`;
export const wholeRecord = (id: string) => `/api/tables/${id}/record`;
export const paste = (text: string) => post<Recognised>("/api/records", { text });

/** The review of a deal, act by act as the server works it out. */
export async function* review(source: Source, id: string, deal: number, signal?: AbortSignal): AsyncGenerator<Judged> {
  const response = await ask(`/api/${source}/${id}/deals/${deal}/review`, {}, signal ? { signal } : {});
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = "";
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (rest + chunk.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield judged(line);
  }
  if (rest.trim()) yield judged(rest);
}

/** A line of a review: an act, or why it breaks off here. */
export function judged(line: string): Judged {
  const found = JSON.parse(line) as Judged | Trouble;
  if ("detail" in found) throw new Refuse(503, found.detail, found.why ?? null);
  return found;
}
