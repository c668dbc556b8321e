import type { Rule } from "../lib/rules.ts";
import type { Fault, FaultName } from "../../reference/http2/index.ts";

/** The sentence that makes a server end the connection for a fault of the client. Where there is none, the fault is at most suspect. */
export const RULES: Partial<Readonly<Record<FaultName, Rule["ref"]>>> = {
  frameTooLarge: "rfc9113#4.2/connection-state-altering",
  blockUndecodable: "rfc9113#4.3/decoding-error",
  blockInterrupted: "rfc9113#6.2/continuation-follows",
  paddingTooLong: "rfc9113#6.1/padding-too-long",
  frameOnIdleStream: "rfc9113#5.1/idle-other-frames",
  streamIdWrongParity: "rfc9113#5.1.1/unexpected-identifier",
  streamIdNotRising: "rfc9113#5.1.1/unexpected-identifier",
  dataOnConnection: "rfc9113#6.1/stream-zero",
  headersOnConnection: "rfc9113#6.2/stream-zero",
  headersTooShort: "rfc9113#4.2/connection-state-altering",
  priorityOnConnection: "rfc9113#6.3/stream-zero",
  rstStreamOnConnection: "rfc9113#6.4/stream-zero",
  rstStreamLengthNot4: "rfc9113#6.4/length",
  settingsOnStream: "rfc9113#6.5/stream-not-zero",
  settingsAckNotEmpty: "rfc9113#6.5/ack-with-payload",
  settingsLengthNotMultipleOf6: "rfc9113#6.5/length",
  enablePushNot0Or1: "rfc9113#6.5.2/enable-push-values",
  maxFrameSizeOutOfRange: "rfc9113#6.5.2/max-frame-size-range",
  pushPromiseOnConnection: "rfc9113#6.6/stream-zero",
  pushPromiseTooShort: "rfc9113#4.2/connection-state-altering",
  pushPromiseByClient: "rfc9113#8.4/server-refuses-push",
  pingOnStream: "rfc9113#6.7/stream-not-zero",
  pingLengthNot8: "rfc9113#6.7/length",
  goawayOnStream: "rfc9113#6.8/stream-not-zero",
  goawayTooShort: "rfc9113#4.2/connection-state-altering",
  windowUpdateLengthNot4: "rfc9113#6.9/length",
  continuationOnConnection: "rfc9113#6.10/stream-zero",
  continuationUnexpected: "rfc9113#6.10/not-preceded",
};

/** The requirement that a fault breaks, or the section alone. */
export const ruleOf = ({ name, spec }: Fault): Rule["ref"] => RULES[name] ?? spec;
