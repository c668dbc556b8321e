import { comparison, type Diff } from "../../diff/diff.ts";
import { ask, meet } from "./ask.ts";
import { CORPUS } from "./corpus.ts";
import { entriesOfCases } from "./from-cases.ts";
import type { TextEntry } from "./text-entry.ts";

/** Peers whose `/echo` sends the content of the request back. */
const ECHOES = new Set(["touchstone", "node-http", "go", "python"]);

/** The path of a started peer that shows most. */
export const showingMost = ({ name, url }: { readonly name: string; readonly url: string }): string =>
  ECHOES.has(name) ? `${url}echo` : url;

/** Servers of HTTP/1.1, compared by how they cut one corpus into requests. */
export const loadDiff = async (): Promise<Diff> =>
  comparison<TextEntry>({
    peersOf: [{ suite: "http1", tls: false }],
    entries: [...CORPUS, ...(await entriesOfCases(CORPUS))],
    meet: async (url, name) => {
      const subject = await meet(url, name);
      return [{ name, target: subject.url.href, echoes: subject.echoes, ask: (entry) => ask(subject, entry) }];
    },
    urlOf: showingMost,
  });
