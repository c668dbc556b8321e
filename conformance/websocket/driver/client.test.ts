import { afterAll, describe, expect, test } from "vitest";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { runWebSocketClient } from "../impostors/client.ts";
import { failsHandshake } from "../cases/client/phrases.ts";
import { close, comesBack, comesBackWith, failsWith, holds, open, ping, send, text } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "./client.ts";
import { CLIENT_FEATURES } from "./client-probe.ts";

const base = { id: "websocket/x", spec: "rfc6455#5.2", covers: ["rfc6455#5.2/rsv"], level: "MUST", role: "client", title: "T." } as const;
const echo: Case = {
  ...base,
  steps: [open(), send(text("Hello"), ping("x"))],
  control: [open(), send(text("Hello"), ping("x"))],
  allowed: comesBack,
};
const rsv: Case = {
  ...base,
  steps: [open(), send(text("Hello", { rsv: 4 }))],
  control: [open(), send(text("Hello"))],
  allowed: failsWith(1002),
};
const bye: Case = {
  ...base,
  steps: [open(), send(close(1000))],
  control: [open(), send(close(1000))],
  allowed: [{ see: { see: "closing handshake", codes: [1000] } }],
};
const refused: Case = { ...base, steps: [open({ start: "HTTP/1.1 403 Forbidden" })], control: [open()], allowed: failsHandshake() };
const wrong: Case = { ...base, steps: [open({ instead: { "Sec-WebSocket-Accept": "x" } })], control: [open()], allowed: failsHandshake() };

/** Where the client answers, nothing waits so long, however busy the machine is. */
const PATIENT = 5_000;
/** For clients that are silent: a test waits so long at least. */
const IMPATIENT = 250;
const patienceWith = (name: string): number => (["silent", "holds-on"].includes(name) ? IMPATIENT : PATIENT);
const drivers: ClientDriver[] = [];
afterAll(() => Promise.all(drivers.map((one) => one.close())));
const of = (name: string, timeout = patienceWith(name)): ClientDriver => {
  const driver = new ClientDriver({ client: (url, signal) => runWebSocketClient(name, url, signal), timeout });
  drivers.push(driver);
  return driver;
};
const fate = (name: string, c: Case): Promise<{ is: string; reason: string; observed: string; index?: number }> => of(name).play(c);

describe("a case for clients", () => {
  test.each([
    ["lenient", echo, "allowed"],
    ["gives-back-binary", echo, "other"],
    ["lenient", rsv, "other"],
    ["refuses-the-unusual", rsv, "allowed"],
    ["lenient", bye, "allowed"],
    ["holds-on", bye, "other"],
    ["lenient", refused, "other"],
    ["wants-plain-answers", refused, "allowed"],
    ["lenient", wrong, "other"],
    ["wants-plain-answers", wrong, "allowed"],
  ])("the client %s: %#", async (name, c, is) => {
    expect(await fate(name, c)).toMatchObject({ is });
  });

  test("reports what was seen, and why that is not enough", async () => {
    expect(await fate("lenient", rsv)).toMatchObject({
      reason: "It accepted this and answered the next message.",
      observed: expect.stringMatching(
        /^after our 101 to its handshake \(sec-websocket-extensions: .*\), TEXT "Hello", PONG "fence 1-1"/,
      ) as string,
    });
    expect(await fate("silent", echo)).toMatchObject({ is: "other", reason: expect.stringContaining("not seen: its handshake") as string });
    expect(await fate("leaves", refused)).toMatchObject({ is: "other", reason: expect.stringContaining("its handshake") as string });
  });

  test("a client that gives up only when we end the connection is distinguished from one that does so by itself", async () => {
    const alone = await fate("wants-plain-answers", wrong);
    expect(alone.index).toBe(0);
    const clinging = new ClientDriver({ client: clings, timeout: IMPATIENT });
    const late = await clinging.play(wrong);
    expect(wrong.allowed[late.index ?? 0]).toMatchObject({ see: { see: "handshake failed late" }, verdict: "warn" });
  });

  test.each([
    ["does-not-mask", "all frames masked", "a text frame is not masked"],
    ["has-one-masking-key", "fresh masking keys", "frames have 1 keys"],
    ["counts-its-keys", "unpredictable masking keys", "its keys are counted"],
    ["masks-by-zeros", "unpredictable masking keys", "a key of 0 masks nothing"],
    ["asks-by-post", "GET with HTTP/1.1", "its request line is"],
    ["asks-without-query", "resource name of the address", 'its target is "/touchstone"'],
    ["names-another-host", "Host of the address", 'host is "elsewhere"'],
    ["sends-a-short-key", "16-octet Sec-WebSocket-Key", 'sec-websocket-key is "AQIDBAUGBwg="'],
    ["asks-for-version-8", "Sec-WebSocket-Version 13", 'sec-websocket-version is "8"'],
    ["sends-an-odd-origin", "valid Origin", 'origin is "touchstone at home"'],
    ["offers-oddly", "well-formed extensions", "Sec-WebSocket-Extensions is"],
    ["offers-a-strange-parameter", "valid permessage-deflate offer", "touchstone is no parameter of an offer"],
    ["offers-protocols-twice", "valid subprotocols", "a sub-protocol occurs twice: chat, superchat, chat"],
    ["writes-odd-fields", "valid HTTP request", "X-Odd"],
  ])("the client %j: the property %j reports what is wrong", async (name, property, words) => {
    const c: Case = { ...echo, ask: { protocols: ["chat", "superchat"] }, steps: [open(), send(text("a"), text("b"), text("c"))] };
    const asked: Case = { ...c, allowed: [{ see: { see: "all", of: [{ see: "still open" }, { see: "holds", monitor: property }] } }] };
    expect(await fate(name, asked)).toMatchObject({ is: "other", reason: expect.stringContaining(words) as string });
    expect(await fate("lenient", asked)).toMatchObject({ is: "allowed" });
  });

  test("a key that another connection had is known again", async () => {
    const c: Case = { ...echo, allowed: comesBackWith(holds("fresh Sec-WebSocket-Key")) };
    const driver = of("has-one-key");
    expect(await driver.play(c)).toMatchObject({ is: "allowed" });
    expect(await driver.play(c)).toMatchObject({ is: "other", reason: expect.stringContaining("had the key") as string });
  });

  test("what comes before the answer is seen", async () => {
    const c: Case = { ...echo, allowed: [{ see: { see: "holds", monitor: "nothing before the handshake response" } }] };
    const early: Case = { ...c, steps: [{ do: "wait", ms: 50 }, open(), send(text("a"))] };
    expect(await fate("speaks-early", early)).toMatchObject({
      is: "other",
      reason: expect.stringContaining("before it was answered") as string,
    });
    expect(await fate("lenient", early)).toMatchObject({ is: "allowed" });
  });
});

