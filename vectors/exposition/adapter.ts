import { createInterface } from "node:readline";
import { readPage } from "./read.ts";

/**
 * Our parser of metrics pages as a codec for the vectors and the conformance suite: `node vectors/exposition/adapter.ts`. One request per
 * line on standard input, one answer per line on standard output (`vectors/README.md` describes the protocol). To test another parser, copy
 * this file and replace `readPage`.
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
