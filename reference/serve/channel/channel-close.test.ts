import { afterEach, expect, test, vi } from "vitest";
import { ask, UPGRADE } from "./testing.ts";
import { serveChannel } from "./server.ts";
import { drawToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
afterEach(() => void vi.useRealTimers());

/** Longer than a session waits for its agent. */
const LONG_MS = 700_000;

test("a server that is closed: reports the wrong tokens, watches no sessions, and listens no more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const lines: string[] = [];
  const server = await serveChannel({ tokens, log: (line) => lines.push(line) });
  const tick = vi.spyOn(server.channel.hub, "tick");
  const attach = (token: string) => ask(server.port, "/api/ws/sessions/main?run=r", { ...UPGRADE, authorization: `Bearer ${token}` });
  for (let left = 3; left > 0; left--) expect((await attach("wrong")).statusCode).toBe(401);
  expect((await attach(tokens.agent)).statusCode).toBe(101);
  vi.advanceTimersByTime(LONG_MS);
  expect(tick).toHaveBeenCalled();
  expect((await attach(tokens.agent)).statusCode).toBe(101);
  server.channel.close();
  expect(lines.at(-1)).toBe("refused 401 2 more times within a minute, from 1 address");
  tick.mockClear();
  vi.advanceTimersByTime(LONG_MS);
  expect((await attach(tokens.agent)).statusCode).toBe(101);
  vi.advanceTimersByTime(LONG_MS);
  expect(tick).not.toHaveBeenCalled();
  await server.close();
  await expect(attach(tokens.agent)).rejects.toThrow("ECONNREFUSED");
});
