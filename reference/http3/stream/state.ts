import type { FaultName } from "../faults.ts";

/** How far the message of the peer has come on a request stream (rfc9114#4.1). */
export type State = "head" | "content" | "trailed" | "tunnel" | "ended";
/** What arrives: the header section of an interim response, another one, content, the end of the stream. */
export type Input = "interim" | "HEADERS" | "DATA" | "end";

type Cell = State | FaultName;

/** What may follow what. A request that is too short and a response that is too short have different codes. */
export const MESSAGE_TABLE: Readonly<Record<State, Readonly<Record<Input, Cell>>>> = {
  head: { interim: "head", HEADERS: "content", DATA: "dataBeforeHeaders", end: "requestIncomplete" },
  content: { interim: "content", HEADERS: "trailed", DATA: "content", end: "ended" },
  trailed: { interim: "trailed", HEADERS: "frameAfterTrailers", DATA: "frameAfterTrailers", end: "ended" },
  tunnel: { interim: "tunnel", HEADERS: "headersInTunnel", DATA: "tunnel", end: "ended" },
  ended: { interim: "ended", HEADERS: "ended", DATA: "ended", end: "ended" },
};

const STATES: ReadonlySet<string> = new Set(Object.keys(MESSAGE_TABLE));
export const isState = (cell: Cell): cell is State => STATES.has(cell);
