import { acceptsContent, chunked, contentAccepted, LAST, plainChunks, rejectsChunks } from "../framing-phrases.ts";
import { permitted, send } from "../phrases.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";

/** RFC 9112, section 7.1.1: chunk extensions, which a server ignores unless it knows them. */

const ignored = (id: Case["id"], title: string, extension: Text, more: Partial<Pick<Case, "covers">> = {}): Case =>
  acceptsContent({
    id,
    requirement: "7.1.1/ignored",
    spec: "rfc9112#7.1.1",
    title,
    text: chunked(`5${extension}\r\nhello\r\n${LAST}`),
    right: plainChunks,
    ...more,
  });
/** Not an extension by the grammar. Skipping to the end of the line is discouraged, since another reader may find another line end. */
const malformed = ({
  extension,
  ...entry
}: Pick<Case, "id" | "title"> & { readonly extension: Text; readonly others?: readonly Outcome[] }): Case =>
  rejectsChunks({
    requirement: "2.2/no-match",
    spec: "rfc9112#7.1.1",
    level: "SHOULD",
    content: `5${extension}\r\nhello\r\n${LAST}`,
    ...entry,
  });
/** More than any limit for extensions. */
const LARGE: Text = "x".repeat(40_000);
const skipped = permitted(contentAccepted[0].see, "rfc9112#2.2", "warn");

export const cases: readonly Case[] = [
  ignored("http1/chunk-extension-name", "The server ignores a chunk extension without a value.", ";touchstone"),
  ignored("http1/chunk-extension-value", "The server ignores a chunk extension with a value.", ";touchstone=1"),
  ignored("http1/chunk-extension-quoted", "The server ignores a chunk extension with a quoted value.", ';touchstone="a b"'),
  ignored(
    "http1/chunk-extension-quoted-semicolon",
    "The server reads a quoted semicolon as part of the extension's value.",
    ';touchstone="a;b"',
  ),
  ignored(
    "http1/chunk-extension-quoted-pair",
    "The server reads a quote after a backslash as part of the extension's value.",
    ';touchstone="a\\"b"',
  ),
  ignored("http1/chunk-extension-several", "The server ignores several chunk extensions.", ";a=1;b;c=3"),
  ignored(
    "http1/chunk-extension-white-space",
    "The server accepts whitespace around the semicolon and equals sign of an extension, as recipients must.",
    ' ; a = "1" ; b',
    { covers: ["rfc9112#7.1.1/ignored", "rfc9110#5.6.3/bws"] },
  ),
  ignored("http1/chunk-extension-looks-like-size", "The server reads no chunk size from an extension.", ";ffff=ffff"),
  acceptsContent({
    id: "http1/chunk-extension-on-last",
    requirement: "7.1.1/ignored",
    spec: "rfc9112#7.1.1",
    title: "The server ignores an extension of the last chunk.",
    text: chunked("5\r\nhello\r\n0;touchstone=1\r\n\r\n"),
    right: plainChunks,
  }),
  acceptsContent({
    id: "http1/chunk-extension-before-large-chunk",
    requirement: "7.1.1/ignored",
    spec: "rfc9112#7.1.1",
    title: "The server measures an extension by itself, not with the content that follows it.",
    text: chunked(`5;a\r\nhello\r\n${LARGE.length.toString(16)};a=b\r\n${LARGE}\r\n5;a\r\nhello\r\n0;a\r\n\r\n`),
    // A server that answers without reading the content may close the connection instead.
    allowed: contentAccepted,
    right: chunked(`5\r\nhello\r\n${LARGE.length.toString(16)}\r\n${LARGE}\r\n5\r\nhello\r\n${LAST}`),
  }),
  malformed({
    id: "http1/chunk-extension-bare-lf",
    title: "The server rejects a bare LF inside a chunk extension.",
    extension: ";a\n\r\nhello",
  }),
  malformed({ id: "http1/chunk-extension-bare-cr", title: "The server rejects a bare CR inside a chunk extension.", extension: ";a\rb" }),
  malformed({ id: "http1/chunk-extension-nul", title: "The server rejects NUL inside a chunk extension.", extension: ";a\0b" }),
  malformed({
    id: "http1/chunk-extension-control",
    title: "The server rejects a control character inside a chunk extension.",
    extension: ";a\x01b",
  }),
  malformed({
    id: "http1/chunk-extension-without-name",
    title: "The server rejects a semicolon without an extension name.",
    extension: ";",
    others: [skipped],
  }),
  malformed({
    id: "http1/chunk-extension-empty-name",
    title: "The server rejects an extension with a value but no name.",
    extension: ";=1",
    others: [skipped],
  }),
  malformed({
    id: "http1/chunk-extension-open-quote",
    title: "The server rejects an unterminated quote in an extension.",
    extension: ';a="b',
    others: [skipped],
  }),
  malformed({
    id: "http1/chunk-extension-quoted-line-end",
    title: "The server does not read a line end as part of a quoted extension value.",
    extension: ';a="\r\nhello\r\n0\r\n\r\n"',
    others: [skipped],
  }),
  {
    id: "http1/chunk-extensions-beyond-measure",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server limits the total length of chunk extensions in a request.",
    steps: [send(chunked("")), { do: "repeat", text: `1;${"a".repeat(1000)}\r\nx\r\n`, times: 1000 }, send(LAST)],
    control: [send(chunked("")), { do: "repeat", text: "1\r\nx\r\n", times: 1000 }, send(LAST)],
    allowed: [
      { see: { see: "error and close", status: ["4xx"] } },
      permitted({ see: "error and keep-alive", status: ["4xx"] }, "rfc9112#7.1.1"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3", "warn"),
    ],
  },
];
