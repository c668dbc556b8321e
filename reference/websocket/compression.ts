import type { Side } from "./contract.ts";
import { THRESHOLD, type Deflater, type DeflateOptions, type Inflater } from "./deflate.ts";

/** Both directions of a connection's compression (rfc7692); each begins with its first compressed message. */
export class Compression {
  readonly #options: DeflateOptions;
  readonly #isServer: boolean;
  #inflater: Inflater | undefined;
  #deflater: Deflater | undefined;

  constructor(options: DeflateOptions, side: Side) {
    this.#options = options;
    this.#isServer = side === "server";
  }

  get inflater(): Inflater {
    const { agreed, engine } = this.#options;
    return (this.#inflater ??= this.#isServer
      ? engine.inflater(agreed.clientBits, agreed.clientTakeover)
      : engine.inflater(agreed.serverBits, agreed.serverTakeover));
  }
  get deflater(): Deflater {
    const { agreed, engine } = this.#options;
    return (this.#deflater ??= this.#isServer
      ? engine.deflater(agreed.serverBits, agreed.serverTakeover)
      : engine.deflater(agreed.clientBits, agreed.clientTakeover));
  }
  /** Whether a message of this length is worth compressing. */
  pays(length: number): boolean {
    return length >= (this.#options.threshold ?? THRESHOLD);
  }
  close(): void {
    this.#inflater?.close();
    this.#deflater?.close();
    this.#inflater = undefined;
    this.#deflater = undefined;
  }
}
