import { addressForLoad } from "../../consent.ts";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../reference/core/index.ts";
import type { Rng } from "./mutate.ts";
import { Causes } from "./causes.ts";
import { ruleAt, type Rule } from "./rules.ts";
import { shrinkListAsync } from "./shrink.ts";

/** An element of a generated sequence, such as a frame or a line, with its description. */
export type Described = { readonly words: string };
/** What a peer did that it should not have done, and the requirement (or the section) that this is about. */
export type Breach = {
  readonly kind: string;
  readonly says: string;
  readonly rule: Rule["ref"];
  /** The rule binds the other side, which is us: the peer only did not enforce it. */
  readonly inferred?: boolean;
  /** Several causes may show as this kind, each in another piece of the sequence. */
  readonly perPiece?: boolean;
};
/**
 * How a finding weighs: `broken` if a MUST binds the peer; `suspect` if the specification permits it, or only discourages it; `gone` if the
 * peer no longer answers anybody.
 */
export type Weight = "broken" | "suspect" | "gone";
/** A breach with its rule and the shortest sequence found that shows it. There is one for each cause. */
export type Finding<Piece extends Described> = Pick<Breach, "kind" | "says"> & {
  readonly weight: Weight;
  readonly rule: Rule;
  readonly pieces: readonly Piece[];
};
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
  readonly credentials?: Credentials;
  /** The user operates the peer, which may then be another machine. */
  readonly consents?: boolean;
};
export type CommandOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly json: boolean;
  readonly replay?: string;
  readonly credentials?: Credentials;
  readonly consents?: boolean;
};

/** The part of a network fuzzer that differs between protocols: probing a peer, generating a sequence, judging the reaction. */
export type PeerFuzzer<Piece extends Described, Met> = {
  /** The suite name on the command line. */
  readonly name: string;
  /** The URL scheme of clear text; with an `s` appended, of TLS. */
  readonly scheme: string;
  /** What to do if no peer answers, where clear text or TLS is not the choice. */
  readonly hint?: string;
  /** The message if no peer answers at the URL. */
  readonly absent: (url: string) => string;
  /** Learns what the generator must know about the peer; undefined if the peer does not speak the protocol. */
  readonly meet: (url: URL) => Promise<Met | undefined>;
  readonly sequence: (rng: Rng, url: URL, met: Met) => Piece[];
  readonly requestsIn?: (pieces: readonly Piece[]) => number;
  readonly judge: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Breach | undefined>;
  /** Judges again with longer time-outs, so that a peer that was busy for a moment is not accused. */
  readonly confirm?: (url: URL, pieces: readonly Piece[], met: Met) => Promise<Breach | undefined>;
  /** What pieces have in common that may be the cause of the same breach; their words without numbers by default. */
  readonly shape?: (piece: Piece) => string;
  /** A better order for leaving pieces out than the default. */
  readonly shrink?: (pieces: readonly Piece[], same: (candidate: Piece[]) => Promise<boolean>) => Promise<Piece[]>;
  /** Judges a sequence from another run. */
  readonly replay: (url: URL, pieces: readonly Piece[]) => Promise<Breach | "absent" | undefined>;
};

/** The search stops after this many findings. */
const MOST_FINDINGS = 20;

/** Our certificate with its key, for a peer that requires one, in PEM. */
export type Credentials = { readonly cert?: string; readonly key?: string };

/** The address of a peer, with our credentials. */
class PeerUrl extends URL {
  readonly credentials: Credentials;

  constructor(text: string, credentials: Credentials) {
    super(text);
    this.credentials = credentials;
  }
}

/** The options of TLS for a peer, whose own certificate is not verified. */
export const securedFor = (url: URL): Credentials & { readonly rejectUnauthorized: false } => ({
  ...(url instanceof PeerUrl ? url.credentials : {}),
  rejectUnauthorized: false,
});

/** The address of a peer; throws if it is not this machine and the user has not consented. */
export const peerAt = (text: string, { credentials = {}, consents = false }: Pick<NetworkOptions, "credentials" | "consents">): URL =>
  new PeerUrl(addressForLoad(text, "fuzz sends what a peer may not survive", consents).href, credentials);

function finding<Piece extends Described>({ rule: ref, inferred = false, kind, says }: Breach, pieces: readonly Piece[]): Finding<Piece> {
  const rule = ruleAt(ref);
  return { kind, says, weight: kind === "gone" ? "gone" : rule.binds && !inferred ? "broken" : "suspect", rule, pieces };
}

