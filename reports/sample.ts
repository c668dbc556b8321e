import type { DiffResult } from "../conformance/diff/result.ts";
import type { BenchResult } from "../bench/lib/result.ts";
import type { CaseResult, CoverageEntry, Result, TranscriptLine, Verdict } from "../conformance/harness/result.ts";
import { seeded, type SpecRef } from "../reference/core/index.ts";
import { STATES } from "./coverage.ts";
import { NONE } from "./order.ts";
import { SECTIONS } from "./sample-rules.ts";

/** Results that look real, for the tests of the writers; nothing here was measured. */

const REASONS: Readonly<Record<Verdict, string>> = {
  pass: "The strict outcome was seen, and the control was accepted.",
  warn: "The connection was dropped without the error that it could have named (RFC 9113 §5.4.1).",
  fail: "The subject answered the fence, so it had accepted what it must refuse.",
  unproved:
    "It did not accept the same exchange without the mistake (RST_STREAM stream 1 REFUSED_STREAM), so nothing is proved by how it treats the mistake.",
  skip: "The subject announced SETTINGS_ENABLE_CONNECT_PROTOCOL 0.",
  error: "The connection was refused (ECONNREFUSED) three times.",
};

export type SampleOptions = {
  readonly seed?: number;
  readonly cases?: number;
  readonly name?: string;
  readonly version?: string;
  readonly role?: Result["subject"]["role"];
  readonly suite?: string;
  /** The shares of the verdicts other than pass. */
  readonly shares?: Partial<Record<Verdict, number>>;
  /** Text of a hostile subject, inserted wherever text of a subject appears. */
  readonly hostile?: string;
};

/** A result with this many cases; deterministic for a seed. */
export function sampleResult(options: SampleOptions = {}): Result {
  const { seed = 7, cases: wanted = 60, name = "nghttpd", role = "server", suite = "http2", hostile } = options;
  const random = seeded(seed);
  const shares = { fail: 0.04, warn: 0.06, skip: 0.04, error: 0.01, ...options.shares };
  const cases = Array.from({ length: wanted }, (_, at) => sampleCase(at, { random, shares, role, suite, hostile }));
  const summary = { ...NONE };
  for (const c of cases) summary[c.verdict]++;
  return {
    subject: { name, role, target: "http://127.0.0.1:8080/", ...(options.version === undefined ? {} : { version: options.version }) },
    suite,
    tool: { name: "touchstone", version: "0.1.0" },
    startedAt: "2026-11-21T09:47:00.000Z",
    ms: 4210,
    summary,
    coverage: sampleCoverage(cases),
    titles: Object.fromEntries([["rfc9113", "HTTP/2"], ...SECTIONS.map(([section, title]) => [`rfc9113#${section}`, title])]) as Record<
      string,
      string
    >,
    cases,
  };
}

type Given = {
  readonly random: () => number;
  readonly shares: Partial<Record<Verdict, number>>;
  readonly role: Result["subject"]["role"];
  readonly suite: string;
  readonly hostile: string | undefined;
};

function sampleCase(at: number, { random, shares, role, suite, hostile = "" }: Given): CaseResult {
  const [section, , rules] = SECTIONS[at % SECTIONS.length]!;
  const round = Math.floor(at / SECTIONS.length);
  const [slug, level, text, expected, mistake, twin] = rules[round % rules.length]!;
  const verdict = draw(random(), shares);
  const spec: SpecRef = `rfc9113#${section}`;
  return {
    id: `${suite}/${slug}${round < rules.length ? "" : `-${Math.floor(round / rules.length) + 1}`}`,
    spec,
    level,
    role,
    title: text,
    verdict,
    reason: REASONS[verdict] + hostile,
    expected: [expected, "the connection closed (RFC 9113 §5.4.1)"],
    observed: (verdict === "pass" ? expected : verdict === "warn" ? "the connection closed" : "PING ACK 746f756368737430") + hostile,
    covers: [`${spec}/${slug}`],
    ms: Math.round(random() * 40),
    transcript: sampleTranscript(mistake, verdict === "pass" ? expected : "PING ACK 746f756368737430", hostile),
    control: sampleTranscript(twin, "HEADERS stream 1 END_STREAM END_HEADERS :status 200", hostile),
  };
}

function draw(at: number, shares: Partial<Record<Verdict, number>>): Verdict {
  let sum = 0;
  for (const [verdict, share] of Object.entries(shares) as [Verdict, number][]) {
    sum += share;
    if (at < sum) return verdict;
  }
  return "pass";
}

