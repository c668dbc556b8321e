import { createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createServer as createTlsServer, type DetailedPeerCertificate, TLSSocket } from "node:tls";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { type Certificate, loopbackCertificate } from "../../harness/subject/certificate.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { type Fields as Section, Peer } from "../../http2/impostors/peer.ts";
import type { FieldSpec, FrameSpec } from "../../wire/http2/frame-spec.ts";
import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import { fromHex, join, toHex } from "../../wire/octets.ts";
import { type Entry, type Fate, fateReport, type Plan, readFateRequest, readRequest, response } from "../../wire/rpc/contract.ts";
import { envelope, inflated, readEnvelopes } from "../../wire/rpc/envelopes.ts";
import type { RpcFlaw } from "./flaw.ts";
import { ImpostorProcess } from "./process.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";
import { serveStandard } from "./standard.ts";
import type { Secured, Shown } from "./standard-flaw.ts";

const valueOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([one]) => one === name)?.[1];
/** The octets of an envelope before its message. */
const HEAD = 5;
const ENCODINGS = "gzip,deflate,zstd";
/** A timer takes no longer ones. */
const MOST_MS = 10_000;

/** Where a call counts. */
type Counts = { readonly shown: Shown; readonly calls: ImpostorProcess["calls"] };

/** Messages of a call, as they arrive. */
class Call {
  readonly fields: readonly ReadField[];
  readonly #flaw: RpcFlaw;
  readonly #messages: Uint8Array[] = [];
  #octets: Uint8Array[] = [];
  /** Of the octets that are left, and of the message that begins with them as far as that is known. */
  #size = 0;
  #needed = HEAD;
  #isEnded = false;
  #wake = Promise.withResolvers<void>();
  readonly gone = new AbortController();

  readonly #counts: Counts;
  #isOver = false;

  constructor(fields: readonly ReadField[], flaw: RpcFlaw, counts: Counts) {
    this.fields = fields;
    this.#flaw = flaw;
    this.#counts = counts;
    counts.shown.started += 1;
    counts.calls.started += 1;
  }
  get names(): (name: string) => string {
    const prefix = valueOf(this.fields, "content-type")?.startsWith("application/grpc") === true ? "grpc" : "rpc";
    return (name) => `${prefix}-${name}`;
  }

