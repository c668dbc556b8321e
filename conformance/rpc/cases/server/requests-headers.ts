import type { FieldSpec, Sight, Step } from "../../vocabulary.ts";
import { all, answer, call, callWith, fails, GOOD, lastly, PAYLOAD, refused, type Row, unary } from "./phrases.ts";

/** The header section of a call: its content type, path, method and timeout. */

const SERVICE = "touchstone.conformance.v1.Conformance";
const contentType = (value: string | false): Step[] => [call(1, { replace: { "content-type": value } }), lastly(1)];

const types: readonly Row[] = [
  {
    id: "content-type-proto",
    title: "The content type may name the format proto, and the answer is the same.",
    covers: "rpc-http2#requests/content-type-form",
    steps: contentType("application/{rpc}+proto"),
    allowed: answer(),
  },
  ...(
    [
      ["plain", "text/plain"],
      ["json", "application/json"],
      ["form", "application/x-www-form-urlencoded"],
      ["octets", "application/octet-stream"],
      ["html", "text/html"],
      ["proto", "application/x-protobuf"],
      ["behind", "text/plain;application/{rpc}"],
      ["absent", false],
    ] as const
  ).map(([id, value]): Row => ({
    id: `content-type-415-${id}`,
    title: `A request ${value === false ? "without a content type" : `with the content type ${value}`} gets the HTTP status 415.`,
    covers: "rpc-http2#requests/content-type-415",
    steps: contentType(value),
    control: GOOD,
    allowed: { see: "http", call: 1, status: 415 },
  })),
];

const path = (value: string): Step[] => [call(1, { path: value }), lastly(1)];
const paths: readonly Row[] = (
  [
    ["unknown-method", `/${SERVICE}/Nothing`, "of a method that the service does not have"],
    ["missing-method", `/${SERVICE}/Missing`, "of a method that the server does not implement"],
    ["unknown-service", "/touchstone.nothing.v1.Nothing/Unary", "of a service that the server does not have"],
    ["method-in-lower-case", `/${SERVICE}/unary`, "of a method in lower case"],
    ["service-in-lower-case", `/${SERVICE.toLowerCase()}/Unary`, "of a service in lower case"],
    ["without-package", "/Conformance/Unary", "of a service without its package"],
    ["service-only", `/${SERVICE}`, "with the path of a service"],
    ["service-and-slash", `/${SERVICE}/`, "with the path of a service and a slash"],
    ["root", "/", "with the path /"],
    ["behind-method", `/${SERVICE}/Unary/more`, "with more after its method"],
    ["slash-behind-method", `/${SERVICE}/Unary/`, "with a slash after its method"],
    ["method-prefix", `/${SERVICE}/Una`, "with the beginning of a method"],
  ] as const
).map(([id, value, words]): Row => ({
  id: `path-${id}`,
  title: `A call ${words} fails with UNIMPLEMENTED.`,
  covers: ["rpc-status#codes/unimplemented", "rpc-http2#requests/path"],
  steps: path(value),
  control: GOOD,
  allowed: fails("UNIMPLEMENTED"),
}));

/** Of the dynamic table: the field that was inserted last. */
const LAST_INDEX = "be";
const REFUSED_CALLS = 20;
const HPACK_CALL = 2 * REFUSED_CALLS + 1;

const starts: readonly Row[] = [
  {
    id: "compression-state-after-refusals",
    title: "The header lists of refused calls change the compression state like those of others.",
    covers: "rfc9113#10.5.1/block-processed",
    steps: [
      {
        do: "repeat",
        times: REFUSED_CALLS,
        steps: [call(1, { path: "/touchstone.No/Such", fields: [["x-last", "kept", "indexing"]] }), lastly(1)],
      },
      { do: "await", see: { see: "failed", call: HPACK_CALL - 2, status: "any" } },
      {
        do: "frames",
        frames: [
          {
            type: "HEADERS",
            stream: HPACK_CALL,
            flags: ["END_HEADERS"],
            fields: [
              [":method", "POST"],
              [":scheme", "http"],
              [":path", `/${SERVICE}/Unary`],
              [":authority", "{authority}"],
              ["te", "trailers"],
              ["content-type", "application/{rpc}"],
            ],
            blockTail: LAST_INDEX,
          },
        ],
      },
      lastly(HPACK_CALL),
    ],
    control: GOOD,
    allowed: answer({ metadata: { "x-last": "kept" } }, HPACK_CALL),
  },
  {
    id: "path-without-slash",
    title: "A path that does not begin with a slash reaches no method.",
    covers: "rpc-http2#requests/path",
    steps: path(`${SERVICE}/Unary`),
    control: GOOD,
    allowed: refused(),
  },
  ...["GET", "PUT", "DELETE"].map((method): Row => ({
    id: `method-${method.toLowerCase()}`,
    title: `A request with the method ${method} is no call.`,
    covers: "rpc-http2#requests/headers",
    steps: [call(1, { replace: { ":method": method } }), lastly(1)],
    control: GOOD,
    allowed: refused(),
  })),
];

