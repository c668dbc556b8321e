import {
  overNetwork,
  searchPeer,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  type PeerFuzzer,
  type Breach,
} from "../lib/network.ts";
import { shrinkListAsync } from "../lib/shrink.ts";
import { fence, octetsOf, sequence, textOf, type Scope, type Piece } from "./grammar.ts";
import { expected, type Expected } from "./oracle.ts";
import { answersIn, talk, type Answer, type Patience } from "./talk.ts";

const PATIENCE: Patience = { quietMs: 120, limitMs: 2_000 };
/** To confirm a finding, so that a peer that was busy for a moment is not accused. */
const MORE_PATIENCE: Patience = { quietMs: 700, limitMs: 4_000 };
/** Status codes that blame the message; others are about the requested resource. */
const BLAMING: ReadonlySet<number> = new Set([400, 411, 431, 505]);
const isError = ({ status }: Answer): boolean => status >= 400;

/** Sends a sequence followed by a plain request, and returns what the peer should not have done, if anything. */
export async function judge(url: URL, pieces: readonly Piece[], scope: Scope, patience = PATIENCE): Promise<Breach | undefined> {
  const all = [...pieces, fence(scope)];
  const should = expected(all);
  const seen = await talk(url, octetsOf(textOf(all)), patience);
  const { answers, broken } = answersIn(seen.octets, [...should.methods, ...methodsOf(all).slice(should.methods.length)]);
  // After an error or octets with several readings, it is unknown which request an answer belongs to.
  const isSure = should.refused === undefined && !should.isOpen;
  if (broken !== undefined && (isSure || answers.length < should.methods.length))
    return { kind: `broken ${broken.name}`, says: `sent a malformed response (${broken.name})`, rule: "rfc9110#2.2/grammar" };
  if (seen.is === "unreachable" || (answers.length === 0 && seen.is !== "silent")) {
    if (!(await isThere(url, scope)))
      return { kind: "gone", says: "no longer answers a plain request on a new connection", rule: "rfc9112#2.2" };
  }
  if (seen.is === "silent")
    return {
      kind: "silent",
      says: "neither answered nor closed, even after the client had ended its half of the connection",
      rule: "rfc9112#9.6/half-close",
    };
  // With several readings, the number of requests is up to the peer.
  if (should.isOpen) return afterClose(answers);
  const { refused } = should;
  if (refused !== undefined) {
    // Answers to earlier requests may be missing, and a request with wrong content may have been answered already. One more answer
    // without an error status shows that the peer accepted the mistake.
    const beyond = answers.slice(should.methods.length).find((answer) => !isError(answer));
    if (beyond === undefined) return undefined;
    return {
      kind: `accepted ${refused.fault.name}`,
      says: `answered ${beyond.status} after ${guilty(all, refused.at)}, which is not a valid message (${refused.fault.name})`,
      rule: refused.rule,
    };
  }
  return afterClose(answers) ?? legalAnswers(answers, should, seen.is === "closed late");
}

/** A fault shows at the end of a line or head: the twisted piece of that request if there is one, otherwise the piece at `at`. */
function guilty(pieces: readonly Piece[], at: number): string {
  const last = pieces[at]!;
  return (pieces.slice(0, at + 1).findLast(({ of, words }) => of === last.of && words.endsWith("(twisted)")) ?? last).words;
}

/** The methods of all requests, legal or not. */
const methodsOf = (pieces: readonly Piece[]): string[] =>
  [...Map.groupBy(pieces, ({ of }) => of).values()].map(([line]) => /[A-Z]+/.exec(line?.text ?? "")?.[0] ?? "GET");

function afterClose(answers: readonly Answer[]): Breach | undefined {
  const last = answers.findIndex(({ closes }) => closes);
  if (last >= 0 && last < answers.length - 1)
    return {
      kind: "answered after close",
      says: `sent another response (${answers[last + 1]!.status}) after one with Connection: close`,
      rule: "rfc9112#9.6/own-close-ignores-rest",
    };
  return undefined;
}

