import { fromHex, fromLatin1, join } from "../octets.ts";
import { literals } from "../qpack/build.ts";
import type { FieldSpec, FrameSpec } from "./frame-spec.ts";
import { frameType, settingId } from "./numbers.ts";
import { varint } from "./varint.ts";

/** What a frame as data needs to become octets. */
export type Setting = {
  /** Replaces the braces in field values. */
  readonly text: (value: string) => string;
};

/** A frame in octets (rfc9114#7.1). */
export function build(spec: FrameSpec, setting: Setting): Uint8Array {
  const payload = payloadOf(spec, setting);
  return join([varint(frameType(spec.type), spec.width), varint(spec.length ?? payload.length, spec.width), payload]);
}

function payloadOf(spec: FrameSpec, { text }: Setting): Uint8Array {
  const { id, idWidth, settings = [], fields, sectionSize, data, text: words, hex } = spec;
  const parts: Uint8Array[] = [];
  if (id !== undefined) parts.push(varint(id, idWidth));
  for (const [name, value] of settings) parts.push(varint(settingId(name)), varint(value));
  if (fields !== undefined)
    parts.push(
      literals(
        sized(
          fields.map(([name, value]) => [text(name), text(value)] as const),
          sectionSize,
        ),
      ),
    );
  if (data !== undefined) parts.push(typeof data === "number" ? new Uint8Array(data) : new TextEncoder().encode(data));
  if (words !== undefined) parts.push(fromLatin1(words));
  if (hex !== undefined) parts.push(fromHex(hex));
  return join(parts);
}

/** What each field counts beyond its octets (rfc9114#4.2.2). */
const FIELD_OVERHEAD = 32;
const FILL = "x-fill";

/** The fields with one more, so that the section has this size. */
function sized(fields: readonly FieldSpec[], size: number | undefined): readonly FieldSpec[] {
  if (size === undefined) return fields;
  const used = fields.reduce((sum, [name, value]) => sum + name.length + value.length + FIELD_OVERHEAD, FILL.length + FIELD_OVERHEAD);
  return [...fields, [FILL, "a".repeat(Math.max(0, size - used))]];
}
