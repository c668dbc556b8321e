import { keyOf, type ConnectionIdKey } from "../connection-id.ts";
import { fault, type Fault } from "../faults.ts";
import { RESET_TOKEN_LENGTH, type NewConnectionId } from "../frame/index.ts";
import type { Primitives } from "../primitives.ts";

/** IDs that the peer may have at once, whatever it allows. */
const MOST = 8;

/** The token that proves a stateless reset, from a key that outlives connections (rfc9000#10.3.2). */
export const resetTokenOf = (primitives: Primitives, key: Uint8Array, id: Uint8Array): Uint8Array =>
  primitives.hmac("sha256", key, id).subarray(0, RESET_TOKEN_LENGTH);

/** The IDs that we have given to the peer (rfc9000#5.1.1). */
export class IssuedIds {
  readonly #primitives: Primitives;
  readonly #resetKey: Uint8Array;
  readonly #length: number;
  readonly #active = new Map<number, Uint8Array>();
  #next = 0;
  #limit = 1;
  /** IDs that came into use or ended, for the endpoint to note. */
  readonly #changes: { readonly is: "issued" | "retired"; readonly id: Uint8Array }[] = [];

  constructor(primitives: Primitives, resetKey: Uint8Array, first: Uint8Array) {
    this.#primitives = primitives;
    this.#resetKey = resetKey;
    this.#length = first.length;
    this.#active.set(this.#next++, first);
    this.#changes.push({ is: "issued", id: first });
  }

  get length(): number {
    return this.#length;
  }
  get all(): IterableIterator<Uint8Array> {
    return this.#active.values();
  }
  has(id: Uint8Array): boolean {
    const key: ConnectionIdKey = keyOf(id);
    for (const one of this.#active.values()) if (keyOf(one) === key) return true;
    return false;
  }
  resetTokenOf(id: Uint8Array): Uint8Array {
    return resetTokenOf(this.#primitives, this.#resetKey, id);
  }

  /** The peer keeps this many. */
  allow(limit: number): void {
    this.#limit = Math.min(limit, MOST);
  }
  /** New IDs, as many as the peer keeps. An empty ID has no others. */
  issue(): readonly NewConnectionId[] {
    const frames: NewConnectionId[] = [];
    while (this.#length > 0 && this.#active.size < this.#limit) {
      const id = this.#primitives.random(new Uint8Array(this.#length));
      const sequence = this.#next++;
      this.#active.set(sequence, id);
      this.#changes.push({ is: "issued", id });
      frames.push({ is: "NEW_CONNECTION_ID", sequence, retirePriorTo: 0, id, resetToken: this.resetTokenOf(id) });
    }
    return frames;
  }
  /** Whether the frame that announced it is worth sending again. */
  isActive(sequence: number): boolean {
    return this.#active.has(sequence);
  }

  /** RETIRE_CONNECTION_ID; `destination` is the ID of the packet that carried it (rfc9000#19.16). */
  retire(sequence: number, destination: Uint8Array): Fault | undefined {
    if (this.#length === 0) return fault("retireWhileZeroLength", 0x19);
    if (sequence >= this.#next) return fault("retireOfUnissuedId", 0x19);
    const id = this.#active.get(sequence);
    if (id === undefined) return undefined;
    if (keyOf(id) === keyOf(destination)) return fault("retireOfIdInUse", 0x19);
    this.#active.delete(sequence);
    this.#changes.push({ is: "retired", id });
    return undefined;
  }
  changes(): readonly { readonly is: "issued" | "retired"; readonly id: Uint8Array }[] {
    return this.#changes.splice(0);
  }
}
