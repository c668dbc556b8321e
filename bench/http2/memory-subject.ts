import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { serve } from "../../reference/serve/index.ts";

/** A server in a process of its own that says, when asked, how much memory it holds after a collection. Runs with --expose-gc. */
export type MemorySubjectName = "touchstone" | "node:http2";
export type MemoryAnswer = { readonly port: number; readonly held: number; readonly resident: number };

async function listen(name: MemorySubjectName): Promise<number> {
  if (name === "touchstone") {
    const server = await serve(() => new Promise<never>(() => {}), { port: 0 });
    return server.port;
  }
  const server = createServer();
  server.on("stream", (stream) => stream.on("error", () => stream.destroy()));
  server.on("sessionError", (_, session) => session?.destroy());
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
