import { afterEach, expect, test, vi } from "vitest";
import { watch } from "../../io/index.ts";
import { ask, UPGRADE } from "./testing.ts";
import { serveChannel } from "./server.ts";
import { drawToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
afterEach(() => void vi.useRealTimers());

test("a server that is closed: watches no sessions, reports the wrong tokens, and listens no more", async () => {
  const lines: string[] = [];
  const server = await serveChannel({ tokens, log: (line) => lines.push(line) });
  const path = "/api/ws/sessions/main?run=r";
  const attach = (token: string) => ask(server.port, path, { ...UPGRADE, authorization: `Bearer ${token}` });
  const before = watch.size;
  expect((await attach(tokens.agent)).statusCode).toBe(101);
  expect(watch.size).toBeGreaterThan(before);
  for (let left = 3; left > 0; left--) expect((await attach("wrong")).statusCode).toBe(401);
  server.channel.close();
  expect(lines.at(-1)).toBe("refused 401 2 more times within a minute, from 1 address");
  const after = watch.size;
  // What happens to a session afterwards is not watched either.
  expect((await attach(tokens.agent)).statusCode).toBe(101);
  await server.close();
  expect(watch.size).toBeLessThanOrEqual(after);
  await expect(attach(tokens.agent)).rejects.toThrow("ECONNREFUSED");
});
