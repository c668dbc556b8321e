import type { SpecRef } from "../core/index.ts";
import type { Malformed } from "../http/index.ts";
import type { ErrorCode } from "./error-code.ts";
import type { StreamId } from "./stream/id.ts";

type Rule = { readonly scope: "connection" | "stream"; readonly code: ErrorCode; readonly spec: SpecRef };

const connection = (code: ErrorCode, spec: SpecRef): Rule => ({ scope: "connection", code, spec });
const stream = (code: ErrorCode, spec: SpecRef): Rule => ({ scope: "stream", code, spec });

/** What makes a message malformed (rfc9114#4.1.2). */
const MALFORMED = {
  fieldNameInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.2"),
  fieldValueInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#10.3"),
  fieldConnectionSpecific: stream("H3_MESSAGE_ERROR", "rfc9114#4.2"),
  teNotTrailers: stream("H3_MESSAGE_ERROR", "rfc9114#4.2"),
  contentLengthInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.1.2"),
  pseudoFieldUnknown: stream("H3_MESSAGE_ERROR", "rfc9114#4.3"),
  pseudoFieldLate: stream("H3_MESSAGE_ERROR", "rfc9114#4.3"),
  pseudoFieldTwice: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  pseudoFieldMissing: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  pseudoFieldInTrailers: stream("H3_MESSAGE_ERROR", "rfc9114#4.3"),
  methodInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  schemeInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  authorityInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  authorityWithUserinfo: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  authorityMissing: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  hostDiffers: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  pathInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.1"),
  connectMalformed: stream("H3_MESSAGE_ERROR", "rfc9114#4.4"),
  protocolNotEnabled: stream("H3_MESSAGE_ERROR", "rfc9220#3"),
  protocolWithoutConnect: stream("H3_MESSAGE_ERROR", "rfc9220#3"),
  statusMissing: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.2"),
  statusInvalid: stream("H3_MESSAGE_ERROR", "rfc9114#4.3.2"),
} as const satisfies Record<Malformed, Rule>;

