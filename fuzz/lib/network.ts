import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import type { Rng } from "./mutate.ts";
import { shrinkListAsync } from "./shrink.ts";

/** An element of a generated sequence, such as a frame or a line, with its description. */
export type Described = { readonly words: string };
/** A rule that the peer broke. Each kind is reported once. */
export type Breach = { readonly kind: string; readonly says: string; readonly spec: string };
/** A breach with the shortest sequence found that shows it. */
export type Finding<Piece extends Described> = Breach & { readonly pieces: readonly Piece[] };
export type NetworkReport<Piece extends Described> = {
  readonly url: string;
  readonly seed: number;
  readonly sequences: number;
  /** The number of requests sent, if a sequence contains several. */
  readonly requests?: number;
  readonly findings: readonly Finding<Piece>[];
  readonly unreachable?: true;
};
export type NetworkOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly sequences?: number;
  readonly progress?: (sequences: number, findings: number) => void;
};
export type CommandOptions = { readonly seed: number; readonly seconds: number; readonly json: boolean; readonly replay?: string };

/** The part of a network fuzzer that differs between protocols: probing a peer, generating a sequence, judging the reaction. */
export type PeerFuzzer<Piece extends Described, Met> = {
  /** The suite name on the command line. */
  readonly name: string;
  /** The URL scheme of clear text; with an `s` appended, of TLS. */
  readonly scheme: string;
  /** The message if no peer answers at the URL. */
  readonly absent: (url: string) => string;
  /** Learns what the generator must know about the peer; undefined if the peer does not speak the protocol. */
  readonly meet: (url: URL) => Promise<Met | undefined>;
  readonly sequence: (rng: Rng, url: URL, met: Met) => Piece[];
  readonly requestsIn?: (pieces: readonly Piece[]) => number;
  readonly judge: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Breach | undefined>;
  /** Judges again with longer time-outs, so that a peer that was busy for a moment is not accused. */
  readonly confirm?: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Breach | undefined>;
  /** A better order for leaving pieces out than the default. */
  readonly shrink?: (pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>) => Promise<Piece[]>;
  /** Judges a sequence from another run. */
  readonly replay: (url: URL, pieces: readonly Piece[]) => Promise<Breach | "absent" | undefined>;
};

/** The search stops after this many kinds of findings. */
const MOST_FINDINGS = 20;

/** Parses a URL, and throws unless its host is a loopback address. */
export function loopback(text: string): URL {
  const url = new URL(text);
  if (!/^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(url.hostname))
    throw new Error(`${url.hostname} is not a loopback address: only servers on this machine are fuzzed.`);
  return url;
}

/** Sends sequences until the time or their number runs out. Shrinks and keeps one finding of each kind. */
export async function searchPeer<Piece extends Described, Met>(
  fuzzer: PeerFuzzer<Piece, Met>,
  text: string,
  options: NetworkOptions,
): Promise<NetworkReport<Piece>> {
  const { judge, confirm, shrink = shrinkListAsync, requestsIn } = fuzzer;
  const url = loopback(text);
  const rng = seeded(options.seed);
  const findings = new Map<string, Finding<Piece>>();
  const until = performance.now() + options.seconds * 1_000;
  let [sequences, requests] = [0, 0];
  const report = (more: Pick<NetworkReport<Piece>, "findings" | "unreachable">): NetworkReport<Piece> => ({
    url: text,
    seed: options.seed,
    sequences,
    ...(requestsIn === undefined ? {} : { requests }),
    ...more,
  });
  const met = await fuzzer.meet(url);
  if (met === undefined) return report({ findings: [], unreachable: true });
  while (performance.now() < until && sequences < (options.sequences ?? Number.POSITIVE_INFINITY) && findings.size < MOST_FINDINGS) {
    const pieces = fuzzer.sequence(rng, url, met);
    sequences++;
    requests += requestsIn?.(pieces) ?? 0;
    const found = await judge(url, pieces, met);
    const isConfirmed = async ({ kind }: Breach): Promise<boolean> =>
      kind === "gone" || confirm === undefined || (await confirm(url, pieces, met))?.kind === kind;
    if (found !== undefined && !findings.has(found.kind) && (await isConfirmed(found))) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, met))?.kind === found.kind;
      // A peer that is gone cannot be judged again.
      const small = found.kind === "gone" ? pieces : await shrink(pieces, same);
      findings.set(found.kind, { ...found, ...(await judge(url, small, met)), pieces: small });
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.size);
  }
  return report({ findings: [...findings.values()] });
}

/** `touchstone fuzz <protocol> URL`: prints findings and writes each to a file for `--replay`. Returns the exit status. */
export async function overNetwork<Piece extends Described, Met>(
  fuzzer: PeerFuzzer<Piece, Met>,
  text: string,
  options: CommandOptions,
): Promise<number> {
  if (options.replay !== undefined) return replay(fuzzer, text, options.replay);
  const report = await searchPeer(fuzzer, text, {
    ...options,
    progress: (sequences, findings) => {
      if (process.stderr.isTTY && sequences % 50 === 0) process.stderr.write(`\r\u001B[K${sequences} sequences, ${findings} findings`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  if (options.json) console.log(JSON.stringify(report));
  if (report.unreachable === true) {
    const { absent, scheme } = fuzzer;
    console.error(`${absent(text)}: start the server, and use ${scheme}:// for clear text or ${scheme}s:// for TLS.`);
    return 3;
  }
  if (!options.json) {
    const broken = report.findings.length;
    const found = broken === 0 ? "no rule broken" : broken === 1 ? "1 rule broken" : `${broken} rules broken`;
    const requests = report.requests === undefined ? "" : ` with ${report.requests} requests`;
    console.log(`sent ${report.sequences} sequences${requests} (seed ${report.seed}): ${found}`);
    for (const finding of report.findings) printFinding(fuzzer.name, text, finding);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function printFinding(protocol: string, text: string, finding: Finding<Described>): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${protocol}-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.spec}: ${finding.says}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz ${protocol} ${text} --replay ${file}`);
}

async function replay<Piece extends Described, Met>(fuzzer: PeerFuzzer<Piece, Met>, text: string, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as Finding<Piece>;
  const found = await fuzzer.replay(loopback(text), pieces);
  if (found === "absent") {
    console.error(`${fuzzer.absent(text)}.`);
    return 3;
  }
  console.log(found === undefined ? "The finding no longer occurs." : `${found.spec}: ${found.says}`);
  return found === undefined ? 0 : 1;
}