const good = (id: string, title: string, steps: readonly Step[], allowed: Sight = answer()): Row => ({
  id,
  title,
  covers: "rpc-http2#requests/headers",
  steps,
  allowed,
});
const heads: readonly Row[] = [
  good("user-agent", "A request may name its user agent.", unary(["user-agent", "{rpc}-touchstone/1.0 (conformance; test)"])),
  good("message-type", "A request may name the type of its messages.", unary(["{rpc}-message-type", `${SERVICE}.Request`])),
  good("accept-encoding-of-http", "The field accept-encoding of HTTP changes nothing.", unary(["accept-encoding", "gzip, br"])),
  good("reserved-field", "A field of the protocol that a server does not know is ignored.", unary(["{rpc}-touchstone-future", "1"])),
  good("headers-in-continuation", "The header section of a call may be split into HEADERS and CONTINUATION.", [
    call(1, { split: 20 }),
    lastly(1),
  ]),
  good("headers-all-in-continuation", "HEADERS of a call may be empty, with all fields in CONTINUATION.", [
    call(1, { split: 0 }),
    lastly(1),
  ]),
  {
    id: "headers-padded",
    title: "HEADERS of a call may be padded.",
    covers: ["rfc9113#6.2/padded", "rpc-http2#requests/headers"],
    // A MAY of the sender is what a server has to accept.
    level: "MUST",
    steps: [call(1, { pad: 30 }), lastly(1)],
    allowed: answer(),
  },
  good("content-type-behind-metadata", "The content type may follow metadata.", [
    call(1, {
      replace: { "content-type": false },
      fields: [
        ["x-first", "1"],
        ["content-type", "application/{rpc}"],
      ],
    }),
    lastly(1),
  ]),
  good(
    "encodings-listed",
    "A request may list the encodings that its client accepts.",
    unary(["{rpc}-accept-encoding", "identity, deflate,gzip"]),
  ),
  good(
    "several-streams",
    "Calls of one connection are answered on their streams.",
    [call(1), call(3), call(5), lastly(5, [{ payload: "c" }]), lastly(1, [{ payload: "a" }]), lastly(3, [{ payload: "b" }])],
    all(answer({ payloads: ["a"] }, 1), answer({ payloads: ["b"] }, 3), answer({ payloads: ["c"] }, 5)),
  ),
];

const HOUR = 3_600_000;
const timeout = (value: string): FieldSpec => ["{rpc}-timeout", value];
/** Milliseconds of a good timeout, and the tolerance: what the way to the handler takes, and rounding. */
const units: readonly Row[] = (
  [
    ["hours", "2H", 2 * HOUR],
    ["minutes", "3M", 180_000],
    ["seconds", "90S", 90_000],
    ["milliseconds", "70000m", 70_000],
    ["microseconds", "80000000u", 80_000],
    ["eight-digits", "12345678m", 12_345_678],
    ["leading-zeros", "00000050S", 50_000],
  ] as const
).map(([id, value, ms]): Row => ({
  id: `timeout-${id}`,
  title: `A call with the timeout ${value} has its handler ${ms} milliseconds at most.`,
  covers: "rpc-http2#requests/timeout-units",
  steps: unary(timeout(value)),
  allowed: answer({ left: [ms - 20_000, ms + 1] }),
}));
const deadlines: readonly Row[] = [
  ...(
    [
      ["longest-hours", "99999999H"],
      ["longest-minutes", "99999999M"],
      ["longest-seconds", "99999999S"],
    ] as const
  ).map(([id, value]): Row => ({
    id: `timeout-${id}`,
    title: `A call with the timeout ${value} is answered.`,
    covers: "rpc-http2#requests/timeout-form",
    steps: unary(timeout(value)),
    allowed: answer(),
  })),
  {
    id: "timeout-none",
    title: "A call without a timeout has no deadline.",
    covers: "rpc-http2#requests/timeout-none",
    steps: GOOD,
    allowed: answer({ left: false }),
  },
  {
    id: "timeout-before-pseudo-fields-end",
    title: "The timeout may come before the other fields.",
    covers: "rpc-http2#requests/order",
    steps: [
      call(1, {
        replace: { te: false, "content-type": false },
        fields: [timeout("50S"), ["te", "trailers"], ["content-type", "application/{rpc}"]],
      }),
      lastly(1),
    ],
    allowed: answer({ left: [20_000, 50_001] }),
  },
  {
    id: "timeout-not-reached",
    title: "A call that ends before its deadline is answered.",
    covers: "rpc-status#codes/deadline",
    steps: [callWith(1, timeout("9S")), lastly(1, [{ plan: { delayMs: 50 } }])],
    allowed: answer(),
  },
];

