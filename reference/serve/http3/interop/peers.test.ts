import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { selfSigned } from "../../../io/index.ts";
import { peer as handler } from "../../cli/peer.ts";
import { connect, createClient, serve, type Client } from "../index.ts";
import { endPeers, PEERS, type Asked, type Peer } from "./testing.ts";

/** Our client and server with those of others, in both directions. */

afterEach(endPeers);
vi.setConfig({ testTimeout: 60_000 });
const identity = await selfSigned();
/** Tests with each peer; those with one that is not installed are left out. */
const withEach = (what: string, tests: (peer: Peer) => void): void => {
  for (const [name, peer] of Object.entries(PEERS))
    describe.runIf(peer !== undefined)(`${what} ${name}`, () => {
      tests(peer!);
    });
};

withEach("our client and a server of", (peer) => {
  const client = async (more: object = {}): Promise<Client> => {
    const port = await peer.serve(identity, more);
    return connect(`https://127.0.0.1:${port}`, { tls: { ca: identity.cert } });
  };

  test("GET, POST, HEAD, many at a time, on one connection", async () => {
    await using one = await client();
    expect(one.version).toBe("HTTP/3");
    const got = await one.request({ path: "/bytes/100" });
    expect([got.version, got.status, (await got.body.bytes()).length]).toEqual(["HTTP/3", 200, 100]);
    const posted = await one.request({ method: "POST", path: "/echo", body: "to and fro" });
    expect([posted.fields.get("x-method"), await posted.body.text()]).toEqual(["POST", "to and fro"]);
    const many = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, at) => await (await one.request({ method: "POST", path: "/echo", body: `number ${at}` })).body.text(),
      ),
    );
    expect(many).toEqual(many.map((_, at) => `number ${at}`));
    const head = await one.request({ method: "HEAD", path: "/echo" });
    expect([head.status, (await head.body.bytes()).length]).toEqual([200, 0]);
  });

  test("megabytes both ways", async () => {
    await using one = await client();
    const got = await one.request({ path: "/bytes/3000000" });
    expect((await got.body.bytes()).length).toBe(3_000_000);
    const body = Buffer.alloc(3_000_000, "touchstone ");
    const posted = await one.request({ method: "POST", path: "/echo", body });
    expect(Buffer.from(await posted.body.bytes()).equals(body)).toBe(true);
  });

  test("an interim response, and trailers", async () => {
    await using one = await client();
    const early = await one.request({ path: "/interim" });
    expect(early.interim.map(({ status, fields }) => [status, fields.get("link")])).toEqual([[103, "<a>"]]);
    await early.body.bytes();
    const trailed = await one.request({ path: "/trailers" });
    await trailed.body.bytes();
    expect([...(await trailed.body.trailers)]).toEqual([["x-end", "yes"]]);
  });

  test("the second connection resumes the first, and a safe request leaves early", async () => {
    const port = await peer.serve(identity);
    await using client = createClient({ keepMs: 100, tls: { ca: identity.cert }, http3: { earlyData: "safe" } });
    const ask = async (method: string): Promise<string> => {
      const { fields, body } = await client.request(`https://127.0.0.1:${port}/bytes/10`, { method });
      await body.bytes();
      return `${fields.get("x-resumed")} ${fields.get("x-early")}`;
    };
    expect(await ask("GET")).toBe("false false");
    // A busy server reads an early request only after its handshake is complete, and does not call it early then.
    const later = async (): Promise<string> => (await pause(500), ask("GET"));
    await expect.poll(later).toBe("true true");
    expect(await ask("POST")).toBe("true false");
  });
  test("a certificate of nobody is refused", async () => {
    const port = await peer.serve(identity);
    await expect(connect(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ name: "ConnectFailed", reason: "tls" });
  });
});

const REQUESTS: readonly Asked[] = [
  ["GET", "/", 0],
  ["GET", "/bytes/3000000", 0],
  ["POST", "/echo", 3_000_000],
  ["POST", "/upload", 100_000],
  ["HEAD", "/bytes/1000", 0],
  ["GET", "/trailers", 0],
  ["GET", "/early", 0],
  ["GET", "/status/404", 0],
];

withEach("our server and a client of", (peer) => {
  test("the second connection resumes the first, and is taken early", async () => {
    const seen: string[] = [];
    await using server = await serve(
      ({ fields }, { connection }) => {
        seen.push(`${connection.tls?.isResumed} ${fields.get("early-data")}`);
        return { status: 200, body: "ok" };
      },
      { tls: identity, http3: { earlyData: "safe" } },
    );
    const early: Asked = [peer.name === "quic-go" ? "GET_0RTT" : "GET", "/", 0];
    const answers = await peer.ask(server.port, identity.cert, [["GET", "/", 0]], [early]);
    expect([answers.length, seen]).toEqual([2, ["false undefined", "true 1"]]);
    // quic-go sends nothing else early.
    if (peer.name === "quic-go") return;
    const [, refused] = await peer.ask(server.port, identity.cert, [["GET", "/", 0]], [["POST", "/", 0]]);
    expect([JSON.stringify(refused), seen.length]).toEqual([expect.stringContaining('[":status","425"]'), 3]);
  });
  test.each([{}, { retry: "always" as const }])("all that the peer has, with %o", async (http3) => {
    const versions = new Set<string>();
    await using server = await serve(
      (request, exchange) => {
        versions.add(request.version);
        return handler(request, exchange);
      },
      { http3, tls: identity },
    );
    // aioquic 1.7 closes the connection if a response to HEAD announces content, which it may (rfc9114#4.1.2).
    const requests = REQUESTS.filter(([method]) => method !== "HEAD" || peer.name !== "aioquic");
    const answers = await peer.ask(server.port, identity.cert, requests);
    expect(answers.length).toBe(requests.length);
    const octets = new Map(answers.map(({ path, octets }) => [path, octets]));
    expect(octets.get("/bytes/3000000")).toBe(3_000_000);
    expect(octets.get("/echo")).toBe(3_000_000);
    expect(octets.get("/bytes/1000") ?? 0).toBe(0);
    expect(octets.get("/")).toBe("Touchstone speaks HTTP/3.\n".length);
    expect(JSON.stringify(answers.find(({ path }) => path === "/trailers"))).toMatch(/x-end/i);
    expect(JSON.stringify(answers.find(({ path }) => path === "/status/404"))).toContain("404");
    expect(answers.filter(({ error, reset }) => error !== undefined || typeof reset === "number")).toEqual([]);
    expect([...versions]).toEqual(["HTTP/3"]);
  });
});
