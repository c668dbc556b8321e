import { instant, type Instant, type Random } from "../../../reference/core/index.ts";
import { deflateEngine } from "../../../reference/io/index.ts";
import {
  Connection,
  type Agreement,
  type DeflateOptions,
  type Engine,
  type Event,
  type Limits,
  type Side,
} from "../../../reference/websocket/index.ts";
import { among, below, chance, type Draw, hexOf, octetsOf, textOf, tried } from "./draw.ts";
import { closeCodeOf, lengthOf, textPayload } from "./websocket-frames.ts";

/** One connection, and the lines that tell what goes in and comes out. */
export class Teller {
  readonly machine: Connection;
  readonly lines: string[];
  readonly #name: string;
  now: Instant;
  isOver = false;
  #before = "";
  /** The part of a message reported last, to which the next one is joined. */
  #part: { kind: string; data: Buffer } | undefined;

  constructor(name: string, machine: Connection, lines: string[]) {
    this.machine = machine;
    this.lines = lines;
    this.#name = name;
    this.now = instant(START);
  }
  say(line: string): void {
    this.lines.push(`${this.#name} ${line}`);
  }
  receive(octets: Uint8Array): void {
    this.say(`< ${hexOf(octets)}`);
    this.#hear(this.machine.receive(octets, this.now));
  }
  ended(): void {
    this.say("the transport ended");
    this.#hear(this.machine.ended(this.now));
  }
  tick(at: Instant): void {
    this.now = at;
    this.say(`at ${at}`);
    this.#hear(this.machine.tick(at));
  }
  /** The octets to write, joined. */
  take(): Uint8Array {
    const octets = new Uint8Array(Buffer.concat(this.machine.take()));
    if (octets.length > 0) this.say(`> ${hexOf(octets)}`);
    this.drain();
    return octets;
  }
  act(what: string, call: () => boolean | undefined | void): void {
    const result = tried(call);
    this.say(result === undefined ? what : `${what}: ${String(result)}`);
    this.drain();
  }
  drain(): void {
    this.#hear(this.machine.events());
    const { isOpen, wants, queued, deadline } = this.machine;
    const now = `${isOpen ? "open" : "not open"} ${wants ? "wants" : "paused"} queued ${queued} deadline ${deadline}`;
    if (now !== this.#before) this.say((this.#before = now));
  }
  #hear(events: readonly Event[]): void {
    for (const event of events) {
      if (event.is === "closed") this.isOver = true;
      if (event.is === "fragment") {
        const data = typeof event.data === "string" ? Buffer.from(event.data) : Buffer.from(event.data);
        this.#part = { kind: event.kind, data: this.#part === undefined ? data : Buffer.concat([this.#part.data, data]) };
        if (!event.end) continue;
      }
      this.#sayPart(event.is === "fragment");
      if (event.is !== "fragment") this.say(eventText(event));
    }
    this.#sayPart(false);
  }
  #sayPart(isEnd: boolean): void {
    if (this.#part === undefined) return;
    this.say(`part of ${this.#part.kind} ${hexOf(this.#part.data)}${isEnd ? " end" : ""}`);
    this.#part = undefined;
  }
}

function eventText(event: Exclude<Event, { readonly is: "fragment" }>): string {
  switch (event.is) {
    case "message":
      return `${event.kind} ${typeof event.data === "string" ? textOf(event.data) : hexOf(event.data)}`;
    case "ping":
    case "pong":
      return `${event.is} ${hexOf(event.data)}`;
    case "closing":
      return `closing ${event.code} ${textOf(event.reason)}`;
    case "closed": {
      const { code, reason, clean, fault } = event;
      return `closed ${code} ${textOf(reason)} ${clean ? "clean" : "not clean"}${fault === undefined ? "" : ` ${fault.name} ${fault.code} ${fault.spec}`}`;
    }
    default:
      return event.is;
  }
}

/** When each life begins. */
const START = 1_000;

/** Compression that shows what it is asked: pairs of a count and an octet; the count 255 is corrupt. With takeover, each message ends with a count of messages. */
function openEngine(say: (line: string) => void): Engine {
  return {
    inflater(bits, takeover) {
      say(`inflater ${bits} ${takeover}`);
      let count = -1;
      return {
        inflate(octets, end, limit) {
          const out: number[] = [];
          for (const octet of octets) {
            if (count < 0) count = octet;
            else {
              if (count === 0xff) return "corrupt";
              for (; count > 0; count--) out.push(octet);
              count = -1;
            }
          }
          if (end) count = -1;
          return out.length > limit ? "large" : Uint8Array.from(out);
        },
        close: () => say("inflater closed"),
      };
    },
    deflater(bits, takeover) {
      say(`deflater ${bits} ${takeover}`);
      return { deflate: (octets) => paired(octets), close: () => say("deflater closed") };
    },
  };
}
/** The octets as `openEngine` compresses them. */
export function paired(octets: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < octets.length;) {
    let to = at + 1;
    while (to < octets.length && octets[to] === octets[at] && to - at < 200) to++;
    out.push(to - at, octets[at]!);
    at = to;
  }
  return Uint8Array.from(out);
}

export const agreementOf = (draw: Draw): Agreement => ({
  serverTakeover: chance(draw, 0.6),
  clientTakeover: chance(draw, 0.6),
  serverBits: 8 + below(draw, 8),
  clientBits: 8 + below(draw, 8),
});
/** zlib where the peer's octets come from zlib too, else the open engine. */
export function deflateOf(draw: Draw, say: (line: string) => void, agreed: Agreement, isReal: boolean): DeflateOptions {
  const threshold = among(draw, [undefined, 0, 1, 10, 100]);
  return { agreed, engine: isReal ? deflateEngine() : openEngine(say), ...(threshold === undefined ? {} : { threshold }) };
}

