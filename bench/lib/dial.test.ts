import { unreachable } from "./dial.ts";
import { afterEach, expect, test } from "vitest";
import { makeAuthority } from "../../reference/io/testing.ts";
import { serve } from "../../reference/serve/index.ts";
import { batches, closedLoop, uploads } from "../http1/load.ts";
import { openLoop } from "./openloop.ts";
import { type BenchTls, foreignSubject } from "./subject.ts";

const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0)) await clean();
});

async function subjectWith(tls: (authority: { readonly ca: string; readonly cert: string; readonly key: string }) => BenchTls) {
  const authority = await makeAuthority();
  const server = await serve(async ({ body }) => (await body.bytes(), { status: 200, body: "ok" }), {
    alpn: ["http/1.1"],
    tls: { ...(await authority.issue({ purpose: "server" })), ca: authority.cert },
    onError: () => {},
    graceMs: 0,
  });
  left.push(() => server.close());
  return foreignSubject(server.url, { tls: tls({ ca: authority.cert, ...(await authority.issue()) }) });
}

test("a port where nothing listens, and one that speaks no TLS, are reported before any load", async () => {
  expect(await unreachable({ origin: "http://127.0.0.1:9" })).toBe(
    "Nothing listens on 127.0.0.1:9: start the server, or check the address.",
  );
  const server = await serve(() => ({ status: 200 }), { graceMs: 0 });
  left.push(() => server.close());
  expect(await unreachable({ origin: new URL(server.url).origin })).toBeUndefined();
  expect(await unreachable({ origin: new URL(server.url.replace("http:", "https:")).origin })).toContain("The TLS handshake with");
});

test("every load of HTTP/1.1 reaches a server that requires a client certificate", async () => {
  const subject = await subjectWith((all) => all);
  expect((await batches(subject, { connections: 1, depth: 2, requests: 4 }))["requestsPerSecond"]).toBeGreaterThan(0);
  expect((await uploads(subject, 2, "/", Buffer.alloc(100)))["requestsPerSecond"]).toBeGreaterThan(0);
  expect(await openLoop(subject, { rate: 50, seconds: 0.1, connections: 1, path: "/" })).toMatchObject({ answered: 5, lost: 0 });
  expect((await closedLoop(subject, { connections: 1, seconds: 1 }))["requestsPerSecond"]).toBeGreaterThan(0);
});

test("without a certificate, or with another authority, it is not measured", async () => {
  const load = { connections: 1, depth: 1, requests: 1 };
  await expect(batches(await subjectWith(({ ca }) => ({ ca })), load)).rejects.toThrow(/expected a 200|closed|ECONNRESET/);
  const { cert } = await makeAuthority();
  await expect(batches(await subjectWith((all) => ({ ...all, ca: cert })), load)).rejects.toThrow(/certificate|self.signed|issuer/i);
});
