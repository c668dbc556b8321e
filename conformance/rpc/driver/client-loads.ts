import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import { toHex } from "../../wire/octets.ts";
import { askedEveryMs, LOAD_STREAM, loadOctets } from "../../wire/rpc/load-report.ts";
import type { ServerSpec } from "../client-vocabulary.ts";
import { dataFrames, headFrames, trailerFrames } from "./client-answers.ts";
import type { ClientConnection, Request } from "./client-connection.ts";
import type { Fields } from "./frames.ts";

/** Streams on which servers report their load (rpc-weighted-round-robin). */

/** Those that were asked of a server, with the milliseconds between their reports. */
export const loadStreams = (connections: readonly ClientConnection[], server: number): { readonly everyMs: number }[] =>
  requestsOf(connections, server).map(({ messages: { messages } }) => ({ everyMs: askedEveryMs(messages[0]?.octets ?? new Uint8Array()) }));
const requestsOf = (connections: readonly ClientConnection[], server: number): Request[] =>
  connections
    .filter((one) => one.server === server)
    .flatMap(({ requests }) => [...requests.values()])
    .filter(({ path }) => path === LOAD_STREAM);

/** The first answer to a request for reports. */
export function answerLoad({ connection, stream }: Request, { stream: spec }: ServerSpec, stage: Fields): Promise<void> | undefined {
  const only = (status: "UNIMPLEMENTED" | "UNAVAILABLE"): FrameSpec[] =>
    trailerFrames({ do: "trailers", status, only: true }, stream, stage);
  if (spec === undefined) return connection.wire.send(only("UNIMPLEMENTED"));
  if (spec === "fails") return connection.wire.send(only("UNAVAILABLE"));
  return connection.wire.send([
    ...headFrames({ do: "headers" }, stream, stage),
    ...dataFrames({ messages: [{ hex: toHex(loadOctets(spec)) }] }, stream),
    ...("ends" in spec ? trailerFrames({ do: "trailers" }, stream, stage) : []),
  ]);
}

/** A further report on all streams of a server that has changed. */
export async function reportAgain(connections: readonly ClientConnection[], server: number, { stream: spec }: ServerSpec): Promise<void> {
  if (spec === undefined || spec === "fails") return;
  for (const { connection, stream, isOver, reset } of requestsOf(connections, server))
    if (!connection.isOver && isOver && reset === undefined)
      await connection.wire.send(dataFrames({ messages: [{ hex: toHex(loadOctets(spec)) }] }, stream));
}
