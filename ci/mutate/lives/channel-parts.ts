import { DEFAULT_CHANNEL_LIMITS, isId, readControl, Replay, type Sender, TROUBLES } from "../../../reference/websocket/channel/index.ts";
import { Boundary } from "../../../reference/websocket/channel/boundary.ts";
import { AGENT_PULSE, CLIENT_PULSE, Pulse } from "../../../reference/websocket/channel/pulse.ts";
import { drawnText, output } from "./channel-strangers.ts";
import { among, below, chance, type Draw, hexOf, octetsOf, tried } from "./draw.ts";

/** Parts by themselves: where output may be cut, the ring of recent output, the heartbeat, messages and names. */
export function partsLife(draw: Draw): string {
  switch (below(draw, 5)) {
    case 0:
    case 1:
      return boundaries(draw);
    case 2:
      return replays(draw);
    case 3:
      return messages(draw);
    default:
      return pulses(draw);
  }
}

const OCTETS = [
  0x1b, 0x1b, 0x5b, 0x5d, 0x50, 0x58, 0x5e, 0x5f, 0x5c, 0x07, 0x18, 0x1a, 0x9b, 0xc2, 0x9d, 0x90, 0x98, 0x9e, 0x9f, 0x9c, 0x20, 0x2f, 0x30,
  0x3f, 0x40, 0x7e, 0x7f, 0x80, 0xbf, 0xc1, 0xdf, 0xe0, 0xef, 0xf0, 0xf4, 0xf5, 0x61, 0x1f,
] as const;
/** What begins a control sequence, a string or a character. */
const BEGINNINGS = [
  "1b5b",
  "1b5d",
  "1b50",
  "1b5f",
  "1b28",
  "1b",
  "c29b",
  "c29d",
  "c290",
  "1b5d1b",
  "c2",
  "c3",
  "e0",
  "e080",
  "f0",
  "f4",
  "1b5dc2",
  "1b5be0",
] as const;
function boundaries(draw: Draw): string {
  const lines: string[] = [];
  const boundary = chance(draw, 0.5) ? new Boundary() : new Boundary(below(draw, 100));
  const isWild = chance(draw, 0.6);
  for (let left = 30; left > 0; left--) {
    const octets = isWild ? wild(draw) : output(draw, 1 + below(draw, 6));
    boundary.take(octets);
    lines.push(`${hexOf(octets)} ${boundary.safe}`);
  }
  return lines.join("\n");
}

function wild(draw: Draw): Uint8Array {
  const next = chance(draw, 0.9) ? among(draw, OCTETS) : below(draw, 256);
  return new Uint8Array([...(chance(draw, 0.4) ? Buffer.from(among(draw, BEGINNINGS), "hex") : []), next]);
}

function replays(draw: Draw): string {
  const lines: string[] = [];
  const capacity = among(draw, [0, 1, 5, 16, 100]);
  const replay = chance(draw, 0.5) ? new Replay(capacity) : new Replay(capacity, below(draw, 50));
  for (let left = 12; left > 0; left--) {
    replay.append(
      octetsOf(draw, among(draw, [0, 1, capacity - 1 < 0 ? 0 : capacity - 1, capacity, capacity + 1, 2 * capacity + 3, below(draw, 20)])),
    );
    const from = replay.start + (chance(draw, 0.7) ? below(draw, replay.end - replay.start + 1) : below(draw, 5) - 2);
    const to = chance(draw, 0.5) ? undefined : from + below(draw, 8);
    const slice = tried(() => (to === undefined ? replay.slice(from) : replay.slice(from, to)));
    lines.push(`${replay.capacity} ${replay.start} ${replay.end} ${from} ${to} ${typeof slice === "string" ? slice : hexOf(slice)}`);
  }
  return lines.join("\n");
}

const NAMES = ["a", "A9", "a.b", "-a", "a-", "_a", "a_b", "", "é", "a b", "x".repeat(64), "x".repeat(65), "a\n", ".", "9"] as const;
function messages(draw: Draw): string {
  const lines: string[] = [JSON.stringify([DEFAULT_CHANNEL_LIMITS, TROUBLES, CLIENT_PULSE, AGENT_PULSE])];
  for (let left = 12; left > 0; left--) {
    const sender = among(draw, ["agent", "client", "hub"] as const);
    const text = drawnText(draw, sender, { start: 0, end: below(draw, 30), input: 5, window: 10, typed: 9 }, 100);
    const reader: Sender = chance(draw, 0.9) ? sender : "client";
    const name = among(draw, NAMES);
    lines.push(`${reader} ${text}`, JSON.stringify(readControl(text, reader)), `${name} ${isId(name)}`);
  }
  return lines.join("\n");
}

function pulses(draw: Draw): string {
  const lines: string[] = [];
  const rhythm = among(draw, [CLIENT_PULSE, AGENT_PULSE, { askMs: 10, deadMs: 7 }]);
  let now = below(draw, 50);
  const pulse = new Pulse(rhythm, now);
  for (let left = 20; left > 0; left--) {
    now = chance(draw, 0.7) ? Math.max(now, pulse.deadline + below(draw, 3) - 1) : now + below(draw, 10);
    if (chance(draw, 0.3)) pulse.heard(now);
    lines.push(`${now} ${chance(draw, 0.8) ? pulse.beat(now) : ""} ${pulse.deadline}`);
  }
  return lines.join("\n");
}
