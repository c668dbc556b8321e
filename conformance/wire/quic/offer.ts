import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Session } from "../../../reference/tls/index.ts";
import { join } from "../octets.ts";
import { editHello, type HelloSpec, prefixed } from "./hello.ts";

/** Offers of sessions in a ClientHello, legal or not (rfc8446#4.2.11). */

/** What to change in an offer. */
export type OfferSpec = {
  /** The last octet of the binder is another; or another identity comes first, and the only binder is that of this one. */
  readonly binder?: "wrong" | "missing";
  /** The server has never given this ticket. */
  readonly ticket?: "other";
  /** Milliseconds by which the age of the ticket is more than ours. */
  readonly olderMs?: number;
};

const PRE_SHARED_KEY = 0x29;
const CLIENT_HELLO = 1;

/** Whether these octets are a whole ClientHello, and not the start of one. */
export const isHello = (octets: Uint8Array): boolean =>
  octets[0] === CLIENT_HELLO && octets.length === 4 + (((octets[1] ?? 0) << 16) | ((octets[2] ?? 0) << 8) | (octets[3] ?? 0));

/** Whether a ClientHello offers a session. */
export const offersSession = (hello: Uint8Array): boolean => extensionsIn(hello).some(({ type }) => type === PRE_SHARED_KEY);

/** The ClientHello with these changes, and the binder that belongs to it. */
export function editOffer(octets: Uint8Array, hello: HelloSpec, offer: OfferSpec, session: Session): Uint8Array {
  const { value } = offerIn(octets);
  const age = new DataView(value.buffer, value.byteOffset).getUint32(4 + session.ticket.length);
  const hash = session.suite === "TLS_AES_256_GCM_SHA384" ? "sha384" : "sha256";
  const binderOctets = hash === "sha384" ? 48 : 32;
  const identity = (ticket: Uint8Array, ms: number): Uint8Array => {
    const older = new Uint8Array(4);
    new DataView(older.buffer).setUint32(0, (age + ms) >>> 0);
    return join([prefixed(ticket, 2), older]);
  };
  // No ticket of the server: it has the right length, and nobody has sealed it.
  const strange = identity(strangerOf(session), 0);
  const own = identity(session.ticket, offer.olderMs ?? 0);
  const identities = offer.ticket === "other" ? [strange] : offer.binder === "missing" ? [strange, own] : [own];
  const binders = prefixed(prefixed(new Uint8Array(binderOctets), 1), 2);
  const replaced = replace(octets, join([prefixed(join(identities), 2), binders]));
  const edited = editHello(replaced, hello);
  const { end } = offerIn(edited);
  const binder = binderOf(session.psk, hash, edited.subarray(0, end - binders.length));
  if (offer.binder === "wrong") binder[binder.length - 1]! ^= 0xff;
  edited.set(binder, end - binderOctets);
  return edited;
}

/** Octets for the strange ticket: an edit that is made twice must give the same. */
const strangers = new WeakMap<Session, Uint8Array>();
function strangerOf(session: Session): Uint8Array {
  const known = strangers.get(session) ?? new Uint8Array(randomBytes(session.ticket.length));
  strangers.set(session, known);
  return known;
}

const u16 = (octets: Uint8Array, at: number): number => ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
/** Where the block of extensions begins, with its length; beyond the end in a message that is cut. */
function extensionsAt(hello: Uint8Array): number {
  let at = 38;
  at += 1 + (hello[at] ?? 0);
  at += 2 + u16(hello, at);
  return at + 1 + (hello[at] ?? 0);
}
type Extension = { readonly type: number; readonly value: Uint8Array; readonly end: number };
function extensionsIn(hello: Uint8Array): Extension[] {
  const found: Extension[] = [];
  for (let at = extensionsAt(hello) + 2; at + 4 <= hello.length;) {
    const end = at + 4 + u16(hello, at + 2);
    found.push({ type: u16(hello, at), value: hello.subarray(at + 4, end), end });
    at = end;
  }
  return found;
}
function offerIn(hello: Uint8Array): Extension {
  const found = extensionsIn(hello).find(({ type }) => type === PRE_SHARED_KEY);
  if (found === undefined) throw new Error("the ClientHello offers no session");
  return found;
}

/** The ClientHello with another value of its last extension, pre_shared_key. */
function replace(hello: Uint8Array, value: Uint8Array): Uint8Array {
  const old = offerIn(hello).value.length;
  const replaced = join([hello.subarray(0, hello.length - old), value]);
  const view = new DataView(replaced.buffer, replaced.byteOffset, replaced.length);
  view.setUint16(hello.length - old - 2, value.length);
  for (const at of [2, extensionsAt(hello)]) view.setUint16(at, view.getUint16(at) + value.length - old);
  return replaced;
}

/** The binder over the start of a ClientHello (rfc8446#4.2.11.2, #7.1). */
function binderOf(psk: Uint8Array, hash: "sha256" | "sha384", start: Uint8Array): Uint8Array {
  const digest = (octets: Uint8Array): Uint8Array => createHash(hash).update(octets).digest();
  const hmac = (key: Uint8Array, octets: Uint8Array): Uint8Array => new Uint8Array(createHmac(hash, key).update(octets).digest());
  const empty = new Uint8Array(0);
  const { length } = digest(empty);
  const expand = (secret: Uint8Array, label: string, context: Uint8Array): Uint8Array =>
    hmac(
      secret,
      join([Uint8Array.of(0, length), prefixed(Buffer.from(`tls13 ${label}`, "latin1"), 1), prefixed(context, 1), Uint8Array.of(1)]),
    );
  const early = hmac(new Uint8Array(length), psk);
  return hmac(expand(expand(early, "res binder", digest(empty)), "finished", empty), digest(start));
}
