import type { Link, Seen } from "./relay.ts";

/** The scenarios of the QUIC community's interoperability tests, with their network; the files are downloaded over HTTP/3. */

export type ScenarioName =
  | "handshake"
  | "transfer"
  | "chacha20"
  | "multiplexing"
  | "retry"
  | "resumption"
  | "zerortt"
  | "keyupdate"
  | "v2"
  | "http3"
  | "longrtt"
  | "blackhole"
  | "amplificationlimit"
  | "handshakeloss"
  | "handshakecorruption"
  | "transferloss"
  | "transfercorruption"
  | "rebindport"
  | "rebindaddress"
  | "goodput";

export type Run = {
  readonly handshakes: readonly Seen[];
  /** Datagrams of the server to an address of the client after the first. */
  readonly answersAfterRebinding: number;
};
export type Scenario = {
  readonly name: ScenarioName;
  /** What it shows, in a few words. */
  readonly title: string;
  /** Octets of each file. */
  readonly files: readonly number[];
  readonly link: Link;
  readonly seconds: number;
  /** Why the run does not count although all files came; undefined if it counts. */
  readonly wrong?: (run: Run) => string | undefined;
};

const KB = 1_000;
const MB = 1_000_000;
/** The path of that project: 15 ms one way, 10 Mbit/s, a queue of 25 datagrams. */
const PATH: Link = { delayMs: 15, mbps: 10, queue: 25 };
const CHACHA20 = 0x1303;
const V2 = 0x6b3343cf;
const once = ({ handshakes }: Run): string | undefined => (handshakes.length === 1 ? undefined : `${handshakes.length} connections`);
const all = (count: number, octets: number): readonly number[] => Array.from({ length: count }, () => octets);

/** A session that is resumed: two connections, of which the second has no certificate. */
function notResumed({ handshakes }: Run): string | undefined {
  const [first, second] = handshakes;
  if (handshakes.length !== 2) return `${handshakes.length} connections`;
  if (first?.hello?.isResumed !== false) return "the first handshake was not a full one";
  return second?.hello?.isResumed === true ? undefined : "the second handshake was a full one";
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "handshake",
    title: "a small file over one connection, without Retry",
    files: [KB],
    link: PATH,
    seconds: 20,
    wrong: (run) => once(run) ?? (run.handshakes[0]!.hasRetry ? "the server sent Retry" : undefined),
  },
  {
    name: "transfer",
    title: "three files at once, with small windows of the client",
    files: [MB, MB, MB],
    link: PATH,
    seconds: 30,
    wrong: once,
  },
  {
    name: "chacha20",
    title: "a client that offers ChaCha20 alone",
    files: [100 * KB],
    link: PATH,
    seconds: 20,
    wrong: ({ handshakes }) =>
      handshakes[0]?.hello?.suite === CHACHA20 ? undefined : `the suite was ${handshakes[0]?.hello?.suite.toString(16)}`,
  },
  { name: "multiplexing", title: "500 small files over one connection", files: all(500, 32), link: PATH, seconds: 30, wrong: once },
  {
    name: "retry",
    title: "the server sends Retry, and the client comes back with the token",
    files: [KB],
    link: PATH,
    seconds: 20,
    wrong: (run) => once(run) ?? (run.handshakes[0]!.hasRetry && run.handshakes[0]!.hasToken ? undefined : "there was no Retry"),
  },
  {
    name: "resumption",
    title: "the second connection resumes the first",
    files: [5 * KB, 5 * KB],
    link: PATH,
    seconds: 20,
    wrong: notResumed,
  },
  {
    name: "zerortt",
    title: "the request of the second connection leaves in 0-RTT packets, and is answered before the handshake is complete",
    files: [KB, 3 * KB],
    link: PATH,
    seconds: 20,
    wrong: (run) => {
      const [, second] = run.handshakes;
      const wrong = notResumed(run);
      if (wrong !== undefined) return wrong;
      if (second!.earlyOctets < 40) return "the client sent no 0-RTT packet";
      return second!.answeredEarly > KB ? undefined : "the server did not answer before the handshake was complete";
    },
  },
  { name: "keyupdate", title: "the client changes keys during the transfer", files: [2 * MB], link: PATH, seconds: 30, wrong: once },
  {
    name: "v2",
    title: "a client that begins in version 1 and offers 2, which the server chooses",
    files: [KB],
    link: PATH,
    seconds: 20,
    wrong: ({ handshakes: [first] }) =>
      first?.versions.has(1) === true && first.versions.has(V2)
        ? undefined
        : `versions ${[...(first?.versions ?? [])].map((version) => version.toString(16)).join(", ")}`,
  },
  { name: "http3", title: "files of different size at once", files: [5 * KB, 10 * KB, 500 * KB], link: PATH, seconds: 20, wrong: once },
  { name: "longrtt", title: "a round trip of 1.5 s", files: [KB], link: { ...PATH, delayMs: 750 }, seconds: 30 },
  {
    name: "blackhole",
    title: "nothing passes for 2 s, every 5 s",
    files: [8 * MB],
    link: { ...PATH, blackhole: { onMs: 5_000, offMs: 2_000 } },
    seconds: 60,
    wrong: once,
  },
  {
    name: "amplificationlimit",
    title: "the second to seventh datagram of the client are lost",
    files: [5 * KB],
    link: { ...PATH, drops: [2, 3, 4, 5, 6, 7] },
    seconds: 40,
  },
  {
    name: "handshakeloss",
    title: "10 connections, one after another, of which 30% of the datagrams are lost each way",
    files: all(10, KB),
    link: { ...PATH, loss: 0.3 },
    seconds: 180,
  },
  {
    name: "handshakecorruption",
    title: "the same with 30% of the datagrams damaged",
    files: all(10, KB),
    link: { ...PATH, corruption: 0.3 },
    seconds: 180,
  },
  {
    name: "transferloss",
    title: "2% of the datagrams are lost each way",
    files: [2 * MB],
    link: { ...PATH, loss: 0.02 },
    seconds: 60,
    wrong: once,
  },
  {
    name: "transfercorruption",
    title: "2% of the datagrams are damaged each way",
    files: [2 * MB],
    link: { ...PATH, corruption: 0.02 },
    seconds: 60,
    wrong: once,
  },
  {
    name: "rebindport",
    title: "the client appears at another port after a second",
    files: [4 * MB],
    link: { ...PATH, rebind: { what: "port", afterMs: 1_000, everyMs: 5_000 } },
    seconds: 60,
    wrong: (run) => once(run) ?? (run.answersAfterRebinding > 0 ? undefined : "the server did not answer at the other port"),
  },
  {
    name: "rebindaddress",
    title: "the client appears at another address after a second",
    files: [4 * MB],
    link: { ...PATH, rebind: { what: "address", afterMs: 1_000, everyMs: 5_000 } },
    seconds: 60,
    wrong: (run) => once(run) ?? (run.answersAfterRebinding > 0 ? undefined : "the server did not answer at the other address"),
  },
  { name: "goodput", title: "8 MB on an undisturbed path of 10 Mbit/s", files: [8 * MB], link: PATH, seconds: 60, wrong: once },
];
