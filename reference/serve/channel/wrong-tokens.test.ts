import { expect, test, vi } from "vitest";
import { serveChannel } from "./server.ts";
import { ask, UPGRADE } from "./testing.ts";
import { drawToken } from "./tokens.ts";
import { WrongTokens } from "./wrong-tokens.ts";

test("ten wrong tokens: the first three are answered at once, further ones slower and slower, and two lines are logged", () => {
  const lines: string[] = [];
  const tokens = new WrongTokens((line) => lines.push(line));
  const waits = Array.from({ length: 10 }, (_, i) => tokens.note("a", `refused ${i}`, i));
  expect(waits).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  expect(tokens.note("b", "refused", 10)).toBe(0);
  expect(lines).toEqual(["refused 0"]);
  tokens.close();
  expect(lines[1]).toBe("refused 401 10 more times within a minute, from 2 addresses");
});

test("a minute without a wrong token: the address starts again, and the next one is logged", () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const tokens = new WrongTokens((line) => lines.push(line));
  for (let i = 0; i < 6; i++) tokens.note("a", "one", i);
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["one", "refused 401 5 more times within a minute, from 1 address"]);
  expect(tokens.note("a", "two", 60_005)).toBe(0);
  expect(lines[2]).toBe("two");
  vi.useRealTimers();
});

test("many answers wait already: further wrong tokens are answered with 429 instead", async () => {
  const tokens = new WrongTokens(() => {});
  for (let i = 0; i < 3; i++) tokens.note("a", "", 0);
  const waiting = Array.from({ length: 64 }, () => tokens.wait(5));
  expect(tokens.note("a", "", 0)).toBeUndefined();
  await Promise.all(waiting);
  expect(tokens.note("a", "", 0)).toBe(500);
});

test("wrong tokens over a connection: the fifth waits, the right one does not", async () => {
  const all = { agent: drawToken(), client: drawToken() };
  const lines: string[] = [];
  await using server = await serveChannel({ tokens: all, log: (line) => lines.push(line) });
  const path = "/api/ws/sessions/main?client=c";
  const attempt = (token: string) => ask(server.port, path, { ...UPGRADE, authorization: `Bearer ${token}` });
  for (let i = 0; i < 3; i++) expect((await attempt(drawToken())).statusCode).toBe(401);
  const order: string[] = [];
  const wrong = attempt(drawToken()).then(({ statusCode }) => order.push(`wrong ${statusCode}`));
  const right = attempt(all.client).then(({ statusCode }) => order.push(`right ${statusCode}`));
  await Promise.all([wrong, right]);
  expect(order).toEqual(["right 404", "wrong 401"]);
  expect(lines.filter((line) => line.startsWith("refused 401"))).toHaveLength(1);
});
