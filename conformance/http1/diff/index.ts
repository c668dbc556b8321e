import type { Diff } from "../../diff/diff.ts";
import { ask, meet } from "./ask.ts";
import { CORPUS } from "./corpus.ts";
import { entriesOfCases } from "./from-cases.ts";

/** Peers whose `/echo` sends the content of the request back. */
const ECHOES = new Set(["touchstone", "node-http", "go", "python"]);

/** Servers of HTTP/1.1, compared by how they cut one corpus into requests. */
export const loadDiff = async (): Promise<Diff> => ({
  entries: [...CORPUS, ...(await entriesOfCases(CORPUS))],
  meet: async (url, name) => {
    const subject = await meet(url, name);
    return { name, target: subject.url.href, echoes: subject.echoes, ask: (entry) => ask(subject, entry) };
  },
  urlOf: ({ name, url }) => (ECHOES.has(name) ? `${url}echo` : url),
});
