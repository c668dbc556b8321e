import { after, Misuse, NEVER, type Instant } from "../../core/index.ts";
import type { Datagram, Event, Machine } from "../contract.ts";
import { fault } from "../faults.ts";
import type { Address } from "../path/path.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import type { Direction, StreamId } from "../stream-id.ts";
import { closeByApplication, fail, vanish } from "./closing.ts";
import { lost, repeat } from "./delivered.ts";
import { drainHandshake } from "./handshaking.ts";
import { Watch } from "./observe.ts";
import { receiveDatagram } from "./packets.ts";
import { State, type Beginning } from "./state.ts";
import { transmit } from "./transmit.ts";

/** Packets that a probe timeout lets out at once (rfc9002#6.2.4). */
const PROBES = 2;
const earliest = (...times: readonly Instant[]): Instant => Math.min(...times) as Instant;

/** One connection of QUIC. Its order: what came in, what follows from it, then what has to leave. */
export class Connection implements Machine {
  readonly #state: State;
  readonly #watch: Watch | undefined;
  /** Called before each action of the owner: there may be something to send, to say or to wait for. */
  onAction: () => void = () => {};

  constructor(beginning: Beginning, now: Instant) {
    const state = new State(beginning);
    const { observer, parameters } = beginning;
    this.#state = state;
    this.#watch = observer === undefined ? undefined : new Watch(observer);
    observer?.({ is: "parameters", by: "us", parameters }, now);
    state.now = now;
    state.handshakeAt = after(now, state.limits.handshakeMs);
    state.restartIdle(now);
    const wrong = drainHandshake(state, [], now);
    if (wrong !== undefined) fail(state, wrong, now);
  }

  get remote(): Address {
    return this.#state.path.remote;
  }
  get isEstablished(): boolean {
    return this.#state.isComplete;
  }
  /** Client: what is sent now leaves as 0-RTT data, which others may repeat (rfc9001#9.2). */
  get isEarly(): boolean {
    const { side, isComplete, hasEarly, isEarlyRejected } = this.#state;
    return side === "client" && hasEarly && !isEarlyRejected && !isComplete;
  }
  get isPathValidated(): boolean {
    return this.#state.path.isValidated;
  }
  /** Nothing more will be sent or said. */
  get isGone(): boolean {
    return this.#state.closed !== undefined && this.#state.closing === undefined;
  }
  /** The IDs that the peer may use. */
  get ids(): Iterable<Uint8Array> {
    return this.#state.issued.all;
  }
  /** The IDs that came into use or ended since the last call. */
  idChanges(): ReturnType<State["issued"]["changes"]> {
    return this.#state.issued.changes();
  }
  /** Server: a token for the next connection of this client (rfc9000#8.1.3). */
  giveToken(token: Uint8Array): void {
    this.onAction();
    this.#state.control.push({ is: "NEW_TOKEN", token });
  }

