import type { SpecRef } from "../core/index.ts";
import type { ErrorCode } from "./error-code.ts";
import { CONNECTION, type StreamId } from "./stream/id.ts";

type Rule = {
  readonly scope: "connection" | "stream";
  readonly code: ErrorCode;
  readonly spec: SpecRef;
  /** The debug data of its GOAWAY, where existing peers know it by other words than its name. */
  readonly says?: string;
};

const connection = <Code extends ErrorCode>(code: Code, spec: SpecRef) => ({ scope: "connection", code, spec }) as const;
const stream = <Code extends ErrorCode>(code: Code, spec: SpecRef) => ({ scope: "stream", code, spec }) as const;

/** Every way in which a peer can break HTTP/2: its scope, the code to send, and the section that requires it. */
export const FAULTS = {
  // Preface and framing.
  prefaceWrong: connection("PROTOCOL_ERROR", "rfc9113#3.4"),
  prefaceLate: connection("PROTOCOL_ERROR", "rfc9113#3.4"),
  firstFrameNotSettings: connection("PROTOCOL_ERROR", "rfc9113#3.4"),
  frameTooLarge: connection("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  blockUndecodable: connection("COMPRESSION_ERROR", "rfc9113#4.3"),
  blockInterrupted: connection("PROTOCOL_ERROR", "rfc9113#4.3"),
  blockLate: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  paddingTooLong: connection("PROTOCOL_ERROR", "rfc9113#6.1"),
  endedEarly: connection("INTERNAL_ERROR", "rfc9113#6.8"),

  // Streams.
  frameOnIdleStream: connection("PROTOCOL_ERROR", "rfc9113#5.1"),
  frameOnReservedStream: connection("PROTOCOL_ERROR", "rfc9113#5.1"),
  frameAfterEndStream: stream("STREAM_CLOSED", "rfc9113#5.1"),
  frameAfterRstStream: stream("STREAM_CLOSED", "rfc9113#5.1"),
  frameOnClosedStream: connection("STREAM_CLOSED", "rfc9113#5.1"),
  streamIdWrongParity: connection("PROTOCOL_ERROR", "rfc9113#5.1.1"),
  streamIdNotRising: connection("PROTOCOL_ERROR", "rfc9113#5.1.1"),
  tooManyStreams: stream("REFUSED_STREAM", "rfc9113#5.1.2"),

  // Frames, in the order of section 6.
  dataOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.1"),
  dataTooShort: stream("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  headersOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.2"),
  headersTooShort: connection("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  priorityOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.3"),
  priorityLengthNot5: stream("FRAME_SIZE_ERROR", "rfc9113#6.3"),
  // Required by rfc7540#5.3.1, and no longer by rfc9113#6.3. But rfc9113#5.3.2 leaves the meaning of the signal to rfc7540#5.3, in which a
  // stream cannot depend on itself, and peers that still send the signal follow that. It is ignored after SETTINGS_NO_RFC7540_PRIORITIES
  // (rfc9218#2.1).
  priorityOnItself: stream("PROTOCOL_ERROR", "rfc7540#5.3.1"),
  rstStreamOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.4"),
  rstStreamLengthNot4: connection("FRAME_SIZE_ERROR", "rfc9113#6.4"),
  settingsOnStream: connection("PROTOCOL_ERROR", "rfc9113#6.5"),
  settingsAckNotEmpty: connection("FRAME_SIZE_ERROR", "rfc9113#6.5"),
  settingsAckUnasked: connection("PROTOCOL_ERROR", "rfc9113#6.5.3"),
  settingsLengthNotMultipleOf6: connection("FRAME_SIZE_ERROR", "rfc9113#6.5"),
  settingsAckLate: connection("SETTINGS_TIMEOUT", "rfc9113#6.5.3"),
  enablePushNot0Or1: connection("PROTOCOL_ERROR", "rfc9113#6.5.2"),
  enablePushByServer: connection("PROTOCOL_ERROR", "rfc9113#6.5.2"),
  initialWindowTooLarge: connection("FLOW_CONTROL_ERROR", "rfc9113#6.5.2"),
  initialWindowOverflowsStream: connection("FLOW_CONTROL_ERROR", "rfc9113#6.9.2"),
  maxFrameSizeOutOfRange: connection("PROTOCOL_ERROR", "rfc9113#6.5.2"),
  enableConnectProtocolNot0Or1: connection("PROTOCOL_ERROR", "rfc8441#3"),
  enableConnectProtocolWithdrawn: connection("PROTOCOL_ERROR", "rfc8441#3"),
  noRfc7540PrioritiesNot0Or1: connection("PROTOCOL_ERROR", "rfc9218#2.1"),
  noRfc7540PrioritiesChanged: connection("PROTOCOL_ERROR", "rfc9218#2.1"),
  pushPromiseOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.6"),
  pushPromiseTooShort: connection("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  pushPromiseByClient: connection("PROTOCOL_ERROR", "rfc9113#8.4"),
  pushPromiseDisabled: connection("PROTOCOL_ERROR", "rfc9113#6.6"),
  pushPromiseUnwanted: stream("REFUSED_STREAM", "rfc9113#6.6"),
  pushPromiseOnWrongStream: connection("PROTOCOL_ERROR", "rfc9113#6.6"),
  pushPromiseIdNotIdle: connection("PROTOCOL_ERROR", "rfc9113#6.6"),
  tooManyPromises: stream("REFUSED_STREAM", "rfc9113#8.4.2"),
  pingOnStream: connection("PROTOCOL_ERROR", "rfc9113#6.7"),
  pingLengthNot8: connection("FRAME_SIZE_ERROR", "rfc9113#6.7"),
  goawayOnStream: connection("PROTOCOL_ERROR", "rfc9113#6.8"),
  goawayTooShort: connection("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  goawayLastRises: connection("PROTOCOL_ERROR", "rfc9113#6.8"),
  windowUpdateLengthNot4: connection("FRAME_SIZE_ERROR", "rfc9113#6.9"),
  windowIncrementZero: stream("PROTOCOL_ERROR", "rfc9113#6.9"),
  windowOverflow: stream("FLOW_CONTROL_ERROR", "rfc9113#6.9.1"),
  windowExceeded: stream("FLOW_CONTROL_ERROR", "rfc9113#6.9.1"),
  connectionWindowExceeded: connection("FLOW_CONTROL_ERROR", "rfc9113#6.9.1"),
  continuationOnConnection: connection("PROTOCOL_ERROR", "rfc9113#6.10"),
  continuationUnexpected: connection("PROTOCOL_ERROR", "rfc9113#6.10"),
  priorityUpdateOnStream: connection("PROTOCOL_ERROR", "rfc9218#7.1"),
  priorityUpdateTooShort: connection("FRAME_SIZE_ERROR", "rfc9113#4.2"),
  priorityUpdateOfConnection: connection("PROTOCOL_ERROR", "rfc9218#7.1"),
  priorityUpdateByServer: connection("PROTOCOL_ERROR", "rfc9218#7.1"),
  priorityUpdateOfIdlePush: connection("PROTOCOL_ERROR", "rfc9218#7.1"),
  priorityUpdateOfTooMany: connection("PROTOCOL_ERROR", "rfc9218#7.1"),

  // Messages, in the order of section 8.
  headersWithoutEndStream: stream("PROTOCOL_ERROR", "rfc9113#8.1"),
  interimWithEndStream: stream("PROTOCOL_ERROR", "rfc9113#8.1"),
  dataBeforeHeaders: stream("PROTOCOL_ERROR", "rfc9113#8.1"),
  contentLengthWrong: stream("PROTOCOL_ERROR", "rfc9113#8.1.1"),
  contentLengthInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.1.1"),
  contentForbidden: stream("PROTOCOL_ERROR", "rfc9113#8.1.1"),
  fieldNameInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.2.1"),
  fieldValueInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.2.1"),
  fieldConnectionSpecific: stream("PROTOCOL_ERROR", "rfc9113#8.2.2"),
  teNotTrailers: stream("PROTOCOL_ERROR", "rfc9113#8.2.2"),
  pseudoFieldUnknown: stream("PROTOCOL_ERROR", "rfc9113#8.3"),
  pseudoFieldLate: stream("PROTOCOL_ERROR", "rfc9113#8.3"),
  pseudoFieldTwice: stream("PROTOCOL_ERROR", "rfc9113#8.3"),
  pseudoFieldInTrailers: stream("PROTOCOL_ERROR", "rfc9113#8.1"),
  pseudoFieldMissing: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  methodInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  schemeInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  authorityInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  authorityWithUserinfo: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  authorityMissing: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  hostDiffers: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  pathInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.3.1"),
  statusMissing: stream("PROTOCOL_ERROR", "rfc9113#8.3.2"),
  statusInvalid: stream("PROTOCOL_ERROR", "rfc9113#8.3.2"),
  statusSwitching: stream("PROTOCOL_ERROR", "rfc9113#8.6"),
  promiseNotSafe: stream("PROTOCOL_ERROR", "rfc9113#8.4"),
  promiseNotAuthoritative: stream("PROTOCOL_ERROR", "rfc9113#8.4"),
  promiseWithContent: stream("PROTOCOL_ERROR", "rfc9113#8.4"),
  connectMalformed: stream("PROTOCOL_ERROR", "rfc9113#8.5"),
  headersInTunnel: stream("PROTOCOL_ERROR", "rfc9113#8.5"),
  protocolNotEnabled: stream("PROTOCOL_ERROR", "rfc8441#4"),
  protocolWithoutConnect: stream("PROTOCOL_ERROR", "rfc8441#4"),
  fieldSectionTooLarge: stream("CANCEL", "rfc9113#10.5.1"),

  // Abuse: legal frames in harmful numbers. The budgets are in `limits.ts`.
  floodOfResets: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfErrors: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfPings: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  tooManyPings: { ...connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"), says: "too_many_pings" },
  floodOfSettings: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfPriorities: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfEmptyFrames: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfWindowUpdates: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfUnknownFrames: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfInterims: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  floodOfContinuations: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  blockTooLarge: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5.1"),
  repliesNotRead: connection("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
  streamStalled: stream("ENHANCE_YOUR_CALM", "rfc9113#10.5"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** One fault of the peer, as readers return it and events report it. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName; readonly stream: StreamId };

/** A stream error on stream 0 is a connection error (rfc9113#5.4). */
export function fault(name: FaultName, stream: StreamId = CONNECTION): Fault {
  const rule = FAULTS[name];
  return { is: "fault", name, stream, ...rule, scope: stream === CONNECTION ? "connection" : rule.scope };
}
