import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type Handler, serve } from "../../../reference/serve/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { LENIENCIES, LENIENCIES_FIELD, LENIENCY_NAMES } from "../leniencies.ts";
import { LIMIT_NAMES, type LimitName, LIMITS, LIMITS_FIELD } from "../limits.ts";
import { select } from "../representation.ts";
import { reporting } from "./report.ts";

type Request = Parameters<Handler>[0];
type Response = Awaited<ReturnType<Handler>>;

const TEXT = "Touchstone asks whether network software speaks its protocol, and this is the answer of its own reference.\n";
/** Octets of content. */
const LONG = 65_536;
const ETAG = '"touchstone"';
const MODIFIED = "Thu, 01 Jan 2026 00:00:00 GMT";
const PLAIN = ["content-type", "text/plain"] as const;
const ALLOW = ["allow", "GET, HEAD, POST, DELETE, OPTIONS, TRACE"] as const;
const PATHS: ReadonlySet<string> = new Set(["/", "/echo", "/early", "/chunked", "/trailers"]);
/** What TRACE does not give back (rfc9110#9.3.8). */
const SECRETS = new Set(["cookie", "authorization", "proxy-authorization"]);

/** The page, with every feature that a case can need. */
function page({ method, fields }: Request): Response {
  const selected = select(method, (name) => fields.get(name), { content: TEXT, type: "text/plain", etag: ETAG, modified: MODIFIED });
  if (selected.status === 304) return { status: 304, fields: [...selected.fields] };
  return {
    status: selected.status,
    fields: [...selected.fields, ["content-length", String(selected.content.length)]],
    ...(method === "HEAD" ? {} : { body: selected.content }),
  };
}

function reflected({ method, path, fields }: Request): Response {
  const lines = [...fields].filter(([name]) => !SECRETS.has(name.toLowerCase())).map(([name, value]) => `${name}: ${value}\r\n`);
  return { status: 200, fields: [["content-type", "message/http"]], body: `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n` };
}

/** A tunnel to this machine. */
async function tunnel({ authority, body }: Request): Promise<Response> {
  const [host = "", port = ""] = authority.split(":");
  if (host !== "127.0.0.1" && host !== "localhost") return { status: 403, fields: [PLAIN], body: "Tunnels lead to this machine alone.\n" };
  const far = connect({ host, port: Number(port), allowHalfOpen: true });
  // Either end may reset it at any time.
  far.on("error", () => {});
  const passOn = async (): Promise<void> => {
    for await (const octets of body) if (!far.write(octets)) await once(far, "drain");
    far.end();
  };
  void passOn().catch(() => far.destroy());
  return { status: 200, body: far };
}

/** Content of a length that is not said beforehand. */
async function* pieces(): AsyncGenerator<string> {
  yield TEXT.slice(0, 20);
  yield TEXT.slice(20);
}

const HINTS = [["link", "</style.css>; rel=preload; as=style"]] as const;

/** Beside its page, the paths that the probe looks for (`conformance/http1/driver/probe.ts`). */
const handler: Handler = async (request, exchange) => {
  const { method } = request;
  if (method === "CONNECT") return tunnel(request);
  if (method === "OPTIONS") return { status: 204, fields: [ALLOW] };
  if (method === "TRACE") return reflected(request);
  const path = request.path?.split("?")[0];
  // Hints come before the content has been read.
  if (path === "/early" && method === "GET") exchange.interim(103, HINTS);
  // What is not served is answered before its content, which nobody reads.
  if (method === "PUT" || method === "PATCH") {
    // Late enough for the content to arrive in full.
    await setTimeout(2);
    return { status: 405, fields: [ALLOW, ["content-length", "0"]] };
  }
  if (method !== "GET" && method !== "HEAD" && method !== "POST" && method !== "DELETE")
    return { status: 501, fields: [["connection", "close"]] };
  if (!PATHS.has(path ?? "")) return { status: 404, fields: [PLAIN], body: "Nothing is here.\n" };
  // Long content is sent back while it arrives, and so is what may be long.
  if (method === "POST" && path === "/echo" && Number(request.fields.get("content-length") ?? Infinity) > LONG)
    return { status: 200, fields: [["content-type", "application/octet-stream"]], body: request.body };
  // Trailers may be asked for before the content ends.
  const [content] = await Promise.all([request.body.bytes(), request.body.trailers]);
  // A 204 has no Content-Length (rfc9110#8.6), even if a handler gives one.
  if (method === "DELETE") return { status: 204, fields: [["content-length", "0"]] };
  if (method === "POST" && path === "/echo") return { status: 200, fields: [["content-type", "application/octet-stream"]], body: content };
  if (path === "/chunked") return { status: 200, fields: [PLAIN], body: pieces() };
  if (path === "/trailers") return { status: 200, fields: [PLAIN, ["trailer", "x-digest"]], body: TEXT, trailers: [["x-digest", "none"]] };
  return page(request);
};

