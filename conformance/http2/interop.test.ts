import { exec } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { connect } from "../../reference/serve/http2/index.ts";
import { peer as handler, serve, type Handler } from "../../reference/serve/index.ts";
import { allPeers, clientCommand, startPeer, versionOf, type Peer } from "../peers/index.ts";

/** Our client with everybody's server, and our server with everybody's client: what is not installed says how to get it. */

const missing = new Set<string>();
afterAll(() => {
  for (const line of missing) console.log(line);
});

/** node:http2 is always here; others may not be, and then the test says so and ends. */
async function mustBeHere(p: Peer, context: TestContext): Promise<void> {
  if ((await versionOf(p)) !== undefined) return;
  missing.add(`${p.name} is not installed: ${p.install}`);
  context.skip(`${p.name} is not installed: ${p.install}`);
}

const servers = allPeers().filter(({ speaks, name }) => speaks["http2"]?.server !== undefined && name !== "touchstone");
const clients = allPeers().filter(({ speaks }) => speaks["http2"]?.client !== undefined);

describe.each(servers.map((p) => [p.name, p] as const))("our client with the server %s", (_, p) => {
  test.for(["clear", "tls"] as const)(
    "%s: small and large answers, HEAD, many at a time, an upload, a graceful end",
    async (transport, context) => {
      await mustBeHere(p, context);
      if (p.speaks["http2"]?.server?.[transport] === undefined) return context.skip(`${p.name} has no server for ${transport}`);
      await using running = await startPeer(p, { protocol: "http2", tls: transport === "tls" });
      await using client = await connect(running.url, { tls: { verify: false } });
      const get = async (path: string): Promise<number> => (await (await client.request({ path })).body.bytes()).length;
      const small = await get("/");
      expect(small).toBeGreaterThan(0);
      // A proxy in front of nothing has one answer for everything.
      expect(await get("/10m")).toBe(p.name === "haproxy" ? small : 10 << 20);
      const head = await client.request({ method: "HEAD", path: "/" });
      expect([head.status, (await head.body.bytes()).length]).toEqual([200, 0]);
      expect(await Promise.all(Array.from({ length: 300 }, () => get("/")))).toEqual(Array.from({ length: 300 }, () => small));
      const upload = await client.request({ method: "POST", path: "/", body: new Uint8Array(1_000_000) });
      await upload.body.bytes();
      expect([200, 405]).toContain(upload.status);
      expect(await client.ping()).toBeLessThan(10_000);
      await client.close();
      return expect(client.accepting).toBe(false);
    },
  );
});

describe.each(clients.map((p) => [p.name, p] as const))("our server with the client %s", (_, p) => {
  test.for(["clear", "tls"] as const)("%s: requests and exits with status 0", async (transport, context) => {
    await mustBeHere(p, context);
    if (transport === "clear" && p.speaks["http2"]?.client?.tls === true) return context.skip(`${p.name} speaks HTTP/2 over TLS only`);
    const seen: string[] = [];
    const counted: Handler = (request, exchange) => {
      seen.push(request.method);
      return handler(request, exchange);
    };
    await using server = await serve(counted, { tls: transport === "tls" });
    const command = (await clientCommand(p, "http2")).replaceAll("{url}", `'${server.url}'`);
    // Its status is 0, or this throws; a certificate that signs itself is none of its business here.
    await promisify(exec)(command, { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" } });
    return expect(seen).toEqual(["GET"]);
  });
});
