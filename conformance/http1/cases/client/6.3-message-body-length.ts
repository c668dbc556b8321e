import type { Case, Outcome, Text } from "../../vocabulary.ts";
import { accepts, answer, CHUNKS, CONTENT, inChunks, lastAnswer, ok, orFails, orPrints, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 6.3: how the length of a response's content is determined. */

const spec = "rfc9112#6.3";

/** An invalid Content-Length, with the content that a lenient reader of the value would expect. */
const badLength = (id: Case["id"], title: string, value: Text): Case =>
  rejects({
    id,
    spec,
    covers: ["rfc9112#6.3/invalid-length-response", "rfc9112#6.3/invalid-length", "rfc9110#8.6/digits"],
    title,
    text: `${ok(`Content-Length: ${value}`)}${CONTENT}`,
  });

/** Several lengths that differ. */
const lengths = (id: Case["id"], title: string, ...fields: readonly Text[]): Case =>
  rejects({ id, spec, covers: ["rfc9112#6.3/invalid-length-response"], title, text: `${ok(...fields)}${CONTENT}` });

/** The same length twice: the client rejects the response, or uses that length. */
const same = (id: Case["id"], title: string, ...fields: readonly Text[]): Case =>
  rejects({
    id,
    spec,
    covers: ["rfc9112#6.3/same-lengths", "rfc9110#8.6/repeated"],
    level: "MAY",
    title,
    text: `${ok(...fields)}${CONTENT}`,
    others: [orPrints("rfc9112#6.3")],
  });

/** A response that ends with its head, whatever that announces, on a connection that stays open. */
const noBody = ({
  start,
  fields = [],
  ...entry
}: Pick<Case, "id" | "title"> & { readonly start: Text; readonly fields?: readonly Text[]; readonly others?: readonly Outcome[] }): Case =>
  accepts({
    spec,
    covers: ["rfc9112#6.3/no-body", "rfc9112#6/response-signalled"],
    text: [start, ...fields, "", ""].join("\r\n"),
    output: "",
    control: [answer(whole())],
    ...entry,
  });
/** A client may report a 304 to a request without conditions as a failure. */
const mayFail = [orFails("rfc9110#15.4.5")];
/** No server may send such a 204, so a client may reject it. */
const mayReject = [orFails("rfc9110#8.6", "warn")];

const head = (id: Case["id"], title: string, ...fields: readonly Text[]): Case =>
  accepts({
    id,
    spec,
    covers: ["rfc9112#6.3/no-body"],
    title,
    text: ok(...fields),
    output: "",
    ask: { method: "HEAD" },
    needs: ["head"],
    control: [answer(ok("Content-Length: 0"))],
  });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-length",
    spec,
    covers: ["rfc9112#6.3/length"],
    title: "The client ends the content at its length without waiting for the connection to close.",
    right: `${ok()}${CONTENT}`,
    text: whole(),
  }),
  accepts({
    id: "http1/client-length-zero",
    spec,
    covers: ["rfc9112#6.3/length"],
    title: "The client treats a response with Content-Length: 0 as complete at once.",
    right: whole(),
    text: whole(""),
    output: "",
  }),
  accepts({
    id: "http1/client-length-leading-zeros",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/digits"],
    title: "The client reads a length with leading zeros as a decimal number.",
    text: `${ok("Content-Length: 0010")}${CONTENT}`,
    control: [answer(whole())],
  }),
  accepts({
    id: "http1/client-length-and-more",
    spec,
    covers: ["rfc9112#6.3/length", "rfc9112#6.3/extra-data-no-response"],
    title: "The client does not print octets after content of the declared length.",
    text: `${ok("Content-Length: 5")}${CONTENT}`,
    output: "touch",
    close: "end",
    others: [orFails("rfc9112#6.3")],
    control: [answer(whole("touch"), { close: "end" })],
  }),
  accepts({
    id: "http1/client-length-large-content",
    spec,
    covers: ["rfc9112#6.3/length"],
    title: "The client reads content of 200,000 octets to its end.",
    text: whole("0123456789".repeat(20_000)),
    output: "0123456789".repeat(20_000),
    control: [answer(whole())],
  }),
  badLength("http1/client-length-plus", "The client rejects a length with a plus sign.", "+10"),
  badLength("http1/client-length-minus", "The client rejects a negative length.", "-10"),
  badLength("http1/client-length-hexadecimal", "The client rejects a hexadecimal length.", "0xa"),
  badLength("http1/client-length-fraction", "The client rejects a length with a fraction.", "10.0"),
  badLength("http1/client-length-underscore", "The client rejects a length with an underscore.", "1_0"),
  badLength("http1/client-length-space-inside", "The client rejects a length with a space between its digits.", "1 0"),
  badLength("http1/client-length-with-unit", "The client rejects a length followed by a word.", "10 octets"),
  badLength("http1/client-length-word", "The client rejects a length in words.", "ten"),
  badLength("http1/client-length-empty", "The client rejects an empty length.", ""),
  badLength(
    "http1/client-length-other-white-space",
    "The client rejects a length with whitespace of other encodings around it.",
    "\x8510\xa0",
  ),
  badLength("http1/client-length-vertical-tab", "The client rejects a length with a vertical tab before it.", "\x0b10"),
  rejects({
    id: "http1/client-length-overflow-64",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "The client does not truncate a length of 2^64 + 10 to 10.",
    text: `${ok("Content-Length: 18446744073709551626")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-length-overflow-32",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "The client does not truncate a length of 2^32 + 10 to 10.",
    text: `${ok("Content-Length: 4294967306")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-length-beyond-every-number",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "The client treats content as incomplete if its length has four hundred digits.",
    text: `${ok(`Content-Length: ${"9".repeat(400)}`)}${CONTENT}`,
  }),
  lengths(
    "http1/client-lengths-differ",
    "The client rejects two different lengths, the shorter one first.",
    "Content-Length: 5",
    "Content-Length: 10",
  ),
  lengths(
    "http1/client-lengths-differ-longer-first",
    "The client rejects two different lengths, the longer one first.",
    "Content-Length: 10",
    "Content-Length: 5",
  ),
  lengths("http1/client-lengths-differ-in-a-list", "The client rejects a list of different lengths.", "Content-Length: 5, 10"),
  lengths("http1/client-lengths-list-with-a-word", "The client rejects a list of a length and a word.", "Content-Length: 10, x"),
  same("http1/client-lengths-same", "The client rejects a repeated length, or uses it once.", "Content-Length: 10", "Content-Length: 10"),
  same("http1/client-lengths-same-in-a-list", "The client rejects a list of equal lengths, or uses one.", "Content-Length: 10, 10"),
  accepts({
    id: "http1/client-until-close",
    spec,
    covers: ["rfc9112#6.3/until-close", "rfc9112#8/close-complete"],
    title: "The client reads a response without a declared length until the connection closes.",
    right: whole(),
    text: `${ok()}${CONTENT}`,
    close: "end",
  }),
  accepts({
    id: "http1/client-until-close-empty",
    spec,
    covers: ["rfc9112#6.3/until-close"],
    title: "The client accepts an empty response that ends with the connection.",
    right: whole(),
    text: ok(),
    output: "",
    close: "end",
  }),
  accepts({
    id: "http1/client-until-close-in-ones",
    spec,
    covers: ["rfc9112#6.3/until-close"],
    title: "The client accepts a response that arrives octet by octet and ends with the connection.",
    text: `${ok()}${CONTENT}\r\n`,
    output: `${CONTENT}\r\n`,
    cut: 1,
    close: "end",
    control: [lastAnswer(`${ok()}${CONTENT}`)],
  }),
  rejects({
    id: "http1/client-coding-and-length",
    spec,
    covers: ["rfc9112#6.3/coding-overrides-length"],
    title: "The client rejects Transfer-Encoding together with Content-Length, or ignores the length.",
    text: inChunks(CHUNKS, "Content-Length: 5"),
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3")],
  }),
  rejects({
    id: "http1/client-length-and-coding",
    spec,
    covers: ["rfc9112#6.3/coding-overrides-length"],
    title: "The client rejects a larger Content-Length before Transfer-Encoding, or ignores the length.",
    text: `${ok("Content-Length: 100", "Transfer-Encoding: chunked")}${CHUNKS}`,
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3")],
  }),
  noBody({
    id: "http1/client-204-with-length",
    title: "The client ends a 204 after its head, whatever its Content-Length.",
    start: "HTTP/1.1 204 No Content",
    fields: ["Content-Length: 10"],
    others: mayReject,
  }),
  noBody({
    id: "http1/client-204-with-coding",
    title: "The client ends a 204 after its head, whatever its Transfer-Encoding.",
    start: "HTTP/1.1 204 No Content",
    fields: ["Transfer-Encoding: chunked"],
    others: mayReject,
  }),
  noBody({
    id: "http1/client-204",
    title: "The client ends a 204 without framing fields after its head, not with the connection.",
    start: "HTTP/1.1 204 No Content",
  }),
  noBody({
    id: "http1/client-304-with-length",
    title: "The client ends a 304 after its head: its Content-Length is that of another response.",
    start: "HTTP/1.1 304 Not Modified",
    fields: ["Content-Length: 10"],
    others: mayFail,
  }),
  noBody({
    id: "http1/client-304-with-coding",
    title: "The client ends a 304 after its head, whatever its Transfer-Encoding.",
    start: "HTTP/1.1 304 Not Modified",
    fields: ["Transfer-Encoding: chunked"],
    others: mayFail,
  }),
  noBody({
    id: "http1/client-304",
    title: "The client ends a 304 without framing fields after its head, not with the connection.",
    start: "HTTP/1.1 304 Not Modified",
    others: mayFail,
  }),
  head(
    "http1/client-head-with-length",
    "The client ends a response to HEAD after its head, whatever its Content-Length.",
    "Content-Length: 10",
  ),
  head(
    "http1/client-head-with-coding",
    "The client ends a response to HEAD after its head, whatever its Transfer-Encoding.",
    "Transfer-Encoding: chunked",
  ),
  head(
    "http1/client-head-without-framing",
    "The client ends a response to HEAD without framing fields after its head, not with the connection.",
  ),
  accepts({
    id: "http1/client-error-has-content",
    spec,
    covers: ["rfc9112#6.3/length", "rfc9112#6/response-signalled"],
    title: "The client reads the content of a 404.",
    text: `HTTP/1.1 404 Not Found\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
    others: [orFails("rfc9110#15")],
    control: [answer(whole())],
  }),
];
