import { literalBlock } from "../../wire/http2/build.ts";
import type { FieldSpec, FrameSpec } from "../../wire/http2/frame-spec.ts";
import { toHex } from "../../wire/octets.ts";

/** The frames of requests and responses, as steps describe them. */

/** What the names and values of fields depend on. */
export type Fields = { readonly fields: (fields: readonly FieldSpec[]) => FieldSpec[]; readonly text: (value: string) => string };

/** Values instead of the usual ones, by name; `false` leaves the field out. */
export type Replace = Readonly<Record<string, string | false>>;
export const replaced = (usual: readonly FieldSpec[], replace: Replace = {}): FieldSpec[] =>
  usual.flatMap(([name, value]): FieldSpec[] => {
    const other = replace[name];
    return other === false ? [] : [[name, other ?? value]];
  });

/** The fields of a call, in the order of the grammar (rpc-http2#requests). */
export const callFields = (
  path: string,
  { fields = [], replace }: { readonly fields?: readonly FieldSpec[]; readonly replace?: Replace },
  stage: Pick<Fields, "fields">,
): FieldSpec[] =>
  stage.fields([
    ...replaced(
      [
        [":method", "POST"],
        [":scheme", "{scheme}"],
        [":path", path],
        [":authority", "{authority}"],
        ["te", "trailers"],
        ["content-type", "application/{rpc}"],
      ],
      replace,
    ),
    ...fields,
  ]);

type Shape = {
  readonly stream: number;
  readonly end?: boolean | undefined;
  readonly split?: number | undefined;
  readonly pad?: number | undefined;
};
/** One header section, in as many frames as it is split into. */
export function section(fields: readonly FieldSpec[], { stream, end, split, pad }: Shape, stage: Pick<Fields, "text">): FrameSpec[] {
  const last = end === true ? (["END_STREAM"] as const) : [];
  if (split === undefined)
    return [{ type: "HEADERS", stream, flags: ["END_HEADERS", ...last], fields, ...(pad === undefined ? {} : { pad }) }];
  const block = literalBlock(fields, stage.text);
  return [
    { type: "HEADERS", stream, flags: last, block: toHex(block.subarray(0, split)) },
    { type: "CONTINUATION", stream, flags: ["END_HEADERS"], block: toHex(block.subarray(split)) },
  ];
}

type Cuts = { readonly cut?: number | undefined; readonly cutAt?: readonly number[] | undefined };
/** The octets of each DATA frame: `cut` is their size, `cutAt` are the places between them. */
export function piecesOf(octets: Uint8Array, { cut, cutAt = [] }: Cuts): Uint8Array[] {
  const { length } = octets;
  const inner =
    cut === undefined ? [...cutAt] : Array.from({ length: Math.max(0, Math.ceil(length / cut) - 1) }, (_, at) => (at + 1) * cut);
  const cuts = [0, ...inner.filter((at) => at > 0 && at < length), length];
  return cuts.slice(1).map((to, at) => octets.subarray(cuts[at], to));
}

/** A DATA frame with these octets. */
export const dataFrame = (stream: number, octets: Uint8Array, { end, pad }: Pick<Shape, "end" | "pad">): FrameSpec => ({
  type: "DATA",
  stream,
  ...(end === true ? { flags: ["END_STREAM"] as const } : {}),
  ...(pad === undefined ? { hex: toHex(octets) } : { pad, block: toHex(octets) }),
});
