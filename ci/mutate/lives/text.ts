import type { Field } from "../../../reference/core/index.ts";

/** How a life writes down what went in and what came out. */

const SHOWN_OCTETS = 80;

/** FNV-1a over all octets. */
function hashOf(octets: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const octet of octets) hash = Math.imul(hash ^ octet, 0x0100_0193);
  return (hash >>> 0).toString(16);
}

/** All of few octets; of many the number and a hash. */
export const octetsText = (octets: Uint8Array): string =>
  octets.length <= SHOWN_OCTETS
    ? Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("hex")
    : `${octets.length} octets, hash ${hashOf(octets)}`;

const fieldText = ({ name, value, sensitive }: Field): string => `${name}=${value}${sensitive ? " (sensitive)" : ""}`;
export const fieldsText = (fields: readonly Field[]): string => `[${fields.map(fieldText).join("; ")}]`;

/** What a call returns or throws. */
export function outcome(call: () => unknown): string {
  try {
    return String(call());
  } catch (error) {
    return `throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
}
