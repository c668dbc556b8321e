import { Misuse, type Field } from "../../core/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { streamId, type StreamId } from "../stream/id.ts";
import { Stream } from "../stream/streams.ts";
import { mustFit, sendSection } from "./section.ts";

/** The client's requests: each gets a stream, or a place in the queue while the server allows no more. */

export const isAccepting = (e: Endpoint): boolean => e.side === "client" && !e.isOver && e.leaving === "not" && e.peerLast === undefined;

export function request(e: Endpoint, fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
  if (e.side === "server") throw new Misuse("a server sends no requests");
  if (!isAccepting(e)) throw new Misuse("this connection accepts no further requests: see `accepting`, and open another");
  const { check } = e;
  const wrong = check.request(fields, e.peer.enableConnectProtocol);
  if (wrong !== undefined) throw new Misuse(`this request must not be sent: ${wrong}`);
  mustFit(e, fields);
  if (end && check.contentLength > 0) throw new Misuse("content-length announces content, but there is none");
  if (e.waiting.length === 0) {
    const stream = open(e, fields, end);
    if (stream !== undefined) return { stream };
  }
  if (e.waiting.length >= e.limits.queuedRequests) throw new Misuse("too many requests wait already: see `queuedRequests`");
  e.waiting.push({ ticket: ++e.tickets, fields, end });
  return { ticket: e.tickets };
}

/** Waiting requests get the streams that are free now. */
export function moveUp(e: Endpoint): void {
  for (let next = e.waiting[0]; next !== undefined && isAccepting(e); next = e.waiting[0]) {
    // The check has what it found in the request that was made last.
    e.check.request(next.fields, true);
    const stream = open(e, next.fields, next.end);
    if (stream === undefined) return;
    e.waiting.shift();
    e.emit({ is: "opened", ticket: next.ticket, stream });
  }
}

function open(e: Endpoint, fields: readonly Field[], end: boolean): StreamId | undefined {
  const id = e.hasBegun ? e.transport.open("bidirectional") : undefined;
  if (id === undefined) return undefined;
  const { check } = e;
  const stream = new Stream(streamId(id), e.limits.blockOctets);
  stream.hasSentHead = true;
  stream.isHead = check.method === "HEAD";
  stream.isConnect = check.method === "CONNECT";
  if (!stream.isConnect) stream.contentOwed = check.contentLength;
  stream.isSent = end;
  e.streams.add(stream);
  sendSection(e, stream, fields, end);
  return stream.id;
}
