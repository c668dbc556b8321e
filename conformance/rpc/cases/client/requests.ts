import type { CallSpec, Kind, Sight, Step } from "../../client-vocabulary.ts";
import {
  all,
  answer,
  ask,
  callOf,
  good,
  GOOD,
  head,
  hex,
  holds,
  PAYLOAD,
  pathOf,
  received,
  requests,
  type Row,
  say,
  trailers,
} from "./phrases.ts";

/** The requests of a client: their header section, their messages, their end. */

const KINDS: readonly Kind[] = ["unary", "client-stream", "server-stream", "bidi"];
const needsOf = (kind: Kind): Pick<Row, "needs"> => (kind === "unary" ? {} : { needs: ["streams"] });
const request = (more: Partial<Extract<Sight, { see: "request" }>>): Sight => ({ see: "request", ...more });

const fields: readonly Row[] = (
  [
    ["method", "The method of a request is POST.", "rpc-http2#requests/headers"],
    ["scheme", "The scheme of a request is that of its connection.", "rpc-http2#requests/headers"],
    ["te", "A request says te: trailers.", "rpc-http2#requests/headers"],
    [
      "content-type",
      "The content type of a request is that of the protocol, alone or with a format.",
      "rpc-http2#requests/content-type-form",
    ],
    ["authority", "The authority of a request, if it names one, is not empty.", "rpc-http2#requests/headers"],
    ["pseudo-fields", "The pseudo-header fields of a request stand before all others.", "rfc9113#8.3/pseudo-first"],
    ["connection-fields", "A request has no field that is about one connection of HTTP/1.1.", "rfc9113#8.2.2/not-generated"],
    [
      "field-names",
      "Names of fields consist of lower-case letters, digits, underscore, hyphen and dot.",
      "rpc-http2#requests/metadata-name",
    ],
    ["field-values", "Values of fields consist of visible ASCII characters and spaces.", "rpc-http2#requests/ascii-value"],
    ["one-section", "A request has one header section.", "rpc-http2#outline/request"],
    ["end-of-stream", "A request ends with END_STREAM on DATA.", "rpc-http2#requests/end-of-stream"],
    ["flags", "The flags octet of a message is 0 or 1.", "rpc-http2#requests/compressed-flag"],
    ["whole-messages", "A request ends after a whole message.", "rpc-http2#requests/messages"],
    ["not-compressed", "Without configuration no message is compressed.", "rpc-compression#test-cases/default"],
    ["flag-with-encoding", "A request without an encoding has no compressed message.", "rpc-http2#requests/flag-without-encoding"],
    ["encoding-names", "The accepted encodings are a list of names.", "rpc-http2#requests/encoding-names"],
    ["user-agent-present", "A request names its user agent.", "rpc-http2#user-agents/form"],
    ["user-agent-form", "The user agent is the name of the library with its version.", "rpc-http2#user-agents/form"],
    [
      "no-previous-attempts",
      "The first attempt of a call has no number of attempts before it.",
      "rpc-retries#exposed-retry-metadata/attempts",
    ],
  ] as const
).map(([monitor, title, covers]): Row => ({
  id: `request-${monitor}`,
  title,
  covers,
  steps: GOOD,
  allowed: all(answer(), holds(monitor)),
}));

const order: readonly Row[] = [
  {
    id: "request-metadata-behind-call",
    title: "The fields of the call stand before metadata.",
    covers: "rpc-http2#requests/order",
    steps: [
      ask({
        metadata: [
          ["aaa", "1"],
          ["zzz", "2"],
          ["x-bin", "00"],
        ],
      }),
      ...good(),
    ],
    allowed: all(answer(), holds("call-before-metadata")),
  },
  {
    id: "request-timeout-first",
    title: "The timeout is the first field after the pseudo-header fields.",
    covers: "rpc-http2#requests/order",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 5000 }), ...good()],
    allowed: all(answer(), holds("timeout-first")),
  },
];

