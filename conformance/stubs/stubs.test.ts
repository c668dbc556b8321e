import { describe, expect, test } from "vitest";
import { run } from "../index.ts";
import { startStub, STUBS } from "./stubs.ts";
import { Unreachable } from "../harness/driver.ts";

/** The share of the cases that a subject may pass which understands nothing. */
const MOST = 0.02;
/** A stub answers at once, or never. */
const timeout = 200;

const SUITES = ["http1", "http2", "websocket", "rpc"] as const;

describe("a server that understands nothing earns nothing", () => {
  for (const suite of SUITES) {
    test.each(STUBS[suite].map((stub) => [stub.name, stub] as const))(`${suite}: %s`, async (_, stub) => {
      await using running = await startStub(suite, stub);
      const result = await run({ suite, subject: running.url, timeout }).catch((error: unknown) => {
        if (error instanceof Unreachable) return undefined;
        throw error;
      });
      if (result === undefined) return;
      const passed = result.cases.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
      expect(passed.length, passed.join(" ")).toBeLessThanOrEqual(result.cases.length * MOST);
    });
  }

  test.each(["http1", "http2"] as const)("%s: an answer of 400 to everything is no good answer, unless it is expected", async (suite) => {
    const stub = STUBS[suite].find(({ name }) => name === "always 400");
    if (stub === undefined) throw new Error("there is such a stub");
    await using running = await startStub(suite, stub);
    const check = (expectStatus?: number) =>
      run({ suite, subject: running.url, timeout, only: ["9.1"], ...(expectStatus === undefined ? {} : { expectStatus }) });
    await expect(check()).rejects.toThrow(/^GET \/ on 127\.0\.0\.1:\d+ is answered with 400: .* --expect-status 400 /);
    await expect(check(404)).rejects.toThrow("not with 404 as --expect-status says");
    expect((await check(400)).cases.length).toBeGreaterThan(0);
  });

  test("http1: nor does 400 to everything prove a refusal where it is the good answer", async () => {
    const stub = STUBS["http1"].find(({ name }) => name === "always 400");
    if (stub === undefined) throw new Error("there is such a stub");
    await using running = await startStub("http1", stub);
    const { cases } = await run({ suite: "http1", subject: running.url, timeout, only: ["rfc9112"], expectStatus: 400 });
    const passed = cases.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
    expect(passed.length, passed.join(" ")).toBeLessThanOrEqual(cases.length * MOST);
  });
});
