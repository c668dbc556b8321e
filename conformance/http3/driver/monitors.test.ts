import { expect, test } from "vitest";
import { getOn, handshake, post, data, request, whole } from "../cases/phrases.ts";
import { startServer } from "../impostors/server.ts";
import { monitor, monitorNames } from "./monitors.ts";
import { requestRound } from "./fence.ts";
import { Http3Stage } from "./stage.ts";
import { perform } from "./steps.ts";

/** Which impostor breaks which property. */
const BREAKS: Readonly<Record<string, string>> = {
  "one-control-stream": "two-control-streams",
  "settings-first": "settings-second",
  "settings-once": "settings-twice",
  "settings-differ": "a-setting-twice",
  "no-settings-of-http2": "a-setting-of-http2",
  "settings-grease": "lenient",
  "switches-are-0-or-1": "a-switch-of-two",
  "no-frames-of-http2": "a-frame-of-http2",
  "frames-in-place": "settings-on-requests",
  "frames-complete": "frame-cut",
  "messages-in-order": "data-last",
  "no-bidirectional-streams": "a-bidirectional-stream",
  "no-push": "a-promise",
  "critical-streams-last": "ends-control",
  "one-encoder-stream": "two-encoder-streams",
  "one-decoder-stream": "two-decoder-streams",
  "sections-decode": "bad-section",
  "insertions-decode": "inserts-nonsense",
  "no-instructions-without-table": "inserts-without-table",
  "names-in-lower-case": "names-in-upper-case",
  "no-connection-fields": "connection-field",
  "fields-valid": "bad-value",
  "status-alone-and-first": "late-status",
  "no-101": "status-101",
  "content-length-agrees": "wrong-content-length",
  "one-final-response": "two-responses",
  "responses-end": "no-end",
};

/** What the monitors that are broken say of an impostor that answers GET, POST and HEAD. */
async function broken(name: string): Promise<Map<string, string>> {
  await using impostor = await startServer(name);
  const { port } = new URL(impostor.url);
  const target = {
    scheme: "https",
    host: "127.0.0.1",
    port: Number(port),
    authority: `127.0.0.1:${port}`,
    path: "/",
    verify: false,
    fields: [],
  } as const;
  const stage = await new Http3Stage("server", target, { timeout: 500 }).dial();
  try {
    const head = { type: "HEADERS", fields: request("HEAD") } as const;
    await perform([handshake, getOn("request"), whole("request 2", post(), data()), whole("request 3", head)], stage);
    await requestRound(stage);
    return new Map(
      monitorNames
        .flatMap((one) => [[one, monitor(one, stage.watched)] as const])
        .filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
  } finally {
    await stage.drop();
  }
}

test("every monitor is broken by an impostor, in this table", () => {
  expect(Object.keys(BREAKS)).toEqual(monitorNames);
});

test.each(Object.entries(BREAKS))("%s: broken by the impostor %s", async (name, impostor) => {
  expect([...(await broken(impostor)).keys()]).toContain(name);
});

test("the lenient impostor breaks none but that about reserved settings", async () => {
  expect([...(await broken("lenient")).keys()]).toEqual(["settings-grease"]);
});

test("an unknown monitor is refused", () => {
  expect(() => monitor("nothing", { seen: [], role: "server", allowsPush: false })).toThrow(/no monitor "nothing"/);
});