const paths: readonly Row[] = [
  ...KINDS.map((kind): Row => ({
    id: `path-of-${kind}`,
    title: `The path of a call (${kind}) is that of its service and method.`,
    covers: "rpc-http2#requests/path",
    ...needsOf(kind),
    steps: [ask({ kind }), ...good()],
    allowed: all(answer(), request({ fields: { ":path": pathOf(kind) } })),
  })),
  ...(
    [
      ["without-package", "/Greeter/Hello"],
      ["in-its-spelling", "/touchstone.Conformance.V1.CONFORMANCE/uNARY_2"],
      ["long", `/touchstone.${"long.".repeat(40)}Service/${"Method".repeat(20)}`],
    ] as const
  ).map(([id, path]): Row => ({
    id: `path-${id}`,
    title: `The path of a call is sent as it is spelled, here ${path.slice(0, 48)}.`,
    covers: ["rpc-http2#requests/path", "rpc-http2#appendix-a/service-name"],
    steps: [ask({ path }), ...good()],
    allowed: all(answer(), request({ fields: { ":path": path } })),
  })),
];

const TIMEOUTS = [
  ["one-second", 1000, [500, 1000]],
  ["five-seconds", 5000, [4000, 5000]],
  ["an-hour", 3_600_000, [3_500_000, 3_600_000]],
  ["eight-digits", 99_999_999, [99_000_000, 99_999_999]],
  ["nine-digits", 100_000_000, [99_000_000, 100_000_000]],
  ["twenty-days", 1_728_000_000, [1_720_000_000, 1_728_000_000]],
] as const;
const timeouts: readonly Row[] = [
  ...TIMEOUTS.map(([id, timeoutMs, timeout]): Row => ({
    id: `timeout-${id}`,
    title: `A call with ${timeoutMs} milliseconds sends what is left of them, in at most eight digits and a unit.`,
    covers: ["rpc-http2#requests/timeout-form", "rpc-http2#requests/timeout-units"],
    needs: ["deadline"],
    steps: [ask({ timeoutMs }), ...good()],
    // Rounded to the unit, it may be a little more.
    allowed: all(answer(), holds("timeout-form"), request({ timeout: [timeout[0] * 0.98, timeout[1] * 1.02] })),
  })),
  {
    id: "timeout-none",
    title: "A call without a deadline sends no timeout.",
    covers: "rpc-http2#requests/timeout-default",
    steps: GOOD,
    allowed: all(answer(), holds("no-timeout")),
  },
];

const values: readonly (readonly [id: string, words: string, metadata: NonNullable<CallSpec["metadata"]>])[] = [
  ["text", "a text", [["x-text", "some text"]]],
  ["all-ascii", "all visible ASCII characters", [["x-text", "!\"#$%&'()*+,-./0189:;<=>?@AZ[\\]^_`az{|}~"]]],
  ["name-characters", "names with every kind of character", [["x_1-a.b", "1"]]],
  ["several", "ten names", Array.from({ length: 10 }, (_, at) => [`x-${at}`, String(at)] as const)],
  [
    "order",
    "three values of one name, in their order",
    [
      ["x-many", "b"],
      ["x-many", "a"],
      ["x-many", "c"],
    ],
  ],
  ["binary-empty", "an empty binary value", [["x-bin", ""]]],
  ["binary-one", "a binary value of one octet", [["x-bin", "ff"]]],
  ["binary-two", "a binary value of two octets", [["x-bin", "fb00"]]],
  ["binary-three", "a binary value of three octets", [["x-bin", "fbf0ff"]]],
  ["binary-all", "a binary value of all octets", [["x-bin", Buffer.from(Array.from({ length: 256 }, (_, at) => at)).toString("hex")]]],
  [
    "binary-order",
    "three binary values of one name, in their order",
    [
      ["x-bin", "02"],
      ["x-bin", "01"],
      ["x-bin", "03"],
    ],
  ],
  ["binary-text", "a binary value that is text", [["x-text-bin", hex("text, with a comma")]]],
];
const joined = (metadata: NonNullable<CallSpec["metadata"]>): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, value] of metadata) found[name] = name in found ? `${found[name]},${value}` : value;
  return found;
};
const metadata: readonly Row[] = [
  ...values.map(([id, words, entries]): Row => ({
    id: `metadata-${id}`,
    title: `Metadata of a request arrives: ${words}.`,
    covers: id.startsWith("binary")
      ? ["rpc-http2#requests/binary-suffix", "rpc-http2#requests/duplicate-order"]
      : ["rpc-http2#requests/duplicate-order", "rpc-http2#requests/metadata-name"],
    steps: [ask({ metadata: entries }), ...good()],
    allowed: all(answer(), holds("binary-values"), request({ fields: joined(entries) })),
  })),
  ...(["ff", "fb00"] as const).map((value): Row => ({
    id: `metadata-binary-unpadded-${value.length / 2}`,
    title: `A binary value of ${value.length / 2} octets is written without padding.`,
    covers: "rpc-http2#requests/base64-unpadded",
    steps: [ask({ metadata: [["x-bin", value]] }), ...good()],
    allowed: all(answer(), holds("binary-unpadded"), request({ fields: { "x-bin": value } })),
  })),
];

