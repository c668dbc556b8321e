import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import { shrinkListAsync } from "../lib/shrink.ts";
import { sequence, type Piece } from "./grammar.ts";
import { expected, type Announced } from "./oracle.ts";
import { talk, type Seen } from "./talk.ts";

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
  readonly progress?: (sequences: number, findings: number) => void;
};

const LIMIT_MS = 2_000;
/** One example of a kind is enough. */
const MOST_FINDINGS = 20;
/** Error codes by which a peer says that a rule was broken; others are its own business. */
const BLAMING: Readonly<Record<number, string>> = {
  1: "PROTOCOL_ERROR",
  3: "FLOW_CONTROL_ERROR",
  5: "STREAM_CLOSED",
  6: "FRAME_SIZE_ERROR",
  9: "COMPRESSION_ERROR",
};

const octetsOf = (pieces: readonly Piece[]): Buffer => Buffer.from(pieces.map((piece) => piece.hex).join(""), "hex");

/** Loads go to this machine only. */
export function loopback(text: string): URL {
  const url = new URL(text);
  if (!/^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(url.hostname))
    throw new Error(`${url.hostname} is not a loopback address: only servers on this machine are fuzzed.`);
  return url;
}

/** What is wrong with how the peer took this sequence; undefined when nothing is. */
export async function judge(url: URL, pieces: readonly Piece[], announced: Announced = {}): Promise<Omit<Finding, "pieces"> | undefined> {
  const should = expected(pieces, announced);
  const did = await talk(url, octetsOf(pieces), LIMIT_MS);
  if (did.broken !== undefined) return { kind: `broken ${did.broken}`, says: `sent ${did.broken}`, spec: "rfc9113#4.2" };
  if (did.is === "unreachable" || did.is === "silent" || did.is === "closed") {
    const after = await talk(url, new Uint8Array(), LIMIT_MS);
    if (after.is !== "answered") return { kind: "gone", says: "no longer answers a PING on a new connection", spec: "rfc9113#10.5" };
  }
  if (did.is === "silent")
    return { kind: "silent", says: "neither answered the PING nor refused anything, and stays silent", spec: "rfc9113#6.7" };
  if (should.is === "refused" && did.is === "answered") {
    return {
      kind: `accepted ${should.fault.name}`,
      says: `went on after ${pieces[should.at]?.words ?? "?"}, which is a connection error (${should.fault.name})`,
      spec: should.fault.spec,
    };
  }
  const blamed = did.code === undefined ? undefined : BLAMING[did.code];
  if (should.is === "fine" && blamed !== undefined)
    return { kind: `refused ${blamed}`, says: `ended the connection with ${blamed} although every frame is legal`, spec: "rfc9113#5.4.1" };
  return undefined;
}

function announcedBy({ settings }: Seen): Announced {
  const [table, window, frame] = [settings?.get(1), settings?.get(4), settings?.get(5)];
  return {
    ...(table === undefined ? {} : { headerTableSize: table }),
    ...(window === undefined ? {} : { initialWindowSize: window }),
    ...(frame === undefined ? {} : { maxFrameSize: frame }),
  };
}

/** Sends sequences until the time or the number is over; each kind of finding is shrunk and kept once. */
export async function fuzzPeer(text: string, options: NetworkOptions): Promise<NetworkReport> {
  const url = loopback(text);
  const rng = seeded(options.seed);
  const findings = new Map<string, Finding>();
  const until = performance.now() + options.seconds * 1_000;
  let sequences = 0;
  const first = await talk(url, new Uint8Array(), LIMIT_MS);
  if (first.is !== "answered") return { url: text, seed: options.seed, sequences, findings: [], unreachable: true };
  const announced = announcedBy(first);
  while (performance.now() < until && sequences < (options.sequences ?? Number.POSITIVE_INFINITY) && findings.size < MOST_FINDINGS) {
    const pieces = sequence(rng, url.host);
    sequences++;
    const found = await judge(url, pieces, announced);
    if (found !== undefined && !findings.has(found.kind)) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, announced))?.kind === found.kind;
      // A peer that is gone cannot be asked again.
      const small = found.kind === "gone" ? pieces : await shrinkListAsync(pieces, same);
      findings.set(found.kind, { ...found, ...(await judge(url, small, announced)), pieces: small });
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.size);
  }
  return { url: text, seed: options.seed, sequences, findings: [...findings.values()] };
}

/** `touchstone fuzz http2 URL`: prints findings, writes each as a file that replays. Returns the exit status. */
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
    console.error(`Nothing speaks HTTP/2 at ${text}: start the server, and use http:// for clear text or https:// for TLS.`);
    return 3;
  }
  if (!options.json) {
    console.log(
      `${report.sequences} sequences sent (seed ${report.seed}), ${report.findings.length === 0 ? "nothing found" : `${report.findings.length} rules broken`}`,
    );
    for (const finding of report.findings) tell(text, finding);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function tell(text: string, finding: Finding): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `http2-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.spec}: ${finding.says}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz http2 ${text} --replay ${file}`);
}

async function replay(text: string, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as Finding;
  const url = loopback(text);
  const found = await judge(url, pieces, announcedBy(await talk(url, new Uint8Array(), LIMIT_MS)));
  console.log(found === undefined ? "Nothing is wrong any more." : `${found.spec}: ${found.says}`);
  return found === undefined ? 0 : 1;
}
