import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "../../reference/serve/index.ts";

/** A server in a process of its own that says, when asked, how much memory it holds after a collection. Runs with --expose-gc. */
export type MemorySubjectName = "touchstone" | "node:http";
export type MemoryAnswer = { readonly port: number; readonly held: number; readonly resident: number };

async function listen(name: MemorySubjectName): Promise<number> {
  if (name === "touchstone") {
    const server = await serve(() => ({ status: 200, body: "ok" }), { protocols: ["http/1.1"], port: 0 });
    return server.port;
  }
  const server = createServer({ keepAliveTimeout: 300_000 }, (_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const port = await listen(process.argv[2] as MemorySubjectName);
const answer = (): MemoryAnswer => {
  for (let i = 0; i < 4; i++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { port, held: heapUsed + external, resident: rss };
};
process.on("message", () => process.send?.(answer()));
process.on("disconnect", () => process.exit());
process.send?.(answer());
