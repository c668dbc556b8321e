import type { SpecRef } from "../core/index.ts";
import { transportCode, type Code } from "./alerts.ts";

type Rule = { readonly code: Code; readonly spec: SpecRef };
const rule = <const C extends Code>(code: C, spec: SpecRef): { readonly code: C; readonly spec: SpecRef } => ({ code, spec });

/** Everything that we refuse from a peer, with the code that reports it and the section that it breaks. */
export const FAULTS = {
  // The order of messages and the levels that carry them.
  messageUnexpected: rule("unexpected_message", "rfc8446#4"),
  messageUnknown: rule("unexpected_message", "rfc8446#4"),
  messageTooLong: rule("CRYPTO_BUFFER_EXCEEDED", "rfc9000#7.5"),
  messageAcrossKeys: rule("PROTOCOL_VIOLATION", "rfc9001#4.1.3"),
  levelPassed: rule("PROTOCOL_VIOLATION", "rfc9001#4.1.3"),
  levelWithoutMessages: rule("PROTOCOL_VIOLATION", "rfc9001#8.3"),
  tooMuchAhead: rule("CRYPTO_BUFFER_EXCEEDED", "rfc9000#7.5"),
  keyUpdate: rule("unexpected_message", "rfc9001#6"),
  certificateRequestLate: rule("PROTOCOL_VIOLATION", "rfc9001#4.4"),
  helloAgain: rule("unexpected_message", "rfc8446#4.1.2"),
  retryAgain: rule("unexpected_message", "rfc8446#4.1.4"),

  // The format of messages and extensions.
  messageMalformed: rule("decode_error", "rfc8446#6.2"),
  extensionMalformed: rule("decode_error", "rfc8446#6.2"),
  extensionTwice: rule("illegal_parameter", "rfc8446#4.2"),
  extensionMisplaced: rule("illegal_parameter", "rfc8446#4.2"),
  extensionUnsolicited: rule("unsupported_extension", "rfc8446#4.2"),
  tooManyExtensions: rule("internal_error", "rfc8446#4.2"),
  valueTwice: rule("illegal_parameter", "rfc8446#4.2.8"),

  // ClientHello.
  versionTooOld: rule("protocol_version", "rfc9001#4.2"),
  compressionOffered: rule("illegal_parameter", "rfc8446#4.1.2"),
  sessionIdInQuic: rule("PROTOCOL_VIOLATION", "rfc9001#8.4"),
  pskNotLast: rule("illegal_parameter", "rfc8446#4.2.11"),
  pskWithoutModes: rule("missing_extension", "rfc8446#4.2.9"),
  bindersUneven: rule("illegal_parameter", "rfc8446#4.2.11"),
  binderWrong: rule("decrypt_error", "rfc8446#4.2.11"),
  tooManyIdentities: rule("internal_error", "rfc8446#4.2.11"),
  schemesMissing: rule("missing_extension", "rfc8446#9.2"),
  groupsMissing: rule("missing_extension", "rfc8446#9.2"),
  sharesMissing: rule("missing_extension", "rfc8446#9.2"),
  shareWithoutGroup: rule("illegal_parameter", "rfc8446#4.2.8"),
  shareInvalid: rule("illegal_parameter", "rfc8446#4.2.8"),
  suiteNotShared: rule("handshake_failure", "rfc8446#4.1.1"),
  groupNotShared: rule("handshake_failure", "rfc8446#4.1.1"),
  schemeNotShared: rule("handshake_failure", "rfc8446#4.2.3"),
  protocolNotShared: rule("no_application_protocol", "rfc9001#8.1"),
  nameUnknown: rule("unrecognized_name", "rfc8446#6.2"),
  nameInvalid: rule("illegal_parameter", "rfc8446#6.2"),
  parametersMissing: rule("missing_extension", "rfc9001#8.2"),
  earlyWithoutPsk: rule("illegal_parameter", "rfc8446#4.2.10"),
  secondHelloChanged: rule("illegal_parameter", "rfc8446#4.1.2"),
  secondHelloWithoutShare: rule("illegal_parameter", "rfc8446#4.2.8"),

  // ServerHello, HelloRetryRequest and EncryptedExtensions.
  versionNotOffered: rule("protocol_version", "rfc8446#4.2.1"),
  versionOfHelloWrong: rule("illegal_parameter", "rfc8446#4.1.3"),
  sessionIdChanged: rule("illegal_parameter", "rfc8446#4.1.3"),
  compressionChosen: rule("illegal_parameter", "rfc8446#4.1.3"),
  suiteNotOffered: rule("illegal_parameter", "rfc8446#4.1.3"),
  suiteChanged: rule("illegal_parameter", "rfc8446#4.1.4"),
  shareMissing: rule("missing_extension", "rfc8446#9.2"),
  groupNotOffered: rule("illegal_parameter", "rfc8446#4.2.8"),
  retryWithoutChange: rule("illegal_parameter", "rfc8446#4.1.4"),
  retryGroupWrong: rule("illegal_parameter", "rfc8446#4.2.8"),
  identityNotOffered: rule("illegal_parameter", "rfc8446#4.2.11"),
  hashOfPskWrong: rule("illegal_parameter", "rfc8446#4.2.11"),
  protocolMissing: rule("no_application_protocol", "rfc9001#8.1"),
  protocolNotOffered: rule("illegal_parameter", "rfc8446#6.2"),
  earlyNotPossible: rule("illegal_parameter", "rfc8446#4.2.10"),

  // Certificates, and the proof of their keys.
  contextWrong: rule("illegal_parameter", "rfc8446#4.4.2"),
  requestWithoutSchemes: rule("missing_extension", "rfc8446#4.3.2"),
  chainEmpty: rule("decode_error", "rfc8446#4.4.2.4"),
  chainTooLong: rule("bad_certificate", "rfc8446#4.4.2.4"),
  certificateRequired: rule("certificate_required", "rfc8446#4.4.2.4"),
  certificateUnreadable: rule("bad_certificate", "rfc8446#4.4.2.4"),
  certificateUntrusted: rule("unknown_ca", "rfc8446#4.4.2.4"),
  certificateExpired: rule("certificate_expired", "rfc8446#4.4.2.4"),
  certificateOfOther: rule("bad_certificate", "rfc8446#4.4.2.4"),
  certificateUnfit: rule("unsupported_certificate", "rfc8446#4.4.2.4"),
  certificateRefused: rule("certificate_unknown", "rfc8446#4.4.2.4"),
  schemeNotOffered: rule("illegal_parameter", "rfc8446#4.4.3"),
  schemeOfOtherKey: rule("illegal_parameter", "rfc8446#4.4.3"),
  signatureWrong: rule("decrypt_error", "rfc8446#4.4.3"),
  finishedWrong: rule("decrypt_error", "rfc8446#4.4.4"),

  // Tickets.
  ticketTooLongLived: rule("illegal_parameter", "rfc8446#4.6.1"),
  ticketEarlyWrong: rule("PROTOCOL_VIOLATION", "rfc9001#4.6.1"),
  tooManyTickets: rule("internal_error", "rfc8446#4.6.1"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** One fault of the peer, as readers return it and events report it. `error` is the code of CONNECTION_CLOSE (rfc9001#4.8). */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName; readonly error: number };

export function fault(name: FaultName): Fault {
  const found = FAULTS[name];
  return { is: "fault", name, ...found, error: transportCode(found.code) };
}