function sampleTranscript(sent: string, came: string, hostile: string): TranscriptLine[] {
  return [
    { at: 0, way: "--", means: "connected to 127.0.0.1:8080" },
    {
      at: 0.2,
      way: "->",
      means: "preface, SETTINGS (empty)",
      hex: "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a000000040000000000",
      octets: 33,
    },
    { at: 0.9, way: "<-", means: "SETTINGS MAX_CONCURRENT_STREAMS 100", hex: "00000604000000000000030000" + "0064", octets: 15 },
    { at: 1, way: "->", means: "SETTINGS ACK", hex: "000000040100000000", octets: 9 },
    { at: 1.1, way: "<-", means: "SETTINGS ACK", hex: "000000040100000000", octets: 9 },
    {
      at: 1.4,
      way: "->",
      means: `HEADERS stream 1 END_HEADERS :method POST :scheme http :authority 127.0.0.1:8080 :path / user-agent touchstone`,
      hex: "82".repeat(96),
      octets: 1096,
    },
    { at: 1.5, way: "->", means: sent, hex: "000004080000000001" + "00000000", octets: 13 },
    { at: 1.6, way: "->", means: "PING 746f756368737430 (the fence)", hex: "000008060000000000746f756368737430", octets: 17 },
    { at: 2.3, way: "<-", means: came + hostile, hex: "000008060100000000746f756368737430", octets: 17 },
    { at: 2.4, way: "--", means: "the fence was answered" },
  ];
}

function sampleCoverage(cases: readonly CaseResult[]): CoverageEntry[] {
  return SECTIONS.flatMap(([section, , rules]) =>
    rules.flatMap(([slug, level, text]): CoverageEntry[] => {
      const requirement = `rfc9113#${section}/${slug}`;
      const about = cases.filter((c) => c.covers.includes(requirement));
      const state = STATES.find((one) => about.some(({ verdict }) => verdict === one)) ?? "unproved";
      return about.length === 0 ? [] : [{ requirement, level, text, state, cases: about.map((c) => c.id) }];
    }),
  );
}

/** A run of the benchmarks with three groups. */
export function sampleBench(): BenchResult {
  const row = (subject: string, median: number, userCpu?: number) => ({
    subject,
    median,
    spread: [median * 0.93, median * 1.08] as const,
    ...(userCpu === undefined ? {} : { userCpu }),
    samples: [median * 0.93, median * 0.99, median, median * 1.02, median * 1.08],
  });
  return {
    tool: { name: "touchstone", version: "0.1.0" },
    startedAt: "2026-11-21T10:12:00.000Z",
    machine: { cpu: "a CPU of two cores", cores: 2, node: "v26.1.0" },
    groups: [
      {
        id: "http2/server-cpu-per-request",
        title: "Server CPU a request",
        unit: "µs",
        better: "lower",
        note: "h2load, 10 connections, 32 streams each, a body of 13 octets; five runs, taking turns. The spread is the lowest and the highest run.",
        rows: [row("touchstone", 4.1, 2.6), row("node:http2", 10.8, 7.9), row("nginx", 14.1, 5.2), row("nghttpd", 2.2, 1.1)],
      },
      {
        id: "hpack/decode",
        title: "HPACK decoding",
        unit: "million fields/s",
        better: "higher",
        rows: [row("touchstone", 8.4), row("hpack", 2.7), row("hpack.js", 1.9)],
      },
      {
        id: "http2/memory-idle-connection",
        title: "Memory of an idle connection",
        unit: "KB",
        better: "lower",
        rows: [row("touchstone", 11.2), row("node:http2", 38.5)],
      },
    ],
  };
}

/** A difference between four implementations, one of them with a name that tries to break out of the page. */
export const sampleDiff = (hostile: string): DiffResult => ({
  tool: { name: "touchstone", version: "0.1.0" },
  startedAt: "2026-11-21T10:12:00.000Z",
  protocol: "http1",
  subjects: ["apache2 2.4.71", "haproxy 2.6.12-1+deb12u4", "nginx 1.22.1", hostile].map((name, at) => ({
    name,
    target: `http://127.0.0.1:${8080 + at}/echo`,
    echoes: at % 2 === 0,
  })),
  rows: Array.from({ length: 30 }, (_, at) => ({
    id: `te-and-length-${at}`,
    about: "Chunked and Content-Length: what follows the last chunk is content, or a request.",
    groups: [
      { words: "taken (5 octets), then went on", members: at % 3 === 0 ? [0, 1, 2, 3] : [0, 3], requests: 1 },
      ...(at % 3 === 0
        ? []
        : [
            { words: "refused 400, then ended", members: [1], requests: 0 },
            { words: "taken, taken, then went on", members: [2], requests: 2 },
          ]),
    ],
  })),
});