  receive(bytes: Uint8Array, from: Address, now: Instant): readonly Event[] {
    this.#state.now = now;
    receiveDatagram(this.#state, bytes, from, now);
    return this.#settle();
  }

  tick(now: Instant): readonly Event[] {
    const state = this.#state;
    state.now = now;
    if (state.closing !== undefined) {
      if (now >= state.closing.until) state.closing = undefined;
      return this.events();
    }
    if (now >= state.idleAt) vanish(state, "idle");
    else if (!state.isComplete && now >= state.handshakeAt) vanish(state, "handshake");
    if (state.closed !== undefined) return this.events();
    this.#checkPath(now);
    const { lost: gone, probe } = state.recovery.timeout(now, state.situation);
    for (const [name, packet] of gone) lost(state, name, [packet]);
    if (probe !== undefined) this.#probe(probe);
    return this.#settle();
  }

  events(): readonly Event[] {
    const { events } = this.#state;
    this.#state.events = [];
    this.#watch?.look(this.#state, events);
    return events;
  }

  take(now: Instant): readonly Datagram[] {
    const state = this.#state;
    state.now = now;
    if (!state.isOver && state.phases?.isWorn === true) this.updateKeys();
    if (!state.isOver && state.phases?.isExhausted === true) fail(state, fault("aeadLimitReached"), now);
    return state.closed !== undefined && state.closing === undefined ? [] : transmit(state, now);
  }

  get deadline(): Instant {
    const state = this.#state;
    if (state.closing !== undefined) return state.closing.until;
    if (state.closed !== undefined) return NEVER;
    const acks = Object.values(state.spaces).map((space) => (state.writeKeys(space) === undefined ? NEVER : space.acks.deadline));
    return earliest(
      state.idleAt,
      state.isComplete ? NEVER : state.handshakeAt,
      state.recovery.deadline(state.situation),
      state.path.deadline,
      state.pacedUntil,
      ...(state.isStuck ? [] : acks),
    );
  }

  get idleMs(): number {
    return this.#state.idleMs;
  }

  open(direction: Direction): StreamId | undefined {
    this.onAction();
    if (this.#state.isOver) return undefined;
    const limit = this.#state.streams.streamsBlocked(direction);
    if (limit !== undefined && this.#state.peer !== undefined) this.#state.control.push({ is: "STREAMS_BLOCKED", direction, limit });
    return this.#state.streams.open(direction)?.id;
  }
  send(stream: StreamId, octets: Uint8Array, end: boolean): boolean {
    this.onAction();
    const { streams, limits, full, isOver } = this.#state;
    const send = streams.find(stream)?.send;
    if (isOver || (send === undefined && streams.find(stream) === undefined)) return true;
    if (send === undefined) throw new Misuse(`stream ${stream} is one that the peer sends on`);
    send.write(octets, end);
    streams.touch(stream);
    if (send.waiting <= limits.highWater) return true;
    full.add(stream);
    return false;
  }
  unsent(stream: StreamId): number {
    return this.#state.streams.find(stream)?.send?.unsent ?? 0;
  }
  consumed(stream: StreamId, octets: number): void {
    this.onAction();
    const { streams } = this.#state;
    streams.receiveCredit.consume(octets);
    const recv = streams.find(stream)?.recv;
    if (recv === undefined) return;
    recv.credit.consume(octets);
    if (recv.credit.hasNews) streams.touch(stream);
  }
  reset(stream: StreamId, code: number): void {
    this.onAction();
    if (this.#state.streams.find(stream)?.send?.reset(code) === true) this.#state.streams.touch(stream);
  }
  stop(stream: StreamId, code: number): void {
    this.onAction();
    const { streams } = this.#state;
    streams.find(stream)?.recv?.stop(code, streams.receiveCredit);
    streams.touch(stream);
  }
  datagram(octets: Uint8Array): boolean {
    this.onAction();
    const { peer, datagrams, limits, isOver } = this.#state;
    // With the type and the length it has to fit into the peer's limit and into a packet (rfc9221#3).
    const isFitting = octets.length + 3 <= (peer?.max_datagram_frame_size ?? 0) && octets.length <= 1_150;
    if (isOver || !isFitting || datagrams.length >= limits.queuedDatagrams) return false;
    datagrams.push(octets);
    return true;
  }
  ping(): void {
    this.onAction();
    this.#state.control.push({ is: "PING" });
  }
  updateKeys(): boolean {
    this.onAction();
    const { phases, isConfirmed } = this.#state;
    if (!isConfirmed || phases?.mayUpdate !== true) return false;
    phases.update();
    return true;
  }
  close(code: number, reason: string): void {
    this.onAction();
    closeByApplication(this.#state, code, reason);
  }

  /** What follows from an input, whatever it was. */
  #settle(): readonly Event[] {
    const state = this.#state;
    if (!state.isOver) {
      if (state.withdrawn.length > 0) lost(state, "application", state.withdrawn.splice(0));
      if (state.isComplete) state.control.push(...state.issued.issue());
    }
    return this.events();
  }

  /** Something in flight is sent again before it is lost, or else a PING (rfc9002#6.2.4). */
  #probe(name: SpaceName): void {
    const space = this.#state.spaces[name];
    if (space === undefined) return;
    space.probes = PROBES;
    repeat(this.#state, name, this.#state.recovery.sentIn(name).repeat(PROBES));
  }

  /** A new address that was not proved in time is left again (rfc9000#9.3.2). */
  #checkPath(now: Instant): void {
    const state = this.#state;
    if (state.path.isValidated || !state.path.tick(now)) return;
    if (state.formerPath === undefined) return vanish(state, "path");
    state.path = state.pathTo(state.formerPath.remote, true);
    state.formerPath = undefined;
  }
}
