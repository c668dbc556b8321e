import type { ChannelLimits } from "./limits.ts";

/** What one client has typed on all its connections: its octets, counted from 0. */
export type Writer = {
  /** Octets that the hub has, and of these the agent. */
  accepted: number;
  acked: number;
  /** Tells the client, while it is attached, that the agent has taken more. */
  tell: (() => void) | undefined;
};
type Pending = { readonly writer: Writer; readonly octets: Uint8Array };

/**
 * What all clients type, in one stream to the agent. It is kept until the agent has given it to the shell, and sent again to an agent that
 * comes again; a client keeps its own until that has been acknowledged. So nothing is lost, and nothing is typed twice, when either of them reconnects.
 */
export class Typing {
  readonly #limits: ChannelLimits;
  readonly #give: (octets: Uint8Array) => void;
  readonly #writers = new Map<string, Writer>();
  #pending: Pending[] = [];
  /** The offset of the next octet of the stream, and how much of it the shell has. */
  end = 0;
  acked = 0;

  constructor(limits: ChannelLimits, give: (octets: Uint8Array) => void) {
    this.#limits = limits;
    this.#give = give;
  }

  /** The writer of that name, as it was left. */
  writer(id: string): Writer {
    const writer = this.#writers.get(id) ?? { accepted: 0, acked: 0, tell: undefined };
    this.#writers.delete(id);
    this.#writers.set(id, writer);
    for (const [name, other] of this.#writers) {
      if (this.#writers.size <= this.#limits.writers) break;
      if (other.tell === undefined && other !== writer) this.#writers.delete(name);
    }
    return writer;
  }
  /** It has left: counted as the one that did so last. */
  left(id: string): void {
    const writer = this.#writers.get(id);
    if (writer === undefined) return;
    writer.tell = undefined;
    this.#writers.delete(id);
    this.#writers.set(id, writer);
  }

  /** False where the writer has more under way than it may. */
  accept(writer: Writer, octets: Uint8Array): boolean {
    if (writer.accepted + octets.length - writer.acked > this.#limits.typedOctets) return false;
    if (octets.length === 0) return true;
    writer.accepted += octets.length;
    this.end += octets.length;
    this.#pending.push({ writer, octets });
    this.#give(octets);
    return true;
  }

  /** The shell has everything before `offset`. False where that was never sent. */
  acknowledge(offset: number): boolean {
    if (offset > this.end) return false;
    let left = offset - this.acked;
    if (left <= 0) return true;
    this.acked = offset;
    let done = 0;
    const told = new Set<Writer>();
    for (const { writer, octets } of this.#pending) {
      if (left <= 0) break;
      const taken = Math.min(left, octets.length);
      writer.acked += taken;
      told.add(writer);
      left -= taken;
      if (taken < octets.length) this.#pending[done] = { writer, octets: octets.subarray(taken) };
      else done++;
    }
    this.#pending.splice(0, done);
    for (const writer of told) writer.tell?.();
    return true;
  }

  /** The agent is back and has `input` octets. What it lacks is sent by `again`. */
  resume(input: number): boolean {
    return input >= this.acked && this.acknowledge(input);
  }
  again(): void {
    for (const { octets } of this.#pending) this.#give(octets);
  }

  /** Another shell: what was typed was not meant for it. */
  restart(input: number): void {
    this.forget();
    this.#writers.clear();
    this.end = input;
    this.acked = input;
  }
  forget(): void {
    this.#pending = [];
  }
}
