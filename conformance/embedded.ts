import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ClientResponse, type ConnectOptions, type Handler, serve } from "../reference/serve/index.ts";
import { connect } from "../reference/serve/http2/index.ts";
import type { CheckOptions } from "./check.ts";
import type { Role } from "./harness/case.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { summaryOf } from "./harness/run.ts";
import type { Selection } from "./harness/select.ts";
import { list } from "./listing.ts";
import { peer, startPeer } from "./peers/index.ts";
import { ofHttp1Server } from "./embedded-http1.ts";
import { ofHttp1Client } from "./embedded-http1-client.ts";
import { ofWebSocketServer } from "./embedded-websocket.ts";
import { ofWebSocketClient } from "./embedded-websocket-client.ts";
import { ofMetricsServer } from "./embedded-metrics.ts";
import { ofHttp1Proxy } from "./embedded-proxy.ts";
import type { InProcessClient } from "./harness/subject.ts";
import type { SuiteName } from "./suites.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only" | "pid" | "tls">;
type Perform = (title: string, part: Part) => Promise<Result>;

const TEXT = "Touchstone asks whether network software speaks its protocol, and this is the answer of its own reference.\n";
const FIELDS = [
  ["content-type", "text/plain"],
  ["content-length", String(TEXT.length)],
] as const;

/** A page that is read before it is answered. A tunnel leads back to where it came from. */
const plain: Handler = async (request, exchange) => {
  if (request.fields.get("expect") === "100-continue") exchange.interim(100);
  if (request.method === "CONNECT") return { status: 200, body: request.body };
  if (request.method !== "GET" && request.method !== "HEAD") await request.body.bytes();
  return { status: 200, fields: FIELDS, ...(request.method === "HEAD" ? {} : { body: TEXT }) };
};

/** How long the other server lets content lie before it reads it, in milliseconds: so that windows can be overrun. */
const UNREAD_MS = 200;

/** The same with everything that is optional: a hint before it, a promise beside it, trailers behind it. Content is not read at once. */
const rich: Handler = async (request, exchange) => {
  const { method } = request;
  if (method === "POST") await pause(UNREAD_MS);
  if (method !== "GET") return plain(request, exchange);
  exchange.interim(103, [["link", "</style.css>; rel=preload; as=style"]]);
  exchange.push({ path: "/style.css" }, { status: 200, fields: [["content-type", "text/css"]], body: "p { color: black }\n" });
  return { status: 200, fields: [["content-type", "text/plain"]], body: TEXT, trailers: [["x-digest", "none"]] };
};

/** Every part of the reference that the suites know a role for, started here and judged like anybody's peer. A role without a selected case is left out. */
export async function embedded(suites: readonly SuiteName[], perform: Perform, selection: Selection): Promise<Result[]> {
  // Over all of them, so that a pattern which matches nothing anywhere is refused, and one that matches one role only is not.
  const selected = await list({ abuse: false, ...selection, suites });
  const idsOf = (suite: SuiteName, role: Role): string[] =>
    selected.filter(({ id, role: theirs }) => theirs === role && id.startsWith(`${suite}/`)).map(({ id }) => id);
  const results: Result[] = [];
  const http1 = idsOf("http1", "server");
  if (http1.length > 0) results.push(await ofHttp1Server(http1, perform));
  const http1Client = idsOf("http1", "client");
  if (http1Client.length > 0) results.push(await ofHttp1Client(http1Client, perform));
  const http1Proxy = idsOf("http1", "proxy");
  if (http1Proxy.length > 0) results.push(await ofHttp1Proxy(http1Proxy, perform));
  const server = idsOf("http2", "server");
  const abuse = new Set(selected.filter(({ group }) => group === "abuse").map(({ id }) => id));
  if (server.length > 0) results.push(await ofServers(server, abuse, perform));
  const client = idsOf("http2", "client");
  if (client.length > 0) results.push(await ofClient(client, perform));
  const codec = idsOf("hpack", "codec");
  if (codec.length > 0) {
    results.push(
      await perform("hpack codec", {
        suite: "hpack",
        subject: { codec: codecCommand("hpack") },
        name: "touchstone's own codec",
        only: codec,
      }),
    );
  }
  const websocket = idsOf("websocket", "server");
  if (websocket.length > 0) results.push(await ofWebSocketServer(websocket, perform));
  const websocketClient = idsOf("websocket", "client");
  if (websocketClient.length > 0) results.push(await ofWebSocketClient(websocketClient, perform));
  const websocketCodec = idsOf("websocket", "codec");
  if (websocketCodec.length > 0) {
    const subject = { codec: codecCommand("..", "vectors", "websocket") };
    results.push(await perform("websocket codec", { suite: "websocket", subject, name: "touchstone's own codec", only: websocketCodec }));
  }
  const metrics = idsOf("metrics", "server");
  if (metrics.length > 0) results.push(await ofMetricsServer(metrics, perform));
  const metricsCodec = idsOf("metrics", "codec");
  if (metricsCodec.length > 0) {
    const subject = { codec: codecCommand("..", "vectors", "exposition") };
    results.push(await perform("metrics codec", { suite: "metrics", subject, name: "touchstone's own codec", only: metricsCodec }));
  }
  return results.map((result) => ({ ...result, subject: { ...result.subject, target: `embedded ${result.subject.role}` } }));
}

