import { answeredLikeFirst, get, handshake, firstExchange, request, send, compressionError } from "./phrases.ts";
import type { Case, FieldSpec, FrameSpec, Step } from "./vocabulary.ts";

const [, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];
const REST = [scheme, authority, path];
const METHOD: FieldSpec = [":method", "GET", "indexing"];
const PATH: FieldSpec = [":path", "{path}", "indexing"];
/** The table in 256 octets, whatever the server allows beyond: 62 is its newest entry. */
const SIZE: Partial<FrameSpec> = { tableSize: [256] };

const undecoded = (
  c: Pick<Case, "id" | "spec" | "covers" | "title">,
  before: readonly Step[],
  wrong: FrameSpec,
  right: FrameSpec,
): Case => ({
  ...c,
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...before, send(wrong)],
  control: [...before, send(right)],
  allowed: compressionError,
});
const decoded = (c: Pick<Case, "id" | "spec" | "covers" | "title">, ...frames: FrameSpec[]): Case => ({
  ...c,
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...firstExchange, send(...frames)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(frames.at(-1)?.stream as number),
});

export const cases: readonly Case[] = [
  decoded(
    {
      id: "http2/hpack-static-method",
      spec: "rfc7541#2.3.1",
      covers: ["rfc7541#2.3.1/static-table", "rfc7541#6.1/indexed"],
      title: "The server reads index 2 as :method: GET.",
    },
    { ...get(3), blockHead: "82", fields: REST },
  ),
  {
    id: "http2/hpack-static-paths",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    title: "The server reads index 4 as the :path / and index 5 as /index.html.",
    steps: [
      handshake,
      send(
        { ...get(1), fields: [...request().slice(0, 3), [":path", "/"]] },
        { ...get(3), fields: request().slice(0, 3), blockTail: "84" },
        { ...get(5), fields: [...request().slice(0, 3), [":path", "/index.html"]] },
        { ...get(7), fields: request().slice(0, 3), blockTail: "85" },
      ),
    ],
    control: [handshake, send(get(1))],
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "accepted" }, { see: "response", stream: 3, sameStatusAs: 1 }, { see: "response", stream: 7, sameStatusAs: 5 }],
        },
      },
    ],
  },
  {
    id: "http2/hpack-static-post",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    title: "The server reads index 3 as :method: POST.",
    steps: [handshake, send({ ...get(1), fields: request("POST") }, { ...get(3), blockHead: "83", fields: REST })],
    control: [handshake, send(get(1))],
    allowed: answeredLikeFirst(3),
  },
  ...(["clear", "tls"] as const).map((transport): Case => ({
    id: transport === "clear" ? "http2/hpack-static-scheme-http" : "http2/hpack-static-scheme-https",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    needs: [transport],
    title: `The server reads index ${transport === "clear" ? "6 as :scheme: http" : "7 as :scheme: https"}.`,
    steps: [
      ...firstExchange,
      send({ ...get(3), blockHead: transport === "clear" ? "86" : "87", fields: [[":method", "GET"], authority, path] }),
    ],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  })),
  decoded(
    {
      id: "http2/hpack-static-regular-fields",
      spec: "rfc7541#2.3.1",
      covers: ["rfc7541#2.3.1/static-table", "rfc7541#6.1/indexed"],
      title: "The server takes fields that are entries of the static table, up to its last.",
    },
    // accept-charset, accept-encoding, accept-language, accept, from, user-agent, via, www-authenticate
    { ...get(3), blockTail: "8f909193a5babcbd" },
  ),
  decoded(
    {
      id: "http2/hpack-first-in-first-out",
      spec: "rfc7541#2.3.2",
      covers: ["rfc7541#2.3.2/first-in-first-out", "rfc7541#2.3.3/address-space", "rfc7541#3.2/processing"],
      title: "The server finds the newest entry of the dynamic table at index 62 and the one before it at 63.",
    },
    { ...get(3), ...SIZE, fields: [PATH, METHOD, scheme, authority] },
    { ...get(5), blockHead: "be", fields: [...REST, ["x-new", "1", "indexing"]] },
    // :method and :path have both moved by one.
    { ...get(7), blockHead: "bfc0", fields: [scheme, authority] },
    { ...get(9), blockHead: "bf", fields: REST },
  ),
  decoded(
    {
      id: "http2/hpack-duplicate-entries",
      spec: "rfc7541#2.3.2",
      covers: ["rfc7541#2.3.2/duplicates"],
      title: "The server takes the same entry twice into its dynamic table, and finds both.",
    },
    { ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"], ["x-name", "1", "indexing"]] },
    { ...get(5), fields: request(), blockTail: "bebf" },
  ),
  decoded(
    {
      id: "http2/hpack-entry-used-in-its-own-block",
      spec: "rfc7541#3.2",
      covers: ["rfc7541#3.2/processing", "rfc7541#6.2.1/incremental"],
      title: "The server finds an entry in the block that has added it.",
    },
    { ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"]], blockTail: "be" },
  ),
  undecoded(
    {
      id: "http2/hpack-table-initially-empty",
      spec: "rfc7541#2.3.2",
      covers: ["rfc7541#2.3.2/initially-empty", "rfc7541#2.3.3/beyond"],
      title: "The server calls index 62 a decoding error when nothing has been added to the table.",
    },
    [handshake],
    { ...get(1), blockTail: "be" },
    { ...get(1), blockTail: "bd" },
  ),
  undecoded(
    {
      id: "http2/hpack-tables-of-both-directions-apart",
      spec: "rfc7541#2.2",
      covers: ["rfc7541#2.2/separate-contexts", "rfc7541#2.3.3/beyond"],
      title: "The server does not look up our indices among the fields that it has sent itself.",
    },
    firstExchange,
    { ...get(3), blockTail: "be" },
    { ...get(3), blockTail: "bd" },
  ),
  undecoded(
    {
      id: "http2/hpack-index-beyond-both-tables",
      spec: "rfc7541#2.3.3",
      covers: ["rfc7541#2.3.3/beyond"],
      title: "The server calls the index after the last entry of the dynamic table a decoding error.",
    },
    [...firstExchange, send({ ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"]] })],
    { ...get(5), blockTail: "bf" },
    { ...get(5), blockTail: "be" },
  ),
  undecoded(
    {
      id: "http2/hpack-index-far-beyond",
      spec: "rfc7541#2.3.3",
      covers: ["rfc7541#2.3.3/beyond"],
      title: "The server calls index 10,000 a decoding error.",
    },
    [handshake],
    { ...get(1), blockTail: "ff914d" },
    { ...get(1), blockTail: "bd" },
  ),
  ...(
    [
      ["indexing", "7e0131", "7a0131", "literal with incremental indexing"],
      ["no-indexing", "0f2f0131", "0f2b0131", "literal without indexing"],
      ["never-indexed", "1f2f0131", "1f2b0131", "never-indexed literal"],
    ] as const
  ).map(([words, wrong, right, form]) =>
    undecoded(
      {
        id: `http2/hpack-name-index-beyond-${words}`,
        spec: "rfc7541#2.3.3",
        covers: ["rfc7541#2.3.3/beyond"],
        title: `The server calls index 62 a decoding error as the name of a ${form} when nothing has been added to the table.`,
      },
      [handshake],
      { ...get(1), blockTail: wrong },
      { ...get(1), blockTail: right },
    ),
  ),
];
