import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import type { RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { Observed } from "../../wire/http3/end.ts";
import type { ReadField } from "../../wire/http3/read.ts";
import { toHex } from "../../wire/octets.ts";
import { listenQuic, type QuicLine } from "../../wire/quic/line.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import type { ServerFlaw } from "./flaw.ts";
import { Peer } from "./peer.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";

const PAGE = `<!doctype html><title>An impostor</title><p>${"It means harm. ".repeat(8)}`;
const valueOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([known]) => known === name)?.[1];

/** The settings of the base: they enable almost every case. */
const OFFERED = [
  ["QPACK_MAX_TABLE_CAPACITY", 4_096],
  ["QPACK_BLOCKED_STREAMS", 8],
  ["MAX_FIELD_SECTION_SIZE", 16_384],
  ["ENABLE_CONNECT_PROTOCOL", 1],
] as const;

/** Serves one page, with its flaw. It offers every feature that a case can need, and checks nothing. */
class ServerPeer extends Peer {
  protected readonly settings = OFFERED;
  readonly #flaw: ServerFlaw;
  readonly #requests = new Map<number, readonly ReadField[]>();
  readonly #answered = new Set<number>();

  constructor(line: QuicLine, flaw: ServerFlaw) {
    super(line, flaw, "server");
    this.#flaw = flaw;
  }

  protected take(observed: Observed): void {
    if (observed.is === "frame" && this.wire.kindOf(observed.stream) === "request") this.#frame(observed);
    if (observed.is === "end" && this.wire.kindOf(observed.stream) === "request") this.#end(observed.stream);
    if (observed.is === "reset") this.#answered.add(observed.stream);
  }

  #frame({ stream, frame, fields }: Extract<Observed, { is: "frame" }>): void {
    const known = this.#requests.get(stream);
    const isTunnel = known !== undefined && valueOf(known, ":method") === "CONNECT";
    if (isTunnel && frame.type === "DATA") this.wire.send(stream, [{ type: "DATA", hex: toHex(frame.payload) }]);
    if (frame.type !== "HEADERS" || known !== undefined) return;
    this.#requests.set(stream, fields ?? []);
    if (valueOf(fields ?? [], "expect") === "100-continue") this.wire.send(stream, [head([[":status", "100"]])]);
    if (valueOf(fields ?? [], ":method") === "CONNECT") this.wire.send(stream, [head([[":status", "200"]])]);
  }

  #end(stream: number): void {
    if (this.#answered.has(stream)) return;
    this.#answered.add(stream);
    const fields = this.#requests.get(stream) ?? [];
    const method = valueOf(fields, ":method");
    if (method === "CONNECT" && this.#requests.has(stream)) return this.wire.finish(stream);
    const found = valueOf(fields, ":path") === "/" || method === "OPTIONS";
    const { frames, end } = this.#flaw.answers?.(this.#response(method, found)) ?? { frames: this.#response(method, found), end: true };
    this.wire.send(stream, frames, end);
  }

  #response(method: string | undefined, found: boolean): FrameSpec[] {
    const extras = method === "GET" && found;
    const fields: FieldSpec[] = [
      [":status", found ? "200" : "404"],
      ["content-type", "text/html"],
      ["content-length", String(PAGE.length)],
      ["server", "impostor"],
    ];
    return [
      ...(extras
        ? [
            head([
              [":status", "103"],
              ["link", "</style.css>; rel=preload"],
            ]),
          ]
        : []),
      head(this.#flaw.head?.(fields) ?? fields),
      ...(method === "HEAD" ? [] : [{ type: "DATA", data: PAGE } as const]),
      ...(extras ? [head([["x-checksum", "1"]])] : []),
    ];
  }
}

const head = (fields: readonly FieldSpec[]): FrameSpec => ({ type: "HEADERS", fields });

/** Starts an impostor on a free port of the loopback interface. */
export async function startServer(name: string): Promise<RunningImpostor> {
  const flaw = flawOf(SERVER_FLAWS, name);
  const certificate = await loopbackCertificate();
  const { port, stop } = await listenQuic({
    certificate,
    ...(flaw.limits === undefined ? {} : { limits: flaw.limits }),
    accept: (line) => new ServerPeer(line, flaw).receive,
  });
  return { url: `https://127.0.0.1:${port}/`, stop, [Symbol.asyncDispose]: stop };
}

if (import.meta.main) {
  const { url } = await startServer(process.argv[2] ?? "lenient");
  console.log(url);
}
