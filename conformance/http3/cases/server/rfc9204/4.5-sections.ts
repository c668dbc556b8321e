import { connectionError, getOn, handshake, octetsOn, permitted, sectionOf, whole } from "../../phrases.ts";
import { insert, line, prefix } from "../../../../wire/qpack/build.ts";
import type { Case, Outcome, Row, Step } from "../../../vocabulary.ts";

const FAILED = "QPACK_DECOMPRESSION_FAILED";
/** Lines of a request that need no table; their values are replaced by the driver only in `fields`, so the authority stands on its own. */
const METHOD = line.static(17);
const SCHEME = line.static(23);
const PATH = line.static(1);
const AUTHORITY = line.literal(":authority", "localhost");
const plain = [METHOD, SCHEME, AUTHORITY, PATH] as const;
const NONE = prefix(0);

const good: Step = whole("request", sectionOf(NONE, ...plain));
const refuses = ({
  section,
  before = [],
  also = [],
  ...row
}: Row<"covers" | "spec"> & {
  readonly section: readonly Uint8Array[];
  readonly before?: readonly Step[];
  readonly also?: readonly Outcome[];
}): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, ...before, whole("request", sectionOf(...section))],
  control: [handshake, ...before, good],
  allowed: connectionError(FAILED, ...also),
  ...row,
});
const invalid = ["rfc9204#2.2.3/reference-invalid"] as const;
const unknown = ["rfc9204#3.1/unknown-index"] as const;
const onStream: readonly Outcome[] = [permitted({ see: "stream error", on: "request", code: FAILED }, "rfc9204#7.4")];
/** Some readers take a section that breaks off for a malformed message. */
const cut: readonly Outcome[] = [
  permitted({ see: "stream error", on: "request", code: [FAILED, "H3_MESSAGE_ERROR"] }, "rfc9204#2.2", "warn"),
];

const twin = { see: "response", on: "request 2", sameStatusAs: "request" } as const;
/** A section in another form, answered like the plain one before it. */
const reads = ({
  section,
  before = [],
  ...row
}: Row<"covers" | "spec"> & { readonly section: readonly Uint8Array[]; readonly before?: readonly Step[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, ...before, good, whole("request 2", sectionOf(...section))],
  control: [handshake, ...before, good, whole("request 2", sectionOf(NONE, ...plain))],
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, twin] } }],
  ...row,
});
const huffman = (octets: string): Uint8Array => new Uint8Array(Buffer.from(octets, "hex"));
/** Two entries: x-one: 1 and then x-two: 2. */
const table: Step = octetsOn(
  "encoder",
  "a capacity, and two insertions",
  insert.capacity(200),
  insert.literal("x-one", "1"),
  insert.literal("x-two", "2"),
);
const dynamic = { needs: ["dynamic-table"], before: [table] } as const;

