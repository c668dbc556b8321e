import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import type { Step } from "../../client-vocabulary.ts";
import type { Wanted } from "../../vocabulary.ts";
import { answer, ask, good, GOOD, headWith, hex, received, refused, type Row, say, trailers } from "./phrases.ts";

/** Metadata of responses, and interim responses before them. */

const BEGUN: readonly Step[] = [ask(), received()];
const inHeaders = (...fields: FieldSpec[]): Step[] => [...BEGUN, headWith(...fields), say(), trailers()];
const inTrailers = (...fields: FieldSpec[]): Step[] => [...BEGUN, headWith(), say(), trailers({ fields })];

const ALL = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
const padless = (octets: Buffer): string => octets.toString("base64").replace(/=+$/, "");
type Value = readonly [id: string, words: string, covers: Row["covers"], fields: readonly FieldSpec[], wanted: Wanted];
const VALUES: readonly Value[] = [
  ["text", "a text", "rpc-http2#requests/metadata-name", [["x-text", "some text"]], { "x-text": "some text" }],
  [
    "ascii",
    "all visible ASCII characters",
    "rpc-http2#requests/ascii-value",
    [["x-text", "!\"#$%&'()*+-./09:;<=>?@AZ[\\]^_`az{|}~"]],
    { "x-text": "!\"#$%&'()*+-./09:;<=>?@AZ[\\]^_`az{|}~" },
  ],
  ["name-characters", "a name of every kind of character", "rpc-http2#requests/metadata-name", [["x_1-a.b", "1"]], { "x_1-a.b": "1" }],
  [
    "order",
    "three values of one name, in their order",
    "rpc-http2#requests/duplicate-order",
    [
      ["x-many", "b"],
      ["x-many", "a"],
      ["x-many", "c"],
    ],
    { "x-many": "b,a,c" },
  ],
  [
    "joined",
    "values that are joined by commas",
    "rpc-http2#requests/duplicate-order",
    [
      ["x-many", "b,a"],
      ["x-many", "c"],
    ],
    { "x-many": "b,a,c" },
  ],
  ["binary-unpadded", "a binary value without padding", "rpc-http2#requests/base64-padding", [["x-bin", "/w"]], { "x-bin": "ff" }],
  ["binary-padded", "a binary value with padding", "rpc-http2#requests/base64-padding", [["x-bin", "/w=="]], { "x-bin": "ff" }],
  [
    "binary-two-unpadded",
    "a binary value of two octets without padding",
    "rpc-http2#requests/base64-padding",
    [["x-bin", "+wA"]],
    { "x-bin": "fb00" },
  ],
  [
    "binary-two-padded",
    "a binary value of two octets with padding",
    "rpc-http2#requests/base64-padding",
    [["x-bin", "+wA="]],
    { "x-bin": "fb00" },
  ],
  ["binary-three", "a binary value of three octets", "rpc-http2#requests/binary-suffix", [["x-bin", "+/D/"]], { "x-bin": "fbf0ff" }],
  ["binary-empty", "an empty binary value", "rpc-http2#requests/binary-suffix", [["x-bin", ""]], { "x-bin": "" }],
  [
    "binary-all",
    "a binary value of all octets",
    "rpc-http2#requests/binary-suffix",
    [["x-bin", padless(ALL)]],
    { "x-bin": ALL.toString("hex") },
  ],
  [
    "binary-list",
    "binary values in one field, joined by commas",
    "rpc-http2#requests/base64-list",
    [["x-bin", "AQ,Ag==,Aw"]],
    { "x-bin": "01,02,03" },
  ],
  [
    "binary-order",
    "binary values in several fields, in their order",
    "rpc-http2#requests/duplicate-order",
    [
      ["x-bin", "Ag"],
      ["x-bin", "AQ"],
    ],
    { "x-bin": "02,01" },
  ],
  [
    "binary-text",
    "a binary value that is text",
    "rpc-http2#requests/binary-suffix",
    [["x-text-bin", padless(Buffer.from("a, b"))]],
    { "x-text-bin": hex("a, b") },
  ],
];
const values: readonly Row[] = VALUES.flatMap(([id, words, covers, fields, wanted]): Row[] => [
  {
    id: `headers-metadata-${id}`,
    title: `Metadata in response headers reaches the application: ${words}.`,
    covers,
    steps: inHeaders(...fields),
    allowed: answer({ headers: wanted }),
  },
  {
    id: `trailers-metadata-${id}`,
    title: `Metadata in trailers reaches the application: ${words}.`,
    covers,
    steps: inTrailers(...fields),
    allowed: answer({ trailers: wanted }),
  },
]);

