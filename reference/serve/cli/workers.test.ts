import { expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { connectWebSocket } from "../websocket/client.ts";
import { run } from "./testing.ts";

test("--workers: one address, a page with the counts of all processes, SIGHUP replaces them, SIGTERM ends them", async () => {
  const { child, first, ended } = run("http", "--workers", "2", "--metrics-port", "0", "--tls", "--json");
  const { url, workers, metrics, pid } = JSON.parse(await first) as Record<string, string>;
  expect([workers, pid]).toEqual(["2", child.pid]);
  const page = async (): Promise<string> => (await fetch(metrics!)).text();
  for (let at = 0; at < 4; at++) {
    const client = await connect(url!, { tls: { verify: false } });
    const { status, body } = await client.request({ path: "/" });
    expect([status, await body.text()]).toEqual([200, "Touchstone speaks HTTP/2.\n"]);
    await client.close();
  }
  const before = await page();
  expect(before).toContain("\ntouchstone_requests_total 4\n");
  const pids = (text: string): string[] => [...text.matchAll(/^touchstone_worker_connections\{pid="(\d+)"\}/gm)].map(([, one]) => one!);
  expect(pids(before)).toHaveLength(2);
  child.kill("SIGHUP");
  await expect.poll(async () => pids(await page()).filter((one) => pids(before).includes(one)).length).toBe(0);
  expect(await page()).toContain("\ntouchstone_requests_total 4\n");
  child.kill("SIGTERM");
  const { status, errors } = await ended;
  expect([status, errors]).toEqual([0, ""]);
});

test("serve websocket --workers: echoes", async () => {
  const { child, first, ended } = run("websocket", "--workers", "2", "--json");
  const { url } = JSON.parse(await first) as { readonly url: string };
  for (let at = 0; at < 3; at++) {
    const socket = await connectWebSocket(url);
    socket.send("hello");
    for await (const message of socket) {
      expect(message).toBe("hello");
      break;
    }
    socket.close();
    await socket.closed;
  }
  child.kill("SIGTERM");
  expect((await ended).status).toBe(0);
});

test.each([
  [["http3", "--workers", "2"], "HTTP/3 is served by one process"],
  [["http", "--metrics-port", "0"], "--metrics-port shows the workers of --workers N."],
  [["http", "--workers", "0"], "--workers"],
])("serve %j is refused with the reason", async (args, why) => {
  const { ended } = run(...args);
  const { status, errors } = await ended;
  expect(status).toBe(2);
  expect(errors).toContain(why);
});
