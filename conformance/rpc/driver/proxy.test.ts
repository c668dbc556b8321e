import { afterEach, describe, expect, test } from "vitest";
import { runCases } from "../../harness/run.ts";
import { select } from "../../harness/select.ts";
import { proxyCases } from "../cases/proxy/load.ts";
import { startProxy } from "../embedded/proxy.ts";
import { startWrongProxy } from "../impostors/proxy.ts";
import { RpcProxyDriver, type RpcProxyOptions } from "./proxy.ts";

/** A wrong proxy is awaited in vain. */
const BRIEF_MS = 500;
const left: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});

const check = (ids: readonly string[], options: Partial<RpcProxyOptions> = {}) => {
  const driver = new RpcProxyDriver({ proxy: startProxy, timeout: 10_000, dialect: "grpc", ...options });
  left.push(() => driver.close());
  const cases = select(proxyCases(), { only: ids.map((id) => `rpc/proxy-${id}`) });
  return runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "p", target: "p" }, concurrency: 1 });
};
const verdicts = async (...how: Parameters<typeof check>): Promise<string[]> => (await check(...how)).cases.map(({ verdict }) => verdict);

describe("proxies of calls", () => {
  test("our own passes in the dialect grpc, too: the suite runs it as rpc", async () => {
    const { cases } = await check(["*trailers*", "*status*", "*metadata*", "timeout-passed"]);
    expect(cases.filter(({ verdict }) => verdict !== "pass").map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(cases.length).toBeGreaterThan(18);
  });

  test("what breaks HTTP fails, what calls need beside it is a warning, and both ends are described", async () => {
    const { cases } = await check(["method-and-path-kept", "trailers-only-kept"], {
      proxy: (origin) => startWrongProxy("rewrites paths", origin),
      timeout: BRIEF_MS,
    });
    expect(cases.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(cases[0]?.observed).toMatch(
      /^call 1: HTTP status 200, 1 messages, status OK "", ended by HEADERS; at the origin request 1: 1 messages, ended$/,
    );
    expect(
      await verdicts(["trailers-only-kept"], { proxy: (origin) => startWrongProxy("splits ends", origin), timeout: BRIEF_MS }),
    ).toEqual(["warn"]);
  });

  test("after the origin was gone, the next case meets it again", async () => {
    expect(await verdicts(["origin-not-listening", "trailers-passed"])).toEqual(["pass", "pass"]);
  });

  test("a running proxy needs the address of the origin", async () => {
    await expect(check(["trailers-passed"], { proxy: "http://127.0.0.1:1/" })).rejects.toThrow(/give that address with --origin HOST:PORT/);
  });

  test("a proxy that passes no call is unreachable, and the reason says what it must do", async () => {
    const silent: Partial<RpcProxyOptions> = { proxy: (origin) => startWrongProxy("silent", origin), timeout: 100 };
    await expect(check(["trailers-passed"], silent)).rejects.toThrow(
      /does not pass .* It must forward everything to the address where the harness listens/,
    );
  });
});
