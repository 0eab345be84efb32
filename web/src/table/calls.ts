/** How what may be said is laid out: in the groups that the server names. */
import type { Call } from "../wire";

export interface CallGroup {
  name: string;
  calls: Call[];
  /** Seldom said: folded away where there is something else to say. */
  seldom: boolean;
}

/** The calls in groups, in the order in which they first come; to say nothing comes first. */
export function callGroups(calls: readonly Call[]): CallGroup[] {
  const found = new Map<string, Call[]>();
  for (const call of calls) found.set(call.group, [...(found.get(call.group) ?? []), call]);
  const plain = calls.some(({ group, seldom }) => !seldom && group !== "pass");
  const all = [...found].map(([name, group]) => ({ name, calls: group, seldom: plain && group.every((call) => call.seldom) }));
  const place = ({ name, seldom }: CallGroup) => (name === "pass" ? 0 : seldom ? 2 : 1);
  return all.sort((a, b) => place(a) - place(b));
}
