import { instant, seeded, type Instant, type Random } from "../core/index.ts";
import { Connection, type Options } from "./connection.ts";
import type { Event, Side } from "./contract.ts";
import type { Engine } from "./deflate.ts";

/** Shared by the tests of this folder: any frames, events as lines, and a connection with a peer that sends octets. */

export const T0: Instant = instant(0);
export const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));
export const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
export const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
export const join = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** Keys that are the same in every run. */
export function keys(seed = 1): Random {
  const next = seeded(seed);
  return (into) => into.map((_, i) => (into[i] = Math.floor(next() * 256)));
}

/** A frame by its parts, valid or not; `key` is hexadecimal, or false for an unmasked payload (rfc6455#5.2). */
type Raw = {
  readonly op: number;
  readonly fin?: boolean;
  /** The three reserved bits, as 0x40, 0x20 and 0x10. */
  readonly rsv?: number;
  readonly key?: string | false;
  readonly payload?: Uint8Array | string;
  /** A wrong or non-minimal length field in hexadecimal: the seven bits, and what follows them. */
  readonly length?: string;
};
const KEY = "37fa213d";

/** The octets of a frame, valid or not. Written independently of the code that it tests. */
export function raw({ op, fin = true, rsv = 0, key = KEY, payload = "", length }: Raw): Uint8Array {
  const plain = typeof payload === "string" ? utf8(payload) : payload;
  const size = plain.length;
  const masks = key === false ? 0 : 0x80;
  const head: number[] = [(fin ? 0x80 : 0) | rsv | op];
  if (length !== undefined) head.push(...bytes(length));
  else if (size < 126) head.push(size);
  else if (size < 65_536) head.push(126, size >> 8, size & 0xff);
  else head.push(127, 0, 0, 0, 0, size >>> 24, (size >> 16) & 0xff, (size >> 8) & 0xff, size & 0xff);
  head[1]! |= masks;
  if (key === false) return join([Uint8Array.from(head), plain]);
  const pad = bytes(key);
  return join([Uint8Array.from(head), pad, plain.map((octet, i) => octet ^ pad[i % 4]!)]);
}
/** Frames of a client. */
export const text = (payload: Uint8Array | string, more: Partial<Raw> = {}): Uint8Array => raw({ op: 1, payload, ...more });
export const binary = (payload: Uint8Array | string, more: Partial<Raw> = {}): Uint8Array => raw({ op: 2, payload, ...more });
export const more = (payload: Uint8Array | string, fin: boolean, rest: Partial<Raw> = {}): Uint8Array =>
  raw({ op: 0, payload, fin, ...rest });
export const ping = (payload = "", rest: Partial<Raw> = {}): Uint8Array => raw({ op: 9, payload, ...rest });
export const pong = (payload = "", rest: Partial<Raw> = {}): Uint8Array => raw({ op: 10, payload, ...rest });
export const close = (code?: number, reason: Uint8Array | string = "", rest: Partial<Raw> = {}): Uint8Array =>
  raw({
    op: 8,
    payload:
      code === undefined ? "" : join([Uint8Array.of(code >> 8, code & 0xff), utf8(""), typeof reason === "string" ? utf8(reason) : reason]),
    ...rest,
  });

const sayData = (data: string | Uint8Array): string => (typeof data === "string" ? data : `<${hex(data)}>`);
/** An event as one line. */
export function sayEvent(event: Event): string {
  switch (event.is) {
    case "message":
      return `${event.kind} ${sayData(event.data)}`;
    case "fragment":
      return `${event.kind} part ${sayData(event.data)}${event.end ? " end" : ""}`;
    case "ping":
    case "pong":
      return `${event.is} ${Buffer.from(event.data).toString("latin1")}`.trimEnd();
    case "closing":
      return `closing ${event.code} ${event.reason}`.trimEnd();
    case "closed":
      return `closed ${event.code}${event.reason === "" ? "" : ` ${event.reason}`}${event.clean ? " clean" : ""}${event.fault === undefined ? "" : ` ${event.fault.name}`}`;
    default:
      return event.is;
  }
}

/** Joins neighbouring parts of a message: where they are cut does not matter. */
export function merged(events: readonly Event[]): Event[] {
  const list: Event[] = [];
  for (const event of events) {
    const before = list.at(-1);
    if (event.is !== "fragment" || before?.is !== "fragment" || before.end) list.push(event);
    else if (event.kind === "text" && before.kind === "text") list[list.length - 1] = { ...event, data: before.data + event.data };
    else if (event.kind !== "text" && before.kind !== "text") list[list.length - 1] = { ...event, data: join([before.data, event.data]) };
    else throw new Error(`a message of ${before.kind} continues as ${event.kind}`);
  }
  return list;
}

