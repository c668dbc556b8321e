import { createInterface } from "node:readline";
import { readFrames, readRequest, readResponse } from "./read.ts";
import type { FramesVector, RequestVector, ResponseVector } from "./source/craft.ts";

/**
 * Our WebSocket parser as a codec for the vectors: `node vectors/websocket/adapter.ts`. One request per line on standard input, one answer
 * per line on standard output (`vectors/README.md` describes the protocol). To test another implementation, copy this file and replace the
 * three functions.
 */
type Request = { readonly id: number; readonly op: string };

function answer(request: Request): object {
  switch (request.op) {
    case "websocket-frames":
      return readFrames(request as unknown as FramesVector);
    case "websocket-request":
      return readRequest(request as unknown as RequestVector);
    case "websocket-response":
      return readResponse(request as unknown as ResponseVector);
    default:
      return { unknown: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
