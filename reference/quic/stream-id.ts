import type { Brand } from "../core/index.ts";

/** The identifier of a stream, up to 2^62-1: bit 0 names its initiator and bit 1 its direction (rfc9000#2.1). */
export type StreamId = Brand<number, "quic.StreamId">;
export type Side = "client" | "server";
export type Direction = "bidirectional" | "unidirectional";

export const streamId = (raw: number): StreamId => raw as StreamId;
export const otherSide = (side: Side): Side => (side === "client" ? "server" : "client");

export const initiatorOf = (id: StreamId): Side => (id % 2 === 0 ? "client" : "server");
export const directionOf = (id: StreamId): Direction => (id % 4 < 2 ? "bidirectional" : "unidirectional");
/** The position among the streams of its kind, from 0. */
export const ordinalOf = (id: StreamId): number => Math.floor(id / 4);
/** The stream of a kind at a position. */
export const streamIdOf = (side: Side, direction: Direction, ordinal: number): StreamId =>
  streamId(ordinal * 4 + (direction === "unidirectional" ? 2 : 0) + (side === "server" ? 1 : 0));

/** Whether `side` sends on the stream: on both sides of a bidirectional one, on the initiator's of a unidirectional one. */
export const sendsOn = (side: Side, id: StreamId): boolean => directionOf(id) === "bidirectional" || initiatorOf(id) === side;
export const receivesOn = (side: Side, id: StreamId): boolean => sendsOn(otherSide(side), id);
/** More streams of one kind cannot be numbered (rfc9000#4.6). */
export const MAX_STREAMS = 2 ** 60;
