import type { SpecRef } from "../core/index.ts";
import type { TransportError } from "./error-code.ts";

type Rule =
  /** Ends the connection with a code. */
  | { readonly scope: "connection"; readonly code: TransportError; readonly spec: SpecRef }
  /** Discards the packet or the datagram; the connection goes on. */
  | { readonly scope: "packet"; readonly spec: SpecRef };

const connection = <Code extends TransportError>(code: Code, spec: SpecRef) => ({ scope: "connection", code, spec }) as const;
const packet = (spec: SpecRef) => ({ scope: "packet", spec }) as const;

/** Every way in which a peer can break QUIC: what it ends, the code to send, and the section that requires it. */
export const FAULTS = {
  // Datagrams and packets that are not ours, or that anybody could have made.
  packetTruncated: packet("rfc9000#17.2"),
  fixedBitZero: packet("rfc9000#17.2"),
  versionUnknown: packet("rfc9000#5.2.2"),
  connectionIdTooLong: packet("rfc9000#17.2"),
  connectionIdChanged: packet("rfc9000#7.2"),
  versionListInvalid: packet("rfc9000#17.2.1"),
  versionNegotiationUnfit: packet("rfc9000#6.2"),
  retryTokenEmpty: packet("rfc9000#17.2.5.2"),
  retryTagWrong: packet("rfc9000#17.2.5.2"),
  retryUnfit: packet("rfc9000#17.2.5.2"),
  initialDatagramTooSmall: packet("rfc9000#14.1"),
  initialTokenByServer: packet("rfc9000#17.2.2"),
  packetTooShortToSample: packet("rfc9001#5.4.2"),
  packetUndecryptable: packet("rfc9001#5.5"),
  packetDuplicate: packet("rfc9000#12.3"),
  keysAbsent: packet("rfc9001#5.7"),

  // Packets that the peer alone could have protected.
  reservedBitsNotZero: connection("PROTOCOL_VIOLATION", "rfc9000#17.2"),
  reservedBitsOfShortNotZero: connection("PROTOCOL_VIOLATION", "rfc9000#17.3.1"),
  packetWithoutFrames: connection("PROTOCOL_VIOLATION", "rfc9000#12.4"),
  keyUpdateTooEarly: connection("KEY_UPDATE_ERROR", "rfc9001#6.2"),
  keyUpdateBackwards: connection("KEY_UPDATE_ERROR", "rfc9001#6.4"),
  aeadLimitReached: connection("AEAD_LIMIT_REACHED", "rfc9001#6.6"),

  // The form of frames.
  frameTypeUnknown: connection("FRAME_ENCODING_ERROR", "rfc9000#12.4"),
  frameTypeOverlong: connection("PROTOCOL_VIOLATION", "rfc9000#12.4"),
  frameTruncated: connection("FRAME_ENCODING_ERROR", "rfc9000#19"),
  frameInWrongPacket: connection("PROTOCOL_VIOLATION", "rfc9000#12.4"),
  ackRangeNegative: connection("FRAME_ENCODING_ERROR", "rfc9000#19.3.1"),
  cryptoOffsetTooLarge: connection("FRAME_ENCODING_ERROR", "rfc9000#19.6"),
  newTokenEmpty: connection("FRAME_ENCODING_ERROR", "rfc9000#19.7"),
  streamOffsetTooLarge: connection("FRAME_ENCODING_ERROR", "rfc9000#19.8"),
  maxStreamsTooLarge: connection("FRAME_ENCODING_ERROR", "rfc9000#19.11"),
  streamsBlockedTooLarge: connection("FRAME_ENCODING_ERROR", "rfc9000#19.14"),
  newConnectionIdLengthWrong: connection("FRAME_ENCODING_ERROR", "rfc9000#19.15"),
  retirePriorToTooLarge: connection("FRAME_ENCODING_ERROR", "rfc9000#19.15"),

  // The meaning of frames, in the order of section 19.
  ackOfUnsentPacket: connection("PROTOCOL_VIOLATION", "rfc9000#13.1"),
  resetStreamOnSendOnly: connection("STREAM_STATE_ERROR", "rfc9000#19.4"),
  stopSendingOnReceiveOnly: connection("STREAM_STATE_ERROR", "rfc9000#19.5"),
  stopSendingOnUnopened: connection("STREAM_STATE_ERROR", "rfc9000#19.5"),
  cryptoBufferExceeded: connection("CRYPTO_BUFFER_EXCEEDED", "rfc9000#7.5"),
  newTokenByClient: connection("PROTOCOL_VIOLATION", "rfc9000#19.7"),
  streamOnUnopened: connection("STREAM_STATE_ERROR", "rfc9000#19.8"),
  streamOnSendOnly: connection("STREAM_STATE_ERROR", "rfc9000#19.8"),
  dataBeyondConnectionLimit: connection("FLOW_CONTROL_ERROR", "rfc9000#4.1"),
  dataBeyondStreamLimit: connection("FLOW_CONTROL_ERROR", "rfc9000#4.1"),
  finalSizeChanged: connection("FINAL_SIZE_ERROR", "rfc9000#4.5"),
  dataBeyondFinalSize: connection("FINAL_SIZE_ERROR", "rfc9000#4.5"),
  finalSizeBelowData: connection("FINAL_SIZE_ERROR", "rfc9000#4.5"),
  maxStreamDataOnUnopened: connection("STREAM_STATE_ERROR", "rfc9000#19.10"),
  maxStreamDataOnReceiveOnly: connection("STREAM_STATE_ERROR", "rfc9000#19.10"),
  streamDataBlockedOnSendOnly: connection("STREAM_STATE_ERROR", "rfc9000#19.13"),
  streamDataBlockedOnUnopened: connection("STREAM_STATE_ERROR", "rfc9000#19.13"),
  tooManyStreams: connection("STREAM_LIMIT_ERROR", "rfc9000#4.6"),
  tooManyConnectionIds: connection("CONNECTION_ID_LIMIT_ERROR", "rfc9000#5.1.1"),
  tooManyRetirements: connection("CONNECTION_ID_LIMIT_ERROR", "rfc9000#5.1.2"),
  connectionIdsAllRetired: connection("PROTOCOL_VIOLATION", "rfc9000#5.1.2"),
  connectionIdReissued: connection("PROTOCOL_VIOLATION", "rfc9000#19.15"),
  newConnectionIdWhileZeroLength: connection("PROTOCOL_VIOLATION", "rfc9000#19.15"),
  retireOfUnissuedId: connection("PROTOCOL_VIOLATION", "rfc9000#19.16"),
  retireOfIdInUse: connection("PROTOCOL_VIOLATION", "rfc9000#19.16"),
  retireWhileZeroLength: connection("PROTOCOL_VIOLATION", "rfc9000#19.16"),
  handshakeDoneByClient: connection("PROTOCOL_VIOLATION", "rfc9000#19.20"),
  datagramUnwanted: connection("PROTOCOL_VIOLATION", "rfc9221#3"),
  datagramTooLarge: connection("PROTOCOL_VIOLATION", "rfc9221#3"),

  // Transport parameters.
  parametersTruncated: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#18"),
  parameterTwice: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.4"),
  parameterMalformed: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.4"),
  parameterOfServerByClient: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#18.2"),
  parameterOutOfRange: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#18.2"),
  versionInformationMalformed: connection("TRANSPORT_PARAMETER_ERROR", "rfc9368#4"),
  versionNotAvailable: connection("TRANSPORT_PARAMETER_ERROR", "rfc9368#4"),
  versionNotInUse: connection("VERSION_NEGOTIATION_ERROR", "rfc9368#4"),
  preferredAddressZeroLengthId: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#18.2"),
  originalIdMissing: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  originalIdWrong: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  sourceIdMissing: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  sourceIdWrong: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  retryIdMissing: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  retryIdWrong: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  retryIdUnasked: connection("TRANSPORT_PARAMETER_ERROR", "rfc9000#7.3"),
  parametersReduced: connection("PROTOCOL_VIOLATION", "rfc9000#7.4.1"),

  // Abuse: legal frames in harmful numbers.
  fragmentsTooMany: connection("INTERNAL_ERROR", "rfc9000#21.7"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** One fault of the peer, as readers return it and events report it. `frame` is the type of the frame that showed it. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName; readonly frame?: number };

export function fault(name: FaultName, frame?: number): Fault {
  const rule: Rule = FAULTS[name];
  return { is: "fault", name, ...rule, ...(frame !== undefined && { frame }) };
}
