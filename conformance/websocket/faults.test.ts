import { describe, expect, test } from "vitest";
import { serveWebSocket } from "../../reference/serve/websocket/index.ts";
import { fates } from "../harness/impostors/catch.ts";
import { loadCases } from "./cases/load.ts";
import { ServerDriver } from "./driver/index.ts";

/** A server with a fault by name, and a case that it fails. A second Pong and a flood break no rule (rfc6455#5.5.3). */
const CAUGHT: readonly (readonly [fault: string, id: string])[] = [
  ["drop", "server-frames-legal"],
  ["half-frame", "server-frames-legal"],
  ["silence", "server-frames-legal"],
  ["no-close:how=nothing", "unmasked-text"],
  ["no-close:how=end", "server-masks-no-close"],
  ["bad-close", "unmasked-close"],
  ["after-close", "unmasked-close"],
  ["delay:ms=4000", "server-frames-legal"],
  ["slow:ms=500", "server-frames-legal"],
  ["bad-mask", "server-masks-nothing"],
  ["bad-utf8", "length-1-text"],
  ["oversize", "server-frames-legal"],
  ["oversize:how=bit", "server-frames-legal"],
  ["reserved-bit", "server-frames-legal"],
  ["bad-opcode", "server-frames-legal"],
  ["bad-control:how=fragmented", "server-frames-legal"],
  ["bad-control:how=long", "server-frames-legal"],
  ["bad-fragment", "server-frames-legal"],
  ["long-length", "server-frames-legal"],
  ["ping-ack:how=never", "server-frames-legal"],
  ["ping-ack:how=wrong", "server-frames-legal"],
  ["garbage", "server-frames-legal"],
  ["http", "server-frames-legal"],
];
/** How long a case waits: on a busy machine a control needs that, too. */
const SILENCE_MS = 1_000;

describe.concurrent("a server that misbehaves by name fails a case, which one without the fault passes", () => {
  test.each([...CAUGHT, ...[...new Set(CAUGHT.map(([, id]) => id))].map((id) => ["", id] as const)])("%s: %s", async (fault, id) => {
    const cases = (await loadCases()).filter((one) => one.id === `websocket/${id}`);
    expect(cases).toHaveLength(1);
    await using server = await serveWebSocket(
      (socket) => {
        socket.onMessage = (data, kind) => void socket.send(data, kind);
      },
      { text: "octets", graceMs: 0, onError: () => {}, faults: fault === "" ? [] : [fault] },
    );
    const driver = new ServerDriver({ url: server.url, timeout: SILENCE_MS, longestWait: SILENCE_MS });
    const found = await fates(driver, cases, 1);
    await driver.close();
    expect([...found.values()]).toEqual([fault === "" ? "passes" : "fails"]);
  });
});
