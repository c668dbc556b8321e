import type { ErrorName, FlagName, FrameName, SettingName } from "./frame-spec.ts";

/** The numbers of all names (rfc9113#6, rfc9113#7, rfc9113#11). Independent of `reference/`, which they judge. */

export const FRAME_TYPES: Readonly<Record<FrameName, number>> = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
  ALTSVC: 0xa,
  ORIGIN: 0xc,
  PRIORITY_UPDATE: 0x10,
};

export const FLAGS: Readonly<Record<FlagName, number>> = { ACK: 0x1, END_STREAM: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 };

/** The flags that a frame type defines; receivers ignore others (rfc9113#4.1). */
export const FLAGS_OF: Readonly<Partial<Record<string, readonly FlagName[]>>> = {
  DATA: ["END_STREAM", "PADDED"],
  HEADERS: ["END_STREAM", "END_HEADERS", "PADDED", "PRIORITY"],
  SETTINGS: ["ACK"],
  PUSH_PROMISE: ["END_HEADERS", "PADDED"],
  PING: ["ACK"],
  CONTINUATION: ["END_HEADERS"],
};

export const ERROR_CODES: Readonly<Record<ErrorName, number>> = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
};

export const SETTINGS: Readonly<Record<SettingName, number>> = {
  HEADER_TABLE_SIZE: 0x1,
  ENABLE_PUSH: 0x2,
  MAX_CONCURRENT_STREAMS: 0x3,
  INITIAL_WINDOW_SIZE: 0x4,
  MAX_FRAME_SIZE: 0x5,
  MAX_HEADER_LIST_SIZE: 0x6,
  ENABLE_CONNECT_PROTOCOL: 0x8,
  NO_RFC7540_PRIORITIES: 0x9,
};

const reversed = <Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> =>
  new Map(Object.entries<number>(table).map(([name, number]) => [number, name as Name]));

const TYPE_NAMES = reversed(FRAME_TYPES);
const ERROR_NAMES = reversed(ERROR_CODES);
const SETTING_NAMES = reversed(SETTINGS);

/** The name of a number; undefined, or `0x…`, for one without a name. */
export const frameName = (type: number): FrameName | undefined => TYPE_NAMES.get(type);
export const errorName = (code: number): ErrorName | `0x${string}` => ERROR_NAMES.get(code) ?? `0x${code.toString(16)}`;
export const settingName = (id: number): SettingName | `0x${string}` => SETTING_NAMES.get(id) ?? `0x${id.toString(16)}`;

/** The first octets of a client (rfc9113#3.4). */
export const MAGIC = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
export const HEAD_LENGTH = 9;
/** Initial values of settings (rfc9113#6.5.2). */
export const DEFAULTS = { window: 65_535, maxFrameSize: 16_384, tableSize: 4096 } as const;
