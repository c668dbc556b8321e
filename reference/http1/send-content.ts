import { Misuse, type Field } from "../core/index.ts";
import type { Exchange } from "./exchange.ts";
import { Framing } from "./framing.ts";
import { writeLineEnd } from "./head-writer.ts";
import { CR, LF } from "./octets.ts";
import type { Pipeline } from "./pipeline.ts";
import { writeText } from "./text.ts";

const LAST_CHUNK = Uint8Array.of(0x30, CR, LF, CR, LF);

/** Queues content, framed as its head says; false if the owner should wait for `writable`. */
export function sendContent(p: Pipeline, exchange: Exchange, bytes: Uint8Array, end: boolean): boolean {
  const output = p.outputOf(exchange);
  const { writer } = output;
  if (bytes.length > 0) {
    if (exchange.framing === Framing.chunked) {
      writeText(writer, `${bytes.length.toString(16)}\r\n`);
      output.add(bytes);
      writeLineEnd(writer);
    } else output.add(bytes);
  }
  if (end && exchange.framing === Framing.chunked) writer.bytes(LAST_CHUNK);
  const hasRoom = output.length <= p.limits.highWater;
  p.wait(exchange, !hasRoom && !end);
  return hasRoom;
}

/** Queues the last chunk and the trailer section; without chunks there is no place for trailers, and they are dropped (rfc9112#7.1.2). */
export function sendTrailers(p: Pipeline, exchange: Exchange, fields: readonly Field[]): void {
  const head = p.newHead();
  const w = p.outputOf(exchange).writer;
  const begun = w.length;
  if (exchange.framing === Framing.chunked) writeText(w, "0\r\n");
  try {
    head.writeWithoutLength(w, fields);
    if (head.hosts > 0 || head.options !== "" || head.closes) throw new Misuse("host and connection cannot be trailers (rfc9110#6.5.1)");
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  if (exchange.framing === Framing.chunked) writeLineEnd(w);
  else w.rewind(begun);
}
