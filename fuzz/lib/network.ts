import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import type { Rng } from "./mutate.ts";
import { shrinkListAsync } from "./shrink.ts";

/** What a grammar makes sequences of: a frame, a line. */
export type Spoken = { readonly words: string };
/** A rule that a peer was seen to break: the same kind is told once. */
export type Told = { readonly kind: string; readonly says: string; readonly spec: string };
/** The same with the shortest sequence found that shows it. */
export type Finding<Piece extends Spoken> = Told & { readonly pieces: readonly Piece[] };
export type NetworkReport<Piece extends Spoken> = {
  readonly url: string;
  readonly seed: number;
  readonly sequences: number;
  /** How many requests they were, where a sequence has a number of them. */
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

/** What one protocol brings: how a peer is met, what it is sent, and what is wrong with how it takes that. */
export type PeerFuzzer<Piece extends Spoken, Met> = {
  /** As the command has it. */
  readonly name: string;
  /** The scheme of clear text; an `s` behind it is TLS. */
  readonly scheme: string;
  /** What is said where nobody can be met. */
  readonly absent: (url: string) => string;
  /** What has to be known of a peer before; undefined where it does not speak the protocol. */
  readonly meet: (url: URL) => Promise<Met | undefined>;
  readonly sequence: (rng: Rng, url: URL, met: Met) => Piece[];
  readonly requestsIn?: (pieces: readonly Piece[]) => number;
  readonly judge: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Told | undefined>;
  /** The same with more patience, where a peer that was busy for a moment could be accused. */
  readonly confirm?: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Told | undefined>;
  /** Where the grammar knows better what to leave out first. */
  readonly shrink?: (pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>) => Promise<Piece[]>;
  /** Judges a sequence of another run. */
  readonly replay: (url: URL, pieces: readonly Piece[]) => Promise<Told | "absent" | undefined>;
};

/** One example of a kind is enough. */
const MOST_FINDINGS = 20;

/** Loads go to this machine only. */
export function loopback(text: string): URL {
  const url = new URL(text);
  if (!/^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(url.hostname))
    throw new Error(`${url.hostname} is not a loopback address: only servers on this machine are fuzzed.`);
  return url;
}

/** Sends sequences until the time or the number is over; each kind of finding is shrunk and kept once. */
export async function searchPeer<Piece extends Spoken, Met>(
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
    const isConfirmed = async ({ kind }: Told): Promise<boolean> =>
      kind === "gone" || confirm === undefined || (await confirm(url, pieces, met))?.kind === kind;
    if (found !== undefined && !findings.has(found.kind) && (await isConfirmed(found))) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, met))?.kind === found.kind;
      // A peer that is gone cannot be asked again.
      const small = found.kind === "gone" ? pieces : await shrink(pieces, same);
      findings.set(found.kind, { ...found, ...(await judge(url, small, met)), pieces: small });
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.size);
  }
  return report({ findings: [...findings.values()] });
}

/** `touchstone fuzz <protocol> URL`: prints findings, writes each as a file that replays. Returns the exit status. */
export async function overNetwork<Piece extends Spoken, Met>(
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
    const found = report.findings.length === 0 ? "nothing found" : `${report.findings.length} rules broken`;
    const requests = report.requests === undefined ? "" : ` of ${report.requests} requests`;
    console.log(`${report.sequences} sequences${requests} sent (seed ${report.seed}), ${found}`);
    for (const finding of report.findings) tell(fuzzer.name, text, finding);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function tell(protocol: string, text: string, finding: Finding<Spoken>): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${protocol}-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.spec}: ${finding.says}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz ${protocol} ${text} --replay ${file}`);
}

async function replay<Piece extends Spoken, Met>(fuzzer: PeerFuzzer<Piece, Met>, text: string, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as Finding<Piece>;
  const found = await fuzzer.replay(loopback(text), pieces);
  if (found === "absent") {
    console.error(`${fuzzer.absent(text)}.`);
    return 3;
  }
  console.log(found === undefined ? "Nothing is wrong any more." : `${found.spec}: ${found.says}`);
  return found === undefined ? 0 : 1;
}
