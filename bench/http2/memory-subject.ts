import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { serve } from "../../reference/serve/index.ts";
import { tellMemory } from "../lib/tell-memory.ts";

/** Starts an HTTP/2 server by name, to measure its memory. Returns the port. */
async function listen(name: string): Promise<number> {
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

tellMemory(await listen(process.argv[2] ?? ""));
