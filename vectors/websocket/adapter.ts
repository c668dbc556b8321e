import { createInterface } from "node:readline";
import type { Asked } from "./question.ts";
import { readFramesEveryWay, readRequest, readResponse } from "./read.ts";

/**
 * Our WebSocket parser as a codec for the vectors: `node vectors/websocket/adapter.ts`. One request per line on standard input, one answer
 * per line on standard output (`vectors/README.md` describes the protocol). To test another implementation, copy this file and replace the
 * three functions.
 */
type Request = { readonly id: number } & Asked;

function answer(request: Request): object {
  switch (request.op) {
    case "websocket-frames":
      return readFramesEveryWay(request);
    case "websocket-request":
      return readRequest(request);
    case "websocket-response":
      return readResponse(request);
    default:
      return { unknown: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
