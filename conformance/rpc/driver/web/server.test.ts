import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requirementFiles } from "../../../harness/coverage.ts";
import { lint } from "../../../harness/lint.ts";
import { notPassing } from "../../../harness/impostors/again.ts";
import { runCases } from "../../../harness/run.ts";
import { select } from "../../../harness/select.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { webCases } from "../../cases/web/load.ts";
import { startWebServer } from "../../embedded/web-server.ts";
import { startWebImpostor } from "../../impostors/web/server.ts";
import { suite } from "../../suite.ts";
import { WebServerDriver } from "./server.ts";

let own: Awaited<ReturnType<typeof startWebServer>>;
beforeAll(async () => {
  own = await startWebServer();
});
afterAll(() => own.stop());

const check = (url: string, dialect: WebDialect, ids: readonly string[] = []) => {
  const driver = new WebServerDriver({ url, timeout: 10_000, dialect });
  const cases = select(webCases(dialect), { only: ids });
  return runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "s", target: url }, concurrency: 8 });
};

describe.each([
  ["connect", 530],
  ["grpc-web", 270],
] as const)("servers of %s", (dialect, count) => {
  test("our own server passes every case over both versions of HTTP", async () => {
    expect(await notPassing(async (only) => (await check(own.subject.url, dialect, only)).cases)).toEqual([]);
    expect(webCases(dialect).length).toBeGreaterThan(count);
  });

  test("the cases are well-formed", async () => {
    const { features, monitors, refusals } = await suite.roles.server!.words();
    expect(lint(webCases(dialect), { requirements: requirementFiles(), features: { server: features }, monitors, refusals })).toEqual([]);
    expect(await suite.roles.server!.cases({ dialect })).toEqual(webCases(dialect));
  });

  test("a server without the service is unreachable, and the reason says what to do", async () => {
    await using impostor = await startWebImpostor("unimplemented");
    await expect(check(impostor.url, dialect)).rejects.toThrow(
      /does it implement vectors\/rpc\/conformance\.proto, and is --dialect right/,
    );
  });
});

test("an error with another content type: the verdict says what was seen", async () => {
  await using impostor = await startWebImpostor("errors in text");
  const { cases } = await check(impostor.url, "connect", ["rpc/server-connect-unary-error-type-json-http2"]);
  expect(cases[0]?.verdict).toBe("fail");
  expect(cases[0]?.reason).toContain("Of call 1, the content type of its error is text/plain.");
  expect(cases[0]?.observed).toMatch(/HTTP status 403, status PERMISSION_DENIED "no"/);
});

test("an unknown dialect is refused with the names of the known ones", async () => {
  await expect(suite.roles.server!.cases({ dialect: "soap" })).rejects.toThrow("--dialect is rpc, grpc, grpc-web or connect");
  await expect(suite.roles.codec!.cases({ dialect: "connect" })).rejects.toThrow("--dialect is rpc or grpc, not");
});
