import headless from "@xterm/headless";
import { SerializeAddon } from "@xterm/addon-serialize";
import { describe, expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { Hub, writeControl, type Peer } from "../../websocket/channel/index.ts";
import { Witness } from "../../websocket/channel/testing.ts";
import { screens } from "./screen.ts";

/** A screen of the reference terminal, and what distinguishes it. */
async function seen(parts: readonly Uint8Array[]): Promise<unknown> {
  const terminal = new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true, logLevel: "off" });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  for (const part of parts) await new Promise<void>((resolve) => terminal.write(part, resolve));
  const { active, normal } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true));
  const found = { type: active.type, at: [active.cursorX, active.cursorY], lines, modes: { ...terminal.modes }, below: normal.length };
  terminal.dispose();
  return found;
}

/** What a client that attaches after `before` receives, and then `after`. */
async function late(before: string | Uint8Array, after: string | Uint8Array): Promise<Uint8Array[]> {
  const hub = new Hub({}, { screen: screens(() => {}) });
  const enter = (role: "agent" | "client", peer: Peer, query: string) => {
    const found = hub.admit(role, "main", new URLSearchParams(query));
    if ("status" in found) throw new Error(found.why);
    return found.enter(peer, instant(0));
  };
  const agent = enter("agent", new Witness(), "run=r1");
  agent.text(writeControl({ type: "offer", from: 0, end: 0, input: 0, cols: 20, rows: 6 }), instant(0));
  agent.binary(Buffer.from(before), instant(0));
  const client = new Witness();
  enter("client", client, "client=late");
  agent.binary(Buffer.from(after), instant(0));
  await expect.poll(() => client.last("state")).toBeDefined();
  const state = client.last("state");
  expect(state?.screen).toBeGreaterThan(0);
  const octets = client.messages.filter((message) => typeof message !== "string");
  const total = octets.reduce((sum, { length }) => sum + length, 0);
  expect(total - (state?.screen ?? 0) + (state?.from ?? 0)).toBe(Buffer.from(before).length + Buffer.from(after).length);
  return octets;
}

describe("a client that attaches late", () => {
  test.each([
    ["plain text", "one\r\ntwo\r\n$ ", "ls\r\n"],
    ["more lines than fit", "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\n", "i\r\n"],
    ["the alternate screen", "before\r\n\x1b[?1049h\x1b[2J\x1b[3;4Hedit", "\x1b[1;1Htop"],
    ["the alternate screen, left later", "before\r\n\x1b[?1049hedit", "\x1b[?1049lafter"],
    ["modes of keys, paste and mouse", "\x1b[?1h\x1b[?2004h\x1b[?1002h\x1b[?1006h$ ", "x"],
    ["margins", "\x1b[2;4r\x1b[4;1Hone", "\r\ntwo\r\nthree"],
    ["line drawing", "\x1b(0lq", "qk\x1b(B|"],
    ["a shifted character set", "\x1b)0\x0eq", "q\x0fq"],
    ["a hidden cursor", "\x1b[?25lx", "y"],
  ])("%s: shows the same as one that was there", async (_, before, after) => {
    const octets = await late(before, after);
    expect(await seen(octets)).toEqual(await seen([Buffer.from(before + after)]));
  });

  test.each([
    ["a character", Buffer.from("x€uro"), 2],
    ["an emoji", Buffer.from("ab😀"), 4],
    ["a colour", Buffer.from("x\x1b[31mred"), 4],
    ["a title", Buffer.from("x\x1b]0;title\x07y"), 6],
    ["an escape", Buffer.from("x\x1bcy"), 2],
  ])("in the middle of %s: the rest completes it", async (_, all, cut) => {
    const octets = await late(all.subarray(0, cut), all.subarray(cut));
    expect(await seen(octets)).toEqual(await seen([all]));
  });

  test("the hidden cursor, its shape and the mouse's encoding are part of the screen", async () => {
    const octets = await late("\x1b[?25l\x1b[?1006h\x1b[4 qx", "");
    const text = Buffer.concat(octets).toString();
    for (const part of ["\x1b[?25l", "\x1b[?1006h", "\x1b[4 q"]) expect(text).toContain(part);
    expect(Buffer.concat(await late("\x1b[?25l\x1b[?1006h\x1b[4 qx\x1bc.", "")).toString()).not.toMatch(/\?25l|1006h| q/);
  });
});
