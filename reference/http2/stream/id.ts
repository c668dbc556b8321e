import type { Brand } from "../../core/index.ts";

/** A 31-bit stream identifier; 0 addresses the connection (rfc9113#5.1.1). */
export type StreamId = Brand<number, "http2.StreamId">;
export const CONNECTION: StreamId = 0 as StreamId;
export const MAX_STREAM_ID: StreamId = 0x7fff_ffff as StreamId;

/** The reserved top bit is ignored on receipt (rfc9113#4.1). */
export const streamId = (raw: number): StreamId => (raw & 0x7fff_ffff) as StreamId;

export type Side = "server" | "client";
/** Clients start streams with odd identifiers, servers with even ones (rfc9113#5.1.1). */
export const startedByClient = (id: StreamId): boolean => (id & 1) === 1;
export const startedBy = (side: Side, id: StreamId): boolean => startedByClient(id) === (side === "client");

/** The highest identifier that a side can start: the first step of the other's graceful shutdown names it (rfc9113#6.8). */
export const highestOf = (side: Side): StreamId => (side === "client" ? MAX_STREAM_ID : MAX_STREAM_ID - 1) as StreamId;

/** The identifier after `last` on the same side; undefined if they have run out (rfc9113#5.1.1). */
export function nextStreamId(side: Side, last: StreamId): StreamId | undefined {
  if (last === CONNECTION) return (side === "client" ? 1 : 2) as StreamId;
  return last > MAX_STREAM_ID - 2 ? undefined : ((last + 2) as StreamId);
}
