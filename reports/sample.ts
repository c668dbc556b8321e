import type { BenchResult } from "../bench/lib/result.ts";
import type { CaseResult, CoverageEntry, Result, TranscriptLine, Verdict } from "../conformance/harness/result.ts";
import { seeded, type Level, type SpecRef } from "../reference/core/index.ts";

/** Results that look like real ones, for the tests of the writers: nothing here was measured. */

type Rule = readonly [slug: string, level: Level, text: string, expected: string, mistake: string, twin: string];
type Section = readonly [section: string, title: string, rules: readonly Rule[]];

const goaway = (code: string): string => `GOAWAY ${code}`;
const SECTIONS: readonly Section[] = [
  [
    "3.4",
    "HTTP/2 Connection Preface",
    [
      [
        "preface-wrong",
        "MUST",
        "A preface with other octets ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "preface PRI * HTTP/3.0",
        "preface PRI * HTTP/2.0",
      ],
      [
        "preface-in-single-octets",
        "MUST",
        "A preface that comes octet by octet is taken.",
        "SETTINGS ACK",
        "preface in 24 writes",
        "preface in one write",
      ],
    ],
  ],
  [
    "4.2",
    "Frame Size",
    [
      [
        "data-beyond-max-frame-size",
        "MUST",
        "A DATA frame longer than SETTINGS_MAX_FRAME_SIZE is answered with FRAME_SIZE_ERROR.",
        "RST_STREAM 1 FRAME_SIZE_ERROR",
        "DATA stream 1 16385 octets",
        "DATA stream 1 16384 octets",
      ],
      [
        "headers-beyond-max-frame-size",
        "MUST",
        "A HEADERS frame that is too long is a connection error, since it changes the field compression state.",
        goaway("FRAME_SIZE_ERROR"),
        "HEADERS stream 1 16385 octets",
        "HEADERS stream 1 16384 octets",
      ],
    ],
  ],
  [
    "5.1",
    "Stream States",
    [
      [
        "data-on-idle-stream",
        "MUST",
        "DATA on a stream that was never opened ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "DATA stream 5 END_STREAM",
        "DATA stream 1 END_STREAM",
      ],
      [
        "headers-on-closed-stream",
        "MUST",
        "HEADERS on a stream that both ends have closed ends the connection with STREAM_CLOSED.",
        goaway("STREAM_CLOSED"),
        "HEADERS stream 1 END_STREAM again",
        "HEADERS stream 3 END_STREAM",
      ],
      [
        "priority-in-every-state",
        "MUST",
        "PRIORITY is taken in every state of a stream.",
        "a response on stream 3",
        "PRIORITY stream 7",
        "PRIORITY stream 1",
      ],
    ],
  ],
  [
    "5.1.2",
    "Stream Concurrency",
    [
      [
        "streams-beyond-the-limit",
        "MUST",
        "A stream beyond the announced limit is refused with PROTOCOL_ERROR or REFUSED_STREAM.",
        "RST_STREAM REFUSED_STREAM",
        "101 HEADERS without END_STREAM",
        "100 HEADERS without END_STREAM",
      ],
    ],
  ],
  [
    "6.1",
    "DATA",
    [
      [
        "data-padding-too-long",
        "MUST",
        "Padding that fills the payload or more ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "DATA stream 1 PADDED pad length 9 of 5 octets",
        "DATA stream 1 PADDED pad length 4 of 5 octets",
      ],
      [
        "data-padding-counts",
        "MUST",
        "Padding counts against the window of the stream and of the connection.",
        "WINDOW_UPDATE stream 0",
        "DATA stream 1 PADDED 255",
        "DATA stream 1",
      ],
    ],
  ],
  [
    "6.4",
    "RST_STREAM",
    [
      [
        "rst-stream-on-idle",
        "MUST",
        "RST_STREAM on an idle stream ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "RST_STREAM stream 9 CANCEL",
        "RST_STREAM stream 1 CANCEL",
      ],
    ],
  ],
  [
    "6.5.2",
    "Defined Settings",
    [
      [
        "enable-push-two",
        "MUST",
        "SETTINGS_ENABLE_PUSH with a value other than 0 or 1 ends the connection.",
        goaway("PROTOCOL_ERROR"),
        "SETTINGS ENABLE_PUSH 2",
        "SETTINGS ENABLE_PUSH 0",
      ],
      [
        "initial-window-too-large",
        "MUST",
        "An initial window above 2^31-1 ends the connection with FLOW_CONTROL_ERROR.",
        goaway("FLOW_CONTROL_ERROR"),
        "SETTINGS INITIAL_WINDOW_SIZE 2147483648",
        "SETTINGS INITIAL_WINDOW_SIZE 2147483647",
      ],
    ],
  ],
  [
    "6.7",
    "PING",
    [
      [
        "ping-payload-returned",
        "MUST",
        "A PING is answered with the same eight octets.",
        "PING ACK 0102030405060708",
        "PING 0102030405060708",
        "PING 0000000000000000",
      ],
    ],
  ],
  [
    "6.9",
    "WINDOW_UPDATE",
    [
      [
        "window-update-zero-on-stream",
        "MUST",
        "An increment of 0 on a stream is a stream error of type PROTOCOL_ERROR.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "WINDOW_UPDATE stream 1 increment 0",
        "WINDOW_UPDATE stream 1 increment 1",
      ],
      [
        "window-update-three-octets",
        "MUST",
        "A WINDOW_UPDATE of a length other than 4 is a connection error of type FRAME_SIZE_ERROR.",
        goaway("FRAME_SIZE_ERROR"),
        "WINDOW_UPDATE stream 0 length 3",
        "WINDOW_UPDATE stream 0 increment 1",
      ],
      [
        "window-overflow",
        "MUST",
        "A window that grows past 2^31-1 is a FLOW_CONTROL_ERROR.",
        "RST_STREAM 1 FLOW_CONTROL_ERROR",
        "WINDOW_UPDATE stream 1 increment 2147483647",
        "WINDOW_UPDATE stream 1 increment 1",
      ],
    ],
  ],
  [
    "8.2.1",
    "Field Validity",
    [
      [
        "field-name-upper-case",
        "MUST",
        "A field name with an upper-case letter makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 X-Upper: 1",
        "HEADERS stream 1 x-lower: 1",
      ],
      [
        "field-value-nul",
        "MUST",
        "A NUL in a field value makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 x: a\\x00b",
        "HEADERS stream 1 x: ab",
      ],
    ],
  ],
  [
    "8.3.1",
    "Request Pseudo-Header Fields",
    [
      [
        "path-empty",
        "MUST",
        "An empty :path makes the request malformed.",
        "RST_STREAM 1 PROTOCOL_ERROR",
        "HEADERS stream 1 :path (empty)",
        "HEADERS stream 1 :path /",
      ],
    ],
  ],
  [
    "10.5",
    "Denial-of-Service Considerations",
    [
      [
        "refuses-many-empty-frames",
        "SHOULD",
        "A long run of empty frames is treated as suspicious.",
        goaway("ENHANCE_YOUR_CALM"),
        "10000 DATA stream 1 0 octets",
        "10 DATA stream 1 0 octets",
      ],
    ],
  ],
];

