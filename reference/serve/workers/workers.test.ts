import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { createClient } from "../client/pool.ts";
import { serveInWorkers, type WorkersOptions, type WorkersServer } from "./serve.ts";

const MODULE = new URL("./testing.ts", import.meta.url);
const servers: WorkersServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function started(options: Partial<WorkersOptions> = {}): Promise<WorkersServer> {
  const server = await serveInWorkers(MODULE, { workers: 2, graceMs: 2_000, ...options });
  servers.push(server);
  return server;
}
/** One request on a connection of its own; the answer is the process that gave it. */
async function ask(server: WorkersServer, path = "/"): Promise<string> {
  const client = await connect(server.url, { alpn: ["http/1.1"], tls: { ca: server.certificate ?? "" } });
  try {
    const { body } = await client.request({ path });
    return await body.text();
  } finally {
    await client.close();
  }
}
const askers = async (server: WorkersServer, times: number): Promise<Set<string>> => {
  const seen = new Set<string>();
  for (let at = 0; at < times; at++) seen.add(await ask(server));
  return seen;
};

describe("serveInWorkers", () => {
  test("hands connections out in turn, and counts the requests of each worker", async () => {
    const server = await started();
    expect((await askers(server, 6)).size).toBe(2);
    const counts = await server.counts();
    expect(counts.map(({ requests }) => requests)).toEqual([3, 3]);
    expect(new Set(counts.map(({ pid }) => pid)).has(process.pid)).toBe(false);
    for (const { cpuSeconds, residentOctets } of counts) expect(Math.min(cpuSeconds, residentOctets)).toBeGreaterThan(0);
  });

  test("over TLS all workers have the same self-signed certificate", async () => {
    const server = await started({ tls: true });
    expect(server.url).toMatch(/^https:/);
    expect((await askers(server, 4)).size).toBe(2);
  });

  test("restart() replaces the workers, and no request is lost meanwhile", async () => {
    const server = await started();
    const before = await askers(server, 4);
    const client = createClient();
    const restarted = new AbortController();
    let answered = 0;
    const asking = (async () => {
      while (!restarted.signal.aborted) {
        const { status, body } = await client.request(`${server.url}slow`);
        await body.text();
        expect(status).toBe(200);
        answered += 1;
      }
    })();
    await server.restart();
    restarted.abort();
    await asking;
    await client.close();
    const after = await askers(server, 4);
    expect(answered).toBeGreaterThan(0);
    expect(after.size).toBe(2);
    expect([...after].filter((pid) => before.has(pid))).toEqual([]);
  });

  test("a worker that ends by itself is replaced, and a notice says so", async () => {
    const notices: string[] = [];
    const server = await started({ onNotice: (line) => notices.push(line) });
    await expect(ask(server, "/end")).rejects.toThrow("ended");
    await expect.poll(async () => (await server.counts()).length).toBe(2);
    expect(notices).toEqual([expect.stringMatching(/^worker \d+ ended \(status 7\): another one starts in 100 ms$/)]);
    expect((await askers(server, 4)).size).toBe(2);
  });

  test("what cannot work is refused with the reason, and leaves no process", async () => {
    const wrong = (options: object, module = MODULE): Promise<unknown> => serveInWorkers(module, { workers: 2, ...options });
    await expect(wrong({ workers: 0 })).rejects.toThrow("give a whole number from 1 to 256");
    await expect(wrong({ alpn: ["h3"] })).rejects.toThrow("HTTP/3 has no workers");
    await expect(wrong({ tls: { renew: () => undefined } })).rejects.toThrow('cannot have the option "tls.renew"');
    await expect(wrong({ prot: 1 })).rejects.toThrow('no option "prot"');
    await expect(wrong({}, new URL("./page.ts", import.meta.url))).rejects.toThrow("no default export that is a handler");
    const busy = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => busy.once("listening", resolve));
    await expect(wrong({ port: (busy.address() as AddressInfo).port })).rejects.toThrow(/in use|EADDRINUSE/);
    busy.close();
  });
});
