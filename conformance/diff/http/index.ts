import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { ask, meet as meetHttp1 } from "../../http1/diff/ask.ts";
import { showingMost } from "../../http1/diff/index.ts";
import { comparison, type Diff, type Met } from "../diff.ts";
import type { Understanding } from "../entry.ts";
import { answersInWords } from "../group.ts";
import { CORPUS } from "./corpus.ts";
import { entriesOfSuites } from "./from-suites.ts";
import { inHttp1 } from "./http1-text.ts";
import { exchangeHttp2 } from "./http2.ts";
import { exchangeHttp3 } from "./http3.ts";
import type { RequestEntry } from "./request.ts";
import { askOver, type Exchange, LIMIT_MS, meetOver } from "./subject.ts";

/** Longer than `diff http1` waits: only silence tells a busy server from one that does not answer. */
const PATIENCE = { limitMs: LIMIT_MS, quietMs: 1_000 };

/** Asks again if no answer came, or no connection: an entry that is not answered twice is not answered, and the others go on. */
export async function confirmed(ask: () => Promise<Understanding>): Promise<Understanding> {
  const first = await reached(ask);
  return first.answers.length === 0 && first.end === "waiting" ? reached(ask) : first;
}

async function reached(ask: () => Promise<Understanding>): Promise<Understanding> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unreachable) return { answers: [], isFenceSeen: false, end: "waiting" };
    throw error;
  }
}

type Meet = (url: string, name: string) => Promise<Met<RequestEntry>>;

/** A version whose requests have streams of their own. */
const overStreams =
  (exchange: Exchange, version: string): Meet =>
  async (url, name) => {
    const subject = await meetOver(exchange, url, version);
    return {
      name: `${name}, ${version}`,
      target: url,
      echoes: subject.echoes,
      ask: (entry) => confirmed(() => askOver(exchange, subject, entry)),
    };
  };

/** The versions by their names in a target; each is the name of its suite. */
const VERSIONS = {
  http1: async (url, name) => {
    const subject = await meetHttp1(url, name);
    return {
      name: `${name}, HTTP/1.1`,
      target: url,
      echoes: subject.echoes,
      ask: async ({ request, ...entry }) => {
        const text = inHttp1(request);
        return text === undefined ? undefined : confirmed(() => ask(subject, { ...entry, text }, PATIENCE));
      },
    };
  },
  http2: overStreams(exchangeHttp2, "HTTP/2"),
  http3: overStreams(exchangeHttp3, "HTTP/3"),
} as const satisfies Readonly<Record<string, Meet>>;

/** Servers of HTTP in all versions, compared by what each version makes of the same requests. */
export const loadDiff = async (): Promise<Diff> =>
  comparison<RequestEntry>({
    peersOf: [
      { suite: "http1", tls: false },
      { suite: "http2", tls: false },
      { suite: "http3", tls: true },
    ],
    entries: [...CORPUS, ...(await entriesOfSuites(CORPUS))],
    meet: meetVersions,
    urlOf: ({ name, url, suite }) => `${suite}=${showingMost({ name, url })}`,
    words: inWords,
  });

/** `http2=https://host:port/` is one version of a server; an address alone is every version in which it answers. */
async function meetVersions(target: string, name: string): Promise<readonly Met<RequestEntry>[]> {
  const [, version, url] = /^(\w+)=(.*)$/.exec(target) ?? [];
  if (version !== undefined && url !== undefined) return [await versionNamed(version)(url, name)];
  const answers = await Promise.allSettled(Object.values(VERSIONS).map((meet) => meet(target, name)));
  const met = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const reasons = answers.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
  const unexpected = reasons.find((reason) => !(reason instanceof Unreachable));
  if (unexpected !== undefined) throw unexpected;
  if (met.length === 0) throw reasons[0];
  return met;
}

function versionNamed(name: string): Meet {
  if (Object.hasOwn(VERSIONS, name)) return VERSIONS[name as keyof typeof VERSIONS];
  throw new WrongUse(`There is no version "${name}": write ${Object.keys(VERSIONS).join("=URL, ")}=URL, or an address for all of them.`);
}

/** What became of the request; how a version refuses counts, what its connection does next does not. */
function inWords(one: Understanding, all: readonly Understanding[]): string {
  if (one.answers.length > 0) return answersInWords(one, all);
  if (one.end === "stream error") return "refused by a stream error";
  return one.end === "closed" || one.end === "reset" ? "refused by the end of the connection" : "no answer";
}
