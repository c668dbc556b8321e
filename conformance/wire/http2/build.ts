import { Writer } from "../../../reference/core/index.ts";
import type { FieldSpec, FrameSpec, StreamRef, TableSize } from "./frame-spec.ts";
import { DEFAULTS, ERROR_CODES, FLAGS, FRAME_TYPES, SETTINGS } from "./numbers.ts";
import { fromHex, fromLatin1 } from "../octets.ts";

/** What a frame depends on of its connection. */
export type Setting = {
  /** The number of a stream that is assigned during the performance. */
  readonly stream: (ref: StreamRef) => number;
  /** Replaces `{authority}`, `{scheme}` and `{path}`. */
  readonly text: (value: string) => string;
  /** HEADER_TABLE_SIZE of the reading side. */
  readonly tableLimit?: number;
  /** MAX_FRAME_SIZE of the reading side. */
  readonly frameLimit?: number;
  /** Fields that follow those of the frame. */
  readonly more?: readonly FieldSpec[];
};

/** Builds one frame exactly as specified, legal or not. */
export function build(spec: FrameSpec, setting: Setting): Uint8Array {
  const type = typeof spec.type === "number" ? spec.type : FRAME_TYPES[spec.type];
  const payload = filled(payloadOf(spec, setting), spec, setting);
  const stream = (setting.stream(spec.stream ?? 0) | (spec.reservedBit ? 0x8000_0000 : 0)) >>> 0;
  return new Writer(9 + payload.length)
    .u24((spec.length ?? payload.length) & 0xff_ffff)
    .u8(type)
    .u8(flagsOf(spec))
    .u32(stream)
    .bytes(payload)
    .take();
}

/**
 * The payload, and what `fill` adds: zero octets, in SETTINGS complete settings, in a field block one more field, so that only the size can
 * be wrong.
 */
function filled(payload: Uint8Array, { fill, type }: FrameSpec, { frameLimit = DEFAULTS.maxFrameSize }: Setting): Uint8Array {
  if (fill === undefined) return payload;
  const length = frameLimit + (fill === "limit" ? 0 : 1);
  if (type === "HEADERS" || type === "CONTINUATION" || type === "PUSH_PROMISE")
    return Buffer.concat([payload, fieldOf(length - payload.length)]);
  const out = new Uint8Array(Math.max(payload.length, type === "SETTINGS" ? Math.ceil(length / 6) * 6 : length));
  out.set(payload);
  return out;
}

/** A literal field that is encoded in this many octets. */
function fieldOf(octets: number): Uint8Array {
  const value = (length: number): Uint8Array => literalBlock([["x-fill", "a".repeat(Math.max(0, length))]]);
  const empty = value(octets).length - octets;
  const field = value(octets - empty);
  // A value that is one octet shorter may need one octet less for its length.
  return field.length === octets ? field : value(octets - empty + (octets - field.length));
}

/** The flags octet: the named flags, and PADDED and PRIORITY if the payload has padding or a priority. */
function flagsOf(spec: FrameSpec): number {
  if (typeof spec.flags === "number") return spec.flags;
  let flags = 0;
  for (const name of spec.flags ?? []) flags |= FLAGS[name];
  if (spec.hex !== undefined) return flags;
  if (isPadded(spec)) flags |= FLAGS.PADDED;
  if (spec.priority !== undefined && spec.type === "HEADERS") flags |= FLAGS.PRIORITY;
  return flags;
}

const isPadded = (spec: FrameSpec): boolean => spec.pad !== undefined || spec.padLength !== undefined;

