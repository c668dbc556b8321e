import { createInterface } from "node:readline";
import { readFrames, readRequest, readResponse } from "./read.ts";
import type { FramesVector, RequestVector, ResponseVector } from "./source/craft.ts";

/**
 * Our reader of WebSocket as a codec that the vectors can ask: `node vectors/websocket/adapter.ts`. One request a line on standard input,
 * one answer a line on standard output (the protocol is in `vectors/README.md`). Copy it to put another implementation to the test: only
 * the three functions are ours.
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
