import { afterAll, beforeAll, expect, test } from "vitest";
import type { RpcServeOptions } from "../../../reference/serve/rpc/index.ts";
import { WrongUse } from "../../harness/driver.ts";
import { runCases } from "../../harness/run.ts";
import { select } from "../../harness/select.ts";
import { serverCases } from "../cases/server/load.ts";
import { startServer } from "../embedded/server.ts";
import { isOverAnyVersion, overIn } from "../over.ts";
import { suite } from "../suite.ts";
import { RpcServerDriver } from "./server.ts";

/** The suite over HTTP/3. Our servers speak nothing else here. */

const start = (more: RpcServeOptions = {}) => startServer({ tls: true, alpn: ["h3"], ...more });
let own: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  own = await start();
});
afterAll(() => own.stop());

async function* withoutFirst(messages: AsyncIterable<unknown>) {
  let isFirst = true;
  for await (const one of messages) {
    if (!isFirst) yield one;
    isFirst = false;
  }
}

const check = (url: string, dialect: "rpc" | "grpc", ids: readonly string[] = []) => {
  const driver = new RpcServerDriver({ url, timeout: 10_000, dialect, over: "http3" });
  const cases = select(serverCases(dialect).filter(isOverAnyVersion), { only: ids });
  return runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "s", target: url }, concurrency: 32 });
};

test("our own server passes every case that is not about HTTP/2", async () => {
  const { cases } = await check(own.subject.url, "grpc");
  const others = cases.filter(({ verdict }) => verdict !== "pass" && verdict !== "skip");
  expect(others.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([]);
  expect(cases.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(400);
}, 1_200_000);

test("a server that loses a message fails", async () => {
  const lossy: NonNullable<RpcServeOptions["interceptors"]>[number] = (request, call, next) => {
    const answer = next(request);
    return call.method.responseStream ? withoutFirst(answer as AsyncIterable<unknown>) : answer;
  };
  const bad = await start({ interceptors: [lossy] });
  try {
    const { cases } = await check(bad.subject.url, "grpc", ["rpc/server-server-stream-one"]);
    expect(cases.map(({ verdict }) => verdict)).toEqual(["fail"]);
  } finally {
    await bad.stop();
  }
});

test("cases about frames of HTTP/2, its windows and its settings are left out, and so are floods", () => {
  const all = serverCases("grpc");
  const left = all.filter((one) => !isOverAnyVersion(one));
  expect(left.length).toBeGreaterThan(5);
  expect(left.length).toBeLessThan(all.length / 5);
  expect(all.filter(({ group }) => group === "abuse").every((one) => left.includes(one))).toBe(true);
});

test("clear text, another version and other subjects are refused, each with its reason", async () => {
  const driver = (): RpcServerDriver => new RpcServerDriver({ url: "http://127.0.0.1:1/", timeout: 1, dialect: "rpc", over: "http3" });
  expect(driver).toThrow(/--over http3 needs an https: address/);
  expect(() => overIn({ over: "http1" })).toThrow(WrongUse);
  for (const role of ["client", "proxy", "codec"] as const)
    await expect(suite.roles[role]!.cases({ over: "http3" })).rejects.toThrow(/--over http3 is for servers/);
  await expect(suite.roles.server!.cases({ over: "http3", dialect: "connect" })).rejects.toThrow(
    /for servers in the dialects rpc and grpc/,
  );
});
