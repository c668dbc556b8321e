import { createInterface } from "node:readline";
import type { Asked } from "./question.ts";
import { answerTo } from "./read.ts";

/**
 * Our wire level of RPC as a codec for the vectors and the conformance suite: `node vectors/rpc/adapter.ts`. One request per line on standard
 * input, one answer per line on standard output (`vectors/README.md` describes the protocol). To test another implementation, copy this file
 * and replace `answerTo`.
 */
type Request = { readonly id: number } & Asked;

const isKnown = ({ op }: { readonly op: string }): boolean => op === "rpc-messages" || op === "rpc-read" || op === "rpc-write";

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...(isKnown(request) ? answerTo(request) : { unknown: true }) })}\n`);
}
