import { literalBlock } from "../../wire/http2/build.ts";
import type { FieldSpec, FrameSpec } from "../../wire/http2/frame-spec.ts";
import { fromHex, join, toHex } from "../../wire/octets.ts";
import { percentEncoded } from "../../wire/rpc/percent.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import { envelope } from "../../wire/rpc/envelopes.ts";
import type { Step } from "../client-vocabulary.ts";
import type { MessageSpec } from "../vocabulary.ts";
import type { Request } from "./client-connection.ts";

/** The frames of our answers. */

/** The payload of a message that names none. */
export const PAYLOAD = "touchstone";
/** The values of a numbered payload count to this, so that a shifted or repeated part shows. */
const CYCLE = 251;

/** The octets of a message of ours, without its envelope. */
function contentOf({ payload = PAYLOAD, size, hex }: MessageSpec): Uint8Array {
  if (hex !== undefined) return fromHex(hex);
  return size === undefined ? new TextEncoder().encode(payload) : Uint8Array.from({ length: size }, (_, at) => at % CYCLE);
}
/** The octets of messages in their envelopes. */
export const messagesOf = (messages: readonly MessageSpec[]): Uint8Array => join(messages.map((one) => envelope(contentOf(one), one)));

/** What the names of fields depend on. */
type Fields = { readonly fields: (fields: readonly FieldSpec[]) => FieldSpec[]; readonly text: (value: string) => string };
/** A performance that answers by itself. */
type Answering = Fields & { readonly timeout: number; until(test: () => boolean, ms: number): Promise<boolean> };
type Replace = Readonly<Record<string, string | false>>;
const replaced = (usual: readonly FieldSpec[], replace: Replace = {}): FieldSpec[] =>
  usual.flatMap(([name, value]): FieldSpec[] => {
    const other = replace[name];
    return other === false ? [] : [[name, other ?? value]];
  });

const HEAD: readonly FieldSpec[] = [
  [":status", "200"],
  ["content-type", "application/{rpc}"],
];

/** One header section, in as many frames as it is split into. */
function section(
  fields: readonly FieldSpec[],
  { stream, end, split, pad }: { stream: number; end: boolean; split?: number | undefined; pad?: number | undefined },
  stage: Fields,
): FrameSpec[] {
  const last = end ? (["END_STREAM"] as const) : [];
  if (split === undefined)
    return [{ type: "HEADERS", stream, flags: ["END_HEADERS", ...last], fields, ...(pad === undefined ? {} : { pad }) }];
  const block = literalBlock(fields, stage.text);
  return [
    { type: "HEADERS", stream, flags: last, block: toHex(block.subarray(0, split)) },
    { type: "CONTINUATION", stream, flags: ["END_HEADERS"], block: toHex(block.subarray(split)) },
  ];
}

export const headFrames = (step: Extract<Step, { do: "headers" }>, stream: number, stage: Fields): FrameSpec[] =>
  section(stage.fields([...replaced(HEAD, step.replace), ...(step.fields ?? [])]), { ...step, stream, end: step.end === true }, stage);

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

/** Where the octets are cut into frames: neighbours are the ends of one. */
function cutsOf({ cut, cutAt = [] }: Omit<Extract<Step, { do: "say" }>, "do">, length: number): number[] {
  const inner =
    cut === undefined ? [...cutAt] : Array.from({ length: Math.max(0, Math.ceil(length / cut) - 1) }, (_, at) => (at + 1) * cut);
  return [0, ...inner.filter((at) => at > 0 && at < length), length];
}

export function dataFrames(step: Omit<Extract<Step, { do: "say" }>, "do">, stream: number): FrameSpec[] {
  const octets = messagesOf(step.messages);
  const cuts = cutsOf(step, octets.length);
  return cuts.slice(1).flatMap((to, at): FrameSpec[] => {
    const hex = toHex(octets.subarray(cuts[at] ?? 0, to));
    const isLast = step.end === true && at === cuts.length - 2;
    const data: FrameSpec = {
      type: "DATA",
      stream,
      ...(isLast ? { flags: ["END_STREAM"] } : {}),
      ...(step.pad === undefined ? { hex } : { pad: step.pad, block: hex }),
    };
    const empty: FrameSpec = { type: "DATA", stream };
    return step.empty === true ? [empty, data, ...(isLast ? [] : [empty])] : [data];
  });
}

/** Answers a request that no step mentions with OK, when all of it has come. */
export async function answerWell(request: Request, stage: Answering): Promise<void> {
  const { connection, stream } = request;
  await stage.until(() => request.isOver || connection.isOver, stage.timeout);
  if (request.reset !== undefined || connection.isOver) return;
  await connection.wire.send([
    ...headFrames({ do: "headers" }, stream, stage),
    ...dataFrames({ messages: [{ payload: request.isFence ? "fence" : PAYLOAD }] }, stream),
    ...trailerFrames({ do: "trailers" }, stream, stage),
  ]);
}
