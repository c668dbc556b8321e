import { Misuse, type Field } from "../core/index.ts";
import type { Exchange } from "./exchange.ts";
import { Framing } from "./framing.ts";
import { asked, writeFields, writeLineEnd } from "./send-head.ts";
import type { Session } from "./session.ts";
import { textOctets, writeText } from "./text.ts";

/** Content on its way out, framed as its head has said. */

const LAST_CHUNK = textOctets("0\r\n\r\n");

/** Content of ours, and its end; false when the owner should wait for `writable`. */
export function sendContent(s: Session, exchange: Exchange, bytes: Uint8Array, end: boolean): boolean {
  const output = s.outputOf(exchange);
  const { writer } = output;
  if (bytes.length > 0) {
    if (exchange.framing === Framing.chunked) {
      writeText(writer, `${bytes.length.toString(16)}\r\n`);
      output.add(bytes);
      writeLineEnd(writer);
    } else output.add(bytes);
  }
  if (end && exchange.framing === Framing.chunked) writer.bytes(LAST_CHUNK);
  const hasRoom = output.length <= s.limits.highWater;
  exchange.isWaiting = !hasRoom && !end;
  if (!exchange.isWaiting) {
    if (s.waiter === exchange) s.waiter = undefined;
    return hasRoom;
  }
  if (output === s.output) s.waiter = exchange;
  return false;
}

/** The last chunk and the trailer section; without chunks there is no place for one, and it is left out (rfc9112#7.1.2). */
export function sendTrailers(s: Session, exchange: Exchange, fields: readonly Field[]): void {
  const w = s.outputOf(exchange).writer;
  const begun = w.length;
  if (exchange.framing === Framing.chunked) writeText(w, "0\r\n");
  try {
    writeFields(w, fields, true);
    if (asked.hosts > 0 || asked.options !== "" || asked.close) throw new Misuse("host and connection are no trailers (rfc9110#6.5.1)");
  } catch (error) {
    w.rewind(begun);
    throw error;
  }
  if (exchange.framing === Framing.chunked) writeLineEnd(w);
  else w.rewind(begun);
}
