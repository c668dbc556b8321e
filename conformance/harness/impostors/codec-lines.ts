import { createInterface } from "node:readline";
import { flawOf } from "./named.ts";

/** Answers requests on standard input, one JSON line each, as the impostor named on the command line. */
export async function answerLines<Flaw, Request extends { readonly id: number }>(
  flaws: Readonly<Record<string, Flaw>>,
  answer: (flaw: Flaw, request: Request) => object,
): Promise<void> {
  const flaw = flawOf(flaws, process.argv[2] ?? "lenient");
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(flaw, request) })}\n`);
  }
}
