import { Waiting } from "../../harness/connection/waiting.ts";
import { dialPatiently, type Target } from "../../harness/subject/transport.ts";
import { Http2End } from "../../wire/http2/end.ts";
import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { join, toHex, fromLatin1 } from "../../wire/octets.ts";
import type { Request } from "./request.ts";
import { filled, LIMIT_MS, MOST_OCTETS, type Reply } from "./subject.ts";

const STREAM = 1;

/** Sends one request on a connection of its own over HTTP/2. */
export async function exchangeHttp2(target: Target, request: Request): Promise<Reply> {
  const waiting = new Waiting();
  const socket = await dialPatiently(target, LIMIT_MS);
  const content: Uint8Array[] = [];
  let [status, octets]: [number | undefined, number] = [undefined, 0];
  let end: Reply["end"] | undefined;
  const over = (how: Reply["end"]): void => {
    end ??= how;
    waiting.poke();
  };
  const wire = new Http2End(socket, {
    we: "client",
    on: {
      frame: (frame, section) => {
        if (frame.type === "GOAWAY" && frame.code !== "NO_ERROR") over("closed");
        if (frame.stream !== STREAM) return;
        const [, said] = section?.fields.find(([name]) => name === ":status") ?? [];
        if (said !== undefined && !said.startsWith("1")) status = Number(said);
        if (frame.type === "DATA") {
          content.push(frame.data ?? new Uint8Array(0));
          octets += frame.length;
        }
        if (frame.type === "RST_STREAM") over("stream error");
        if (frame.endStream === true || octets > MOST_OCTETS) over("answered");
      },
      garbage: () => over("closed"),
      ended: (how) => over(how === "fin" ? "closed" : "reset"),
    },
  });
  try {
    void wire.preface(MAGIC, { type: "SETTINGS", settings: [["ENABLE_PUSH", 0]] });
    void wire.send(framesOf(request, target));
    await waiting.until(() => end !== undefined, LIMIT_MS);
    const how = end ?? "waiting";
    // A response that an error cuts off is no answer; one that does not end within the limit is one.
    const whole = how === "answered" || how === "waiting" ? status : undefined;
    return { ...(whole !== undefined && { status: whole }), content: join(content), end: how };
  } finally {
    wire.drop();
  }
}

function framesOf({ fields, content, trailers }: Request, target: Target): FrameSpec[] {
  const parts: FrameSpec[] = [{ type: "HEADERS", stream: STREAM, flags: ["END_HEADERS"], fields: filled(fields, target) }];
  if (content !== undefined) parts.push({ type: "DATA", stream: STREAM, hex: toHex(fromLatin1(content)) });
  if (trailers !== undefined) parts.push({ type: "HEADERS", stream: STREAM, flags: ["END_HEADERS"], fields: filled(trailers, target) });
  return parts.map((frame, at): FrameSpec => {
    if (at < parts.length - 1) return frame;
    return { ...frame, flags: [...(Array.isArray(frame.flags) ? frame.flags : []), "END_STREAM"] };
  });
}