/** Floods on a server in a process of its own, so that what they cost can be measured; the rest, and what that one does not offer, here. */
async function ofServers(only: readonly string[], abuse: ReadonlySet<string>, perform: Perform): Promise<Result> {
  const attacks = only.filter((id) => abuse.has(id));
  if (attacks.length === 0) return ofServer(only, perform);
  await using apart = await startPeer(peer("touchstone"));
  const subject = { subject: apart.url, pid: apart.pid, name: "touchstone's own server" };
  const attacked = await perform("http2 server, attacked", { suite: "http2", ...subject, only: attacks });
  const left = new Set(attacked.cases.filter(({ verdict }) => verdict === "skip").map(({ id }) => id));
  const others = only.filter((id) => !abuse.has(id) || left.has(id));
  if (others.length === 0) return attacked;
  const rest = await ofServer(others, perform);
  const known = new Map([...attacked.cases, ...rest.cases].map((one) => [one.id, one]));
  const cases = only.flatMap((id) => known.get(id) ?? []);
  return { ...rest, ms: attacked.ms + rest.ms, cases, summary: summaryOf(cases) };
}

/** In clear text first; what that does not offer (TLS, push, trailers) on a second server that does. */
async function ofServer(only: readonly string[], perform: Perform): Promise<Result> {
  const name = "touchstone's own server";
  await using clear = await serve(plain, OURS);
  const first = await perform("http2 server", { suite: "http2", subject: clear.url, name, only });
  const skipped = first.cases.filter(({ verdict }) => verdict === "skip").map(({ id }) => id);
  if (skipped.length === 0) return first;
  await using secure = await serve(rich, {
    ...OURS,
    http2: {
      settings: { noRfc7540Priorities: true, initialWindowSize: CONNECTION_WINDOW },
      limits: { connectionWindow: CONNECTION_WINDOW },
    },
    tls: true,
  });
  const second = await perform("http2 server, what is optional", { suite: "http2", subject: secure.url, name, only: skipped });
  return filledIn(first, second);
}

/** The window of a connection whose streams have as much: it is the first to be full. */
const CONNECTION_WINDOW = 1_048_576;
const OURS = { graceMs: 100, http2: { settings: { enableConnectProtocol: true, noRfc7540Priorities: true } } } as const;

/** Asks for one page as any command does: fails when the request failed, reads what comes, and takes its leave. */
const client =
  (options: ConnectOptions, read: (response: ClientResponse) => Promise<unknown>): InProcessClient =>
  async (url, signal) => {
    const connection = await connect(url, { ...options, graceMs: 200, tls: { verify: false } });
    signal.addEventListener("abort", () => void connection.close());
    try {
      await read(await connection.request({ signal }));
    } finally {
      await connection.close();
    }
  };

/** Content first, then whatever came unasked. */
const readAll = async (response: ClientResponse): Promise<void> => {
  await response.body.bytes();
  await Promise.all(response.pushes.map(async (push) => (await push.response).body.bytes()));
};
/** The same, but slow to begin: so that windows can be overrun. */
const readLate = async (response: ClientResponse): Promise<void> => {
  await pause(UNREAD_MS);
  await readAll(response);
};

/** As it comes first; what that does not offer (push, windows that can be overrun, TLS) by one that does. */
async function ofClient(only: readonly string[], perform: Perform): Promise<Result> {
  const name = "touchstone's own client";
  const first = await perform("http2 client", { suite: "http2", subject: { client: client({}, readAll) }, name, only });
  const skipped = first.cases.filter(({ verdict }) => verdict === "skip").map(({ id }) => id);
  if (skipped.length === 0) return first;
  const open = { http2: { push: true, limits: { connectionWindow: 65_535 }, settings: { initialWindowSize: 65_535 } } };
  const second = await perform("http2 client, what is optional", {
    suite: "http2",
    subject: { client: client(open, readLate) },
    name,
    only: skipped,
    tls: true,
  });
  return filledIn(first, second);
}

/** The first result, with the cases that it had to skip taken from the second. */
function filledIn(first: Result, second: Result): Result {
  const others = new Map(second.cases.map((one) => [one.id, one]));
  const cases = first.cases.map((one): CaseResult => (one.verdict === "skip" ? (others.get(one.id) ?? one) : one));
  return { ...first, ms: first.ms + second.ms, cases, summary: summaryOf(cases) };
}

/** The example codec, as a child process of its own: sources in a checkout, compiled in the package. */
function codecCommand(...folder: readonly string[]): string {
  const source = join(import.meta.dirname, ...folder, "adapter.ts");
  const file = existsSync(source) ? source : join(import.meta.dirname, ...folder, "adapter.js");
  return [process.execPath, file].map((word) => `'${word}'`).join(" ");
}