describe("a control", () => {
  test.each([
    ["lenient", echo, "accepted", ""],
    ["gives-back-binary", echo, "refused", "a message came back changed"],
    ["never-pongs", echo, "refused", "it did not answer PING"],
    ["answers-no-close", bye, "refused", "it did not answer the Close frame"],
    ["slams", echo, "refused", "of 1 messages came back"],
  ] as const)("the client %s: %#", async (name, c, is, reason) => {
    expect(await of(name).control(c)).toMatchObject({ is, reason: expect.stringContaining(reason) as string });
  });
});

describe("the probe", () => {
  test("finds out what a client offers", async () => {
    const { features } = await of("lenient").probe();
    expect([...features.keys()].sort()).toEqual(Object.keys(CLIENT_FEATURES).sort());
    const has = (name: string): boolean | undefined => features.get(name)?.has;
    expect(["subprotocol", "deflate", "client window", "asks nothing", "compresses", "large", "clear"].map(has)).toEqual(
      Array(7).fill(true),
    );
    expect(["no deflate", "no client window", "asks a server window", "asks no takeover", "tls"].map(has)).toEqual(Array(5).fill(false));
  });

  test("of a client over HTTP/2", async () => {
    const client = (url: string, signal: AbortSignal): Promise<string> => runWebSocketClient("lenient", url, signal, "http2");
    const { features } = await new ClientDriver({ client, timeout: PATIENT }).probe();
    expect(["http1", "http2", "deflate", "subprotocol", "large"].map((name) => features.get(name)?.has)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  test("of a client with wishes, and of one without compression", async () => {
    const wishes = (await of("offers-with-wishes").probe()).features;
    expect(["asks a server window", "asks no takeover", "no client window", "asks nothing"].map((name) => wishes.get(name)?.has)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const plain = (await of("offers-no-compression").probe()).features;
    expect(["no deflate", "deflate", "compresses"].map((name) => plain.get(name)?.has)).toEqual([true, false, false]);
  });

  test.each([
    ["slams", /does not echo messages/],
    ["silent", /its handshake/],
  ])("the client %s is refused by the probe", async (name, words) => {
    const failure = await of(name)
      .probe()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unreachable);
    expect((failure as Error).message).toMatch(words);
  });

  test("a command that does not connect, or does not exist, is reported", async () => {
    const driver = (client: string): ClientDriver => new ClientDriver({ client, timeout: IMPATIENT });
    await expect(driver("true {url}").probe()).rejects.toThrow(/ended with status 0 before it connected/);
    await expect(driver("touchstone-no-such-client {url}").probe()).rejects.toThrow(/there is no program/);
    expect(() => driver("my-client")).toThrow(WrongUse);
  });
});

/** Gives every answer up, and ends the connection when the server has. */
async function clings(address: string, signal: AbortSignal): Promise<void> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  signal.addEventListener("abort", () => socket.destroy());
  socket.on("error", () => {});
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n`);
  socket.resume();
  await new Promise((resolve) => void socket.once("close", resolve));
}
