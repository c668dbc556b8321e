import type { FieldSpec, FrameSpec } from "../../wire/http2/frame-spec.ts";
import { fromHex, join } from "../../wire/octets.ts";
import { percentEncoded } from "../../wire/rpc/percent.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import { envelope } from "../../wire/rpc/envelopes.ts";
import { LOAD_TRAILER, loadReport } from "../../wire/rpc/load-report.ts";
import type { Step } from "../client-vocabulary.ts";
import type { MessageSpec } from "../vocabulary.ts";
import type { Servers } from "./client-servers.ts";
import type { Request } from "./client-connection.ts";
import { dataFrame, type Fields, piecesOf, replaced, section } from "./frames.ts";
import { PAYLOAD, payloadOf } from "./payloads.ts";

/** The frames of our answers. */

/** The octets of a message of ours, without its envelope. */
const contentOf = ({ hex, ...spec }: MessageSpec): Uint8Array => (hex === undefined ? payloadOf(spec) : fromHex(hex));
/** The octets of messages in their envelopes. */
export const messagesOf = (messages: readonly MessageSpec[]): Uint8Array => join(messages.map((one) => envelope(contentOf(one), one)));

/** A performance that answers by itself. */
export type Answering = Fields & { readonly timeout: number; until(test: () => boolean, ms: number): Promise<boolean> };
/** One with several servers, which may answer otherwise. */
type AnsweringMany = Answering & { readonly servers?: Servers | undefined };

const HEAD: readonly FieldSpec[] = [
  [":status", "200"],
  ["content-type", "application/{rpc}"],
];

export const headFrames = (step: Extract<Step, { do: "headers" }>, stream: number, stage: Fields): FrameSpec[] =>
  section(stage.fields([...replaced(HEAD, step.replace), ...(step.fields ?? [])]), { ...step, stream }, stage);

export function trailerFrames(step: Extract<Step, { do: "trailers" }>, stream: number, stage: Fields): FrameSpec[] {
  const { status = "OK", message, fields = [], only, replace, open, split } = step;
  const code = STATUSES.findIndex((name) => name === status);
  const own: FieldSpec[] = [
    ...(status === false ? [] : [["{rpc}-status", code < 0 ? status : String(code)] as const]),
    ...(message === undefined ? [] : [["{rpc}-message", percentEncoded(message)] as const]),
  ];
  return section(
    stage.fields([...(only === true ? replaced(HEAD, replace) : []), ...own, ...fields]),
    { stream, end: open !== true, split },
    stage,
  );
}

export function dataFrames(step: Omit<Extract<Step, { do: "say" }>, "do">, stream: number): FrameSpec[] {
  const empty: FrameSpec = { type: "DATA", stream };
  return piecesOf(messagesOf(step.messages), step).flatMap((octets, at, all) => {
    const isLast = step.end === true && at === all.length - 1;
    const data = dataFrame(stream, octets, { end: isLast, pad: step.pad });
    return step.empty === true ? [empty, data, ...(isLast ? [] : [empty])] : [data];
  });
}

/** Answers a request that no step mentions with OK, when all of it has come. */
export async function answerWell(request: Request, stage: AnsweringMany): Promise<void> {
  const { connection, stream } = request;
  await stage.until(() => request.isOver || connection.isOver, stage.timeout);
  if (request.reset !== undefined || connection.isOver) return;
  const { status, load = false } = stage.servers?.spec(connection.server) ?? {};
  if (status !== undefined && !request.isFence)
    return connection.wire.send(trailerFrames({ do: "trailers", status, only: true }, stream, stage));
  await connection.wire.send([
    ...headFrames({ do: "headers" }, stream, stage),
    ...dataFrames({ messages: [{ payload: request.isFence ? "fence" : PAYLOAD }] }, stream),
    ...trailerFrames({ do: "trailers", ...(load !== false && { fields: [[LOAD_TRAILER, loadReport(load)]] }) }, stream, stage),
  ]);
}
