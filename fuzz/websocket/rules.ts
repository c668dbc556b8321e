import type { Breach } from "../lib/network.ts";
import type { Rule } from "../lib/rules.ts";
import type { Fault, FaultName } from "../../reference/websocket/index.ts";

/** The sentence that makes a receiver fail the connection for a fault. */
export const BINDING: Partial<Readonly<Record<FaultName, Rule["ref"]>>> = {
  reservedBitSet: "rfc6455#5.2/rsv",
  opcodeReserved: "rfc6455#5.2/reserved-opcode",
  maskMissing: "rfc6455#5.1/unmasked",
  maskForbidden: "rfc6455#5.1/masked",
  compressedBitMisplaced: "rfc7692#6/rsv1-continuation",
  textInvalid: "rfc6455#8.1/utf-8",
  closeTooShort: "rfc6455#5.5.1/code",
  closeReasonInvalid: "rfc6455#8.1/reason",
};
/** Rules for the sender, or definitions, which no sentence makes a receiver enforce. */
export const INFERRED: Partial<Readonly<Record<FaultName, Rule["ref"]>>> = {
  lengthNotMinimal: "rfc6455#5.2/minimal-length",
  lengthTopBitSet: "rfc6455#5.2/length-top-bit",
  controlFragmented: "rfc6455#5.4/control-fragmented",
  controlTooLong: "rfc6455#5.5/control-length",
  continuationUnexpected: "rfc6455#5.4/stray-continuation",
  messageInterrupted: "rfc6455#5.4/interleaved",
  compressionInvalid: "rfc7692#7.2.2/corrupt",
  closeCodeInvalid: "rfc6455#7.4.1/reserved",
};

/** The requirement about a fault that a peer accepted, or the section alone. */
export function ruleOf({ name, spec }: Fault): Pick<Breach, "rule" | "inferred"> {
  const rule = BINDING[name];
  return rule === undefined ? { rule: INFERRED[name] ?? spec, inferred: true } : { rule };
}
