import { answeredLikeFirst, compressionError, get, handshake, request, send, withoutMethod } from "../../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step, TableSize } from "../../../vocabulary.ts";

type Request = FrameSpec & { readonly stream: number };

/** A field whose entry has this size (rfc7541#4.1): its name, its value, and 32 octets. */
const entry = (name: `x-${string}`, size: number): FieldSpec => [name, "v".repeat(size - 32 - name.length), "indexing"];
const adding = (stream: number, size: TableSize[], ...fields: FieldSpec[]): Request => ({
  ...get(stream),
  tableSize: size,
  fields: [...request(), ...fields],
});
const using = (stream: number, indices: string, size: TableSize[] = []): Request => ({
  ...get(stream),
  tableSize: size,
  blockTail: indices,
});

/** A request that adds an entry of 36 octets to the initial table, so that later blocks meet a table in use. */
const primed: Step[] = [
  handshake,
  send({ ...get(1), fields: [...request(), ["x-0", "1", "indexing"]] }),
  { do: "await", see: { see: "response", stream: 1, complete: true } },
];

/** The last frame refers to an entry that must exist. */
const finds = ({
  before = [],
  request,
  ...row
}: Row<"spec" | "covers"> & { readonly before?: readonly FrameSpec[]; readonly request: Request }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...primed, send(...before, request)],
  control: [...primed, send(get(3))],
  allowed: answeredLikeFirst(request.stream),
  ...row,
});
/** The last frame refers to an entry that must not exist; the last of the control, to one that must. */
const findsNothing = ({
  wrong,
  legal,
  ...row
}: Row<"spec" | "covers"> & { readonly wrong: FrameSpec[]; readonly legal: FrameSpec[] }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...primed, send(...wrong)],
  control: [...primed, send(...legal)],
  allowed: compressionError,
  ...row,
});

/** x-a with 30 characters of five Huffman bits each: an entry of 65 octets, with a value of 19 octets on the wire. With 29: an entry of 64. */
const HUFFMAN_30 = `4003782d6193${"00".repeat(18)}03`;
const HUFFMAN_29 = `4003782d6193${"00".repeat(18)}7f`;

