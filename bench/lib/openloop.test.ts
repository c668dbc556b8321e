import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openLoop } from "./openloop.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A server that sends nothing for `stallMs` after its first request, then answers everything, each answer in two writes. */
async function stalling<T>(stallMs: number, use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer((socket) => {
    const opened = performance.now();
    socket.on("error", () => socket.destroy());
    socket.on("data", (octets) => {
      const count = octets.toString("latin1").split("\r\n\r\n").length - 1;
      const text = ANSWER.repeat(count);
      setTimeout(
        () => {
          socket.write(text.slice(0, 20));
          socket.write(text.slice(20));
        },
        Math.max(0, stallMs - (performance.now() - opened)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

test("openLoop(): counts every answer of the schedule, however answers are cut", async () => {
  const seen = await stalling(0, (port) =>
    openLoop({ origin: `http://127.0.0.1:${port}` }, { rate: 500, seconds: 0.2, connections: 3, path: "/" }),
  );
  expect([seen.answered, seen.lost]).toEqual([100, 0]);
});

test("openLoop(): charges a stall to every request due during it", async () => {
  const seen = await stalling(200, (port) =>
    openLoop({ origin: `http://127.0.0.1:${port}` }, { rate: 500, seconds: 0.3, connections: 2, path: "/" }),
  );
  // Two thirds of the requests were due during the stall: the median has waited for half of it.
  expect(seen.p50).toBeGreaterThan(20);
  expect(seen.max).toBeGreaterThan(150);
});

test("openLoop(): counts unanswered requests as lost", async () => {
  const seen = await stalling(60_000, (port) =>
    openLoop({ origin: `http://127.0.0.1:${port}` }, { rate: 100, seconds: 0.1, connections: 1, path: "/" }),
  );
  expect([seen.answered, seen.lost]).toEqual([0, 10]);
});
