import { createInterface } from "node:readline";
import { field, Writer } from "../../../reference/core/index.ts";
import { Encoder } from "../../../reference/qpack/index.ts";
import type { VectorField } from "../../../vectors/load.ts";
import type { DecodeQuestion } from "../../../vectors/qpack/question.ts";
import { answerTo, type Reading } from "../../../vectors/qpack/read.ts";

/**
 * The reference QPACK codec as a subject for the vectors and the conformance suite: `node conformance/qpack/embedded/adapter.ts`. It reads one
 * request per line from standard input and writes one answer per line to standard output (protocol: `vectors/README.md`). To test another
 * implementation, copy this file and replace `answerTo` and `encode`.
 */

export type EncodeQuestion = {
  readonly op: "qpack-encode";
  /** The peer's settings (rfc9204#5). */
  readonly capacity: number;
  readonly blocked: number;
  /** Lists to send, and octets of the peer's decoder stream, in order. */
  readonly steps: readonly ({ readonly section: readonly VectorField[]; readonly stream: number } | { readonly answers: string })[];
};
type Request = { readonly id: number } & (DecodeQuestion | EncodeQuestion);

const DECODER_STREAM_ERROR = 0x202;

function encode({ capacity, blocked, steps }: EncodeQuestion): Reading {
  const encoder = new Encoder();
  encoder.settings({ maxTableCapacity: capacity, maxBlockedStreams: blocked });
  const writer = new Writer();
  const messages: { readonly instructions: string; readonly section: string }[] = [];
  for (const step of steps) {
    if ("answers" in step) {
      const wrong = encoder.receive(Buffer.from(step.answers, "hex"));
      if (wrong !== undefined) return { messages, error: `${wrong.name} (${wrong.spec})`, code: DECODER_STREAM_ERROR };
    } else {
      encoder.encode(
        step.stream,
        step.section.map(([name, value, sensitive]) => field(name, value, sensitive === true)),
        writer,
      );
      messages.push({
        instructions: Buffer.from(encoder.take()).toString("hex"),
        section: Buffer.from(writer.take()).toString("hex"),
      });
    }
  }
  return { messages };
}

function answer(request: Request): Reading | { readonly unknown: true } {
  switch (request.op) {
    case "qpack-decode":
      return answerTo(request);
    case "qpack-encode":
      return encode(request);
    default:
      return { unknown: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
