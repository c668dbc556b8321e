import { setTimeout as pause } from "node:timers/promises";
import { type Handler, serve } from "../../../reference/serve/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { peer, startPeer } from "../../peers/index.ts";

const TEXT = "Touchstone asks whether network software speaks its protocol, and this is the answer of its own reference.\n";
const FIELDS = [
  ["content-type", "text/plain"],
  ["content-length", String(TEXT.length)],
] as const;
/** How long the server over TLS leaves content unread, in milliseconds, so that windows can be overrun. */
const UNREAD_MS = 200;
/** The window of a connection whose streams have the same: it fills first. */
const CONNECTION_WINDOW = 1_048_576;
const OPTIONS = { graceMs: 100, http2: { settings: { enableConnectProtocol: true, noRfc7540Priorities: true } } } as const;

/** A small page, sent after the request is read. A tunnel echoes. */
const plain: Handler = async (request, exchange) => {
  if (request.fields.get("expect") === "100-continue") exchange.interim(100);
  if (request.method === "CONNECT") return { status: 200, body: request.body };
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

const started = async (handler: Handler, options: Parameters<typeof serve>[1]): Promise<StartedSubject<ServerSubject>> => {
  const server = await serve(handler, options);
  return { subject: { url: server.url }, stop: () => server.close() };
};

/** Our server in its own process, so that the cost of a flood can be measured. */
export async function startApart(): Promise<StartedSubject<ServerSubject>> {
  const { url, pid, stop } = await startPeer(peer("touchstone"), { protocol: "http2" });
  return { subject: { url }, pid, stop };
}

/** Our server in clear text. */
export const startClear = (): Promise<StartedSubject<ServerSubject>> => started(plain, OPTIONS);

/** Our server over TLS, with everything optional. */
export const startSecure = (): Promise<StartedSubject<ServerSubject>> =>
  started(rich, {
    ...OPTIONS,
    http2: {
      settings: { noRfc7540Priorities: true, initialWindowSize: CONNECTION_WINDOW },
      limits: { connectionWindow: CONNECTION_WINDOW },
    },
    tls: true,
  });
