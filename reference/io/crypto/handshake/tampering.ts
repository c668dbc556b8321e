import { concatenated, Writer } from "../../../core/index.ts";
import type { Sent, Tamper } from "./testing.ts";

/** Changes of messages on their way, for tests of what a peer gets wrong. */

export const TYPE = {
  ClientHello: 1,
  ServerHello: 2,
  NewSessionTicket: 4,
  EncryptedExtensions: 8,
  Certificate: 11,
  CertificateRequest: 13,
  CertificateVerify: 15,
  Finished: 20,
} as const;
type Name = keyof typeof TYPE;

/** A message with this body. */
export const framed = (type: number, body: Uint8Array): Uint8Array => new Writer().u8(type).u24(body.length).bytes(body).handOver();

type Edit = (body: Uint8Array, sent: Sent) => Uint8Array;
/** Changes the body of the messages of a kind; `which` counts them from 0. */
export function edit(name: Name, change: Edit, which = 0): Tamper {
  let seen = -1;
  return (sent) => (sent.type === TYPE[name] && ++seen === which ? framed(sent.type, change(sent.octets.subarray(4), sent)) : sent.octets);
}
/** Puts whole octets in place of a message. */
export function replace(name: Name, octets: (sent: Sent) => Uint8Array, which = 0): Tamper {
  let seen = -1;
  return (sent) => (sent.type === TYPE[name] && ++seen === which ? octets(sent) : sent.octets);
}

export const flip = (octets: Uint8Array, at: number, bit = 1): Uint8Array =>
  octets.map((octet, index) => (index === (at < 0 ? octets.length + at : at) ? octet ^ bit : octet));
export const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

/** Where the block of extensions begins in a body. */
const START: Partial<Record<Name, (body: Uint8Array) => number>> = {
  ClientHello: (body) => {
    const suites = 35 + body[34]!;
    const compressions = suites + 2 + ((body[suites]! << 8) | body[suites + 1]!);
    return compressions + 1 + body[compressions]!;
  },
  ServerHello: (body) => 35 + body[34]! + 3,
  EncryptedExtensions: () => 0,
  CertificateRequest: (body) => 1 + body[0]!,
  NewSessionTicket: (body) => {
    const ticket = 9 + body[8]!;
    return ticket + 2 + ((body[ticket]! << 8) | body[ticket + 1]!);
  },
};

type List = readonly (readonly [id: number, content: Uint8Array])[];
function split(name: Name, body: Uint8Array): { readonly head: Uint8Array; readonly list: List } {
  const start = START[name]!(body);
  const list: (readonly [number, Uint8Array])[] = [];
  for (let at = start + 2; at < body.length;) {
    const length = (body[at + 2]! << 8) | body[at + 3]!;
    list.push([(body[at]! << 8) | body[at + 1]!, body.subarray(at + 4, at + 4 + length)]);
    at += 4 + length;
  }
  return { head: body.subarray(0, start), list };
}

/** Changes the list of extensions of a message. */
export const editList = (name: Name, change: (list: List) => List, which = 0): Tamper =>
  edit(
    name,
    (body) => {
      const { head, list } = split(name, body);
      const pieces = change(list).map(([id, content]) => new Writer().u16(id).u16(content.length).bytes(content).handOver());
      const block = concatenated(pieces);
      return concatenated([head, new Writer().u16(block.length).handOver(), block]);
    },
    which,
  );
/** Gives an extension another content, or adds it; undefined removes it. */
export const editExtension = (
  name: Name,
  id: number,
  content: ((old: Uint8Array) => Uint8Array) | Uint8Array | undefined,
  which = 0,
): Tamper =>
  editList(
    name,
    (list) => {
      if (content === undefined) return list.filter(([one]) => one !== id);
      const changed = (old: Uint8Array): Uint8Array => (typeof content === "function" ? content(old) : content);
      const isThere = list.some(([one]) => one === id);
      return isThere ? list.map(([one, old]) => [one, one === id ? changed(old) : old]) : [...list, [id, changed(bytes())]];
    },
    which,
  );

/** A HelloRetryRequest in place of a ServerHello. */
const asRetry = (body: Uint8Array): Uint8Array => {
  const changed = body.slice();
  changed.set(Buffer.from("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "hex"), 2);
  return changed;
};
/** A HelloRetryRequest without a group, and with an extension, in place of a ServerHello. */
export const retried =
  (id: number, content: Uint8Array | undefined): Tamper =>
  (sent) => {
    if (sent.type !== TYPE.ServerHello) return sent.octets;
    const cut = editExtension("ServerHello", 51, undefined)(sent)!;
    const put = content === undefined ? cut : editExtension("ServerHello", id, content)({ ...sent, octets: cut })!;
    return framed(TYPE.ServerHello, asRetry(put.subarray(4)));
  };
