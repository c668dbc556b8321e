import type { Brand } from "../../core/index.ts";

/** The identifier of a stream of the transport (rfc9114#6). */
export type StreamId = Brand<number, "http3.StreamId">;
export const streamId = (raw: number): StreamId => raw as StreamId;

export type Side = "server" | "client";
/** Requests have the bidirectional streams of the client: identifiers that are multiples of four (rfc9114#6.1). */
export const isRequestId = (id: number): boolean => id % 4 === 0;
export const isUnidirectional = (id: number): boolean => id % 4 >= 2;
/** Whether `side` has opened the stream (rfc9000#2.1). */
export const isOpenedBy = (side: Side, id: number): boolean => (id % 2 === 0) === (side === "client");
/** The identifier of a first GOAWAY, which excludes no request yet (rfc9114#5.2): the greatest one that is exact as a number. */
export const MAX_REQUEST_ID: StreamId = streamId(2 ** 62 - 512);
