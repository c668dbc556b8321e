import { sameOctets } from "../connection-id.ts";
import { fault, type Fault } from "../faults.ts";
import type { NewConnectionId } from "../frame/index.ts";
import { Spans } from "../spans.ts";

type Known = { readonly sequence: number; readonly id: Uint8Array; readonly resetToken?: Uint8Array };

/** Runs of IDs that were left while others before them were not: an honest peer numbers them in turn. */
const MOST_LEFT = 100;

/** The IDs that the peer has given to us (rfc9000#5.1.2). */
export class PeerIds {
  readonly #limit: number;
  #current: Known;
  /** By sequence number: the current one and spare ones. */
  readonly #known = new Map<number, Known>();
  #retirePriorTo = 0;
  /** Sequence numbers from `#retirePriorTo` on that are retired: a repeated frame may name them at any time. */
  readonly #left = new Spans();
  /** Sequence numbers that the peer does not know to be retired. */
  readonly #retiring = new Set<number>();
  /** Retirements that have to be sent. */
  #toSend: number[] = [];

  /** `limit` is what we have announced as active_connection_id_limit. */
  constructor(first: Uint8Array, limit: number) {
    this.#limit = limit;
    this.#current = { sequence: 0, id: first };
    this.#known.set(0, this.#current);
  }

  get current(): Uint8Array {
    return this.#current.id;
  }
  /** The first ID changes with Retry, and with the first packet of the peer (rfc9000#7.2). */
  replaceFirst(id: Uint8Array): void {
    this.#current = { sequence: 0, id };
    this.#known.set(0, this.#current);
  }
  /** The token for the first ID, from the transport parameters. */
  setResetToken(resetToken: Uint8Array): void {
    const first = this.#known.get(0);
    if (first === undefined) return;
    const known = { ...first, resetToken };
    this.#known.set(0, known);
    if (this.#current.sequence === 0) this.#current = known;
  }
  /** The tokens that end the connection if a datagram ends with one (rfc9000#10.3.1). */
  get resetTokens(): readonly Uint8Array[] {
    return [...this.#known.values()].flatMap(({ resetToken }) => (resetToken === undefined ? [] : [resetToken]));
  }

  add(frame: NewConnectionId): Fault | undefined {
    if (this.#current.id.length === 0) return fault("newConnectionIdWhileZeroLength", 0x18);
    const { sequence, retirePriorTo } = frame;
    const [id, resetToken] = [frame.id.slice(), frame.resetToken.slice()];
    for (const known of this.#known.values()) {
      const isSame = sameOctets(known.id, id);
      if (isSame !== (known.sequence === sequence)) return fault("connectionIdReissued", 0x18);
      if (isSame && known.resetToken !== undefined && !sameOctets(known.resetToken, resetToken)) return fault("connectionIdReissued", 0x18);
    }
    if (sequence < this.#retirePriorTo) this.#retire(sequence);
    else if (!this.#known.has(sequence) && !this.#left.has(sequence)) this.#known.set(sequence, { sequence, id, resetToken });
    if (retirePriorTo > this.#retirePriorTo) {
      this.#retirePriorTo = retirePriorTo;
      for (const one of [...this.#known.keys()].filter((known) => known < retirePriorTo)) {
        this.#known.delete(one);
        this.#retire(one);
      }
      this.#left.remove(0, retirePriorTo);
      if (this.#known.size === 0) return fault("connectionIdsAllRetired", 0x18);
      if (!this.#known.has(this.#current.sequence)) this.#current = this.#known.values().next().value!;
    }
    if (this.#known.size > this.#limit) return fault("tooManyConnectionIds", 0x18);
    const isTooMuch = this.#retiring.size > 2 * this.#limit + 2 || this.#left.size > MOST_LEFT;
    return isTooMuch ? fault("tooManyRetirements", 0x18) : undefined;
  }

  /** Takes a spare ID, for a new path; false if there is none (rfc9000#9.5). */
  renew(): boolean {
    const { sequence } = this.#current;
    const spare = [...this.#known.values()].find((known) => known.sequence !== sequence);
    if (spare === undefined) return false;
    this.#known.delete(sequence);
    this.#left.add(sequence, sequence + 1);
    this.#retire(sequence);
    this.#current = spare;
    return true;
  }

  /** Retirements to send now. */
  takeRetirements(): readonly number[] {
    const taken = this.#toSend;
    this.#toSend = [];
    return taken;
  }
  acknowledged(sequence: number): void {
    this.#retiring.delete(sequence);
  }
  #retire(sequence: number): void {
    if (this.#retiring.has(sequence)) return;
    this.#retiring.add(sequence);
    this.#toSend.push(sequence);
  }
}
