import { CHUNKED, LAST } from "../framing-phrases.ts";
import { CHUNKS, NUMBERS, NUMBERS_LENGTH } from "../long-phrases.ts";
import { answered, closedAfter, permitted, send, servedWith } from "../phrases.ts";
import type { Allowed, Case, Outcome, Sight, Step, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, section 8: content that goes wrong when its response has begun. A server that echoes content while it reads cannot take back what
 * it sent: the response ends there, incomplete, and no other one may begin within it (rfc9110#15).
 */

const echo = (...fields: readonly Text[]): Text => ["POST {echo} HTTP/1.1", "Host: {authority}", ...fields, "", ""].join("\r\n");
/** Long enough for a server that echoes while it reads, and not for others, to begin its response. */
const begun: Step = { do: "wait", ms: 200, until: { see: "response" } };
const chunks: readonly Step[] = [send(echo(CHUNKED)), { do: "repeat", ...CHUNKS }, begun];

/** Nothing but what was sent is in the response, and nothing follows it. */
const pure = (content: string): readonly Sight[] => [
  { see: "response", status: ["2xx"], bodyPattern: content },
  { see: "not", of: answered(1, { status: ["2xx"] }) },
  { see: "not", of: { see: "response", nth: 2 } },
  { see: "holds", monitor: "chunked syntax" },
  { see: "holds", monitor: "no octets between responses" },
];
const cutOff = (content: string): Allowed => [
  { see: { see: "error and close", status: ["4xx", 501] } },
  permitted({ see: "all", of: [{ see: "connection closed" }, ...pure(content)] }, "rfc9112#8"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#8"),
];

type Spoiled = Pick<Case, "id" | "title"> & Partial<Pick<Case, "spec" | "covers" | "level" | "fence" | "steps" | "control" | "allowed">>;
const spoiled = (it: Spoiled): Case => ({
  spec: "rfc9112#8",
  covers: ["rfc9110#15/one-final"],
  level: "MUST",
  role: "server",
  needs: ["echo"],
  steps: chunks,
  control: [...chunks, send(LAST)],
  allowed: cutOff("^[a-t]*$"),
  ...it,
});

/** What breaks the framing of chunks, or their trailers. */
const WRONG: readonly (readonly [name: string, what: string, text: Text])[] = [
  ["size", "a chunk size that is not hexadecimal", "5g\r\nhello\r\n"],
  ["missing-size", "a chunk without a size", "\r\nhello\r\n"],
  ["data", "more data in a chunk than its size", "5\r\nhelloo\r\n"],
  ["trailer", "a trailer line without a colon", "0\r\nX-Odd\r\n\r\n"],
];
/** A reader may accept them anyway. */
const tolerated: readonly Outcome[] = [
  permitted(servedWith(2, answered(1, { status: ["2xx"] })), "rfc9112#2.2"),
  permitted({ see: "all", of: [answered(1, { status: ["2xx"] }), closedAfter(1)] }, "rfc9112#2.2"),
];

export const cases: readonly Case[] = [
  ...WRONG.map(([name, what, text]) =>
    spoiled({
      id: `http1/answered-until-wrong-${name}`,
      spec: "rfc9112#7.1",
      covers: ["rfc9112#7.1/grammar"],
      level: "SHOULD",
      title: `A server whose response has begun ends the connection without another one because of ${what}.`,
      steps: [...chunks, send(text)],
      allowed: [...cutOff("^[a-t]*$"), ...tolerated],
    }),
  ),
  spoiled({
    id: "http1/answered-until-chunks-end-early",
    covers: ["rfc9110#15/one-final", "rfc9112#8/chunked-incomplete"],
    title: "A server whose response has begun sends no other one within it or after it because the last chunk is missing.",
    fence: "half-close",
    steps: [...chunks, { do: "half-close" }],
  }),
  spoiled({
    id: "http1/answered-until-length-missed",
    covers: ["rfc9110#15/one-final", "rfc9112#8/length-incomplete"],
    title: "A server whose response has begun sends no other one within it or after it because the content is shorter than its length.",
    fence: "half-close",
    steps: [send(echo(`Content-Length: ${NUMBERS_LENGTH + 1}`)), { do: "repeat", ...NUMBERS }, begun, { do: "half-close" }],
    control: [send(echo(`Content-Length: ${NUMBERS_LENGTH}`)), { do: "repeat", ...NUMBERS }],
    allowed: cutOff("^[\\dtouchsne ]*$"),
  }),
];
