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

/** Its octets, in Base64 without padding. */
export function loadReport(load: LoadSpec): string {
  const fields = Object.entries(load).map(([name, value]) => {
    const octets = Buffer.alloc(9);
    octets[0] = (NUMBERS[name as keyof LoadSpec] << 3) | DOUBLE;
    octets.writeDoubleLE(value, 1);
    return octets;
  });
  return Buffer.concat(fields).toString("base64").replace(/=+$/, "");
}
/** The requests a second of a report, or 0. */
export function rateOf(base64: string): number {
  const octets = Buffer.from(base64, "base64");
  for (let at = 0; at + 9 <= octets.length; at += 9) if (octets[at]! >> 3 === NUMBERS.rps) return octets.readDoubleLE(at + 1);
  return 0;
}
