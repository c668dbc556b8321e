import type { Socket } from "node:dgram";
import { NEVER, type Instant } from "../core/index.ts";
import type { Carrier } from "./carrier.ts";
import { now } from "./clock.ts";
import type { Datagram, DatagramMachine, Happening, Owner } from "./machine.ts";
import { flushSoon } from "./wake.ts";

/** Octets not yet passed to the kernel, above which no further datagrams are taken. */
const QUEUED_OCTETS = 1_048_576;
/** No timer is set for longer, since those of Node end at 24 days. */
const LONGEST_MS = 86_400_000;

/**
 * The one caller of a machine over datagrams: passes on what arrives, and sends its output once a turn of the event loop. It has a timer of its
 * own: acknowledgements and pacing are due within milliseconds (rfc9002#7.7).
 */
export class DatagramDrive<Event extends Happening, Driven extends DatagramMachine<Event>> implements Carrier {
  readonly machine: Driven;
  readonly socket: Socket;
  readonly #owner: Pick<Owner<Event>, "handle" | "gone">;
  #isWoken = false;
  /** Within a turn: its output leaves at its end. */
  #isTurn = false;
  /** The machine is done: the socket closes when the last datagram has left. */
  #isEnding = false;
  #isClosed = false;
  #queued = 0;
  #error: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer rings; `NEVER` without one. */
  #ringsAt: Instant = NEVER;

  constructor(socket: Socket, machine: Driven, owner: Pick<Owner<Event>, "handle" | "gone">) {
    this.socket = socket;
    this.machine = machine;
    this.#owner = owner;
    socket
      .on("message", (bytes, { address, port }) => this.#turn(() => machine.receive(bytes, { host: address, port }, now())))
      .on("error", (error) => this.destroy(error))
      .on("close", () => this.#closed());
    this.wake();
  }

  wake(): void {
    if (this.#isTurn || this.#isWoken) return;
    this.#isWoken = true;
    flushSoon(this);
  }
  wakeAfterPromises(): void {
    queueMicrotask(() => this.wake());
  }
  shutdown(): void {
    this.machine.shutdown();
    this.wake();
  }
  destroy(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#error = error;
    this.socket.close();
  }

  /** Sets the timer, unless it rings early enough: then it looks at the deadline again. */
  #setTimer(): void {
    const { deadline } = this.machine;
    if (deadline >= this.#ringsAt) return;
    clearTimeout(this.#timer);
    this.#ringsAt = deadline;
    this.#timer = setTimeout(() => this.#ring(), Math.min(Math.max(deadline - now(), 0), LONGEST_MS)).unref();
  }
  #ring(): void {
    this.#ringsAt = NEVER;
    const at = now();
    if (this.machine.deadline <= at) this.#turn(() => this.machine.tick(at));
    else this.#setTimer();
  }

  #turn(act: () => readonly Event[]): void {
    if (this.#isClosed) return;
    this.#isTurn = true;
    this.#tell(act());
    this.#isTurn = false;
    this.flush();
  }
  /** Sends the machine's output as far as there is room. */
  flush(): void {
    this.#isWoken = false;
    if (this.#isClosed) return;
    this.#isTurn = true;
    while (!this.#isClosed && this.#queued < QUEUED_OCTETS) {
      const datagrams = this.machine.take(now());
      const events = this.machine.events();
      if (datagrams.length === 0 && events.length === 0) break;
      for (const datagram of datagrams) this.#send(datagram);
      this.#tell(events);
    }
    this.#isTurn = false;
    if (this.#isEnding && this.#queued === 0) this.destroy();
    else if (!this.#isClosed) this.#setTimer();
  }
  #send({ bytes, to }: Datagram): void {
    this.#queued += bytes.length;
    // A datagram that cannot be sent is lost like any other: the protocol recovers.
    this.socket.send(bytes, to.port, to.host, () => {
      const wasFull = this.#queued >= QUEUED_OCTETS;
      this.#queued -= bytes.length;
      if (wasFull || (this.#isEnding && this.#queued === 0)) this.wake();
    });
  }
  #tell(events: readonly Event[]): void {
    if (events.length === 0) return;
    this.#owner.handle(events);
    if (events.at(-1)?.is === "closed") this.#isEnding = true;
  }
  #closed(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#owner.gone(this.#error);
  }
}
