import { readMessage } from "../protobuf.ts";

/** What a server says of its load at the end of a call: fields of `xds.data.orca.v3.OrcaLoadReport`. */
export type LoadSpec = {
  readonly cpu?: number;
  /** Requests and errors a second. */
  readonly rps?: number;
  readonly eps?: number;
};

/** The trailer that has it, whatever the dialect. */
export const LOAD_TRAILER = "endpoint-load-metrics-bin";

/** The method that reports it on a stream of its own. */
export const LOAD_STREAM = "/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics";

const NUMBERS: Readonly<Record<keyof LoadSpec, number>> = { cpu: 1, rps: 6, eps: 7 };
const DOUBLE = 1;

/** Its octets. */
export function loadOctets(load: LoadSpec): Buffer {
  const fields = Object.entries(load).map(([name, value]) => {
    const octets = Buffer.alloc(9);
    octets[0] = (NUMBERS[name as keyof LoadSpec] << 3) | DOUBLE;
    octets.writeDoubleLE(value, 1);
    return octets;
  });
  return Buffer.concat(fields);
}
/** Its octets, in Base64 without padding. */
export const loadReport = (load: LoadSpec): string => loadOctets(load).toString("base64").replace(/=+$/, "");

/** The milliseconds between reports that a request for a stream of them asks for: seconds and nanoseconds of its first field. */
export function askedEveryMs(request: Uint8Array): number {
  const period = readMessage(readMessage(request)?.octets(1) ?? new Uint8Array());
  return period === undefined ? 0 : period.number(1) * 1_000 + period.number(2) / 1_000_000;
}
/** The requests a second of a report, or 0. */
export function rateOf(base64: string): number {
  const octets = Buffer.from(base64, "base64");
  for (let at = 0; at + 9 <= octets.length; at += 9) if (octets[at]! >> 3 === NUMBERS.rps) return octets.readDoubleLE(at + 1);
  return 0;
}
