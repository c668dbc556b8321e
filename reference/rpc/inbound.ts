import type { CallStatus } from "./call-status.ts";
import { type MessageOptions, MessageReader } from "./messages.ts";
import { Status } from "./status.ts";

/** Reads the messages that one side of a call receives: their envelopes, and how many of them the method permits. */
export class Inbound {
  readonly #reader: MessageReader;
  readonly #side: "client" | "server";
  readonly #isStream: boolean;
  #count = 0;

  /** @param isStream Whether the method permits any number of messages; otherwise there is one. */
  constructor(options: MessageOptions, isStream: boolean) {
    this.#reader = new MessageReader(options);
    this.#side = options.side;
    this.#isStream = isStream;
  }

  /**
   * Adds the complete messages to `out`; they may be views of `octets`. The status that it returns ends the call: do not call it again. The
   * messages before the mistake have been added.
   */
  receive(octets: Uint8Array, out: Uint8Array[]): CallStatus | undefined {
    const before = out.length;
    const fault = this.#reader.receive(octets, out);
    this.#count += out.length - before;
    if (!this.#isStream && this.#count > 1) {
      out.length -= this.#count - 1;
      return this.#cardinality("more than one");
    }
    return fault === undefined ? undefined : { code: fault.status, message: fault.message };
  }

  /** The stream has ended. Without a message where the method demands one, the call fails (rpc-status#codes). */
  end(): CallStatus | undefined {
    const fault = this.#reader.end();
    if (fault !== undefined) return { code: fault.status, message: fault.message };
    return this.#isStream || this.#count === 1 ? undefined : this.#cardinality("no");
  }

  #cardinality(count: string): CallStatus {
    return { code: Status.UNIMPLEMENTED, message: `The ${this.#side} received ${count} message where the method permits one.` };
  }
}
