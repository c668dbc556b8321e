import { decode, decodingError, gives, indexed, indexing, never, plainly } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const simple = decode(indexed(2));
const host = "www.example.com";
const get = (scheme: string, path: string, ...more: FieldSpec[]): FieldSpec[] => [
  [":method", "GET"],
  [":scheme", scheme],
  [":path", path],
  [":authority", host],
  ...more,
];
const requests: readonly FieldSpec[][] = [
  get("http", "/"),
  get("http", "/", ["cache-control", "no-cache"]),
  get("https", "/index.html", ["custom-key", "custom-value"]),
];
const date = "Mon, 21 Oct 2013 20:13:21 GMT";
const first: readonly FieldSpec[] = [
  [":status", "302"],
  ["cache-control", "private"],
  ["date", date],
  ["location", "https://www.example.com"],
];
const responses: readonly (readonly FieldSpec[])[] = [
  first,
  [[":status", "307"], ...first.slice(1)],
  [
    [":status", "200"],
    ["cache-control", "private"],
    ["date", "Mon, 21 Oct 2013 20:13:22 GMT"],
    ["location", "https://www.example.com"],
    ["content-encoding", "gzip"],
    ["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"],
  ],
];

const MARKED: readonly FieldSpec[] = [
  ["password", "secret", true],
  ["n", "v"],
  ["authorization", "Basic x", true],
  ["m", "w"],
  [":method", "GET"],
  ["m", "w"],
];

/** A sequence of blocks from the examples of rfc7541#C. */
const example = ({
  blocks,
  lists,
  tableSize,
  ...row
}: Row<"spec"> & {
  readonly blocks: readonly string[];
  readonly lists: readonly (readonly FieldSpec[])[];
  readonly tableSize?: number;
}): Case => ({
  covers: ["rfc7541#3.2/processing", "rfc7541#6.2.1/incremental", "rfc7541#4.4/evict-on-insertion"],
  level: "MUST",
  role: "codec",
  steps: [{ do: "decode", blocks, ...(tableSize === undefined ? {} : { tableSize }) }],
  control: simple,
  allowed: gives(...lists),
  ...row,
});

/** Representations (rfc7541#6), one by one and in the specification's examples. */
export const cases: readonly Case[] = [
  {
    id: "hpack/literal-with-indexing-cut",
    spec: "rfc7541#5.2",
    covers: ["rfc7541#5.2/truncated"],
    level: "MUST",
    role: "codec",
    title: "A decoder rejects a literal with incremental indexing whose value is cut short.",
    // The value is "a", and then has three octets.
    steps: decode("40016e0361"),
    control: decode(indexing("n", "a")),
    allowed: decodingError,
  },
  {
    id: "hpack/index-zero",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/index-zero"],
    level: "MUST",
    role: "codec",
    title: "A decoder rejects index 0.",
    steps: decode("80"),
    control: decode("81"),
    allowed: decodingError,
  },
  {
    id: "hpack/index-zero-before-strings",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/index-zero"],
    level: "MUST",
    role: "codec",
    title: "A decoder rejects index 0 even if two strings follow, as they would follow a literal.",
    steps: decode("800161" + "0162"),
    control: decode("400161" + "0162"),
    allowed: decodingError,
  },
  {
    id: "hpack/literal-with-indexing",
    spec: "rfc7541#6.2.1",
    covers: ["rfc7541#6.2.1/incremental"],
    level: "MUST",
    role: "codec",
    title: "A decoder adds literals with indexing to its table, with indexed and with new names.",
    steps: decode(indexing("custom-key", "custom-header") + indexing(4, "/sample/path"), indexed(62) + indexed(63)),
    control: simple,
    allowed: gives(
      [
        ["custom-key", "custom-header"],
        [":path", "/sample/path"],
      ],
      [
        [":path", "/sample/path"],
        ["custom-key", "custom-header"],
      ],
    ),
  },
  {
    id: "hpack/literal-without-indexing",
    spec: "rfc7541#6.2.2",
    covers: ["rfc7541#6.2.2/without-indexing"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes literals without indexing, with static, dynamic and new names.",
    steps: decode(indexing("n", "1") + plainly(4, "/sample/path") + plainly(62, "2") + plainly("m", "3")),
    control: simple,
    allowed: gives([
      ["n", "1"],
      [":path", "/sample/path"],
      ["n", "2"],
      ["m", "3"],
    ]),
  },
  {
    id: "hpack/literal-never-indexed",
    spec: "rfc7541#6.2.3",
    covers: ["rfc7541#6.2.3/never-indexed"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes never-indexed literals, with indexed and with new names.",
    steps: decode(never("password", "secret") + never(23, "Basic x") + plainly("n", "v")),
    control: simple,
    allowed: gives([
      ["password", "secret", true],
      ["authorization", "Basic x", true],
      ["n", "v"],
    ]),
  },
  {
    id: "hpack/literal-never-indexed-marked",
    spec: "rfc7541#6.2.3",
    covers: ["rfc7541#6.2.3/known-to-the-caller"],
    level: "SHOULD",
    role: "codec",
    title: "A decoder marks the fields of never-indexed literals, and no others, so that an intermediary can encode them in the same way.",
    steps: decode(never("password", "secret") + plainly("n", "v") + never(23, "Basic x") + indexing("m", "w") + indexed(2) + indexed(62)),
    control: simple,
    allowed: [
      { see: { see: "marked fields", lists: [MARKED] } },
      { see: { see: "unmarked fields", lists: [MARKED] }, by: "rfc7541#6.2.3", verdict: "warn" },
    ],
  },
  example({
    id: "hpack/example-requests",
    title: "A decoder decodes the three requests of RFC 7541, Appendix C.3.",
    spec: "rfc7541#3.2",
    blocks: [
      "828684410f7777772e6578616d706c652e636f6d",
      "828684be58086e6f2d6361636865",
      "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
    ],
    lists: requests,
  }),
  example({
    id: "hpack/example-requests-huffman",
    title: "A decoder decodes the three Huffman-encoded requests of RFC 7541, Appendix C.4.",
    spec: "rfc7541#3.2",
    blocks: ["828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf", "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"],
    lists: requests,
  }),
  example({
    id: "hpack/example-responses",
    title: "A decoder decodes the three responses of RFC 7541, Appendix C.5, with a table of 256 octets.",
    spec: "rfc7541#3.2",
    blocks: [
      "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d",
      "4803333037c1c0bf",
      "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
    ],
    lists: responses,
    tableSize: 256,
  }),
  example({
    id: "hpack/example-responses-huffman",
    title: "A decoder decodes the three Huffman-encoded responses of RFC 7541, Appendix C.6, with a table of 256 octets.",
    spec: "rfc7541#3.2",
    blocks: [
      "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
      "4883640effc1c0bf",
      "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
    ],
    lists: responses,
    tableSize: 256,
  }),
];
