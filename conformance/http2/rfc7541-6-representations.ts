import { answeredLikeFirst, compressionError, firstExchange, get, handshake, request, send } from "./phrases.ts";
import type { Case, FrameSpec, Row } from "./vocabulary.ts";

const [, scheme, authority, path] = request();
const REST = [scheme, authority, path];

/** The name :method and the value GET, plain and Huffman-encoded. */
const NAMES = { plain: "073a6d6574686f64", huffman: "85b9495339e4" } as const;
const VALUES = { plain: "03474554", huffman: "83c5837f" } as const;
type Coding = keyof typeof NAMES;

const FORMS = [
  { words: "incremental", title: "a literal with incremental indexing", section: "6.2.1", requirement: "incremental", pattern: 0x40 },
  { words: "not-indexed", title: "a literal without indexing", section: "6.2.2", requirement: "without-indexing", pattern: 0x00 },
  { words: "never-indexed", title: "a never-indexed literal", section: "6.2.3", requirement: "never-indexed", pattern: 0x10 },
] as const;
type Form = (typeof FORMS)[number];
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
      fields: REST,
    }),
  ],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

const METHOD_IN = (form: Form): Partial<FrameSpec> => ({
  tableSize: [256],
  blockHead: `${octet(form.pattern)}${NAMES.plain}${VALUES.plain}`,
  fields: REST,
});
const fromTable = (stream: number): FrameSpec => ({ ...get(stream), blockHead: "be", fields: REST });

const added: Case = {
  id: "http2/hpack-incremental-adds-an-entry",
  spec: "rfc7541#6.2.1",
  covers: ["rfc7541#6.2.1/incremental", "rfc7541#3.2/processing"],
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  title: "The server adds a literal with incremental indexing to its table.",
  steps: [...firstExchange, send({ ...get(3), ...METHOD_IN(FORMS[0]) }, fromTable(5))],
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
  control: [...firstExchange, send({ ...get(3), ...METHOD_IN(FORMS[0]) }, fromTable(5))],
  allowed: compressionError,
  ...row,
});

/** Field representations (rfc7541#6). */
export const cases: readonly Case[] = [
  // A plain literal without indexing with a new name has no case: every request of this suite, the control included, consists of them.
  ...FORMS.flatMap((form) => [
    decodes({
      id: `http2/hpack-${form.words}-indexed-name`,
      title: `The server decodes ${form.title} with an indexed name.`,
      form,
      name: "indexed",
      coding: "plain",
    }),
    decodes({
      id: `http2/hpack-${form.words}-indexed-name-huffman`,
      title: `The server decodes ${form.title} with an indexed name and a Huffman-encoded value.`,
      form,
      name: "indexed",
      coding: "huffman",
    }),
    ...(form.pattern === 0
      ? []
      : [
          decodes({
            id: `http2/hpack-${form.words}-new-name`,
            title: `The server decodes ${form.title} with a new name.`,
            form,
            name: "new",
            coding: "plain",
          }),
        ]),
    decodes({
      id: `http2/hpack-${form.words}-new-name-huffman`,
      title: `The server decodes ${form.title} with a Huffman-encoded new name and value.`,
      form,
      name: "new",
      coding: "huffman",
    }),
  ]),
  added,
  notAdded({
    id: "http2/hpack-not-indexed-adds-no-entry",
    title: "The server does not add a literal without indexing to its table.",
    form: FORMS[1],
  }),
  notAdded({
    id: "http2/hpack-never-indexed-adds-no-entry",
    title: "The server does not add a never-indexed literal to its table.",
    form: FORMS[2],
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
