import type { Content } from "../../wire/websocket/content.ts";
import type { FrameSpec } from "../vocabulary.ts";

/** Messages of every size and of five kinds of content, compressed. */

/** Sixteen sizes in one frame; two more arrive in fragments. */
const SIZES = [0, 1, 16, 64, 125, 126, 127, 256, 1024, 4096, 8192, 16_384, 32_768, 65_535, 65_536, 131_072] as const;
const CUT: readonly (readonly [size: number, ends: readonly number[]])[] = [
  [20_000, [100, 1_000]],
  [40_000, [1, 7, 4_096]],
];

export const CONTENTS: readonly (readonly [id: Content | "letters", what: string, opcode: "text" | "binary"])[] = [
  ["letters", "one letter", "text"],
  ["records", "lines of JSON", "text"],
  ["characters", "characters of one to four octets", "text"],
  ["runs", "runs of octets", "binary"],
  ["noise", "octets that cannot be compressed", "binary"],
];

/** The messages of a kind of content, of eighteen sizes, as frames. */
export function messagesOf(content: Content | "letters", opcode: "text" | "binary"): readonly FrameSpec[] {
  const of = (count: number): Pick<FrameSpec, "fill" | "made" | "deflate"> => ({
    ...(content === "letters" ? { fill: { text: "a", count } } : { made: { content, count } }),
    deflate: {},
  });
  const whole = SIZES.map((size): FrameSpec => ({ opcode, ...of(size) }));
  const cut = CUT.flatMap(([size, ends]) =>
    [0, ...ends].map((from, at): FrameSpec => {
      const to = ends[at];
      const part = { from, ...(to === undefined ? {} : { to }) };
      return {
        opcode: at === 0 ? opcode : "continuation",
        ...of(size),
        part,
        rsv: at === 0 ? 4 : 0,
        ...(to === undefined ? {} : { fin: false }),
      };
    }),
  );
  return [...whole, ...cut];
}
