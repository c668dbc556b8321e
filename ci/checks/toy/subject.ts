import { createInterface } from "node:readline";
import { answerTo, exchange, passOn } from "./protocol.ts";

/** The toy as a program: `client URL`, `codec`, or `proxy ORIGIN`. */
const [as = "", where = ""] = process.argv.slice(2);
if (as === "client") process.exitCode = (await exchange(where, "ping 7")) === "pong 7" ? 0 : 1;
else if (as === "proxy") console.log((await passOn(where)).url);
else
  for await (const text of createInterface({ input: process.stdin })) {
    const { id, line } = JSON.parse(text) as { readonly id: number; readonly line: string };
    console.log(JSON.stringify({ id, line: answerTo(line) }));
  }
