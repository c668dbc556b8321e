import { afterEach, expect, test, vi } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { watch } from "../../io/index.ts";
import { ask, UPGRADE } from "./testing.ts";
import { serveChannel } from "./server.ts";
import { drawToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The clock of all connections jumps by longer than a session waits for its agent, and everything that is watched has been looked at. */
async function later(): Promise<void> {
  vi.advanceTimersByTime(700_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const last = {
    deadline: instant(0),
    due() {
      this.deadline = NEVER;
      resolve();
    },
  };
  watch.add(last);
  await promise;
}

test("a server that is closed: reports the wrong tokens, watches no sessions, and listens no more", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const lines: string[] = [];
  const server = await serveChannel({ tokens, log: (line) => lines.push(line) });
  const tick = vi.spyOn(server.channel.hub, "tick");
  const request = async (token: string) => {
    const response = await ask(server.port, "/api/ws/sessions/main?run=r", { ...UPGRADE, authorization: `Bearer ${token}` });
    return response.statusCode;
  };
  let attached = 0;
  const attach = async (): Promise<void> => {
    expect(await request(tokens.agent)).toBe(101);
    attached++;
    // The request ends its connection at once: a clock that jumps before the hub has noticed would be too early.
    await vi.waitFor(() => expect(lines.filter((line) => line.startsWith("agent left")).length).toBe(attached), { timeout: 120_000 });
  };
  for (let left = 3; left > 0; left--) expect(await request("wrong")).toBe(401);
  await attach();
  await later();
  expect(tick).toHaveBeenCalled();
  await attach();
  server.channel.close();
  expect(lines).toContain("refused 401 2 more times within a minute, from 1 address");
  tick.mockClear();
  await later();
  await attach();
  await later();
  expect(tick).not.toHaveBeenCalled();
  const close = vi.spyOn(server.channel, "close");
  await server.close();
  expect(close).toHaveBeenCalled();
  await expect(request(tokens.agent)).rejects.toThrow("ECONNREFUSED");
});
