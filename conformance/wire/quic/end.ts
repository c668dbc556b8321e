import { initialKeys, PacketKeys, V1, type Version } from "../../../reference/quic/index.ts";
import type { Event } from "../../../reference/tls/index.ts";
import { varint } from "../http3/varint.ts";
import { fromHex, join, toHex } from "../octets.ts";
import { build } from "./build.ts";
import type { FrameSpec, PacketSpec } from "./frame-spec.ts";
import { Announced } from "./announced.ts";
import type { EndOptions, Hold } from "./end-options.ts";
import { codeName, PARAMETERS } from "./names.ts";
import { type Cut, cut, expand, type Level, LEVELS, seal } from "./packets.ts";
import { readParameters } from "./parameters.ts";
import { Phases } from "./phases.ts";
import { type ReadFrame, readFrames } from "./read.ts";
import { Space } from "./space.ts";
import { framesInWords, specInWords } from "./words.ts";

type Pending = { readonly level: Level; readonly offset: number; readonly data: Uint8Array; number: number };
const CRYPTO_OCTETS = 1_000;
const DATAGRAM = 1_200;
const AMPLIFICATION = 3;
const NONE = new Uint8Array(0);

/**
 * Our end of one QUIC connection, of version 1. It protects and sends any frames in any packet, and reads leniently what comes back. By itself it
 * completes the handshake and acknowledges; it checks nothing, keeps no limit and repairs no loss but that of the handshake.
 */
export class RawEnd {
  readonly #options: EndOptions;
  readonly #spaces: Readonly<Record<Level, Space>> = { initial: new Space(), handshake: new Space(), application: new Space() };
  readonly #phases = new Phases();
  readonly #version: Version;
  /** Keys of 0-RTT packets, and the numbers of those that we have sent. */
  #early: PacketKeys | undefined;
  readonly earlyNumbers = new Set<number>();
  #destination: Uint8Array;
  #token: Uint8Array;
  #pending: Pending[] = [];
  #hold: Hold | undefined;
  /** Handshake octets of ours that wait for `release`. */
  #held: { readonly level: Level; readonly octets: Uint8Array }[] = [];
  #hasTheirId = false;
  /** IDs that we have issued after the first. */
  readonly #issued: Uint8Array[] = [];
  readonly #tokens = new Set<string>();
  /** The peer's transport parameters. */
  theirs: Announced;
  /** Ours. */
  readonly ours: Announced;
  /** Client: those of the connection that this one resumes. */
  readonly remembered: Announced | undefined;
  established = false;
  isOver = false;
  acknowledges = true;
  /** Octets of a datagram with an Initial packet. */
  size: number;
  /** Whether a packet is read again that has come before. */
  readsTwice = false;
  /** Whether a key update of the peer is answered. */
  answersUpdates = true;
  answersPaths = true;
  /** Whether a stateless reset ends the connection. */
  readsResets = true;
  /** Which Retry packets are obeyed. */
  obeysRetries: "first" | "all" = "first";
  #retried = false;
  /** Server: the Retry that this connection began with. */
  retry: { readonly token: string; readonly source: string } | undefined;
  sentOctets = 0;
  receivedOctets = 0;
  /** Our Handshake packets prove our address (rfc9000#8.1). */
  #isValidated = false;
  /** How much came, for how much, when that was more than three times as much before our address was validated. */
  amplified: { readonly received: number; readonly sent: number } | undefined;
  /** IDs that the peer has given us, by sequence number; the first is that of its handshake. */
  readonly ids = new Map<number, Uint8Array>();

  constructor(options: EndOptions) {
    this.#options = options;
    this.#version = options.version ?? V1;
    this.#destination = options.destination;
    this.#token = options.token ?? NONE;
    this.size = DATAGRAM;
    this.ours = new Announced(options.ours ?? new Map());
    this.remembered = options.remembered && new Announced(options.remembered, options.we);
    this.theirs = this.remembered ?? new Announced(new Map(), options.we);
    this.#hold = options.hold;
    if (options.preferred !== undefined) this.#issued.push(options.preferred);
    this.#keysFor(options.we === "client" ? options.destination : options.source);
  }

