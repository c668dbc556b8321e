import { setTimeout as pause } from "node:timers/promises";
import { type Exchange, type Handler, serve } from "../../../reference/serve/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { LIMITS_FIELD } from "../../http1/limits.ts";
import { peer, startPeer } from "../../peers/index.ts";
import { LIMIT_NAMES, type LimitName, LIMITS } from "../limits.ts";

const TEXT = "Touchstone asks whether network software speaks its protocol, and this is the answer of its own reference.\n";
const FIELDS = [
  ["content-type", "text/plain"],
  ["content-length", String(TEXT.length)],
] as const;
/** How long the server over TLS leaves content unread, in milliseconds, so that windows can be overrun. */
const UNREAD_MS = 200;
/** The window of a connection whose streams have the same: it fills first. */
const CONNECTION_WINDOW = 1_048_576;
/** It does not announce NO_RFC7540_PRIORITIES, so it heeds PRIORITY. The window of a stream fills before that of the connection. */
const OPTIONS = {
  graceMs: 100,
  http2: {
    autoTune: true,
    limits: { connectionWindow: CONNECTION_WINDOW },
    settings: { enableConnectProtocol: true, initialWindowSize: 100_000 },
  },
} as const;
/** The same, but as many streams as a client likes. */
const UNLIMITED = {
  ...OPTIONS,
  http2: { ...OPTIONS.http2, settings: { ...OPTIONS.http2.settings, maxConcurrentStreams: Number.POSITIVE_INFINITY } },
} as const;
/** Too small for what our client puts into it before it knows. */
const SMALL_TABLE = 256;
/** More than every initial window. */
const CHUNKS = 30;
const CHUNK = "Touchstone ".repeat(910);
/** A field that alone fills more than two frames, whatever its coding. */
const LARGE_FIELD = ["x-large", "a".repeat(60_000)] as const;
/** The requests after which the retiring server ends a connection. */
const REQUESTS = 3;

async function* pieces(): AsyncGenerator<string> {
  yield TEXT.slice(0, 1);
  yield TEXT.slice(1);
}

/** A small page, sent after the request is read; a request with a cookie gets that back. A tunnel echoes. */
const plain: Handler = async (request, exchange) => {
  if (request.fields.get("expect") === "100-continue") exchange.interim(100);
  if (request.method === "CONNECT") return { status: 200, body: request.body };
  const cookies = request.fields.list.filter(({ name }) => name === "cookie").map(({ value }) => value);
  if (request.method === "GET" && cookies.length > 0) return { status: 200, body: cookies.join("\n") };
  if (request.method !== "GET" && request.method !== "HEAD") await request.body.bytes();
  return { status: 200, fields: FIELDS, ...(request.method === "HEAD" ? {} : { body: TEXT }) };
};

/** The same with everything optional: an early hint, a pushed response, trailers. It reads content late. */
const rich: Handler = async (request, exchange) => {
  const { method } = request;
  if (method === "POST") await pause(UNREAD_MS);
  if (method !== "GET") return plain(request, exchange);
  exchange.interim(103, [["link", "</style.css>; rel=preload; as=style"]]);
  exchange.push({ path: "/style.css" }, { status: 200, fields: [["content-type", "text/css"]], body: "p { color: black }\n" });
  return { status: 200, fields: [["content-type", "text/plain"]], body: TEXT, trailers: [["x-digest", "none"]] };
};

async function* chunks(): AsyncGenerator<string> {
  for (let n = 0; n < CHUNKS; n++) yield CHUNK;
}

/** How many requests of its connection there have been, with this one. */
function counting(): (exchange: Exchange) => number {
  const requests = new WeakMap<object, number>();
  return ({ connection }) => {
    const count = (requests.get(connection) ?? 0) + 1;
    requests.set(connection, count);
    return count;
  };
}

/** Content of 300 KB after a header section that needs several frames: at first in chunks, with trailers; then in one piece, without. */
function large(): Handler {
  const nth = counting();
  const fields = [["content-type", "text/plain"], LARGE_FIELD] as const;
  return (request, exchange) => {
    if (request.method !== "GET") return plain(request, exchange);
    if (nth(exchange) > 1) return { status: 200, fields, body: CHUNK.repeat(CHUNKS) };
    return { status: 200, fields, body: chunks(), trailers: [["x-digest", "none"]] };
  };
}

/** Limits on the life of a connection. Each server that has some names them. */
const LIFETIMES: readonly LimitName[] = [
  "idle-time",
  "age",
  "age-grace",
  "alive-time",
  "alive-time-of-streams",
  "alive-answer",
  "ping-interval",
  "early-pings",
  "idle-pings",
];
/** Names limits in each response. */
const named =
  (handler: Handler, limits: readonly LimitName[]): Handler =>
  async (request, exchange) => {
    const response = await handler(request, exchange);
    return { ...response, fields: [...(response.fields ?? []), [LIMITS_FIELD, limits.join(", ")]] };
  };