/** The frames that a connection has sent, as lines with name, flags and payload. */
export function sayFrames(octets: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < octets.length;) {
    const first = octets[at]!;
    const second = octets[at + 1]!;
    let size = second & 0x7f;
    let from = at + 2;
    if (size === 126) {
      size = (octets[from]! << 8) | octets[from + 1]!;
      from += 2;
    } else if (size === 127) {
      size = Number(Buffer.from(octets).readBigUInt64BE(from));
      from += 8;
    }
    const masked = second >= 0x80;
    const pad = masked ? octets.slice(from, from + 4) : new Uint8Array(4);
    if (masked) from += 4;
    const payload = octets.slice(from, from + size).map((octet, i) => octet ^ pad[i % 4]!);
    const op = first & 0x0f;
    const name = ["more", "text", "binary", "3", "4", "5", "6", "7", "close", "ping", "pong"][op] ?? String(op);
    const said =
      op === 8 && size >= 2
        ? `${(payload[0]! << 8) | payload[1]!} ${Buffer.from(payload.subarray(2)).toString()}`
        : op === 2
          ? `<${hex(payload)}>`
          : Buffer.from(payload).toString();
    lines.push(
      [masked ? "masked" : "", (first & 0x40) !== 0 ? "rsv1" : "", name, said, first < 0x80 ? "…" : ""]
        .filter((word) => word !== "")
        .join(" ")
        .trimEnd(),
    );
    at = from + size;
  }
  return lines;
}

/** Compression for tests: pairs of a count and an octet; the count 0xff is corrupt. Messages share no context. */
const runs: Engine = {
  inflater() {
    /** A count whose octet has not arrived. */
    let pending = -1;
    return {
      inflate(octets, end, limit) {
        const out: number[] = [];
        for (const octet of octets) {
          if (pending < 0) pending = octet;
          else {
            for (; pending > 0; pending--) out.push(octet);
            pending = -1;
          }
          if (pending === 0xff) return "corrupt";
          if (out.length > limit) return "large";
        }
        if (end) pending = -1;
        return Uint8Array.from(out);
      },
      close: () => {},
    };
  },
  deflater: () => ({
    deflate: (octets) => Uint8Array.from([...octets].flatMap((octet) => [1, octet])),
    close: () => {},
  }),
};
export const DEFLATE: NonNullable<Options["deflate"]> = {
  agreed: { serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 },
  engine: runs,
  threshold: 0,
};

/** A connection, with a peer that sends octets. */
export class Rig {
  readonly c: Connection;
  now: Instant = T0;
  readonly cut: number;

  constructor(side: Side, options: Omit<Options, "side"> = {}, cut = Number.POSITIVE_INFINITY) {
    this.c = new Connection({ side, random: keys(), ...options }, T0);
    this.cut = cut;
  }
  events(...frames: readonly Uint8Array[]): Event[] {
    const octets = join(frames);
    const events: Event[] = [];
    for (let at = 0; at < octets.length; at += this.cut)
      events.push(...this.c.receive(octets.slice(at, Math.min(octets.length, at + this.cut)), this.now));
    events.push(...this.c.events());
    return merged(events);
  }
  receives(...frames: readonly Uint8Array[]): string[] {
    return this.events(...frames).map(sayEvent);
  }
  /** The events that actions have caused. */
  told(): string[] {
    return merged(this.c.events()).map(sayEvent);
  }
  ended(): string[] {
    return this.c.ended(this.now).map(sayEvent);
  }
  tick(ms: number): string[] {
    this.now = instant(ms);
    return this.c.tick(this.now).map(sayEvent);
  }
  /** All that the connection sends, one line for each frame. */
  out(): string[] {
    return sayFrames(join(this.c.take()));
  }
}
export const server = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig("server", options, cut);
export const client = (options: Omit<Options, "side"> = {}, cut?: number): Rig => new Rig("client", options, cut);

/** Plays frames to a fresh connection, whole and octet by octet: both must agree. Returns its events, then what it sends. */
export function play(frames: readonly Uint8Array[], options: Omit<Options, "side"> = {}, side: Side = "server"): string[] {
  const played = (cut?: number): string[] => {
    const rig = new Rig(side, options, cut);
    return [...rig.receives(...frames), ...rig.out().map((line) => `> ${line}`)];
  };
  const [whole, chopped] = [played(), played(1)];
  return JSON.stringify(whole) === JSON.stringify(chopped) ? whole : ["octet by octet it differs:", ...whole, "and", ...chopped];
}
