import type { Case, Text } from "../vocabulary.ts";
import { accepts, answer, CHUNKS, CONTENT, LAST, ok, orFails, orPrints, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 5, and RFC 9110, section 5: the field lines of a response. */

const length = `Content-Length: ${CONTENT.length}`;

/** Valid, if unusual. */
const fine = (entry: Pick<Case, "id" | "spec" | "covers" | "title"> & { readonly text: Text }): Case =>
  accepts({ ...entry, control: [answer(whole())] });

/** Not a field line: the response is invalid; ignoring the line is discouraged. */
const noField = (id: Case["id"], title: string, line: Text): Case =>
  rejects({
    id,
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    title,
    text: whole(CONTENT, line),
    right: whole(CONTENT, "X-Odd: 1"),
    others: [recovered()],
  });

/** A folded field: the client reads the fold as a space, or rejects the whole response. */
const folded = (id: Case["id"], title: string, text: Text): Case =>
  accepts({
    id,
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-response"],
    title,
    text,
    close: "end",
    needs: ["status"],
    others: [orFails("rfc9112#5.2", "warn")],
    control: [answer(whole(), { close: "end" })],
  });

/** Above any usual limit: the client accepts or rejects it, and in any case exits. */
const large = (id: Case["id"], title: string, ...fields: readonly Text[]): Case =>
  accepts({
    id,
    spec: "rfc9110#17.5",
    covers: ["rfc9110#17.5/limits"],
    level: "SHOULD",
    title,
    text: whole(CONTENT, ...fields),
    close: "end",
    others: [orFails("rfc9110#17.5")],
    control: [answer(whole(), { close: "end" })],
  });

export const cases: readonly Case[] = [
  fine({
    id: "http1/client-field-names-any-case",
    spec: "rfc9112#5",
    covers: ["rfc9112#5/name-case"],
    title: "Names of fields are compared without regard to case.",
    text: `${ok(`cOnTeNt-LENGTH: ${CONTENT.length}`)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-without-space",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "A value follows its colon without a space.",
    text: `${ok(`Content-Length:${CONTENT.length}`)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-edges",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/whitespace-excluded"],
    title: "Spaces and tabs at the edges of a value are none of it.",
    text: `${ok(`Content-Length: \t ${CONTENT.length} \t `)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-empty-value",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "A field without a value is a field.",
    text: whole(CONTENT, "X-Odd:", "X-Other: \t"),
  }),
  fine({
    id: "http1/client-field-obs-text",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text"],
    title: "Octets from 0x80 in a value are data, whatever encoding they may be of.",
    text: whole(CONTENT, "X-Odd: \x80\xa0\xc3\xff"),
  }),
  fine({
    id: "http1/client-field-unknown",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/unknown-ignored"],
    title: "Fields that are not known are ignored.",
    text: whole(CONTENT, "X-Odd: 1", "x!#$%&'*+-.^_`|~9: 1", "X-Odd: 2"),
  }),
  noField("http1/client-field-no-colon", "A line without a colon is no field.", "X-Odd"),
  noField("http1/client-field-no-name", "A line that begins with its colon is no field.", ": 1"),
  noField("http1/client-field-name-with-space", "A name with a space inside is no token.", "X Odd: 1"),
  noField("http1/client-field-name-with-bracket", "A name with a bracket is no token.", "X(Odd): 1"),
  noField("http1/client-field-name-with-octet-from-0x80", "A name with an octet from 0x80 is no token.", "X-\xd6dd: 1"),
  noField("http1/client-field-name-with-nul", "A name with NUL is no token.", "X-O\0dd: 1"),
  noField("http1/client-field-space-before-colon", "White space between a name and its colon makes the name no token.", "X-Odd : 1"),
  rejects({
    id: "http1/client-length-space-before-colon",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    title: "Content-Length with a space before its colon, beside a good one that differs, is not the one that counts.",
    text: `${ok("Content-Length : 3", length)}${CONTENT}`,
    right: whole(CONTENT, "X-Length: 3"),
    others: [recovered()],
  }),
  rejects({
    id: "http1/client-coding-space-before-colon",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    title: "Transfer-Encoding with a space before its colon, beside a Content-Length, does not make chunks of the content without a word.",
    text: `${ok("Transfer-Encoding : chunked", `Content-Length: ${LAST.length}`)}${LAST}`,
    right: whole(LAST),
    others: [recovered(LAST)],
  }),
  rejects({
    id: "http1/client-value-nul",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    title: "NUL in a value makes the response invalid, or stands for a space: it ends nothing.",
    text: whole(CONTENT, "X-Odd: a\0b"),
    others: [orPrints("rfc9110#5.5")],
  }),
  rejects({
    id: "http1/client-length-nul",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    title: "NUL inside the value of Content-Length makes it no number, whether it is refused or read as a space.",
    text: `${ok("Content-Length: 1\x000")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-value-controls",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/other-controls"],
    level: "MAY",
    title: "Other controls in a value make the response invalid, or are kept.",
    text: whole(CONTENT, "X-Odd: a\x01\x07\x7fb"),
    others: [orPrints("rfc9110#5.5")],
  }),
  folded("http1/client-fold", "A folded field is one field.", whole(CONTENT, "X-Odd: a\r\n b\r\n\t c")),
  folded(
    "http1/client-fold-hides-no-field",
    "What stands in a folded line is part of the value before it, and no field.",
    `${ok("X-Odd: a\r\n Content-Length: 3", length)}${CONTENT}`,
  ),
  folded(
    "http1/client-fold-in-length",
    "A Content-Length that is folded is the number in its second line.",
    `${ok(`Content-Length:\r\n ${CONTENT.length}`)}${CONTENT}more`,
  ),
  folded(
    "http1/client-fold-in-coding",
    "A Transfer-Encoding that is folded is the coding in its second line.",
    `${ok("Transfer-Encoding:\r\n\tchunked")}${CHUNKS}`,
  ),
  large("http1/client-field-of-16-kib", "A field of 16 KiB is taken or refused.", `X-Odd: ${"a".repeat(16_384)}`),
  large("http1/client-field-of-1-mib", "A field of 1 MiB is taken or refused.", `X-Odd: ${"a".repeat(1_048_576)}`),
  large(
    "http1/client-fields-by-the-thousand",
    "Ten thousand fields are taken or refused.",
    ...Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`),
  ),
];
