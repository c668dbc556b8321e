import type { SpecRef } from "../core/index.ts";
import type { CodingFault } from "../field-coding/index.ts";

/** Where a fault of the peer was found. It decides the error code (rfc9204#6). */
export type Place = "section" | "encoder stream" | "decoder stream";

const CODES = {
  section: "QPACK_DECOMPRESSION_FAILED",
  "encoder stream": "QPACK_ENCODER_STREAM_ERROR",
  "decoder stream": "QPACK_DECODER_STREAM_ERROR",
} as const satisfies Record<Place, string>;

type Row = {
  readonly spec: SpecRef;
  /** The places where it can be found. */
  readonly in: readonly Place[];
  /** Only a section that this decoder cannot hold ends no more than its stream (rfc9204#7.4). */
  readonly scope?: "stream";
};
const INSTRUCTIONS = ["encoder stream", "decoder stream"] as const;
const ANYWHERE = ["section", ...INSTRUCTIONS] as const;
const STRINGS = ["section", "encoder stream"] as const;

/** Every fault of the peer, and its section. */
export const FAULTS = {
  requiredInsertCountImpossible: { spec: "rfc9204#4.5.1.1", in: ["section"] },
  baseNegative: { spec: "rfc9204#4.5.1.2", in: ["section"] },
  tooManyBlocked: { spec: "rfc9204#2.1.2", in: ["section"] },
  referenceBeyondRequired: { spec: "rfc9204#2.2.3", in: ["section"] },
  referenceEvicted: { spec: "rfc9204#2.2.3", in: STRINGS },
  staticIndexUnknown: { spec: "rfc9204#3.1", in: STRINGS },
  capacityBeyondLimit: { spec: "rfc9204#4.3.1", in: ["encoder stream"] },
  entryTooLarge: { spec: "rfc9204#3.2.2", in: ["encoder stream"] },
  acknowledgmentUnexpected: { spec: "rfc9204#4.4.1", in: ["decoder stream"] },
  incrementZero: { spec: "rfc9204#4.4.3", in: ["decoder stream"] },
  incrementBeyondSent: { spec: "rfc9204#4.4.3", in: ["decoder stream"] },
  capacityChanged: { spec: "rfc9204#3.2.3", in: ["decoder stream"] },
  integerTruncated: { spec: "rfc9204#4.1.1", in: ["section"] },
  integerTooLarge: { spec: "rfc9204#7.4", in: ANYWHERE, scope: "stream" },
  stringTruncated: { spec: "rfc9204#4.1.2", in: ["section"] },
  stringTooLong: { spec: "rfc9204#7.4", in: STRINGS, scope: "stream" },
  huffmanEos: { spec: "rfc7541#5.2", in: STRINGS },
  huffmanPaddingTooLong: { spec: "rfc7541#5.2", in: STRINGS },
  huffmanPaddingWrong: { spec: "rfc7541#5.2", in: STRINGS },
} as const satisfies Record<CodingFault, Row> & Record<string, Row>;

export type QpackFaultName = keyof typeof FAULTS;

/** The peer broke a rule. After one of scope `connection` neither coder is usable; after one of scope `stream` only that section is lost. */
export type QpackFault = {
  readonly is: "fault";
  readonly name: QpackFaultName;
  readonly code: (typeof CODES)[Place];
  readonly scope: "stream" | "connection";
  readonly spec: SpecRef;
};

export function fault(name: QpackFaultName, place: Place): QpackFault {
  const row: Row = FAULTS[name];
  const scope = place === "section" ? (row.scope ?? "connection") : "connection";
  return { is: "fault", name, code: CODES[place], scope, spec: row.spec };
}
