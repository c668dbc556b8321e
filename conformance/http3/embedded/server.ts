import { type Handler, type ServeOptions, serve } from "../../../reference/serve/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { peer, startPeer } from "../../peers/index.ts";

const TEXT = "Touchstone asks whether network software speaks its protocol, and this is the answer of its own reference.\n";
const FIELDS = [
  ["content-type", "text/plain"],
  ["content-length", String(TEXT.length)],
] as const;

/** A small page, sent after the request is read; a request with a cookie gets that back. A tunnel echoes. */
const plain: Handler = async (request, exchange) => {
  if (request.fields.get("expect") === "100-continue") exchange.interim(100);
  if (request.method === "CONNECT") return { status: 200, body: request.body };
  if (request.method !== "GET" && request.method !== "HEAD") await request.body.bytes();
  return { status: 200, fields: FIELDS, ...(request.method === "HEAD" ? {} : { body: TEXT }) };
};

/** The same with everything optional: an early hint, and trailers. */
const rich: Handler = async (request, exchange) => {
  if (request.method !== "GET") return plain(request, exchange);
  exchange.interim(103, [["link", "</style.css>; rel=preload; as=style"]]);
  return { status: 200, fields: [["content-type", "text/plain"]], body: TEXT, trailers: [["x-digest", "none"]] };
};

async function started(handler: Handler, http3: ServeOptions["http3"]): Promise<StartedSubject<ServerSubject>> {
  const server = await serve(handler, { alpn: ["h3"], graceMs: 100, http3: { settings: { enableConnectProtocol: true }, ...http3 } });
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** Our server in its own process, so that the cost of a flood can be measured. */
export async function startApart(): Promise<StartedSubject<ServerSubject>> {
  const { url, pid, stop } = await startPeer(peer("touchstone"), { protocol: "http3", tls: true });
  return { subject: { url }, pid, stop };
}

/** Our server. */
export const startPlain = (): Promise<StartedSubject<ServerSubject>> => started(plain, {});
/** Our server with everything optional in its responses, and without extended CONNECT. */
export const startRich = (): Promise<StartedSubject<ServerSubject>> => started(rich, { settings: { enableConnectProtocol: false } });
/** Our server without a dynamic table. */
export const startBare = (): Promise<StartedSubject<ServerSubject>> =>
  started(plain, { settings: { enableConnectProtocol: true, qpackMaxTableCapacity: 0, qpackBlockedStreams: 0 } });
