import type { SpecRef } from "../core/index.ts";
import type { CodingFault } from "../field-coding/index.ts";

/** Every decoding error, and its section. Each ends the connection with COMPRESSION_ERROR (rfc9113#4.3). */
export const FAULTS = {
  indexZero: { spec: "rfc7541#6.1" },
  indexBeyondTables: { spec: "rfc7541#2.3.3" },
  sizeUpdateLate: { spec: "rfc7541#4.2" },
  sizeUpdateBeyondLimit: { spec: "rfc7541#6.3" },
  sizeUpdateMissing: { spec: "rfc7541#4.2" },
  integerTruncated: { spec: "rfc7541#5.1" },
  integerTooLarge: { spec: "rfc7541#5.1" },
  stringTruncated: { spec: "rfc7541#5.2" },
  stringTooLong: { spec: "rfc7541#7.4" },
  huffmanEos: { spec: "rfc7541#5.2" },
  huffmanPaddingTooLong: { spec: "rfc7541#5.2" },
  huffmanPaddingWrong: { spec: "rfc7541#5.2" },
} as const satisfies Record<CodingFault, { spec: SpecRef }> & Record<string, { spec: SpecRef }>;

export type HpackFaultName = keyof typeof FAULTS;

/** The block cannot be decoded, and neither can later ones: the tables of both sides no longer agree. */
export type HpackFault = {
  readonly is: "fault";
  readonly name: HpackFaultName;
  readonly code: "COMPRESSION_ERROR";
  readonly spec: SpecRef;
};

export const fault = (name: HpackFaultName): HpackFault => ({ is: "fault", name, code: "COMPRESSION_ERROR", spec: FAULTS[name].spec });
