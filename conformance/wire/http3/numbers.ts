/** The names and numbers of HTTP/3 (rfc9114#11.2), with those of its extensions. */

export const FRAMES = {
  DATA: 0x0,
  HEADERS: 0x1,
  CANCEL_PUSH: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  GOAWAY: 0x7,
  MAX_PUSH_ID: 0xd,
  PRIORITY_UPDATE: 0xf0700,
  PRIORITY_UPDATE_PUSH: 0xf0701,
} as const;
export type FrameName = keyof typeof FRAMES;

export const SETTINGS = {
  QPACK_MAX_TABLE_CAPACITY: 0x1,
  MAX_FIELD_SECTION_SIZE: 0x6,
  QPACK_BLOCKED_STREAMS: 0x7,
  ENABLE_CONNECT_PROTOCOL: 0x8,
  H3_DATAGRAM: 0x33,
} as const;
export type SettingName = keyof typeof SETTINGS;

export const CODES = {
  H3_DATAGRAM_ERROR: 0x33,
  H3_NO_ERROR: 0x100,
  H3_GENERAL_PROTOCOL_ERROR: 0x101,
  H3_INTERNAL_ERROR: 0x102,
  H3_STREAM_CREATION_ERROR: 0x103,
  H3_CLOSED_CRITICAL_STREAM: 0x104,
  H3_FRAME_UNEXPECTED: 0x105,
  H3_FRAME_ERROR: 0x106,
  H3_EXCESSIVE_LOAD: 0x107,
  H3_ID_ERROR: 0x108,
  H3_SETTINGS_ERROR: 0x109,
  H3_MISSING_SETTINGS: 0x10a,
  H3_REQUEST_REJECTED: 0x10b,
  H3_REQUEST_CANCELLED: 0x10c,
  H3_REQUEST_INCOMPLETE: 0x10d,
  H3_MESSAGE_ERROR: 0x10e,
  H3_CONNECT_ERROR: 0x10f,
  H3_VERSION_FALLBACK: 0x110,
  QPACK_DECOMPRESSION_FAILED: 0x200,
  QPACK_ENCODER_STREAM_ERROR: 0x201,
  QPACK_DECODER_STREAM_ERROR: 0x202,
} as const;
export type CodeName = keyof typeof CODES;

/** The types of unidirectional streams. */
export const STREAMS = { control: 0x0, push: 0x1, encoder: 0x2, decoder: 0x3 } as const;
export type StreamKind = keyof typeof STREAMS;

type Unnamed = `0x${string}`;
const namer =
  <Name extends string>(table: Readonly<Record<Name, number>>) =>
  (value: number): Name | Unnamed => {
    const names = Object.keys(table) as Name[];
    return names.find((name) => table[name] === value) ?? (`0x${value.toString(16)}` as const);
  };

export const frameName: (type: number) => FrameName | Unnamed = namer(FRAMES);
export const settingName: (id: number) => SettingName | Unnamed = namer(SETTINGS);
export const codeName: (code: number) => CodeName | Unnamed = namer(CODES);
export const streamKind: (type: number) => StreamKind | Unnamed = namer(STREAMS);

/** The number of a name, or the number itself. */
const numbered =
  <Name extends string>(table: Readonly<Record<Name, number>>) =>
  (one: Name | number): number =>
    typeof one === "number" ? one : table[one];
export const frameType: (one: FrameName | number) => number = numbered(FRAMES);
export const settingId: (one: SettingName | number) => number = numbered(SETTINGS);
export const codeOf: (one: CodeName | number) => number = numbered(CODES);
export const streamType: (one: StreamKind | number) => number = numbered(STREAMS);

/** Whether it is one of the numbers of frames, streams, settings and errors that exist to be ignored (rfc9114#7.2.8). */
export const isReserved = (value: number): boolean => value >= 0x21 && (value - 0x21) % 0x1f === 0;
