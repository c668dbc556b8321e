import type { SpecRef } from "../../core/index.ts";
import type { FaultName } from "../faults.ts";
import { INITIAL_WINDOW, MAX_WINDOW } from "../flow/window.ts";

/** One setting: all that reading, writing, checking and printing it needs. */
type Row = {
  readonly id: number;
  /** The name in the specification, without `SETTINGS_`. */
  readonly wire: string;
  readonly spec: SpecRef;
  /** The value before any SETTINGS frame. A boolean is 0 or 1 on the wire, infinity is the largest number. */
  readonly initial: number | boolean;
  /** The value that this implementation announces by default, if not the initial one. */
  readonly ours?: number | boolean;
  /** The smallest and the largest value allowed on the wire. */
  readonly range: readonly [least: number, most: number];
  /** The fault of a value outside the range; absent if the range is all 32 bits. */
  readonly fault?: FaultName;
  /** The fault of a server that announces 1. */
  readonly faultByServer?: FaultName;
  /** A later frame must not change the value, or not withdraw a 1. Without a fault this binds our side alone. */
  readonly later?: { readonly mustNot: "change" | "withdraw"; readonly fault?: FaultName };
};

const FLAG = [0, 1] as const;
const ANY = [0, 0xffff_ffff] as const;
const UNLIMITED = Number.POSITIVE_INFINITY;

/** The settings of HTTP/2. A new one is one row here, its use, and its conformance case. */
const SETTINGS = {
  /** Bytes that the dynamic table of the other side's encoder may take. */
  headerTableSize: { id: 0x1, wire: "HEADER_TABLE_SIZE", spec: "rfc9113#6.5.2", initial: 4_096, range: ANY },
  /** Whether the server may push. */
  enablePush: {
    id: 0x2,
    wire: "ENABLE_PUSH",
    spec: "rfc9113#6.5.2",
    initial: true,
    ours: false,
    range: FLAG,
    fault: "enablePushNot0Or1",
    faultByServer: "enablePushByServer",
  },
  /** Streams that the other side may have open at a time. */
  maxConcurrentStreams: { id: 0x3, wire: "MAX_CONCURRENT_STREAMS", spec: "rfc9113#6.5.2", initial: UNLIMITED, ours: 100, range: ANY },
  /** Bytes of content that the other side may send on a new stream before it gets credit. */
  initialWindowSize: {
    id: 0x4,
    wire: "INITIAL_WINDOW_SIZE",
    spec: "rfc9113#6.5.2",
    initial: INITIAL_WINDOW,
    ours: 262_144,
    range: [0, MAX_WINDOW],
    fault: "initialWindowTooLarge",
  },
  /** Bytes of payload in one frame. */
  maxFrameSize: {
    id: 0x5,
    wire: "MAX_FRAME_SIZE",
    spec: "rfc9113#6.5.2",
    initial: 16_384,
    range: [16_384, 0xff_ffff],
    fault: "maxFrameSizeOutOfRange",
  },
  /** Bytes of a field section, counting 32 extra for each line; advisory. Our decoder takes its limit when the connection begins. */
  maxHeaderListSize: {
    id: 0x6,
    wire: "MAX_HEADER_LIST_SIZE",
    spec: "rfc9113#6.5.2",
    initial: UNLIMITED,
    ours: 16_384,
    range: ANY,
    later: { mustNot: "change" },
  },
  /** Whether the other side may send CONNECT with `:protocol`. */
  enableConnectProtocol: {
    id: 0x8,
    wire: "ENABLE_CONNECT_PROTOCOL",
    spec: "rfc8441#3",
    initial: false,
    range: FLAG,
    fault: "enableConnectProtocolNot0Or1",
    later: { mustNot: "withdraw", fault: "enableConnectProtocolWithdrawn" },
  },
  /** Whether this side ignores the deprecated priority signals of RFC 7540. */
  noRfc7540Priorities: {
    id: 0x9,
    wire: "NO_RFC7540_PRIORITIES",
    spec: "rfc9218#2.1",
    initial: false,
    range: FLAG,
    fault: "noRfc7540PrioritiesNot0Or1",
    later: { mustNot: "change", fault: "noRfc7540PrioritiesChanged" },
  },
} as const satisfies Readonly<Record<string, Row>>;

type Table = typeof SETTINGS;
/** How one side wants the other to send (rfc9113#6.5.2, rfc8441#3, rfc9218#2.1). */
export type Settings = { readonly [Key in keyof Table]: Table[Key]["initial"] extends boolean ? boolean : number };
export type SettingKey = keyof Settings;

export const ROWS: readonly (readonly [SettingKey, Row])[] = Object.entries(SETTINGS) as [SettingKey, Row][];

/** The values that hold for a side before its first SETTINGS frame. */
export const INITIAL_SETTINGS = Object.freeze(Object.fromEntries(ROWS.map(([key, { initial }]) => [key, initial]))) as Settings;
/** The values that this implementation announces by default. */
export const OUR_SETTINGS = Object.freeze(Object.fromEntries(ROWS.map(([key, { initial, ours }]) => [key, ours ?? initial]))) as Settings;

/** Identifiers by their names on the wire. */
export const SettingId = Object.freeze(Object.fromEntries(ROWS.map(([, { wire, id }]) => [wire, id]))) as {
  readonly [Key in SettingKey as Table[Key]["wire"]]: Table[Key]["id"];
};
export type SettingName = keyof typeof SettingId;