  /** Keys of Initial packets; a server derives them from the ID that the client chose. */
  #keysFor(id: Uint8Array): void {
    const { primitives, we } = this.#options;
    const other = we === "client" ? "server" : "client";
    this.#spaces.initial.write = initialKeys(primitives, this.#version, id, we);
    this.#spaces.initial.read = initialKeys(primitives, this.#version, id, other);
  }
  /** Server: the ID by which the first keys are derived. */
  firstId(id: Uint8Array): void {
    this.#keysFor(id);
  }

  /** Client: the first flight. */
  start(): void {
    this.#drain(this.#options.tls.events());
  }

  /** Goes on with what was held back. */
  release(hold?: Hold): void {
    this.#hold = hold;
    const held = this.#held.splice(0);
    for (const { level, octets } of held) this.#crypto(level, octets);
    this.#acknowledge();
  }

  /** Reads packets with the keys before an update, whenever they come. */
  keepOldKeys(): void {
    this.#phases.keepsOld = true;
  }
  /** Client: the token of the Initial packets from now on. */
  set token(token: Uint8Array) {
    this.#token = token;
  }
  get we(): "client" | "server" {
    return this.#options.we;
  }
  get spaces(): Readonly<Record<Level, Space>> {
    return this.#spaces;
  }
  get destination(): Uint8Array {
    return this.#destination;
  }
  set destination(id: Uint8Array) {
    this.#destination = id;
  }
  /** The ID that we chose for the peer, before any Retry. */
  get firstDestination(): Uint8Array {
    return this.#options.destination;
  }

  /** The octets of a packet with these frames; undefined without its keys. */
  packet(
    spec: PacketSpec,
    frames: readonly FrameSpec[] | Uint8Array,
  ): { readonly octets: Uint8Array; readonly number: number } | undefined {
    const { level, skip = 0, reserved = 0, update } = spec;
    if (level !== "initial" && spec.early !== true) this.#isValidated = true;
    const space = this.#spaces[level];
    if (update === "keys") this.#phases.update();
    const early = spec.early === true;
    const keys = early ? this.#early : level === "application" ? this.#phases.writeOf(update === "old") : space.write;
    if (keys === undefined) return undefined;
    space.next += skip;
    const number = space.next++;
    if (early) this.earlyNumbers.add(number);
    const resolve = { value: this.theirs.value, received: space.largest };
    const payload = frames instanceof Uint8Array ? frames : join([NONE, ...frames.map((frame) => build(frame, resolve))]);
    const phase = update === "bit" || update === "old" ? 1 - this.#phases.phase : this.#phases.phase;
    const head = {
      level,
      destination: this.#destination,
      source: this.#options.source,
      token: spec.token === undefined ? this.#token : fromHex(spec.token),
      reserved,
      phase,
      unfixed: spec.unfixed === true,
      early,
      version: spec.version === "v1" ? V1 : this.#version,
    };
    const size = spec.size ?? (level === "initial" ? this.size : 0);
    const octets = seal(keys, head, { number, payload, size });
    if (spec.corrupt === true) octets[octets.length - 1]! ^= 0xff;
    return { octets, number };
  }

  /** Sends packets in one datagram. */
  transmit(octets: readonly Uint8Array[], words: string): void {
    const datagram = join([NONE, ...octets]);
    this.sentOctets += datagram.length;
    this.#options.transcript?.wire("->", words, datagram);
    this.#options.transmit(datagram);
  }
  /** Sends frames in a packet; returns its number, or undefined without its keys. */
  send(spec: PacketSpec, frames: readonly FrameSpec[]): number | undefined {
    const made = this.packet(spec, frames);
    if (made === undefined) return undefined;
    for (const { type, id } of frames) if (type === "NEW_CONNECTION_ID" && id !== undefined && id !== "") this.#issued.push(fromHex(id));
    this.transmit([made.octets], `${spec.early === true ? "0-RTT" : spec.level} packet ${made.number}: ${specInWords(frames)}`);
    return made.number;
  }
  /** Whether the peer has acknowledged our packet. */
  hasAcknowledged(level: Level, number: number): boolean {
    return this.#spaces[level].acknowledged.has(number);
  }

  /** Sends again what of the handshake has not been acknowledged. */
  again(): void {
    if (this.isOver) return;
    this.#pending = this.#pending.filter(({ level, number }) => !this.hasAcknowledged(level, number));
    for (const pending of this.#pending) this.#sendCrypto(pending);
  }

  receive(datagram: Uint8Array): void {
    this.receivedOctets += datagram.length;
    if (!this.#isValidated && this.receivedOctets > AMPLIFICATION * this.sentOctets)
      this.amplified = { received: this.receivedOctets, sent: this.sentOctets };
    this.#options.on({ is: "datagram", octets: datagram.length });
    for (const packet of cut(datagram, this.#idLength(datagram))) this.#packet(packet, datagram);
    this.#acknowledge();
  }

  /** Whether these octets begin with an ID of ours. */
  isOwn(octets: Uint8Array): boolean {
    return [this.#options.source, ...this.#issued].some((id) => id.every((octet, at) => octets[at] === octet));
  }
  /** The length of the ID of ours that a short header has. */
  #idLength(datagram: Uint8Array): number {
    const { source } = this.#options;
    return [source, ...this.#issued].find((id) => id.every((octet, at) => datagram[1 + at] === octet))?.length ?? source.length;
  }

  #packet(packet: Cut, datagram: Uint8Array): void {
    const { transcript, on } = this.#options;
    switch (packet.is) {
      case "version negotiation":
        transcript?.wire("<-", `Version Negotiation: ${packet.versions.map((one) => `0x${one.toString(16)}`).join(", ")}`, datagram);
        return on({ is: "versions", versions: packet.versions });
      case "retry":
        transcript?.wire("<-", `Retry with a token of ${packet.token.length} octets`, datagram);
        on({ is: "retry", token: toHex(packet.token), source: toHex(packet.source) });
        return this.#obeyRetry(packet.source, packet.token);
      case "other":
        return this.#unreadable(packet.octets);
      case "protected":
        return this.#protected(packet);
    }
  }

  #obeyRetry(source: Uint8Array, token: Uint8Array): void {
    if (this.obeysRetries === "first" && (this.#retried || this.#hasTheirId)) return;
    this.#retried = true;
    this.#destination = source.slice();
    this.#token = token.slice();
    if (this.#options.spoils === true && token.length > 0) this.#token[token.length - 1]! ^= 0xff;
    this.#keysFor(this.#destination);
    this.again();
  }

  #protected({ level, early, octets, numberAt, source }: Extract<Cut, { is: "protected" }>): void {
    const space = this.#spaces[level];
    const candidates = this.#candidates(level, early);
    const unmasked = candidates[0]?.unmask(octets, numberAt);
    if (unmasked === undefined) return this.#unreadable(octets);
    const number = expand(unmasked.number, unmasked.length, space.largest);
    const keys = candidates.find((one) => one.open(octets, unmasked.header, number) !== undefined);
    const payload = keys?.open(octets, unmasked.header, number);
    if (keys === undefined || payload === undefined) return this.#unreadable(octets);
    if (level === "application" && !early && this.#phases.opened(keys, this.answersUpdates)) this.#options.on({ is: "phase" });
    const isNew = space.came(number);
    if (!isNew) this.#options.on({ is: "repeated", level, number });
    if (!isNew && !this.readsTwice) return;
    if (!this.#hasTheirId && level !== "application") {
      this.#hasTheirId = true;
      this.#destination = source.slice();
      this.ids.set(0, this.#destination);
    }
    const frames = readFrames(payload);
    this.#options.transcript?.wire("<-", `${level} packet ${number}: ${framesInWords(frames)}`, octets);
    if (frames.some(({ type }) => !type.startsWith("ACK") && !type.startsWith("CONNECTION_CLOSE"))) space.owes = true;
    this.#options.on({ is: "packet", level, number, frames, size: octets.length });
    for (const frame of frames) this.#frame(level, frame);
  }

  /** Keys that may open a packet, the usual ones first. */
  #candidates(level: Level, early: boolean): readonly PacketKeys[] {
    if (level === "application" && !early) return this.#phases.candidates;
    const keys = early ? this.#early : this.#spaces[level].read;
    return keys === undefined ? [] : [keys];
  }

  /** A stateless reset ends with a token that the peer gave us (rfc9000#10.3). */
  #unreadable(octets: Uint8Array): void {
    const isReset = this.readsResets && octets.length >= 21 && this.#tokens.has(toHex(octets.subarray(octets.length - 16)));
    this.#options.transcript?.wire("<-", isReset ? "a stateless reset" : "a packet that cannot be read", octets);
    if (!isReset) return this.#options.on({ is: "unreadable" });
    this.isOver = true;
    this.#options.on({ is: "stateless reset" });
  }

  #frame(level: Level, frame: ReadFrame): void {
    const { type, members, data } = frame;
    const space = this.#spaces[level];
    for (const [low, high] of frame.ranges ?? [])
      for (let n = Math.max(low, high - MOST_ACKNOWLEDGED); n <= high; n++) space.acknowledged.add(n);
    // The peer has everything of the handshake (rfc9001#4.1.2).
    if (type === "HANDSHAKE_DONE") this.#pending = [];
    if (type === "NEW_CONNECTION_ID") {
      this.#tokens.add(String(members["token"]));
      this.ids.set(Number(members["sequence"]), new Uint8Array(Buffer.from(String(members["id"]), "hex")));
    }
    if (type === "PATH_CHALLENGE" && this.answersPaths) this.send({ level }, [{ type: "PATH_RESPONSE", token: String(members["token"]) }]);
    if (type === "CONNECTION_CLOSE" || type === "CONNECTION_CLOSE_APP") this.#closed(frame);
    this.#options.on({ is: "frame", level, frame });
    // A client that does not resume reads no ticket, right or wrong: they are for the eyes of the case alone.
    if (type === "CRYPTO" && level === "application" && this.we === "client" && this.#options.keep === undefined) return;
    if (type === "CRYPTO" && data !== undefined && !this.isOver)
      for (const octets of space.crypto(Number(members["offset"]), data))
        this.#drain(this.#options.tls.receive(level, octets, this.#options.now() as never));
  }

  #closed({ type, members }: ReadFrame): void {
    if (this.isOver) return;
    this.isOver = true;
    const layer = type === "CONNECTION_CLOSE" ? "transport" : "application";
    const code = layer === "transport" ? codeName(Number(members["code"])) : (`0x${Number(members["code"]).toString(16)}` as const);
    const about = layer === "transport" && members["frame"] !== 0 ? `, about frame type 0x${Number(members["frame"]).toString(16)}` : "";
    const reason = members["reason"] === "" ? "" : ` (${members["reason"]})`;
    const words = `the connection was closed with ${layer === "transport" ? code : `code ${code} of the application`}${about}${reason}`;
    this.#options.on({ is: "closed", layer, code, words });
  }

  #drain(events: readonly Event[]): void {
    const { tls, primitives, on } = this.#options;
    for (const event of events) {
      if (event.is === "secret") {
        const keys = new PacketKeys({ primitives, suite: event.suite, version: this.#version }, event.secret);
        if (event.level === "early") this.#early = keys;
        else if (event.level === "application") this.#phases[event.direction === "read" ? "firstRead" : "firstWrite"](keys);
        else this.#spaces[event.level][event.direction] = keys;
      }
      if (event.is === "parameters") {
        const parameters = new Map(readParameters(event.octets));
        this.theirs = new Announced(parameters, this.we);
        const token = parameters.get(PARAMETERS.stateless_reset_token);
        if (token !== undefined) this.#tokens.add(toHex(token));
        on({ is: "parameters", parameters });
      }
      if (event.is === "earlyData") on({ is: "early data", accepted: event.accepted });
      if (event.is === "session") this.#options.keep?.(event.session);
      if (event.is === "complete") this.established = true;
      if (event.is === "closed") on({ is: "failed", words: event.fault.name });
    }
    for (const { level, octets } of tls.take()) {
      if (level === "early") continue;
      const edited = level === "initial" && this.#spaces.initial.cryptoSent === 0 ? (this.#options.hello?.(octets) ?? octets) : octets;
      if (this.#isHeld(level)) this.#held.push({ level, octets: edited });
      else this.#crypto(level, edited);
    }
    for (const event of events) if (event.is === "complete") on({ is: "established", resumed: event.resumed });
  }
  #isHeld(level: Level): boolean {
    return this.#hold === "nothing" || (this.#hold !== undefined && level !== "initial");
  }

  #crypto(level: Level, octets: Uint8Array): void {
    if (level === "handshake" && this.#options.we === "client") this.#options.on({ is: "finished" });
    for (let at = 0; at < octets.length; at += CRYPTO_OCTETS) {
      const data = octets.subarray(at, at + CRYPTO_OCTETS);
      const pending = { level, offset: this.#spaces[level].cryptoSent, data, number: -1 };
      this.#spaces[level].cryptoSent += data.length;
      this.#pending.push(pending);
      this.#sendCrypto(pending);
    }
  }
  #sendCrypto(pending: Pending): void {
    const { level, offset, data } = pending;
    const frame = join([varint(0x06), varint(offset), varint(data.length), data]);
    const made = this.packet(
      { level, ...(level === "initial" && this.#options.size !== undefined ? { size: this.#options.size } : {}) },
      frame,
    );
    if (made === undefined) return;
    pending.number = made.number;
    this.transmit([made.octets], `${level} packet ${made.number}: CRYPTO ${data.length} octets at ${offset}`);
  }

  /** Acknowledges what has to be, unless that would reveal more than `hold` allows. */
  #acknowledge(): void {
    if (!this.acknowledges || this.isOver) return;
    for (const level of LEVELS) {
      const space = this.#spaces[level];
      const isHeld = this.#hold === "nothing" || (this.#hold === "initial" && level !== "initial");
      const made = space.owes && !isHeld ? space.acknowledgment : undefined;
      if (made !== undefined && this.send({ level }, [{ type: "ACK", ...made }]) !== undefined) space.owes = false;
    }
  }
}

/** A range of which more cannot be ours. */
const MOST_ACKNOWLEDGED = 100_000;
