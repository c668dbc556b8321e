import { concatenated, Reader, Writer, type Instant } from "../../core/index.ts";
import { sameOctets } from "../connection-id.ts";
import type { Primitives } from "../primitives.ts";
import type { Address } from "./path.ts";

const NONCE_LENGTH = 12;
const OF_RETRY = 1;
const NOTHING = new Uint8Array(0);

/** What a token says: that a client was at an address at a time; one of Retry also which ID it used first and with which it continues. */
export type TokenContent =
  | { readonly is: "retry"; readonly at: Instant; readonly original: Uint8Array; readonly destination: Uint8Array }
  | { readonly is: "new"; readonly at: Instant };

/** Makes and checks tokens that prove an address without any memory (rfc9000#8.1.4). The key has 16 octets. */
export class Tokens {
  readonly #primitives: Primitives;
  readonly #key: Uint8Array;

  constructor(primitives: Primitives, key: Uint8Array) {
    this.#primitives = primitives;
    this.#key = key;
  }

  make(content: TokenContent, { host, port }: Address): Uint8Array {
    const writer = new Writer();
    writer.u8(content.is === "retry" ? 1 : 2);
    writer.u32(Math.floor(content.at / 2 ** 32)).u32(Math.floor(content.at) >>> 0);
    const ids = content.is === "retry" ? [content.original, content.destination] : [NOTHING, NOTHING];
    for (const id of ids) writer.u8(id.length).bytes(id);
    const nonce = this.#primitives.random(new Uint8Array(NONCE_LENGTH));
    // A token of NEW_TOKEN is for any port: addresses behind a translator change theirs (rfc9000#8.1.3).
    const aad = new TextEncoder().encode(content.is === "retry" ? `1 ${host} ${port}` : `2 ${host}`);
    return concatenated([
      Uint8Array.of(content.is === "retry" ? 1 : 2),
      nonce,
      this.#primitives.aead("aes-128-gcm", this.#key).seal(nonce, aad, writer.take()),
    ]);
  }

  /** Whether a token looks like one of our Retry packets, whoever made it (rfc9000#8.1.1). */
  isOfRetry(token: Uint8Array): boolean {
    return token[0] === OF_RETRY && token.length > 1 + NONCE_LENGTH;
  }
  /** What a token says, if it is ours and of this address. */
  read(token: Uint8Array, { host, port }: Address): TokenContent | undefined {
    const kind = token[0];
    if ((kind !== 1 && kind !== 2) || token.length < 1 + NONCE_LENGTH) return undefined;
    const aad = new TextEncoder().encode(kind === 1 ? `1 ${host} ${port}` : `2 ${host}`);
    const nonce = token.subarray(1, 1 + NONCE_LENGTH);
    const plain = this.#primitives.aead("aes-128-gcm", this.#key).open(nonce, aad, token.subarray(1 + NONCE_LENGTH));
    if (plain === undefined) return undefined;
    const reader = new Reader(plain);
    if (!sameOctets(Uint8Array.of(reader.u8()), Uint8Array.of(kind))) return undefined;
    const at = (reader.u32() * 2 ** 32 + reader.u32()) as Instant;
    const original = reader.view(reader.u8());
    const destination = reader.view(reader.u8());
    return kind === 1 ? { is: "retry", at, original, destination } : { is: "new", at };
  }
}