/** For a legal sequence: each request must be answered, unless the server closes the connection. */
function legalAnswers(answers: readonly Answer[], { methods, whole, closes }: Expected, isLate: boolean): Breach | undefined {
  if (answers.length > methods.length)
    return { kind: "surplus", says: `sent ${answers.length} responses to ${methods.length} requests`, rule: "rfc9110#15/one-final" };
  const blamed = answers.find(({ status }) => BLAMING.has(status));
  if (blamed !== undefined)
    return {
      kind: `refused ${blamed.status}`,
      says: `answered ${blamed.status} although all lines are legal`,
      rule: "rfc9112#2.2",
      perPiece: true,
    };
  const cut = answers.find(({ isWhole }) => !isWhole);
  if (cut !== undefined)
    return { kind: "cut off", says: `closed the connection within a ${cut.status} response`, rule: "rfc9112#9.5/close-any-time" };
  if (answers.length < whole && isLate && closes)
    return { kind: "missing", says: `answered ${answers.length} of ${whole} requests, then waited for more`, rule: "rfc9110#15/one-final" };
  return undefined;
}

async function isThere(url: URL, scope: Scope): Promise<boolean> {
  const { octets } = await talk(url, octetsOf(fence(scope).text), MORE_PATIENCE);
  return answersIn(octets, ["GET"]).answers.length > 0;
}

/** Finds the methods that the peer answers without an error, and whether GET may have content. Undefined if it does not speak HTTP/1.1. */
export async function meet(url: URL): Promise<Scope | undefined> {
  const target = url.pathname + url.search;
  const plain = { authority: url.host, target };
  const probe = async (method: string, more = "", body = ""): Promise<Answer | undefined> => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: ${url.host}\r\n${more}Connection: close\r\n\r\n${body}`;
    return answersIn((await talk(url, octetsOf(text), MORE_PATIENCE)).octets, [method]).answers[0];
  };
  if ((await probe("GET")) === undefined) return undefined;
  const methods: [string, ...string[]] = ["GET"];
  for (const method of ["HEAD", "OPTIONS"]) if (isGood(await probe(method))) methods.push(method);
  const withContent = ["Content-Length: 3\r\n", "abc"] as const;
  if (isGood(await probe("POST", ...withContent)))
    return { ...plain, methods: ["POST", ...methods], takesContent: isGood(await probe("GET", ...withContent)) };
  return { ...plain, methods, takesContent: isGood(await probe("GET", ...withContent)) };
}
const isGood = (answer: Answer | undefined): boolean => answer !== undefined && !isError(answer);

/** The first line of a piece without its numbers: two chunks differ in how their size is written, not in size and data. */
const shapeOf = ({ text }: Piece): string =>
  text
    .slice(0, Math.max(0, text.indexOf("\n")))
    .replace(/^[0-9a-f]+(?=[\s;])/i, "#")
    .replaceAll(/\d+/g, "#");

/** Leaves out whole requests first, then lines and chunks of the rest. */
async function shrunk(pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>): Promise<Piece[]> {
  const requests = [...Map.groupBy(pieces, ({ of }) => of).values()];
  const fewer = await shrinkListAsync(requests, (candidate) => same(candidate.flat()));
  return shrinkListAsync(await shrinkListAsync(fewer.flat(), same), same);
}

const FUZZER: PeerFuzzer<Piece, Scope> = {
  name: "http1",
  scheme: "http",
  absent: (url) => `No HTTP/1.1 server at ${url}`,
  meet,
  sequence: (rng, _, scope) => sequence(rng, scope),
  requestsIn: (pieces) => expected(pieces).methods.length,
  judge: (url, pieces, scope) => judge(url, pieces, scope),
  confirm: (url, pieces, scope) => judge(url, pieces, scope, MORE_PATIENCE),
  shrink: shrunk,
  shape: shapeOf,
  replay: async (url, pieces) => {
    const scope = await meet(url);
    return scope === undefined ? "absent" : judge(url, pieces, scope);
  },
};

/** Sends generated sequences of requests to a server. */
export const fuzzPeer = (text: string, options: NetworkOptions): Promise<NetworkReport<Piece>> => searchPeer(FUZZER, text, options);

/** `touchstone fuzz http1 URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(FUZZER, text, options);
