import {
  overNetwork,
  searchPeer,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  type PeerFuzzer,
  type Told,
} from "../lib/network.ts";
import { shrinkListAsync } from "../lib/shrink.ts";
import { fence, octetsOf, sequence, textOf, type Asked, type Piece } from "./grammar.ts";
import { expected, type Expected } from "./oracle.ts";
import { answersIn, talk, type Answer, type Patience } from "./talk.ts";

const PATIENCE: Patience = { quietMs: 120, limitMs: 2_000 };
/** For what is asked again, so that a peer that was busy for a moment is not accused. */
const MORE_PATIENCE: Patience = { quietMs: 700, limitMs: 4_000 };
/** Codes by which a server says that a message cannot be read; others are about what is asked for. */
const BLAMING: ReadonlySet<number> = new Set([400, 411, 431, 505]);
const isRefusal = ({ status }: Answer): boolean => status >= 400;

/** What is wrong with how the peer took this sequence, a plain request behind it; undefined when nothing is. */
export async function judge(url: URL, pieces: readonly Piece[], asked: Asked, patience = PATIENCE): Promise<Told | undefined> {
  const all = [...pieces, fence(asked)];
  const should = expected(all);
  const seen = await talk(url, octetsOf(textOf(all)), patience);
  const { answers, broken } = answersIn(seen.octets, [...should.methods, ...methodsOf(all).slice(should.methods.length)]);
  // Behind what can be read in two ways nobody knows which request an answer belongs to.
  const isSure = should.refused === undefined && !should.isOpen;
  if (broken !== undefined && (isSure || answers.length < should.methods.length))
    return { kind: `broken ${broken.name}`, says: `sent an answer that breaks a rule (${broken.name})`, spec: broken.spec };
  if (seen.is === "unreachable" || (answers.length === 0 && seen.is !== "silent")) {
    if (!(await isThere(url, asked)))
      return { kind: "gone", says: "does not answer a plain request on a new connection any more", spec: "rfc9112#2.2" };
  }
  if (seen.is === "silent")
    return { kind: "silent", says: "neither answered nor closed, even after the client's half had ended", spec: "rfc9112#9.5" };
  // Where there is more than one reading, how many requests there are is the reader's own.
  if (should.isOpen) return behindClose(answers);
  const { refused } = should;
  if (refused !== undefined) {
    // Answers to the requests before it may be missing, and one whose content is wrong may have been answered already; a further one that
    // is no refusal shows that what is wrong was taken.
    const beyond = answers.slice(should.methods.length).find((answer) => !isRefusal(answer));
    if (beyond === undefined) return undefined;
    return {
      kind: `accepted ${refused.fault.name}`,
      says: `answered ${beyond.status} after ${guilty(all, refused.at)}, which ${refused.owes === "400" ? "has to be answered with 400" : "is no message"} (${refused.fault.name})`,
      spec: refused.fault.spec,
    };
  }
  return behindClose(answers) ?? legalAnswers(answers, should, seen.is === "closed late");
}

/** What is wrong comes to light at the end of a line or a head: the piece of that request that was twisted, where there is one. */
function guilty(pieces: readonly Piece[], at: number): string {
  const last = pieces[at]!;
  return (pieces.slice(0, at + 1).findLast(({ of, words }) => of === last.of && words.endsWith("(twisted)")) ?? last).words;
}

/** The methods of all requests, be they legal or not. */
const methodsOf = (pieces: readonly Piece[]): string[] =>
  [...Map.groupBy(pieces, ({ of }) => of).values()].map(([line]) => /[A-Z]+/.exec(line!.text)?.[0] ?? "GET");

function behindClose(answers: readonly Answer[]): Told | undefined {
  const last = answers.findIndex(({ closes }) => closes);
  if (last >= 0 && last < answers.length - 1)
    return {
      kind: "answered behind close",
      says: `answered again behind an answer that was the last, with ${answers[last + 1]!.status}`,
      spec: "rfc9112#9.6",
    };
  return undefined;
}

