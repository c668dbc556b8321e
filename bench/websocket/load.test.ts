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

describe("echoes()", () => {
  test.each([
    [5, false],
    [300, false],
    [70_000, false],
    [0, true],
    [64, true],
    [70_000, true],
  ])("messages of %i octets, compressed: %s: sends and receives each once", async (size, compressed) => {
    const received: number[] = [];
    await using server = await serveWebSocket(
      (socket) => {
        socket.onMessage = (data, kind) => {
          received.push(data.length);
          socket.send(data, kind);
        };
      },
      { deflate: { threshold: 0 } },
    );
    const { messagesPerSecond } = await echoes(at(server.port), { ...load, size, compressed });
    expect(messagesPerSecond).toBeGreaterThan(0);
    expect(received).toEqual(Array.from({ length: 40 }, () => size));
  });

  test("returns the CPU time of the subject", async () => {
    await using running = await startPeer(peer("ws"), { protocol: "websocket" });
    const measures = await echoes({ ...at(running.port), pid: running.pid }, { ...load, messages: 2_000, size: 64, compressed: false });
    expect(Object.keys(measures)).toEqual(["messagesPerSecond", "cpuUsPerMessage", "userUsPerMessage"]);
    expect(measures["cpuUsPerMessage"]).toBeGreaterThan(0);
  });

  test("fails if the server sends too much, closes the connection, or declines compression", async () => {
    await using twice = await serveWebSocket((socket) => {
      socket.onMessage = (data) => {
        for (let i = 0; i < 2; i++) socket.send(data);
      };
    });
    await expect(echoes(at(twice.port), { connections: 1, inFlight: 1, messages: 1, size: 64, compressed: false })).rejects.toThrow(
      "received more echoes",
    );
    await expect(open(at(twice.port), true)).rejects.toThrow("did not agree to compression");
    await using leaving = await serveWebSocket((socket) => {
      socket.onMessage = () => socket.abort();
    });
    await expect(echoes(at(leaving.port), { ...load, size: 64, compressed: false })).rejects.toThrow(
      /closed the connection|ECONNRESET|EPIPE/,
    );
    const http = createServer((socket) => void socket.on("error", () => {}).end("HTTP/1.1 404 Not Found\r\n\r\n")).listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => void http.once("listening", resolve));
    await expect(open(at((http.address() as { port: number }).port))).rejects.toThrow("expected 101");
    http.close();
  });

  test("json() returns JSON text cut to size", () => {
    expect(json(64).toString()).toMatch(/^\{"id":0,"name":"item 0"/);
    expect(json(70_000)).toHaveLength(70_000);
  });
});
