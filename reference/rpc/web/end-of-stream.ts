import type { Field } from "../../core/index.ts";
import type { CallStatus } from "../call-status.ts";
import { Status } from "../status.ts";
import { writeError } from "./connect-error.ts";

/** The last message of a streaming response in the dialect connect: how the call ended, and its trailing metadata (rpc-connect#error-end-stream). */

/** The flag of its envelope (rpc-connect#streaming-request). */
const END_STREAM = 2;
const HEAD_OCTETS = 5;

const ENCODER = new TextEncoder();

/** The message in its envelope. */
export function writeEndOfStream(status: CallStatus, metadata: readonly Field[]): Uint8Array {
  const byName = new Map<string, string[]>();
  for (const { name, value } of metadata) byName.set(name, [...(byName.get(name) ?? []), value]);
  const json = {
    ...(status.code === Status.OK ? {} : { error: writeError(status) }),
    ...(byName.size === 0 ? {} : { metadata: Object.fromEntries(byName) }),
  };
  return framed(END_STREAM, ENCODER.encode(JSON.stringify(json)));
}

/** Octets in an envelope with these flags. */
export function framed(flags: number, octets: Uint8Array): Uint8Array {
  const wire = new Uint8Array(HEAD_OCTETS + octets.length);
  wire[0] = flags;
  new DataView(wire.buffer).setUint32(1, octets.length);
  wire.set(octets, HEAD_OCTETS);
  return wire;
}
