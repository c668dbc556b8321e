import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { seeded } from "../../../reference/core/index.ts";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import { sequence } from "./grammar.ts";
import { fuzzPeer } from "./network.ts";
import { expectedOfQuery, expectedOfWrite, expressionOf, writeOf } from "./oracle.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of cleanups.splice(0)) await work();
});
const OPTIONS = { seed: 7, seconds: 20, sequences: 120 } as const;

/** A peer that answers queries by their text, and takes every write. */
async function peerThat(
  answer: (query: string, response: ServerResponse) => void,
  page?: (path: string, response: ServerResponse) => void,
): Promise<string> {
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://a");
    const text = searchParams.get("query");
    if (page !== undefined && pathname === "/api/v1/write") response.writeHead(404).end();
    else if (page !== undefined && pathname !== "/api/v1/query") page(pathname, response);
    else if (pathname !== "/api/v1/query" && pathname !== "/api/v1/write") response.end('{"status":"success"}');
    else if (text === null) response.writeHead(204).end();
    else if (text === "1") response.end('{"status":"success"}');
    else answer(text, response);
  };
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const kindsOf = async (url: string): Promise<string[]> => (await fuzzPeer(url, OPTIONS)).findings.map(({ kind }) => kind);

test("our own server is not accused", async () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-fuzz-metrics-"));
  const server = await serveMetrics({ directory: join(directory, "data"), remoteWriteReceiver: true, storage: { walSync: "never" } });
  cleanups.push(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });
  expect(await fuzzPeer(server.url, { ...OPTIONS, sequences: 400 })).toMatchObject({ sequences: 400, findings: [] });
});

test("a peer that takes everything", async () => {
  const kinds = await kindsOf(await peerThat((_, response) => void response.end('{"status":"success"}')));
  expect(kinds).toContain("accepted");
  expect(kinds).toContain("accepted a message that cannot be read");
});

test("a peer that refuses everything", async () => {
  const kinds = await kindsOf(await peerThat((_, response) => void response.writeHead(400).end('{"status":"error"}')));
  expect(kinds).toContain("refused");
});

test("a peer that answers without JSON, or with a status that is not documented", async () => {
  expect(await kindsOf(await peerThat((_, response) => void response.end("fine")))).toContain("envelope of 200");
  expect(await kindsOf(await peerThat((_, response) => void response.writeHead(500).end('{"status":"error"}')))).toContain("status 500");
});

test("a peer that fails at a page, or shows one without JSON", async () => {
  const kindsOfPages = async (page: (path: string, response: ServerResponse) => void): Promise<string[]> =>
    kindsOf(
      await peerThat(
        (text, response) =>
          void (expectedOfQuery(text).is === "refused" ? response.writeHead(400).end('{"status":"error"}') : response.end(good)),
        page,
      ),
    );
  const good = '{"status":"success"}';
  expect(await kindsOfPages((path, response) => void response.writeHead(path.includes("/status/") ? 500 : 200).end(good))).toContain(
    "page 500",
  );
  expect(await kindsOfPages((_, response) => void response.end("no"))).toContain("page without an envelope");
  expect((await kindsOfPages((_, response) => void response.writeHead(503).end())).filter((kind) => kind.startsWith("page"))).toEqual([]);
});

test("a peer that closes the connection for some queries", async () => {
  const url = await peerThat((text, response) => void (text.includes("rate") ? response.destroy() : response.end('{"status":"success"}')));
  const { findings } = await fuzzPeer(url, OPTIONS);
  const closed = findings.find(({ kind }) => kind === "closed");
  expect(closed?.pieces.map(({ words }) => words).join("")).toContain("rate");
});

test("most generated queries and requests have one reading, and both are common", () => {
  const rng = seeded(3);
  const counts: Record<string, number> = {};
  for (let count = 0; count < 1_000; count++) {
    const pieces = sequence(rng, true);
    if (pieces[0]?.do === "page") {
      counts["page"] = (counts["page"] ?? 0) + 1;
      continue;
    }
    const sent = writeOf(pieces, "m", 1e12);
    const { is } = sent === undefined ? expectedOfQuery(expressionOf(pieces)) : expectedOfWrite(sent, pieces, 1e12);
    const key = `${sent === undefined ? "query" : "write"} ${is}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  for (const key of ["query fine", "query refused", "write fine", "write refused", "page"]) expect(counts[key], key).toBeGreaterThan(50);
});
