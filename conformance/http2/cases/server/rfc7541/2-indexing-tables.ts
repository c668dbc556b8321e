import { answeredLikeFirst, compressionError, firstExchange, get, handshake, request, send, withoutMethod } from "../../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../../vocabulary.ts";

type Request = FrameSpec & { readonly stream: number };
const [, scheme, authority, path] = request();
const METHOD: FieldSpec = [":method", "GET", "indexing"];
const PATH: FieldSpec = [":path", "{path}", "indexing"];
/** Sets the table to 256 octets, whatever the server allows; index 62 is its newest entry. */
const SIZE: Pick<FrameSpec, "tableSize"> = { tableSize: [256] };

const decodingError = ({
  before,
  wrong,
  legal,
  ...row
}: Row<"spec" | "covers"> & { readonly before: readonly Step[]; readonly wrong: FrameSpec; readonly legal: FrameSpec }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...before, send(wrong)],
  control: [...before, send(legal)],
  allowed: compressionError,
  ...row,
});
const decodes = ({
  before = [],
  request,
  ...row
}: Row<"spec" | "covers"> & { readonly before?: readonly FrameSpec[]; readonly request: Request }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...firstExchange, send(...before, request)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(request.stream),
  ...row,
});

/** The static and the dynamic table (rfc7541#2.3), as a server decodes requests. */
export const cases: readonly Case[] = [
  decodes({
    id: "http2/hpack-static-method",
    title: "The server decodes index 2 as :method: GET.",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table", "rfc7541#6.1/indexed"],
    request: { ...get(3), blockHead: "82", fields: withoutMethod },
  }),
  {
    id: "http2/hpack-static-paths",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    title: "The server decodes index 4 as :path: / and index 5 as :path: /index.html.",
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
    title: "The server decodes index 3 as :method: POST.",
    steps: [handshake, send({ ...get(1), fields: request("POST") }, { ...get(3), blockHead: "83", fields: withoutMethod })],
    control: [handshake, send(get(1))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/hpack-static-scheme-http",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    needs: ["clear"],
    title: "The server decodes index 6 as :scheme: http.",
    steps: [...firstExchange, send({ ...get(3), blockHead: "86", fields: [[":method", "GET"], authority, path] })],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/hpack-static-scheme-https",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table"],
    level: "MUST",
    role: "server",
    needs: ["tls"],
    title: "The server decodes index 7 as :scheme: https.",
    steps: [...firstExchange, send({ ...get(3), blockHead: "87", fields: [[":method", "GET"], authority, path] })],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  decodes({
    id: "http2/hpack-static-regular-fields",
    title: "The server decodes static table entries up to the last one.",
    spec: "rfc7541#2.3.1",
    covers: ["rfc7541#2.3.1/static-table", "rfc7541#6.1/indexed"],
    request: { ...get(3), blockTail: "8f909193a5babcbd" },
  }),
  decodes({
    id: "http2/hpack-first-in-first-out",
    title: "The server finds the newest dynamic table entry at index 62 and the previous one at 63.",
    spec: "rfc7541#2.3.2",
    covers: ["rfc7541#2.3.2/first-in-first-out", "rfc7541#2.3.3/address-space", "rfc7541#3.2/processing"],
    before: [
      { ...get(3), ...SIZE, fields: [PATH, METHOD, scheme, authority] },
      { ...get(5), blockHead: "be", fields: [...withoutMethod, ["x-new", "1", "indexing"]] },
      { ...get(7), blockHead: "bfc0", fields: [scheme, authority] },
    ],
    request: { ...get(9), blockHead: "bf", fields: withoutMethod },
  }),
  decodes({
    id: "http2/hpack-duplicate-entries",
    title: "The server adds the same entry twice to its dynamic table, and finds both.",
    spec: "rfc7541#2.3.2",
    covers: ["rfc7541#2.3.2/duplicates"],
    before: [{ ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"], ["x-name", "1", "indexing"]] }],
    request: { ...get(5), fields: request(), blockTail: "bebf" },
  }),
  decodes({
    id: "http2/hpack-entry-used-in-its-own-block",
    title: "The server finds an entry later in the block that added it.",
    spec: "rfc7541#3.2",
    covers: ["rfc7541#3.2/processing", "rfc7541#6.2.1/incremental"],
    request: { ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"]], blockTail: "be" },
  }),
  decodingError({
    id: "http2/hpack-table-initially-empty",
    title: "The server treats index 62 as a decoding error while its dynamic table is empty.",
    spec: "rfc7541#2.3.2",
    covers: ["rfc7541#2.3.2/initially-empty", "rfc7541#2.3.3/beyond"],
    before: [handshake],
    wrong: { ...get(1), blockTail: "be" },
    legal: { ...get(1), blockTail: "bd" },
  }),
  decodingError({
    id: "http2/hpack-tables-of-both-directions-apart",
    title: "The server does not look up the client's indices in the table of its own encoder.",
    spec: "rfc7541#2.2",
    covers: ["rfc7541#2.2/separate-contexts", "rfc7541#2.3.3/beyond"],
    before: firstExchange,
    wrong: { ...get(3), blockTail: "be" },
    legal: { ...get(3), blockTail: "bd" },
  }),
  decodingError({
    id: "http2/hpack-index-beyond-both-tables",
    title: "The server treats the index after the last dynamic table entry as a decoding error.",
    spec: "rfc7541#2.3.3",
    covers: ["rfc7541#2.3.3/beyond"],
    before: [...firstExchange, send({ ...get(3), ...SIZE, fields: [...request(), ["x-name", "1", "indexing"]] })],
    wrong: { ...get(5), blockTail: "bf" },
    legal: { ...get(5), blockTail: "be" },
  }),
  decodingError({
    id: "http2/hpack-index-far-beyond",
    title: "The server treats index 10,000 as a decoding error.",
    spec: "rfc7541#2.3.3",
    covers: ["rfc7541#2.3.3/beyond"],
    before: [handshake],
    wrong: { ...get(1), blockTail: "ff914d" },
    legal: { ...get(1), blockTail: "bd" },
  }),
  decodingError({
    id: "http2/hpack-name-index-beyond-indexing",
    title:
      "The server treats index 62 as the name of a literal with incremental indexing as a decoding error while its dynamic table is empty.",
    spec: "rfc7541#2.3.3",
    covers: ["rfc7541#2.3.3/beyond"],
    before: [handshake],
    wrong: { ...get(1), blockTail: "7e0131" },
    legal: { ...get(1), blockTail: "7a0131" },
  }),
  decodingError({
    id: "http2/hpack-name-index-beyond-no-indexing",
    title: "The server treats index 62 as the name of a literal without indexing as a decoding error while its dynamic table is empty.",
    spec: "rfc7541#2.3.3",
    covers: ["rfc7541#2.3.3/beyond"],
    before: [handshake],
    wrong: { ...get(1), blockTail: "0f2f0131" },
    legal: { ...get(1), blockTail: "0f2b0131" },
  }),
  decodingError({
    id: "http2/hpack-name-index-beyond-never-indexed",
    title: "The server treats index 62 as the name of a never-indexed literal as a decoding error while its dynamic table is empty.",
    spec: "rfc7541#2.3.3",
    covers: ["rfc7541#2.3.3/beyond"],
    before: [handshake],
    wrong: { ...get(1), blockTail: "1f2f0131" },
    legal: { ...get(1), blockTail: "1f2b0131" },
  }),
];