const FORMS = [
  ["empty", ""],
  ["without-unit", "10"],
  ["without-digits", "S"],
  ["unknown-unit", "10s"],
  ["unit-in-lower-case", "10h"],
  ["nine-digits", "123456789S"],
  ["negative", "-10S"],
  ["plus", "+10S"],
  ["fraction", "1.5S"],
  ["two-units", "10Sm"],
  ["space-inside", "10 S"],
  ["exponent", "1e3S"],
  ["hexadecimal", "0x1S"],
  ["unit-first", "S10"],
  ["two-letters", "10ms"],
  ["list", "10S,20S"],
] as const;
const forms: readonly Row[] = FORMS.map(([id, value]): Row => ({
  id: `timeout-form-${id}`,
  title: `A call with the invalid timeout "${value}" fails.`,
  covers: "rpc-http2#requests/timeout-form",
  steps: unary(timeout(value)),
  control: unary(timeout("10S")),
  allowed: refused(),
}));

/** At the deadline a server resets the stream, or says so in trailers. */
const expires = (id: string, title: string, steps: readonly Step[], control: readonly Step[]): Row => ({
  id: `deadline-${id}`,
  title,
  covers: ["rpc-http2#cancellation/server-deadline", "rpc-status#codes/deadline"],
  steps,
  control,
  allowed: [
    { see: { see: "reset", call: 1, code: "CANCEL" } },
    { see: { see: "failed", call: 1, status: "DEADLINE_EXCEEDED" }, by: "rpc-status#codes" },
  ],
});
const SLOW = { delayMs: 8_000, headersFirst: true } as const;
const expirations: readonly Row[] = [
  expires(
    "unary",
    "A call whose deadline passes is ended by the server.",
    [callWith(1, timeout("100m")), lastly(1, [{ plan: { delayMs: 8_000 } }])],
    [callWith(1, timeout("9S")), lastly(1, [{ plan: { delayMs: 1 } }])],
  ),
  expires(
    "after-headers",
    "A call whose deadline passes after its response headers is ended by the server.",
    [callWith(1, timeout("100m")), lastly(1, [{ plan: SLOW }])],
    [callWith(1, timeout("9S")), lastly(1, [{ plan: { headersFirst: true } }])],
  ),
  expires(
    "streaming-request",
    "A stream of requests whose deadline passes is ended by the server.",
    [call(1, { method: "ClientStream", fields: [timeout("100m")] }), { do: "say", call: 1, messages: [{}] }],
    [call(1, { method: "ClientStream", fields: [timeout("9S")] }), lastly(1)],
  ),
  expires(
    "bidi",
    "A bidirectional stream whose deadline passes is ended by the server.",
    [call(1, { method: "BidiStream", fields: [timeout("100m")] }), { do: "say", call: 1, messages: [{}] }],
    [call(1, { method: "BidiStream", fields: [timeout("9S")] }), lastly(1)],
  ),
  ...["1n", "1u", "0S"].map((value) =>
    expires(
      `at-once-${value.toLowerCase()}`,
      `A call with the timeout ${value} has no time.`,
      [callWith(1, timeout(value)), lastly(1, [{ plan: { delayMs: 100 } }])],
      [callWith(1, timeout("9S")), lastly(1, [{ plan: { delayMs: 1 } }])],
    ),
  ),
  {
    id: "deadline-cancels-handler",
    title: "A handler whose deadline has passed learns that its call is cancelled.",
    covers: "rpc-http2#cancellation/server-deadline",
    steps: [
      callWith(1, timeout("100m")),
      lastly(1, [{ plan: { call: "{run}", delayMs: 8_000 } }]),
      { do: "ask", name: "{run}", until: ["cancelled"] },
    ],
    control: [
      callWith(1, timeout("9S")),
      lastly(1, [{ payload: PAYLOAD, plan: { call: "{run}" } }]),
      { do: "ask", name: "{run}", until: ["ended"] },
    ],
    allowed: { see: "fate", state: "cancelled" },
  },
];

export const rows: readonly Row[] = [...types, ...paths, ...starts, ...heads, ...units, ...deadlines, ...forms, ...expirations];
