import { type Feature, Unreachable } from "../../harness/driver.ts";
import { octetsOf } from "../../wire/http1/build.ts";
import { type ReadResponse, valuesOf } from "../../wire/http1/read.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import { connect, HANDSHAKE, SWITCHES } from "../cases/proxy/websocket-phrases.ts";
import type { Fronts, Http1ProxyStage } from "./proxy-stage.ts";

/** Optional features that cases need of a proxy, found out once before the first case. */
export const PROXY_FEATURES: Readonly<Record<string, string>> = {
  "keep-alive": "a second request on the same connection is answered",
  "http/1.1 to the origin": "what reaches the origin is HTTP/1.1",
  "kept connections": "a second request reaches the origin on the connection of the first",
  trace: "TRACE reaches the origin",
  "upgrade forwarded": "the Upgrade of a WebSocket handshake reaches the origin",
  websocket:
    "it passes a WebSocket handshake on, and the 101 back; a proxy needs its configuration for that: for example, nginx the fields Upgrade and Connection by proxy_set_header, Apache upgrade=websocket with ProxyPass",
  "websocket over http2": "it announces extended CONNECT to HTTP/2, and passes a WebSocket on",
  "extended connect": "it announces extended CONNECT to HTTP/2",
  "http2 front": "it speaks HTTP/2 to clients, and forwards requests in HTTP/1.1",
};

/** How long to wait for an optional front, in milliseconds. */
const OPTIONAL_MS = 1000;

/** Detects the features of the proxy by plain requests. Throws `Unreachable` if they do not reach the origin. */
export async function probeProxy(open: () => Http1ProxyStage, fronts: Fronts, timeout: number): Promise<Map<string, Feature>> {
  const found = new Map<string, Feature>();
  const note = (name: keyof typeof PROXY_FEATURES, has: boolean, how: string): void => void found.set(name, { has, how });

  const plain = await exchange(open(), "GET", 2);
  const [first, second] = plain.answers;
  if (plain.requests.length === 0) {
    const got = first === undefined ? `did not answer within ${timeout} ms` : `answered ${first.status} by itself`;
    throw new Unreachable(
      `${fronts.http1.authority} ${got}, and nothing reached the origin: it must forward every request to the address where the harness listens.`,
    );
  }
  if (first?.status !== 200)
    throw new Unreachable(
      `The origin answered 200, and ${fronts.http1.authority} ${first === undefined ? "nothing" : `made ${first.status} of it`}.`,
    );
  note(
    "keep-alive",
    second?.status === 200,
    second === undefined ? "a second request got no response" : `the second response was ${second.status}`,
  );
  const version = plain.requests[0]?.request.version ?? "";
  note("http/1.1 to the origin", version === "HTTP/1.1", `what reached the origin was ${printable(version)}`);
  const [one, two] = plain.requests.map(({ on }) => on);
  note("kept connections", one !== undefined && one === two, "the second request came on a connection of its own");

  const trace = await exchange(open(), "TRACE", 1);
  note(
    "trace",
    trace.requests.length > 0,
    trace.answers[0] === undefined ? "TRACE got no response" : `TRACE was answered ${trace.answers[0].status}, without the origin`,
  );

  const switched = await overWebSocket(open());
  note("websocket", switched.why === undefined, switched.why ?? "a handshake came through");
  note("upgrade forwarded", switched.isAsked, "the proxy did not send Upgrade to the origin");

  const extended = await overExtendedConnect(open());
  note("websocket over http2", extended.why === undefined, extended.why ?? "an extended CONNECT came through");
  note("extended connect", extended.isAnnounced, "it does not announce SETTINGS_ENABLE_CONNECT_PROTOCOL");

  const http2 = await overHttp2(open());
  note("http2 front", http2 === undefined, http2 ?? "a request came through");
  return found;
}

type Seen = { readonly answers: readonly ReadResponse[]; readonly requests: Http1ProxyStage["scene"]["requests"] };

