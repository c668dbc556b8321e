/** The types of frames (rfc9000#19, rfc9221#4). STREAM, ACK and others have flags in their lowest bits: these are the first of their types. */
export const FrameType = {
  PADDING: 0x00,
  PING: 0x01,
  ACK: 0x02,
  ACK_ECN: 0x03,
  RESET_STREAM: 0x04,
  STOP_SENDING: 0x05,
  CRYPTO: 0x06,
  NEW_TOKEN: 0x07,
  STREAM: 0x08,
  MAX_DATA: 0x10,
  MAX_STREAM_DATA: 0x11,
  MAX_STREAMS: 0x12,
  DATA_BLOCKED: 0x14,
  STREAM_DATA_BLOCKED: 0x15,
  STREAMS_BLOCKED: 0x16,
  NEW_CONNECTION_ID: 0x18,
  RETIRE_CONNECTION_ID: 0x19,
  PATH_CHALLENGE: 0x1a,
  PATH_RESPONSE: 0x1b,
  CONNECTION_CLOSE: 0x1c,
  CONNECTION_CLOSE_APPLICATION: 0x1d,
  HANDSHAKE_DONE: 0x1e,
  DATAGRAM: 0x30,
} as const;

/** The packets that carry frames. */
export type PacketType = "initial" | "0-RTT" | "handshake" | "1-RTT";

type Rule = {
  /** The first and the last type. */
  readonly types: readonly [number, number];
  /** The packets that may carry it: Initial, Handshake, 0-RTT, 1-RTT (rfc9000#12.4). */
  readonly in: `${"I" | "_"}${"H" | "_"}${"0" | "_"}${"1" | "_"}`;
  /** A packet with nothing but such frames need not be acknowledged. */
  readonly isSilent?: true;
  /** A packet with nothing but such frames does not count as in flight. */
  readonly isFree?: true;
  /** A packet with nothing but such frames only probes a path (rfc9000#9.1). */
  readonly isProbing?: true;
};

/** Table 3 of rfc9000#12.4, and DATAGRAM (rfc9221#4). */
export const RULES = {
  PADDING: { types: [0x00, 0x00], in: "IH01", isSilent: true, isProbing: true },
  PING: { types: [0x01, 0x01], in: "IH01" },
  ACK: { types: [0x02, 0x03], in: "IH_1", isSilent: true, isFree: true },
  RESET_STREAM: { types: [0x04, 0x04], in: "__01" },
  STOP_SENDING: { types: [0x05, 0x05], in: "__01" },
  CRYPTO: { types: [0x06, 0x06], in: "IH_1" },
  NEW_TOKEN: { types: [0x07, 0x07], in: "___1" },
  STREAM: { types: [0x08, 0x0f], in: "__01" },
  MAX_DATA: { types: [0x10, 0x10], in: "__01" },
  MAX_STREAM_DATA: { types: [0x11, 0x11], in: "__01" },
  MAX_STREAMS: { types: [0x12, 0x13], in: "__01" },
  DATA_BLOCKED: { types: [0x14, 0x14], in: "__01" },
  STREAM_DATA_BLOCKED: { types: [0x15, 0x15], in: "__01" },
  STREAMS_BLOCKED: { types: [0x16, 0x17], in: "__01" },
  NEW_CONNECTION_ID: { types: [0x18, 0x18], in: "__01", isProbing: true },
  RETIRE_CONNECTION_ID: { types: [0x19, 0x19], in: "__01" },
  PATH_CHALLENGE: { types: [0x1a, 0x1a], in: "__01", isProbing: true },
  PATH_RESPONSE: { types: [0x1b, 0x1b], in: "___1", isProbing: true },
  CONNECTION_CLOSE: { types: [0x1c, 0x1d], in: "IH01", isSilent: true, isFree: true },
  HANDSHAKE_DONE: { types: [0x1e, 0x1e], in: "___1" },
  DATAGRAM: { types: [0x30, 0x31], in: "__01" },
} as const satisfies Record<string, Rule>;
export type FrameName = keyof typeof RULES;

const PLACES = { initial: 0, handshake: 1, "0-RTT": 2, "1-RTT": 3 } as const satisfies Record<PacketType, number>;

/** Whether a packet of this type may carry the frame. The close of an application reveals its state, so it needs 0-RTT or 1-RTT (rfc9000#12.5). */
export const isAllowedIn = (name: FrameName, type: number, packet: PacketType): boolean =>
  RULES[name].in[PLACES[packet]] !== "_" && (type !== FrameType.CONNECTION_CLOSE_APPLICATION || packet === "0-RTT" || packet === "1-RTT");

const has = (name: FrameName, mark: "isSilent" | "isFree" | "isProbing"): boolean => (RULES[name] as Rule)[mark] === true;
/** Whether a packet with this frame must be acknowledged (rfc9002#2). */
export const isAckEliciting = (name: FrameName): boolean => !has(name, "isSilent");
/** Whether a packet with this frame counts as in flight (rfc9002#2). */
export const isInFlight = (name: FrameName): boolean => !has(name, "isFree");
/** Whether the frame belongs into a probing packet (rfc9000#9.1). */
export const isProbing = (name: FrameName): boolean => has(name, "isProbing");