function payloadOf(spec: FrameSpec, setting: Setting): Uint8Array {
  if (spec.hex !== undefined) return fromHex(spec.hex);
  const out = new Writer(64);
  if (isPadded(spec)) out.u8((spec.padLength ?? spec.pad ?? 0) & 0xff);
  if (spec.priority !== undefined) {
    out.u32((setting.stream(spec.priority.on) | (spec.priority.exclusive ? 0x8000_0000 : 0)) >>> 0);
    out.u8((spec.priority.weight - 1) & 0xff);
  }
  if (spec.promised !== undefined) out.u32(setting.stream(spec.promised));
  for (const size of spec.tableSize ?? []) prefixInteger(out, 0x20, 0x1f, sizeOf(size, setting));
  if (spec.blockHead !== undefined) out.bytes(fromHex(spec.blockHead));
  const { more = [] } = setting;
  if (spec.block !== undefined) out.bytes(fromHex(spec.block)).bytes(literalBlock(more));
  else if (spec.fields !== undefined || more.length > 0)
    out.bytes(literalBlock(sized([...(spec.fields ?? []), ...more], spec.sectionSize, setting.text), setting.text));
  if (spec.blockTail !== undefined) out.bytes(fromHex(spec.blockTail));
  if (typeof spec.data === "number") out.bytes(new Uint8Array(spec.data));
  else if (spec.data !== undefined) out.bytes(new TextEncoder().encode(spec.data));
  for (const [name, value] of spec.settings ?? []) {
    const id = typeof name === "number" ? name : SETTINGS[name];
    out.u8(id >>> 8).u8(id & 0xff);
    out.u32(value >>> 0);
  }
  if (spec.increment !== undefined) out.u32(spec.increment >>> 0);
  // A GOAWAY with any of its three members has the other two as well.
  const goaway = spec.type === "GOAWAY" && (spec.last !== undefined || spec.code !== undefined || spec.text !== undefined);
  if (spec.last !== undefined || goaway) out.u32((spec.last ?? 0) >>> 0);
  if (spec.code !== undefined || goaway) {
    const code = spec.code ?? 0;
    out.u32((typeof code === "number" ? code : ERROR_CODES[code]) >>> 0);
  }
  if (spec.text !== undefined) out.bytes(fromLatin1(setting.text(spec.text)));
  if (spec.pad !== undefined) out.bytes(new Uint8Array(spec.pad));
  return out.take();
}

/** What a field counts beside its name and value (rfc9113#6.5.2). */
const FIELD_OVERHEAD = 32;
const FILL = "x-fill";
/** The fields, and one more that makes them so large. */
function sized(fields: readonly FieldSpec[], size: number | undefined, text: Setting["text"]): readonly FieldSpec[] {
  if (size === undefined) return fields;
  const taken = fields.reduce(
    (sum, [name, value]) => sum + name.length + text(value).length + FIELD_OVERHEAD,
    FILL.length + FIELD_OVERHEAD,
  );
  return [...fields, [FILL, "a".repeat(Math.max(0, size - taken))]];
}

const LITERALS = { indexing: 0x40, "never indexed": 0x10 } as const;

/**
 * A field section as literals with new names, without Huffman coding, and without indexing unless a field asks for it (rfc7541#6.2): so it
 * changes no table.
 */
export function literalBlock(fields: readonly FieldSpec[], text: (value: string) => string = (value) => value): Uint8Array {
  const out = new Writer(128);
  for (const [name, value, form] of fields) {
    out.u8(form === undefined ? 0x00 : LITERALS[form]);
    plainString(out, fromLatin1(name));
    plainString(out, fromLatin1(text(value)));
  }
  return out.take();
}

const sizeOf = (size: TableSize, { tableLimit = 4096 }: Setting): number =>
  typeof size === "number" ? size : tableLimit + (size === "limit" ? 0 : 1);

/** A string literal without Huffman coding (rfc7541#5.2). */
function plainString(out: Writer, octets: Uint8Array): void {
  prefixInteger(out, 0x00, 0x7f, octets.length);
  out.bytes(octets);
}

/** An integer in its shortest form (rfc7541#5.1), in an octet that begins with `pattern` and leaves `mask` to it. */
function prefixInteger(out: Writer, pattern: number, mask: number, value: number): void {
  let rest = value - mask;
  out.u8(pattern | (rest < 0 ? value : mask));
  if (rest < 0) return;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.u8((rest & 0x7f) | 0x80);
  out.u8(rest);
}