/** Field sections (rfc9204#4.5). */
export const cases: readonly Case[] = [
  refuses({
    id: "http3/section-with-unknown-static-index",
    spec: "rfc9204#3.1",
    title: "The server treats static index 99 in a section as QPACK_DECOMPRESSION_FAILED.",
    covers: unknown,
    section: [NONE, ...plain, line.static(99)],
  }),
  refuses({
    id: "http3/section-with-large-static-index",
    spec: "rfc9204#3.1",
    title: "The server treats static index 1,000,000 in a section as QPACK_DECOMPRESSION_FAILED.",
    covers: unknown,
    section: [NONE, ...plain, line.static(1_000_000)],
  }),
  refuses({
    id: "http3/section-with-unknown-static-name",
    spec: "rfc9204#3.1",
    title: "The server treats the name of static entry 99 in a section as QPACK_DECOMPRESSION_FAILED.",
    covers: unknown,
    section: [NONE, ...plain, line.staticName(99, "value")],
  }),
  refuses({
    id: "http3/section-with-absent-dynamic-index",
    spec: "rfc9204#2.2.3",
    title: "The server treats a dynamic reference in a section that requires none as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    section: [NONE, ...plain, line.dynamic(0)],
  }),
  refuses({
    id: "http3/section-with-absent-dynamic-name",
    spec: "rfc9204#2.2.3",
    title: "The server treats a dynamic name in a section that requires none as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    section: [NONE, ...plain, line.dynamicName(0, "value")],
  }),
  refuses({
    id: "http3/section-with-absent-post-base-index",
    spec: "rfc9204#2.2.3",
    title: "The server treats a post-base reference in a section that requires none as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    section: [NONE, ...plain, line.postBase(0)],
  }),
  refuses({
    id: "http3/section-with-absent-post-base-name",
    spec: "rfc9204#2.2.3",
    title: "The server treats a post-base name in a section that requires none as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    section: [NONE, ...plain, line.postBaseName(0, "value")],
  }),
  refuses({
    id: "http3/section-with-reference-beyond-its-count",
    spec: "rfc9204#2.2.1",
    title: "The server treats a reference to an entry that the section does not require as QPACK_DECOMPRESSION_FAILED.",
    covers: ["rfc9204#2.2.1/insert-count-small", "rfc9204#2.2.3/reference-invalid"],
    ...dynamic,
    section: [prefix(2, 0), ...plain, line.postBase(0)],
  }),
  refuses({
    id: "http3/section-with-index-before-the-first-entry",
    spec: "rfc9204#2.2.3",
    title: "The server treats a reference before the first entry as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    ...dynamic,
    section: [prefix(3, 0), ...plain, line.dynamic(2)],
  }),
  refuses({
    id: "http3/section-with-evicted-entry",
    spec: "rfc9204#2.2.3",
    title: "The server treats a reference to an evicted entry as QPACK_DECOMPRESSION_FAILED.",
    covers: invalid,
    needs: ["dynamic-table"],
    before: [
      octetsOn(
        "encoder",
        "room for one entry, and two insertions",
        insert.capacity(50),
        insert.literal("x-one", "1"),
        insert.literal("x-two", "2"),
      ),
    ],
    section: [prefix(3, 0), ...plain, line.dynamic(1)],
  }),
  refuses({
    id: "http3/section-with-count-without-table",
    spec: "rfc9204#4.5.1.1",
    title: "The server without a dynamic table treats a Required Insert Count as QPACK_DECOMPRESSION_FAILED.",
    covers: ["rfc9204#4.5.1.1/impossible"],
    needs: ["no-dynamic-table"],
    section: [prefix(1, 0), ...plain],
  }),
  refuses({
    id: "http3/section-with-impossible-count",
    spec: "rfc9204#4.5.1.1",
    title: "The server treats a Required Insert Count that cannot have been meant as QPACK_DECOMPRESSION_FAILED.",
    covers: ["rfc9204#4.5.1.1/impossible"],
    needs: ["dynamic-table"],
    section: [prefix(1_000_000, 0), ...plain],
  }),
  refuses({
    id: "http3/section-with-negative-base",
    spec: "rfc9204#4.5.1.2",
    title: "The server treats a negative base as QPACK_DECOMPRESSION_FAILED.",
    covers: ["rfc9204#4.5.1.2/negative"],
    ...dynamic,
    section: [prefix(3, 2, true), ...plain, line.postBase(2)],
  }),
  refuses({
    id: "http3/section-without-prefix",
    spec: "rfc9204#4.5",
    title: "The server treats an empty HEADERS frame as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [],
    also: [...cut, permitted({ see: "close", code: "H3_FRAME_ERROR" }, "rfc9114#7.1")],
  }),
  refuses({
    id: "http3/section-with-half-a-prefix",
    spec: "rfc9204#4.5.1",
    title: "The server treats a section of one octet as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [Uint8Array.of(0)],
    also: [...cut, permitted({ see: "close", code: "H3_FRAME_ERROR" }, "rfc9114#7.1")],
  }),
  refuses({
    id: "http3/section-cut-within-a-name",
    spec: "rfc9204#4.5.6",
    title: "The server treats a section that ends within a name as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [NONE, ...plain, line.literal("x-name", "value").subarray(0, 4)],
    also: cut,
  }),
  refuses({
    id: "http3/section-cut-before-a-value",
    spec: "rfc9204#4.5.6",
    title: "The server treats a section that ends before a value as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [NONE, ...plain, line.literal("x-name", "value").subarray(0, 7)],
    also: cut,
  }),
  refuses({
    id: "http3/section-cut-within-a-value",
    spec: "rfc9204#4.5.6",
    title: "The server treats a section that ends within a value as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [NONE, ...plain, line.literal("x-name", "value").subarray(0, 10)],
    also: cut,
  }),
  refuses({
    id: "http3/section-cut-within-an-index",
    spec: "rfc9204#4.5.2",
    title: "The server treats a section that ends within an index as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.5.6/whole"],
    section: [NONE, ...plain, Uint8Array.of(0xff)],
    also: cut,
  }),
  refuses({
    id: "http3/section-with-invalid-huffman",
    spec: "rfc9204#4.1.2",
    title: "The server treats invalid Huffman padding in a section as QPACK_DECOMPRESSION_FAILED.",
    level: "SHOULD",
    covers: ["rfc9204#4.1.2/strings"],
    section: [NONE, ...plain, huffman("29001f0131")],
    also: cut,
  }),
  refuses({
    id: "http3/section-with-endless-index",
    spec: "rfc9204#7.4",
    title: "The server treats an index beyond 62 bits as QPACK_DECOMPRESSION_FAILED.",
    covers: ["rfc9204#7.4/beyond"],
    section: [NONE, ...plain, huffman("ffffffffffffffffffffffff7f")],
    also: onStream,
  }),

  reads({
    id: "http3/section-of-static-entries",
    spec: "rfc9204#4.5.2",
    title: "The server reads entries of the static table.",
    covers: ["rfc9204#4.5.2/indexed", "rfc9204#3.1/entries"],
    section: [NONE, ...plain, line.static(31)],
  }),
  reads({
    id: "http3/section-of-static-names",
    spec: "rfc9204#4.5.4",
    title: "The server reads literals with names of the static table.",
    covers: ["rfc9204#4.5.4/name-reference"],
    section: [NONE, line.staticName(15, "GET"), line.staticName(22, "https"), line.staticName(0, "localhost"), line.staticName(1, "/")],
  }),
  reads({
    id: "http3/section-with-never-indexed-literal",
    spec: "rfc9204#4.5.6",
    title: "The server reads a literal with the N bit.",
    covers: ["rfc9204#4.5.6/literal-name"],
    section: [NONE, ...plain, huffman("3578 2d61 01 31".replaceAll(" ", "")).map((octet, at) => (at === 0 ? 0x33 : octet))],
  }),
  reads({
    id: "http3/section-with-huffman-strings",
    spec: "rfc9204#4.1.2",
    title: "The server reads Huffman strings.",
    covers: ["rfc9204#4.1.2/strings"],
    section: [NONE, METHOD, SCHEME, PATH, Uint8Array.of(0x50), huffman("86a0e41d139d09")],
  }),
  reads({
    id: "http3/section-with-base-beyond-count",
    spec: "rfc9204#4.5.1.2",
    title: "The server reads a section without references whose base is not 0.",
    covers: ["rfc9204#4.5.1.2/base"],
    section: [prefix(0, 5), ...plain],
  }),
  reads({
    id: "http3/section-with-dynamic-index",
    spec: "rfc9204#4.5.2",
    title: "The server reads an entry of the dynamic table before the base.",
    covers: ["rfc9204#4.5.2/indexed", "rfc9204#3.2.5/relative"],
    ...dynamic,
    section: [prefix(3, 0), ...plain, line.dynamic(0), line.dynamic(1)],
  }),
  reads({
    id: "http3/section-with-dynamic-name",
    spec: "rfc9204#4.5.4",
    title: "The server reads a literal with a name of the dynamic table.",
    covers: ["rfc9204#4.5.4/name-reference"],
    ...dynamic,
    section: [prefix(3, 0), ...plain, line.dynamicName(0, "other")],
  }),
  reads({
    id: "http3/section-with-post-base-index",
    spec: "rfc9204#4.5.3",
    title: "The server reads an entry after the base.",
    covers: ["rfc9204#4.5.3/post-base", "rfc9204#3.2.6/post-base"],
    ...dynamic,
    section: [prefix(3, 1, true), ...plain, line.postBase(0), line.postBase(1)],
  }),
  reads({
    id: "http3/section-with-post-base-name",
    spec: "rfc9204#4.5.5",
    title: "The server reads a literal with the name of an entry after the base.",
    covers: ["rfc9204#4.5.5/post-base-name"],
    ...dynamic,
    section: [prefix(3, 1, true), ...plain, line.postBaseName(1, "other")],
  }),
  {
    id: "http3/section-acknowledged",
    spec: "rfc9204#2.2.2.1",
    covers: ["rfc9204#2.2.2.1/acknowledges"],
    level: "MUST",
    role: "server",
    needs: ["dynamic-table"],
    title: "The server acknowledges a section with dynamic references.",
    steps: [handshake, table, whole("request", sectionOf(prefix(3, 0), ...plain, line.dynamic(0)))],
    control: [handshake, table, good],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "decoded", instruction: "acknowledgment", value: 0 }] } }],
  },
  {
    id: "http3/section-blocked-until-inserted",
    spec: "rfc9204#2.2.1",
    covers: ["rfc9204#2.2.1/blocked-until-inserted"],
    level: "MUST",
    role: "server",
    needs: ["blocked-streams"],
    title: "The server decodes a section when the insertions that it requires have come.",
    steps: [
      handshake,
      getOn("request 7"),
      whole("request", sectionOf(prefix(3, 0), ...plain, line.dynamic(0))),
      { do: "await", see: { see: "response", on: "request 7", complete: true } },
      table,
    ],
    control: [handshake, table, good],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", on: "request", complete: true }] } }],
  },
  {
    id: "http3/too-many-blocked-streams",
    spec: "rfc9204#2.1.2",
    covers: ["rfc9204#2.1.2/too-many-blocked"],
    level: "MUST",
    role: "server",
    needs: ["blocked-streams"],
    title: "The server treats more blocked streams than it permits as QPACK_DECOMPRESSION_FAILED.",
    steps: [handshake, { do: "block streams", frames: [sectionOf(prefix(3, 0), ...plain, line.dynamic(0))], beyond: 1 }],
    control: [handshake, { do: "block streams", frames: [sectionOf(prefix(3, 0), ...plain, line.dynamic(0))], beyond: 0 }, table],
    allowed: connectionError(FAILED),
  },
];
