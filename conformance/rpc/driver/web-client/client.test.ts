import { describe, expect, test } from "vitest";
import { requirementFiles } from "../../../harness/coverage.ts";
import { notPassing } from "../../../harness/impostors/again.ts";
import { lint } from "../../../harness/lint.ts";
import { runCases } from "../../../harness/run.ts";
import { select } from "../../../harness/select.ts";
import type { InProcessClient } from "../../../harness/subject/subject.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { webClientCases } from "../../cases/web-client/load.ts";
import { client } from "../../embedded/client.ts";
import { suite } from "../../suite.ts";
import { WebClientDriver } from "./client.ts";

const check = async (subject: InProcessClient, dialect: WebDialect, ids: readonly string[] = []) => {
  const driver = new WebClientDriver({ client: subject, timeout: 5_000, dialect });
  try {
    const cases = select(webClientCases(dialect), { only: ids });
    return await runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "s", target: "t" }, concurrency: 8 });
  } finally {
    await driver.close();
  }
};

describe.each([
  ["connect", 230],
  ["grpc-web", 105],
] as const)("clients of %s", (dialect, count) => {
  test("our own client passes every case", async () => {
    expect(await notPassing(async (only) => (await check(client, dialect, only)).cases)).toEqual([]);
    expect(webClientCases(dialect).length).toBeGreaterThan(count);
  });

  test("the cases are well-formed", async () => {
    const { features, monitors, refusals } = await suite.roles.client!.words();
    expect(lint(webClientCases(dialect), { requirements: requirementFiles(), features: { client: features }, monitors, refusals })).toEqual(
      [],
    );
    expect(await suite.roles.client!.cases({ dialect })).toEqual(webClientCases(dialect));
  });
});

test("a client that never reports is unreachable, and the reason says what to read", async () => {
  const mute: InProcessClient = async (_url, _signal, { description }) =>
    description?.["features"] === true ? { features: [] } : { calls: [] };
  await expect(check(mute, "connect")).rejects.toThrow(/did not make a good call in the dialect connect: .*README\.md/);
});
