import { randomBytes } from "node:crypto";
import { now, TLS_PRIMITIVES } from "../../../reference/io/index.ts";
import type { KeyShare, Session } from "../../../reference/tls/index.ts";
import type { Forging } from "./forgery.ts";
import type { HelloSpec } from "./hello.ts";
import { editOffer, isHello, type OfferSpec } from "./offer.ts";

/** Clients that resume a session of an earlier connection (rfc9001#4.5, #4.6). */

/** How a client resumes. */
export type ResumeSpec = {
  /** It asks to send 0-RTT data. */
  readonly early?: true;
  readonly offer?: OfferSpec;
};

/** What a ClientHello is made of: connections that share it send the same one, as if somebody had recorded it. */
export class Recording {
  readonly source: Uint8Array;
  readonly at = now();
  readonly #drawn: Uint8Array[] = [];
  readonly #shares: KeyShare[] = [];

  constructor(idOctets: number) {
    this.source = new Uint8Array(randomBytes(idOctets));
  }

  /** Primitives that begin anew with the same random octets and the same key shares. */
  primitives(): typeof TLS_PRIMITIVES {
    let drawn = 0;
    let shares = 0;
    return {
      ...TLS_PRIMITIVES,
      random: (into) => {
        const known = (this.#drawn[drawn++] ??= TLS_PRIMITIVES.random(new Uint8Array(into.length)));
        into.set(known);
        return into;
      },
      offer: (group) => (this.#shares[shares++] ??= TLS_PRIMITIVES.offer(group)),
    };
  }
}

/** The changes of a ClientHello that offers this session: its transcript and its binder are those of the changed one. */
export function offering(hello: HelloSpec, offer: OfferSpec, session: Session): Forging {
  let first: Uint8Array | undefined;
  return {
    sends: (octets) => {
      if (!isHello(octets)) return octets;
      first ??= octets;
      // After a HelloRetryRequest the second one is that of our machine.
      return Buffer.compare(first, octets) === 0 ? editOffer(octets, hello, offer, session) : octets;
    },
  };
}
