import { type Decoded, Decoder, type QpackFault } from "../../reference/qpack/index.ts";
import type { VectorField } from "../load.ts";
import type { DecodeQuestion } from "./question.ts";

/** What our decoder answers. */
export type Reading = {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly error?: string;
  readonly code?: number;
};

/** The error codes of HTTP/3 (rfc9204#8.3). */
const CODES = { QPACK_DECOMPRESSION_FAILED: 0x200, QPACK_ENCODER_STREAM_ERROR: 0x201, QPACK_DECODER_STREAM_ERROR: 0x202 } as const;
/** Vectors have larger lists than a connection would allow. */
const MAX_LIST_SIZE = 1 << 24;

type Arrival = Exclude<DecodeQuestion["steps"][number], { readonly cancel: number }>;
type Arrived = {
  readonly unblocked: readonly { readonly streamId: number; readonly decoded: Decoded | { readonly is: "blocked" } }[];
  readonly fault?: QpackFault;
};
const arrives = (decoder: Decoder, step: Arrival): Arrived =>
  "section" in step
    ? { unblocked: [{ streamId: step.stream, decoded: decoder.decode(step.stream, Buffer.from(step.section, "hex")) }] }
    : decoder.receive(Buffer.from(step.instructions, "hex"));

/** Performs the steps on a new decoder, up to the first fault. */
export function answerTo({ capacity, blocked, steps }: DecodeQuestion): Reading {
  const decoder = new Decoder({ maxTableCapacity: capacity, maxBlockedStreams: blocked, maxListSize: MAX_LIST_SIZE });
  const messages: Readonly<Record<string, unknown>>[] = [];
  let answers = "";
  const refused = ({ name, code, spec }: QpackFault): Reading => ({ messages, error: `${name} (${spec})`, code: CODES[code] });
  for (const step of steps) {
    if ("cancel" in step) decoder.cancel(step.cancel);
    else {
      const { unblocked, fault } = arrives(decoder, step);
      for (const { streamId, decoded } of unblocked) {
        if (decoded.is === "fault") return refused(decoded);
        if (decoded.is === "tooLarge") return { messages, error: "the list is too large" };
        if (decoded.is === "blocked") continue;
        const fields = decoded.fields.map(({ name, value, sensitive }): VectorField => (sensitive ? [name, value, true] : [name, value]));
        messages.push({ stream: streamId, fields });
      }
      if (fault !== undefined) return refused(fault);
    }
    answers += Buffer.from(decoder.take()).toString("hex");
  }
  return { messages: [...messages, { answers }] };
}
