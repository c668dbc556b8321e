import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { bindUdp, selfSigned } from "../../../io/index.ts";
import { connect, type Client } from "../index.ts";
import { CADDY, endPeers, folder, start } from "./testing.ts";

/** Our client with caddy, which serves files over HTTP/3. */

vi.setConfig({ testTimeout: 60_000 });
afterEach(endPeers);

/** A port that was free a moment ago: caddy chooses none itself. */
async function freePort(): Promise<number> {
  const socket = await bindUdp({ host: "127.0.0.1", port: 0 });
  const { port } = socket.address();
  await new Promise<void>((done) => void socket.close(() => done()));
  return port;
}

async function caddy(files: Readonly<Record<string, string | Uint8Array>>): Promise<{ readonly url: string; readonly cert: string }> {
  const { cert, key } = await selfSigned();
  const path = folder();
  for (const [name, content] of Object.entries({ ...files, "cert.pem": cert, "key.pem": key })) writeFileSync(join(path, name), content);
  const port = await freePort();
  const config = `{
    admin off
    auto_https disable_redirects
    servers {
      protocols h1 h2 h3
    }
  }
  https://127.0.0.1:${port} {
    bind 127.0.0.1
    tls ${join(path, "cert.pem")} ${join(path, "key.pem")}
    root * ${path}
    file_server
  }
  `;
  writeFileSync(join(path, "Caddyfile"), config);
  start(CADDY!, ["run", "--config", join(path, "Caddyfile"), "--adapter", "caddyfile"]);
  return { url: `https://127.0.0.1:${port}/`, cert };
}

async function reach(url: string, ca: string): Promise<Client> {
  for (let tries = 0; ; tries++) {
    try {
      return await connect(url, { tls: { ca }, connectMs: 1_000 });
    } catch (error) {
      if (tries === 20) throw error;
      await pause(100);
    }
  }
}

describe.runIf(CADDY !== undefined)("our client and caddy", () => {
  test("files, many at a time, and one that is large", async () => {
    const large = Buffer.alloc(3_000_000, "touchstone ");
    const { url, cert } = await caddy({ "a.txt": "a file", large });
    await using client = await reach(url, cert);
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await client.request({ path: "/a.txt" })).body.text()));
    expect(new Set(texts)).toEqual(new Set(["a file"]));
    const response = await client.request({ path: "/large" });
    expect([response.version, response.fields.get("server")]).toEqual(["HTTP/3", "Caddy"]);
    expect(Buffer.from(await response.body.bytes()).equals(large)).toBe(true);
    const head = await client.request({ method: "HEAD", path: "/a.txt" });
    expect([head.status, head.fields.get("content-length"), (await head.body.bytes()).length]).toEqual([200, "6", 0]);
    expect((await client.request({ path: "/none" })).status).toBe(404);
  });
});
