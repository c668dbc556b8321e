import { after, NEVER, type Instant } from "../../core/index.ts";
import type { Fault } from "../faults.ts";
import type { Ack } from "../frame/index.ts";
import type { Congestion } from "./congestion.ts";
import { Cubic } from "./cubic.ts";
import { NewReno } from "./newreno.ts";
import { Pacer } from "./pacer.ts";
import { Rtt } from "./rtt.ts";
import { isSizeProbe, Sent, type SentPacket } from "./sent.ts";

/** Packets that may overtake one before it counts as lost (rfc9002#6.1.1). */
const PACKET_THRESHOLD = 3;
/** Probe timeouts in a row that prove persistent congestion (rfc9002#7.6.1). */
const PERSISTENT_THRESHOLD = 3;
/** Doublings of the probe timeout: an idle timeout ends the connection long before. */
const MAX_BACKOFF = 16;

export const SPACES = ["initial", "handshake", "application"] as const;
export type SpaceName = (typeof SPACES)[number];

/** What the connection knows and the timers need. */
export type Situation = {
  /** Client: the server is known to have validated our address (rfc9002#6.2.2.1). Always true on a server. */
  readonly isPeerValidated: boolean;
  readonly hasHandshakeKeys: boolean;
  readonly isConfirmed: boolean;
  /** The amplification limit lets nothing leave (rfc9002#6.2.2.1). */
  readonly isStuck: boolean;
  /** The longest delay of acknowledgments that the peer promised. */
  readonly peerDelayMs: number;
};

export type Outcome = { readonly acknowledged: readonly SentPacket[]; readonly lost: readonly SentPacket[] };
const NOTHING: readonly SentPacket[] = Object.freeze([]);

/** Controllers of congestion by name. */
const CONTROLLERS = Object.freeze({ newreno: NewReno, cubic: Cubic } as const);
export type CongestionName = keyof typeof CONTROLLERS;

type Space = {
  readonly sent: Sent;
  lossAt: Instant;
  /** Packets with lower numbers took another path. */
  firstOfPath: number;
};
const newSpace = (): Space => ({ sent: new Sent(), lossAt: NEVER, firstOfPath: 0 });

/** Packets of another path say nothing of the round trip or of congestion on this one (rfc9000#9.4). */
const isOfPath = ({ firstOfPath }: Space, { number }: SentPacket): boolean => number >= firstOfPath;

