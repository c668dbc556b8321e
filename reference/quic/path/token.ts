import { concatenated, Reader, Writer, type Instant } from "../../core/index.ts";
import { sameOctets } from "../connection-id.ts";
import type { Primitives } from "../primitives.ts";
import type { Address } from "./path.ts";

const NONCE_LENGTH = 12;
const OF_RETRY = 1;
const OF_NEW_TOKEN = 2;
const NOTHING = new Uint8Array(0);

/** What a token says: that a client was at an address at a time; one of Retry also which ID it used first and with which it continues. */
export type TokenContent =
  | { readonly is: "retry"; readonly at: Instant; readonly original: Uint8Array; readonly destination: Uint8Array }
  | { readonly is: "new"; readonly at: Instant };

/** For whom a token is: a client at an address, and the version of its connection (rfc9369#5). */
type Holder = Address & { readonly version: number };
/** A token of NEW_TOKEN is for any port: clients change their port when an address translator forgets them (rfc9000#8.1.3). */
const holderOf = (kind: number, { host, port, version }: Holder): Uint8Array =>
  new TextEncoder().encode(kind === OF_RETRY ? `1 ${version} ${host} ${port}` : `2 ${version} ${host}`);

/** Makes and checks tokens that prove an address without any memory (rfc9000#8.1.4). The key has 16 octets. */
export class Tokens {
  readonly #primitives: Primitives;
  readonly #key: Uint8Array;

  constructor(primitives: Primitives, key: Uint8Array) {
    this.#primitives = primitives;
    this.#key = key;
  }

  make(content: TokenContent, holder: Holder): Uint8Array {
    const writer = new Writer();
    writer.u8(content.is === "retry" ? OF_RETRY : OF_NEW_TOKEN);
    writer.u32(Math.floor(content.at / 2 ** 32)).u32(Math.floor(content.at) >>> 0);
    const ids = content.is === "retry" ? [content.original, content.destination] : [NOTHING, NOTHING];
    for (const id of ids) writer.u8(id.length).bytes(id);
    const nonce = this.#primitives.random(new Uint8Array(NONCE_LENGTH));
    const kind = content.is === "retry" ? OF_RETRY : OF_NEW_TOKEN;
    const aad = holderOf(kind, holder);
    return concatenated([Uint8Array.of(kind), nonce, this.#primitives.aead("aes-128-gcm", this.#key).seal(nonce, aad, writer.take())]);
  }

  /** Whether a token looks like one of our Retry packets, whoever made it (rfc9000#8.1.1). */
  isOfRetry(token: Uint8Array): boolean {
    return token[0] === OF_RETRY && token.length > 1 + NONCE_LENGTH;
  }
  /** What a token says, if it is ours and for this holder. */
  read(token: Uint8Array, holder: Holder): TokenContent | undefined {
    const kind = token[0];
    if ((kind !== OF_RETRY && kind !== OF_NEW_TOKEN) || token.length < 1 + NONCE_LENGTH) return undefined;
    const aad = holderOf(kind, holder);
    const nonce = token.subarray(1, 1 + NONCE_LENGTH);
    const plain = this.#primitives.aead("aes-128-gcm", this.#key).open(nonce, aad, token.subarray(1 + NONCE_LENGTH));
    if (plain === undefined) return undefined;
    const reader = new Reader(plain);
    if (!sameOctets(Uint8Array.of(reader.u8()), Uint8Array.of(kind))) return undefined;
    const at = (reader.u32() * 2 ** 32 + reader.u32()) as Instant;
    const original = reader.view(reader.u8());
    const destination = reader.view(reader.u8());
    return kind === OF_RETRY ? { is: "retry", at, original, destination } : { is: "new", at };
  }
}