const SIZES = [0, 1, 5, 16_379, 16_380, 65_530, 65_536, 200_000] as const;
const ofSize = (size: number): string => Buffer.from(Array.from({ length: size }, (_, at) => at % 251)).toString("hex");
const messages: readonly Row[] = [
  ...SIZES.map((size): Row => ({
    id: `message-of-${size}-octets`,
    title: `A message of ${size} octets arrives whole, in one envelope.`,
    covers: ["rpc-http2#requests/messages", "rpc-http2#data-frames/boundaries"],
    steps: [ask({ messages: [ofSize(size)] }), ...good()],
    allowed: all(answer(), request({ ended: true, sizes: [size] }), holds("whole-messages")),
  })),
  {
    id: "message-of-all-octets",
    title: "A message of all octets arrives unchanged.",
    covers: "rpc-http2#requests/messages",
    steps: [ask({ messages: [Buffer.from(Array.from({ length: 128 }, (_, at) => at)).toString("hex")] }), ...good()],
    allowed: all(answer(), request({ messages: [String.fromCharCode(...Array.from({ length: 128 }, (_, at) => at))] })),
  },
];

const letters = (count: number): string[] => Array.from({ length: count }, (_, at) => String.fromCharCode(97 + (at % 26)));
const streams: readonly Row[] = [
  ...([0, 1, 2, 100] as const).map((count): Row => ({
    id: `client-stream-of-${count}`,
    title: `A stream of ${count} requests arrives in its order, and ends with END_STREAM on DATA.`,
    covers: ["rpc-http2#requests/end-of-stream", "rpc-http2#outline/request"],
    needs: ["streams"],
    steps: [ask({ kind: "client-stream", messages: letters(count).map(hex) }), ...good()],
    allowed: all(answer(), request({ ended: true, messages: letters(count) }), holds("end-of-stream")),
  })),
  {
    id: "bidi-messages-before-headers",
    title: "A client sends the messages of a stream before the response begins.",
    covers: "rpc-http2#outline/request",
    needs: ["streams"],
    steps: [
      ask({ kind: "bidi", messages: ["a", "b"].map(hex), open: true }),
      { do: "await", see: request({ messages: ["a", "b"] }) },
      head(),
      say([{ payload: "c" }]),
      trailers(),
    ],
    allowed: answer({ messages: ["c"] }),
  },
  {
    id: "bidi-turns",
    title: "Requests and responses of a stream take turns.",
    covers: "rpc-http2#outline/request",
    needs: ["streams"],
    steps: [
      ask({ kind: "bidi", messages: ["a", "b", "c"].map(hex), turns: true }),
      { do: "await", see: request({ messages: ["a"] }) },
      head(),
      say([{ payload: "1" }]),
      { do: "await", see: request({ messages: ["a", "b"] }) },
      say([{ payload: "2" }]),
      { do: "await", see: request({ messages: ["a", "b", "c"] }) },
      say([{ payload: "3" }]),
      received(),
      trailers(),
    ],
    allowed: answer({ messages: ["1", "2", "3"] }),
  },
  {
    id: "two-calls-at-once",
    title: "Two calls of one channel are requests at the same time.",
    covers: "rpc-http2#outline/request",
    steps: [
      { do: "ask", calls: [callOf({ metadata: [["x-n", "1"]] }), callOf({ metadata: [["x-n", "2"]] })] },
      received(1),
      received(2),
      ...good(2),
      ...good(1),
    ] satisfies Step[],
    allowed: all(answer(), answer({ call: 2, messages: [PAYLOAD] }), requests(2)),
  },
];

export const rows: readonly Row[] = [...fields, ...order, ...paths, ...timeouts, ...metadata, ...messages, ...streams];