const places: readonly Row[] = [
  {
    id: "metadata-of-headers-and-trailers",
    title: "The client reports the metadata of the headers separately from that of the trailers.",
    covers: "rpc-http2#outline/response",
    steps: [...BEGUN, headWith(["x-one", "h"]), say(), trailers({ fields: [["x-one", "t"]] })],
    allowed: answer({ headers: { "x-one": "h" }, trailers: { "x-one": "t" } }),
  },
  {
    id: "metadata-of-trailers-alone",
    title: "Metadata of trailers that stand alone reaches the application.",
    covers: "rpc-http2#responses/trailers-only",
    steps: [...BEGUN, trailers({ only: true, status: "ABORTED", fields: [["x-one", "t"]] })],
    control: GOOD,
    allowed: answer({ status: "ABORTED", trailers: { "x-one": "t" } }),
  },
  {
    id: "metadata-of-failed-call",
    title: "Metadata of headers and trailers of a call that fails reaches the application.",
    covers: "rpc-http2#errors/trailers",
    steps: [...BEGUN, headWith(["x-one", "h"]), trailers({ status: "ABORTED", fields: [["x-one", "t"]] })],
    control: GOOD,
    allowed: answer({ status: "ABORTED", headers: { "x-one": "h" }, trailers: { "x-one": "t" } }),
  },
  ...(
    [
      ["headers", inHeaders(["x-odd", "caf\u00e9"])],
      ["trailers", inTrailers(["x-odd", "caf\u00e9"])],
      ["headers-tab", inHeaders(["x-odd", "a\tb"])],
    ] as const
  ).map(([id, steps]): Row => ({
    id: `metadata-not-ascii-in-${id}`,
    title: `A text value in ${id.split("-")[0]} that HTTP permits, but not this protocol, is no error.`,
    covers: "rpc-http2#requests/ascii-value-lenient",
    steps,
    control: GOOD,
    allowed: answer(),
  })),
  {
    id: "metadata-large",
    title: "Response headers of four kilobytes are read.",
    covers: "rpc-http2#responses/limit",
    steps: inHeaders(["x-large", "a".repeat(4000)]),
    allowed: answer({ headers: { "x-large": "a".repeat(4000) } }),
  },
];

const interim = (status: string, end?: true): Step => ({
  do: "frames",
  frames: [
    {
      type: "HEADERS",
      stream: "request",
      flags: end === true ? ["END_HEADERS", "END_STREAM"] : ["END_HEADERS"],
      fields: [
        [":status", status],
        ["x-early", "1"],
      ],
    },
  ],
});
const interims: readonly Row[] = [
  ...(["100", "103", "199"] as const).map((status): Row => ({
    id: `interim-${status}`,
    title: `A response ${status} before the response headers is skipped.`,
    covers: ["rfc9113#8.1/interim-accepted", "rpc-http-status#table/interim"],
    steps: [ask(), received(), interim(status), ...good()],
    allowed: answer({ headers: { "x-early": false } }),
  })),
  {
    id: "interim-three",
    title: "Three interim responses before the response headers are skipped.",
    covers: ["rfc9113#8.1/interim-accepted", "rpc-http-status#table/interim"],
    steps: [ask(), received(), interim("100"), interim("103"), interim("103"), ...good()],
    allowed: answer(),
  },
  {
    id: "interim-before-trailers-alone",
    title: "An interim response before trailers that stand alone is skipped.",
    covers: ["rfc9113#8.1/interim-accepted", "rpc-http-status#table/interim"],
    steps: [ask(), received(), interim("103"), trailers({ only: true, status: "ABORTED" })],
    control: GOOD,
    allowed: answer({ status: "ABORTED" }),
  },
  {
    id: "interim-ends",
    title: "An interim response that ends the stream is no success.",
    covers: "rfc9113#8.1/interim-end-stream",
    steps: [ask(), received(), interim("100", true)],
    control: GOOD,
    allowed: refused,
  },
];

const fields = (...list: FieldSpec[]): Step => ({
  do: "frames",
  frames: [{ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields: list }],
});
const TYPE: FieldSpec = ["content-type", "application/{rpc}"];
const malformed: readonly Row[] = (
  [
    ["status-of-http-missing", "without :status", "rfc9113#8.3.2/status-missing", [fields(TYPE), say(), trailers()]],
    ["data-first", "that begins with DATA", "rfc9113#8.1.1/not-accepted", [say(), headWith(), trailers()]],
    [
      "pseudo-in-trailers",
      "with :status in its trailers",
      "rfc9113#8.1/trailers-pseudo-malformed",
      [headWith(), say(), trailers({ fields: [[":status", "200"]] })],
    ],
    [
      "second-headers",
      "with a second header section that does not end it",
      "rfc9113#8.1/headers-without-end",
      [headWith(), fields(["x-more", "1"]), say(), trailers()],
    ],
    [
      "trailers-without-end",
      "whose trailers do not end it",
      "rfc9113#8.1/headers-without-end",
      [headWith(), say(), trailers({ open: true }), trailers()],
    ],
    [
      "name-in-capitals",
      "with a field name in capitals",
      "rfc9113#8.1.1/not-accepted",
      [fields([":status", "200"], TYPE, ["X-Capital", "1"]), say(), trailers()],
    ],
    ["pseudo-late", "with :status after other fields", "rfc9113#8.3/before-regular", [fields(TYPE, [":status", "200"]), say(), trailers()]],
    [
      "pseudo-twice",
      "with :status twice",
      "rfc9113#8.3/repeated",
      [fields([":status", "200"], [":status", "200"], TYPE), say(), trailers()],
    ],
    [
      "connection-field",
      "with a field about one connection",
      "rfc9113#8.2.2/malformed",
      [headWith(["connection", "close"]), say(), trailers()],
    ],
  ] as const
).map(([id, words, covers, steps]): Row => ({
  id: `malformed-${id}`,
  title: `A response ${words} is no success.`,
  covers: [covers, "rfc9113#8.1.1/not-accepted"],
  // It may end the connection for that.
  steps: [ask({}, { fence: false }), received(), ...(steps as readonly Step[])],
  control: GOOD,
  allowed: refused,
}));

export const rows: readonly Row[] = [...values, ...places, ...interims, ...malformed];
