import { Unreachable, type Feature } from "../../harness/driver.ts";
import { requireGood, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import { LIMITS_FIELD } from "../../http1/limits.ts";
import { get } from "../cases/phrases.ts";
import { LIMIT_NAMES, limitFeature } from "../limits.ts";
import type { Case, Sight } from "../vocabulary.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import { endedStream, fieldOf, isFrame, responsesOn } from "./sights.ts";
import { Http2Stage } from "./stage.ts";
import { perform } from "./steps.ts";

/**
 * Optional server features that cases need, probed once before the first case. An unlisted name is a mistake in a case.
 */
export const FEATURES: Readonly<Record<string, string>> = {
  body: "the response to GET has content",
  "kilobyte-body": "the response to GET has at least 1,000 octets of content",
  "some-body": "the response to GET has at least 16 octets of content",
  "large-body": "the response to GET has at least 100 octets of content",
  "big-body": "the response to GET has at least 131,072 octets of content",
  "large-fields": "the field block of the response to GET is larger than one frame of 16,384 octets",
  echo: "the response to GET repeats the value of the request's Cookie field",
  retires: "the server sends GOAWAY without an error after at most three requests on a connection",
  lasting: "the server keeps a connection for more than three requests",
  post: "POST with content is answered with a status below 400",
  "content-length": "the response to GET declares content-length",
  trailers: "the response to GET ends with a trailer section",
  interim: "the response to GET is preceded by a 1xx response",
  push: "the server pushes with GET",
  connect: "CONNECT is answered with 2xx",
  "echo-tunnel": "what is sent through a tunnel comes back through it",
  "extended-connect": "the server announces ENABLE_CONNECT_PROTOCOL",
  "no-extended-connect": "the server does not announce ENABLE_CONNECT_PROTOCOL",
  "no-rfc7540-priorities": "the server announces NO_RFC7540_PRIORITIES",
  "stream-limit": "the server announces MAX_CONCURRENT_STREAMS of at most 1,000",
  "no-stream-limit": "the server announces no MAX_CONCURRENT_STREAMS",
  "frame-limit": "the server's MAX_FRAME_SIZE is at most 1 MiB, so that it can be exceeded",
  "list-limit": "the server announces MAX_HEADER_LIST_SIZE",
  "small-table": "the server announces HEADER_TABLE_SIZE below 3,000",
  "dynamic-table": "the server allows a dynamic table (HEADER_TABLE_SIZE is not 0)",
  "small-window": "the server's windows are at most 16 MiB, so that they can be filled",
  "tiny-window": "the server's stream windows are at most 4,096 octets",
  tls: "the address is https:",
  clear: "the address is http:",
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [limitFeature(name), `the response to GET names ${name} in ${LIMITS_FIELD}`])),
};

/** More than the initial connection window takes, twice. */
const BIG = 131_072;
/** What a user can do about it. */
const UNLOCK = " (--post PATH names a path that accepts it)";

const FILLABLE = 16_777_216;
const TINY = 4_096;

/** Connects once, and detects the features of the server by plain requests. */
export async function probeServer(
  target: Target,
  { timeout, expectStatus }: Pick<ServerOptions, "timeout" | "expectStatus">,
): Promise<{ features: Map<string, Feature>; version?: string }> {
  const stage = await new Http2Stage("server", target, { timeout }).dial();
  try {
    await talk(stage);
    const good = responsesOn(stage.view(true), 1).find(({ status }) => status >= 200);
    if (good !== undefined) requireGood(good.status, target, expectStatus);
    return { features: featuresOf(stage), ...versionOf(stage) };
  } finally {
    await stage.drop();
  }
}

async function talk(stage: Http2Stage): Promise<void> {
  const { target, timeout } = stage;
  const where = `${target.host}:${target.port}`;
  const stop = await perform([{ do: "handshake" }], stage);
  const garbage = stage.log.seen.find((seen) => seen.is === "garbage");
  if (garbage?.is === "garbage") {
    throw new Unreachable(
      `${where} does not speak HTTP/2: ${garbage.text}. Enable HTTP/2 with prior knowledge (h2c) there, or check its https:// address.`,
    );
  }
  if (stage.log.seen.every((seen) => !isFrame(seen))) {
    throw new Unreachable(
      stage.ended
        ? `${where} closed the connection after the HTTP/2 preface: it is not an HTTP/2 server, or wants https://.`
        : `${where} accepted the connection but sent nothing within ${timeout} ms: it is not an HTTP/2 server, or wants https://.`,
    );
  }
  if (stop !== undefined || stage.over) return;
  await ask(stage, [get(1)], 1);
  if (!stage.over) await ask(stage, postFrames(3), 3);
  if (!stage.over) await askConnect(stage);
}

