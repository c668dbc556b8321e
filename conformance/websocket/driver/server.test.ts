import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { startWebSocketServer } from "../impostors/server.ts";
import { close, comesBack, failsWith, framesOf, framesOnly, open, ping, send, text } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { FEATURES } from "./probe.ts";
import { ServerDriver } from "./server.ts";

const base = { id: "websocket/x", spec: "rfc6455#5.2", covers: ["rfc6455#5.2/rsv"], level: "MUST", title: "T.", role: "server" } as const;
const echo: Case = { ...base, ...framesOnly(text("Hello"), ping("x")), allowed: comesBack };
const rsv: Case = { ...base, ...framesOf({ wrong: [text("Hello", { rsv: 4 })], right: [text("Hello")] }), allowed: failsWith(1002) };
const bye: Case = { ...base, ...framesOnly(close(1000, "bye")), allowed: [{ see: { see: "closing handshake", codes: [1000] } }] };

/** Where the server answers, nothing waits so long, however busy the machine is. */
const PATIENT = 5_000;
/** For servers that are silent: a test waits so long at least. */
const IMPATIENT = 250;
const patienceWith = (name: string): number => (["silent", "never-ends"].includes(name) ? IMPATIENT : PATIENT);
/** Longer than any test may take: what waits so long fails. */
const TOO_LONG = 600_000;
const on = async <T>(
  name: string,
  work: (driver: ServerDriver) => Promise<T>,
  timeout = patienceWith(name),
  hasHttp3 = false,
): Promise<T> => {
  await using server = await startWebSocketServer(name);
  return await work(new ServerDriver({ url: server.url, timeout, longestWait: timeout, hasHttp3 }));
};
const fate = (name: string, c: Case): Promise<{ is: string; reason: string; observed: string; index?: number }> =>
  on(name, (driver) => driver.play(c));
const twin = (name: string, c: Case): Promise<{ is: string; reason: string }> => on(name, (driver) => driver.control(c));

/** Hangs up on whoever speaks HTTP/2. */
async function startOnlyHttp1(): Promise<AsyncDisposable & { readonly url: string }> {
  const behind = await startWebSocketServer("lenient");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (octets) => {
      if (octets.toString("latin1").startsWith("PRI ")) return socket.destroy();
      const on = connect(Number(new URL(behind.url).port), "127.0.0.1");
      on.on("error", () => socket.destroy());
      on.write(octets);
      socket.pipe(on);
      return on.pipe(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await behind.stop();
    },
  };
}

/** Answers every connection with the same octets. */
async function answering(octets: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(octets, "latin1"));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

