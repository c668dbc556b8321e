import { all, answer, atOrigin, CHUNKED, get, origin, permitted, rawResponse, request, requests, send, unambiguous } from "./phrases.ts";
import { asLetters, asNumbers, CHUNKS, NUMBERS, NUMBERS_LENGTH } from "../long-phrases.ts";
import type { Allowed, Case, Sight, Step, Text } from "../../vocabulary.ts";

/** RFC 9112, sections 6 and 7: content longer than a proxy reads or writes at once, on both of its sides. */

const LAST: Text = "0\r\n\r\n";

const awaitAll: Step = { do: "await", see: answer() };
const lengthSent: readonly Step[] = [send(request("POST", `Content-Length: ${NUMBERS_LENGTH}`)), { do: "repeat", ...NUMBERS }];
const chunksSent: readonly Step[] = [send(request("POST", CHUNKED)), { do: "repeat", ...CHUNKS }, send(LAST)];

const reached = (...sights: readonly Sight[]): Allowed => [
  { see: all(answer({ status: [200] }), requests(1), unambiguous, ...sights) },
  permitted(answer({ status: [413] }), "rfc9110#15.5.14"),
];
const cameBack = (sight: Sight): Allowed => [{ see: all(sight, requests(1)) }];

type Long = Pick<Case, "id" | "spec" | "covers" | "title" | "steps" | "allowed">;
/** No mistake: the case is about what the proxy forwards. */
const long = ({ steps, ...it }: Long): Case => ({ ...it, level: "MUST", role: "proxy", steps, control: steps });

export const cases: readonly Case[] = [
  long({
    id: "http1/proxy-long-request-by-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "The proxy forwards long content of a request as long as declared, in order and without a gap.",
    steps: [...lengthSent, awaitAll],
    allowed: reached(atOrigin({ method: "POST", ...asNumbers })),
  }),
  long({
    id: "http1/proxy-long-request-in-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    title: "The proxy forwards the data of many chunks of a request in order and without a gap.",
    steps: [...chunksSent, awaitAll],
    allowed: reached(atOrigin({ method: "POST", ...asLetters })),
  }),
  long({
    id: "http1/proxy-long-answer-by-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "The proxy forwards long content of a response as long as declared, in order and without a gap.",
    steps: [origin(rawResponse(`Content-Length: ${NUMBERS_LENGTH}\r\n\r\n`), { more: NUMBERS }), send(get()), awaitAll],
    allowed: cameBack(answer(asNumbers)),
  }),
  long({
    id: "http1/proxy-long-answer-in-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    title: "The proxy forwards the data of many chunks of a response in order and without a gap.",
    steps: [origin(rawResponse("Transfer-Encoding: chunked\r\n\r\n"), { more: { ...CHUNKS, end: LAST } }), send(get()), awaitAll],
    allowed: cameBack(answer(asLetters)),
  }),
  long({
    id: "http1/proxy-long-answer-until-close",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/until-close"],
    title: "The proxy forwards long content of a response up to the end of its connection, in order and without a gap.",
    steps: [origin(rawResponse("Connection: close\r\n\r\n"), { more: NUMBERS, close: "end" }), send(get()), awaitAll],
    allowed: cameBack(answer(asNumbers)),
  }),
  long({
    id: "http1/proxy-long-content-both-ways",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length", "rfc9112#7.1/decode"],
    title: "The proxy forwards long content of a request and of its response, each in order and without a gap.",
    steps: [origin(rawResponse(`Content-Length: ${NUMBERS_LENGTH}\r\n\r\n`), { more: NUMBERS }), ...chunksSent, awaitAll],
    allowed: [
      {
        see: all(answer(asNumbers), requests(1), unambiguous, atOrigin({ method: "POST", ...asLetters })),
      },
      permitted(answer({ status: [413] }), "rfc9110#15.5.14"),
    ],
  }),
];
