import type { Case, Sight, Step, Text } from "../../vocabulary.ts";
import { FRONT, get as h2Get, http2 } from "./http2-phrases.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  awaitAnswer,
  CHUNKED,
  get,
  goodChunks,
  origin,
  permitted,
  postOf,
  rawResponse,
  requests,
  response,
  send,
  unambiguous,
} from "./phrases.ts";

/** RFC 9112, section 9.5: a side that leaves, pauses or makes a mistake while content is under way. */

const arrived: Step = { do: "await", see: atOrigin({}) };
/** The head of the request arrived at the origin, or the proxy asks for the content by itself. */
const arrivedOrContinue: Step = { do: "await", see: any(atOrigin({}), { see: "interim", status: 100 }, answer()) };
/** An origin that answers only when the case says so. */
const WAITING = origin("none");
const closed: Sight = { see: "origin closed" };
/** Sooner than a proxy gives up by itself because the origin is silent. */
const soonClosed: Step = { do: "wait", ms: 500, until: closed };
const begun: Step = { do: "await", see: { see: "response", status: [200] } };

/** The origin sends a part of a long response: more than a proxy holds back until it has all. */
const PART = origin(rawResponse("Content-Length: 4000000\r\n\r\n"), { more: { text: "touchstone", times: 40_000 } });
const leaving = (entry: Pick<Case, "id" | "title" | "steps" | "control"> & Partial<Case>): Case => ({
  spec: "rfc9112#9.5",
  covers: ["rfc9112#9.5/client-gone"],
  level: "SHOULD",
  role: "proxy",
  fence: "new",
  allowed: [{ see: closed }],
  ...entry,
});

/** How long one pause of the origin takes; six of them are longer than some timers for a whole response, and shorter than those for silence. */
const PAUSE_MS = 250;
const pause: Step = { do: "wait", ms: PAUSE_MS, until: { see: "connection closed" } };
const dribble = (...pieces: readonly Text[]): Step[] => pieces.flatMap((text) => [{ do: "origin send", text } as const, pause]);

/** A chunk, and then one whose size is not a number. */
const BROKEN = "5\r\nhello\r\n";
const NO_SIZE = "xyz\r\n";

/** Content in many pieces, each with its number. */
const LINE = `${"touchstone ".repeat(4)}\n`;
const PIECES = { text: `{n} ${LINE}`, times: 900 } as const;
const PIECES_LENGTH = Array.from({ length: PIECES.times }, (_, at) => `${at + 1} ${LINE}`.length).reduce((sum, one) => sum + one, 0);
/** Where a proxy keeps what comes early, pieces of these sizes may be kept in different ways. */
const early = (cut: number): Case => ({
  id: `http1/proxy-early-content-in-pieces-of-${cut}`,
  spec: "rfc9110#10.1.1",
  covers: ["rfc9112#6.3/length", "rfc9110#10.1.1/may-omit"],
  level: "MUST",
  role: "proxy",
  title: `The proxy forwards content whole and in order that comes in pieces of ${cut} octets before the origin's 100.`,
  steps: [
    WAITING,
    send(postOf("", `Content-Length: ${PIECES_LENGTH}`, "Expect: 100-continue")),
    arrivedOrContinue,
    { do: "repeat", ...PIECES, cut },
    // Now it sends 100 if that is expected there, and its response after the content.
    origin(response("ok")),
    awaitAnswer,
  ],
  control: [send(postOf("", `Content-Length: ${PIECES_LENGTH}`)), { do: "repeat", ...PIECES }, awaitAnswer],
  allowed: [
    { see: all(answer({ status: [200], body: "ok" }), requests(1), atOrigin({ body: PIECES.text, times: PIECES.times }), unambiguous) },
    permitted(answer({ status: [413] }), "rfc9110#15.5.14"),
  ],
});

export const cases: readonly Case[] = [
  leaving({
    id: "http1/proxy-client-resets-within-answer",
    title: "The proxy gives up its request to the origin when the client resets its connection within the response.",
    steps: [PART, send(get()), begun, { do: "reset" }, soonClosed],
    control: [origin(response("ok")), send(get()), awaitAnswer],
  }),
  leaving({
    id: "http1/proxy-h2-stream-cancelled-within-answer",
    ...FRONT,
    title: "The proxy gives up its request to the origin when the client resets its stream within the response.",
    steps: [PART, http2(h2Get()), begun, http2({ type: "RST_STREAM", stream: 1, code: "CANCEL" }), soonClosed],
    control: [origin(response("ok")), http2(h2Get()), awaitAnswer],
  }),
  leaving({
    id: "http1/proxy-request-spoiled-within-content",
    covers: ["rfc9112#9.5/request-spoiled"],
    title: "The proxy gives up a request that it has begun to forward when the client sends an invalid chunk.",
    steps: [
      WAITING,
      send(postOf(BROKEN, CHUNKED)),
      { do: "wait", ms: PAUSE_MS, until: atOrigin({}) },
      send(NO_SIZE),
      { do: "wait", ms: PAUSE_MS, until: closed },
    ],
    control: [send(goodChunks), awaitAnswer],
    // It may also have waited for the whole request, and forward nothing.
    allowed: [{ see: any(closed, requests(0)) }],
  }),
  {
    id: "http1/proxy-slow-answer-whole",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    role: "proxy",
    title: "The proxy passes on a response whole whose content comes in pieces, with a pause before each.",
    steps: [
      WAITING,
      send(get()),
      arrived,
      ...dribble(rawResponse("Content-Length: 10\r\n\r\n"), "to", "uc", "hs", "to"),
      { do: "origin send", text: "ne" },
      awaitAnswer,
    ],
    control: [origin(rawResponse("Content-Length: 10\r\n\r\ntouchstone")), send(get()), awaitAnswer],
    allowed: [
      { see: answer({ status: [200], body: "touchstone" }) },
      permitted({ see: "connection closed" }, "rfc9112#9.5", "warn"),
      permitted(answer({ status: [504] }), "rfc9110#15.6.5", "warn"),
    ],
  },
  early(700),
  early(5_000),
];
