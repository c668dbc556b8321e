import type { SpecRef } from "../core/index.ts";

/** `code`: the code of our Close; 0 if we send none, since the peer no longer reads. */
type Rule = { readonly code: number; readonly spec: SpecRef };
const rule = (code: number, spec: SpecRef): Rule => ({ code, spec });

/** Every way in which a peer can break the protocol after the opening handshake: our close code, and the section of the rule. */
export const FAULTS = {
  // Frame heads.
  reservedBitSet: rule(1002, "rfc6455#5.2"),
  opcodeReserved: rule(1002, "rfc6455#5.2"),
  lengthNotMinimal: rule(1002, "rfc6455#5.2"),
  lengthTopBitSet: rule(1002, "rfc6455#5.2"),
  maskMissing: rule(1002, "rfc6455#5.1"),
  maskForbidden: rule(1002, "rfc6455#5.1"),
  controlFragmented: rule(1002, "rfc6455#5.5"),
  controlTooLong: rule(1002, "rfc6455#5.5"),

  // The order of frames.
  continuationUnexpected: rule(1002, "rfc6455#5.4"),
  messageInterrupted: rule(1002, "rfc6455#5.4"),
  compressedBitMisplaced: rule(1002, "rfc7692#6"),

  // Payloads.
  textInvalid: rule(1007, "rfc6455#8.1"),
  compressionInvalid: rule(1007, "rfc7692#7.2.2"),
  closeTooShort: rule(1002, "rfc6455#5.5.1"),
  closeCodeInvalid: rule(1002, "rfc6455#7.4"),
  closeReasonInvalid: rule(1007, "rfc6455#5.5.1"),

  // Limits.
  messageTooLarge: rule(1009, "rfc6455#7.4.1"),
  tooManyFrames: rule(1008, "rfc6455#10.4"),
  tooManyControls: rule(1008, "rfc6455#10.4"),
  readerSlow: rule(1013, "rfc6455#7.4.2"),

  // Time.
  peerSilent: rule(0, "rfc6455#5.5.2"),
  closeLate: rule(0, "rfc6455#7.1.1"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** A rule that the peer broke, as events report it. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName };
/** The fault with its close code and section. */
export const fault = (name: FaultName): Fault => ({ is: "fault", name, ...FAULTS[name] });