/** Every piece is legal: each request is answered, unless the server says or shows that it has had enough. */
function legalAnswers(answers: readonly Answer[], { methods, whole, closes }: Expected, isLate: boolean): Told | undefined {
  if (answers.length > methods.length)
    return { kind: "surplus", says: `sent ${answers.length} answers to ${methods.length} requests`, spec: "rfc9112#9.3.2" };
  const blamed = answers.find(({ status }) => BLAMING.has(status));
  if (blamed !== undefined)
    return { kind: `refused ${blamed.status}`, says: `answered ${blamed.status} although every line is legal`, spec: "rfc9112#2.2" };
  const cut = answers.find(({ isWhole }) => !isWhole);
  if (cut !== undefined) return { kind: "cut off", says: `closed within its answer ${cut.status}`, spec: "rfc9112#8" };
  if (answers.length < whole && isLate && closes)
    return { kind: "missing", says: `answered ${answers.length} of ${whole} requests, and waited for more`, spec: "rfc9112#9.3.2" };
  return undefined;
}

async function isThere(url: URL, asked: Asked): Promise<boolean> {
  const { octets } = await talk(url, octetsOf(fence(asked).text), MORE_PATIENCE);
  return answersIn(octets, ["GET"]).answers.length > 0;
}

/** Which methods the peer answers well, and whether it lets GET, or POST, have content; undefined where it does not speak HTTP/1.1. */
export async function meet(url: URL): Promise<Asked | undefined> {
  const target = url.pathname + url.search;
  const plain = { authority: url.host, target };
  const ask = async (method: string, more = "", body = ""): Promise<Answer | undefined> => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: ${url.host}\r\n${more}Connection: close\r\n\r\n${body}`;
    return answersIn((await talk(url, octetsOf(text), MORE_PATIENCE)).octets, [method]).answers[0];
  };
  if ((await ask("GET")) === undefined) return undefined;
  const methods: [string, ...string[]] = ["GET"];
  for (const method of ["HEAD", "OPTIONS"]) if (isGood(await ask(method))) methods.push(method);
  const withContent = ["Content-Length: 3\r\n", "abc"] as const;
  if (isGood(await ask("POST", ...withContent)))
    return { ...plain, methods: ["POST", ...methods], takesContent: isGood(await ask("GET", ...withContent)) };
  return { ...plain, methods, takesContent: isGood(await ask("GET", ...withContent)) };
}
const isGood = (answer: Answer | undefined): boolean => answer !== undefined && !isRefusal(answer);

/** Whole requests are left out first, then lines and chunks of those that are left. */
async function shrunk(pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>): Promise<Piece[]> {
  const requests = [...Map.groupBy(pieces, ({ of }) => of).values()];
  const fewer = await shrinkListAsync(requests, (candidate) => same(candidate.flat()));
  return shrinkListAsync(await shrinkListAsync(fewer.flat(), same), same);
}

const FUZZER: PeerFuzzer<Piece, Asked> = {
  name: "http1",
  scheme: "http",
  absent: (url) => `Nothing speaks HTTP/1.1 at ${url}`,
  meet,
  sequence: (rng, _, asked) => sequence(rng, asked),
  requestsIn: (pieces) => expected(pieces).methods.length,
  judge: (url, pieces, asked) => judge(url, pieces, asked),
  confirm: (url, pieces, asked) => judge(url, pieces, asked, MORE_PATIENCE),
  shrink: shrunk,
  replay: async (url, pieces) => {
    const asked = await meet(url);
    return asked === undefined ? "absent" : judge(url, pieces, asked);
  },
};

/** Sends sequences of requests to a server. */
export const fuzzPeer = (text: string, options: NetworkOptions): Promise<NetworkReport<Piece>> => searchPeer(FUZZER, text, options);

/** `touchstone fuzz http1 URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(FUZZER, text, options);