/** The same, and a program that reports what it learns. */
const serving = reporting(handler);

/** Our server in clear text. */
export async function startServer(): Promise<StartedSubject<ServerSubject>> {
  // Responses of some hundred octets wait for their transport, as long ones do elsewhere.
  const server = await serve(serving, { graceMs: 100, http1: { limits: { highWater: 64 } } });
  return { subject: { url: server.url }, stop: () => server.close() };
}

const FEW = 10;
const LATE_MS = LIMITS["idle-time"] + 300;
/** Whether the handler answers late, longer than a connection may be idle or content absent: once all has come that it waits for, nothing is late. */
const isLate = ({ method, fields }: Request): boolean => {
  const length = Number(fields.get("content-length") ?? FEW);
  // It reads no content: a longer one than it holds unread waits in the transport meanwhile.
  return (method === "PUT" && length < FEW) || (method === "PATCH" && length > UNREAD);
};
const UNREAD = 2_048;

/** The option of each limit. */
const OPTIONS = {
  target: "targetOctets",
  section: "fieldOctets",
  fields: "fields",
  trailers: "trailerOctets",
  content: "contentOctets",
  unread: "discardOctets",
  extensions: "chunkExtensionOctets",
  "tiny-chunks": "tinyChunks",
  "empty-lines": "emptyLines",
  requests: "requests",
  "head-time": "headMs",
  "idle-time": "idleMs",
  "content-time": "contentMs",
  "content-rate": "contentRate",
} as const satisfies Record<LimitName, string>;

/** A handler that names what its server was given in every answer. */
const naming =
  (wanted: Handler, ...fields: readonly (readonly [string, string])[]): Handler =>
  async (request, exchange) => {
    const response = await wanted(request, exchange);
    return { ...response, fields: [...(response.fields ?? []), ...fields] };
  };

/** The same server with every leniency that the texts permit, and limits for what it reads then. */
export async function startLenient(): Promise<StartedSubject<ServerSubject>> {
  const limits = { fields: LIMITS.fields, fieldOctets: LIMITS.section, trailerOctets: LIMITS.trailers };
  const lenient = Object.fromEntries(Object.values(LENIENCIES).map((option) => [option, true]));
  const named = naming(handler, [LENIENCIES_FIELD, LENIENCY_NAMES.join(", ")], [LIMITS_FIELD, "fields, section, trailers"]);
  const server = await serve(named, { graceMs: 100, http1: { limits, lenient } });
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** The same server with some small limits, which it names in every answer, so that cases reach them. */
export async function startLimited(names: readonly LimitName[] = LIMIT_NAMES): Promise<StartedSubject<ServerSubject>> {
  const late: Handler = async (request, exchange) => {
    const late = isLate(request);
    if (late && request.path === "/early") exchange.interim(103, HINTS);
    if (late) await setTimeout(LATE_MS);
    return handler(request, exchange);
  };
  const limits = {
    ...Object.fromEntries(names.map((name) => [OPTIONS[name], LIMITS[name]])),
    // What does not show by itself: how much is kept, and how much is in flight.
    pipelined: 4,
    unreadOctets: UNREAD,
    heldOctets: 512,
    highWater: 64,
  };
  const server = await serve(naming(late, [LIMITS_FIELD, names.join(", ")]), {
    graceMs: 100,
    http1: { limits },
    // Until its first octets, nothing distinguishes a connection of HTTP/1.1 from one of HTTP/2.
    http2: { limits: { prefaceMs: LIMITS["idle-time"] } },
  });
  return { subject: { url: server.url }, stop: () => server.close() };
}