/** The same as `plain`, with a graceful shutdown of every connection. */
function retiring(): Handler {
  const nth = counting();
  return (request, exchange) => {
    if (nth(exchange) === REQUESTS) exchange.connection.shutdown();
    return plain(request, exchange);
  };
}

const started = async (handler: Handler, options: Parameters<typeof serve>[1]): Promise<StartedSubject<ServerSubject>> => {
  const server = await serve(handler, options);
  return { subject: { url: server.url }, stop: () => server.close() };
};

/** Our server in its own process, so that the cost of a flood can be measured. */
export async function startApart(): Promise<StartedSubject<ServerSubject>> {
  const { url, pid, stop } = await startPeer(peer("touchstone"), { protocol: "http2" });
  return { subject: { url }, pid, stop };
}

/** The same; the content of the first response of a connection comes in two pieces, one of them of an octet. */
function hesitant(): Handler {
  const nth = counting();
  return (request, exchange) =>
    request.method === "GET" && !request.fields.has("cookie") && nth(exchange) === 1
      ? { status: 200, fields: FIELDS, body: pieces() }
      : plain(request, exchange);
}

/** Our server in clear text. */
export const startClear = (): Promise<StartedSubject<ServerSubject>> => started(hesitant(), OPTIONS);

/** Our server with a large response in a large header section. */
export const startLarge = (): Promise<StartedSubject<ServerSubject>> => started(large(), UNLIMITED);

/** Our server that ends a connection after a few requests, and of one without requests after a few PINGs. */
export const startRetiring = (): Promise<StartedSubject<ServerSubject>> =>
  started(named(retiring(), ["idle-pings"]), {
    ...OPTIONS,
    http2: { ...OPTIONS.http2, permitPings: { everyMs: 0, withoutStreams: false } },
  });

/** Our server over TLS, with everything optional. */
export const startSecure = (): Promise<StartedSubject<ServerSubject>> =>
  started(rich, {
    ...OPTIONS,
    http2: {
      settings: { noRfc7540Priorities: true, initialWindowSize: CONNECTION_WINDOW, headerTableSize: SMALL_TABLE },
      limits: { connectionWindow: CONNECTION_WINDOW },
    },
    tls: true,
  });

/** Content of 300 KB, with the names of all limits. */
const naming: Handler = (request, exchange) =>
  request.method === "GET"
    ? {
        status: 200,
        fields: [
          ["content-type", "text/plain"],
          [LIMITS_FIELD, LIMIT_NAMES.filter((name) => !LIFETIMES.includes(name)).join(", ")],
        ],
        body: CHUNK.repeat(CHUNKS),
      }
    : plain(request, exchange);
/** So small that a read of frames of an octet each overruns it. */
const TINY_WINDOW = 1_024;
const budget = (burst: number): { readonly burst: number; readonly perSecond: number } => ({ burst, perSecond: LIMITS.renewed });

/** Our server with small limits, so that cases reach them. */
export const startLimited = (): Promise<StartedSubject<ServerSubject>> =>
  started(naming, {
    graceMs: 100,
    http2: {
      settings: { enableConnectProtocol: true, initialWindowSize: TINY_WINDOW, maxHeaderListSize: LIMITS.section },
      limits: {
        pings: budget(LIMITS.pings),
        settings: budget(LIMITS.settings),
        priorities: budget(LIMITS.priorities),
        emptyFrames: budget(LIMITS["empty-frames"]),
        windowUpdates: budget(LIMITS["window-updates"]),
        unknownFrames: budget(LIMITS["unknown-frames"]),
        resets: budget(LIMITS.resets),
        errors: budget(LIMITS.errors),
        continuations: LIMITS.continuations,
        blockOctets: LIMITS.block,
        prefaceMs: LIMITS["preface-time"],
        settingsMs: LIMITS["settings-time"],
        blockMs: LIMITS["block-time"],
        stallMs: LIMITS["stall-time"],
        stallOctets: LIMITS["stall-octets"],
      },
    },
  });

/** Our server that ends idle and old connections, and asks silent clients while streams are open. */
export const startMortal = (): Promise<StartedSubject<ServerSubject>> =>
  started(named(plain, ["idle-time", "age", "age-grace", "alive-time-of-streams", "alive-answer"]), {
    graceMs: 100,
    http2: {
      limits: { goawayMs: 500 },
      life: { maxIdleMs: LIMITS["idle-time"], maxAgeMs: LIMITS.age, graceMs: LIMITS["age-grace"] },
      keepalive: { timeMs: LIMITS["alive-time-of-streams"], timeoutMs: LIMITS["alive-answer"], withoutStreams: false },
    },
  });

/** Our server that asks all silent clients, and permits slow PINGs to all. */
export const startInquisitive = (): Promise<StartedSubject<ServerSubject>> =>
  started(named(plain, ["alive-time", "alive-answer", "ping-interval", "early-pings"]), {
    graceMs: 100,
    http2: {
      keepalive: { timeMs: LIMITS["alive-time"], timeoutMs: LIMITS["alive-answer"], withoutStreams: true },
      permitPings: { everyMs: LIMITS["ping-interval"], withoutStreams: true },
    },
  });