/** The same request several times, one after the other. */
async function exchange(stage: Http1ProxyStage, method: string, times: number): Promise<Seen> {
  try {
    const connection = await stage.connection(1);
    for (let n = 1; n <= times; n++) {
      await connection.send(octetsOf(`${method} {path} HTTP/1.1\r\nHost: {authority}\r\n\r\n`, stage.values));
      await stage.until(() => connection.ended !== undefined || connection.responses[n - 1]?.complete === true, stage.timeout);
    }
    return { answers: connection.responses, requests: stage.scene.requests };
  } finally {
    stage.drop();
  }
}

/** An empty Pong, which no end needs to answer. */
const GREETING = "\x8a\0";
/** Why it passes no WebSocket on, undefined if it does; and whether the origin was asked for one. */
async function overWebSocket(stage: Http1ProxyStage): Promise<{ readonly why: string | undefined; readonly isAsked: boolean }> {
  try {
    stage.scene.follow({ text: SWITCHES });
    const connection = await stage.connection(1);
    const within = Math.min(stage.timeout, OPTIONAL_MS);
    await connection.send(octetsOf(HANDSHAKE, stage.values));
    await stage.until(() => connection.ended !== undefined || connection.all.length > 0, within);
    stage.scene.send({ text: GREETING });
    const isOpen = (): boolean => toLatin1(connection.tunnel) === GREETING;
    if (connection.all[0]?.status === 101) await stage.until(() => connection.ended !== undefined || isOpen(), within);
    const status = connection.all[0]?.status;
    const isAsked = stage.scene.requests.some(({ request }) => valuesOf(request.fields, "upgrade").length > 0);
    return { isAsked, why: isOpen() ? undefined : whyClosed(status, isAsked) };
  } finally {
    stage.drop();
  }
}

function whyClosed(status: number | undefined, isAsked: boolean): string {
  if (status === 101) return "the 101 came back, but not the octets after it: configure it to pass WebSocket";
  if (!isAsked) return "the proxy did not send Upgrade to the origin: configure it to pass WebSocket";
  return `the origin switched to WebSocket, and the client got ${status ?? "nothing"}`;
}

/** Why it passes no WebSocket on from HTTP/2, undefined if it does; and whether it says that it would. */
async function overExtendedConnect(stage: Http1ProxyStage): Promise<{ readonly why: string | undefined; readonly isAnnounced: boolean }> {
  let isAnnounced = false;
  try {
    const front = await stage.http2();
    isAnnounced = front.hasExtendedConnect;
    if (!isAnnounced) return { isAnnounced, why: "it does not announce SETTINGS_ENABLE_CONNECT_PROTOCOL" };
    stage.scene.follow({ text: SWITCHES });
    front.send([connect()]);
    const within = Math.min(stage.timeout, OPTIONAL_MS);
    await stage.until(() => front.ended !== undefined || front.isConcluded(1) || front.responseOn(1) !== undefined, within);
    const status = front.responseOn(1)?.status;
    return { isAnnounced, why: status === 200 ? undefined : `an extended CONNECT got ${status ?? "no response"}` };
  } catch (error) {
    return { isAnnounced, why: error instanceof Error ? error.message : String(error) };
  } finally {
    stage.drop();
  }
}

/** Why it does not forward HTTP/2; undefined if it does. */
async function overHttp2(stage: Http1ProxyStage): Promise<string | undefined> {
  try {
    const front = await stage.http2();
    const stream = front.ask("{path}");
    await stage.until(() => front.ended !== undefined || front.responseOn(stream)?.complete === true, Math.min(stage.timeout, OPTIONAL_MS));
    if (front.responseOn(stream)?.status !== 200) return "a request in HTTP/2 got no response";
    return stage.scene.requests.length > 0 ? undefined : "a request in HTTP/2 did not reach the origin in HTTP/1.1";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    stage.drop();
  }
}
