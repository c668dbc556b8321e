import { describe, expect, test } from "vitest";
import { peer, serve } from "../../reference/serve/index.ts";
import { fates } from "../harness/impostors/catch.ts";
import { loadCases } from "./cases/load.ts";
import { ServerDriver } from "./driver/index.ts";

/** A server with a fault by name, and a case that it fails. */
const CAUGHT: readonly (readonly [fault: string, id: string])[] = [
  ["drop:octets=5", "options-of-path"],
  ["half-head", "response-status-line"],
  ["hang-up", "response-status-line"],
  ["hang-up:when=after", "connection-persists"],
  ["silence", "response-status-line"],
  ["unfinished", "head-without-content"],
  ["delay:ms=4000", "response-status-line"],
  ["slow:ms=500", "response-status-line"],
  ["false-length:how=long", "head-without-content"],
  ["false-length:how=short", "response-nothing-between"],
  ["two-lengths", "response-framing"],
  ["bad-chunk:how=size", "response-chunks"],
  ["bad-chunk:how=sign", "head-without-content"],
  ["bad-chunk:how=bare-lf", "response-line-ends"],
  ["smuggle:how=cl-te", "response-framing"],
  ["smuggle:how=te-cl", "response-framing"],
  ["extra", "response-nothing-between"],
  ["bad-field:how=no-colon", "response-fields"],
  ["bad-field:how=space", "response-fields"],
  ["bad-field:how=nul", "response-fields"],
  ["bad-field:how=bare-lf", "response-line-ends"],
  ["bad-field:how=fold", "response-fields"],
  ["endless-head", "response-status-line"],
  ["garbage", "response-status-line"],
  ["bad-status:how=version", "response-status-line"],
  ["bad-status:how=code", "response-status-line"],
  ["interim", "early-hints-not-to-older-version"],
  ["interim:status=101,count=1", "response-status-line"],
  ["http2", "response-status-line"],
];
/** How long a case waits: on a busy machine a control needs that, too. */
const SILENCE_MS = 1_000;

describe.concurrent("a server that misbehaves by name fails a case, which one without the fault passes", () => {
  test.each([...CAUGHT, ...[...new Set(CAUGHT.map(([, id]) => id))].map((id) => ["", id] as const)])("%s: %s", async (fault, id) => {
    const cases = (await loadCases()).filter((one) => one.id === `http1/${id}`);
    expect(cases).toHaveLength(1);
    await using server = await serve(peer, {
      alpn: ["http/1.1"],
      graceMs: 0,
      onError: () => {},
      faults: fault === "" ? [] : [fault],
    });
    const driver = new ServerDriver({ url: server.url, timeout: SILENCE_MS, longestWait: SILENCE_MS });
    const found = await fates(driver, cases, 1);
    await driver.close();
    expect([...found.values()]).toEqual([fault === "" ? "passes" : "fails"]);
  });
});
