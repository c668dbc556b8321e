import type { RequirementRef } from "../../../harness/case.ts";
import type { Case, Outcome, Step, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  awaitAnswer,
  CHUNKED,
  closedAfterIt,
  goodChunks,
  head,
  HIDDEN,
  HIDDEN_CHUNK,
  HIDDEN_LENGTH,
  inChunks,
  meaningless,
  not,
  origin,
  permitted,
  postOf,
  rejected,
  request,
  requests,
  send,
  texts,
  understood,
} from "./phrases.ts";
import { asLetters, CHUNKS } from "../long-phrases.ts";

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
  readonly level?: Case["level"];
  readonly wrong: Text;
  readonly others?: readonly Outcome[];
};
const NOT_CHUNKED: readonly [RequirementRef, ...RequirementRef[]] = ["rfc9112#6.3/request-coding-not-chunked", "rfc9112#11.2/no-smuggling"];

/** A coding that one reader may read as chunked and another not. */
const obfuscated = ({ spec = "rfc9112#6.3", level = "MUST", wrong, others = [], ...entry }: Obfuscated): Case => ({
  ...entry,
  spec,
  level,
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

/** More than a mebibyte. */
const MANY = { ...CHUNKS, times: 45 } as const;

/** The origin has answered in HTTP/1.0. */
const afterOld: readonly [Step, ...Step[]] = [
  origin("HTTP/1.0 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 2\r\n\r\nok", { close: "end" }),
  send(request("GET")),
  awaitAnswer,
];
const awaitSecond: Step = { do: "await", see: any(answer({ on: 2 }), { see: "connection closed", on: 2 }) };
const chunkedAtOrigin = atOrigin({ nth: 2, framing: "chunked" });

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-cl-te",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/length-and-coding", "rfc9112#6.1/length-and-coding-close", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "The proxy rejects a request with Content-Length and Transfer-Encoding, or reads its chunks and no further request (CL.TE).",
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
    title: "The proxy rejects a request with Transfer-Encoding and Content-Length, or forwards it without the length (TE.CL).",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, CHUNKED, "Content-Length: 5"), right: goodChunks }),
    allowed: rejected(byChunks),
  },
  {
    id: "http1/proxy-te-cl-agreeing",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/forward-without-length", "rfc9112#6.2/no-length-with-coding"],
    level: "MUST",
    title: "The proxy does not forward a Content-Length next to Transfer-Encoding even if it agrees with the chunks.",
    ...texts({ wrong: postOf(inChunks("hello"), CHUNKED, "Content-Length: 15"), right: goodChunks }),
    allowed: rejected(permitted(all(understood("hello"), closedAfterIt), "rfc9112#6.1")),
  },
  obfuscated({
    id: "http1/proxy-te-x-chunked",
    title: "The proxy rejects a coding that merely looks like chunked.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: xchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-x-chunked-alone",
    title: "The proxy rejects a request whose only coding is unknown, instead of forwarding it without content.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN_CHUNK, "Transfer-Encoding: xchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-space-before-colon",
    title: "The proxy rejects Transfer-Encoding with whitespace before its colon.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding : chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-tab-before-colon",
    title: "The proxy rejects Transfer-Encoding with a tab before its colon.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding\t: chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-not-last",
    title: "The proxy rejects a request whose final coding is not chunked.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: chunked, identity"),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-then-other-line",
    title: "The proxy rejects a second Transfer-Encoding line that makes another coding the final one.",
    covers: NOT_CHUNKED,
    wrong: disguised(CHUNKED, "Transfer-Encoding: x-touchstone"),
  }),
  obfuscated({
    id: "http1/proxy-te-other-line-then-chunked",
    title: "The proxy rejects an unknown coding on a line before chunked.",
    covers: ["rfc9112#6.1/unknown-coding", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    spec: "rfc9112#6.1",
    wrong: disguised("Transfer-Encoding: x-touchstone", CHUNKED),
  }),
  obfuscated({
    id: "http1/proxy-te-chunked-twice",
    title: "The proxy rejects content that is declared chunked twice.",
    covers: ["rfc9112#6.1/chunked-once", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    spec: "rfc9112#6.1",
    wrong: disguised("Transfer-Encoding: chunked, chunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-identity",
    title: "The proxy rejects the coding identity, which no longer exists.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN, "Transfer-Encoding: identity", HIDDEN_LENGTH),
  }),
  obfuscated({
    id: "http1/proxy-te-quoted",
    title: "The proxy rejects a coding in quotes.",
    covers: NOT_CHUNKED,
    wrong: disguised('Transfer-Encoding: "chunked"'),
  }),
  obfuscated({
    id: "http1/proxy-te-vertical-tab",
    title: "The proxy rejects a vertical tab before the coding, which is not whitespace.",
    covers: NOT_CHUNKED,
    wrong: disguised("Transfer-Encoding: \x0bchunked"),
  }),
  obfuscated({
    id: "http1/proxy-te-nul",
    title: "The proxy rejects NUL after the coding, or reads it as a space.",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding: chunked\0"),
    others: [byChunks],
  }),
  obfuscated({
    id: "http1/proxy-te-parameter",
    title: "The proxy does not forward chunked with a parameter.",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/no-parameters", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    wrong: disguised("Transfer-Encoding: chunked;touchstone=1"),
    others: [permitted(all(understood(HIDDEN), closedAfterIt), "rfc9112#7.1", "warn")],
  }),
  obfuscated({
    id: "http1/proxy-te-empty",
    title: "The proxy rejects an empty Transfer-Encoding next to a length, or does not forward it.",
    covers: NOT_CHUNKED,
    wrong: postOf(HIDDEN, "Transfer-Encoding:", HIDDEN_LENGTH),
    others: [permitted(understood(HIDDEN), "rfc9110#5.6.1.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-in-folded-line",
    title: "The proxy does not use a Transfer-Encoding on a folded line of another field.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
    wrong: postOf(HIDDEN, HIDDEN_LENGTH, "X-Folded: a", " Transfer-Encoding: chunked"),
    others: [permitted(understood(HIDDEN), "rfc9112#5.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-folded",
    title: "The proxy rejects a coding on a folded line, or unfolds it.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
    wrong: disguised("Transfer-Encoding:", " chunked"),
    others: [permitted(all(understood(HIDDEN), closedAfterIt), "rfc9112#5.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-behind-bare-cr",
    title: "The proxy does not use a Transfer-Encoding after a bare CR.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-cr", "rfc9112#11.2/no-smuggling"],
    wrong: postOf(HIDDEN, HIDDEN_LENGTH, "X-Line: a\rTransfer-Encoding: chunked"),
    others: [permitted(understood(HIDDEN), "rfc9112#2.2")],
  }),
  obfuscated({
    id: "http1/proxy-te-behind-bare-lf",
    title: "The proxy rejects a Transfer-Encoding after a bare LF, or uses it and forwards CRLF.",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf", "rfc9112#11.2/no-smuggling"],
    level: "SHOULD",
    wrong: postOf(HIDDEN_CHUNK, "Content-Length: 5", "X-Line: a\nTransfer-Encoding: chunked"),
    others: [byChunks],
  }),
  obfuscated({
    id: "http1/proxy-te-in-http10",
    title: "The proxy rejects Transfer-Encoding in HTTP/1.0, or closes the connection after that request.",
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
    title: "The proxy sends content by length, not in chunks, to an origin that answered in HTTP/1.0.",
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
  ...(
    [
      ["nothing", "no content", ""],
      ["an-octet", "one octet", "a"],
    ] as const
  ).map(([name, words, content]): Case => ({
    id: `http1/proxy-te-of-${name}-to-old-origin`,
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/client-knows-version"],
    level: "SHOULD NOT",
    title: `The proxy sends a chunked request of ${words} without chunks to an origin that answered in HTTP/1.0.`,
    role: "proxy",
    steps: [...afterOld, send(postOf(content === "" ? "0\r\n\r\n" : inChunks(content), CHUNKED), { on: 2 }), awaitSecond],
    control: [send(goodChunks)],
    allowed: [
      { see: all(answer({ on: 2, status: [200] }), atOrigin({ nth: 2, method: "POST", body: content }), not(chunkedAtOrigin)) },
      permitted(all(answer({ on: 2, status: [411] }), requests(1)), "rfc9110#15.5.12"),
    ],
  })),
  {
    id: "http1/proxy-get-to-old-origin",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/user-agent-omits"],
    level: "SHOULD NOT",
    title: "The proxy frames no content of a request without any to an origin that answered in HTTP/1.0.",
    role: "proxy",
    steps: [...afterOld, send(request("GET"), { on: 2 }), awaitSecond],
    control: [send(request("GET"))],
    allowed: [{ see: all(answer({ on: 2, status: [200] }), atOrigin({ nth: 2, method: "GET", framing: "none" })) }],
  },
  {
    id: "http1/proxy-te-too-long-for-old-origin",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/client-knows-version"],
    level: "SHOULD NOT",
    title: "The proxy sends more than a mebibyte by length to an origin that answered in HTTP/1.0, or refuses it; it sends it no chunks.",
    role: "proxy",
    steps: [
      origin("HTTP/1.0 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 2\r\n\r\nok", { close: "end" }),
      send(request("GET")),
      awaitAnswer,
      send(request("POST", CHUNKED), { on: 2 }),
      { do: "repeat", ...MANY, on: 2 },
      send("0\r\n\r\n", { on: 2 }),
      { do: "await", see: any(answer({ on: 2 }), { see: "connection closed", on: 2 }) },
    ],
    control: [send(goodChunks)],
    allowed: [
      { see: all(answer({ on: 2, status: [200] }), atOrigin({ nth: 2, framing: "length", body: asLetters.body, times: MANY.times })) },
      permitted(all(answer({ on: 2, status: [411] }), requests(1)), "rfc9110#15.5.12"),
      permitted(all(answer({ on: 2, status: [413] }), requests(1)), "rfc9110#15.5.14"),
    ],
  },
  {
    id: "http1/proxy-te-tab-after-colon",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/parse-chunked", "rfc9112#5.1/edges-excluded"],
    level: "MUST",
    title: "The proxy ignores tabs around the coding.",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, "Transfer-Encoding:\t chunked\t"), right: goodChunks }),
    allowed: [{ see: understood(HIDDEN) }],
  },
  {
    id: "http1/proxy-te-in-capitals",
    spec: "rfc9112#7",
    covers: ["rfc9112#6.1/parse-chunked", "rfc9112#7/case-insensitive"],
    level: "MUST",
    title: "The proxy recognizes chunked in upper case.",
    ...texts({ wrong: postOf(HIDDEN_CHUNK, "TRANSFER-ENCODING: CHUNKED"), right: goodChunks }),
    allowed: [{ see: understood(HIDDEN) }],
  },
  withoutMeaning("GET"),
  withoutMeaning("HEAD"),
  withoutMeaning("OPTIONS"),
];
