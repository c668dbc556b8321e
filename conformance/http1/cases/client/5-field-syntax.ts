import type { Case, Text } from "../../vocabulary.ts";
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
    level: "SHOULD",
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
    title: "The client compares field names without regard to case.",
    text: `${ok(`cOnTeNt-LENGTH: ${CONTENT.length}`)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-without-space",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "The client accepts a value without a space after the colon.",
    text: `${ok(`Content-Length:${CONTENT.length}`)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-edges",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/whitespace-excluded"],
    title: "The client ignores spaces and tabs around a value.",
    text: `${ok(`Content-Length: \t ${CONTENT.length} \t `)}${CONTENT}`,
  }),
  fine({
    id: "http1/client-field-empty-value",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded"],
    title: "The client accepts a field with an empty value.",
    text: whole(CONTENT, "X-Odd:", "X-Other: \t"),
  }),
  fine({
    id: "http1/client-field-obs-text",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text", "rfc9110#2.4/semantics"],
    title: "The client accepts octets beyond ASCII in a value, whatever their encoding.",
    text: whole(CONTENT, "X-Odd: \x80\xa0\xc3\xff"),
  }),
  fine({
    id: "http1/client-field-unknown",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/unknown-ignored", "rfc9110#2.4/semantics"],
    title: "The client ignores unknown fields.",
    text: whole(CONTENT, "X-Odd: 1", "x!#$%&'*+-.^_`|~9: 1", "X-Odd: 2"),
  }),
  noField("http1/client-field-no-colon", "The client rejects a field line without a colon.", "X-Odd"),
  noField("http1/client-field-no-name", "The client rejects a field line that begins with its colon.", ": 1"),
  noField("http1/client-field-name-with-space", "The client rejects a field name that contains a space.", "X Odd: 1"),
  noField("http1/client-field-name-with-bracket", "The client rejects a field name that contains a parenthesis.", "X(Odd): 1"),
  noField(
    "http1/client-field-name-with-octet-from-0x80",
    "The client rejects a field name that contains an octet beyond ASCII.",
    "X-\xd6dd: 1",
  ),
  noField("http1/client-field-name-with-nul", "The client rejects a field name that contains NUL.", "X-O\0dd: 1"),
  noField("http1/client-field-space-before-colon", "The client rejects whitespace between a field name and its colon.", "X-Odd : 1"),
  rejects({
    id: "http1/client-length-space-before-colon",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    title: "The client does not use a Content-Length with a space before its colon over a valid one.",
    text: `${ok("Content-Length : 3", length)}${CONTENT}`,
    right: whole(CONTENT, "X-Length: 3"),
    others: [recovered()],
  }),
  rejects({
    id: "http1/client-coding-space-before-colon",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    title: "The client does not silently decode chunks for a Transfer-Encoding with a space before its colon.",
    text: `${ok("Transfer-Encoding : chunked", `Content-Length: ${LAST.length}`)}${LAST}`,
    right: whole(LAST),
    others: [recovered(LAST)],
  }),
  rejects({
    id: "http1/client-value-nul",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    title: "The client rejects NUL in a value, or reads it as a space; it ends nothing.",
    text: whole(CONTENT, "X-Odd: a\0b"),
    others: [orPrints("rfc9110#5.5")],
  }),
  rejects({
    id: "http1/client-length-nul",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    title: "The client rejects NUL inside the value of Content-Length, even if it reads it as a space.",
    text: `${ok("Content-Length: 1\x000")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-value-controls",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/other-controls"],
    level: "MAY",
    title: "The client rejects other control characters in a value, or keeps them.",
    text: whole(CONTENT, "X-Odd: a\x01\x07\x7fb"),
    others: [orPrints("rfc9110#5.5")],
  }),
  folded("http1/client-fold", "The client reads a folded field as one field.", whole(CONTENT, "X-Odd: a\r\n b\r\n\t c")),
  folded(
    "http1/client-fold-hides-no-field",
    "The client does not read a folded line as another field.",
    `${ok("X-Odd: a\r\n Content-Length: 3", length)}${CONTENT}`,
  ),
  folded(
    "http1/client-fold-in-length",
    "The client reads a Content-Length whose value is on a folded line.",
    `${ok(`Content-Length:\r\n ${CONTENT.length}`)}${CONTENT}more`,
  ),
  folded(
    "http1/client-fold-in-coding",
    "The client reads a Transfer-Encoding whose value is on a folded line.",
    `${ok("Transfer-Encoding:\r\n\tchunked")}${CHUNKS}`,
  ),
  large("http1/client-field-of-16-kib", "The client accepts or rejects a field of 16 KiB, and exits.", `X-Odd: ${"a".repeat(16_384)}`),
  large("http1/client-field-of-1-mib", "The client accepts or rejects a field of 1 MiB, and exits.", `X-Odd: ${"a".repeat(1_048_576)}`),
  large(
    "http1/client-fields-by-the-thousand",
    "The client accepts or rejects ten thousand fields, and exits.",
    ...Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`),
  ),
];
