import { connect, createServer, type Socket } from "node:net";
import { build } from "../../wire/http2/build.ts";
import { FrameCutter, readFrame } from "../../wire/http2/read.ts";
import { membersOf, type ReadRequest, RequestReader, valueOf, valuesOf } from "../../wire/http1/read.ts";
import { fromLatin1, join, toLatin1 } from "../../wire/octets.ts";
import type { FieldSpec, FrameSpec } from "../../http2/vocabulary.ts";
import { select } from "../representation.ts";
import { LENIENCIES_FIELD, LENIENCY_NAMES } from "../leniencies.ts";
import { LIMIT_NAMES, LIMITS_FIELD } from "../limits.ts";
import { REPORT_FIELD, REPORT_PATH } from "../reports.ts";
import { HTTP1_SERVER_FLAWS } from "./server-flaws.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { AskedPeer, Draft, Http1ServerFlaw } from "./flaw.ts";

/** The state that all connections of an impostor share. */
type Shared = { dead: boolean; readonly reports: Map<string, string> };

const PAGE = `<!doctype html><title>An impostor</title><p>${"It means harm. ".repeat(10)}`;
const NOWHERE = "Nothing is here.\n";
const ETAG = '"impostor"';
const MODIFIED = "Thu, 01 Jan 2026 00:00:00 GMT";
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  206: "Partial Content",
  304: "Not Modified",
  400: "Bad Request",
  404: "Not Found",
  412: "Precondition Failed",
  416: "Range Not Satisfiable",
  501: "Not Implemented",
};

/** Serves a page, an echo and whatever else a case needs, with its flaw. It checks nothing by itself. */
class Http1Impostor implements AskedPeer {
  readonly flaw: Http1ServerFlaw;
  readonly #socket: Socket;
  readonly #shared: Shared;
  #reader = new RequestReader();
  #answered = 0;
  #continued = -1;
  #due: string[] = [];
  #ended = false;
  #isTunnel = false;
  #frames: FrameCutter | undefined;
  /** The number of reads so far, and of answered requests. */
  reads = 0;
  count = 0;

  constructor(socket: Socket, flaw: Http1ServerFlaw, shared: Shared) {
    this.#socket = socket;
    this.flaw = flaw;
    this.#shared = shared;
    if (flaw.slams === true) {
      socket.destroy();
      return;
    }
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#report(this.#reader.requests[this.#answered]));
  }

  /** Ends the connection, and reads nothing more. */
  close(): void {
    this.#ended = true;
    if (!this.#socket.writableEnded) this.#socket.end();
  }
  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(fromLatin1(text));
  }
  /** Discards everything that is not answered yet. */
  forget(): void {
    this.#reader = new RequestReader();
    this.#answered = 0;
  }

