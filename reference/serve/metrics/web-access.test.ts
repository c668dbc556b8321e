import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { hashSync } from "bcryptjs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Certificate } from "../../io/make-certificate.ts";
import { makeAuthority, type Authority } from "../../io/testing.ts";
import { connect, serve, type Server } from "../index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";
import { WebAccess } from "./web-access.ts";

/** A cost that tests can pay; the server only warns of it. */
const HASH = hashSync("open sesame", 4);
let folder: string;
let server: MetricsServer | undefined;
let authority: Authority;
let ours: Certificate;
let theirs: Certificate;
beforeAll(async () => {
  authority = await makeAuthority();
  ours = await authority.issue({ purpose: "server" });
  theirs = await authority.issue({ name: "Ada" });
});
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-web-"))));
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});
const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
async function start(config: string): Promise<string> {
  server = await serveMetrics({ directory: join(folder, "data"), webConfigFile: inFolder("web.yml", config), graceMs: 0 });
  return server.url;
}
const basic = (pair: string): Record<string, string> => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${url}api/v1/status/buildinfo`, { headers })).status;

describe("passwords", () => {
  test("no path is open without one", async () => {
    const url = await start(`basic_auth_users: {ops: "${HASH}"}`);
    const response = await fetch(`${url}api/v1/query?query=1`);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("Basic");
    expect(await status(url, basic("ops:open sesame"))).toBe(200);
    // Again, from memory.
    expect(await status(url, basic("ops:open sesame"))).toBe(200);
    for (const wrong of ["ops:open", "ops:", "nobody:open sesame", "__proto__:x", "ops"])
      expect(await status(url, basic(wrong)), wrong).toBe(401);
    expect(await status(url, { authorization: "Bearer x" })).toBe(401);
  });

  test("change with the file; a file with a mistake changes nothing", () => {
    const notices: string[] = [];
    let now = 1e6;
    const file = inFolder("web.yml", "http_server_config: {headers: {X-Frame-Options: deny}}");
    const access = new WebAccess(file, { onNotice: (message) => notices.push(message), now: () => now });
    const frame = (): unknown => [...(access.response({ status: 200 }).fields ?? [])];
    const write = async (text: string): Promise<void> => {
      writeFileSync(file, text);
      utimesSync(file, now, now);
      now += 2_000;
      await access.refusal({} as never, { connection: {} } as never);
    };
    expect(frame()).toEqual([["x-frame-options", "deny"]]);
    void write("http_server_config: {headers: {X-Frame-Options: maybe}}");
    expect(notices.join("\n")).toContain("web.yml stays as it was before");
    expect(frame()).toEqual([["x-frame-options", "deny"]]);
    void write("http_server_config: {headers: {X-Frame-Options: sameorigin}}");
    expect(frame()).toEqual([["x-frame-options", "sameorigin"]]);
  });
});

test("a rate limit", async () => {
  const url = await start("rate_limit: {interval: 1h, burst: 2}");
  expect([await status(url), await status(url), await status(url)]).toEqual([200, 200, 429]);
});

describe("TLS", () => {
  const tls = (more: string): string => {
    inFolder("s.crt", ours.cert);
    inFolder("s.key", ours.key);
    inFolder("ca.crt", authority.cert);
    return `tls_server_config:\n  cert_file: s.crt\n  key_file: s.key\n${more}`;
  };
  /** What a client gets: a status, the protocol, or the error. */
  async function get(url: string, certificate?: Certificate): Promise<string> {
    try {
      await using client = await connect(url, { graceMs: 0, tls: { ca: authority.cert, servername: "localhost", ...certificate } });
      const response = await client.request({ path: "/api/v1/status/buildinfo" });
      await response.body.bytes();
      return String(response.status);
    } catch {
      return "refused";
    }
  }

  test("with a certificate of the files", async () => {
    const url = await start(tls(""));
    expect(url).toMatch(/^https:/);
    expect(await get(url)).toBe("200");
  });

  test("clients need a certificate", async () => {
    const url = await start(tls("  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n"));
    expect(await get(url)).toBe("refused");
    expect(await get(url, theirs)).toBe("200");
  });

  test("a certificate that is given is verified", async () => {
    const url = await start(tls("  client_auth_type: VerifyClientCertIfGiven\n  client_ca_file: ca.crt\n"));
    expect(await get(url)).toBe("200");
    expect(await get(url, theirs)).toBe("200");
    expect(await get(url, await (await makeAuthority()).issue({ name: "Eve" }))).toBe("403");
  });

  test("only some names may use the server", async () => {
    const url = await start(
      tls("  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n  client_allowed_sans: [other.example]\n"),
    );
    expect(await get(url, theirs)).toBe("403");
  });

  test("a new certificate is that of the next connection; one that does not fit its key changes nothing", async () => {
    const url = await start(tls(""));
    const seen = async (): Promise<string> => {
      const { hostname, port } = new URL(url);
      const socket = tlsConnect({ host: hostname, port: Number(port), rejectUnauthorized: false });
      await once(socket, "secureConnect");
      const { fingerprint256 } = socket.getPeerX509Certificate()!;
      socket.destroy();
      return fingerprint256;
    };
    const next = await authority.issue({ purpose: "server" });
    const before = await seen();
    inFolder("s.crt", next.cert);
    utimesSync(join(folder, "s.crt"), 1, 1);
    expect(await seen()).toBe(before);
    inFolder("s.key", next.key);
    utimesSync(join(folder, "s.key"), 1, 1);
    expect(await seen()).toBe(new X509Certificate(next.cert).fingerprint256);
  });

  describe("settings that change while the server runs", () => {
    let now: number;
    let running: Server;
    const notices: string[] = [];
    beforeEach(async () => {
      now = 1e6;
      notices.length = 0;
      const access = new WebAccess(inFolder("web.yml", tls("")), { onNotice: (message) => notices.push(message), now: () => now });
      running = await serve(async (request, exchange) => (await access.refusal(request, exchange)) ?? { status: 200 }, {
        ...access.serveOptions,
        graceMs: 0,
      });
    });
    afterEach(() => running.close());
    const change = (config: string): void => {
      now += 2_000;
      utimesSync(inFolder("web.yml", config), now, now);
    };
    const REQUIRED = "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n";
    /** The version of TLS of a connection with a certificate. */
    async function version(): Promise<string | null> {
      const { hostname, port } = new URL(running.url);
      const socket = tlsConnect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...theirs });
      await once(socket, "secureConnect");
      const spoken = socket.getProtocol();
      socket.destroy();
      return spoken;
    }

    test("clients need a certificate from the next connection on, and on those that are open", async () => {
      await using open = await connect(running.url, { graceMs: 0, tls: { ca: authority.cert, servername: "localhost" } });
      const onOpen = async (): Promise<number> => {
        const response = await open.request({ path: "/" });
        await response.body.bytes();
        return response.status;
      };
      expect([await onOpen(), await get(running.url)]).toEqual([200, "200"]);
      change(tls(REQUIRED));
      expect([await onOpen(), await get(running.url), await get(running.url, theirs)]).toEqual([403, "refused", "200"]);
      change(tls(""));
      expect([await onOpen(), await get(running.url)]).toEqual([200, "200"]);
      expect(notices).toEqual([]);
    });

    test("authorities are read again when their file changes", async () => {
      change(tls(REQUIRED));
      expect(await get(running.url, theirs)).toBe("200");
      utimesSync(inFolder("ca.crt", (await makeAuthority()).cert), 1, 1);
      expect(await get(running.url, theirs)).toBe("refused");
    });

    test("versions of TLS", async () => {
      expect(await version()).toBe("TLSv1.3");
      change(tls("  max_version: TLS12\n"));
      expect(await version()).toBe("TLSv1.2");
    });

    test("settings that cannot be used change nothing; TLS stays what it was at the start", async () => {
      change(tls(REQUIRED));
      expect(await get(running.url)).toBe("refused");
      utimesSync(inFolder("s.key", theirs.key), 1, 1);
      expect(await get(running.url)).toBe("refused");
      expect(notices.join("\n")).toContain("the new settings of TLS are not used");
      change("");
      expect(await get(running.url)).toBe("refused");
      expect(notices.join("\n")).toContain("whether the server speaks TLS changes when it is started again");
    });
  });

  test("a file that is missing is named with its place", () => {
    const file = inFolder("web.yml", "tls_server_config:\n  cert_file: none.crt\n  key_file: none.key\n");
    expect(() => new WebAccess(file, { onNotice: () => {} })).toThrow(/web\.yml:2: tls_server_config\.cert_file: .*none\.crt/);
  });
});
