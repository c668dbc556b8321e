/** A frame as data, legal or not: what `build` in `http2.ts` makes octets of. */

export type FrameName =
  | "DATA"
  | "HEADERS"
  | "PRIORITY"
  | "RST_STREAM"
  | "SETTINGS"
  | "PUSH_PROMISE"
  | "PING"
  | "GOAWAY"
  | "WINDOW_UPDATE"
  | "CONTINUATION"
  | "ALTSVC"
  | "ORIGIN"
  | "PRIORITY_UPDATE";
export type FlagName = "END_STREAM" | "END_HEADERS" | "PADDED" | "PRIORITY" | "ACK";
export type ErrorName =
  | "NO_ERROR"
  | "PROTOCOL_ERROR"
  | "INTERNAL_ERROR"
  | "FLOW_CONTROL_ERROR"
  | "SETTINGS_TIMEOUT"
  | "STREAM_CLOSED"
  | "FRAME_SIZE_ERROR"
  | "REFUSED_STREAM"
  | "CANCEL"
  | "COMPRESSION_ERROR"
  | "CONNECT_ERROR"
  | "ENHANCE_YOUR_CALM"
  | "INADEQUATE_SECURITY"
  | "HTTP_1_1_REQUIRED";
export type SettingName =
  | "HEADER_TABLE_SIZE"
  | "ENABLE_PUSH"
  | "MAX_CONCURRENT_STREAMS"
  | "INITIAL_WINDOW_SIZE"
  | "MAX_FRAME_SIZE"
  | "MAX_HEADER_LIST_SIZE"
  | "ENABLE_CONNECT_PROTOCOL"
  | "NO_RFC7540_PRIORITIES";

/** A number, or a stream known only when the case runs: the n-th request that the subject (a client) has sent. */
export type StreamRef = number | "request" | "request 2" | "request 3";

/**
 * A field as sent. In values (and `bytes` text) the driver replaces `{authority}`, `{scheme}` and `{path}` by the subject's own.
 * Characters up to U+00FF stand for octets, so that any octet can be written.
 */
export type FieldSpec = readonly [name: string, value: string, form?: FieldForm];
/** How a literal field is represented; by default without indexing, so that no table changes (rfc7541#6.2). */
export type FieldForm = "indexing" | "never indexed";
/** A table size as signalled: in octets, or the subject's announced limit, or one octet beyond it (rfc7541#6.3). */
export type TableSize = number | "limit" | "beyond limit";

/** One frame, legal or not. What is not given gets the correct value. */
export type FrameSpec = {
  readonly type: FrameName | number;
  readonly stream?: StreamRef;
  /** Names, or the octet as it stands. */
  readonly flags?: readonly FlagName[] | number;
  /** The Length field as sent, where it lies. */
  readonly length?: number;
  /** Sets the reserved bit of the stream identifier. */
  readonly reservedBit?: true;

  // The payload, one of these (or several, in this order: pad, priority, promised, block …). None: empty.
  /** Raw octets in place of everything below. */
  readonly hex?: string;
  /** Pad Length and that many zero octets; sets PADDED. `padLength` alone may lie about it. */
  readonly pad?: number;
  readonly padLength?: number;
  /** Stream dependency and weight (1 to 256); sets the PRIORITY flag on HEADERS. */
  readonly priority?: { readonly on: StreamRef; readonly weight: number; readonly exclusive?: true };
  readonly promised?: StreamRef;
  /** Dynamic table size updates at the beginning of the block. */
  readonly tableSize?: readonly TableSize[];
  /** A field section, encoded as literals without Huffman; without indexing too, so that no state is touched, unless the field says otherwise. */
  readonly fields?: readonly FieldSpec[];
  /** Octets of the block before `fields`, and after. */
  readonly blockHead?: string;
  readonly blockTail?: string;
  /** A field block in octets, in place of `fields`. */
  readonly block?: string;
  /** DATA: UTF-8 text, or a number of zero octets. */
  readonly data?: string | number;
  /** Zero octets behind the rest, up to the payload that the subject allows (MAX_FRAME_SIZE), or beyond it: by an octet, of SETTINGS by a setting. */
  readonly fill?: "limit" | "beyond limit";
  readonly settings?: readonly (readonly [SettingName | number, number])[];
  readonly increment?: number;
  readonly code?: ErrorName | number;
  readonly last?: number;
  /** GOAWAY debug data or PRIORITY_UPDATE field value. */
  readonly text?: string;
};
