import type { Fault, FaultName } from "../../reference/http3/index.ts";
import type { Rule } from "../lib/rules.ts";

/** The sentence that makes a server end the connection for a fault of the client. Where there is none, the fault is at most suspect. */
export const RULES: Partial<Readonly<Record<FaultName, Rule["ref"]>>> = {
  dataBeforeHeaders: "rfc9114#4.1/invalid-sequence",
  frameAfterTrailers: "rfc9114#4.1/invalid-sequence",
  settingsMissing: "rfc9114#6.2.1/missing-settings",
  controlStreamTwice: "rfc9114#6.2.1/second-control-stream",
  controlStreamClosed: "rfc9114#6.2.1/closed",
  pushStreamByClient: "rfc9114#6.2.2/client-push-stream",
  encoderStreamTwice: "rfc9204#4.2/second-stream",
  decoderStreamTwice: "rfc9204#4.2/second-stream",
  encoderStreamClosed: "rfc9204#4.2/closed",
  decoderStreamClosed: "rfc9204#4.2/closed",
  frameTruncated: "rfc9114#7.1/truncated",
  frameTooLong: "rfc9114#7.1/wrong-size",
  dataOnControlStream: "rfc9114#7.2.1/on-control-stream",
  headersOnControlStream: "rfc9114#7.2.2/on-control-stream",
  cancelPushOnRequestStream: "rfc9114#7.2.3/other-stream",
  cancelPushUnknown: "rfc9114#7.2.3/never-promised",
  settingsTwice: "rfc9114#7.2.4/second",
  settingsOnRequestStream: "rfc9114#7.2.4/other-stream",
  settingReserved: "rfc9114#7.2.4.1/http2-settings",
  pushPromiseByClient: "rfc9114#7.2.5/from-client",
  goawayIdRises: "rfc9114#5.2/rises",
  maxPushIdOnRequestStream: "rfc9114#7.2.7/other-stream",
  maxPushIdFalls: "rfc9114#7.2.7/smaller",
  frameReserved: "rfc9114#7.2.8/http2-types",
  // Of an increment of 0; other instructions depend on what the server has inserted.
  decoderStreamWrong: "rfc9204#4.4.3/increment-wrong",
};
/** A frame whose payload ends within its fields, on a stream that goes on. */
export const PAYLOAD_TOO_SHORT: Rule["ref"] = "rfc9114#7.1/wrong-size";

/** The requirement that a fault breaks, or the section alone. */
export const ruleOf = ({ name, spec }: Fault): Rule["ref"] => RULES[name] ?? spec;
