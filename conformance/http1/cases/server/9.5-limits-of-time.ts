import { LIMITS, type LimitName, limitFeature } from "../../limits.ts";
import { chunked, LAST, plainChunks } from "../framing-phrases.ts";
import { answered, awaitResponse, get, head, likePath, permitted, post, request, send, served, servedWith } from "../phrases.ts";
import type { Allowed, Case, Sight, Step, Text } from "../../vocabulary.ts";

/** Times that the server was given (`conformance/http1/limits.ts`): it waits almost as long, and not much longer. */

/** Most of a second, so that a busy machine does not use up the rest. */
const SOON: Step = { do: "wait", ms: 500, until: { see: "connection closed" } };
/** Enough for two reads. */
const SHORT: Step = { do: "wait", ms: 50 };
/** Much longer than any of the limits. */
const LONG: Step = { do: "wait", ms: 3_000, until: { see: "connection closed" } };

type Timed = Pick<Case, "id" | "title" | "steps" | "control"> & Partial<Case> & { readonly limit: LimitName };

const timed = ({ limit, needs = [], ...entry }: Timed): Case => ({
  spec: "rfc9112#9.5",
  covers: ["rfc9112#9.5/graceful-timeout"],
  level: "SHOULD",
  role: "server",
  needs: [limitFeature(limit), ...needs],
  allowed: LATE,
  ...entry,
});

/** The server waits no longer: 408, or only the end of the connection (rfc9110#15.5.9). */
const LATE: Allowed = [
  { see: { see: "error and close", status: [408] } },
  permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#15.5.9"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
  permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3"),
];
const late = (entry: Timed): Case => timed({ ...entry, fence: "none" });
/** The connection ends after one response, and nothing else. */
const ENDED: Allowed = [{ see: { see: "closed after", responses: 1 } }];

const START: Text = "GET {path} HTTP/1.1\r\n";
const REST: Text = "Host: {authority}\r\n\r\n";
/** Pieces with as much time after each of them. */
const dribble = (text: Text, times: number, ms: number): readonly Step[] =>
  Array.from({ length: times }, (): readonly Step[] => [send(text), { do: "wait", ms, until: { see: "connection closed" } }]).flat();

/** Enough octets that the rate holds for some seconds. */
const PLENTY = LIMITS["content-rate"] * 4;
const upload = (octets: number, ...fields: readonly Text[]): Text => request("POST", `Content-Length: ${octets}`, ...fields);

const patch = (octets: number): Text => head("PATCH {path} HTTP/1.1", "Host: {authority}", `Content-Length: ${octets}`);
const put = (...fields: readonly Text[]): Text => head("PUT {path} HTTP/1.1", "Host: {authority}", ...fields);
/** The client is asked for the content, or told that nobody wants it. */
const EITHER: Sight = {
  see: "any",
  of: [
    { see: "interim", status: 100 },
    { see: "response", complete: true },
  ],
};