/** Sends sequences until the time or their number runs out. Shrinks and keeps one finding for each cause. */
export async function searchPeer<Piece extends Described, Met>(
  fuzzer: PeerFuzzer<Piece, Met>,
  text: string,
  options: NetworkOptions,
): Promise<NetworkReport<Piece>> {
  const { judge, confirm, shrink = shrinkListAsync, requestsIn } = fuzzer;
  const url = peerAt(text, options);
  const rng = seeded(options.seed);
  let findings: readonly Finding<Piece>[] = [];
  const causes = new Causes<Piece>(fuzzer.shape);
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
  /** The sequence that shows a new cause; undefined if the causes known so far explain it, or if it does not happen again. */
  const unexplained = async ({ kind }: Breach, pieces: readonly Piece[]): Promise<readonly Piece[] | undefined> => {
    if (kind === "gone") return pieces;
    const rest = causes.without(kind, pieces);
    if (rest.length < pieces.length && (rest.length === 0 || (await judge(url, rest, met))?.kind !== kind)) return undefined;
    return confirm === undefined || (await confirm(url, rest, met))?.kind === kind ? rest : undefined;
  };
  while (performance.now() < until && sequences < (options.sequences ?? Number.POSITIVE_INFINITY) && findings.length < MOST_FINDINGS) {
    const pieces = fuzzer.sequence(rng, url, met);
    sequences++;
    requests += requestsIn?.(pieces) ?? 0;
    const found = await judge(url, pieces, met);
    if (found === undefined) causes.clear(pieces);
    const start = found === undefined ? undefined : await unexplained(found, pieces);
    if (found !== undefined && start !== undefined) {
      const same = async (candidate: Piece[]): Promise<boolean> => (await judge(url, candidate, met))?.kind === found.kind;
      // A peer that is gone cannot be judged again.
      const small = found.kind === "gone" ? start : await shrink(start, same);
      const again = found.kind === "gone" ? undefined : await judge(url, small, met);
      causes.add(found, small);
      findings = causes.distinct([...findings, finding({ ...found, ...again, kind: found.kind }, small)]);
      if (found.kind === "gone") break;
    }
    options.progress?.(sequences, findings.length);
  }
  return report({ findings: causes.distinct(findings) });
}

/** `touchstone fuzz <protocol> URL`: prints findings and writes each to a file for `--replay`. Returns the exit status. */
export async function overNetwork<Piece extends Described, Met>(
  fuzzer: PeerFuzzer<Piece, Met>,
  text: string,
  options: CommandOptions,
): Promise<number> {
  if (options.replay !== undefined) return replay(fuzzer, peerAt(text, options), options.replay);
  const report = await searchPeer(fuzzer, text, {
    ...options,
    progress: (sequences, findings) => {
      if (process.stderr.isTTY && sequences % 50 === 0) process.stderr.write(`\r\u001B[K${sequences} sequences, ${findings} findings`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  if (options.json) console.log(JSON.stringify(report));
  if (report.unreachable === true) {
    const { absent, scheme, hint = `start the server, and use ${scheme}:// for clear text or ${scheme}s:// for TLS.` } = fuzzer;
    console.error(`${absent(text)}: ${hint}`);
    return 3;
  }
  if (!options.json) {
    const requests = report.requests === undefined ? "" : ` with ${report.requests} requests`;
    console.log(`sent ${report.sequences} sequences${requests} (seed ${report.seed}): ${counted(report.findings)}`);
    // What is certain first.
    for (const weight of ["gone", "broken", "suspect"] as const)
      for (const [at, one] of report.findings.entries()) if (one.weight === weight) printFinding(fuzzer.name, text, one, at + 1);
  }
  return report.findings.some(({ weight }) => weight !== "suspect") ? 1 : 0;
}

/** "1 rule broken, 2 suspect". */
function counted(findings: readonly Finding<Described>[]): string {
  const count = (weight: Weight): number => findings.filter((one) => one.weight === weight).length;
  const broken = count("broken");
  const parts = [broken === 0 ? "no rule broken" : broken === 1 ? "1 rule broken" : `${broken} rules broken`];
  if (count("suspect") > 0) parts.push(`${count("suspect")} suspect`);
  if (count("gone") > 0) parts.push("the peer is gone");
  return parts.join(", ");
}

function printFinding(protocol: string, text: string, finding: Finding<Described>, number: number): void {
  const folder = "touchstone-fuzz";
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${protocol}-${finding.kind.replaceAll(/\W+/g, "-").slice(0, 60)}-${number}.json`);
  writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
  console.log(`\n${finding.weight}: ${finding.says}`);
  console.log(`  ${ruleWords(finding.rule)}`);
  for (const piece of finding.pieces) console.log(`  ${piece.words}`);
  console.log(`  reproduce: touchstone fuzz ${protocol} ${text} --replay ${file}`);
}

const ruleWords = ({ ref, level, subject = "", text }: Rule): string =>
  `${ref}${level === "none" ? "" : ` (${level}, ${subject})`}: ${text}`;

async function replay<Piece extends Described, Met>(fuzzer: PeerFuzzer<Piece, Met>, url: URL, file: string): Promise<number> {
  const { pieces } = JSON.parse(readFileSync(file, "utf8")) as { readonly pieces: readonly Piece[] };
  const found = await fuzzer.replay(url, pieces);
  if (found === "absent") {
    console.error(`${fuzzer.absent(url.href)}.`);
    return 3;
  }
  if (found === undefined) {
    console.log("The finding no longer occurs.");
    return 0;
  }
  const { weight, says, rule } = finding(found, pieces);
  console.log(`${weight}: ${says}\n  ${ruleWords(rule)}`);
  return weight === "suspect" ? 0 : 1;
}
