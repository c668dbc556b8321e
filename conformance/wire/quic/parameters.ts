import { readVarint, varint } from "../http3/varint.ts";
import { fromHex, join } from "../octets.ts";
import { type ParameterName, PARAMETERS } from "./names.ts";

/** Transport parameters as octets, legal or not (rfc9000#18). */

/** A parameter by its number, with its value. */
export type Parameter = readonly [id: number, value: Uint8Array];

/** What to change in the parameters that an end sends. */
export type ParameterSpec = {
  /** Integers by name, or values in hex. */
  readonly set?: Readonly<Partial<Record<ParameterName, number | string>>>;
  readonly without?: readonly ParameterName[];
  /** Octets after the last parameter. */
  readonly hex?: string;
};

/** The parameters of an extension, in order; whatever follows a truncated one is left out. */
export function readParameters(octets: Uint8Array): Parameter[] {
  const found: Parameter[] = [];
  for (let at = 0; at < octets.length;) {
    const id = readVarint(octets.subarray(at));
    const length = id && readVarint(octets.subarray(at + id.size));
    if (id === undefined || length === undefined) break;
    const from = at + id.size + length.size;
    found.push([id.value, octets.subarray(from, from + length.value)]);
    at = from + length.value;
  }
  return found;
}

const writeParameters = (parameters: readonly Parameter[]): Uint8Array =>
  join([new Uint8Array(0), ...parameters.flatMap(([id, value]) => [varint(id), varint(value.length), value])]);

/** The octets of parameters with these changes. */
export function editParameters(parameters: readonly Parameter[], { set = {}, without = [], hex = "" }: ParameterSpec): Uint8Array {
  const changes = new Map<number, Uint8Array>(
    Object.entries(set).map(([name, value]) => [
      PARAMETERS[name as ParameterName],
      typeof value === "number" ? varint(value) : fromHex(String(value)),
    ]),
  );
  const absent = new Set<number>(without.map((name) => PARAMETERS[name]));
  const kept = parameters.filter(([id]) => !absent.has(id) && !changes.has(id));
  return join([writeParameters([...kept, ...changes]), fromHex(hex)]);
}

/** The same parameters of a client that gives no credit for the content of responses. */
export const withoutCredit = (octets: Uint8Array): Uint8Array =>
  writeParameters(readParameters(octets).filter(([id]) => id !== PARAMETERS.initial_max_stream_data_bidi_local));