  take(octets: Uint8Array, isLast: boolean): void {
    this.#octets.push(octets);
    this.#size += octets.length;
    // A large message comes in many frames.
    if (this.#size < this.#needed && !isLast && this.#flaw.byFrame !== true) return;
    const all = Buffer.from(join(this.#octets));
    const { messages, left } = readEnvelopes(all);
    const encoding = valueOf(this.fields, this.names("encoding"));
    for (const one of messages) this.#messages.push(inflated(one, encoding) ?? new Uint8Array());
    const rest = all.subarray(all.length - left);
    this.#octets = this.#flaw.byFrame === true ? [] : [rest];
    this.#size = left;
    this.#needed = HEAD + (left < HEAD ? 0 : rest.readUInt32BE(1));
    // It takes the rest for a message, whatever it is.
    if (isLast && left > 0) this.#messages.push(new Uint8Array());
    this.#isEnded ||= isLast;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
  async next(): Promise<Uint8Array | undefined> {
    while (this.#messages.length === 0 && !this.#isEnded) await this.#wake.promise;
    if (this.#messages.length > 0) this.#counts.shown.received += 1;
    return this.#messages.shift();
  }

  sent(): void {
    this.#counts.shown.sent += 1;
  }
  ended(status: number): void {
    if (!this.#end()) return;
    const { shown, calls } = this.#counts;
    shown.succeeded += 1;
    shown.bad += status === 0 ? 0 : 1;
    calls[status === 0 ? "succeeded" : "failed"] += 1;
  }
  /** The client has reset it. */
  left(): void {
    if (!this.#end()) return;
    this.#counts.shown.failed += 1;
    this.#counts.calls.failed += 1;
  }
  #end(): boolean {
    const isFirst = !this.#isOver;
    this.#isOver = true;
    return isFirst;
  }
}

/** The TLS of a connection. */
function securedOf(socket: TLSSocket): Secured {
  const [local, remote] = [socket.getCertificate(), socket.getPeerCertificate()] as Partial<DetailedPeerCertificate>[];
  return { cipher: socket.getCipher().standardName, local: local?.raw, remote: remote?.raw };
}

/** What all connections of an impostor share. */
type State = { readonly fates: Map<string, Fate>; readonly process: ImpostorProcess };

/** Serves the conformance service, with its flaw, and checks nothing. */
class RpcPeer extends Peer {
  readonly #flaw: RpcFlaw;
  readonly #calls = new Map<number, Call>();
  readonly #fates: Map<string, Fate>;
  readonly #process: ImpostorProcess;
  /** What channelz shows of it. */
  readonly shown: Shown;
  #last: Promise<void> = Promise.resolve();
  #frames = 0;

  constructor(socket: Socket, flaw: RpcFlaw, { fates, process }: State) {
    super(socket, flaw, "server");
    this.#flaw = flaw;
    this.#fates = fates;
    this.#process = process;
    const { localAddress = "", localPort = 0, remoteAddress = "", remotePort = 0 } = socket;
    this.shown = process.connected(
      { address: localAddress, port: localPort },
      {
        remote: { address: remoteAddress, port: remotePort },
        secured: socket instanceof TLSSocket ? securedOf(socket) : undefined,
        windows: () => [this.sendWindows.connection, this.receiveWindows.connection],
      },
    );
    this.send({ type: "SETTINGS", settings: flaw.settings ?? [["MAX_CONCURRENT_STREAMS", 100]] });
  }

  protected take(frame: ReadFrame, section: Section | undefined): void {
    const { stream } = frame;
    if (this.#frames++ > (this.#flaw.tiresAfter ?? Number.POSITIVE_INFINITY)) return;
    if (frame.type === "RST_STREAM") {
      this.forget(stream);
      this.#calls.get(stream)?.left();
      if (this.#flaw.heedsResets === true) this.#calls.get(stream)?.gone.abort();
      return;
    }
    if (section !== undefined && !this.#calls.has(stream)) {
      const call = new Call(section.fields, this.#flaw, { shown: this.shown, calls: this.#process.calls });
      this.#calls.set(stream, call);
      const before = this.#last;
      const served = async (): Promise<void> => {
        if (this.#flaw.oneByOne === true) await before;
        await this.#serve(stream, call);
      };
      this.#last = served();
    }
    const call = this.#calls.get(stream);
    if (call === undefined) return;
    if (frame.type === "DATA") call.take(frame.data ?? new Uint8Array(), frame.endStream === true);
    else if (section?.end === true) call.take(new Uint8Array(), true);
  }

  async #serve(stream: number, call: Call): Promise<void> {
    const flaw = this.#flaw;
    const method = valueOf(call.fields, ":path")?.split("/").at(-1) ?? "";
    const out = new Response(this, stream, call, flaw);
    if (flaw.http !== undefined)
      return this.send({ type: "HEADERS", stream, flags: ["END_HEADERS", "END_STREAM"], fields: [[":status", String(flaw.http)]] });
    if (method === "Fate") {
      const fate = this.#fates.get(readFateRequest((await call.next()) ?? new Uint8Array())) ?? { state: "unknown", requests: 0 };
      out.message(fateReport(flaw.fate?.(fate) ?? fate));
      return out.end({}, 0);
    }
    if (flaw.refuses !== undefined) return out.end({}, flaw.refuses);
    const standard = {
      path: valueOf(call.fields, ":path") ?? "",
      next: () => call.next(),
      message: (octets: Uint8Array) => out.message(octets),
      end: (code: number) => out.end({}, code),
    };
    if (await serveStandard(standard, flaw.standard ?? {}, this.#process)) return undefined;
    const fate: Fate & { state: Fate["state"]; requests: number } = { state: "running", requests: 0 };
    let plan: Plan = {};
    const parts: Uint8Array[] = [];
    const size = (payload: Uint8Array): Uint8Array => ((plan.responseOctets ?? 0) > 0 ? new Uint8Array(plan.responseOctets ?? 0) : payload);
    for (let message = await call.next(); message !== undefined; message = await call.next()) {
      const request = readRequest(message) ?? { payload: new Uint8Array(), plan: {} };
      parts.push(request.payload);
      (fate as { requests: number }).requests = parts.length;
      if (parts.length === 1) {
        plan = flaw.plan?.(request.plan) ?? request.plan;
        if (plan.call !== undefined && plan.call !== "") {
          this.#fates.set(plan.call, fate);
          call.gone.signal.addEventListener("abort", () => ((fate as { state: Fate["state"] }).state = "cancelled"));
        }
        if (plan.headersFirst === true || (plan.headers ?? []).length > 0) out.head(plan);
        if ((plan.delayMs ?? 0) > 0)
          await pause(Math.min(plan.delayMs ?? 0, MOST_MS), undefined, { signal: call.gone.signal }).catch(() => {});
        if (call.gone.signal.aborted) return undefined;
      }
      if (method === "BidiStream") out.response(size(request.payload), parts.length, plan);
      if (plan.early === true || flaw.hasty === true || method === "Unary" || method === "ServerStream") break;
    }
    if (fate.state === "running") (fate as { state: Fate["state"] }).state = "ended";
    const status = plan.throws === true ? 2 : (plan.status ?? 0);
    if (method === "ServerStream")
      for (let number = 1; number <= (plan.responses ?? 0); number++) out.response(size(parts[0] ?? new Uint8Array()), number, plan);
    if (method !== "ServerStream" && method !== "BidiStream" && status === 0) out.response(size(join(parts)), parts.length, plan);
    return out.end(plan, status);
  }

  protected ended(): void {
    for (const call of this.#calls.values()) if (this.#flaw.heedsResets === true) call.gone.abort();
    this.#process.left(this.shown);
    this.destroy();
  }
}

/** The answer to a call. */
class Response {
  readonly #peer: RpcPeer;
  readonly #stream: number;
  readonly #call: Call;
  readonly #flaw: RpcFlaw;
  #hasHead = false;
  #sent = 0;
  #collected: Uint8Array[] = [];

  constructor(peer: RpcPeer, stream: number, call: Call, flaw: RpcFlaw) {
    this.#peer = peer;
    this.#stream = stream;
    this.#call = call;
    this.#flaw = flaw;
  }

  head(plan: Plan): void {
    if (this.#hasHead) return;
    this.#hasHead = true;
    if (this.#flaw.http1xx === true) this.#section([[":status", "103"]], false);
    this.#section(this.#headFields(plan), false);
  }
  #headFields(plan: Plan): readonly ReadField[] {
    const { names, fields } = this.#call;
    const base: ReadField[] = [
      [":status", "200"],
      ["content-type", valueOf(fields, "content-type") ?? ""],
      [names("accept-encoding"), ENCODINGS],
      ...(this.#isCompressed(plan) ? [[names("encoding"), "gzip"] as const] : []),
      ...encoded(plan.headers),
    ];
    return this.#flaw.head?.(base, names) ?? base;
  }
  #isCompressed({ compression }: Plan): boolean {
    const accepted = valueOf(this.#call.fields, this.#call.names("accept-encoding")) ?? "";
    return compression === "on" && accepted.includes("gzip");
  }

  response(payload: Uint8Array, number: number, plan: Plan): void {
    this.head(plan);
    const flaw = this.#flaw;
    const { names, fields } = this.#call;
    const isOwn = ([name]: ReadField): boolean => /^:|^te$|^content-type$|^(?:rpc|grpc)-/.test(name);
    const metadata = fields
      .filter((one) => !isOwn(one))
      .flatMap(([name, value]) =>
        value.split(",").map((part): Entry => (name.endsWith("-bin") ? [name, Buffer.from(part, "base64").toString("hex")] : [name, part])),
      );
    const timeout = valueOf(fields, names("timeout"));
    const left = timeout === undefined ? undefined : timeoutMs(timeout);
    const leftMs = flaw.left === undefined ? left : flaw.left(left);
    const seen = { metadata: flaw.metadata?.(metadata) ?? metadata, ...(leftMs === undefined ? {} : { leftMs }) };
    const content = response({
      payload: flaw.payload?.(payload) ?? payload,
      number: flaw.number?.(number) ?? number,
      ...(this.#sent === 0 ? { seen } : {}),
    });
    this.message(content, this.#isCompressed(plan));
  }
  message(octets: Uint8Array, isCompressed = false): void {
    this.head({});
    this.#sent += 1;
    this.#call.sent();
    if (this.#flaw.stops === true && this.#sent > 1) return;
    const wire = envelope(octets, isCompressed ? { compress: "gzip" } : {});
    const changed = this.#flaw.envelope?.(wire) ?? wire;
    if (this.#flaw.collects === true) this.#collected.push(changed);
    else this.#peer.content(this.#stream, changed, [], true);
  }

  end(plan: Plan, given: number): void {
    const flaw = this.#flaw;
    if (flaw.stops === true && this.#sent > 0) return;
    if (flaw.wholeAnswers === true) this.head(plan);
    const { names } = this.#call;
    const status = flaw.status?.(given) ?? given;
    this.#call.ended(status);
    const base: ReadField[] = [
      [names("status"), String(status)],
      ...(plan.message === undefined || plan.message === "" ? [] : [[names("message"), percent(plan.message)] as const]),
      ...(plan.details === undefined || plan.details === ""
        ? []
        : [[names("status-details-bin"), Buffer.from(fromHex(plan.details)).toString("base64")] as const]),
      ...encoded(plan.trailers),
    ];
    const trailers = flaw.trailers?.(base, names) ?? base;
    if (flaw.endsWithData === true) {
      this.head(plan);
      return this.#peer.send({ type: "DATA", stream: this.#stream, flags: ["END_STREAM"] });
    }
    const late: FrameSpec[] = flaw.resetsLate === true ? [{ type: "RST_STREAM", stream: this.#stream, code: "INTERNAL_ERROR" }] : [];
    const fields = this.#hasHead ? trailers : [...this.#headFields(plan), ...trailers];
    this.#peer.content(this.#stream, join(this.#collected), [
      { ...section(this.#stream, fields), flags: ["END_HEADERS", "END_STREAM"] },
      ...late,
    ]);
  }

  #section(fields: readonly ReadField[], isLast: boolean): void {
    this.#peer.send({ ...section(this.#stream, fields), ...(isLast ? { flags: ["END_HEADERS", "END_STREAM"] as const } : {}) });
  }
}

const section = (stream: number, fields: readonly FieldSpec[]): FrameSpec => ({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields });
const encoded = (entries: readonly Entry[] = []): ReadField[] =>
  entries.map(([name, value]) => [name, name.endsWith("-bin") ? Buffer.from(fromHex(value)).toString("base64").replace(/=+$/, "") : value]);
const percent = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) =>
      octet >= 32 && octet < 127 && octet !== 37 ? String.fromCharCode(octet) : `%${toHex(Uint8Array.of(octet)).toUpperCase()}`,
    )
    .join("");
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000001 };
const timeoutMs = (value: string): number => Number(value.slice(0, -1)) * (UNITS[value.at(-1) ?? ""] ?? 1);

const serve = (socket: Socket, flaw: RpcFlaw, state: State): RpcPeer => new RpcPeer(socket, flaw, state);

/** Starts an impostor on a free port of the loopback interface. */
export async function startImpostor(name: string): Promise<RunningImpostor & { readonly credentials?: Certificate }> {
  const flaw = flawOf(SERVER_FLAWS, name);
  const state: State = { fates: new Map(), process: new ImpostorProcess(flaw.standard ?? {}) };
  const accept = (socket: Socket): void => {
    socket.on("error", () => socket.destroy());
    if (flaw.mute === true) socket.resume();
    else serve(socket, flaw, state);
  };
  if (flaw.over === undefined) return listening(createServer(accept), "http");
  const certificate = await loopbackCertificate();
  const asked = { requestCert: flaw.over === "mutual TLS", rejectUnauthorized: false };
  const server = createTlsServer({ ...certificate, ...asked, ALPNProtocols: ["h2"] }, accept);
  return { ...(await listening(server, "https")), ...(flaw.over === "mutual TLS" && { credentials: await loopbackCertificate() }) };
}