describe("the probe", () => {
  test("reports the features of an endpoint", async () => {
    const { features } = await on("lenient", (driver) => driver.probe(), PATIENT, true);
    const has = [...features].filter(([, feature]) => feature.has).map(([name]) => name);
    expect(new Set(has)).toEqual(
      new Set(Object.keys(FEATURES).filter((name) => name !== "tls" && !/^(?:fragments|limits frames)/.test(name))),
    );
  });

  test("reports the features over HTTP/2 separately from those over HTTP/1.1", async () => {
    await using old = await startOnlyHttp1();
    const { features } = await new ServerDriver({ url: old.url, timeout: IMPATIENT }).probe();
    expect(features.get("large")).toMatchObject({ has: true });
    for (const name of ["http2", "deflate over http2", "large over http2"])
      expect(features.get(name), name).toEqual({ has: false, how: expect.stringMatching(/no extended CONNECT over HTTP\/2: /) as string });
  });

  test("reports why an address is not an echo endpoint", async () => {
    const probe = (url: string): Promise<unknown> => new ServerDriver({ url, timeout: IMPATIENT }).probe();
    await using page = await answering("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    await expect(probe(page.url)).rejects.toThrow(/answered the handshake for \/ with 404, not with 101: is it the right path/);
    await using mute = await answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    await expect(probe(mute.url)).rejects.toThrow(/did not send a message back within 250 ms: the suite needs an endpoint that echoes/);
    await using silent = await answering("");
    await expect(probe(silent.url)).rejects.toThrow(/did not answer the handshake/);
    await expect(probe("ws://127.0.0.1:1/")).rejects.toThrow(Unreachable);
  });

  test("accepts ws: and http: addresses, and no others", () => {
    expect(() => new ServerDriver({ url: "ftp://127.0.0.1/", timeout: 1 })).toThrow(WrongUse);
    expect(() => new ServerDriver({ url: "ftp://127.0.0.1/", timeout: 1 })).toThrow(/write ws:\/\/host:port\//);
    expect(new ServerDriver({ url: "http://127.0.0.1:1/", timeout: 1 }).role).toBe("server");
  });
});

describe("a case", () => {
  test("that is answered correctly passes", async () => {
    expect(await fate("lenient", echo)).toMatchObject({ is: "allowed", index: 0 });
    expect(await fate("lenient", bye)).toMatchObject({ is: "allowed", index: 0 });
    expect(await fate("refuses-the-unusual", rsv)).toMatchObject({ is: "allowed", index: 0 });
    expect(await fate("fails-with-1000", rsv)).toMatchObject({ is: "allowed", index: 1 });
  });

  test("whose mistake is accepted fails as soon as the fence is answered, with what was seen", async () => {
    const played = await on("lenient", (driver) => driver.play(rsv), TOO_LONG);
    expect(played).toMatchObject({ is: "other", reason: "It accepted this and answered the next message." });
    expect(played.observed).toBe('101, TEXT "Hello", PONG "fence 1-1", TEXT "fence 1-1"; the next message was answered');
  });

  test("that is met with silence, or with the end alone, fails", async () => {
    expect((await fate("silent", rsv)).reason).toContain("Silence");
    expect((await fate("slams", rsv)).is).toBe("other");
    expect((await fate("fails-and-stays", rsv)).is).toBe("other");
    expect((await fate("never-ends", bye)).reason).toContain("the connection did not end");
    expect((await fate("answers-no-close", bye)).is).toBe("other");
    expect((await fate("gives-back-and-fails", rsv)).is).toBe("other");
  });

  test.each([
    ["masks", "valid frames", "a text frame is masked"],
    ["sends-long-lengths", "minimal lengths", "the length 5 of a text frame is in 64 bits"],
    ["pongs-in-fragments", "short unfragmented control frames", "a pong frame is a fragment"],
    ["accepts-wrongly", "correct Sec-WebSocket-Accept", "Sec-WebSocket-Accept is"],
    ["pongs-empty", "Pongs repeat Ping payloads", "a PONG with 0 octets answers no PING"],
  ])("the server %s: the property %j reports what is wrong", async (name, property, words) => {
    const c: Case = { ...echo, allowed: [{ see: { see: "all", of: [{ see: "still open" }, { see: "holds", monitor: property }] } }] };
    expect(await fate(name, c)).toMatchObject({ is: "other", reason: expect.stringContaining(words) as string });
    expect(await fate("lenient", c)).toMatchObject({ is: "allowed" });
  });

  test("with an unknown property is an error of the harness", async () => {
    const c: Case = { ...echo, allowed: [{ see: { see: "holds", monitor: "nothing" } }] };
    expect(await fate("lenient", c)).toMatchObject({ is: "error", reason: expect.stringContaining('no monitor "nothing"') as string });
  });
});

describe("a control", () => {
  test.each([
    ["lenient", echo, "accepted", ""],
    ["gives-back-binary", echo, "refused", "a message came back changed"],
    ["swallows-second-messages", { ...echo, control: [open(), send(text("a"), text("b"))] }, "refused", "2 of 3 messages came back"],
    ["never-pongs", echo, "refused", "it did not answer PING"],
    ["answers-no-close", bye, "refused", "it did not answer the Close frame"],
    ["slams", echo, "refused", "the connection ended without a response"],
    ["silent", echo, "refused", "the handshake was not answered"],
  ] as const)("of the server %s", async (name, c, is, reason) => {
    const found = await twin(name, c);
    expect(found.is).toBe(is);
    expect(found.reason).toContain(reason);
  });
});

describe("a subject that is gone", () => {
  let url = "";
  let stop = async (): Promise<void> => {};
  beforeAll(async () => {
    const server = await startWebSocketServer("lenient");
    ({ url } = server);
    stop = () => server.stop();
  });
  afterAll(() => stop());

  test("is an error of the harness, not a fail", async () => {
    await stop();
    const driver = new ServerDriver({ url, timeout: IMPATIENT });
    expect((await driver.play(rsv)).is).toBe("error");
    expect((await driver.control(rsv)).is).toBe("error");
  });
});
