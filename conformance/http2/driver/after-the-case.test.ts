import { createServer as createHttp2, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { answeredLikeFirst, get, handshake, firstExchange, post, send, attackStopped } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "./server.ts";

const base = { id: "http2/x", spec: "rfc9113#6.9", covers: ["rfc9113#6.9/x"], level: "MUST", role: "server", title: "T." } as const;
/** Longer than a test may take: whoever waits for it fails. */
const FOREVER = 3_600_000;
const open: Http2Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});
const start = async (
  answer: (stream: ServerHttp2Stream, id: number) => void,
  more: Partial<ConstructorParameters<typeof ServerDriver>[0]> = {},
) => {
  const server = createHttp2();
  open.push(server);
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    answer(stream as ServerHttp2Stream, stream.id ?? 0);
  });
  server.on("sessionError", () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { server, driver: new ServerDriver({ url, timeout: 1000, ...more }) };
};
const say = (stream: ServerHttp2Stream, status: number): void => {
  stream.respond({ ":status": status });
  stream.end();
};

describe("after the last step", () => {
  const like: Case = { ...base, steps: [...firstExchange, send(get(3))], control: [handshake], allowed: answeredLikeFirst(3) };

  test("a response that comes after the answer to the fence is awaited", async () => {
    const { driver } = await start((stream, id) => void (id === 3 ? pause(100).then(() => say(stream, 200)) : say(stream, 200)));
    expect(await driver.play(like)).toMatchObject({ is: "allowed", index: 0 });
  });

  test("content that comes after the answer to a PING is awaited", async () => {
    const { driver } = await start((stream) => void pause(100).then(() => (stream.respond({ ":status": 200 }), stream.end("late"))));
    const c: Case = {
      ...base,
      steps: [handshake, send(get(1))],
      control: [handshake],
      allowed: [{ see: { see: "frame", type: "DATA", stream: 1, where: { length: 4 } } }],
      fence: "ping",
    };
    expect(await driver.play(c)).toMatchObject({ is: "allowed", index: 0 });
    const other: Case = { ...c, allowed: [{ see: { see: "frame", type: "DATA", stream: 1, where: { length: 5 } } }] };
    expect(await driver.play(other)).toMatchObject({ is: "other" });
  });

  test("a response that is sent only when more arrives gets a PING half-way through the silence", async () => {
    const waiting: ServerHttp2Stream[] = [];
    const { server, driver } = await start((stream) => void waiting.push(stream));
    server.on("session", (session) => session.on("ping", () => waiting.splice(0).forEach((stream) => say(stream, 200))));
    expect(
      await driver.play({ ...like, steps: firstExchange, allowed: [{ see: { see: "response", stream: 1 } }], fence: "none" }),
    ).toMatchObject({
      is: "allowed",
      index: 0,
    });
  });

  test("an awaited response must still be the right one", async () => {
    const { driver } = await start((stream, id) => void (id === 3 ? pause(100).then(() => say(stream, 400)) : say(stream, 200)));
    expect(await driver.play(like)).toMatchObject({ is: "other" });
  });

  test("an unfinished request is not awaited", async () => {
    const { driver } = await start((stream, id) => (id === 1 ? undefined : say(stream, 200)), { timeout: FOREVER });
    const c: Case = {
      ...base,
      steps: [handshake, send(post(1))],
      control: [handshake],
      allowed: [{ see: { see: "response", stream: 1 } }],
    };
    expect(await driver.play(c)).toMatchObject({ is: "other" });
  });
});

describe("abuse", () => {
  const flood: Case = {
    ...base,
    group: "abuse",
    steps: [handshake, send({ type: "PING", hex: "00" })],
    control: [handshake],
    allowed: attackStopped(),
    fence: "ping",
  };

  test("a server that stops the attack and serves a new connection passes", async () => {
    const { driver } = await start((stream) => say(stream, 200));
    expect(await driver.play(flood)).toMatchObject({ is: "allowed" });
  });

  test("a server that stops with the attacker fails", async () => {
    const { server, driver } = await start((stream) => say(stream, 200));
    server.on("session", (session) => session.on("error", () => server.close()));
    expect(await driver.play(flood)).toMatchObject({ is: "other", reason: expect.stringContaining("not served afterwards") as string });
  });

  test("longestWait cuts wait steps short", async () => {
    const { driver } = await start((stream) => say(stream, 200), { longestWait: 50 });
    const c: Case = {
      ...base,
      steps: [handshake, { do: "wait", ms: FOREVER }],
      control: [handshake],
      allowed: attackStopped(),
      fence: "ping",
    };
    expect(await driver.play(c)).toMatchObject({ is: "other" });
  });

  test("a flood of PRIORITY_UPDATE names one stream after another", async () => {
    const { driver } = await start((stream) => say(stream, 200));
    const update = { type: "PRIORITY_UPDATE", promised: 1, text: "u=1" } as const;
    const c: Case = {
      ...base,
      steps: [handshake, { do: "repeat", times: 3, stride: 2, frames: [update] }],
      control: [handshake],
      allowed: attackStopped(),
    };
    const { transcript } = await driver.play(c);
    const sent = transcript.filter(({ way, means }) => way === "->" && means.startsWith("PRIORITY_UPDATE"));
    expect(sent.map(({ hex }) => hex?.slice(18, 26))).toEqual(["00000001", "00000003", "00000005"]);
  });
});
