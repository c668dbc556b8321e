import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { peer, startPeer } from "../../conformance/peers/index.ts";
import { serveWebSocket } from "../../reference/serve/websocket/index.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { echoes, json, open } from "./load.ts";

const at = (port: number, pid?: number): BenchSubject => ({
  name: "subject",
  version: "",
  origin: `http://127.0.0.1:${port}`,
  pid,
  paths: { small: "/" },
});
const load = { connections: 2, inFlight: 4, messages: 40 };

describe("a load of echoes", () => {
  test.each([
    [5, false],
    [300, false],
    [70_000, false],
    [0, true],
    [64, true],
    [70_000, true],
  ])("messages of %i octets, compressed: %s: each is sent once and comes back once", async (size, compressed) => {
    const come: number[] = [];
    await using server = await serveWebSocket(
      (socket) => {
        socket.onMessage = (data, kind) => {
          come.push(data.length);
          socket.send(data, kind);
        };
      },
      { deflate: { threshold: 0 } },
    );
    const { messagesPerSecond } = await echoes(at(server.port), { ...load, size, compressed });
    expect(messagesPerSecond).toBeGreaterThan(0);
    expect(come).toEqual(Array.from({ length: 40 }, () => size));
  });

  test("the processor time of the subject is told", async () => {
    await using running = await startPeer(peer("ws"), { protocol: "websocket" });
    const measures = await echoes({ ...at(running.port), pid: running.pid }, { ...load, messages: 2_000, size: 64, compressed: false });
    expect(Object.keys(measures)).toEqual(["messagesPerSecond", "cpuUsPerMessage", "userUsPerMessage"]);
    expect(measures["cpuUsPerMessage"]).toBeGreaterThan(0);
  });

  test("a server that sends too much, hangs up, or does not compress as it was to, ends it", async () => {
    await using twice = await serveWebSocket((socket) => {
      socket.onMessage = (data) => {
        for (let i = 0; i < 2; i++) socket.send(data);
      };
    });
    await expect(echoes(at(twice.port), { connections: 1, inFlight: 1, messages: 1, size: 64, compressed: false })).rejects.toThrow(
      "more echoes came",
    );
    await expect(open(at(twice.port), true)).rejects.toThrow("not agreed to compression");
    await using leaving = await serveWebSocket((socket) => {
      socket.onMessage = () => socket.abort();
    });
    await expect(echoes(at(leaving.port), { ...load, size: 64, compressed: false })).rejects.toThrow(/hung up|ECONNRESET|EPIPE/);
    const http = createServer((socket) => void socket.on("error", () => {}).end("HTTP/1.1 404 Not Found\r\n\r\n")).listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => void http.once("listening", resolve));
    await expect(open(at((http.address() as { port: number }).port))).rejects.toThrow("101 is wanted");
    http.close();
  });

  test("its text is JSON cut to size", () => {
    expect(json(64).toString()).toMatch(/^\{"id":0,"name":"item 0"/);
    expect(json(70_000)).toHaveLength(70_000);
  });
});
