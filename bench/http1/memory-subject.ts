import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "../../reference/serve/index.ts";
import { tellMemory } from "../lib/tell-memory.ts";

/** Starts an HTTP/1.1 server by name, to measure its memory. Returns the port. */
async function listen(name: string): Promise<number> {
  if (name === "touchstone") {
    const server = await serve(() => ({ status: 200, body: "ok" }), { alpn: ["http/1.1"], port: 0 });
    return server.port;
  }
  const server = createServer({ keepAliveTimeout: 300_000 }, (_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

tellMemory(await listen(process.argv[2] ?? ""));