const CONNECT_STREAM = 5;
const TUNNEL: Sight = { see: "response", stream: CONNECT_STREAM, status: ["2xx"] };
/** Octets for the other end of the tunnel. */
const TUNNELLED = "through the tunnel";
const ECHO: Sight = { see: "text", stream: CONNECT_STREAM, text: TUNNELLED };
/** How much longer than a plain request a tunnel to the subject itself may take to open, in milliseconds. */
const TUNNEL_MS = 250;

/** Sends CONNECT to the subject itself. Many servers never answer it, so the response to a plain request after it shows when to continue. */
async function askConnect(stage: Http2Stage): Promise<void> {
  await stage.wire.send([...connectFrames(CONNECT_STREAM), get(COOKIE_STREAM, ["cookie", COOKIE])]);
  const settled = (): boolean => isSettled(stage, CONNECT_STREAM);
  await stage.until(() => isSettled(stage, COOKIE_STREAM) || stage.over, stage.timeout);
  await stage.until(() => settled() || stage.over, Math.min(TUNNEL_MS, stage.timeout));
  if (stage.over || !stage.sees(TUNNEL)) return;
  await stage.wire.send([{ type: "DATA", stream: CONNECT_STREAM, data: TUNNELLED }]);
  const isAnswered = (): boolean => stage.sees(ECHO) || endedStream(stage.view(true), CONNECT_STREAM) || stage.over;
  await stage.until(isAnswered, Math.min(TUNNEL_MS, stage.timeout));
}

/** Whether the stream has ended, or CONNECT on it was answered. */
function isSettled(stage: Http2Stage, stream: number): boolean {
  const reset: Sight = { see: "frame", type: "RST_STREAM", stream };
  return endedStream(stage.view(true), stream) || stage.sees(reset) || (stream === CONNECT_STREAM && stage.sees(TUNNEL));
}

type Frames = Extract<Case["steps"][number], { do: "send" }>["frames"];

async function ask(stage: Http2Stage, frames: Frames, stream: number): Promise<void> {
  await stage.wire.send(frames);
  await stage.until(() => isSettled(stage, stream) || stage.over, stage.timeout);
}

/** The plain request after CONNECT has a cookie, to see whether the response repeats it. */
const COOKIE_STREAM = 7;
const COOKIE = "touchstone=probe";
const connectFrames = (stream: number): Frames => [
  {
    type: "HEADERS",
    stream,
    flags: ["END_HEADERS"],
    fields: [
      [":method", "CONNECT"],
      [":authority", "{authority}"],
    ],
  },
];

const postFrames = (stream: number): Frames => [
  {
    type: "HEADERS",
    stream,
    flags: ["END_HEADERS"],
    fields: [
      [":method", "POST"],
      [":scheme", "{scheme}"],
      [":authority", "{authority}"],
      [":path", "{post}"],
    ],
  },
  { type: "DATA", stream, flags: ["END_STREAM"], data: "touchstone" },
];

const offers = (stage: Http2Stage, name: string): number | undefined => stage.wire.theirSettings.get(name);

