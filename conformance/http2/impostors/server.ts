import { createServer as createTcp, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTls, type TlsOptions } from "node:tls";
import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import { LIMITS_FIELD } from "../../http1/limits.ts";
import { LIMIT_NAMES } from "../limits.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";
import type { ServerFlaw } from "./flaw.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { type Fields, Peer } from "./peer.ts";

const PAGE = new TextEncoder().encode(`<!doctype html><title>An impostor</title><p>${"It means harm. ".repeat(20)}`);
const valueOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([known]) => known === name)?.[1];

/** The maximum number of pushes: enough for the cases about them, few enough not to disturb others. */
const PROMISES = 4;

const RETIRES_AFTER = 3;

/** The state of a request. */
type Request = { fields: readonly ReadField[]; size: number };

/** Serves one page, with its flaw. It offers every feature that a case can need, and checks nothing. */
class ServerPeer extends Peer {
  readonly #flaw: ServerFlaw;
  readonly #requests = new Map<number, Request>();
  #promised = 0;

  constructor(socket: Duplex, flaw: ServerFlaw) {
    super(socket, flaw, "server");
    this.#flaw = flaw;
    if (flaw.closesAtOnce === true) this.close();
    else this.send({ type: "SETTINGS", settings: flaw.settings ?? OFFERED });
  }

  protected take(frame: ReadFrame, fields: Fields | undefined): void {
    const { stream } = frame;
    if (frame.type === "RST_STREAM") {
      if (this.#flaw.answersReset === true) this.send({ type: "RST_STREAM", stream, code: "CANCEL" });
      this.forget(stream);
      this.#requests.delete(stream);
      return;
    }
    if (fields !== undefined) this.#section(fields);
    const request = this.#requests.get(stream);
    if (frame.type === "DATA" && request !== undefined) {
      request.size += frame.data?.length ?? 0;
      if (valueOf(request.fields, ":method") === "CONNECT") this.content(stream, frame.data ?? new Uint8Array(), []);
    }
    const isTunnelled = frame.type === "DATA" && this.hasEnded(stream) && this.#flaw.answersTunnels !== true;
    if (request !== undefined && !isTunnelled && ((frame.type === "DATA" && frame.endStream === true) || fields?.end === true))
      this.#answer(stream, request);
  }

  #section(fields: Fields): void {
    if (this.#requests.has(fields.stream)) return;
    if (this.#flaw.retires === true && this.opened.size === RETIRES_AFTER)
      this.send({ type: "GOAWAY", last: fields.stream, code: "NO_ERROR" });
    const request = { fields: fields.fields, size: 0 };
    this.#requests.set(fields.stream, request);
    if (valueOf(request.fields, "expect") === "100-continue") this.send(header(fields.stream, [[":status", "100"]]));
    if (valueOf(request.fields, ":method") === "CONNECT" && !fields.end) this.send(header(fields.stream, [[":status", "200"]]));
  }

  #answer(stream: number, { fields }: Request): void {
    this.#requests.delete(stream);
    const method = valueOf(fields, ":method");
    const found = valueOf(fields, ":path") === "/" || method === "OPTIONS" || method === "CONNECT";
    const cookies = fields.filter(([name]) => name === "cookie").map(([, value]) => value);
    const cookie = this.#flaw.echoes === undefined ? undefined : cookies.at(this.#flaw.echoes === "first" ? 0 : -1);
    const echo = cookie === undefined ? undefined : new TextEncoder().encode(cookie);
    const page = echo ?? this.#pageFor(found);
    const head = method === "HEAD";
    const extras = method === "GET" && found;
    if (extras)
      this.send(
        header(stream, [
          [":status", "103"],
          ["link", "</style.css>; rel=preload"],
        ]),
      );
    if (extras && this.#mayPush) this.#push(stream);
    const section = header(stream, [
      [":status", found ? "200" : "404"],
      ["content-type", "text/html"],
      ["content-length", String(page.length)],
      ["date", new Date().toUTCString()],
      ["server", "impostor"],
      // It knows no limits, whatever it says.
      [LIMITS_FIELD, LIMIT_NAMES.join(", ")],
      ...(this.#flaw.fieldOctets === undefined ? [] : [["x-large", "a".repeat(this.#flaw.fieldOctets)] as const]),
    ]);
    if (head) return this.send({ ...section, flags: ["END_STREAM", "END_HEADERS"] });
    this.send(section);
    const trailers = extras ? [{ ...header(stream, [["x-checksum", "1"]]), flags: ["END_STREAM", "END_HEADERS"] as const }] : [];
    this.content(stream, page, trailers);
    if (this.#flaw.restless === true) this.send({ type: "DATA", stream, data: "and another thing" });
  }

  #pageFor(found: boolean): Uint8Array {
    const large = this.#flaw.pageOctets === undefined ? PAGE : new Uint8Array(this.#flaw.pageOctets);
    return found ? large : PAGE.subarray(0, 120);
  }

  get #mayPush(): boolean {
    if (this.#promised >= PROMISES) return false;
    const isWelcome = this.setting("ENABLE_PUSH", 1) === 1 && !this.came.has("GOAWAY");
    return isWelcome || this.#flaw.pushesAnyway === true;
  }
  #push(stream: number): void {
    this.#promised += 2;
    const promised = this.#promised;
    this.send(
      {
        type: "PUSH_PROMISE",
        stream,
        flags: ["END_HEADERS"],
        promised,
        fields: [
          [":method", "GET"],
          [":scheme", "http"],
          [":authority", "127.0.0.1"],
          [":path", "/style.css"],
        ],
      },
      { ...header(promised, [[":status", "200"]]), flags: ["END_STREAM", "END_HEADERS"] },
    );
  }

  protected ended(): void {
    this.destroy();
  }
}

const header = (stream: number, fields: readonly FieldSpec[]): FrameSpec => ({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields });

/** The settings of the base: they enable almost every case. */
const OFFERED: NonNullable<FrameSpec["settings"]> = [
  ["MAX_CONCURRENT_STREAMS", 100],
  ["MAX_HEADER_LIST_SIZE", 16_384],
  ["ENABLE_CONNECT_PROTOCOL", 1],
  ["NO_RFC7540_PRIORITIES", 1],
];

/** Starts an impostor on a free port of the loopback interface. */
export async function startServer(name: string, options: { tls?: boolean } = {}): Promise<RunningImpostor> {
  const flaw = flawOf(SERVER_FLAWS, name);
  const take = (socket: Socket): void => {
    socket.on("error", () => socket.destroy());
    if (flaw.mute === true) socket.resume();
    else serve(socket, flaw);
  };
  const server = options.tls === true ? createTls(await tlsOptions(flaw), take) : createTcp(take);
  // The harness causes failed handshakes on purpose, and observes them itself.
  server.on("tlsClientError", () => {});
  return listening(server, options.tls === true ? "https" : "http");
}

const serve = (socket: Socket, flaw: ServerFlaw): Peer => new ServerPeer(socket, flaw);

const tlsOptions = async (flaw: ServerFlaw): Promise<TlsOptions> => {
  const { key, cert } = await loopbackCertificate();
  return { key, cert, ...(flaw.tls?.ALPNCallback === undefined ? { ALPNProtocols: ["h2"] } : {}), ...flaw.tls };
};

if (import.meta.main) {
  const { url } = await startServer(process.argv[2] ?? "lenient");
  console.log(url);
}
