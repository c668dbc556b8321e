import type { Side } from "../../../reference/http2/index.ts";
import type { Chance } from "./chance.ts";
import { FLAG, octetsOf, piece, pieceText, readU32, TYPE, u32, type Piece } from "./http2-frames.ts";
import { blockOf, promiseOf, requestOf, responseOf, trailersOf } from "./http2-messages.ts";
import { peerWeights, type PeerDeed, type Topic } from "./http2-setup.ts";
import { damagedPiece, otherSettings } from "./http2-wrong.ts";

/** A stream as the peer sees it. */
type Known = {
  readonly id: number;
  /** What the peer may still send. */
  credit: number;
  /** Its own side has begun, or ended. */
  mine: "silent" | "open" | "ended";
  theirs: "silent" | "open" | "ended";
  isReset: boolean;
  /** What content-length still demands of it. */
  owed: number | undefined;
};
const INITIAL_WINDOW = 65_535;
const MAX_WINDOW = 0x7fff_ffff;
const ID = { initialWindow: 4, maxFrame: 5, headerTable: 1 } as const;

/** A peer of a machine, which sends frames, most of them legal, and watches what it receives only as far as that needs. */
export class Peer {
  readonly side: Side;
  readonly #chance: Chance;
  readonly #topic: Topic;
  readonly #streams = new Map<number, Known>();
  /** Settings of the machine that are not acknowledged yet. */
  readonly #unacknowledged: Map<number, number>[] = [];
  readonly #pings: Uint8Array[] = [];
  #next: number;
  #credit = INITIAL_WINDOW;
  #initialWindow = INITIAL_WINDOW;
  #maxFrame = 16_384;
  #table = 4_096;
  #update: number | undefined;
  /** The machine's windows as far as the peer has moved them. */
  #given = INITIAL_WINDOW;
  /** One frame in so many is on a stream where it does not belong, or otherwise wrong. */
  readonly #care: number;

  constructor(side: Side, chance: Chance, topic: Topic) {
    this.side = side;
    this.#chance = chance;
    this.#topic = topic;
    this.#next = side === "client" ? 1 : 2;
    this.#care = chance.one([15, 100, 1_000]);
  }

  /** A frame of the machine. */
  hear({ type, flags, stream: id, payload }: Piece): void {
    const isEnd = (flags & FLAG.END_STREAM) !== 0;
    const known = this.#streams.get(id);
    if (type === TYPE.SETTINGS && (flags & FLAG.ACK) === 0) {
      const found = new Map<number, number>();
      for (let at = 0; at + 6 <= payload.length; at += 6) found.set((payload[at]! << 8) | payload[at + 1]!, readU32(payload, at + 2));
      this.#unacknowledged.push(found);
    } else if (type === TYPE.PING && (flags & FLAG.ACK) === 0) this.#pings.push(payload.slice());
    else if (type === TYPE.WINDOW_UPDATE) {
      if (id === 0) this.#credit += readU32(payload, 0);
      else if (known !== undefined) known.credit += readU32(payload, 0);
    } else if (type === TYPE.HEADERS) {
      const stream = known ?? this.#begin(id, "silent");
      stream.theirs = isEnd ? "ended" : "open";
    } else if (type === TYPE.DATA && known !== undefined && isEnd) known.theirs = "ended";
    else if (type === TYPE.RST_STREAM && known !== undefined) known.isReset = true;
    else if (type === TYPE.PUSH_PROMISE) this.#begin(readU32(payload, 0), "ended").theirs = "silent";
  }

  #begin(id: number, mine: Known["mine"]): Known {
    const stream: Known = { id, credit: this.#initialWindow, mine, theirs: "silent", isReset: false, owed: undefined };
    this.#streams.set(id, stream);
    return stream;
  }

