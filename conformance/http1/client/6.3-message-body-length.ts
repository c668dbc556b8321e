import type { Case, Outcome, Text } from "../vocabulary.ts";
import { accepts, answer, CHUNKS, CONTENT, inChunks, lastAnswer, ok, orFails, orPrints, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 6.3: how the length of a response's content is determined. */

const spec = "rfc9112#6.3";

/** An invalid Content-Length, with the content that a lenient reader of the value would expect. */
const badLength = (id: Case["id"], title: string, value: Text): Case =>
  rejects({
    id,
    spec,
    covers: ["rfc9112#6.3/invalid-length-response", "rfc9110#8.6/digits"],
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
    title: "Content ends with its length: nobody waits for the end of the connection.",
    right: `${ok()}${CONTENT}`,
    text: whole(),
  }),
  accepts({
    id: "http1/client-length-zero",
    spec,
    covers: ["rfc9112#6.3/length"],
    title: "A response with the length 0 is whole at once.",
    right: whole(),
    text: whole(""),
    output: "",
  }),
  accepts({
    id: "http1/client-length-leading-zeros",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/digits"],
    title: "Zeros in front of a length are digits of a decimal number.",
    text: `${ok("Content-Length: 0010")}${CONTENT}`,
    control: [answer(whole())],
  }),
  accepts({
    id: "http1/client-length-and-more",
    spec,
    covers: ["rfc9112#6.3/length", "rfc9112#6.3/extra-data-no-response"],
    title: "What follows content of the given length is none of it.",
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
    title: "Content of 200,000 octets is taken to its end.",
    text: whole("0123456789".repeat(20_000)),
    output: "0123456789".repeat(20_000),
    control: [answer(whole())],
  }),
  badLength("http1/client-length-plus", "A length with a plus sign is none.", "+10"),
  badLength("http1/client-length-minus", "A negative length is none.", "-10"),
  badLength("http1/client-length-hexadecimal", "A hexadecimal length is none.", "0xa"),
  badLength("http1/client-length-fraction", "A length with a fraction is none.", "10.0"),
  badLength("http1/client-length-underscore", "A length with an underscore is none.", "1_0"),
  badLength("http1/client-length-space-inside", "A length with a space inside is none.", "1 0"),
  badLength("http1/client-length-with-unit", "A length with a word behind it is none.", "10 octets"),
  badLength("http1/client-length-word", "A length in words is none.", "ten"),
  badLength("http1/client-length-empty", "An empty length is none.", ""),
  badLength("http1/client-length-other-white-space", "White space of other encodings around a length is part of the value.", "\x8510\xa0"),
  badLength("http1/client-length-vertical-tab", "A vertical tab in front of a length is part of the value.", "\x0b10"),
  rejects({
    id: "http1/client-length-overflow-64",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "A length of 2 to the 64th and ten more does not become ten.",
    text: `${ok("Content-Length: 18446744073709551626")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-length-overflow-32",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "A length of 2 to the 32nd and ten more does not become ten.",
    text: `${ok("Content-Length: 4294967306")}${CONTENT}`,
  }),
  rejects({
    id: "http1/client-length-beyond-every-number",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/large"],
    title: "A length of four hundred digits is more than what came.",
    text: `${ok(`Content-Length: ${"9".repeat(400)}`)}${CONTENT}`,
  }),
  lengths(
    "http1/client-lengths-differ",
    "Two lengths that differ make the response invalid: the shorter first.",
    "Content-Length: 5",
    "Content-Length: 10",
  ),
  lengths(
    "http1/client-lengths-differ-longer-first",
    "Two lengths that differ make the response invalid: the longer first.",
    "Content-Length: 10",
    "Content-Length: 5",
  ),
  lengths("http1/client-lengths-differ-in-a-list", "A list of lengths that differ makes the response invalid.", "Content-Length: 5, 10"),
  lengths("http1/client-lengths-list-with-a-word", "A list of a length and a word makes the response invalid.", "Content-Length: 10, x"),
  same(
    "http1/client-lengths-same",
    "The same length twice is refused, or taken for that length.",
    "Content-Length: 10",
    "Content-Length: 10",
  ),
  same("http1/client-lengths-same-in-a-list", "A list of the same length is refused, or taken for that length.", "Content-Length: 10, 10"),
  accepts({
    id: "http1/client-until-close",
    spec,
    covers: ["rfc9112#6.3/until-close", "rfc9112#8/close-complete"],
    title: "A response that announces no length has what comes until the connection ends.",
    right: whole(),
    text: `${ok()}${CONTENT}`,
    close: "end",
  }),
  accepts({
    id: "http1/client-until-close-empty",
    spec,
    covers: ["rfc9112#6.3/until-close"],
    title: "That may be nothing at all.",
    right: whole(),
    text: ok(),
    output: "",
    close: "end",
  }),
  accepts({
    id: "http1/client-until-close-in-ones",
    spec,
    covers: ["rfc9112#6.3/until-close"],
    title: "Octet by octet it is the same content.",
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
    title: "Transfer-Encoding beside Content-Length is an error, or overrides it: the length is not what counts.",
    text: inChunks(CHUNKS, "Content-Length: 5"),
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3")],
  }),
  rejects({
    id: "http1/client-length-and-coding",
    spec,
    covers: ["rfc9112#6.3/coding-overrides-length"],
    title: "The same with the length first, and larger than what comes.",
    text: `${ok("Content-Length: 100", "Transfer-Encoding: chunked")}${CHUNKS}`,
    right: inChunks(CHUNKS),
    others: [orPrints("rfc9112#6.3")],
  }),
  noBody({
    id: "http1/client-204-with-length",
    title: "A 204 ends with its head, whatever length it announces.",
    start: "HTTP/1.1 204 No Content",
    fields: ["Content-Length: 10"],
  }),
  noBody({
    id: "http1/client-204-with-coding",
    title: "A 204 ends with its head, whatever coding it announces.",
    start: "HTTP/1.1 204 No Content",
    fields: ["Transfer-Encoding: chunked"],
  }),
  noBody({
    id: "http1/client-204",
    title: "A 204 without any framing ends with its head, not with the connection.",
    start: "HTTP/1.1 204 No Content",
  }),
  noBody({
    id: "http1/client-304-with-length",
    title: "A 304 ends with its head: its length is that of another response.",
    start: "HTTP/1.1 304 Not Modified",
    fields: ["Content-Length: 10"],
    others: mayFail,
  }),
  noBody({
    id: "http1/client-304-with-coding",
    title: "A 304 ends with its head, whatever coding it announces.",
    start: "HTTP/1.1 304 Not Modified",
    fields: ["Transfer-Encoding: chunked"],
    others: mayFail,
  }),
  noBody({
    id: "http1/client-304",
    title: "A 304 without any framing ends with its head, not with the connection.",
    start: "HTTP/1.1 304 Not Modified",
    others: mayFail,
  }),
  head("http1/client-head-with-length", "A response to HEAD ends with its head, whatever length it announces.", "Content-Length: 10"),
  head(
    "http1/client-head-with-coding",
    "A response to HEAD ends with its head, whatever coding it announces.",
    "Transfer-Encoding: chunked",
  ),
  head("http1/client-head-without-framing", "A response to HEAD without any framing ends with its head, not with the connection."),
  accepts({
    id: "http1/client-error-has-content",
    spec,
    covers: ["rfc9112#6.3/length", "rfc9112#6/response-signalled"],
    title: "A response of 404 has the content that it announces.",
    text: `HTTP/1.1 404 Not Found\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`,
    others: [orFails("rfc9110#15")],
    control: [answer(whole())],
  }),
];
