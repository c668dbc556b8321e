import type { Entry, Understanding } from "./entry.ts";
import type { Group, Row } from "./row.ts";

/** Groups the implementations by how each understood the entry; those that it could not be said to are in no group. */
export function group(entry: Entry, seen: readonly (Understanding | undefined)[], words: typeof wordsOf = wordsOf): Row {
  const all = seen.filter((one) => one !== undefined);
  const byWords = new Map<string, Group>();
  seen.forEach((one, at) => {
    if (one === undefined) return;
    const said = words(one, all);
    const members = [...(byWords.get(said)?.members ?? []), at];
    const refused = one.answers.findIndex(({ isTaken }) => !isTaken);
    byWords.set(said, { words: said, members, requests: refused < 0 ? one.answers.length : refused });
  });
  const groups = [...byWords.values()].sort((a, b) => b.members.length - a.members.length);
  return { id: entry.id, about: entry.about, groups };
}

/** The largest disagreement first. */
export const byDisagreement = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => disagreement(b) - disagreement(a) || a.id.localeCompare(b.id));

/** First, different numbers of requests, which allow smuggling; then acceptance against refusal; then the number of groups. */
function disagreement({ groups }: Row): number {
  const taken = new Set(groups.map(({ requests }) => requests).filter((requests) => requests > 0));
  const isRefused = groups.some(({ requests }) => requests === 0);
  return Math.max(0, taken.size - 1) * 200 + (isRefused && taken.size > 0 ? 100 : 0) + groups.length;
}

/**
 * In words: `taken (5 octets), taken, then went on`. The length of content is shown only if all that accepted the entry show it: otherwise
 * it would separate implementations that understood the same.
 */
function wordsOf(one: Understanding, all: readonly Understanding[]): string {
  const said = answersInWords(one, all);
  if (one.isFenceSeen) return `${said}, then went on`;
  return `${said}, then ${one.end === "waiting" ? "waited for more" : "ended"}`;
}

/** The same without what happened to the connection. */
export function answersInWords(one: Understanding, all: readonly Understanding[]): string {
  const showsContent = all.every(({ answers }) => answers.every(({ isTaken, octets }) => !isTaken || octets !== undefined));
  const answers = one.answers.map(({ isTaken, status, octets }) => {
    if (!isTaken) return `refused ${status}`;
    return showsContent && octets !== undefined ? `taken (${octets} octets)` : "taken";
  });
  return answers.length === 0 ? "no answer" : answers.join(", ");
}
