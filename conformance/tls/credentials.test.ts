import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { SUITES } from "../suites.ts";
import { readAuthority, Wallet, writeAuthority } from "./certificates.ts";
import { startServer } from "./embedded/server.ts";

let url: string;
let stop: (() => Promise<void>) | undefined;
let credentials: { cert: string; key: string };
let ca: string;
beforeAll(async () => {
  const clients = new Wallet("client");
  const started = await startServer(clients);
  ({ url } = started.subject);
  stop = started.stop?.bind(started);
  credentials = { ...(await clients.get("good")) };
  ca = (await clients.authority).cert;
});
afterAll(() => stop?.());

describe("a server that requires client certificates", () => {
  const ask = (suite: string, only: string, more: object) =>
    check(SUITES, { suite, subject: url, only: [only], timeout: 1000, ...more }).then(({ cases }) => cases.map(({ verdict }) => verdict));

  test.each([
    ["http1", "http1/host-missing"],
    ["http2", "http2/ping-*"],
    ["websocket", "websocket/ping-*"],
  ])("%s: is checked with cert and key, and cannot be without", async (suite, only) => {
    expect(await ask(suite, only, { ...credentials, ca })).toContain("pass");
    const refused = await ask(suite, only, {}).catch((error: unknown) => [String(error)]);
    expect(refused).not.toContain("pass");
  });

  test("a certificate goes with its key, and `ca` implies verify", async () => {
    await expect(ask("http1", "http1/host-missing", { cert: credentials.cert })).rejects.toThrow("goes with its key");
    const other = (await new Wallet("client").authority).cert;
    await expect(ask("http1", "http1/host-missing", { ...credentials, ca: other })).rejects.toThrow("is not trusted");
  });
});

test("--certificates writes what --authority reads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "touchstone-pki-"));
  try {
    await writeAuthority(folder);
    const wallet = new Wallet("client", Promise.resolve(readAuthority(folder)));
    expect((await wallet.get("expired")).cert).toContain("BEGIN CERTIFICATE");
    expect(() => readAuthority(join(folder, "none"))).toThrow("needs ca.pem and ca-key.pem");
  } finally {
    await rm(folder, { recursive: true });
  }
});
