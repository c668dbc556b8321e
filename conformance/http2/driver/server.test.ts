import { createServer as createHttp2, type Http2Server } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { connectionError, get, handshake, malformedRequest, post, send, streamError } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "./server.ts";

const base = { id: "http2/x", spec: "rfc9113#6.9", covers: ["rfc9113#6.9/x"], level: "MUST", role: "server", title: "T." } as const;
const pingOf = (length: number): Case => ({
  ...base,
  steps: [handshake, send({ type: "PING", hex: "00".repeat(length) })],
  control: [handshake, send({ type: "PING", hex: "00".repeat(8) })],
  allowed: connectionError("FRAME_SIZE_ERROR"),
});
const upperCase: Case = {
  ...base,
  steps: [handshake, send(get(1, ["X-A", "b"]))],
  control: [handshake, send(get(1, ["x-a", "b"]))],
  allowed: malformedRequest(1),
};
const answering: Case = {
  ...base,
  steps: [handshake, send(get(1))],
  control: [handshake, send(get(1))],
  allowed: [{ see: { see: "response", stream: 1, complete: true } }],
};

const listening = (server: Server | Http2Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
const driverFor = (url: string, timeout = 2000): ServerDriver => new ServerDriver({ url, timeout });

describe("against node:http2", () => {
  let server: Http2Server;
  let url: string;
  let driver: ServerDriver;
  beforeAll(async () => {
    server = createHttp2({}, (_request, response) => response.end("x".repeat(200)));
    server.on("sessionError", () => {});
    url = await listening(server);
    driver = driverFor(url);
  });
  afterAll(() => server.close());

  test("the probe reports the features, and how it knows", async () => {
    const { features } = await driver.probe();
    expect(features.get("large-body")).toEqual({ has: true, how: "GET was answered with 200 octets of content" });
    expect(features.get("push")?.has).toBe(false);
    expect(features.get("post")?.has).toBe(true);
  });

  test("a connection error is seen with its code, and the control is accepted", async () => {
    expect(await driver.control(pingOf(7))).toMatchObject({ is: "accepted" });
    expect(await driver.play(pingOf(7))).toMatchObject({
      is: "allowed",
      index: 0,
      observed: expect.stringContaining("FRAME_SIZE_ERROR") as string,
    });
  });

  test("a stream error needs the good request that follows", async () => {
    const played = await driver.play(upperCase);
    expect(played).toMatchObject({ is: "allowed", index: 0 });
    expect(played.transcript.some(({ way, means }) => way === "->" && means.startsWith("HEADERS stream 3"))).toBe(true);
  });

  test("a mistake that is accepted fails at once: the fence decides, not the time limit", async () => {
    const wrong: Case = { ...pingOf(8), allowed: streamError(1, "PROTOCOL_ERROR") };
    // The limit is longer than a test may take: whoever waits for it fails.
    const patient = driverFor(url, 3_600_000);
    expect(await patient.play(wrong)).toMatchObject({ is: "other", reason: expect.stringContaining("as if nothing were wrong") as string });
  });

  test("frames cut into single octets are the same frames", async () => {
    const cut: Case = { ...answering, steps: [{ do: "preface" }, { do: "send", frames: [get(1)], cut: 1 }] };
    expect(await driver.play(cut)).toMatchObject({ is: "allowed" });
  });

  test("our own answers never get between the parts of a header block", async () => {
    const { fields = [], ...head } = get(1);
    const blockInParts: Case = {
      ...answering,
      steps: [
        { do: "preface" },
        send({ ...head, flags: ["END_STREAM"], fields }),
        { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: false } } },
        send({ type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"] }),
      ],
    };
    expect(await driver.play(blockInParts)).toMatchObject({ is: "allowed" });
  });

  test("windows that are held stay shut until they are released", async () => {
    const settings = [["INITIAL_WINDOW_SIZE", 50]] as const;
    const held: Case = {
      ...answering,
      steps: [
        { do: "hold windows" },
        { do: "handshake", settings },
        send(get(1)),
        { do: "await", see: { see: "frame", type: "DATA", stream: 1 } },
      ],
      fence: "ping",
    };
    expect(await driver.play(held)).toMatchObject({ is: "other" });
    expect(await driver.play({ ...held, steps: [...held.steps, { do: "release windows" }], fence: { stream: 1 } })).toMatchObject({
      is: "allowed",
    });
  });

  test("an await step that is never met ends the case with that reason", async () => {
    const waiting: Case = { ...answering, steps: [handshake, { do: "await", see: { see: "frame", type: "ORIGIN" } }] };
    const played = await driverFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 100).play(waiting);
    expect(played).toMatchObject({ is: "other", reason: "It never showed ORIGIN within 100 ms." });
  });

  test("a window that is reopened while it is filled: a skip, since it was perhaps never overrun", async () => {
    const overrun: Case = {
      ...base,
      steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 1 }],
      control: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0 }],
      allowed: streamError(1, "FLOW_CONTROL_ERROR"),
    };
    const reading = createHttp2({}, (request, response) => {
      request.resume();
      request.once("data", () => response.writeHead(200));
      request.on("end", () => response.end());
    });
    const other = driverFor(await listening(reading));
    expect(
      await other.control({ ...overrun, control: [...overrun.control, send({ type: "DATA", stream: 1, flags: ["END_STREAM"] })] }),
    ).toMatchObject({ is: "accepted" });
    expect(await other.play(overrun)).toMatchObject({ is: "skip" });
    reading.close();
  });

  test("a large window that is reopened while it is filled: a skip before anything goes beyond it, so that no chance decides", async () => {
    const large: Case = {
      ...base,
      steps: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 1 }],
      control: [handshake, send(post(1)), { do: "fill window", of: "stream", stream: 1, beyond: 0 }],
      allowed: streamError(1, "FLOW_CONTROL_ERROR"),
    };
    const reading = createHttp2({ settings: { initialWindowSize: 1_048_576 } }, (request) => request.resume());
    reading.on("session", (session) => session.setLocalWindowSize(2_097_152));
    expect(await driverFor(await listening(reading)).play(large)).toMatchObject({
      is: "skip",
      reason: expect.stringContaining("reopens its window while it is filled") as string,
    });
    reading.close();
  });
});

