import { concatenated } from "../../core/index.ts";

/** Where a message keeps the fields that its type does not have. */
const UNKNOWN: unique symbol = Symbol("unknown fields");

/**
 * The fields of a decoded message that its type does not have, as octets: a peer with a newer contract sends them. They are written again
 * when the message, or a copy of it by `{ ...message }`, is encoded.
 */
export const unknownFields = (message: object): Uint8Array | undefined =>
  UNKNOWN in message && message[UNKNOWN] instanceof Uint8Array ? message[UNKNOWN] : undefined;

/** Adds octets of fields that are not known to a message. */
export function addUnknown(message: object, parts: readonly Uint8Array[]): void {
  const before = unknownFields(message);
  const all = before === undefined ? parts : [before, ...parts];
  Object.defineProperty(message, UNKNOWN, { value: concatenated(all), enumerable: true, configurable: true, writable: true });
}
