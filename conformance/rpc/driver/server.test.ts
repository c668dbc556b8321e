import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCases } from "../../harness/run.ts";
import { select } from "../../harness/select.ts";
import { serverCases } from "../cases/server/load.ts";
import { startServer } from "../embedded/server.ts";
import { startImpostor } from "../impostors/server.ts";
import { RpcServerDriver } from "./server.ts";

let own: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  own = await startServer();
});
afterAll(() => own.stop());

const check = (url: string, dialect: "rpc" | "grpc", ids: readonly string[] = []) => {
  const driver = new RpcServerDriver({ url, timeout: 10_000, dialect });
  const cases = select(serverCases(dialect), { only: ids });
  return runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "s", target: url }, concurrency: 8 });
};

describe("servers of calls", () => {
  test("our own server passes in the dialect grpc, too: the suite runs it as rpc", async () => {
    const { cases } = await check(own.subject.url, "grpc");
    const rest = cases.filter(({ verdict }) => verdict !== "pass");
    // They need TLS: `embedded/server.ts` has servers for them.
    const [skipped, wrong] = [rest.filter(({ id }) => id.includes("-tls-")), rest.filter(({ id }) => !id.includes("-tls-"))];
    expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(skipped.map(({ verdict }) => verdict)).toEqual(["skip", "skip", "skip", "skip"]);
    expect(cases.length).toBeGreaterThan(370);
  });

  test("a stream that ends inside a message: seen to be accepted, with what came of the call", async () => {
    await using impostor = await startImpostor("lenient");
    const { cases } = await check(impostor.url, "rpc", ["rpc/server-end-inside-message-at-3"]);
    expect(cases[0]).toMatchObject({ verdict: "warn", level: "SHOULD" });
    expect(cases[0]?.observed).toMatch(/call 1: HTTP status 200, 1 messages .*status OK .*ended by HEADERS/);
    expect(cases[0]?.transcript?.some(({ means }) => means.startsWith("HEADERS stream 3"))).toBe(true);
  });

  test("a server without the service is unreachable, and the reason says what to do", async () => {
    await using impostor = await startImpostor("unimplemented");
    await expect(check(impostor.url, "rpc")).rejects.toThrow(
      /status 12.*does it implement vectors\/rpc\/conformance\.proto, and is --dialect right/,
    );
  });
});
