import type { ChannelLimits } from "./limits.ts";

/** What one client has typed, over all its connections: octets counted from 0. */
export type Typist = {
  /** Octets that the hub has accepted, and those of them that the agent has acknowledged. */
  accepted: number;
  acked: number;
  /** Reports progress to the client; undefined while it is not attached. */
  report: (() => void) | undefined;
};
type Pending = { readonly typist: Typist; readonly octets: Uint8Array };

/**
 * What all clients type, as one stream to the agent. The stream is kept until the agent has given it to the shell, and sent again when the
 * agent reconnects; a client keeps its own octets until they are acknowledged. So a reconnect loses nothing and types nothing twice.
 */
export class Typing {
  readonly #limits: ChannelLimits;
  readonly #send: (octets: Uint8Array) => void;
  readonly #typists = new Map<string, Typist>();
  #pending: Pending[] = [];
  #end = 0;
  #acked = 0;

  constructor(limits: ChannelLimits, send: (octets: Uint8Array) => void) {
    this.#limits = limits;
    this.#send = send;
  }

  /** The offset of the next octet of the stream. */
  get end(): number {
    return this.#end;
  }
  /** The shell has everything before this offset. */
  get acked(): number {
    return this.#acked;
  }

  /** Whether the counts of that name are remembered. */
  knows(id: string): boolean {
    return this.#typists.has(id);
  }
  /** The typist of that name, with its earlier counts if they are remembered. */
  typist(id: string): Typist {
    const typist = this.#typists.get(id) ?? { accepted: 0, acked: 0, report: undefined };
    this.#typists.delete(id);
    this.#typists.set(id, typist);
    for (const [name, other] of this.#typists) {
      if (this.#typists.size <= this.#limits.writers) break;
      if (other.report === undefined && other !== typist) this.#typists.delete(name);
    }
    return typist;
  }
  /** The client has left; of all that have, it is forgotten last. */
  left(id: string): void {
    const typist = this.#typists.get(id);
    if (typist === undefined) return;
    typist.report = undefined;
    this.#typists.delete(id);
    this.#typists.set(id, typist);
  }

  /** False if the typist exceeds its window. */
  accept(typist: Typist, octets: Uint8Array): boolean {
    if (typist.accepted + octets.length - typist.acked > this.#limits.typedOctets) return false;
    if (octets.length === 0) return true;
    typist.accepted += octets.length;
    this.#end += octets.length;
    this.#pending.push({ typist, octets });
    this.#send(octets);
    return true;
  }

  /** The shell has everything before `offset`; false if that was never sent. */
  acknowledge(offset: number): boolean {
    if (offset > this.#end) return false;
    let left = offset - this.#acked;
    if (left <= 0) return true;
    this.#acked = offset;
    let done = 0;
    const progressed = new Set<Typist>();
    for (const { typist, octets } of this.#pending) {
      if (left <= 0) break;
      const taken = Math.min(left, octets.length);
      typist.acked += taken;
      progressed.add(typist);
      left -= taken;
      if (taken < octets.length) this.#pending[done] = { typist, octets: octets.subarray(taken) };
      else done++;
    }
    this.#pending.splice(0, done);
    for (const typist of progressed) typist.report?.();
    return true;
  }

  /** The agent is back with `input` octets; `resend` then sends what it lacks. */
  resume(input: number): boolean {
    return input >= this.#acked && this.acknowledge(input);
  }
  resend(): void {
    for (const { octets } of this.#pending) this.#send(octets);
  }

  /** Another shell begins: what was typed was not meant for it. */
  restart(input: number): void {
    this.forget();
    this.#typists.clear();
    this.#end = input;
    this.#acked = input;
  }
  forget(): void {
    this.#pending = [];
  }
}
