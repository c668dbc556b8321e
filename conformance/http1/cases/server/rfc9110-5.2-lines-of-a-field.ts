import { CHUNKED, faultyFraming, LAST, noFraming, plainChunks, plainLength } from "../framing-phrases.ts";
import { arranged } from "../line-places.ts";
import { badRequest, closedAfter, get, head, likePath, texts } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9110, sections 5.2 and 5.3: the lines of a field count together, wherever they stand among the others. */

const host = "Host: {authority}";
const OTHERS = [host, "X-Odd: 1"] as const;

type Family = Pick<Case, "spec" | "covers" | "allowed" | "title"> & {
  readonly name: string;
  readonly lines: readonly [Text, Text];
  readonly others?: readonly [Text, Text];
  readonly text: (fields: readonly Text[]) => Text;
  readonly right: Text;
  readonly needs?: readonly string[];
};
/** A case for each arrangement of two lines. */
const family = ({ name, title, lines: [a, b], others = OTHERS, text, right, needs = [], ...rest }: Family): Case[] =>
  arranged(a, b, others).map((place) => ({
    id: `http1/lines-${name}-${place.name}`,
    title: `The server ${title}: ${place.words}.`,
    level: "MUST",
    needs,
    ...texts({ wrong: text(place.fields), right }),
    ...rest,
  }));

const asGet = (fields: readonly Text[]): Text => head("GET {path} HTTP/1.1", ...fields);
const asPost =
  (content: Text) =>
  (fields: readonly Text[]): Text =>
    head("POST {path} HTTP/1.1", ...fields) + content;
const hello = asPost(`5\r\nhello\r\n${LAST}`);

export const cases: readonly Case[] = [
  ...family({
    name: "connection",
    title: "obeys close in one of two Connection lines",
    lines: ["Connection: x-even", "Connection: close"],
    text: asGet,
    right: get("Connection: close"),
    spec: "rfc9110#5.2",
    covers: ["rfc9110#5.2/combined", "rfc9112#9.6/server-closes"],
    allowed: [{ see: { see: "all", of: [likePath(), closedAfter(1)] } }],
  }),
  ...family({
    name: "host",
    title: "answers 400 to two Host lines",
    lines: [host, "Host: other.example"],
    others: ["X-Odd: 1", "X-Even: 2"],
    text: asGet,
    right: get(),
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-twice"],
    allowed: badRequest(),
  }),
  ...family({
    name: "length",
    title: "rejects two lines with different lengths",
    lines: ["Content-Length: 5", "Content-Length: 0"],
    text: asPost("hello"),
    right: plainLength,
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/invalid-length-request"],
    needs: ["post"],
    allowed: noFraming(),
  }),
  ...family({
    name: "coding-and-length",
    title: "closes the connection after a request with Transfer-Encoding and Content-Length",
    lines: [CHUNKED, "Content-Length: 3"],
    text: hello,
    right: plainChunks,
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/length-and-coding-close"],
    needs: ["post"],
    allowed: faultyFraming,
  }),
  ...arranged("Transfer-Encoding: identity", CHUNKED, OTHERS)
    .filter(({ name }) => name.endsWith("-reversed"))
    .map(({ name, words, fields }): Case => ({
      id: `http1/lines-coding-${name}`,
      spec: "rfc9112#6.3",
      covers: ["rfc9112#6.3/request-coding-not-chunked"],
      level: "MUST",
      needs: ["post"],
      title: `The server rejects content whose final coding, on a line of its own, is not chunked: ${words}.`,
      ...texts({ wrong: hello(fields), right: plainChunks }),
      allowed: noFraming({ see: { see: "error and close", status: [501] }, by: "rfc9112#6.1" }),
    })),
];
