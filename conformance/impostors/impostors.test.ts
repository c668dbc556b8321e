import { beforeAll, describe, expect, test } from "vitest";
import { passedBy, uncaught } from "./catch.ts";
import { readHints } from "./hints.ts";
import { runClient } from "./http2-client.ts";
import { startServer } from "./http2-server.ts";
import { client, parties, server } from "./http2-parties.ts";

let all: Awaited<ReturnType<typeof parties>>;
beforeAll(async () => {
  all = await parties();
});
const hints = readHints("http2");

describe("no case without a culprit: an impostor that passes the control and fails the case", { timeout: 60_000 }, () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(all.servers, hints)).toEqual([]);
  });

  test("every case of abuse is failed by an impostor", async () => {
    expect(await uncaught(all.floods, hints)).toEqual([]);
  });

  test("every case for servers over TLS is failed by an impostor", async () => {
    expect(await uncaught(all.tls, hints)).toEqual([]);
  });

  test("every case for clients is failed by an impostor", async () => {
    expect(await uncaught(all.clients, hints)).toEqual([]);
  });

  test("every case for clients over TLS is failed by an impostor", async () => {
    expect(all.tlsClients.cases.length).toBeGreaterThan(0);
    expect(await uncaught(all.tlsClients, hints)).toEqual([]);
  });

  test("every case for codecs is failed by an impostor", async () => {
    expect(await uncaught(all.codecs, hints)).toEqual([]);
  });

  test("a case that no impostor fails is found, whatever the hints say", async () => {
    const { cases, ...rest } = all.clients;
    const whole = cases.filter(({ id }) => id === "http2/client-response-whole");
    const easy = { ...rest, cases: whole, names: ["lenient"] };
    expect(await uncaught(easy, { lenient: ["http2/client-response-whole"] })).toEqual(["http2/client-response-whole"]);
  });
});

describe("no credit for hanging up or keeping silent", { timeout: 60_000 }, () => {
  const wide = 64;
  const plain = () => [...all.servers.cases, ...all.floods.cases];

  test.each(["silent", "slams"])("the server that %s passes nothing", async (name) => {
    expect(await passedBy(plain(), await server(false)(name), wide)).toEqual([]);
  });

  test.each(["silent", "slams", "leaves-at-once", "fails-at-once"])("the client that %s passes nothing", async (name) => {
    expect(await passedBy(all.clients.cases, await client(name), wide)).toEqual([]);
  });

  test("the helper tells a pass from a fail: the lenient server passes what asks for patience only", async () => {
    const patience = plain().filter(({ id }) => id === "http2/te-trailers" || id === "http2/field-name-upper-case");
    const passed = await passedBy(patience, await server(false)("lenient"), wide);
    expect(passed).toContain("http2/te-trailers");
    expect(passed).not.toContain("http2/field-name-upper-case");
  });
});

describe("names", () => {
  test("an impostor that does not exist is named with those that do", async () => {
    await expect(startServer("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
    expect(() => runClient("nobody", "http://127.0.0.1:1/")).toThrow(/Known: lenient/);
  });
});
