/** How urgent a response is, and whether its parts are useful before the rest arrives (rfc9218#4). */
export type Priority = { readonly urgency: number; readonly incremental: boolean };
export const DEFAULT_PRIORITY: Priority = { urgency: 3, incremental: false };
/** Urgency goes from 0, the most urgent, to 7. */
export const URGENCIES = 8;

/**
 * Parses a Priority field value: a Dictionary with the keys `u` and `i` (rfc9218#4). It ignores unknown keys, values of the wrong type or
 * range, and a value that is not a Dictionary; of several members with one key the last counts.
 */
export function parsePriority(text: string): Priority {
  return USUAL.get(text) ?? parseDictionary(text);
}

/** The values that clients usually send. */
const USUAL: ReadonlyMap<string, Priority> = new Map(
  Array.from({ length: URGENCIES }, (_, urgency): [string, Priority][] => [
    [`u=${urgency}`, { urgency, incremental: false }],
    [`u=${urgency}, i`, { urgency, incremental: true }],
    [`u=${urgency},i`, { urgency, incremental: true }],
  ])
    .flat()
    .concat([["i", { ...DEFAULT_PRIORITY, incremental: true }]]),
);

function parseDictionary(text: string): Priority {
  let urgency = DEFAULT_PRIORITY.urgency;
  let incremental = DEFAULT_PRIORITY.incremental;
  let rest = text.trim();
  while (rest !== "") {
    const member = MEMBER.exec(rest);
    if (member === null) return DEFAULT_PRIORITY;
    const [whole, key, value] = member;
    if (key === "u") urgency = value !== undefined && /^[0-7]$/.test(value) ? Number(value) : DEFAULT_PRIORITY.urgency;
    if (key === "i") incremental = value === undefined || value === "?1";
    const after = rest.slice(whole.length).trimStart();
    if (after === "") break;
    if (!after.startsWith(",")) return DEFAULT_PRIORITY;
    rest = after.slice(1).trimStart();
    if (rest === "") return DEFAULT_PRIORITY;
  }
  return { urgency, incremental };
}

/** A key with an item or an inner list, and parameters, parsed loosely: enough to skip unknown members. */
const ITEM = String.raw`(?:\?[01]|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\["\\])*"|:[\w+/=]*:|[A-Za-z*][\w!#$%&'*+.^\x60|~:/-]*|\([^()]*\))`;
const PARAMETER = String.raw`(?:;[ ]*[a-z*][a-z0-9_.*-]*(?:=${ITEM})?)`;
const MEMBER = new RegExp(String.raw`^([a-z*][a-z0-9_.*-]*)(?:=(${ITEM}))?${PARAMETER}*`);

/** The shortest Priority field value; empty for the default. */
export function formatPriority({ urgency, incremental }: Priority): string {
  const parts: string[] = [];
  if (urgency !== DEFAULT_PRIORITY.urgency) parts.push(`u=${urgency}`);
  if (incremental) parts.push("i");
  return parts.join(", ");
}
