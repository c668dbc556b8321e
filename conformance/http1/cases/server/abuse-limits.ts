import { answeredFirst, chunked, contentAccepted, LAST, plainChunks, plainLength } from "../framing-phrases.ts";
import { type Entry, get, permitted, request, send, served } from "../phrases.ts";
import type { Allowed, Case, Step } from "../../vocabulary.ts";

/** Valid octets in harmful numbers, or hardly any at all. Each case is bounded in octets and time, and states what the server may spend. */

/** What one bounded flood may cost, where the server's process is known. */
const MODEST = { memoryMiB: 64, cpuMs: 3_000 } as const;
/** How long a client may keep an idle connection. */
const PATIENCE_MS = 75_000;
const SECONDS = PATIENCE_MS / 1_000;
const wait: Step = { do: "wait", ms: PATIENCE_MS, until: { see: "connection closed" } };

/** The server runs out of patience and closes, with 408 or without a response (rfc9110#15.5.9). */
const ENDED: Allowed = [
  { see: { see: "error and close", status: [408] } },
  permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#15.5.9"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
  permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3"),
];
/** The server reports that a limit was reached, or drops the connection. */
const LIMITED: Allowed = [
  { see: { see: "error and close", status: ["4xx"] } },
  permitted({ see: "error and keep-alive", status: ["4xx"] }, "rfc9110#15.5"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
  answeredFirst,
];

type Abuse = Entry & Pick<Case, "steps" | "control">;

/** A client that does next to nothing. The case is about time: it ends as soon as the server does something. */
const slow = ({ steps, ...entry }: Abuse): Case => ({
  spec: "rfc9112#9.5",
  covers: ["rfc9112#9.5/graceful-timeout"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  steps: [...steps, wait],
  allowed: ENDED,
  // Anything sent as a fence would be what the server waits for.
  fence: "none",
  ...entry,
});

const flood = (entry: Abuse): Case => ({
  spec: "rfc9110#5.4",
  covers: ["rfc9110#5.4/too-large"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: MODEST,
  allowed: LIMITED,
  ...entry,
});

/** Content of this many octets: one octet a chunk, and all in one chunk. */
const TINY = 100_000;
const inTinyChunks: readonly Step[] = [send(chunked("")), { do: "repeat", text: "1\r\na\r\n", times: TINY }, send(LAST)];
const inOneChunk: readonly Step[] = [
  send(chunked(`${TINY.toString(16)}\r\n`)),
  { do: "repeat", text: "a", times: TINY },
  send(`\r\n${LAST}`),
];
const HALF_HEAD = "GET {path} HTTP/1.1\r\nHost: {authority}\r\nX-A: b";

export const cases: readonly Case[] = [
  slow({
    id: "http1/abuse-slow-head",
    title: `The server waits at most ${SECONDS} seconds for the rest of a head.`,
    steps: [send(HALF_HEAD)],
    control: [send(get())],
  }),
  slow({
    id: "http1/abuse-slow-content",
    title: `The server waits at most ${SECONDS} seconds for the next octet of content.`,
    steps: [send(`${request("POST", "Content-Length: 10000")}hello`)],
    control: [send(plainLength)],
    needs: ["post"],
  }),
  slow({
    id: "http1/abuse-slow-chunk",
    title: `The server waits at most ${SECONDS} seconds for the rest of a chunk.`,
    steps: [send(chunked("5\r\nhel"))],
    control: [send(plainChunks)],
    needs: ["post"],
  }),
  slow({
    id: "http1/abuse-idle-connection",
    title: `The server closes a connection on which no request arrives within ${SECONDS} seconds.`,
    steps: [send("\r\n")],
    control: [send(`\r\n${get()}`)],
  }),
  flood({
    id: "http1/abuse-many-fields",
    title: "The server rejects a head of 20,000 fields.",
    steps: [send("GET {path} HTTP/1.1\r\nHost: {authority}\r\n"), { do: "repeat", text: "X-{n}: a\r\n", times: 20_000 }, send("\r\n")],
    control: [send(get())],
  }),
  flood({
    id: "http1/abuse-head-without-end",
    title: "The server rejects a head of 4 MB.",
    steps: [send("GET {path} HTTP/1.1\r\nHost: {authority}\r\nX-A: "), { do: "repeat", text: "a".repeat(1_000), times: 4_000 }],
    control: [send(get())],
  }),
  flood({
    id: "http1/abuse-chunk-extension-without-end",
    title: "The server rejects a chunk extension of 4 MB.",
    steps: [send(chunked("5;a=")), { do: "repeat", text: "a".repeat(1_000), times: 4_000 }],
    control: [send(plainChunks)],
    needs: ["post"],
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/limited"],
  }),
  flood({
    id: "http1/abuse-empty-lines",
    title: "The server does not wait for a request after a million empty lines.",
    steps: [{ do: "repeat", text: "\r\n", times: 1_000_000 }, send(get())],
    control: [send(`\r\n${get()}`)],
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    allowed: [...LIMITED, permitted(served(2), "rfc9112#2.2")],
  }),
  flood({
    id: "http1/abuse-tiny-chunks",
    title: `The server accepts or rejects ${TINY} chunks of one octet within its budget.`,
    steps: inTinyChunks,
    control: inOneChunk,
    needs: ["post"],
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    allowed: [...contentAccepted, ...LIMITED.map(({ see }) => permitted(see, "rfc9112#7.1"))],
  }),
  flood({
    id: "http1/abuse-pipelined-requests",
    title: "The server answers 2,000 pipelined requests, or closes the connection, within its budget.",
    steps: [{ do: "repeat", text: get(), times: 2_000 }],
    control: [send(get() + get())],
    needs: ["pipelining"],
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order"],
    allowed: [{ see: served(2_001) }, permitted({ see: "connection closed" }, "rfc9112#9.5")],
  }),
];
