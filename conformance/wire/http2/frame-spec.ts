/** A frame as data, legal or not; `build` in `http2.ts` encodes it. */

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

/** A stream identifier, or the stream of the n-th request from the subject (a client). */
export type StreamRef = number | "request" | "request 2" | "request 3";

/**
 * A field as sent. In values the driver replaces `{authority}`, `{scheme}`, `{path}` and `{post}` with the subject's own.
 * A character up to U+00FF is one octet.
 */
export type FieldSpec = readonly [name: string, value: string, form?: FieldForm];
/** How a literal field is encoded; by default without indexing, which leaves the table unchanged (rfc7541#6.2). */
export type FieldForm = "indexing" | "never indexed";
/** A size update (rfc7541#6.3): octets, the subject's HEADER_TABLE_SIZE, or one octet more. */
export type TableSize = number | "limit" | "beyond limit";

/** One frame, legal or not. Members left out get the correct value. */
export type FrameSpec = {
  readonly type: FrameName | number;
  readonly stream?: StreamRef;
  /** Flag names, or the octet itself. */
  readonly flags?: readonly FlagName[] | number;
  /** A wrong Length field. */
  readonly length?: number;
  /** Sets the reserved bit of the stream identifier. */
  readonly reservedBit?: true;

  // The payload: one or more of these, in this order (pad, priority, promised, block …). Without any, it is empty.
  /** Raw octets, instead of everything below. */
  readonly hex?: string;
  /** Pad Length and that many zero octets; sets PADDED. `padLength` sets Pad Length without padding. */
  readonly pad?: number;
  readonly padLength?: number;
  /** Stream dependency and weight (1 to 256); sets the PRIORITY flag on HEADERS. */
  readonly priority?: { readonly on: StreamRef; readonly weight: number; readonly exclusive?: true };
  /** The promised stream, or the prioritized stream of PRIORITY_UPDATE. */
  readonly promised?: StreamRef;
  /** Size updates at the start of the block. */
  readonly tableSize?: readonly TableSize[];
  /** A field section, encoded as plain literals without indexing unless a field states another form. */
  readonly fields?: readonly FieldSpec[];
  /** Another field, `x-fill`, makes `fields` so large, as SETTINGS_MAX_HEADER_LIST_SIZE counts them (rfc9113#6.5.2). */
  readonly sectionSize?: number;
  /** Octets of the block before and after `fields`. */
  readonly blockHead?: string;
  readonly blockTail?: string;
  /** The field block in hex, instead of `fields`. */
  readonly block?: string;
  /** DATA: UTF-8 text, or a number of zero octets. */
  readonly data?: string | number;
  /** Zero octets at the end, up to the subject's MAX_FRAME_SIZE, or beyond it by one octet (SETTINGS: by one setting). */
  readonly fill?: "limit" | "beyond limit";
  readonly settings?: readonly (readonly [SettingName | number, number])[];
  readonly increment?: number;
  readonly code?: ErrorName | number;
  readonly last?: number;
  /** Debug data of GOAWAY, or the field value of PRIORITY_UPDATE. */
  readonly text?: string;
};
