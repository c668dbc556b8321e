import { chunked, plainChunks, takenContent, tookContent, wrongChunks } from "./framing-phrases.ts";
import { permitted, send } from "./phrases.ts";
import type { Case, Outcome, Text } from "./vocabulary.ts";

const END = "0\r\n\r\n";
const ignored = (id: Case["id"], title: string, extension: Text): Case =>
  takenContent(id, "7.1.1/ignored", "rfc9112#7.1.1", title, chunked(`5${extension}\r\nhello\r\n${END}`), plainChunks);
/** Not an extension by the grammar. To step over what stands there up to the line end is discouraged, as others may read it otherwise. */
const malformed = (id: Case["id"], title: string, extension: Text, ...others: readonly Outcome[]): Case => ({
  ...wrongChunks(id, "2.2/no-match", "rfc9112#7.1.1", title, `5${extension}\r\nhello\r\n${END}`, ...others),
  level: "SHOULD",
});
const steppedOver = permitted(tookContent[0].see, "rfc9112#2.2", "warn");

export const cases: readonly Case[] = [
  ignored("http1/chunk-extension-name", "The server takes no notice of an extension without a value.", ";touchstone"),
  ignored("http1/chunk-extension-value", "The server takes no notice of an extension with a value.", ";touchstone=1"),
  ignored("http1/chunk-extension-quoted", "The server takes no notice of an extension whose value is in quotes.", ';touchstone="a b"'),
  ignored("http1/chunk-extension-quoted-semicolon", "The server takes a semicolon in quotes for a part of the value.", ';touchstone="a;b"'),
  ignored(
    "http1/chunk-extension-quoted-pair",
    "The server knows a quote behind a backslash for a part of the value.",
    ';touchstone="a\\"b"',
  ),
  ignored("http1/chunk-extension-several", "The server takes no notice of several extensions.", ";a=1;b;c=3"),
  ignored(
    "http1/chunk-extension-white-space",
    "The server takes white space around semicolon and equals sign, as recipients must.",
    ' ; a = "1" ; b',
  ),
  ignored("http1/chunk-extension-looks-like-size", "The server takes no size from an extension.", ";ffff=ffff"),
  takenContent(
    "http1/chunk-extension-on-last",
    "7.1.1/ignored",
    "rfc9112#7.1.1",
    "The server takes no notice of an extension on the last chunk.",
    chunked("5\r\nhello\r\n0;touchstone=1\r\n\r\n"),
    plainChunks,
  ),
  malformed("http1/chunk-extension-bare-lf", "The server refuses an LF alone inside an extension.", ";a\n\r\nhello"),
  malformed("http1/chunk-extension-bare-cr", "The server refuses a CR alone inside an extension.", ";a\rb"),
  malformed("http1/chunk-extension-nul", "The server refuses a NUL inside an extension.", ";a\0b"),
  malformed("http1/chunk-extension-control", "The server refuses a control inside an extension.", ";a\x01b"),
  malformed("http1/chunk-extension-without-name", "The server refuses a semicolon without a name behind it.", ";", steppedOver),
  malformed("http1/chunk-extension-empty-name", "The server refuses an extension with a value and without a name.", ";=1", steppedOver),
  malformed("http1/chunk-extension-open-quote", "The server refuses a quote that does not end.", ';a="b', steppedOver),
  malformed(
    "http1/chunk-extension-quoted-line-end",
    "The server takes no line end for a part of a value in quotes.",
    ';a="\r\nhello\r\n0\r\n\r\n"',
    steppedOver,
  ),
  {
    id: "http1/chunk-extensions-beyond-measure",
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
    level: "SHOULD",
    role: "server",
    needs: ["post"],
    title: "The server limits the octets of extensions that it reads in one request.",
    steps: [send(chunked("")), { do: "repeat", text: `1;${"a".repeat(1000)}\r\nx\r\n`, times: 1000 }, send(END)],
    control: [send(chunked("")), { do: "repeat", text: "1\r\nx\r\n", times: 1000 }, send(END)],
    allowed: [
      { see: { see: "error and close", status: ["4xx"] } },
      permitted({ see: "error and keep-alive", status: ["4xx"] }, "rfc9112#7.1.1"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
      permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3", "warn"),
    ],
  },
];
