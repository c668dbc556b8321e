import { answeredFirst, chunked, LAST, plainChunks, plainLength, tookContent } from "./framing-phrases.ts";
import { get, permitted, request, send, served } from "./phrases.ts";
import type { Case, Outcome, Step } from "./vocabulary.ts";

/** Lawful octets in harmful numbers, or hardly any at all. Bounded in octets and in time; each says how long, or how much, may be borne. */

type Allowed = readonly [Outcome, ...Outcome[]];

/** What one bounded flood may cost, where the process is known. */
const MODEST = { memoryMiB: 64, cpuMs: 3_000 } as const;
/** How long somebody may keep a connection busy with nothing. */
const PATIENCE_MS = 75_000;
const wait: Step = { do: "wait", ms: PATIENCE_MS, until: { see: "connection closed" } };

/** Patience has an end: the connection is ended, with 408 or without a word (rfc9110#15.5.9). */
const ENDED: Allowed = [
  { see: { see: "error and close", status: [408] } },
  permitted({ see: "error and close", status: ["4xx"] }, "rfc9110#15.5.9"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
  permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3"),
];
/** A limit was met, and said so; or the connection was dropped. */
const LIMITED: Allowed = [
  { see: { see: "error and close", status: ["4xx"] } },
  permitted({ see: "error and keep-alive", status: ["4xx"] }, "rfc9110#15.5"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
  answeredFirst,
];

/** A client that does next to nothing. Time is the subject: the case is over as soon as the server does something about it. */
const slow = (words: string, title: string, steps: readonly Step[], control: readonly Step[], more: Partial<Case> = {}): Case => ({
  id: `http1/abuse-${words}`,
  spec: "rfc9112#9.5",
  covers: ["rfc9112#9.5/graceful-timeout"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  title,
  steps: [...steps, wait],
  control,
  allowed: ENDED,
  // Anything that we sent now would be what it waits for.
  fence: "none",
  ...more,
});

const flood = (words: string, title: string, steps: readonly Step[], control: readonly Step[], more: Partial<Case> = {}): Case => ({
  id: `http1/abuse-${words}`,
  spec: "rfc9110#5.4",
  covers: ["rfc9110#5.4/too-large"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: MODEST,
  title,
  steps,
  control,
  allowed: LIMITED,
  ...more,
});

/** Content of 100,000 octets, an octet a chunk; and in one. */
const TINY = 100_000;
const inTinyChunks: readonly Step[] = [send(chunked("")), { do: "repeat", text: "1\r\na\r\n", times: TINY }, send(LAST)];
const inOneChunk: readonly Step[] = [
  send(chunked(`${TINY.toString(16)}\r\n`)),
  { do: "repeat", text: "a", times: TINY },
  send(`\r\n${LAST}`),
];
const HALF_HEAD = "GET {path} HTTP/1.1\r\nHost: {authority}\r\nX-A: b";

export const cases: readonly Case[] = [
  slow(
    "slow-head",
    `The server does not wait longer than ${PATIENCE_MS / 1_000} seconds for the rest of a head.`,
    [send(HALF_HEAD)],
    [send(get())],
  ),
  slow(
    "slow-content",
    `The server does not wait longer than ${PATIENCE_MS / 1_000} seconds for the next octet of content.`,
    [send(`${request("POST", "Content-Length: 10000")}hello`)],
    [send(plainLength)],
    { needs: ["post"] },
  ),
  slow(
    "slow-chunk",
    `The server does not wait longer than ${PATIENCE_MS / 1_000} seconds for the rest of a chunk.`,
    [send(chunked("5\r\nhel"))],
    [send(plainChunks)],
    { needs: ["post"] },
  ),
  slow(
    "idle-connection",
    `The server does not keep a connection for longer than ${PATIENCE_MS / 1_000} seconds on which nothing was ever said.`,
    [send("\r\n")],
    [send(`\r\n${get()}`)],
  ),
  flood(
    "many-fields",
    "The server refuses a head of 20,000 fields.",
    [send("GET {path} HTTP/1.1\r\nHost: {authority}\r\n"), { do: "repeat", text: "X-{n}: a\r\n", times: 20_000 }, send("\r\n")],
    [send(get())],
  ),
  flood(
    "head-without-end",
    "The server does not read a head of 4 MiB.",
    [send("GET {path} HTTP/1.1\r\nHost: {authority}\r\nX-A: "), { do: "repeat", text: "a".repeat(1_000), times: 4_000 }],
    [send(get())],
  ),
  flood(
    "empty-lines",
    "The server does not wait for a request behind a million empty lines.",
    [{ do: "repeat", text: "\r\n", times: 1_000_000 }, send(get())],
    [send(`\r\n${get()}`)],
    {
      spec: "rfc9112#2.2",
      covers: ["rfc9112#2.2/empty-line-before"],
      allowed: [...LIMITED, permitted(served(2), "rfc9112#2.2")],
    },
  ),
  flood("tiny-chunks", `The server reads, or refuses, ${TINY} chunks of one octet at a bearable price.`, inTinyChunks, inOneChunk, {
    needs: ["post"],
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    allowed: [...tookContent, ...LIMITED.map(({ see }) => permitted(see, "rfc9112#7.1"))],
  }),
  flood(
    "pipelined-requests",
    "The server answers 2,000 requests that come at once, or ends the connection, at a bearable price.",
    [{ do: "repeat", text: get(), times: 2_000 }],
    [send(get() + get())],
    {
      needs: ["pipelining"],
      spec: "rfc9112#9.3.2",
      covers: ["rfc9112#9.3.2/in-order"],
      allowed: [{ see: served(2_001) }, permitted({ see: "connection closed" }, "rfc9112#9.5")],
    },
  ),
];