  #receive(octets: Uint8Array): void {
    if (this.#ended) return;
    if (this.#frames !== undefined) return this.#http2(octets);
    this.reads += 1;
    const text = toLatin1(octets);
    const heard = this.flaw.misreads?.(text, this) ?? text;
    this.#reader.push(fromLatin1(heard));
    if (this.flaw.late === undefined) this.#serve();
    else setTimeout(() => this.#serve(), this.flaw.late);
  }

  /** Whether octets outside of any request have arrived. */
  get strays(): boolean {
    return this.#reader.garbage.length > 0;
  }

  #serve(): void {
    for (
      let request = this.#reader.requests[this.#answered];
      request !== undefined && !this.#ended;
      request = this.#reader.requests[this.#answered]
    ) {
      if (!request.complete && !this.#begin(request)) break;
      this.#answered += 1;
      this.#take(request);
    }
    this.#flush();
  }

  /** Handles a request before its content has arrived; true if it is answered already. */
  #begin(request: ReadRequest): boolean {
    const early = this.flaw.begins?.(request, this);
    if (early === "close") this.close();
    if (typeof early === "number") return true;
    if (this.#continued === this.#answered) return false;
    this.#continued = this.#answered;
    const expected = membersOf(request.fields, "expect").includes("100-continue") && request.version !== "HTTP/1.0";
    if (this.flaw.continues?.(request) ?? expected) this.#due.push("HTTP/1.1 100 Continue\r\n\r\n");
    return false;
  }

  #take(request: ReadRequest): void {
    this.count += 1;
    this.#report(request);
    if (this.#shared.dead) return;
    const met = request.complete ? this.flaw.meets?.(request, this) : this.flaw.begins?.(request, this);
    if (met === "silence") return;
    if (met === "close") return this.close();
    if (met === undefined && this.#upgrades(request)) return;
    const draft = answerTo(request, met, this.#shared.reports);
    this.flaw.sends?.(draft, request, this);
    const text = written(draft, request);
    this.#due.push(this.flaw.writes?.(text, request, this) ?? text);
    const close = this.flaw.keeps?.(request, draft.close) ?? draft.close;
    if (close) {
      this.#flush();
      this.close();
    }
    if (request.method === "CONNECT" && draft.status < 300) this.#tunnel(request.target);
  }

  /** Keeps a report of a request that asks for it. */
  #report(request: ReadRequest | undefined): void {
    const name = request === undefined ? undefined : valueOf(request.fields, REPORT_FIELD);
    if (request === undefined || name === undefined || this.#shared.reports.has(name)) return;
    const lines = reported(request);
    this.#shared.reports.set(name, (this.flaw.reports?.(lines) ?? lines).map((line) => `${line}\n`).join(""));
  }

  /** Passes octets on to itself and back, changed only by its flaw. */
  #tunnel(target: string): void {
    this.#flush();
    this.#ended = true;
    this.#isTunnel = true;
    const port = Number(target.split(":").at(-1));
    if (!(port > 0 && port < 65_536)) return this.close();
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const { tunnels } = this.flaw;
    far.on("error", () => this.#socket.destroy());
    this.#socket.on("data", (octets: Uint8Array) => far.write(fromLatin1(tunnels?.out?.(toLatin1(octets)) ?? toLatin1(octets))));
    this.#socket.on("end", () => far.end());
    this.#socket.on("close", () => far.destroy());
    far.on("data", (octets: Uint8Array) => this.write(tunnels?.back?.(toLatin1(octets)) ?? toLatin1(octets)));
    far.on("end", () => tunnels?.staysOpen !== true && this.#socket.end());
  }

  #flush(): void {
    const due = this.flaw.orders?.(this.#due) ?? this.#due;
    this.#due = [];
    if (due.length > 0) this.write(due.join(""));
  }

  #end(): void {
    if (this.#isTunnel || this.flaw.onEnd === "nothing") return;
    if (this.flaw.onEnd === "drops all") return void this.#socket.destroy();
    if (this.flaw.onEnd === "serves what is there") {
      // The ends of the head and of the content, if any.
      const cut = this.#reader.requests[this.#answered];
      if (cut !== undefined) this.#take({ ...cut, complete: true });
      else if (this.#reader.pending.length > 0) this.#reader.push(fromLatin1("\r\n\r\n"));
      this.#serve();
    }
    this.close();
  }

  /** Upgrades any request with settings to HTTP/2. */
  #upgrades(request: ReadRequest): boolean {
    const asked = membersOf(request.fields, "upgrade").includes("h2c") && request.version !== "HTTP/1.0";
    const exactly = valuesOf(request.fields, "http2-settings").length === 1;
    if (!(this.flaw.switches?.(request) ?? (asked && exactly))) return false;
    this.#flush();
    this.#frames = new FrameCutter();
    const draft = answerTo(request, undefined);
    const head = this.flaw.writes?.("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", request, this);
    this.write(head ?? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    // A window of zero is the only setting that it supports.
    const shut = valueOf(request.fields, "http2-settings") === "AAQAAAAA";
    this.#send(
      { type: "SETTINGS", settings: [] },
      header(1, [[":status", String(draft.status)]]),
      ...(shut ? [] : [content(draft.content)]),
    );
    return true;
  }

  #http2(octets: Uint8Array): void {
    const text = toLatin1(octets);
    const rest = text.startsWith("PRI ") ? octets.subarray(24) : octets;
    for (const whole of this.#frames?.push(rest) ?? []) {
      const frame = readFrame(whole);
      if (frame.type === "SETTINGS" && frame.ack === false) this.#send({ type: "SETTINGS", flags: ["ACK"] });
      if (frame.type === "PING" && frame.ack === false) this.#send({ type: "PING", flags: ["ACK"], hex: "746f75636873746f" });
      if (frame.type === "HEADERS") this.#send(header(frame.stream, [[":status", "200"]], true));
    }
  }

  #send(...frames: FrameSpec[]): void {
    const all = this.flaw.frames?.(frames) ?? frames;
    const setting = { stream: () => 1, text: (value: string) => value };
    if (this.#socket.writable) this.#socket.write(join(all.map((frame) => build(frame, setting))));
  }
}

const header = (stream: number, fields: readonly FieldSpec[], end = false): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: end ? ["END_STREAM", "END_HEADERS"] : ["END_HEADERS"],
  fields,
});
const content = (data: string): FrameSpec => ({ type: "DATA", stream: 1, flags: ["END_STREAM"], data });

/** Whether the client announces its last request. */
const closes = ({ version, fields }: ReadRequest): boolean => {
  const options = membersOf(fields, "connection");
  return options.includes("close") || (version === "HTTP/1.0" && !options.includes("keep-alive"));
};

/** The correct response, or a refusal with this status. */
function answerTo(request: ReadRequest, refusal: number | undefined, reports: ReadonlyMap<string, string> = new Map()): Draft {
  const { method, fields, version } = request;
  const target = request.target.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const path = target.split(/[?#]/)[0] ?? "";
  const close = refusal !== undefined || closes(request);
  const old = version === "HTTP/1.0";
  const draft: Draft = {
    version: "HTTP/1.1",
    status: refusal ?? 200,
    reason: "",
    fields: [
      ["Date", new Date().toUTCString()],
      ["Content-Type", "text/html"],
      // It knows no limits, whatever it says.
      [LIMITS_FIELD, LIMIT_NAMES.join(", ")],
      [LENIENCIES_FIELD, LENIENCY_NAMES.join(", ")],
    ],
    content: PAGE,
    framing: "length",
    trailers: [],
    interim: [],
    close,
  };
  if (close) draft.fields.push(["Connection", "close"]);
  else if (old) draft.fields.push(["Connection", "keep-alive"]);
  if (refusal !== undefined) draft.content = "";
  else if (method === "TRACE") Object.assign(draft, { content: `${request.start}\r\n${traced(request)}\r\n` });
  else if (method === "OPTIONS") draft.fields.push(["Allow", "GET, HEAD, POST"]);
  else if (reports.has(path.slice(REPORT_PATH.length))) draft.content = reports.get(path.slice(REPORT_PATH.length)) ?? "";
  else if (path === "/echo" && method === "POST") draft.content = toLatin1(request.content);
  else if (path === "/early" && !old) draft.interim.push("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
  else if (path === "/chunked" || path === "/trailers")
    Object.assign(draft, { framing: old ? "close" : "chunked", trailers: path === "/trailers" ? [["X-Digest", "none"]] : [] });
  else if (path !== "/" && method !== "CONNECT" && path !== "*") Object.assign(draft, { status: 404, content: NOWHERE });
  if (draft.status === 200 && path === "/" && (method === "GET" || method === "HEAD")) {
    const page = { content: PAGE, type: "text/html", etag: ETAG, modified: MODIFIED };
    const { status, fields: own, content } = select(method, (name) => valueOf(fields, name), page);
    const given = status === 200 ? draft.fields : draft.fields.filter(([name]) => name !== "Content-Type");
    const kept = given.filter(([name]) => !own.some(([other]) => other === name.toLowerCase()));
    Object.assign(draft, { status, content, fields: [...kept, ...own.map(([name, value]) => [name, value])] });
    if (status === 304) draft.framing = "none";
  }
  if (method === "CONNECT" && refusal === undefined) Object.assign(draft, { content: "", framing: "none" });
  if (draft.framing === "close") draft.close = true;
  draft.reason = REASONS[draft.status] ?? "Refused";
  return draft;
}

/** What a program learned of a request. */
function reported({ target, fields, content, trailers, complete }: ReadRequest): string[] {
  const [, scheme = "http", authority = valueOf(fields, "host"), path] = /^([a-z]+):\/\/([^/]*)(.*)$/.exec(target) ?? [];
  return [
    `scheme: ${scheme}`,
    `authority: ${authority}`,
    `path: ${path ?? target}`,
    `content: ${content.length}`,
    `trailers: ${trailers.map(({ name, value }) => `${name.toLowerCase()}=${value}`).join(", ")}`,
    `end: ${complete ? "complete" : "incomplete"}`,
    "client: present",
  ];
}

const SECRETS = /^(?:cookie|authorization)$/i;
const traced = ({ fields }: ReadRequest): string =>
  fields
    .filter(({ name }) => !SECRETS.test(name))
    .map(({ line }) => `${line}\r\n`)
    .join("");

function written(draft: Draft, { method }: ReadRequest): string {
  const fields = [...draft.fields];
  if (draft.framing === "length") fields.push(["Content-Length", String(draft.content.length)]);
  if (draft.framing === "chunked") fields.push(["Transfer-Encoding", "chunked"]);
  const head = `${draft.version} ${draft.status} ${draft.reason}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return draft.interim.join("") + head + (method === "HEAD" ? "" : contentOf(draft));
}

function contentOf({ framing, content: text, trailers }: Draft): string {
  if (framing === "none") return "";
  if (framing !== "chunked") return text;
  const half = Math.ceil(text.length / 2);
  const chunks = [text.slice(0, half), text.slice(half)]
    .filter((part) => part !== "")
    .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
  return `${chunks.join("")}0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

const serve = (socket: Socket, flaw: Http1ServerFlaw, shared: Shared): Http1Impostor => new Http1Impostor(socket, flaw, shared);

/** Starts an impostor on a free port of the loopback interface. */
export async function startHttp1Server(name: string): Promise<RunningImpostor> {
  const flaw = flawOf(HTTP1_SERVER_FLAWS, name);
  const shared: Shared = { dead: false, reports: new Map() };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => (shared.dead ||= flaw.dies === true));
    if (flaw.mute === true) socket.resume();
    else serve(socket, flaw, shared);
  });
  return listening(server, "http");
}

if (import.meta.main) {
  const { url } = await startHttp1Server(process.argv[2] ?? "lenient");
  console.log(url);
}
