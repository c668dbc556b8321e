import { createInterface } from "node:readline";
import { read } from "./read.ts";

/**
 * Our HTTP/1.1 parser as a codec for the vectors: `node vectors/http1/adapter.ts`. One request per line on standard input, one answer per
 * line on standard output (`vectors/README.md` describes the protocol). To test another implementation, copy this file and replace `read`.
 */
type Request = {
  readonly id: number;
  readonly op: string;
  readonly octets: string;
  readonly to?: readonly string[];
  readonly ended?: boolean;
};

function answer({ op, octets, to = ["GET"], ended = false }: Request): object {
  if (op === "http1-request") return read({ octets, ended });
  if (op === "http1-response") return read({ octets, to, ended, cut: 1 });
  return { unknown: true };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
