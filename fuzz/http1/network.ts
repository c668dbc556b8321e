import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import { loopback } from "../http2/network.ts";
import { shrinkListAsync } from "../lib/shrink.ts";
import { fence, octetsOf, sequence, textOf, type Asked, type Piece } from "./grammar.ts";
import { expected, type Expected } from "./oracle.ts";
import { answersIn, talk, type Answer, type Patience } from "./talk.ts";

/** A rule that a peer was seen to break, and the shortest sequence found that shows it. */
export type Finding = { readonly kind: string; readonly says: string; readonly spec: string; readonly pieces: readonly Piece[] };
export type NetworkReport = {
  readonly url: string;
  readonly seed: number;
  readonly sequences: number;
  readonly requests: number;
  readonly findings: readonly Finding[];
  readonly unreachable?: true;
};
export type NetworkOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly sequences?: number;
  readonly progress?: (sequences: number, findings: number) => void;
};
type Told = Omit<Finding, "pieces">;

const PATIENCE: Patience = { quietMs: 120, limitMs: 2_000 };
/** For what is asked again, so that a peer that was busy for a moment is not accused. */
const MORE_PATIENCE: Patience = { quietMs: 700, limitMs: 4_000 };
/** One example of a kind is enough. */
const MOST_FINDINGS = 20;
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

/** Sends sequences until the time or the number is over; each kind of finding is shrunk and kept once. */
export async function fuzzPeer(text: string, options: NetworkOptions): Promise<NetworkReport> {
  const url = loopback(text);
  const rng = seeded(options.seed);
  const findings = new Map<string, Finding>();
  const until = performance.now() + options.seconds * 1_000;
  let [sequences, requests] = [0, 0];
  const asked = await meet(url);
  if (asked === undefined) return { url: text, seed: options.seed, sequences, requests, findings: [], unreachable: true };
  while (performance.now() < until && sequences < (options.sequences ?? Number.POSITIVE_INFINITY) && findings.size < MOST_FINDINGS) {
    const pieces = sequence(rng, asked);
    sequences++;
    requests += expected(pieces).methods.length;
    const found = await judge(url, pieces, asked);
    const isConfirmed = async ({ kind }: Told): Promise<boolean> =>
      kind === "gone" || (await judge(url, pieces, asked, MORE_PATIENCE))?.kind === kind;
    if (found !== undefined && !findings.has(found.kind) && (await isConfirmed(found))) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, asked))?.kind === found.kind;
      // A peer that is gone cannot be asked again.
      const small = found.kind === "gone" ? pieces : await shrunk(pieces, same);
      findings.set(found.kind, { ...found, ...(await judge(url, small, asked)), pieces: small });
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.size);
  }
  return { url: text, seed: options.seed, sequences, requests, findings: [...findings.values()] };
}

/** Whole requests are left out first, then lines and chunks of those that are left. */
async function shrunk(pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>): Promise<Piece[]> {
  const requests = [...Map.groupBy(pieces, ({ of }) => of).values()];
  const fewer = await shrinkListAsync(requests, (candidate) => same(candidate.flat()));
  return shrinkListAsync(await shrinkListAsync(fewer.flat(), same), same);
}

/** `touchstone fuzz http1 URL`: prints findings, writes each as a file that replays. Returns the exit status. */
export async function fuzzOverNetwork(
  text: string,
  options: { seed: number; seconds: number; json: boolean; replay?: string },
): Promise<number> {
  if (options.replay !== undefined) return replay(text, options.replay);
  const report = await fuzzPeer(text, {
    ...options,
    progress: (sequences, findings) => {
      if (process.stderr.isTTY && sequences % 50 === 0) process.stderr.write(`\r\u001B[K${sequences} sequences, ${findings} findings`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  if (options.json) console.log(JSON.stringify(report));
  if (report.unreachable === true) {
    console.error(`Nothing speaks HTTP/1.1 at ${text}: start the server, and use http:// for clear text or https:// for TLS.`);
    return 3;
  }
  if (!options.json) {
    const found = report.findings.length === 0 ? "nothing found" : `${report.findings.length} rules broken`;
    console.log(`${report.sequences} sequences of ${report.requests} requests sent (seed ${report.seed}), ${found}`);
    for (const finding of report.findings) tell(text, finding);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function tell(text: string, finding: Finding): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `http1-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.spec}: ${finding.says}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz http1 ${text} --replay ${file}`);
}

async function replay(text: string, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as Finding;
  const url = loopback(text);
  const asked = await meet(url);
  if (asked === undefined) {
    console.error(`Nothing speaks HTTP/1.1 at ${text}.`);
    return 3;
  }
  const found = await judge(url, pieces, asked);
  console.log(found === undefined ? "Nothing is wrong any more." : `${found.spec}: ${found.says}`);
  return found === undefined ? 0 : 1;
}
