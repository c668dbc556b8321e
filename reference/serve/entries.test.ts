import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createSecureServer, createServer as createHttp2Server } from "node:http2";
import { createServer as createSecureHttp1Server } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { selfSigned } from "../io/index.ts";
import * as http1 from "./http1/index.ts";
import * as http2 from "./http2/index.ts";
import * as http from "./index.ts";

/** What the entries of the package speak by default. */

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});
async function listening(server: NetServer): Promise<number> {
  left.push(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
const entries = { http, http1, http2 } as const;
const tls = { verify: false };
const graceMs = 0;

describe("a server of node:http", () => {
  const node = () => listening(createServer((request, response) => void response.end(`${request.method} in ${request.httpVersion}`)));

  test.each(["http", "http1"] as const)("is reached by connect, createClient and proxy of touchstone/%s", async (name) => {
    const { connect, createClient, proxy, serve } = entries[name];
    const url = `http://127.0.0.1:${await node()}/`;
    await using client = await connect(url, { graceMs });
    expect(client.version).toBe("HTTP/1.1");
    expect(await (await client.request()).body.text()).toBe("GET in 1.1");
    await using pool = createClient({ graceMs });
    expect(await (await pool.request(url)).body.text()).toBe("GET in 1.1");
    await using passing = proxy(url, { graceMs });
    await using front = await serve(passing.handler, { graceMs });
    expect(await (await pool.request(front.url)).body.text()).toBe("GET in 1.1");
  });

  test("is not reached by touchstone/http2", async () => {
    const error: unknown = await http2.connect(`http://127.0.0.1:${await node()}/`).catch((why: unknown) => why);
    expect(error).toMatchObject({ name: "ConnectFailed", reason: "protocol" });
  });

  test("over TLS is reached by touchstone/http, which offers all versions", async () => {
    const port = await listening(createSecureHttp1Server(await selfSigned(), (_, response) => void response.end("ok")));
    for (const { connect } of [http, http1]) {
      await using client = await connect(`https://127.0.0.1:${port}/`, { tls, graceMs });
      expect(client.version).toBe("HTTP/1.1");
    }
    await expect(http2.connect(`https://127.0.0.1:${port}/`, { tls })).rejects.toMatchObject({ reason: "protocol" });
  });
});

describe("a server of node:http2", () => {
  test("over TLS is reached by touchstone/http and touchstone/http2", async () => {
    const port = await listening(createSecureServer({ ...(await selfSigned()) }, (_, response) => void response.end("ok")));
    for (const { connect } of [http, http2]) {
      await using client = await connect(`https://127.0.0.1:${port}/`, { tls, graceMs });
      expect(client.version).toBe("HTTP/2");
    }
    await expect(http1.connect(`https://127.0.0.1:${port}/`, { tls })).rejects.toMatchObject({
      reason: "protocol",
      message: expect.stringMatching(/does not offer HTTP\/1\.1 over TLS/) as string,
    });
  });

  test("in clear text is reached by touchstone/http2", async () => {
    const port = await listening(createHttp2Server((_, response) => void response.end("ok")));
    await using client = await http2.connect(`http://127.0.0.1:${port}/`, { graceMs });
    expect(await (await client.request()).body.text()).toBe("ok");
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;
test.runIf(hasPython)("the server of python3 is reached by connect of touchstone/http1", async () => {
  const peer = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", import.meta.dirname], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  left.push(() => peer.kill());
  const [line] = (await once(peer.stdout, "data")) as [Buffer];
  const port = /port (\d+)/.exec(line.toString())?.[1];
  await using client = await http1.connect(`http://127.0.0.1:${port}/`, { graceMs });
  const response = await client.request({ path: "/index.ts" });
  expect([response.status, response.fields.get("server")]).toEqual([200, expect.stringContaining("SimpleHTTP")]);
});

describe("serve", () => {
  const spoken = async (url: string, flag: string): Promise<string> => {
    const { stdout } = await promisify(execFile)("curl", [
      "-s",
      "-m",
      "5",
      flag,
      "-o",
      "/dev/null",
      "-w",
      "%{http_version} %{http_code}",
      url,
    ]).catch((error: { readonly stdout: string }) => error);
    return stdout;
  };
  const { serve } = http;
  test.each([
    ["http", "1.1 200", "2 200"],
    ["http1", "1.1 200", "0 000"],
    ["http2", "1.1 505", "2 200"],
  ] as const)("of touchstone/%s answers HTTP/1.1 with %s, and HTTP/2 with %s", async (name, first, second) => {
    await using server = await entries[name].serve(() => ({ status: 200, body: "ok" }), { graceMs });
    expect([await spoken(server.url, "--http1.1"), await spoken(server.url, "--http2-prior-knowledge")]).toEqual([first, second]);
  });

  test("with one ALPN name twice speaks that version alone", async () => {
    await using server = await serve(() => ({ status: 200 }), { alpn: ["h2", "h2"], graceMs });
    expect([await spoken(server.url, "--http1.1"), await spoken(server.url, "--http2-prior-knowledge")]).toEqual(["1.1 505", "2 200"]);
  });

  test("`alpn` goes before the default of the entry", async () => {
    await using server = await http1.serve(() => ({ status: 200 }), { alpn: ["h2"], graceMs });
    await using client = await http1.connect(server.url, { alpn: ["h2"], graceMs });
    expect(client.version).toBe("HTTP/2");
  });
});
