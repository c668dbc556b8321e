import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { MARK } from "../data/data-set.ts";
import type { Asked, Envelope, MetricsFlaw, Reply } from "./query-flaw.ts";
import { METRICS_QUERY_FLAWS } from "./query-flaws.ts";
import { portOf } from "../../peers/index.ts";

/** Metrics servers that are wrong on purpose: proxies in front of ours that change the request or the response. */

export type RunningImpostor = { readonly url: string; stop(): Promise<void> };

/** Starts an impostor in front of a metrics server that has the data set. Whether the data set is there, it reports truthfully. */
export async function startMetricsImpostor(name: string, inner: string): Promise<RunningImpostor> {
  const flaw = METRICS_QUERY_FLAWS[name];
  if (flaw === undefined) throw new RangeError(`There is no impostor "${name}". Known: ${Object.keys(METRICS_QUERY_FLAWS).join(", ")}.`);
  const server = createServer((request, response) => {
    if (flaw.slams === true) request.socket.destroy();
    else void serve(flaw, inner, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${portOf(server)}/`, stop };
}

async function serve(flaw: MetricsFlaw, inner: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", inner);
  const form = await textOf(request);
  const asked: Asked = {
    path: url.pathname.replace(/^\/api\/v1\//, ""),
    method: request.method ?? "GET",
    params: new URLSearchParams([...url.searchParams, ...new URLSearchParams(form)]),
    form: form !== "",
    coding: String(request.headers["accept-encoding"] ?? ""),
  };
  const isSentinel = asked.params.get("query") === MARK;
  if (!isSentinel) {
    flaw.asks?.(asked);
    const expr = asked.params.get("query");
    if (expr !== null && flaw.expression !== undefined) asked.params.set("query", flaw.expression(expr));
  }
  const reply = await forward(inner, asked);
  if (!isSentinel) flaw.answers?.(reply, asked);
  const content = Buffer.from(reply.bare === true ? String(reply.envelope.error ?? "wrong") : JSON.stringify(reply.envelope));
  const type = flaw.type ?? (reply.bare === true ? "text/plain" : "application/json");
  if (flaw.packs === true) response.writeHead(reply.status, { "content-type": type, "content-encoding": "gzip" }).end(gzipSync(content));
  else response.writeHead(reply.status, { "content-type": type }).end(content);
}

async function forward(inner: string, { path, method, params }: Asked): Promise<Reply> {
  const url = new URL(`api/v1/${path}`, inner);
  const isForm = method === "POST";
  if (!isForm) url.search = params.toString();
  const response = await fetch(url, isForm ? { method, body: params } : { method });
  const text = await response.text();
  try {
    return { status: response.status, envelope: JSON.parse(text) as Envelope };
  } catch {
    return { status: response.status, envelope: { error: text }, bare: true };
  }
}
