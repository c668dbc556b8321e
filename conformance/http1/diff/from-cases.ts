import type { TextEntry } from "./text-entry.ts";
import { loadCases } from "../cases/load.ts";
import { LENIENCY_NAMES, leniencyFeature } from "../leniencies.ts";
import { LIMIT_NAMES, limitFeature } from "../limits.ts";

/** A larger message is about a limit, not about how servers read. */
const MOST_OCTETS = 20_000;
/** A case that a server was given a limit or a leniency for. */
const GIVEN = new Set([...LIMIT_NAMES.map((name) => limitFeature(name)), ...LENIENCY_NAMES.map((name) => leniencyFeature(name))]);
/** A path that only some servers have. */
const OWN_PATH = /\{(?!path\}|authority\}|scheme\})[a-z]+\}/;

/** The message of every case for servers that sends one, except where an entry has its name: whatever the suite judges, `diff` compares. */
export async function entriesOfCases(others: readonly TextEntry[]): Promise<TextEntry[]> {
  const names = new Set(others.map(({ id }) => id));
  const cases = await loadCases("server");
  return cases.flatMap(({ id, title, steps, group, needs = [] }): TextEntry[] => {
    const name = id.slice(id.indexOf("/") + 1);
    const texts = steps.flatMap((step) => (step.do === "send" ? [step.text] : []));
    const [text] = texts;
    const isOne = texts.length === 1 && steps.every(({ do: what }) => what === "send" || what === "await" || what === "half-close");
    if (text === undefined || !isOne || group !== undefined || names.has(name) || needs.some((need) => GIVEN.has(need))) return [];
    return text.length > MOST_OCTETS || OWN_PATH.test(text) ? [] : [{ id: name, about: title, text }];
  });
}
