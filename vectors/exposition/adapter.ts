import { createInterface } from "node:readline";
import { readPage } from "./read.ts";

/**
 * Our reader of pages as a codec that the vectors and the conformance suite can ask: `node vectors/exposition/adapter.ts`. One request a line
 * on standard input, one answer a line on standard output (the protocol is in `vectors/README.md`). Copy it to put another reader to the test:
 * only `readPage` is ours.
 */
type Request = { readonly id: number; readonly op: string; readonly page: string };

function answer({ op, page }: Request): object {
  if (op !== "exposition-text" && op !== "exposition-openmetrics") return { unknown: true };
  const { error, line, column, ...reading } = readPage(op, page);
  return error === undefined ? reading : { error, line, column };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
