import type { MessageKind, OpenWebSocket, Sendable } from "../../../reference/serve/websocket/index.ts";
import { CLOSE_REQUEST } from "../driver/probe.ts";
import { FAIL_REQUEST, LIMITS_REQUEST } from "../limits.ts";
import type { Reports } from "./reports.ts";

export type Echo = {
  /** Answers questions about ends. */
  readonly reports?: Reports;
  /** The answer to the question for limits. */
  readonly limits?: string;
  /** How octets are given to the library. */
  readonly as?: (data: Uint8Array) => Sendable;
  /** Begins the closing handshake on request. */
  readonly closes?: boolean;
  /** Text comes as octets. */
  readonly octets?: boolean;
};

/** Sends back every message; reads no further while a slow peer has not received what waits for it. */
export function echoEvery(
  socket: OpenWebSocket,
  { reports, limits, as = (data) => data, closes = false, octets = false }: Echo = {},
): void {
  const give = (data: Sendable, kind: MessageKind): void => {
    if (socket.send(data, kind)) return;
    socket.pause();
    void socket.drained().then(() => socket.resume());
  };
  socket.onMessage = (data, kind) => {
    if (octets && typeof data === "string") throw new Error("text has come as a string, although the program wants octets");
    const text = kind === "binary" ? "" : asText(data);
    if (text === FAIL_REQUEST) throw new Error("as requested");
    if (closes && text === CLOSE_REQUEST) return void socket.close(1000, "as requested");
    const report = reports?.answer(text);
    if (report !== undefined) void report.then((line) => give(line, "text"));
    else if (text === LIMITS_REQUEST && limits !== undefined) give(limits, "text");
    else give(typeof data === "string" ? data : as(data), kind);
  };
}

/** Text, however the library gives it. */
export const asText = (data: string | Uint8Array): string => (typeof data === "string" ? data : Buffer.from(data).toString());
