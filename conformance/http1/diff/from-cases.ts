import type { Entry } from "../../diff/entry.ts";
import { loadCases } from "../cases/load.ts";

/** A larger message is about a limit, not about how servers read. */
const MOST_OCTETS = 20_000;
/** A path that only some servers have. */
const OWN_PATH = /\{(?!path\}|authority\}|scheme\})[a-z]+\}/;

/** The message of every case for servers that sends one, except where an entry has its name: whatever the suite judges, `diff` compares. */
export async function entriesOfCases(others: readonly Entry[]): Promise<Entry[]> {
  const names = new Set(others.map(({ id }) => id));
  const cases = await loadCases("server");
  return cases.flatMap(({ id, title, steps, group }): Entry[] => {
    const name = id.slice(id.indexOf("/") + 1);
    const texts = steps.flatMap((step) => (step.do === "send" ? [step.text] : []));
    const [text] = texts;
    const isOne = texts.length === 1 && steps.every(({ do: what }) => what === "send" || what === "await" || what === "half-close");
    if (text === undefined || !isOne || group !== undefined || names.has(name)) return [];
    return text.length > MOST_OCTETS || OWN_PATH.test(text) ? [] : [{ id: name, about: title, text }];
  });
}
