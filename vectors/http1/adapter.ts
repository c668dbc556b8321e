import { createInterface } from "node:readline";
import { read } from "./read.ts";

/**
 * Our reader of HTTP/1.1 as a codec that the vectors can ask: `node vectors/http1/adapter.ts`. One request a line on standard input, one
 * answer a line on standard output (the protocol is in `vectors/README.md`). Copy it to put another implementation to the test: only `read`
 * is ours.
 */
type Request = { readonly id: number; readonly op: string; readonly octets: string; readonly to?: readonly string[]; readonly ended?: boolean };

function answer({ op, octets, to = ["GET"], ended = false }: Request): object {
  if (op === "http1-request") return read({ octets, ended });
  if (op === "http1-response") return read({ octets, to, ended, cut: 1 });
  return { unknown: true };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
