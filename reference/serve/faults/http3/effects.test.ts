import { afterEach, describe, expect, test } from "vitest";
import { Misuse } from "../../../core/index.ts";
import type { Client } from "../../client/connect.ts";
import { StreamFailed } from "../../errors.ts";
import type { Handler } from "../../handler.ts";
import { connect, serve } from "../../http3/index.ts";
import type { ServeOptions, Server } from "../../server/options.ts";
import { CLIENT_FAULTS, SERVER_FAULTS } from "./index.ts";

/** What the other side sees of each fault: the rule that was broken, or what came instead. */

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});
const HELLO = "hello, world\n";
const hello: Handler = () => ({ status: 200, fields: [["content-length", String(HELLO.length)]], body: HELLO });
async function start(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(handler, { graceMs: 0, onError: () => {}, ...options });
  opened.push(server);
  return server;
}
async function dial({ url, certificate = "" }: Server, faults: readonly string[] = []): Promise<Client> {
  const client = await connect(url, { graceMs: 0, faults, tls: { ca: certificate } });
  opened.push(client);
  return client;
}

const describeFailure = (error: unknown): string => {
  if (!(error instanceof StreamFailed)) throw error;
  return error.fault?.name ?? error.reason;
};
/** The content of a response, or why there is none. */
async function got(client: Client, spec?: string): Promise<string> {
  try {
    const { status, body } = await client.request({ fields: spec === undefined ? [] : [["touchstone-fault", spec]] });
    const text = await body.text();
    return status === 200 ? text : `${status} ${text}`;
  } catch (error) {
    return describeFailure(error);
  }
}

/** Faults of a server: what a client says of the message, and whether the next one on the connection comes. */
const OF_SERVER: readonly (readonly [spec: string, seen: string, isFollowed: boolean])[] = [
  ["reset:H3_INTERNAL_ERROR", "reset", true],
  ["reset-midway", "reset", true],
  ["goaway", HELLO, false],
  ["goaway:last=before", "refused", false],
  ["drop:after=1", "closed", false],
  ["drop:after=1,how=reset", "closed", false],
  ["half-frame", "frameTruncated", false],
  ["delay:ms=30", HELLO, true],
  ["upper-case-field", "fieldNameInvalid", true],
  ["connection-field", "fieldConnectionSpecific", true],
  ["late-pseudo-field", "pseudoFieldLate", true],
  ["unknown-pseudo-field", "pseudoFieldUnknown", true],
  ["no-status", "statusMissing", true],
  ["two-statuses", "pseudoFieldTwice", true],
  ["false-length", "contentLengthWrong", true],
  ["data-before-headers", "dataBeforeHeaders", false],
  ["settings-on-stream", "settingsOnRequestStream", false],
  ["push-unasked", "pushPromiseUnallowed", false],
  ["open-bidirectional", "bidirectionalByServer", false],
  ["bad-block", "sectionUndecodable", false],
  ["bad-block:cut", "sectionUndecodable", false],
  ["bad-block:table", "sectionUndecodable", false],
  ["settings-twice", "settingsTwice", false],
  ["flood", "floodOfUnknownFrames", false],
  ["flood:empty-data", "floodOfEmptyFrames", false],
  ["garbage", "frameTruncated", false],
];

describe("faults of a server", () => {
  test.each(OF_SERVER)("%s: %s", async (spec, seen, isFollowed) => {
    const server = await start(hello, { faults: [spec] });
    const client = await dial(server);
    expect(await got(client)).toBe(seen);
    expect((await got(client)) === HELLO).toBe(isFollowed);
  });
  test.each([
    ["close-control", "controlStreamClosed"],
    ["headers-in-content", "frameAfterTrailers"],
  ])("%s: the connection ends because of %s", async (spec, rule) => {
    const client = await dial(await start(hello, { faults: [spec] }));
    // The message may be complete before its end is seen.
    await got(client);
    await client.closed;
    expect(await got(client)).toBe(rule);
  });
  test("slow: everything comes, a little at a time", async () => {
    const client = await dial(await start(hello, { faults: ["slow:octets=3,ms=1"] }));
    expect([await got(client), await got(client)]).toEqual([HELLO, HELLO]);
  });
  test("silence: the request is given up by the client's own limit", async () => {
    const client = await dial(await start(hello, { faults: ["silence:after=2"] }));
    expect(await got(client)).toBe(HELLO);
    await expect(client.request({ timeoutMs: 100 })).rejects.toThrow(StreamFailed);
  });
  test.each([
    ["bad-setting:reserved", "settingReserved"],
    ["bad-setting:twice", "settingRepeated"],
    ["bad-setting:connect-protocol", "connectSettingNot0Or1"],
    ["bad-setting:length", "frameTruncated"],
  ])("%s: no connection, because of %s", async (spec, rule) => {
    const server = await start(hello, { faults: [spec] });
    await expect(dial(server)).rejects.toThrow(rule);
  });
  test("by request: only the one that asks; the rest of the connection is sound", async () => {
    const client = await dial(await start(hello, { faultByRequest: true }));
    expect(await got(client)).toBe(HELLO);
    expect(await got(client, "reset")).toBe("reset");
    expect(await got(client, "no-status")).toBe("statusMissing");
    expect(await got(client, "nonsense")).toMatch(/^400 HTTP\/3 has no fault "nonsense"/);
    expect(await got(client, "slow")).toMatch(/^400 slow affects a whole connection/);
    expect(await got(client)).toBe(HELLO);
  });
  test("on the second message, and on that alone", async () => {
    const client = await dial(await start(hello, { faults: ["reset:after=2"] }));
    expect([await got(client), await got(client), await got(client)]).toEqual([HELLO, "reset", HELLO]);
  });
  test("every fault of servers has been seen", () => {
    const seen = new Set([
      ...OF_SERVER.map(([spec]) => spec.split(":")[0]),
      "close-control",
      "headers-in-content",
      "slow",
      "silence",
      "bad-setting",
    ]);
    expect(SERVER_FAULTS.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });
});

/** Faults of a client: what the response says, or what becomes of the request. */
const OF_CLIENT: readonly (readonly [spec: string, seen: string])[] = [
  ["reset", "reset"],
  ["half-frame", "closed"],
  ["close-control", "closed"],
  ["delay:ms=30", HELLO],
  ["upper-case-field", "reset"],
  ["no-path", "reset"],
  ["two-paths", "reset"],
  ["late-pseudo-field", "reset"],
  ["data-before-headers", "closed"],
  ["settings-twice", "closed"],
  ["bad-block", "closed"],
  ["goaway", HELLO],
];
describe("faults of a client", () => {
  test.each(OF_CLIENT)("%s: %s", async (spec, seen) => {
    const server = await start(hello);
    const client = await dial(server, [spec]);
    const outcome = await got(client);
    expect(outcome === HELLO ? outcome : outcome === "closed" ? outcome : "reset").toBe(seen);
    // The server serves others.
    expect(await got(await dial(server))).toBe(HELLO);
  });
  test("they are checked before anything is sent", async () => {
    const server = await start(hello);
    await expect(dial(server, ["bad-chunk"])).rejects.toThrow(Misuse);
    expect(CLIENT_FAULTS.map(({ name }) => name)).toContain("no-path");
  });
});