  /** The preface, and the first SETTINGS in most lives. */
  greeting(): Uint8Array[] {
    const chance = this.#chance;
    const hello = this.side === "client" ? [Uint8Array.from(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"))] : [];
    if (chance.once(60)) hello[0]?.fill(chance.below(256), chance.below(24), 24);
    if (chance.once(60)) return hello;
    return [
      ...hello,
      octetsOf(chance.once(80) ? chance.one([piece("PING", 0, new Uint8Array(8)), piece("SETTINGS", 0, [], FLAG.ACK)]) : this.#settings()),
    ];
  }

  /** The next frames, and a line about each. */
  speak(say: (line: string) => void): Uint8Array[] {
    const chance = this.#chance;
    const weights = peerWeights(this.#topic);
    const isDue = this.#unacknowledged.length > 0 || this.#pings.length > 0;
    const deed = chance.weighed<PeerDeed>({
      ...weights,
      acknowledge: isDue ? weights.acknowledge : 0,
      promise: this.side === "server" ? weights.promise : 0.02,
    });
    const found = this.#perform(deed).map((one) =>
      this.#topic.damage !== undefined && chance.once(this.#topic.damage) ? damagedPiece(chance, one) : one,
    );
    for (const one of found) say(`  peer: ${pieceText(one)}`);
    return found.map(octetsOf);
  }

  #perform(deed: PeerDeed): Piece[] {
    const chance = this.#chance;
    switch (deed) {
      case "open":
        return this.side === "client" ? this.#request() : this.#respond();
      case "data":
        return this.#data();
      case "trailers":
        return this.#trailers();
      case "reset": {
        const id = this.#target();
        if (id === undefined) return [];
        const known = this.#streams.get(id);
        if (known !== undefined) known.isReset = true;
        return [piece("RST_STREAM", id, u32(chance.one([0, 0, 1, 7, 8, 11, 13, 14, 0xffff_ffff])))];
      }
      case "settings":
        return [this.#settings()];
      case "acknowledge":
        return this.#acknowledge();
      case "ping":
        return [piece("PING", 0, chance.octets(8), chance.once(4) ? FLAG.ACK : 0)];
      case "goaway":
        return [
          piece("GOAWAY", 0, [
            ...u32(chance.one([0, 1, 2, 3, 4, 5, 7, MAX_WINDOW])),
            ...u32(chance.one([0, 0, 1, 11, 99])),
            ...chance.octets(chance.below(4)),
          ]),
        ];
      case "credit":
        return this.#grant();
      case "priority":
        return [
          piece("PRIORITY", chance.once(3) ? 99 : (this.#target() ?? 7), [
            ...u32(chance.one([0, 1, 3, this.#anyId()]) + (chance.once(4) ? 2 ** 31 : 0)),
            chance.below(256),
          ]),
        ];
      case "update":
        if (this.side === "server" && !this.#isStray()) return [];
        return [
          piece("PRIORITY_UPDATE", 0, [
            ...u32(this.#isStray() ? this.#anyId() : chance.once(3) ? this.#next + 2 * chance.below(3) : (this.#target() ?? 1)),
            ...Buffer.from(chance.one(["u=0", "u=1", "u=7", "u=2, i", "i", "", "u=9", "nonsense!"])),
          ]),
        ];
      case "unknown":
        return [
          {
            type: chance.one([10, 11, 12, 13, 99, 255]),
            flags: chance.below(256),
            stream: chance.one([0, 1, 2, 9]),
            payload: chance.octets(chance.below(12)),
          },
        ];
      case "promise":
        return this.#promise();
      case "continue":
        return [piece("CONTINUATION", this.#anyId(), [], chance.one([0, FLAG.END_HEADERS]))];
      default:
        return this.#anything();
    }
  }

  /** Any identifier that may matter: of streams, of the connection, or of a stream to come. */
  #anyId(): number {
    const known = this.#chance.any([...this.#streams.keys()]) ?? 1;
    return this.#chance.one([
      known,
      known,
      known,
      known,
      known,
      known,
      known,
      known,
      this.#next,
      this.#next + 2,
      0,
      1,
      2,
      known + 1,
      MAX_WINDOW,
    ]);
  }
  #isStray(): boolean {
    return this.#chance.once(this.#care);
  }
  /** A stream that has begun, whatever its state; rarely another. */
  #target(): number | undefined {
    return this.#isStray() ? this.#anyId() : this.#chance.any([...this.#streams.keys()]);
  }
  /** A stream on which the peer may send content. */
  #sender(): Known | undefined {
    return this.#chance.any([...this.#streams.values()].filter(({ mine, isReset }) => mine === "open" && !isReset));
  }
  #owedUpdate(): number | undefined {
    const update = this.#update;
    if (this.#isStray()) return undefined;
    this.#update = undefined;
    return update;
  }

  #request(): Piece[] {
    const chance = this.#chance;
    const isEnd = chance.once(2);
    const { fields, content } = requestOf(chance, isEnd);
    if (chance.once(12)) this.#next += 2 * chance.below(3);
    const stream = this.#begin(this.#next, isEnd ? "ended" : "open");
    stream.owed = content;
    this.#next += 2;
    return this.#block("HEADERS", stream.id, blockOf(chance, fields, this.#owedUpdate()), isEnd ? FLAG.END_STREAM : 0);
  }
  #respond(): Piece[] {
    const chance = this.#chance;
    const waiting = [...this.#streams.values()].filter(({ mine, isReset }) => mine === "silent" && !isReset);
    const isStray = this.#isStray();
    const stream = isStray ? undefined : chance.any(waiting);
    if (stream === undefined && !isStray) return [];
    const isEnd = chance.once(3);
    const { status, fields, content } = responseOf(chance, isEnd);
    if (stream !== undefined && status >= 200) {
      stream.mine = isEnd ? "ended" : "open";
      stream.owed = content;
    }
    return this.#block("HEADERS", stream?.id ?? this.#anyId(), blockOf(chance, fields, this.#owedUpdate()), isEnd ? FLAG.END_STREAM : 0);
  }
  #promise(): Piece[] {
    const chance = this.#chance;
    const parents = [...this.#streams.values()].filter(({ id, mine }) => id % 2 === 1 && mine !== "ended");
    const isStray = this.#isStray();
    const parent = isStray ? this.#anyId() : chance.any(parents)?.id;
    if (parent === undefined) return [];
    const promised = this.#isStray() ? this.#anyId() : this.#next;
    const block = blockOf(chance, promiseOf(chance), this.#owedUpdate());
    if (promised === this.#next) {
      this.#begin(promised, "silent").theirs = "ended";
      this.#next += 2;
    }
    return this.#block("PUSH_PROMISE", parent, Uint8Array.from([...u32(promised), ...block]));
  }

  /** A field block in one frame or in several, padded or not, with or without a priority. */
  #block(name: "HEADERS" | "PUSH_PROMISE", stream: number, block: Uint8Array, flags = 0): Piece[] {
    const chance = this.#chance;
    const fixed = name === "PUSH_PROMISE" ? 4 : 0;
    const cuts = chance.once(this.#topic.hasLongBlocks === true ? 2 : 8)
      ? Array.from({ length: chance.between(1, 4) }, () => fixed + chance.below(block.length - fixed + 1)).sort((a, b) => a - b)
      : [];
    const parts = [...cuts, block.length].map((end, at) => block.subarray(cuts[at - 1] ?? 0, end));
    const [first = block, ...rest] = parts;
    const isPadded = chance.once(6);
    const hasPriority = name === "HEADERS" && chance.once(8);
    const padding = isPadded ? chance.below(6) : 0;
    const payload = [
      ...(isPadded ? [this.#isStray() ? first.length + padding + chance.between(0, 6) : padding] : []),
      ...(hasPriority ? [...u32(chance.one([0, 0, 1, stream])), chance.below(256)] : []),
      ...first,
      ...Array.from({ length: padding }, () => 0),
    ];
    const all = flags | (isPadded ? FLAG.PADDED : 0) | (hasPriority ? FLAG.PRIORITY : 0) | (rest.length === 0 ? FLAG.END_HEADERS : 0);
    const isCut = this.#isStray();
    const more = rest.map((part, at) => piece("CONTINUATION", stream, part, at === rest.length - 1 && !isCut ? FLAG.END_HEADERS : 0));
    return [piece(name, stream, payload, all), ...more];
  }

  #trailers(): Piece[] {
    const chance = this.#chance;
    const isStray = this.#isStray();
    const stream = isStray ? undefined : this.#sender();
    if (stream === undefined && !isStray) return [];
    const isEnd = !chance.once(10);
    if (stream !== undefined && isEnd) stream.mine = "ended";
    return this.#block(
      "HEADERS",
      stream?.id ?? this.#anyId(),
      blockOf(chance, trailersOf(chance), this.#owedUpdate()),
      isEnd ? FLAG.END_STREAM : 0,
    );
  }

  #data(): Piece[] {
    const chance = this.#chance;
    const isStray = this.#isStray();
    const stream = isStray ? undefined : this.#sender();
    if (stream === undefined && !isStray) return this.#perform(this.side === "client" || !this.#chance.once(3) ? "open" : "acknowledge");
    const window = Math.min(this.#credit, stream?.credit ?? 10);
    const size = this.#sizeOf(stream, window);
    const isPadded = size > 0 && chance.once(5);
    const padding = isPadded ? Math.min(size - 1, chance.one([0, 1, 5, 255])) : 0;
    const content = isPadded ? size - 1 - padding : size;
    if (stream?.owed !== undefined) stream.owed -= content;
    const isEnd = stream?.owed === 0 ? !chance.once(4) : chance.once(stream?.owed === undefined ? 4 : 25);
    if (stream !== undefined) {
      stream.credit -= size;
      if (isEnd) stream.mine = "ended";
    }
    this.#credit -= size;
    const payload = new Uint8Array(size).fill(chance.between(1, 255), isPadded ? 1 : 0, size - padding);
    if (isPadded) payload[0] = padding;
    return [piece("DATA", stream?.id ?? this.#anyId(), payload, (isEnd ? FLAG.END_STREAM : 0) | (isPadded ? FLAG.PADDED : 0))];
  }
  /** How much to send: something small, all that is owed, or all that the window allows, and sometimes one octet more. */
  #sizeOf(stream: Known | undefined, window: number): number {
    const chance = this.#chance;
    const most = Math.min(Math.max(0, window), this.#maxFrame, this.#topic.isLarge === true ? 70_000 : 20_000);
    if (stream?.owed !== undefined && !chance.once(12)) return Math.max(0, Math.min(stream.owed, most, chance.once(3) ? 3 : most));
    if (this.#isStray()) return Math.max(1, Math.min(window + 1, 20_001));
    if (most < 400 || this.#topic.isLarge === true) return chance.once(2) ? most : chance.below(most + 1);
    return Math.min(most, chance.one([0, 1, 5, 20, 20, 50, 50, 100, chance.below(2_000), chance.once(4) ? most : 3]));
  }

  /** Credit: little, much, or all that a window may have, and one more. */
  #grant(): Piece[] {
    const chance = this.#chance;
    const id = chance.once(3) ? 0 : (this.#target() ?? 0);
    const increment = this.#isStray()
      ? chance.one([0, MAX_WINDOW, MAX_WINDOW - this.#given, MAX_WINDOW - this.#given + 1])
      : chance.one([1, 2, 10, 50, 100, 1_000, this.#topic.isLarge === true ? 100_000 : 20]);
    if (id === 0) this.#given += increment;
    return [piece("WINDOW_UPDATE", id, u32(increment))];
  }

  #settings(): Piece {
    return piece(
      "SETTINGS",
      0,
      otherSettings(this.#chance, this.side, this.#topic).flatMap(([id, value]) => [0, id, ...u32(value)]),
    );
  }
  #acknowledge(): Piece[] {
    const chance = this.#chance;
    const ping = chance.once(3) || this.#unacknowledged.length === 0 ? this.#pings.shift() : undefined;
    if (ping !== undefined) return [piece("PING", 0, ping, FLAG.ACK)];
    const settings = this.#unacknowledged.shift();
    if (settings === undefined && !this.#isStray()) return [];
    const window = settings?.get(ID.initialWindow) ?? this.#initialWindow;
    for (const stream of this.#streams.values()) stream.credit += window - this.#initialWindow;
    this.#initialWindow = window;
    this.#maxFrame = settings?.get(ID.maxFrame) ?? this.#maxFrame;
    const table = settings?.get(ID.headerTable) ?? this.#table;
    if (table < this.#table) this.#update = Math.min(table, this.#update ?? table);
    this.#table = table;
    return [piece("SETTINGS", 0, [], FLAG.ACK)];
  }

  /** A frame of any type on any stream. */
  #anything(): Piece[] {
    const chance = this.#chance;
    const id = this.#anyId();
    switch (chance.below(6)) {
      case 0:
        return [piece("DATA", id, chance.octets(chance.below(5)), chance.one([0, 1]))];
      case 1:
        return this.#block(
          "HEADERS",
          id,
          blockOf(chance, chance.once(2) ? trailersOf(chance) : requestOf(chance, true).fields, this.#owedUpdate()),
          chance.one([0, 1]),
        );
      case 2:
        return [piece("RST_STREAM", id, u32(8))];
      case 3:
        return [piece("WINDOW_UPDATE", id, u32(chance.one([1, 10, MAX_WINDOW])))];
      case 4:
        return this.#block(
          "PUSH_PROMISE",
          id,
          Uint8Array.from([...u32(this.#anyId()), ...blockOf(chance, promiseOf(chance), this.#owedUpdate())]),
        );
      default:
        return [piece("PRIORITY", id, [...u32(id), 1])];
    }
  }
}
