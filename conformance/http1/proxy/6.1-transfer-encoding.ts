import type { RequirementRef } from "../../harness/case.ts";
import type { Case, Outcome, Text } from "../vocabulary.ts";
import { all, answer, any, atOrigin, awaitAnswer, CHUNKED, closedAfterIt, goodChunks, head, HIDDEN, HIDDEN_CHUNK } from "./phrases.ts";
import { HIDDEN_LENGTH, inChunks, meaningless, origin, permitted, postOf, rejected, request, requests, send, texts } from "./phrases.ts";
import { understood } from "./phrases.ts";

/** RFC 9112, sections 6.1 and 6.3: Transfer-Encoding of a forwarded request. The smuggling families CL.TE, TE.CL, TE.TE and TE.0. */

/** Content that is one hidden request by its chunks, and the beginning of a second request by `Content-Length: 5`. */
const disguised = (...fields: readonly Text[]): Text => postOf(HIDDEN_CHUNK, ...fields, "Content-Length: 5");
/** Read by its chunks, then close, as after any message with both fields. */
const byChunks: Outcome = permitted(all(understood(HIDDEN), closedAfterIt), "rfc9112#6.1");

type Obfuscated = {
  readonly id: Case["id"];
  readonly title: string;
  readonly spec?: Case["spec"];
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly wrong: Text;
  readonly others?: readonly Outcome[];
};
const NOT_CHUNKED: readonly [RequirementRef, ...RequirementRef[]] = ["rfc9112#6.3/request-coding-not-chunked", "rfc9112#11.2/no-smuggling"];

/** A coding that one reader may read as chunked and another not. */
const obfuscated = ({ spec = "rfc9112#6.3", wrong, others = [], ...entry }: Obfuscated): Case => ({
  ...entry,
  spec,
  level: "MUST",
  ...texts({ wrong, right: goodChunks }),
  allowed: rejected(...others),
});