export const cases: readonly Case[] = [
  late({
    id: "http1/time-head-late",
    limit: "head-time",
    title: "The server does not wait for the rest of a head longer than its limit.",
    steps: [send(START), LONG],
    control: [send(get())],
  }),
  late({
    id: "http1/time-request-line-late",
    limit: "head-time",
    title: "The server does not wait for the rest of a request line longer than its limit.",
    steps: [send("GE"), LONG],
    control: [send(get())],
  }),
  late({
    id: "http1/time-head-dribbled",
    limit: "head-time",
    title: "The server limits the time of a whole head, however often a part of it arrives.",
    steps: [send(START), ...dribble("X-A: a\r\n", 10, 250)],
    control: [send(START), send("X-A: a\r\n".repeat(10)), send(REST)],
  }),
  timed({
    id: "http1/time-head-in-time",
    limit: "head-time",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/octets"],
    level: "MUST",
    title: "The server accepts a head that arrives within its limit.",
    steps: [send(START), SOON, send(REST)],
    control: [send(START + REST)],
    allowed: [{ see: servedWith(2, likePath()) }],
  }),
  timed({
    id: "http1/time-head-after-idling",
    limit: "head-time",
    title: "The time of a head begins with its first octet, also on a connection that was idle.",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    needs: ["keep-alive", limitFeature("idle-time")],
    steps: [send(get()), awaitResponse(), SOON, send(START), SOON, send(REST), awaitResponse(2), SOON, send(START), SOON, send(REST)],
    control: [send(get()), awaitResponse(), send(START + REST), awaitResponse(2), send(START + REST)],
    allowed: [{ see: served(4) }],
  }),
  late({
    id: "http1/time-nothing-sent",
    limit: "idle-time",
    title: "The server closes a connection on which nothing has arrived after its limit.",
    steps: [send(""), LONG],
    control: [send(get())],
  }),
  late({
    id: "http1/time-first-octet-alone",
    limit: "head-time",
    title: "The server does not wait for the second octet of a request longer than its limit.",
    steps: [send("P"), LONG],
    control: [send(get())],
  }),
  late({
    id: "http1/time-idle-without-request",
    limit: "idle-time",
    title: "The server closes a connection without a request after its limit.",
    steps: [send("\r\n"), LONG],
    control: [send(`\r\n${get()}`)],
  }),
  late({
    id: "http1/time-idle-after-response",
    limit: "idle-time",
    title: "The server closes a connection that was idle for its limit.",
    needs: ["keep-alive"],
    steps: [send(get()), awaitResponse(), LONG],
    control: [send(get()), awaitResponse(), send(get()), awaitResponse(2)],
    allowed: ENDED,
  }),
  late({
    id: "http1/time-idle-after-content",
    limit: "idle-time",
    title: "The server closes a connection that was idle for its limit after a request with content.",
    needs: ["keep-alive", "post"],
    steps: [send(post("hello")), awaitResponse(), LONG],
    control: [send(post("hello")), awaitResponse(), send(get()), awaitResponse(2)],
    allowed: ENDED,
  }),
  timed({
    id: "http1/time-idle-each-time-anew",
    limit: "idle-time",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    title: "The time of an idle connection begins anew after each response.",
    needs: ["keep-alive", "post"],
    steps: [send(get()), awaitResponse(), SOON, send(post("hello")), awaitResponse(2), SOON, send(plainChunks), awaitResponse(3), SOON],
    control: [send(get()), awaitResponse(), send(post("hello")), awaitResponse(2), send(plainChunks), awaitResponse(3)],
    allowed: [{ see: served(4) }],
  }),
  late({
    id: "http1/time-content-late",
    limit: "content-time",
    title: "The server does not wait for content longer than its limit.",
    needs: ["post"],
    steps: [send(`${upload(1_000)}hello`), LONG],
    control: [send(post("hello"))],
  }),
  late({
    id: "http1/time-content-late-after-much",
    limit: "content-time",
    title: "The server does not wait for content longer than its limit, however much has come before.",
    needs: ["post"],
    // At the lowest rate so much content would take several seconds.
    steps: [send(upload(PLENTY * 2) + "a".repeat(PLENTY)), LONG],
    control: [send(post("a".repeat(PLENTY * 2)))],
  }),
  late({
    id: "http1/time-chunk-late",
    limit: "content-time",
    title: "The server does not wait for the rest of a chunk longer than its limit.",
    needs: ["post"],
    steps: [send(chunked("5\r\nhel")), LONG],
    control: [send(plainChunks)],
  }),
  late({
    id: "http1/time-trailers-late",
    limit: "content-time",
    title: "The server does not wait for trailers longer than its limit.",
    needs: ["post"],
    steps: [send(chunked("5\r\nhello\r\n0\r\nX-A: a\r\n")), LONG],
    control: [send(plainChunks)],
  }),
  late({
    id: "http1/time-unwanted-content-late",
    limit: "content-time",
    title: "The server does not wait for content that it has already answered longer than its limit.",
    needs: ["keep-alive"],
    steps: [send(put("Content-Length: 500")), awaitResponse(), LONG],
    control: [send(put("Content-Length: 500")), awaitResponse(), send("a".repeat(500) + get())],
    allowed: ENDED,
  }),
  timed({
    id: "http1/time-idle-not-while-a-response-is-due",
    limit: "idle-time",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    title: "A connection is not idle while a response is due, however long that takes.",
    needs: ["keep-alive"],
    steps: [send(put("Content-Length: 0")), awaitResponse(), SOON],
    control: [send(get()), awaitResponse(), SOON],
    allowed: [{ see: served(2) }],
  }),
  timed({
    id: "http1/time-content-not-while-a-response-is-due",
    limit: "content-time",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/1.1-persists"],
    level: "MUST",
    title: "Content that is complete is not late, however long its response takes.",
    needs: ["keep-alive"],
    steps: [send(`${put("Content-Length: 5")}hello`), awaitResponse()],
    control: [send(get()), awaitResponse()],
    allowed: [{ see: { see: "all", of: [served(2), { see: "not", of: { see: "response", status: [408] } }] } }],
  }),
  timed({
    id: "http1/time-content-not-while-unread",
    limit: "content-time",
    spec: "rfc9112#9.5",
    covers: ["rfc9112#9.5/sustained"],
    title: "Content that waits because the server does not read it is not late.",
    fence: "none",
    steps: [send(patch(4_000) + "a".repeat(2_100)), SHORT, send("a".repeat(1_900)), awaitResponse()],
    control: [send(patch(5) + "hello"), awaitResponse()],
    allowed: [{ see: { see: "all", of: [answered(), { see: "not", of: { see: "response", status: [408] } }] } }],
  }),
  late({
    id: "http1/time-content-late-after-100",
    limit: "content-time",
    title: "The server that has asked for content does not wait for it longer than its limit.",
    needs: ["expect"],
    steps: [send(upload(1_000, "Expect: 100-continue")), { do: "await", see: { see: "interim", status: 100 } }, LONG],
    control: [send(upload(1_000, "Expect: 100-continue")), { do: "await", see: { see: "interim", status: 100 } }, send("a".repeat(1_000))],
  }),
  timed({
    id: "http1/time-content-not-while-100-is-due",
    limit: "content-time",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/no-waiting"],
    level: "MUST NOT",
    title: "Content is not late while the client waits for 100.",
    fence: "none",
    steps: [send(put("Expect: 100-continue", "Content-Length: 5")), { do: "await", see: EITHER }],
    control: [send(`${put("Content-Length: 5")}hello`), awaitResponse()],
    allowed: [{ see: { see: "all", of: [EITHER, { see: "not", of: { see: "response", status: [408] } }] } }],
  }),
  timed({
    id: "http1/time-content-not-while-100-is-due-after-103",
    limit: "content-time",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/no-waiting"],
    level: "MUST NOT",
    title: "Content is not late while the client waits for 100, even after a 103.",
    needs: ["early"],
    fence: "none",
    steps: [
      send(head("PUT {early} HTTP/1.1", "Host: {authority}", "Expect: 100-continue", "Content-Length: 5")),
      { do: "await", see: EITHER },
    ],
    control: [send(`${put("Content-Length: 5")}hello`), awaitResponse()],
    allowed: [{ see: { see: "all", of: [EITHER, { see: "not", of: { see: "response", status: [408] } }] } }],
  }),
  timed({
    id: "http1/time-content-in-time",
    limit: "content-time",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    title: "The server accepts content that arrives within its limits, whatever the time of all of it.",
    needs: ["post"],
    steps: [
      send(upload(PLENTY + 30) + "a".repeat(PLENTY)),
      SOON,
      send("a".repeat(10)),
      SOON,
      send("a".repeat(10)),
      SOON,
      send("a".repeat(10)),
    ],
    control: [send(post("a".repeat(PLENTY + 30)))],
    allowed: [{ see: servedWith(2, likePath()) }, { see: servedWith(2), by: "rfc9110#9.3.3" }],
  }),
  timed({
    id: "http1/time-chunks-in-time",
    limit: "content-time",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    level: "MUST",
    title: "The server accepts chunks that arrive within its limits, whatever the time of all of them.",
    needs: ["post"],
    steps: [
      send(chunked(`${PLENTY.toString(16)}\r\n${"a".repeat(PLENTY)}`)),
      SOON,
      send("\r\n1\r\na"),
      SOON,
      send("\r\n1\r\n"),
      SOON,
      send(`a\r\n${LAST}`),
    ],
    control: [send(plainChunks)],
    allowed: [{ see: served(2) }],
  }),
  late({
    id: "http1/rate-content-dribbled",
    limit: "content-rate",
    title: "The server does not go on reading content that arrives more slowly than its limit.",
    needs: ["post"],
    steps: [send(upload(3_000)), ...dribble("a".repeat(10), 16, 200)],
    control: [send(post("a".repeat(3_000)))],
  }),
  timed({
    id: "http1/rate-content-fast-enough",
    limit: "content-rate",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    title: "The server accepts content that arrives for seconds, at twice the rate of its limit.",
    needs: ["post"],
    steps: [send(upload(1_500)), ...dribble("a".repeat(100), 15, 200)],
    control: [send(post("a".repeat(1_500)))],
    allowed: [{ see: served(2) }],
  }),
];
