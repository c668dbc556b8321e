import { beforeAll, describe, expect, test } from "vitest";
import { CodecDriver, loadCases as loadCodecCases } from "../hpack/index.ts";
import type { Case as CodecCase } from "../hpack/vocabulary.ts";
import { type Case, ClientDriver, loadCases, ServerDriver } from "../http2/index.ts";
import { passedBy, type Started, uncaught } from "./catch.ts";
import { CODEC_FLAWS } from "./hpack-codec.ts";
import { CLIENT_FLAWS } from "./http2-client-flaws.ts";
import { runClient } from "./http2-client.ts";
import { SERVER_FLAWS } from "./http2-server-flaws.ts";
import { startServer } from "./http2-server.ts";

/** A peer that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 300;
const AT_ONCE = 16;
/** A peer in this very process is busy with a flood for longer. */
const FLOOD_MS = 1_000;
const FLOOD = 300;
/** Those that must pass nothing catch everything: they are asked apart, and catch no case for another's sake. */
const MUTE = ["silent", "slams", "leaves-at-once", "fails-at-once"];
const culprits = (flaws: Readonly<Record<string, unknown>>): string[] => Object.keys(flaws).filter((name) => !MUTE.includes(name));

let cases: readonly Case[] = [];
beforeAll(async () => {
  cases = await loadCases();
});
/** An impostor knows neither deadlines nor budgets: one that lets a short wait or a small flood pass lets the long and the large one pass too. */
const hastened = (steps: Case["steps"]): Case["steps"] =>
  steps.map((step) => {
    if (step.do === "wait") return { ...step, ms: Math.min(step.ms, SILENCE_MS) };
    return step.do === "repeat" ? { ...step, times: Math.min(step.times, FLOOD) } : step;
  });
const ofRole = (role: Case["role"], tls = false): Case[] =>
  cases
    .map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) }))
    .filter((c) => c.role === role && (c.needs ?? []).includes("tls") === tls);

const server =
  (tls: boolean, timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startServer(name, { tls });
    return { driver: new ServerDriver({ url, timeout }), stop };
  };
const client = async (name: string): Promise<Started<Case>> => ({
  driver: new ClientDriver({ client: (url, signal) => runClient(name, url, signal), timeout: SILENCE_MS }),
  stop: async () => {},
});
const codec = async (name: string): Promise<Started<CodecCase>> => {
  const driver = new CodecDriver({ command: `'${process.execPath}' conformance/impostors/hpack-codec.ts ${name}`, timeout: 2000 });
  return { driver, stop: () => driver.close() };
};

describe("no case without a culprit: an impostor that passes the control and fails the case", { timeout: 60_000 }, () => {
  test("every case for servers is failed by an impostor", async () => {
    const quick = ofRole("server").filter(({ group }) => group === undefined);
    expect(await uncaught(quick, culprits(SERVER_FLAWS), server(false), AT_ONCE)).toEqual([]);
  });

  test("every case of abuse is failed by an impostor", async () => {
    const floods = ofRole("server").filter(({ group }) => group !== undefined);
    expect(await uncaught(floods, ["lenient"], server(false, FLOOD_MS), 1)).toEqual([]);
  });

  test("every case for servers over TLS is failed by an impostor", async () => {
    expect(await uncaught(ofRole("server", true), culprits(SERVER_FLAWS), server(true), AT_ONCE)).toEqual([]);
  });

  test("every case for clients is failed by an impostor", async () => {
    expect(await uncaught(ofRole("client"), culprits(CLIENT_FLAWS), client, AT_ONCE)).toEqual([]);
  });

  test("every case for codecs is failed by an impostor", async () => {
    expect(await uncaught(await loadCodecCases(), culprits(CODEC_FLAWS), codec, 1)).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", { timeout: 60_000 }, () => {
  const wide = 64;

  test.each(["silent", "slams"])("the server that %s passes nothing", async (name) => {
    expect(await passedBy(ofRole("server"), await server(false)(name), wide)).toEqual([]);
  });

  test.each(["silent", "slams", "leaves-at-once", "fails-at-once"])("the client that %s passes nothing", async (name) => {
    expect(await passedBy(ofRole("client"), await client(name), wide)).toEqual([]);
  });

  test("the helper tells a pass from a fail: the lenient server passes what asks for patience only", async () => {
    const patience = ofRole("server").filter(({ id }) => id === "http2/te-trailers" || id === "http2/field-name-upper-case");
    const passed = await passedBy(patience, await server(false)("lenient"), AT_ONCE);
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
