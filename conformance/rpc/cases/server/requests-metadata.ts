import type { RequirementRef } from "../../../harness/case.ts";
import type { Entry } from "../../../wire/rpc/contract.ts";
import type { FieldSpec, Plan, Step, Wanted } from "../../vocabulary.ts";
import { all, answer, call, holds, lastly, refused, type Row, unary } from "./phrases.ts";

/** Metadata both ways: its names, its values in text and in octets, its order. */

type About = readonly [id: string, title: string, covers: RequirementRef];
const received = ([id, title, covers]: About, fields: readonly FieldSpec[], metadata: Wanted): Row => ({
  id: `metadata-${id}`,
  title,
  covers,
  steps: unary(...fields),
  allowed: answer({ metadata }),
});
const NAME = "rpc-http2#requests/metadata-name";
const BINARY = "rpc-http2#requests/binary-suffix";
const PADDING = "rpc-http2#requests/base64-padding";
const LIST = "rpc-http2#requests/base64-list";
const ORDER = "rpc-http2#requests/duplicate-order";
const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((one) => one !== ",")
  .join("");
/** Every octet once, in Base64 without padding. */
const ALL = Buffer.from(Array.from({ length: 256 }, (_, at) => at));

const texts: readonly Row[] = [
  received(["text", "A handler sees a text value.", NAME], [["x-text", "value"]], { "x-text": "value" }),
  received(["name-digits", "A name may have digits.", NAME], [["0x1", "a"]], { "0x1": "a" }),
  received(["name-underscore", "A name may have underscores.", NAME], [["a_b", "a"]], { a_b: "a" }),
  received(["name-dot", "A name may have dots.", NAME], [["a.b.c", "a"]], { "a.b.c": "a" }),
  received(["name-hyphen", "A name may have hyphens.", NAME], [["a-b--c", "a"]], { "a-b--c": "a" }),
  received(["name-long", "A name may have 200 characters.", NAME], [["n".repeat(200), "a"]], { ["n".repeat(200)]: "a" }),
  received(["visible", "A text value may have every visible character.", "rpc-http2#requests/ascii-value"], [["x-text", VISIBLE]], {
    "x-text": VISIBLE,
  }),
  received(["space-inside", "A text value may have spaces inside.", "rpc-http2#requests/ascii-value"], [["x-text", "a  b c"]], {
    "x-text": "a  b c",
  }),
  received(["long", "A text value may have 3,000 characters.", "rpc-http2#requests/ascii-value"], [["x-text", "v".repeat(3_000)]], {
    "x-text": "v".repeat(3_000),
  }),
  received(
    ["two-names", "Fields with two names are two entries.", NAME],
    [
      ["x-a", "1"],
      ["x-b", "2"],
    ],
    { "x-a": "1", "x-b": "2" },
  ),
  received(
    ["duplicates", "Values of one name keep their order.", ORDER],
    [
      ["x-a", "1"],
      ["x-a", "2"],
      ["x-a", "3"],
    ],
    { "x-a": "1,2,3" },
  ),
  received(
    ["duplicates-apart", "Values of one name keep their order with others between them.", ORDER],
    [
      ["x-a", "1"],
      ["x-b", "x"],
      ["x-a", "2"],
    ],
    { "x-a": "1,2" },
  ),
  received(
    ["joined", "Values that are joined by commas keep their order.", ORDER],
    [
      ["x-a", "1,2"],
      ["x-a", "3"],
    ],
    { "x-a": "1,2,3" },
  ),
  received(
    ["indexed", "A value that the table of HPACK holds is read again.", NAME],
    [
      ["x-a", "again", "indexing"],
      ["x-b", "more", "indexing"],
    ],
    { "x-a": "again", "x-b": "more" },
  ),
  received(["never-indexed", "A value that is never indexed is read.", NAME], [["authorization", "Bearer secret", "never indexed"]], {
    authorization: "Bearer secret",
  }),
  {
    id: "metadata-fifty-fields",
    title: "A handler sees fifty entries.",
    covers: NAME,
    steps: unary(...Array.from({ length: 50 }, (_, at): FieldSpec => [`x-${at}`, String(at)])),
    allowed: answer({ metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-${at}`, String(at)])) }),
  },
  ...(
    [
      ["octets-above-ascii", "caf\u00e9"],
      ["tab-inside", "a\tb"],
    ] as const
  ).map(([id, value]): Row => ({
    id: `metadata-${id}`,
    title: `A text value that HTTP permits causes no error (${id.replaceAll("-", " ")}).`,
    covers: "rpc-http2#requests/ascii-value-lenient",
    steps: unary(["x-text", value]),
    allowed: answer(),
  })),
];

const binaries: readonly Row[] = [
  received(["binary", "A handler sees octets where the name ends in -bin.", BINARY], [["x-some-bin", "AQID"]], { "x-some-bin": "010203" }),
  received(["binary-all", "A binary value may have every octet.", BINARY], [["x-all-bin", ALL.toString("base64").replace(/=+$/, "")]], {
    "x-all-bin": ALL.toString("hex"),
  }),
  received(["binary-padded-1", "A binary value with one character of padding is read.", PADDING], [["x-a-bin", "AQI="]], {
    "x-a-bin": "0102",
  }),
  received(["binary-padded-2", "A binary value with two characters of padding is read.", PADDING], [["x-a-bin", "AQ=="]], {
    "x-a-bin": "01",
  }),
  received(["binary-unpadded-1", "A binary value that lacks one character of padding is read.", PADDING], [["x-a-bin", "AQI"]], {
    "x-a-bin": "0102",
  }),
  received(["binary-unpadded-2", "A binary value that lacks two characters of padding is read.", PADDING], [["x-a-bin", "AQ"]], {
    "x-a-bin": "01",
  }),
  received(["binary-slash-plus", "A binary value is read with the alphabet of + and /.", BINARY], [["x-a-bin", "+/+/"]], {
    "x-a-bin": "fbffbf",
  }),
  received(["binary-list", "A list of binary values is split at its commas.", LIST], [["x-a-bin", "AQ,Ag"]], { "x-a-bin": "01,02" }),
  received(["binary-list-padded", "A list of padded binary values is split before they are decoded.", LIST], [["x-a-bin", "AQ==,AgM="]], {
    "x-a-bin": "01,0203",
  }),
  received(
    ["binary-twice", "Two binary fields of one name are two values.", ORDER],
    [
      ["x-a-bin", "AQ"],
      ["x-a-bin", "Ag"],
    ],
    { "x-a-bin": "01,02" },
  ),
  received(
    ["binary-and-text", "Octets and text of similar names stay apart.", BINARY],
    [
      ["x-a-bin", "AQ"],
      ["x-a", "AQ"],
    ],
    { "x-a-bin": "01", "x-a": "AQ" },
  ),
  ...(
    [
      ["characters", "A*B!"],
      ["length", "AQIDB"],
      ["padding-inside", "AQ==AQ=="],
    ] as const
  ).map(([id, value]): Row => ({
    id: `metadata-binary-invalid-${id}`,
    title: `A binary value that is not Base64 fails the call (${id.replaceAll("-", " ")}).`,
    covers: "rpc-http2#requests/base64-alphabet",
    steps: unary(["x-a-bin", value]),
    control: unary(["x-a-bin", "AQID"]),
    allowed: refused(),
  })),
];

const planned = (plan: Plan): Step[] => [call(1), lastly(1, [{ plan }])];
const entries: readonly Entry[] = [
  ["x-first", "one"],
  ["x-second", "two words"],
  ["x-octets-bin", "00ff10"],
  ["x-octets-bin", "ab"],
  ["x-first", "three"],
];
const WANTED: Wanted = { "x-first": "one,three", "x-second": "two words", "x-octets-bin": "00ff10,ab" };
const sent = (id: string, title: string, steps: readonly Step[], allowed: Row["allowed"]): Row => ({
  id: `metadata-${id}`,
  title,
  covers: ["rpc-http2#responses/headers", ORDER],
  steps,
  allowed,
});
const outward: readonly Row[] = [
  sent(
    "in-headers",
    "Metadata of a handler is in the response headers.",
    planned({ headers: entries }),
    answer({ headers: WANTED, trailers: { "x-first": false } }),
  ),
  sent(
    "in-trailers",
    "Metadata of a handler for the trailers is in the trailers.",
    planned({ trailers: entries }),
    answer({ trailers: WANTED, headers: { "x-first": false } }),
  ),
  sent(
    "in-both",
    "Metadata for headers and trailers keeps its place.",
    planned({ headers: [["x-h", "1"]], trailers: [["x-t", "2"]] }),
    answer({ headers: { "x-h": "1", "x-t": false }, trailers: { "x-t": "2", "x-h": false } }),
  ),
  sent(
    "in-trailers-of-failure",
    "Trailers of a call that fails have the metadata of its handler.",
    planned({ trailers: entries, status: 5, message: "none" }),
    answer({ status: "NOT_FOUND", trailers: WANTED }),
  ),
  {
    ...sent(
      "in-headers-of-failure",
      "A call that fails after its headers has both kinds of metadata.",
      planned({ headers: [["x-h", "1"]], trailers: [["x-t", "2"]], status: 9 }),
      answer({ status: "FAILED_PRECONDITION", headers: { "x-h": "1" }, trailers: { "x-t": "2" } }),
    ),
    needs: ["headers-first"],
  },
  sent(
    "of-stream",
    "A stream of responses has the metadata of its handler around them.",
    [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 2, headers: entries, trailers: [["x-t", "2"]] } }])],
    answer({ payloads: ["touchstone", "touchstone"], headers: WANTED, trailers: { "x-t": "2" } }),
  ),
  sent(
    "headers-before-message",
    "Response headers with metadata leave before the first message.",
    [
      call(1),
      lastly(1, [{ plan: { headers: [["x-h", "1"]], delayMs: 300 } }]),
      { do: "await", see: { see: "headers", call: 1, headers: { "x-h": "1" } } },
    ],
    answer({ headers: { "x-h": "1" } }),
  ),
  {
    id: "metadata-binary-base64",
    title: "Octets that a handler sends are written in Base64.",
    covers: BINARY,
    steps: planned({ headers: [["x-a-bin", "00"]], trailers: [["x-b-bin", ALL.toString("hex")]] }),
    allowed: all(answer({ headers: { "x-a-bin": "00" }, trailers: { "x-b-bin": ALL.toString("hex") } }), holds("binary-values")),
  },
  ...(["00", "0001", "000102"] as const).map((hex): Row => ({
    id: `metadata-binary-written-${hex.length / 2}`,
    title: `A binary value of ${hex.length / 2} octets is written without padding.`,
    covers: "rpc-http2#requests/base64-unpadded",
    steps: planned({ headers: [["x-a-bin", hex]], trailers: [["x-b-bin", hex]] }),
    allowed: all(answer({ headers: { "x-a-bin": hex }, trailers: { "x-b-bin": hex } }), holds("binary-unpadded")),
  })),
  {
    id: "metadata-names-written",
    title: "The fields of an answer have names of lower-case letters, digits, underscore, hyphen and dot.",
    covers: NAME,
    steps: planned({ headers: [["x.a_b-1", "1"]], trailers: [["y.a_b-1", "1"]] }),
    allowed: all(answer({ headers: { "x.a_b-1": "1" }, trailers: { "y.a_b-1": "1" } }), holds("field-names")),
  },
  {
    id: "metadata-large",
    title: "Request headers of 6,000 octets are accepted.",
    covers: "rpc-http2#requests/header-limit",
    level: "SHOULD",
    steps: unary(...Array.from({ length: 6 }, (_, at): FieldSpec => [`x-${at}`, "v".repeat(900)])),
    allowed: answer(),
  },
];

export const rows: readonly Row[] = [...texts, ...binaries, ...outward];