/** Every way in which a peer can break HTTP/3: its scope, the code to send, and the section that requires it. */
export const FAULTS = {
  ...MALFORMED,

  // Messages and their frames.
  requestIncomplete: stream("H3_REQUEST_INCOMPLETE", "rfc9114#4.1"),
  responseIncomplete: stream("H3_MESSAGE_ERROR", "rfc9114#4.1.2"),
  dataBeforeHeaders: connection("H3_FRAME_UNEXPECTED", "rfc9114#4.1"),
  frameAfterTrailers: connection("H3_FRAME_UNEXPECTED", "rfc9114#4.1"),
  headersInTunnel: connection("H3_FRAME_UNEXPECTED", "rfc9114#4.4"),
  statusSwitching: stream("H3_MESSAGE_ERROR", "rfc9114#4.5"),
  contentLengthWrong: stream("H3_MESSAGE_ERROR", "rfc9114#4.1.2"),
  contentForbidden: stream("H3_MESSAGE_ERROR", "rfc9114#4.1"),
  fieldSectionTooLarge: stream("H3_EXCESSIVE_LOAD", "rfc9114#4.2.2"),
  requestAfterGoaway: stream("H3_REQUEST_REJECTED", "rfc9114#5.2"),

  // Streams.
  bidirectionalByServer: connection("H3_STREAM_CREATION_ERROR", "rfc9114#6.1"),
  controlStreamTwice: connection("H3_STREAM_CREATION_ERROR", "rfc9114#6.2.1"),
  encoderStreamTwice: connection("H3_STREAM_CREATION_ERROR", "rfc9204#4.2"),
  decoderStreamTwice: connection("H3_STREAM_CREATION_ERROR", "rfc9204#4.2"),
  controlStreamClosed: connection("H3_CLOSED_CRITICAL_STREAM", "rfc9114#6.2.1"),
  encoderStreamClosed: connection("H3_CLOSED_CRITICAL_STREAM", "rfc9204#4.2"),
  decoderStreamClosed: connection("H3_CLOSED_CRITICAL_STREAM", "rfc9204#4.2"),
  pushStreamByClient: connection("H3_STREAM_CREATION_ERROR", "rfc9114#6.2.2"),
  pushStreamUnallowed: connection("H3_ID_ERROR", "rfc9114#4.6"),

  // Frames, in the order of section 7.
  frameTruncated: connection("H3_FRAME_ERROR", "rfc9114#7.1"),
  frameTooLong: connection("H3_FRAME_ERROR", "rfc9114#7.1"),
  dataOnControlStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.1"),
  headersOnControlStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.2"),
  cancelPushOnRequestStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.3"),
  cancelPushUnknown: connection("H3_ID_ERROR", "rfc9114#7.2.3"),
  settingsOnRequestStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.4"),
  settingsTwice: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.4"),
  settingsMissing: connection("H3_MISSING_SETTINGS", "rfc9114#6.2.1"),
  settingRepeated: connection("H3_SETTINGS_ERROR", "rfc9114#7.2.4"),
  settingsReduced: connection("H3_SETTINGS_ERROR", "rfc9114#7.2.4.2"),
  settingReserved: connection("H3_SETTINGS_ERROR", "rfc9114#7.2.4.1"),
  connectSettingNot0Or1: connection("H3_SETTINGS_ERROR", "rfc8441#3"),
  datagramSettingNot0Or1: connection("H3_SETTINGS_ERROR", "rfc9297#2.1.1"),
  pushPromiseOnControlStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.5"),
  pushPromiseByClient: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.5"),
  pushPromiseUnallowed: connection("H3_ID_ERROR", "rfc9114#7.2.5"),
  goawayOnRequestStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.6"),
  goawayIdInvalid: connection("H3_ID_ERROR", "rfc9114#7.2.6"),
  goawayIdRises: connection("H3_ID_ERROR", "rfc9114#5.2"),
  maxPushIdOnRequestStream: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.7"),
  maxPushIdByServer: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.7"),
  maxPushIdFalls: connection("H3_ID_ERROR", "rfc9114#7.2.7"),
  frameReserved: connection("H3_FRAME_UNEXPECTED", "rfc9114#7.2.8"),
  priorityUpdateOnRequestStream: connection("H3_FRAME_UNEXPECTED", "rfc9218#7.2"),
  priorityUpdateByServer: connection("H3_FRAME_UNEXPECTED", "rfc9218#7.2"),
  priorityUpdateIdInvalid: connection("H3_ID_ERROR", "rfc9218#7.2"),

  // Field compression.
  sectionUndecodable: connection("QPACK_DECOMPRESSION_FAILED", "rfc9204#2.2.3"),
  sectionTooCostly: stream("QPACK_DECOMPRESSION_FAILED", "rfc9204#7.4"),
  encoderStreamWrong: connection("QPACK_ENCODER_STREAM_ERROR", "rfc9204#6"),
  decoderStreamWrong: connection("QPACK_DECODER_STREAM_ERROR", "rfc9204#6"),

  // Datagrams.
  datagramInvalid: connection("H3_DATAGRAM_ERROR", "rfc9297#2.1"),
  datagramUnnegotiated: connection("H3_DATAGRAM_ERROR", "rfc9297#2.1.1"),

  // Abuse: legal octets in harmful numbers. The budgets are in `limits.ts`.
  settingsLate: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  frameTooLarge: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  headLate: stream("H3_REQUEST_REJECTED", "rfc9114#10.5"),
  contentLate: stream("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  streamStalled: stream("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  repliesNotRead: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfResets: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfErrors: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfEmptyFrames: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfUnknownFrames: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfUnknownStreams: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfPriorities: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfControls: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfInstructions: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
  floodOfInterims: connection("H3_EXCESSIVE_LOAD", "rfc9114#10.5"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** One fault of the peer, as readers return it and events report it. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName; readonly stream?: StreamId };

/** A stream error without a stream is one of the connection. */
export function fault(name: FaultName, stream?: StreamId): Fault {
  const rule: Rule = FAULTS[name];
  if (stream === undefined) return { is: "fault", name, ...rule, scope: "connection" };
  return { is: "fault", name, ...rule, stream };
}
