import type { FieldSpec, FrameSpec } from "../../wire/http2/frame-spec.ts";
import { toHex } from "../../wire/octets.ts";
import { SERVICE } from "../../wire/rpc/contract.ts";
import { envelope } from "../../wire/rpc/envelopes.ts";
import type { Step } from "../vocabulary.ts";
import type { Answer } from "./answers.ts";
import type { RpcConnection } from "./connection.ts";
import { callFields } from "./frames.ts";
import type { RpcStage } from "./stage.ts";

/** Whole calls beside those of a case: fences, and questions about it. */

/** The connection for questions about that of the case. */
const ELSEWHERE = 2;

/** The fields of a call, in the order of the grammar (rpc-http2#requests). */
export const headOf = (
  { path, method = "Unary", ...changes }: Omit<Extract<Step, { do: "call" }>, "do" | "call">,
  stage: Pick<RpcStage, "fields">,
): FieldSpec[] => callFields(path ?? `/${SERVICE}/${method}`, changes, stage);

/** A call on a new stream of a connection; returns its answer when that has ended, or why it did not. */
export async function converse(
  connection: RpcConnection,
  stage: RpcStage,
  { path, octets }: { readonly path: string; readonly octets: Uint8Array },
): Promise<Answer | string> {
  const stream = connection.next;
  const { wire } = connection;
  await stage.until(() => wire.hasRoom || connection.ended !== undefined, stage.timeout / 4);
  const frames: FrameSpec[] = [
    { type: "HEADERS", stream, flags: ["END_HEADERS"], fields: headOf({ path }, stage) },
    { type: "DATA", stream, flags: ["END_STREAM"], hex: toHex(envelope(octets)) },
  ];
  await wire.send(frames);
  const answer = connection.answer(stream);
  await stage.until(() => answer.isOver || connection.ended !== undefined, stage.timeout);
  if (answer.isOver) return answer;
  return connection.ended === undefined
    ? `a good call was not answered within ${stage.timeout} ms`
    : "the connection ended before a good call was answered";
}

/** The connection for questions, opened when it is first used; or why there is none. */
export async function elsewhereOf(stage: RpcStage): Promise<RpcConnection | string> {
  if (!stage.connections.has(ELSEWHERE)) {
    const stop = await stage.greet(ELSEWHERE);
    if (stop !== undefined) return stop;
  }
  const connection = await stage.connection(ELSEWHERE);
  stage.last = 1;
  return connection;
}
