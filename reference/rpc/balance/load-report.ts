import { type MessageType, MalformedMessage, messageType } from "../message/index.ts";

/** What a server says of its load at the end of a call (A51): the fields of `xds.data.orca.v3.OrcaLoadReport` that weights are made of. */
export type LoadReport = {
  readonly cpuUtilization: number;
  /** Counts in place of that of the processors where it is above 0. */
  readonly applicationUtilization: number;
  readonly rpsFractional: number;
  readonly eps: number;
};

/** The trailer that has it. */
export const LOAD_TRAILER = "endpoint-load-metrics-bin";

export const LOAD_REPORT: MessageType<LoadReport> = messageType({
  name: "xds.data.orca.v3.OrcaLoadReport",
  fields: () => ({
    cpuUtilization: { number: 1, type: "double" },
    rpsFractional: { number: 6, type: "double" },
    eps: { number: 7, type: "double" },
    applicationUtilization: { number: 9, type: "double" },
  }),
});

/** Undefined if it does not decode: then the server has said nothing. */
export function readLoadReport(octets: Uint8Array): LoadReport | undefined {
  try {
    return LOAD_REPORT.decode(octets);
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined;
    throw error;
  }
}