/** Detects losses by acknowledgments and by time, over the three spaces of a path (rfc9002#6, rfc9002#A). */
export class Recovery {
  rtt = new Rtt();
  congestion: Congestion;
  pacer = new Pacer();
  readonly #controller: CongestionName;
  readonly #spaces: Partial<Record<SpaceName, Space>> = {
    initial: newSpace(),
    handshake: newSpace(),
    application: newSpace(),
  };
  #inFlight = 0;
  #probes = 0;
  #firstSampleAt: Instant = NEVER;
  /** When a packet that asks for an acknowledgment last left, in any space, even one that is gone. */
  #lastAsked: Instant | undefined;

  constructor(controller: CongestionName = "newreno") {
    this.#controller = controller;
    this.congestion = new CONTROLLERS[controller]();
  }

  /** Octets in flight on the path that is in use. */
  get inFlight(): number {
    return this.#inFlight;
  }
  /** Probe timeouts in a row. */
  get probes(): number {
    return this.#probes;
  }
  /** Octets that congestion control lets out. */
  get room(): number {
    return Math.max(0, this.congestion.window - this.#inFlight);
  }
  sentIn(name: SpaceName): Sent {
    return this.#spaces[name]?.sent ?? new Sent();
  }

  sent(name: SpaceName, packet: SentPacket): void {
    this.#spaces[name]?.sent.add(packet);
    if (packet.elicits) this.#lastAsked = packet.at;
    if (!packet.isInFlight) return;
    this.#inFlight += packet.octets;
    this.pacer.sent(packet.octets);
  }

  /** `delayMs` is the delay that the frame reports. */
  acknowledge(
    name: SpaceName,
    ack: Ack,
    delayMs: number,
    { now, situation }: { readonly now: Instant; readonly situation: Situation },
  ): Outcome | Fault {
    const space = this.#spaces[name];
    if (space === undefined) return { acknowledged: NOTHING, lost: NOTHING };
    const before = space.sent.largestAcknowledged ?? -1;
    const got = space.sent.acknowledge(ack);
    if ("is" in got) return got;
    if (got.length === 0) return { acknowledged: NOTHING, lost: NOTHING };
    const largest = got.at(-1)!;
    // Only the largest number, acknowledged for the first time, says how long the path takes (rfc9002#5.1).
    if (
      isOfPath(space, largest) &&
      largest.number === ack.ranges[0]!.largest &&
      largest.number > before &&
      got.some(({ elicits }) => elicits)
    ) {
      const delay = name === "initial" ? 0 : situation.isConfirmed ? Math.min(delayMs, situation.peerDelayMs) : delayMs;
      this.rtt.sample(now - largest.at, delay);
      if (this.#firstSampleAt === NEVER) this.#firstSampleAt = now;
    }
    const isLimited = this.#inFlight >= this.congestion.window / 2;
    const lost = this.#detectLost(space, now, situation);
    for (const packet of got) {
      if (!packet.isInFlight || !isOfPath(space, packet)) continue;
      this.#inFlight -= packet.octets;
      this.congestion.acknowledged({ octets: packet.octets, sentAt: packet.at, isLimited, now, rttMs: this.rtt.smoothed });
    }
    if (situation.isPeerValidated) this.#probes = 0;
    return { acknowledged: got, lost };
  }

  /** When to call `timeout`. */
  deadline(situation: Situation): Instant {
    const loss = this.#lossTimer();
    if (loss !== undefined) return loss.space.lossAt;
    return this.#probeTimer(situation)?.at ?? NEVER;
  }

  /** The time has come: packets that are lost now, and the space that needs a probe, if any. */
  timeout(
    now: Instant,
    situation: Situation,
  ): { readonly lost: readonly (readonly [SpaceName, SentPacket])[]; readonly probe?: SpaceName } {
    const loss = this.#lossTimer();
    if (loss !== undefined) {
      if (now < loss.space.lossAt) return { lost: [] };
      return { lost: this.#detectLost(loss.space, now, situation).map((packet) => [loss.name, packet] as const) };
    }
    const probe = this.#probeTimer(situation);
    if (probe === undefined || now < probe.at) return { lost: [] };
    this.#probes++;
    return { lost: [], probe: probe.name };
  }

  /** The probe timeout, without its doublings. */
  probeMs(name: SpaceName, peerDelayMs: number): number {
    return this.rtt.probeMs + (name === "application" ? peerDelayMs : 0);
  }

  /** The keys of a space are gone, and with them what was in flight (rfc9002#6.4). */
  discard(name: SpaceName): void {
    const space = this.#spaces[name];
    for (const packet of space?.sent.packets ?? []) this.#landed(space!, packet);
    delete this.#spaces[name];
    this.#probes = 0;
  }
  /** Takes out everything in flight of a space: after Retry, and for 0-RTT that was rejected. Numbers go on. */
  withdraw(name: SpaceName): readonly SentPacket[] {
    const space = this.#spaces[name];
    const all = [...(space?.sent.packets ?? [])];
    for (const packet of all) {
      space!.sent.remove(packet);
      this.#landed(space!, packet);
    }
    return all;
  }

  /** The size of datagrams has changed. */
  resize(datagram: number): void {
    this.congestion.datagram = datagram;
    this.pacer.datagram = datagram;
  }
  /** The peer is elsewhere: nothing is known about the way there, and nothing is in flight on it (rfc9000#9.4, rfc9002#A.3, rfc9002#B.3). */
  forgetPath(): void {
    for (const name of SPACES) {
      const space = this.#spaces[name];
      if (space !== undefined) space.firstOfPath = space.sent.next;
    }
    this.#inFlight = 0;
    this.#probes = 0;
    this.rtt = new Rtt();
    this.congestion = new CONTROLLERS[this.#controller]();
    this.pacer = new Pacer();
    this.#firstSampleAt = NEVER;
  }

  #landed(space: Space, packet: SentPacket): void {
    if (packet.isInFlight && isOfPath(space, packet)) this.#inFlight -= packet.octets;
  }

  #lossTimer(): { readonly name: SpaceName; readonly space: Space } | undefined {
    let first: { readonly name: SpaceName; readonly space: Space } | undefined;
    for (const name of SPACES) {
      const space = this.#spaces[name];
      if (space !== undefined && space.lossAt < (first?.space.lossAt ?? NEVER)) first = { name, space };
    }
    return first;
  }

  #probeTimer(situation: Situation): { readonly at: Instant; readonly name: SpaceName } | undefined {
    if (situation.isStuck) return undefined;
    const factor = 2 ** Math.min(this.#probes, MAX_BACKOFF);
    let first: { readonly at: Instant; readonly name: SpaceName } | undefined;
    for (const name of SPACES) {
      const sent = this.#spaces[name]?.sent;
      if (sent === undefined || !sent.isWaiting) continue;
      // Data waits for the handshake, which has timers of its own (rfc9002#6.2.1).
      if (name === "application" && !situation.isConfirmed) continue;
      const at = after(sent.lastElicitingAt, this.probeMs(name, situation.peerDelayMs) * factor);
      if (first === undefined || at < first.at) first = { at, name };
    }
    if (first !== undefined || situation.isPeerValidated) return first;
    // A server that has not validated us may wait for octets to answer to (rfc9002#6.2.2.1).
    const name = situation.hasHandshakeKeys ? "handshake" : "initial";
    return this.#lastAsked === undefined ? undefined : { at: after(this.#lastAsked, this.rtt.probeMs * factor), name };
  }

  /** Takes out what is lost, and notes when more will be (rfc9002#A.10). */
  #detectLost(space: Space, now: Instant, { peerDelayMs }: Situation): readonly SentPacket[] {
    space.lossAt = NEVER;
    const largest = space.sent.largestAcknowledged;
    if (largest === undefined) return NOTHING;
    const delay = this.rtt.lossDelayMs;
    const lost: SentPacket[] = [];
    for (const packet of space.sent.packets) {
      if (packet.number > largest) break;
      const at = after(packet.at, delay);
      if (at <= now || largest >= packet.number + PACKET_THRESHOLD) lost.push(packet);
      else if (at < space.lossAt) space.lossAt = at;
    }
    for (const packet of lost) {
      space.sent.remove(packet);
      this.#landed(space, packet);
    }
    const last = lost.findLast((packet) => packet.isInFlight && isOfPath(space, packet) && !isSizeProbe(packet));
    if (last !== undefined) {
      this.congestion.congested(last.at, now);
      if (this.#isPersistent(lost, peerDelayMs)) {
        this.congestion.persistent();
        this.rtt.forgetMin();
      }
    }
    return lost;
  }

  /** Whether packets lost in a row span so long that everything in between must have been lost (rfc9002#7.6.2). */
  #isPersistent(lost: readonly SentPacket[], peerDelayMs: number): boolean {
    const duration = (this.rtt.probeMs + peerDelayMs) * PERSISTENT_THRESHOLD;
    let first: SentPacket | undefined;
    let previous: SentPacket | undefined;
    for (const packet of lost) {
      const isNext = previous !== undefined && packet.number === previous.number + 1;
      previous = packet;
      if (!isNext) first = undefined;
      if (!packet.elicits || packet.at <= this.#firstSampleAt) continue;
      first ??= packet;
      if (packet.at - first.at > duration) return true;
    }
    return false;
  }
}
