import { Unreachable, type Feature } from "../../harness/driver.ts";
import { requireGood, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import { get, request } from "../cases/phrases.ts";
import type { FrameSpec, Sight, StreamRef } from "../vocabulary.ts";
import { requestRound } from "./fence.ts";
import { contentOn, fieldOf, isFrame, isOverOn, responsesOn } from "./sights.ts";
import { Http3Stage } from "./stage.ts";
import { perform } from "./steps.ts";

/** Optional server features that cases need, probed once before the first case. An unlisted name is a mistake in a case. */
export const FEATURES: Readonly<Record<string, string>> = {
  body: "the response to GET has content",
  post: "POST with content is answered with a status below 400",
  head: "HEAD is answered with a status below 400",
  "content-length": "the response to GET declares content-length",
  trailers: "the response to GET ends with a trailer section",
  interim: "the response to GET is preceded by a 1xx response",
  "reads-content": "the response to POST comes only after its content, so the server reads that",
  connect: "CONNECT is answered with 2xx, and its stream stays open",
  "echo-tunnel": "what is sent through a tunnel comes back through it",
  "extended-connect": "the server announces ENABLE_CONNECT_PROTOCOL",
  "no-extended-connect": "the server does not announce ENABLE_CONNECT_PROTOCOL",
  "list-limit": "the server announces MAX_FIELD_SECTION_SIZE of at most 1 MiB",
  "dynamic-table": "the server allows a dynamic table of at least 200 octets (QPACK_MAX_TABLE_CAPACITY)",
  "large-table": "the server allows a dynamic table of at least 4,096 octets (QPACK_MAX_TABLE_CAPACITY)",
  "no-dynamic-table": "the server allows no dynamic table",
  "blocked-streams": "the server lets streams wait for QPACK insertions, at most 50 of them (QPACK_BLOCKED_STREAMS)",
  "priority-update": "the server ends the connection for PRIORITY_UPDATE on a request stream, so it knows the frame",
};

const TABLE = 200;
const LARGE_TABLE = 4_096;
const BLOCKED = 50;
const LIST = 1_048_576;
/** What a user can do about it. */
const UNLOCK = " (--post PATH names a path that accepts it)";
const TUNNELLED = "through the tunnel";
/** How much longer than a plain request the answer to a tunnel, or to content that nobody reads, may take, in milliseconds. */
const TUNNEL_MS = 250;

const TUNNEL: Sight = { see: "response", on: "request 4", status: ["2xx"] };
const ECHO: Sight = { see: "text", on: "request 4", text: TUNNELLED };

/** Connects once, and detects the features of the server by plain requests. */
export async function probeServer(
  target: Target,
  { timeout, expectStatus }: Pick<ServerOptions, "timeout" | "expectStatus">,
): Promise<{ features: Map<string, Feature>; version?: string }> {
  const stage = await new Http3Stage("server", target, { timeout }).dial();
  try {
    await talk(stage);
    const good = responsesOn(stage.view(true), stage.streamOf("request")).find(({ status }) => status >= 200);
    if (good === undefined) throw new Unreachable(`${target.host}:${target.port} did not answer GET ${target.path} within ${timeout} ms.`);
    requireGood(good.status, target, expectStatus);
    return { features: featuresOf(stage, await refusesPriorities(target, timeout)), ...versionOf(stage) };
  } finally {
    await stage.drop();
  }
}

async function talk(stage: Http3Stage): Promise<void> {
  const stop = await perform([{ do: "handshake" }], stage);
  if (stop !== undefined || stage.over)
    throw new Unreachable(
      `${stage.target.host}:${stage.target.port} speaks QUIC, but not HTTP/3: ${stop ?? stage.wire.closed?.words ?? ""}.`,
    );
  await ask(stage, "request", [get()], true);
  await ask(
    stage,
    "request 2",
    [
      { type: "HEADERS", fields: request("POST") },
      { type: "DATA", data: "touchstone" },
    ],
    true,
  );
  await askLate(stage);
  await ask(stage, "request 3", [{ type: "HEADERS", fields: request("HEAD") }], true);
  await askConnect(stage);
}

/** Sends frames on a new stream, and waits until it is over. */
async function ask(stage: Http3Stage, on: StreamRef, frames: readonly FrameSpec[], end: boolean): Promise<void> {
  if (stage.over) return;
  await perform([{ do: "send", on, frames, ...(end ? { end } : {}) }], stage);
  await stage.until(() => stage.over || isOverOn(stage.view(true), stage.streamOf(on)), stage.timeout);
}

/** Sends a POST whose end comes only when a later request is answered, with time for the response to one that nobody reads. */
async function askLate(stage: Http3Stage): Promise<void> {
  if (stage.over) return;
  await perform(
    [
      {
        do: "send",
        on: "request 6",
        frames: [
          { type: "HEADERS", fields: request("POST") },
          { type: "DATA", data: "touchstone" },
        ],
      },
    ],
    stage,
  );
  await ask(stage, "request 7", [get()], true);
  const over = (): boolean => stage.over || answersEarly(stage);
  await stage.until(over, Math.min(TUNNEL_MS, stage.timeout));
  if (over()) return;
  await perform([{ do: "end", on: "request 6" }], stage);
  await stage.until(() => stage.over || isOverOn(stage.view(true), stage.streamOf("request 6")), stage.timeout);
}
const answersEarly = (stage: Http3Stage): boolean => {
  const stream = stage.streamOf("request 6");
  return responsesOn(stage.view(true), stream).some(({ status }) => status >= 200) && !stage.wire.finished.has(stream);
};

/** Sends CONNECT to the subject itself. Many servers never answer it, so the response to a plain request after it shows when to continue. */
async function askConnect(stage: Http3Stage): Promise<void> {
  const tunnel: FrameSpec = {
    type: "HEADERS",
    fields: [
      [":method", "CONNECT"],
      [":authority", "{authority}"],
    ],
  };
  if (stage.over) return;
  await perform([{ do: "send", on: "request 4", frames: [tunnel] }], stage);
  await ask(stage, "request 5", [get()], true);
  const settled = (): boolean => stage.over || stage.sees(TUNNEL) || isOverOn(stage.view(true), stage.streamOf("request 4"));
  await stage.until(settled, Math.min(TUNNEL_MS, stage.timeout));
  if (stage.over || !stage.sees(TUNNEL)) return;
  await perform([{ do: "send", on: "request 4", frames: [{ type: "DATA", data: TUNNELLED }] }], stage);
  await stage.until(() => stage.sees(ECHO) || stage.over, Math.min(TUNNEL_MS, stage.timeout));
}

/** Whether PRIORITY_UPDATE where it does not belong ends a connection (rfc9218#7.2): nothing else shows who knows it. */
async function refusesPriorities(target: Target, timeout: number): Promise<boolean> {
  const stage = await new Http3Stage("server", target, { timeout }).dial();
  try {
    await perform([{ do: "handshake" }], stage);
    await ask(stage, "request", [get(), { type: "PRIORITY_UPDATE", id: 0, text: "u=1" }], true);
    await requestRound(stage);
    return stage.over;
  } finally {
    await stage.drop();
  }
}

function featuresOf(stage: Http3Stage, knowsPriorities: boolean): Map<string, Feature> {
  const view = stage.view(true);
  const path = stage.target.post ?? stage.target.path;
  const first = stage.streamOf("request");
  const responses = responsesOn(view, first);
  const final = responses.find(({ status }) => status >= 200);
  const content = contentOn(view, first).length;
  const sections = view.seen.filter(isFrame).filter(({ stream, frame }) => stream === first && frame.type === "HEADERS");
  const statusOn = (ref: StreamRef): number | undefined =>
    responsesOn(view, stage.streamOf(ref)).find(({ status }) => status >= 200)?.status;
  const posted = statusOn("request 2");
  const headed = statusOn("request 3");
  const length = fieldOf(final?.seen.fields ?? [], "content-length");
  const setting = (name: string): number | undefined => stage.wire.theirSettings.get(name);
  const announced = (name: string): string =>
    setting(name) === undefined ? `it does not announce ${name}` : `it announces ${name}=${setting(name)}`;
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const table = setting("QPACK_MAX_TABLE_CAPACITY") ?? 0;
  const blocked = setting("QPACK_BLOCKED_STREAMS") ?? 0;
  const answered = (method: string, status: number | undefined): string =>
    status === undefined ? `${method} ${path} was not answered` : `${method} ${path} was answered with status ${status}`;
  return new Map([
    ["body", is(content > 0, `GET was answered with ${content} octets of content`)],
    ["post", is(posted !== undefined && posted < 400, `${answered("POST", posted)}${posted !== undefined && posted >= 400 ? UNLOCK : ""}`)],
    ["head", is(headed !== undefined && headed < 400, answered("HEAD", headed))],
    [
      "content-length",
      is(length !== undefined, length === undefined ? "the response to GET has no content-length" : `content-length: ${length}`),
    ],
    ["trailers", is(sections.length > responses.length, "the response to GET had no trailer section")],
    ["interim", is(responses.length > 1, "GET was answered without a 1xx response")],
    [
      "reads-content",
      is(stage.wire.finished.has(stage.streamOf("request 6")) && statusOn("request 6") !== undefined, "a POST was answered before its end"),
    ],
    [
      "connect",
      is(
        stage.sees(TUNNEL) && !isOverOn(view, stage.streamOf("request 4")),
        stage.sees(TUNNEL) ? "CONNECT was answered with 2xx, and its stream ended" : "CONNECT was not answered with 2xx",
      ),
    ],
    ["echo-tunnel", is(stage.sees(ECHO), "nothing came back through a tunnel")],
    ["extended-connect", is(setting("ENABLE_CONNECT_PROTOCOL") === 1, announced("ENABLE_CONNECT_PROTOCOL"))],
    ["no-extended-connect", is(setting("ENABLE_CONNECT_PROTOCOL") !== 1, announced("ENABLE_CONNECT_PROTOCOL"))],
    ["list-limit", is((setting("MAX_FIELD_SECTION_SIZE") ?? LIST + 1) <= LIST, announced("MAX_FIELD_SECTION_SIZE"))],
    ["dynamic-table", is(table >= TABLE, announced("QPACK_MAX_TABLE_CAPACITY"))],
    ["large-table", is(table >= LARGE_TABLE, announced("QPACK_MAX_TABLE_CAPACITY"))],
    ["no-dynamic-table", is(table === 0, announced("QPACK_MAX_TABLE_CAPACITY"))],
    ["blocked-streams", is(blocked > 0 && blocked <= BLOCKED && table >= TABLE, announced("QPACK_BLOCKED_STREAMS"))],
    ["priority-update", is(knowsPriorities, "it ignored PRIORITY_UPDATE on a request stream")],
  ]);
}

function versionOf(stage: Http3Stage): { version?: string } {
  const final = responsesOn(stage.view(true), stage.streamOf("request")).find(({ status }) => status >= 200);
  const server = fieldOf(final?.seen.fields ?? [], "server");
  return server === undefined ? {} : { version: server };
}
