import { expect, test } from "vitest";
import { serve } from "../../../reference/serve/http3/index.ts";
import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "./server.ts";

test("a server that has ended is an error of the run, not a mistake of its next case", async () => {
  const server = await serve(() => ({ status: 200 }), { graceMs: 50 });
  const driver = new ServerDriver({ url: server.url, timeout: 400 });
  const c: Case = {
    id: "quic/of-this-test",
    spec: "rfc9000#4.6",
    covers: ["rfc9000#4.6/sender-keeps"],
    level: "MUST",
    role: "server",
    title: "A case.",
    steps: [{ do: "connect" }],
    control: [{ do: "connect" }],
    allowed: [{ see: { see: "accepted" } }],
  };
  expect(await driver.play(c)).toMatchObject({ is: "allowed" });
  await server.close();
  expect(await driver.play(c)).toMatchObject({ is: "error", reason: expect.stringContaining("answers no connection any more") });
});