const REASONS: Readonly<Record<Verdict, string>> = {
  pass: "The strict outcome was seen, and the control was accepted.",
  warn: "The connection was dropped without the error that it could have named (RFC 9113 §5.4.1).",
  fail: "The subject answered the fence, so it had accepted what it must refuse.",
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
  /** How often a verdict is not a pass; the rest passes. */
  readonly shares?: Partial<Record<Verdict, number>>;
  /** Text that a hostile subject would send; it is put wherever a subject's words appear. */
  readonly hostile?: string;
};

/** A result with this many cases, the same for the same seed. */
export function sampleResult(options: SampleOptions = {}): Result {
  const { seed = 7, cases: wanted = 60, name = "nghttpd", role = "server", suite = "http2", hostile } = options;
  const random = seeded(seed);
  const shares = { fail: 0.04, warn: 0.06, skip: 0.04, error: 0.01, ...options.shares };
  const cases = Array.from({ length: wanted }, (_, at) => sampleCase(at, { random, shares, role, suite, hostile }));
  const summary = { pass: 0, warn: 0, fail: 0, skip: 0, error: 0 };
  for (const c of cases) summary[c.verdict]++;
  return {
    subject: { name, role, target: "http://127.0.0.1:8080/", ...(options.version === undefined ? {} : { version: options.version }) },
    suite,
    tool: { name: "touchstone", version: "0.1.0" },
    startedAt: "2026-11-21T09:47:00.000Z",
    ms: 4210,
    summary,
    coverage: sampleCoverage(cases, random),
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
  const [section, , rules] = SECTIONS[at % SECTIONS.length] as Section;
  const round = Math.floor(at / SECTIONS.length);
  const [slug, level, text, expected, mistake, twin] = rules[round % rules.length] as Rule;
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

function sampleCoverage(cases: readonly CaseResult[], random: () => number): CoverageEntry[] {
  return SECTIONS.flatMap(([section, , rules]) => [
    ...rules.map(([slug, level, text]): CoverageEntry => {
      const requirement = `rfc9113#${section}/${slug}`;
      const ids = cases.filter((c) => c.covers.includes(requirement)).map((c) => c.id);
      return { requirement, level, text, state: ids.length > 0 ? "covered" : "open", cases: ids };
    }),
    random() < 0.5
      ? {
          requirement: `rfc9113#${section}/not-observable`,
          level: "MUST",
          text: "A rule about what an endpoint keeps to itself.",
          state: "excused",
          why: "Nothing on the wire tells whether it was followed.",
          cases: [],
        }
      : { requirement: `rfc9113#${section}/not-yet`, level: "SHOULD", text: "A rule that no case speaks of.", state: "open", cases: [] },
  ]);
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