/** Management of the dynamic table (rfc7541#4). */
export const cases: readonly Case[] = [
  finds({
    id: "http2/hpack-entry-as-large-as-the-table",
    title: "The server keeps an entry that is exactly as large as the table.",
    spec: "rfc7541#4.1",
    covers: ["rfc7541#4.1/entry-size", "rfc7541#4.4/evict-on-insertion"],
    before: [adding(3, [128], entry("x-a", 128))],
    request: using(5, "be"),
  }),
  findsNothing({
    id: "http2/hpack-entry-larger-by-one-octet",
    title: "The server does not keep an entry that is one octet larger than the table.",
    spec: "rfc7541#4.1",
    covers: ["rfc7541#4.1/entry-size", "rfc7541#4.4/larger-than-table"],
    level: "SHOULD",
    wrong: [adding(3, [128], entry("x-a", 129)), using(5, "be")],
    legal: [adding(3, [128], entry("x-a", 128)), using(5, "be")],
  }),
  findsNothing({
    id: "http2/hpack-entry-size-before-huffman",
    title: "The server computes the size of an entry after Huffman decoding.",
    spec: "rfc7541#4.1",
    covers: ["rfc7541#4.1/entry-size"],
    level: "SHOULD",
    wrong: [{ ...adding(3, [64]), blockTail: HUFFMAN_30 }, using(5, "be")],
    legal: [{ ...adding(3, [64]), blockTail: HUFFMAN_29 }, using(5, "be")],
  }),
  findsNothing({
    id: "http2/hpack-oldest-entry-evicted",
    title: "The server evicts the oldest entry when a new one does not fit.",
    spec: "rfc7541#4.4",
    covers: ["rfc7541#4.4/evict-on-insertion", "rfc7541#4.1/entry-size"],
    level: "SHOULD",
    wrong: [adding(3, [128], entry("x-a", 64), entry("x-b", 64), entry("x-c", 64)), using(5, "c0")],
    legal: [adding(3, [128], entry("x-a", 64), entry("x-b", 64), entry("x-c", 64)), using(5, "bf")],
  }),
  finds({
    id: "http2/hpack-only-the-oldest-evicted",
    title: "The server evicts no more entries than needed.",
    spec: "rfc7541#4.4",
    covers: ["rfc7541#4.4/evict-on-insertion"],
    before: [adding(3, [192], entry("x-a", 64), entry("x-b", 64), entry("x-c", 64), entry("x-d", 64))],
    request: using(5, "bebfc0"),
  }),
  findsNothing({
    id: "http2/hpack-larger-than-table-empties-it",
    title: "The server empties its table when an entry is larger than the table.",
    spec: "rfc7541#4.4",
    covers: ["rfc7541#4.4/larger-than-table"],
    level: "SHOULD",
    wrong: [adding(3, [128], entry("x-a", 64), entry("x-b", 129)), using(5, "be")],
    legal: [adding(3, [128], entry("x-a", 64), entry("x-b", 128)), using(5, "be")],
  }),
  finds({
    id: "http2/hpack-larger-than-table-no-error",
    title: "The server accepts a field whose entry is larger than the table, and adds later entries.",
    spec: "rfc7541#4.4",
    covers: ["rfc7541#4.4/larger-than-table"],
    before: [adding(3, [128], entry("x-a", 64), entry("x-b", 1000), entry("x-c", 64), entry("x-d", 64))],
    request: using(5, "bebf"),
  }),
  finds({
    id: "http2/hpack-name-of-the-entry-being-evicted",
    title: "The server adds an entry that takes its name from the entry it evicts.",
    spec: "rfc7541#4.4",
    covers: ["rfc7541#4.4/name-of-evicted"],
    before: [
      { ...get(3), tableSize: [64], fields: [[":method", "GET", "indexing"], ...withoutMethod] },
      { ...get(5), blockHead: "7e03474554", fields: withoutMethod },
    ],
    request: { ...get(7), blockHead: "be", fields: withoutMethod },
  }),
  findsNothing({
    id: "http2/hpack-reduction-evicts",
    title: "The server evicts the oldest entry when the table shrinks.",
    spec: "rfc7541#4.3",
    covers: ["rfc7541#4.3/evict-on-reduction", "rfc7541#6.3/accepted"],
    wrong: [adding(3, [128], entry("x-a", 64), entry("x-b", 64)), using(5, "bf", [64])],
    legal: [adding(3, [128], entry("x-a", 64), entry("x-b", 64)), using(5, "be", [64])],
  }),
  findsNothing({
    id: "http2/hpack-reduction-by-one-octet",
    title: "The server evicts an entry when the table shrinks below it by one octet, even if the table grows again.",
    spec: "rfc7541#4.3",
    covers: ["rfc7541#4.3/evict-on-reduction"],
    level: "SHOULD",
    wrong: [adding(3, [128], entry("x-a", 64), entry("x-b", 64)), using(5, "", [127]), using(7, "bf", [128])],
    legal: [adding(3, [128], entry("x-a", 64), entry("x-b", 64)), using(5, "", [127]), using(7, "be", [128])],
  }),
  findsNothing({
    id: "http2/hpack-size-zero-clears-the-table",
    title: "The server clears its table on a size of 0, even if the table grows again.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/clear", "rfc7541#2.3.3/beyond"],
    wrong: [adding(3, [128], entry("x-a", 64)), using(5, "", [0]), using(7, "be", [128])],
    legal: [adding(3, [128], entry("x-a", 64)), using(5, "", [64]), using(7, "be", [128])],
  }),
  finds({
    id: "http2/hpack-entries-after-clearing",
    title: "The server adds entries after its table was cleared.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/clear"],
    before: [adding(3, [128], entry("x-a", 64)), using(5, "", [0]), adding(7, [128], entry("x-b", 64))],
    request: using(9, "be"),
  }),
  finds({
    id: "http2/hpack-two-size-updates",
    title: "The server accepts two size updates at the start of a block.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/two-updates"],
    request: { ...get(3), tableSize: [0, "limit"] },
  }),
  finds({
    id: "http2/hpack-two-size-updates-with-entries",
    title: "The server accepts two size updates at the start of a block when its table has entries.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/two-updates"],
    before: [adding(3, [128], entry("x-a", 64))],
    request: using(5, "be", [64, 128]),
  }),
  finds({
    id: "http2/hpack-size-update-in-every-block",
    title: "The server accepts a size update at the start of every block.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#6.3/accepted"],
    before: [adding(3, [128], entry("x-a", 64)), using(5, "be", [128]), using(7, "be", [127])],
    request: using(9, "be", [128]),
  }),
  {
    id: "http2/hpack-size-update-before-the-first-entry",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/accepted", "rfc7541#4.4/evict-on-insertion"],
    level: "MUST",
    role: "server",
    needs: ["dynamic-table"],
    title: "The server applies a size update that arrives before any entry.",
    steps: [handshake, send(adding(1, [128], entry("x-a", 64), entry("x-b", 64), entry("x-c", 64)), using(3, "c0"))],
    control: [handshake, send(adding(1, [128], entry("x-a", 64), entry("x-b", 64), entry("x-c", 64)), using(3, "bf"))],
    allowed: compressionError,
  },
  findsNothing({
    id: "http2/hpack-size-update-at-the-end",
    title: "The server treats a size update at the end of a block as a decoding error.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-elsewhere"],
    level: "SHOULD",
    wrong: [{ ...get(3), blockTail: "3e" }],
    legal: [{ ...get(3), tableSize: [30] }],
  }),
  {
    id: "http2/hpack-size-update-at-the-end-of-the-first-block",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-elsewhere"],
    level: "SHOULD",
    role: "server",
    title: "The server treats a size update at the end of the first block as a decoding error even if its table is empty.",
    steps: [handshake, send({ ...get(1), blockTail: "3e" })],
    control: [handshake, send({ ...get(1), tableSize: [30] })],
    allowed: compressionError,
  },
  findsNothing({
    id: "http2/hpack-size-update-between-fields",
    title: "The server treats a size update between two fields as a decoding error.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-elsewhere"],
    level: "SHOULD",
    wrong: [{ ...get(3), blockHead: "8220", fields: withoutMethod }],
    legal: [{ ...get(3), blockHead: "2082", fields: withoutMethod }],
  }),
  findsNothing({
    id: "http2/hpack-size-update-in-continuation",
    title: "The server treats a size update at the start of CONTINUATION, after fields in HEADERS, as a decoding error.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-elsewhere"],
    level: "SHOULD",
    wrong: [
      { type: "HEADERS", stream: 3, flags: ["END_STREAM"], fields: request() },
      { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], block: "20" },
    ],
    legal: [
      { type: "HEADERS", stream: 3, flags: ["END_STREAM"], block: "20" },
      { type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], fields: request() },
    ],
  }),
];