/** Small limits, some of them. */
export function limitsOf(draw: Draw): Partial<Limits> {
  const limits: { -readonly [Name in keyof Limits]?: Limits[Name] } = {};
  if (chance(draw, 0.3)) limits.messageOctets = among(draw, [0, 1, 10, 30, 64, 125, 126, 200, 256, 300, 600]);
  if (chance(draw, 0.2)) limits.frames = among(draw, [0, 1, 2, 3, 4]);
  if (chance(draw, 0.25)) limits.controls = among(draw, [0, 1, 2, 3]);
  if (chance(draw, 0.2)) limits.controlsPerSecond = among(draw, [0, 1, 2, 100]);
  if (chance(draw, 0.3)) limits.pongs = among(draw, [0, 1, 2]);
  if (chance(draw, 0.2)) limits.highWater = among(draw, [0, 1, 20, 100, 200]);
  if (chance(draw, 0.2)) limits.queuedOctets = among(draw, [0, 10, 60, 100, 300]);
  if (chance(draw, 0.3)) limits.pingMs = 1_000;
  if (chance(draw, 0.3)) limits.pongMs = 300;
  if (chance(draw, 0.3)) limits.closeMs = 700;
  if (chance(draw, 0.3)) limits.endMs = 50;
  return limits;
}

/** The keys of a client, drawn from the life's seed. */
export const keysFrom =
  (draw: Draw): Random =>
  (into) => {
    for (let at = 0; at < into.length; at++) into[at] = below(draw, 256);
    return into;
  };

export type Setup = { readonly side: Side; readonly limits: Partial<Limits>; readonly deflate?: DeflateOptions };
export function open(draw: Draw, name: string, lines: string[], { side, limits, deflate }: Setup): Teller {
  const text = among(draw, [undefined, undefined, "octets", "string"] as const);
  const fragments = among(draw, [undefined, undefined, true, false] as const);
  lines.push(`${name} ${side} ${JSON.stringify(limits)} ${text} ${fragments} ${JSON.stringify(deflate?.agreed)} ${deflate?.threshold}`);
  const options = {
    side,
    ...(Object.keys(limits).length > 0 || chance(draw, 0.5) ? { limits } : {}),
    ...(side === "client" || chance(draw, 0.1) ? { random: keysFrom(draw) } : {}),
    ...(deflate === undefined ? {} : { deflate }),
    ...(text === undefined ? {} : { text }),
    ...(fragments === undefined ? {} : { fragments }),
  };
  return new Teller(name, new Connection(options, instant(START)), lines);
}

/** Something that an owner does. Ends are rare. */
export function actOn(draw: Draw, teller: Teller): void {
  const { machine } = teller;
  const kind = below(draw, 40);
  if (kind < 9) {
    const octets = textPayload(draw, lengthOf(draw));
    if (chance(draw, 0.3)) return teller.act(`text octets ${hexOf(octets)}`, () => machine.text(octets));
    const text = Buffer.from(octets).toString() + among(draw, ["", "", "", "\ud800", "é", "\u0080", "\u007f"]);
    return teller.act(`text ${textOf(text)}`, () => machine.text(text));
  }
  if (kind < 15) {
    const octets = octetsOf(draw, lengthOf(draw));
    return teller.act(`binary ${hexOf(octets)}`, () => machine.binary(octets));
  }
  if (kind < 23) {
    const isText = chance(draw, 0.6);
    const length = below(draw, 40);
    const octets = isText ? textPayload(draw, length) : octetsOf(draw, length);
    const end = chance(draw, 0.5);
    return teller.act(`fragment ${isText} ${hexOf(octets)} ${end}`, () => machine.fragment(isText ? "text" : "binary", octets, end));
  }
  if (kind < 28) {
    const data = among(draw, [undefined, octetsOf(draw, 3), new Uint8Array(0), octetsOf(draw, 125), octetsOf(draw, 126)]);
    return kind < 26
      ? teller.act(`ping ${data?.length}`, () => machine.ping(data))
      : teller.act(`pong ${data?.length}`, () => machine.pong(data));
  }
  if (kind < 31) {
    const code = chance(draw, 0.3) ? undefined : closeCodeOf(draw);
    const reason = among(draw, [undefined, undefined, "", "bye", "é".repeat(61), "é".repeat(61) + "x", "x".repeat(123), "x".repeat(124)]);
    return teller.act(`close ${code} ${reason?.length}`, () => machine.close(code, reason));
  }
  if (kind < 33) return teller.act("pause", () => machine.pause());
  if (kind < 35) return teller.act("resume", () => machine.resume());
  if (kind === 35) return teller.act("shutdown", () => machine.shutdown());
  if (kind === 36) return teller.act("hold the close", () => machine.holdClose());
  if (kind === 37) return teller.act("release the close", () => machine.releaseClose());
  if (kind === 38 && chance(draw, 0.3)) return teller.act("abort", () => machine.abort());
  return passTime(draw, teller);
}

/** Time passes: to the deadline, one millisecond less or more, or a little. */
export function passTime(draw: Draw, teller: Teller): void {
  const { deadline } = teller.machine;
  const isDue = chance(draw, 0.75) && Number.isFinite(deadline);
  const at = isDue ? Math.max(teller.now, deadline + among(draw, [0, 0, -1, 1])) : teller.now + among(draw, [1, 10, 300, 500, 1_000]);
  teller.tick(instant(at));
  teller.drain();
}
