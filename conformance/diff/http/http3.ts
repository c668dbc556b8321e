import { Waiting } from "../../harness/connection/waiting.ts";
import type { Target } from "../../harness/subject/transport.ts";
import { dialHttp3 } from "../../http3/driver/dial.ts";
import type { FrameSpec } from "../../wire/http3/frame-spec.ts";
import type { Observed } from "../../wire/http3/end.ts";
import { fromLatin1, join, toHex } from "../../wire/octets.ts";
import type { Request } from "./request.ts";
import { filled, LIMIT_MS, MOST_OCTETS, type Reply } from "./subject.ts";

const SILENT = { wire: () => {}, remark: () => {} };

/** Sends one request on a connection of its own over HTTP/3. */
export async function exchangeHttp3(target: Target, request: Request, attempts?: number): Promise<Reply> {
  const waiting = new Waiting();
  const seen = new Seen(() => waiting.poke());
  const wire = await dialHttp3({
    target,
    timeout: LIMIT_MS,
    ...(attempts !== undefined && { attempts }),
    recorder: SILENT,
    text: (value) => value,
    saw: (observed) => seen.take(observed),
    forget: () => {},
    poke: () => waiting.poke(),
    until: (test, ms) => waiting.until(test, ms),
  });
  try {
    for (const kind of ["control", "encoder", "decoder"] as const) {
      const stream = wire.open("unidirectional");
      if (stream === undefined) continue;
      wire.begin(stream, kind);
      if (kind === "control") wire.send(stream, [{ type: "SETTINGS" }]);
    }
    const stream = wire.open("bidirectional");
    if (stream !== undefined) wire.send((seen.stream = stream), framesOf(request, target), true);
    await waiting.until(() => seen.end !== undefined, LIMIT_MS);
    return seen.reply();
  } finally {
    await wire.drop();
  }
}

/** What has come back on the stream of the request. */
class Seen {
  readonly #poke: () => void;
  readonly #content: Uint8Array[] = [];
  #octets = 0;
  #status: number | undefined;
  stream = 0;
  end: Reply["end"] | undefined;

  constructor(poke: () => void) {
    this.#poke = poke;
  }

  take(observed: Observed): void {
    if (observed.is === "closed") return this.#over("closed");
    if (observed.stream !== this.stream) return;
    if (observed.is === "end") this.#over(this.#status === undefined ? "stream error" : "answered");
    if (observed.is === "reset") this.#over("stream error");
    if (observed.is === "stop" && this.#status === undefined && observed.code !== "H3_NO_ERROR") this.#over("stream error");
    if (observed.is !== "frame") return;
    const [, said] = observed.fields?.find(([name]) => name === ":status") ?? [];
    if (said !== undefined && !said.startsWith("1")) this.#status = Number(said);
    if (observed.frame.type !== "DATA") return;
    this.#content.push(observed.frame.payload);
    this.#octets += observed.frame.payload.length;
    if (this.#octets > MOST_OCTETS) this.#over("answered");
  }

  /** A response that an error cuts off is no answer; one that does not end within the limit is one. */
  reply(): Reply {
    const end = this.end ?? "waiting";
    const status = end === "answered" || end === "waiting" ? this.#status : undefined;
    return { ...(status !== undefined && { status }), content: join(this.#content), end };
  }

  #over(how: Reply["end"]): void {
    this.end ??= how;
    this.#poke();
  }
}

function framesOf({ fields, content, trailers }: Request, target: Target): FrameSpec[] {
  const frames: FrameSpec[] = [{ type: "HEADERS", fields: filled(fields, target) }];
  if (content !== undefined) frames.push({ type: "DATA", hex: toHex(fromLatin1(content)) });
  if (trailers !== undefined) frames.push({ type: "HEADERS", fields: filled(trailers, target) });
  return frames;
}
