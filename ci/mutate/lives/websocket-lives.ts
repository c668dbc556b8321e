import { type Side } from "../../../reference/websocket/index.ts";
import { deflateEngine } from "../../../reference/io/index.ts";
import { instant } from "../../../reference/core/index.ts";
import { among, below, chance, type Draw, octetsOf } from "./draw.ts";
import { controlFrame, cutAnew, drawnFrames, type Frame, frameOctets, keyFor, messageFrames, textPayload } from "./websocket-frames.ts";
import { actOn, agreementOf, deflateOf, limitsOf, open, paired, passTime, type Teller } from "./websocket-machine.ts";

/** One machine that hears frames, valid or damaged and cut anywhere, while its owner acts and time passes. */
export function machineLife(draw: Draw): string {
  const side: Side = chance(draw, 0.65) ? "server" : "client";
  const lines: string[] = [];
  const isReal = chance(draw, 0.12);
  const agreed = chance(draw, 0.35) ? agreementOf(draw) : undefined;
  const deflate = agreed === undefined ? undefined : deflateOf(draw, (line) => lines.push(line), agreed, isReal);
  const teller = open(draw, "it", lines, {
    side,
    limits: chance(draw, 0.6) ? limitsOf(draw) : {},
    ...(deflate === undefined ? {} : { deflate }),
  });
  const peer =
    agreed === undefined || !isReal
      ? undefined
      : deflateEngine().deflater(
          side === "server" ? agreed.clientBits : agreed.serverBits,
          side === "server" ? agreed.clientTakeover : agreed.serverTakeover,
        );
  const compress = peer === undefined ? paired : (octets: Uint8Array, end: boolean) => peer.deflate(octets, end);
  const frames = chance(draw, 0.25)
    ? atTheLimit(draw, side)
    : drawnFrames(draw, { to: side, ...(agreed === undefined ? {} : { deflate: compress }) });
  peer?.close();
  const pieces = cutAnew(draw, frames);
  const [acts, takes, drains] = [chance(draw, 0.5) ? 0.3 : 0.05, among(draw, [1, 0.9, 0.4, 0.05]), among(draw, [1, 0.5])];
  const waits = chance(draw, 0.2) ? 0.5 : 0.08;
  for (const piece of pieces) {
    while (chance(draw, acts)) actOn(draw, teller);
    if (chance(draw, waits)) passTime(draw, teller);
    teller.receive(piece);
    // Replies to what has just been reported go before an answer to a Close.
    if (chance(draw, acts)) actOn(draw, teller);
    if (chance(draw, drains)) teller.drain();
    if (chance(draw, takes)) teller.take();
    if (teller.isOver && chance(draw, 0.4)) break;
  }
  finish(draw, teller);
  return lines.join("\n");
}

/** Lets time pass, or ends the transport. */
function finish(draw: Draw, teller: Teller): void {
  for (let left = below(draw, 6); left > 0; left--) {
    if (chance(draw, 0.4)) actOn(draw, teller);
    passTime(draw, teller);
    if (chance(draw, 0.5)) teller.take();
  }
  if (chance(draw, 0.6)) teller.ended();
  teller.take();
  teller.drain();
  if (chance(draw, 0.3)) actOn(draw, teller);
  teller.take();
}

/** Frames that meet a limit of `limitsOf` exactly, or exceed it by one. */
function atTheLimit(draw: Draw, to: Side): Uint8Array[] {
  const frames: Frame[] = [];
  const plan = { to };
  switch (below(draw, 4)) {
    case 0:
      frames.push(
        ...messageFrames(draw, plan, among(draw, [0, 1, 10, 30, 64, 125, 126, 200, 256, 300, 600]) + below(draw, 2), 1 + below(draw, 4)),
      );
      break;
    case 1:
      frames.push(...messageFrames(draw, plan, 12, 1 + below(draw, 6)).filter(({ opcode }) => opcode < 8));
      break;
    case 2:
      frames.push(...Array.from({ length: 1 + below(draw, 9) }, () => controlFrame(draw)));
      break;
    default: {
      // Only the head is sent: its length decides.
      const announced = among(draw, [30, 126, 600, 65_536, 2 ** 24, 2 ** 24 + 1, 2 ** 32, 2 ** 32 + 600]) + below(draw, 2);
      frames.push({ opcode: 2, announced }, { opcode: 9 });
    }
  }
  return [...frames, ...(chance(draw, 0.5) ? messageFrames(draw, plan) : [])].map((frame) => frameOctets(frame, keyFor(draw, to)));
}

