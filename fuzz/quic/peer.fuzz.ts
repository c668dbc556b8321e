import { Liar } from "../../reference/quic/connection/testing.ts";
import type { QuicEvent } from "../../reference/quic/index.ts";
import { inputs, Script, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

/** Small enough that an input of a few hundred octets could exceed them. */
const WINDOW = { connectionWindow: 120, streamWindow: 50 };
const STREAMS = { bidirectionalStreams: 3, unidirectionalStreams: 2 };
const LIMITS = { ...WINDOW, ...STREAMS, datagramOctets: 100 };
/** Octets that a victim may send for one packet of a peer, which is not longer than 1,200 octets. */
const MOST_ANSWERED = 20_000;

/** What a peer that keeps no rule makes of an end that is established. Packets are payloads with an octet of length each. */
class Victim {
  readonly #rig: Liar;
  readonly #side: "client" | "server";
  #answered = 0;

  constructor(side: "client" | "server", hasStreams: boolean) {
    this.#side = side;
    this.#rig = new Liar({ client: { limits: LIMITS }, server: { limits: LIMITS } });
    const own = side === "client" ? this.#rig.connection : this.#rig.accepted!;
    if (hasStreams)
      for (const direction of ["bidirectional", "unidirectional"] as const) own.send(own.open(direction)!, new Uint8Array(900), true);
    this.events.length = 0;
    // The other end is out of the way.
    this.#rig.meddle = (from, bytes) => {
      if (from === side) this.#answered += bytes.length;
      return undefined;
    };
  }
  get events(): QuicEvent[] {
    return this.#side === "client" ? this.#rig.clientEvents : this.#rig.serverEvents;
  }
  receive(payload: Uint8Array, host: number): void {
    if (payload.length > 1_100) return;
    this.#rig.clientAddress = { host: `198.51.100.${host}`, port: 5_000 };
    this.#answered = 0;
    this.#rig.lie(this.#side, payload);
    this.#rig.run(0);
    if (this.#answered > MOST_ANSWERED) throw new Error(`${this.#answered} octets answer ${shown(payload)}`);
  }
  wait(ms: number): void {
    this.#rig.run(ms);
  }
  /** Throws if a limit or the order of events is broken. */
  check(): void {
    let octets = 0;
    const opened = new Set<number>();
    for (const [at, event] of this.events.entries()) {
      if (event.is === "data") octets += event.octets.length;
      if (event.is === "opened") opened.add(event.stream);
      if (event.is === "closed" && at !== this.events.length - 1) throw new Error(`${this.events[at + 1]!.is} after the end`);
      if (event.is === "closed" && event.by === "us" && event.fault === undefined)
        throw new Error(`it ends for no reason: ${shown(event)}`);
    }
    if (octets > WINDOW.connectionWindow) throw new Error(`${octets} octets have arrived, though nobody reads`);
    if (opened.size > STREAMS.bidirectionalStreams + STREAMS.unidirectionalStreams) throw new Error(`${opened.size} streams are open`);
  }
  /** Nobody says anything more: it ends. */
  settle(): void {
    this.#rig.run(3_600_000);
    const { connections, deadline } = this.#rig[this.#side];
    if (connections.size > 0 || deadline <= this.#rig.now) throw new Error(`a connection is left at ${this.#rig.now}`);
  }
}

/** The first octet chooses the end; each packet begins with its length, from which 255 takes time instead. */
export const target: Target = {
  name: "quic/peer",
  about: "an end that is established accepts any payloads of a peer that has the keys: it keeps its limits, and ends for a stated reason",
  run(input) {
    const script = new Script(input);
    const head = script.next();
    const victim = new Victim((head & 1) === 0 ? "server" : "client", (head & 2) !== 0);
    for (let packets = 0; !script.ended && packets < 30; packets++) {
      const length = script.next();
      if (length === 255) victim.wait(script.next() * 20);
      else victim.receive(script.take(length & 0x7f), 7 + (length >> 7));
      victim.check();
    }
    victim.settle();
  },
  seeds: inputs(
    "00 0a 0e 00 00 05 68656c6c6f 01 ff10 05 0a 00 02 6162",
    "02 04 02 0a 00 00 00 ff04 09 11 01 4100 10 4200 05 01 07",
    "00 3b 18 01 00 08 6565656565656565 00112233445566778899aabbccddeeff 18 02 01 08 6666666666666666 00112233445566778899aabbccddee00",
    "03 06 05 00 07 04 01 09 00 ff20 05 19 01 1a 0102030405060708",
    "00 8a 01 0a 00 00 ff04 09 1a 0102030405060708 ff80 01 00",
    "01 06 1e 07 02 6162 00 03 12 4100 04 1c 0a 06 00",
    "00 07 31 02 6162 30 6162 04 06 00 01 61 05 17 05 16 05 14",
    "02 05 1d 05 02 6869",
    // As much as the windows permit, and more.
    `00 35 0a0032 ${"61".repeat(50)} 35 0a0432 ${"61".repeat(50)} 4b 0e00324046 ${"61".repeat(70)}`,
    `00 35 0a0032 ${"61".repeat(50)} 35 0a0432 ${"61".repeat(50)} 35 0a0832 ${"61".repeat(50)}`,
  ),
  dictionary: inputs(
    "18",
    "1900",
    "0e0000",
    "ff20",
    "1a0102030405060708",
    "00112233445566778899aabbccddeeff",
    "6565656565656565",
    "0200000000",
  ),
  maxLength: 300,
};
