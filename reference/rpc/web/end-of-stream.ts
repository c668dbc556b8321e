import { field, type Field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import type { CallStatus } from "../call-status.ts";
import { Status } from "../status.ts";
import { readError, writeError } from "./connect-error.ts";

/** The last message of a streaming response in the dialect connect: how the call ended, and its trailing metadata (rpc-connect#error-end-stream). */

/** The flag of its envelope (rpc-connect#streaming-request). */
const END_STREAM = 2;
const HEAD_OCTETS = 5;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { fatal: true });

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

/** What the message states; undefined for anything else. */
export function readEndOfStream(octets: Uint8Array): { readonly status: CallStatus; readonly metadata: Fields } | undefined {
  const json = parsed(octets);
  if (json === undefined) return undefined;
  const { error, metadata = {} } = json;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const fields = Object.entries(metadata).flatMap(([name, values]) =>
    Array.isArray(values) ? values.flatMap((value) => (typeof value === "string" ? [field(name.toLowerCase(), value)] : [])) : [],
  );
  const status = error === undefined ? { code: Status.OK, message: "" } : readError(error, 0);
  return status === undefined ? undefined : { status, metadata: new Fields(fields) };
}

function parsed(octets: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(DECODER.decode(octets));
    return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