/** Two machines that talk. */
export function pairLife(draw: Draw): string {
  const lines: string[] = [];
  const agreed = chance(draw, 0.5) ? agreementOf(draw) : undefined;
  const isReal = chance(draw, 0.3);
  const limits = chance(draw, 0.4) ? limitsOf(draw) : {};
  const setup = (side: Side) => ({
    side,
    limits,
    ...(agreed === undefined ? {} : { deflate: deflateOf(draw, (line) => lines.push(`${side} ${line}`), agreed, isReal) }),
  });
  const ends = [open(draw, "C", lines, setup("client")), open(draw, "S", lines, setup("server"))] as const;
  const pipes: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  const steps = chance(draw, 0.04) ? 90 : 4 + below(draw, 22);
  for (let step = 0; step < steps; step++) {
    const who = below(draw, 2) as 0 | 1;
    const [me, other] = [ends[who], (1 - who) as 0 | 1];
    if (steps > 60) me.act("binary", () => me.machine.binary(octetsOf(draw, 2)));
    else if (chance(draw, 0.6)) actOn(draw, me);
    if (chance(draw, 0.85)) pipes[other] = new Uint8Array(Buffer.concat([pipes[other], me.take()]));
    const waiting = pipes[who];
    if (waiting.length > 0 && chance(draw, 0.9)) {
      const count = chance(draw, 0.7) ? waiting.length : 1 + below(draw, waiting.length);
      pipes[who] = waiting.slice(count);
      me.receive(waiting.slice(0, count));
      me.drain();
    }
    const now = instant(Math.max(ends[0].now, ends[1].now));
    ends[0].now = now;
    ends[1].now = now;
  }
  for (const end of ends) finish(draw, end);
  return lines.join("\n");
}

/** One long message in many pieces: rooms that grow, words and wide words of masks, lengths of 16 and 64 bits. */
export function longLife(draw: Draw): string {
  const lines: string[] = [];
  const side: Side = chance(draw, 0.7) ? "server" : "client";
  const teller = open(draw, "it", lines, { side, limits: {} });
  const length = among(draw, [500, 512, 700, 1_000, 2_000, 3_000, 5_000, 9_000, 66_000]) + below(draw, 70);
  const isText = chance(draw, 0.6);
  const payload = isText ? textPayload(draw, length) : octetsOf(draw, length);
  const parts = chance(draw, 0.4) ? 1 : among(draw, [2, 3, 8, 40]);
  const frames: Uint8Array[] = [];
  for (let at = 0, part = 0; part < parts; part++) {
    const to = part === parts - 1 ? payload.length : Math.min(payload.length, at + below(draw, (2 * payload.length) / parts));
    const frame = { opcode: part === 0 ? (isText ? 1 : 2) : 0, fin: part === parts - 1, payload: payload.subarray(at, to) };
    frames.push(frameOctets(frame, keyFor(draw, side)));
    at = to;
  }
  const all = Buffer.concat(frames);
  const size = among(draw, [all.length, all.length >> 1, 3_000, 700, 300]);
  const shift = below(draw, 5);
  for (let at = 0; at < all.length;) {
    const count = Math.min(all.length - at, chance(draw, 0.3) ? 1 + below(draw, size) : size);
    // At any alignment.
    const room = new Uint8Array(count + shift);
    room.set(all.subarray(at, at + count), shift);
    teller.receive(room.subarray(shift));
    at += count;
  }
  teller.take();
  teller.act("answer", () => (isText ? teller.machine.text(Buffer.from(payload).toString("latin1")) : teller.machine.binary(payload)));
  teller.take();
  teller.ended();
  return lines.join("\n");
}