describe("against peers that are wrong on purpose", () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const peer = (behave: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      behave(socket);
    });
    servers.push(server);
    return listening(server);
  };
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });
  const SETTINGS = Buffer.from("000000040000000000" + "000000040100000000", "hex");

  test("one that closes on everything passes nothing: its control is refused", async () => {
    const driver = driverFor(
      await peer((socket) => socket.once("data", () => socket.write(SETTINGS)).on("data", () => setImmediate(() => socket.destroy()))),
    );
    for (const c of [pingOf(7), upperCase, answering]) expect((await driver.control(c)).is).toBe("refused");
  });

  test("one that never answers fails by silence within the time limit", async () => {
    const driver = driverFor(await peer(() => {}), 100);
    expect(await driver.control(answering)).toMatchObject({ is: "refused" });
    expect(await driver.play(answering)).toMatchObject({ is: "other", reason: expect.stringContaining("never showed SETTINGS") as string });
    await expect(driver.probe()).rejects.toThrow("sent nothing within 100 ms");
  });

  test("one that speaks HTTP/1.1 is reported as such", async () => {
    const driver = driverFor(await peer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    await expect(driver.probe()).rejects.toThrow(/does not speak HTTP\/2: "HTTP\/1.1 400/);
  });

  test("a port without a listener, and a word that is not an address, are reported", async () => {
    await expect(driverFor("http://127.0.0.1:1/").probe()).rejects.toThrow(Unreachable);
    await expect(driverFor("http://127.0.0.1:1/").probe()).rejects.toThrow("Nothing listens on 127.0.0.1:1");
    expect((await driverFor("http://127.0.0.1:1/").play(answering)).is).toBe("error");
    expect(() => driverFor("localhost:80")).toThrow(WrongUse);
  });

  test("a clear-text server at an https:// address is reported as such", async () => {
    const url = await peer((socket) => socket.once("data", () => socket.write(SETTINGS)));
    await expect(driverFor(url.replace("http:", "https:")).probe()).rejects.toThrow("does not speak TLS");
  });
});
