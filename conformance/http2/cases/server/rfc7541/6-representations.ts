import { answeredLikeFirst, compressionError, firstExchange, get, handshake, send, withoutMethod } from "../../phrases.ts";
import type { Case, FrameSpec, Row } from "../../../vocabulary.ts";

/** The name :method and the value GET, plain and Huffman-encoded. */
const NAMES = { plain: "073a6d6574686f64", huffman: "85b9495339e4" } as const;
const VALUES = { plain: "03474554", huffman: "83c5837f" } as const;
type Coding = keyof typeof NAMES;

/** The three literals of rfc7541#6.2, each with the pattern of its first octet. */
const INCREMENTAL = { section: "6.2.1", requirement: "incremental", pattern: 0x40 } as const;
const WITHOUT_INDEXING = { section: "6.2.2", requirement: "without-indexing", pattern: 0x00 } as const;
const NEVER_INDEXED = { section: "6.2.3", requirement: "never-indexed", pattern: 0x10 } as const;
type Form = typeof INCREMENTAL | typeof WITHOUT_INDEXING | typeof NEVER_INDEXED;
const octet = (value: number): string => value.toString(16).padStart(2, "0");

/** The :method of a request in one of the forms: a server that decodes it wrongly finds no :method, or another one. */
const decodes = ({
  form,
  name,
  coding,
  ...row
}: Row & { readonly form: Form; readonly name: "indexed" | "new"; readonly coding: Coding }): Case => ({
  spec: `rfc7541#${form.section}`,
  covers: [`rfc7541#${form.section}/${form.requirement}`, coding === "huffman" ? "rfc7541#5.2/huffman" : "rfc7541#5.2/plain"],
  level: "MUST",
  role: "server",
  steps: [
    ...firstExchange,
    send({
      ...get(3),
      blockHead: `${name === "indexed" ? octet(form.pattern | 2) : octet(form.pattern) + NAMES[coding]}${VALUES[coding]}`,
      fields: withoutMethod,
    }),
  ],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

const METHOD_IN = (form: Form): Partial<FrameSpec> => ({
  tableSize: [256],
  blockHead: `${octet(form.pattern)}${NAMES.plain}${VALUES.plain}`,
  fields: withoutMethod,
});
const fromTable = (stream: number): FrameSpec => ({ ...get(stream), blockHead: "be", fields: withoutMethod });

const added: Case = {
  id: "http2/hpack-incremental-adds-an-entry",
  spec: "rfc7541#6.2.1",
  covers: ["rfc7541#6.2.1/incremental", "rfc7541#3.2/processing"],
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  title: "The server adds a literal with incremental indexing to its table.",
  steps: [...firstExchange, send({ ...get(3), ...METHOD_IN(INCREMENTAL) }, fromTable(5))],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(5),
};
const notAdded = ({ form, ...row }: Row & { readonly form: Form }): Case => ({
  spec: `rfc7541#${form.section}`,
  covers: [`rfc7541#${form.section}/${form.requirement}`],
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...firstExchange, send({ ...get(3), ...METHOD_IN(form) }, fromTable(5))],
  control: [...firstExchange, send({ ...get(3), ...METHOD_IN(INCREMENTAL) }, fromTable(5))],
  allowed: compressionError,
  ...row,
});

/** Field representations (rfc7541#6). */
export const cases: readonly Case[] = [
  // A plain literal without indexing with a new name has no case: every request of this suite, the control included, consists of them.
  decodes({
    id: "http2/hpack-incremental-indexed-name",
    title: "The server decodes a literal with incremental indexing with an indexed name.",
    form: INCREMENTAL,
    name: "indexed",
    coding: "plain",
  }),
  decodes({
    id: "http2/hpack-incremental-indexed-name-huffman",
    title: "The server decodes a literal with incremental indexing with an indexed name and a Huffman-encoded value.",
    form: INCREMENTAL,
    name: "indexed",
    coding: "huffman",
  }),
  decodes({
    id: "http2/hpack-incremental-new-name",
    title: "The server decodes a literal with incremental indexing with a new name.",
    form: INCREMENTAL,
    name: "new",
    coding: "plain",
  }),
  decodes({
    id: "http2/hpack-incremental-new-name-huffman",
    title: "The server decodes a literal with incremental indexing with a Huffman-encoded new name and value.",
    form: INCREMENTAL,
    name: "new",
    coding: "huffman",
  }),
  decodes({
    id: "http2/hpack-not-indexed-indexed-name",
    title: "The server decodes a literal without indexing with an indexed name.",
    form: WITHOUT_INDEXING,
    name: "indexed",
    coding: "plain",
  }),
  decodes({
    id: "http2/hpack-not-indexed-indexed-name-huffman",
    title: "The server decodes a literal without indexing with an indexed name and a Huffman-encoded value.",
    form: WITHOUT_INDEXING,
    name: "indexed",
    coding: "huffman",
  }),
  decodes({
    id: "http2/hpack-not-indexed-new-name-huffman",
    title: "The server decodes a literal without indexing with a Huffman-encoded new name and value.",
    form: WITHOUT_INDEXING,
    name: "new",
    coding: "huffman",
  }),
  decodes({
    id: "http2/hpack-never-indexed-indexed-name",
    title: "The server decodes a never-indexed literal with an indexed name.",
    form: NEVER_INDEXED,
    name: "indexed",
    coding: "plain",
  }),
  decodes({
    id: "http2/hpack-never-indexed-indexed-name-huffman",
    title: "The server decodes a never-indexed literal with an indexed name and a Huffman-encoded value.",
    form: NEVER_INDEXED,
    name: "indexed",
    coding: "huffman",
  }),
  decodes({
    id: "http2/hpack-never-indexed-new-name",
    title: "The server decodes a never-indexed literal with a new name.",
    form: NEVER_INDEXED,
    name: "new",
    coding: "plain",
  }),
  decodes({
    id: "http2/hpack-never-indexed-new-name-huffman",
    title: "The server decodes a never-indexed literal with a Huffman-encoded new name and value.",
    form: NEVER_INDEXED,
    name: "new",
    coding: "huffman",
  }),
  added,
  notAdded({
    id: "http2/hpack-not-indexed-adds-no-entry",
    level: "SHOULD",
    title: "The server does not add a literal without indexing to its table.",
    form: WITHOUT_INDEXING,
  }),
  notAdded({
    id: "http2/hpack-never-indexed-adds-no-entry",
    title: "The server does not add a never-indexed literal to its table.",
    form: NEVER_INDEXED,
  }),
  {
    id: "http2/hpack-index-zero",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/index-zero"],
    level: "MUST",
    role: "server",
    title: "The server treats index 0 as a decoding error.",
    steps: [handshake, send({ ...get(1), blockTail: "80" })],
    control: [handshake, send({ ...get(1), blockTail: "bd" })],
    allowed: compressionError,
  },
  {
    id: "http2/hpack-index-zero-in-trailing-block",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/index-zero"],
    level: "MUST",
    role: "server",
    title: "The server treats index 0 in trailers as a decoding error.",
    steps: [
      handshake,
      send({ ...get(1), flags: ["END_HEADERS"] }, { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "80" }),
    ],
    control: [
      handshake,
      send(
        { ...get(1), flags: ["END_HEADERS"] },
        { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "0003782d610131" },
      ),
    ],
    allowed: compressionError,
  },
  {
    id: "http2/hpack-size-update-of-the-limit",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/accepted"],
    level: "MUST",
    role: "server",
    title: "The server accepts a size update to its HEADER_TABLE_SIZE.",
    steps: [...firstExchange, send({ ...get(3), tableSize: ["limit"] })],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/hpack-size-update-beyond-the-limit",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/beyond-limit"],
    level: "MUST",
    role: "server",
    title: "The server treats a size update above its HEADER_TABLE_SIZE as a decoding error.",
    steps: [handshake, send({ ...get(1), tableSize: ["beyond limit"] })],
    control: [handshake, send({ ...get(1), tableSize: ["limit"] })],
    allowed: compressionError,
  },
  {
    id: "http2/hpack-size-update-beyond-the-limit-then-back",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/beyond-limit"],
    level: "MUST",
    role: "server",
    title: "The server treats a size update above its HEADER_TABLE_SIZE as a decoding error even if a smaller one follows.",
    steps: [handshake, send({ ...get(1), tableSize: ["beyond limit", 0] })],
    control: [handshake, send({ ...get(1), tableSize: ["limit", 0] })],
    allowed: compressionError,
  },
];
