import { concatenated, Misuse, NEVER, Writer, type Field } from "../../core/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { frameHead } from "../frame/write.ts";
import type { Stream } from "../stream/streams.ts";

/** Our field sections: their size, which the peer may limit (rfc9114#4.2.2), and their frames. */

const LINE_OVERHEAD = 32;
/** The size of `:status` with its three digits. */
export const STATUS_LINE = ":status".length + 3 + LINE_OVERHEAD;

function sectionSize(fields: readonly Field[]): number {
  let size = 0;
  for (const { name, value } of fields) size += name.length + value.length + LINE_OVERHEAD;
  return size;
}
/** Whether the peer accepts these fields; `more` is the size of what is sent with them. */
export const fits = ({ peer }: Endpoint, fields: readonly Field[], more = 0): boolean =>
  peer.maxFieldSectionSize === Number.POSITIVE_INFINITY || sectionSize(fields) + more <= peer.maxFieldSectionSize;

/** The setting is advisory, but a larger section will be refused: better to say so at once, and why. */
export function mustFit(e: Endpoint, fields: readonly Field[], more = 0): void {
  if (fits(e, fields, more)) return;
  throw new Misuse(
    `these fields are ${sectionSize(fields) + more} octets, and the peer accepts ${e.peer.maxFieldSectionSize} (SETTINGS_MAX_FIELD_SECTION_SIZE, rfc9114#4.2.2): send fewer or shorter ones`,
  );
}

/** Sends a section in a HEADERS frame; insertions that it refers to go before it. */
export function sendSection(e: Endpoint, stream: Stream, fields: readonly Field[], end: boolean): void {
  const writer = new Writer(256);
  e.encoder.encode(stream.id, fields, writer);
  const section = writer.take();
  e.critical.write("encoder", e.encoder.take());
  queue(e, stream, concatenated([frameHead("HEADERS", section.length), section]), end);
}

/** Hands octets to the transport; false if the owner should wait. */
export function queue(e: Endpoint, stream: Stream, octets: Uint8Array, end: boolean): boolean {
  if (stream.unsentSince === NEVER || e.transport.unsent(stream.id) === 0) {
    stream.unsentSince = undefined;
    stream.sentThen = stream.queued;
  }
  stream.queued += octets.length;
  return e.transport.send(stream.id, octets, end);
}
