import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Server } from "../../../reference/serve/index.ts";
import { CASES } from "./cases.ts";
import { INSTALL, mustAgree, ourClient, ourServer, programs, theirClient, theirServer } from "./run.ts";

const folder = await programs();
if (folder === undefined) console.warn(`the interoperability programs of grpc-go are absent, and their tests are left out: ${INSTALL}`);

test("our client has every case", () => {
  expect(mustAgree).not.toThrow();
});

describe.runIf(folder !== undefined)("the interoperability tests of grpc-go", () => {
  let ours: Server;
  let theirs: Awaited<ReturnType<typeof theirServer>>;
  beforeAll(async () => {
    [ours, theirs] = await Promise.all([ourServer(), theirServer(folder!)]);
  });
  afterAll(async () => {
    await ours.close();
    await theirs[Symbol.asyncDispose]();
  });

  test.each(CASES)("$name: their client passes at our server", { timeout: 60_000 }, async (one) => {
    await expect(theirClient(folder!, ours.port, one)).resolves.toBeUndefined();
  });
  test.each(CASES.filter(({ notTheirServer }) => notTheirServer === undefined))(
    "$name: our client passes at their server",
    { timeout: 60_000 },
    async (one) => {
      await expect(ourClient(theirs.port, one)).resolves.toBeUndefined();
    },
  );
  test(
    "a case that their server cannot pass fails, and so does theirs at a server without the service of reports",
    { timeout: 60_000 },
    async () => {
      await expect(ourClient(theirs.port, { name: "pick_first_unary" })).rejects.toThrow("server has not said its ID");
      await expect(theirClient(folder!, theirs.port, { name: "pick_first_unary" })).rejects.toThrow("empty server ID");
    },
  );
});
