import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import { loopback } from "../http2/network.ts";
import { shrinkListAsync } from "../lib/shrink.ts";
import { octets, sequence, type Piece } from "./grammar.ts";
import { expected } from "./oracle.ts";
import { talk } from "./talk.ts";

/** A rule that a peer was seen to break, and the shortest sequence found that shows it. */
export type Finding = { readonly kind: string; readonly says: string; readonly spec: string; readonly pieces: readonly Piece[] };
export type NetworkReport = {
  readonly url: string;
  readonly seed: number;
  readonly sequences: number;
  readonly findings: readonly Finding[];
  readonly unreachable?: true;
};
export type NetworkOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly sequences?: number;
  /** The longest silence that is waited for. */
  readonly limitMs?: number;
  readonly progress?: (sequences: number, findings: number) => void;
};

const LIMIT_MS = 2_000;
/** One example of a kind is enough. */
const MOST_FINDINGS = 20;
/** Close codes by which a peer says that a rule was broken; others are its own business. */
const BLAMING: ReadonlySet<number> = new Set([1002, 1007]);

/** What is wrong with how the peer took this sequence; undefined when nothing is. */
export async function judge(url: URL, pieces: readonly Piece[], limitMs = LIMIT_MS): Promise<Omit<Finding, "pieces"> | undefined> {
  const should = expected(pieces);
  const did = await talk(url, octets(pieces), limitMs);
  if (did.broken !== undefined) return { kind: `broken ${did.broken.says}`, says: `sent ${did.broken.says}`, spec: did.broken.spec };
  if (did.is === "unreachable" || did.is === "declined" || did.is === "silent") {
    const after = await talk(url, new Uint8Array(), limitMs);
    if (after.is !== "answered") return { kind: "gone", says: "no longer answers a ping on a new connection", spec: "rfc6455#7.2.1" };
  }
  if (did.is === "silent") {
    if (should.is === "parted") return { kind: "unparted", says: "left a Close frame unanswered, and stays silent", spec: "rfc6455#5.5.1" };
    if (should.is !== "unsure")
      return { kind: "silent", says: "neither answered the ping nor refused anything, and stays silent", spec: "rfc6455#5.5.2" };
  }
  if (should.is === "refused" && did.is === "answered") {
    return {
      kind: `accepted ${should.fault.name}`,
      says: `went on after ${pieces[should.at]?.words ?? "?"} (${should.fault.name})`,
      spec: should.fault.spec,
    };
  }
  if (should.is === "parted" && did.is === "answered")
    return { kind: "went on", says: "answered a ping behind a Close frame", spec: "rfc6455#5.5.1" };
  if (should.is === "fine" && did.code !== undefined && BLAMING.has(did.code))
    return { kind: `refused ${did.code}`, says: `closed with ${did.code} although every frame is legal`, spec: "rfc6455#7.4.1" };
  return undefined;
}

/** Sends sequences until the time or the number is over; each kind of finding is shrunk and kept once. */
export async function fuzzPeer(text: string, options: NetworkOptions): Promise<NetworkReport> {
  const url = loopback(text);
  const { limitMs = LIMIT_MS } = options;
  const rng = seeded(options.seed);
  const findings = new Map<string, Finding>();
  const until = performance.now() + options.seconds * 1_000;
  let sequences = 0;
  const first = await talk(url, new Uint8Array(), limitMs);
  if (first.is !== "answered") return { url: text, seed: options.seed, sequences, findings: [], unreachable: true };
  while (performance.now() < until && sequences < (options.sequences ?? Number.POSITIVE_INFINITY) && findings.size < MOST_FINDINGS) {
    const pieces = sequence(rng, "server");
    sequences++;
    const found = await judge(url, pieces, limitMs);
    if (found !== undefined && !findings.has(found.kind)) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, limitMs))?.kind === found.kind;
      // A peer that is gone cannot be asked again.
      const small = found.kind === "gone" ? pieces : await shrinkListAsync(pieces, same);
      findings.set(found.kind, { ...found, ...(await judge(url, small, limitMs)), pieces: small });
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.size);
  }
  return { url: text, seed: options.seed, sequences, findings: [...findings.values()] };
}

/** `touchstone fuzz websocket URL`: prints findings, writes each as a file that replays. Returns the exit status. */
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
    console.error(
      `No WebSocket opens at ${text}, or it answers no ping: start the server, and use ws:// for clear text or wss:// for TLS.`,
    );
    return 3;
  }
  if (!options.json) {
    const found = report.findings.length === 0 ? "nothing found" : `${report.findings.length} rules broken`;
    console.log(`${report.sequences} sequences sent (seed ${report.seed}), ${found}`);
    for (const finding of report.findings) tell(text, finding);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function tell(text: string, finding: Finding): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `websocket-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.spec}: ${finding.says}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz websocket ${text} --replay ${file}`);
}

async function replay(text: string, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as Finding;
  const found = await judge(loopback(text), pieces);
  console.log(found === undefined ? "Nothing is wrong any more." : `${found.spec}: ${found.says}`);
  return found === undefined ? 0 : 1;
}