function featuresOf(stage: Http2Stage): Map<string, Feature> {
  const view = stage.view(true);
  const path = stage.target.post ?? stage.target.path;
  const responses = responsesOn(view, 1);
  const final = responses.find(({ status }) => status >= 200);
  const content = stage.log.seen.filter(isFrame).reduce((sum, { frame }) => sum + (frame.stream === 1 ? (frame.data?.length ?? 0) : 0), 0);
  const sections = stage.log.seen.filter(isFrame).filter(({ section }) => section?.of === "HEADERS" && section.stream === 1);
  const posted = responsesOn(view, 3).find(({ status }) => status >= 200)?.status;
  const retires = stage.sees({ see: "GOAWAY", code: "NO_ERROR" });
  const block = final?.seen.section?.block.length ?? 0;
  const length = fieldOf(final?.seen.section?.fields ?? [], "content-length");
  const given = (fieldOf(final?.seen.section?.fields ?? [], LIMITS_FIELD) ?? "").split(",").map((name) => name.trim());
  const limits = LIMIT_NAMES.map((name): [string, Feature] => [
    limitFeature(name),
    { has: given.includes(name), how: `${LIMITS_FIELD}: ${given.join(", ") || "absent"} (conformance/HANDLERS.md says how to set limits)` },
  ]);
  const streams = offers(stage, "MAX_CONCURRENT_STREAMS");
  const windows = Math.max(stage.wire.theirWindows.connection, stage.wire.theirWindows.stream(9));
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const announced = (name: string): string =>
    offers(stage, name) === undefined ? `it does not announce ${name}` : `it announces ${name}=${offers(stage, name)}`;
  return new Map([
    ["body", is(content > 0, `GET was answered with ${content} octets of content`)],
    ["kilobyte-body", is(content >= 1000, `GET was answered with ${content} octets of content`)],
    ["some-body", is(content >= 16, `GET was answered with ${content} octets of content`)],
    ["large-body", is(content >= 100, `GET was answered with ${content} octets of content`)],
    ["big-body", is(content >= BIG, `GET was answered with ${content} octets of content`)],
    ["large-fields", is(block > DEFAULTS.maxFrameSize, `the field block of the response to GET has ${block} octets`)],
    ["echo", is(stage.sees({ see: "text", stream: COOKIE_STREAM, text: COOKIE }), "the response to GET did not repeat its Cookie field")],
    ["retires", is(retires, "it did not send GOAWAY after three requests")],
    ["lasting", is(!retires, "it sent GOAWAY after three requests")],
    [
      "post",
      is(
        posted !== undefined && posted < 400,
        posted === undefined
          ? `POST ${path} was not answered`
          : `POST ${path} was answered with status ${posted}${posted < 400 ? "" : UNLOCK}`,
      ),
    ],
    [
      "content-length",
      is(length !== undefined, length === undefined ? "the response to GET has no content-length" : `content-length: ${length}`),
    ],
    ["trailers", is(sections.length - responses.length > 0, "the response to GET had no trailer section")],
    [
      "interim",
      is(
        responses.some(({ status }) => status < 200),
        "GET was answered without a 1xx response",
      ),
    ],
    ["push", is(stage.sees({ see: "frame", type: "PUSH_PROMISE" }), "nothing was pushed with GET")],
    ["connect", is(stage.sees(TUNNEL), "CONNECT was not answered with 2xx")],
    ["echo-tunnel", is(stage.sees(ECHO), "nothing came back through a tunnel")],
    ["extended-connect", is(offers(stage, "ENABLE_CONNECT_PROTOCOL") === 1, announced("ENABLE_CONNECT_PROTOCOL"))],
    ["no-extended-connect", is(offers(stage, "ENABLE_CONNECT_PROTOCOL") !== 1, announced("ENABLE_CONNECT_PROTOCOL"))],
    ["no-rfc7540-priorities", is(offers(stage, "NO_RFC7540_PRIORITIES") === 1, announced("NO_RFC7540_PRIORITIES"))],
    ["stream-limit", is(streams !== undefined && streams <= 1000, announced("MAX_CONCURRENT_STREAMS"))],
    ["no-stream-limit", is(streams === undefined, announced("MAX_CONCURRENT_STREAMS"))],
    ["frame-limit", is((offers(stage, "MAX_FRAME_SIZE") ?? 0) <= 1_048_576, announced("MAX_FRAME_SIZE"))],
    ["list-limit", is(offers(stage, "MAX_HEADER_LIST_SIZE") !== undefined, announced("MAX_HEADER_LIST_SIZE"))],
    ["small-table", is((offers(stage, "HEADER_TABLE_SIZE") ?? DEFAULTS.tableSize) < 3000, announced("HEADER_TABLE_SIZE"))],
    ["dynamic-table", is(offers(stage, "HEADER_TABLE_SIZE") !== 0, announced("HEADER_TABLE_SIZE"))],
    ["small-window", is(windows <= FILLABLE, `its windows reach ${windows} octets`)],
    ["tiny-window", is(stage.wire.theirWindows.stream(9) <= TINY, announced("INITIAL_WINDOW_SIZE"))],
    ["tls", is(stage.target.scheme === "https", `the address is ${stage.target.scheme}:`)],
    ["clear", is(stage.target.scheme === "http", `the address is ${stage.target.scheme}:`)],
    ...limits,
  ]);
}

function versionOf(stage: Http2Stage): { version?: string } {
  const final = responsesOn(stage.view(true), 1).find(({ status }) => status >= 200);
  const server = fieldOf(final?.seen.section?.fields ?? [], "server");
  return server === undefined ? {} : { version: server };
}