/** Content without defined meaning is still content. */
const withoutMeaning = (method: string): Case => ({
  id: `http1/proxy-chunked-content-of-${method.toLowerCase()}`,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6/request-signalled", "rfc9112#6.3/chunked", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  title: `The proxy reads no request from the chunked content of ${method} (TE.0).`,
  ...texts({ wrong: request(method, CHUNKED) + HIDDEN_CHUNK, right: request(method) }),
  allowed: meaningless(HIDDEN),
});

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-cl-te",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/length-and-coding", "rfc9112#6.1/length-and-coding-close", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title:
      "A request with Content-Length and Transfer-Encoding is refused, or read by its chunks, and nothing behind it is a request (CL.TE).",
    ...texts({ wrong: postOf(`0\r\n\r\n${HIDDEN}`, "Content-Length: 261", CHUNKED), right: goodChunks }),
    allowed: rejected(permitted(all(understood(""), closedAfterIt), "rfc9112#6.1")),
  },
  {
    id: "http1/proxy-te-cl",
    spec: "rfc9112#6.1",
    covers: [
      "rfc9112#6.1/length-and-coding",
      "rfc9112#6.3/forward-without-length",
      "rfc9110#8.6/incorrect-not-forwarded",
      "rfc9112#11.2/no-smuggling",
    ],
    level: "MUST",
    title:
      "A request with Transfer-Encoding and Content-Length is refused, or goes on without the length: chunks are never a second request (TE.CL).",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, CHUNKED, "Content-Length: 5"), right: goodChunks }),
    allowed: rejected(byChunks),
  },
  {
    id: "http1/proxy-te-cl-agreeing",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/forward-without-length", "rfc9112#6.2/no-length-with-coding"],
    level: "MUST",
    title: "A Content-Length that agrees with the chunks does not go on beside Transfer-Encoding either.",
    ...texts({ wrong: postOf(inChunks("hello"), CHUNKED, "Content-Length: 15"), right: goodChunks }),
    allowed: rejected(permitted(all(understood("hello"), closedAfterIt), "rfc9112#6.1")),
  },
  obfuscated({
    id: "http1/proxy-te-x-chunked",
    title: "A coding that only looks like chunked is not chunked.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: xchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-x-chunked-alone",
    title: "A request whose only coding is unknown is refused, not passed on without its content.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN_CHUNK, "Transfer-Encoding: xchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-space-before-colon",
    title: "Transfer-Encoding with white space before its colon is refused.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding : chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-tab-before-colon",
    title: "Transfer-Encoding with a tab before its colon is refused.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding\t: chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-not-last",
    title: "A request in which chunked is not the last coding is refused.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: chunked, identity"),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-then-other-line",
    title: "A second line of Transfer-Encoding goes on with the list: chunked is not last then.",
    covers: NOT_CHUNKED,
    wrong: disguised(CHUNKED, "Transfer-Encoding: x-touchstone"),
  }),
  obfuscated({
    id: "http1/proxy-te-other-line-then-chunked",
    title: "An unknown coding on a line before chunked is not overlooked.",
    covers: ["rfc9112#6.1/unknown-coding", "rfc9112#11.2/no-smuggling"],
    spec: "rfc9112#6.1",
    wrong: disguised("Transfer-Encoding: x-touchstone", CHUNKED),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-twice",
    title: "Chunked content that is chunked again is refused.",
    covers: ["rfc9112#6.1/chunked-once", "rfc9112#11.2/no-smuggling"],
    spec: "rfc9112#6.1",
    wrong: disguised("Transfer-Encoding: chunked, chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-identity",
    title: "A request with the coding identity, which is none, is refused.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN, "Transfer-Encoding: identity", HIDDEN_LENGTH),
  }),
  obfuscated({
    id: "http1/proxy-te-quoted",
    title: "A quoted coding is no coding.",
    covers: NOT_CHUNKED,
    wrong: disguised('Transfer-Encoding: "chunked"'),
  }),
  obfuscated({
    id: "http1/proxy-te-vertical-tab",
    title: "A vertical tab before the coding is no white space.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: \x0bchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-nul",
    title: "A NUL behind the coding makes the request invalid, or is a space.",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding: chunked\0"),
    others: [byChunks],
  }),
  obfuscated({
    id: "http1/proxy-te-parameter",
    title: "Chunked with a parameter is not passed on for another to read in another way.",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/no-parameters", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding: chunked;touchstone=1"),
    others: [permitted(all(understood(HIDDEN), closedAfterIt), "rfc9112#7.1", "warn")],
  }),
  obfuscated({
    id: "http1/proxy-te-empty",
    title: "An empty Transfer-Encoding beside a length is refused, or does not go on.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN, "Transfer-Encoding:", HIDDEN_LENGTH),
    others: [permitted(understood(HIDDEN), "rfc9110#5.6.1.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-in-folded-line",
    title: "A line that begins with white space is no field of its own: Transfer-Encoding there counts for nothing.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
    wrong: postOf(HIDDEN, HIDDEN_LENGTH, "X-Folded: a", " Transfer-Encoding: chunked"),
    others: [permitted(understood(HIDDEN), "rfc9112#5.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-folded",
    title: "A coding on a folded line is refused, or read with a space before it.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding:", " chunked"),
    others: [permitted(all(understood(HIDDEN), closedAfterIt), "rfc9112#5.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-behind-bare-cr",
    title: "A bare CR ends no line: what follows it is no Transfer-Encoding.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#11.2/no-smuggling"],
    wrong: postOf(HIDDEN, HIDDEN_LENGTH, "X-Line: a\rTransfer-Encoding: chunked"),
    others: [permitted(understood(HIDDEN), "rfc9112#2.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-behind-bare-lf",
    title: "A bare LF makes the request invalid or ends the line: never the one here and the other at the origin.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf", "rfc9112#11.2/no-smuggling"],
    wrong: postOf(HIDDEN_CHUNK, "Content-Length: 5", "X-Line: a\nTransfer-Encoding: chunked"),
    others: [byChunks],
  }),
  obfuscated({
    id: "http1/proxy-te-in-http10",
    title: "Transfer-Encoding in HTTP/1.0 is faulty framing: refused, or the last request on its connection.",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/http-1.0", "rfc9112#11.2/no-smuggling"],
    wrong: head("POST {path} HTTP/1.0", "Host: {authority}", "Connection: keep-alive", "Content-Length: 5", CHUNKED) + HIDDEN_CHUNK,
    others: [byChunks],
  }),
  {
    id: "http1/proxy-te-to-old-origin",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/client-knows-version"],
    level: "SHOULD NOT",
    title: "To an origin that answers in HTTP/1.0 content goes by its length, not in chunks.",
    role: "proxy",
    steps: [
      origin("HTTP/1.0 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 2\r\n\r\nok", { close: "end" }),
      send(request("GET")),
      awaitAnswer,
      send(goodChunks, { on: 2 }),
      { do: "await", see: any(answer({ on: 2 }), { see: "connection closed", on: 2 }) },
    ],
    control: [send(goodChunks)],
    allowed: [
      { see: all(answer({ on: 2, status: [200] }), atOrigin({ nth: 2, framing: "length", body: "hello" })) },
      permitted(all(answer({ on: 2, status: [411] }), requests(1)), "rfc9110#15.5.12"),
    ],
  },
  {
    id: "http1/proxy-te-tab-after-colon",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/parse-chunked", "rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "Tabs around the coding are white space: chunked is understood.",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, "Transfer-Encoding:\t chunked\t"), right: goodChunks }),
    allowed: [{ see: understood(HIDDEN) }],
  },
  {
    id: "http1/proxy-te-in-capitals",
    spec: "rfc9112#7",
    covers: ["rfc9112#6.1/parse-chunked", "rfc9112#7/case-insensitive"],
    level: "MUST",
    title: "CHUNKED is chunked.",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, "TRANSFER-ENCODING: CHUNKED"), right: goodChunks }),
    allowed: [{ see: understood(HIDDEN) }],
  },
  withoutMeaning("GET"),
  withoutMeaning("HEAD"),
  withoutMeaning("OPTIONS"),
];
