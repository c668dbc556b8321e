import { awaitMessages, first, framesOf, last, more, offering, open, permitted, send, sendCut } from "./phrases.ts";
import { type Scale, sizeAt } from "./scale.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

/** Large messages, many of them, and many fragments: how large and how many is told by the scale of the run. */

const KIBI = 1024;
const MEBI = 1_048_576;
/** Octets of one write, where a frame comes in pieces. */
const PIECE = 8192;
/** What one message takes of a transcript is not what these are about. */
const LETTER = { text: "*", binary: "*" } as const;

/** All comes back, or is refused as too large (rfc6455#7.4.1). */
const whole: Case["allowed"] = [{ see: { see: "all echoed" } }, permitted({ see: "Close and end", codes: [1009] }, "rfc6455#10.4")];
const base = { spec: "rfc6455#10.4", level: "MUST", role: "server" } as const;
const covers: Case["covers"] = ["rfc6455#10.4/limits", "rfc6455#5.2/lengths"];

const filled = (opcode: "text" | "binary", count: number, deflate = false): FrameSpec => ({
  opcode,
  fill: { text: LETTER[opcode], count },
  ...(deflate ? { deflate: {} } : {}),
});
/** One message in so many fragments of the same length. */
const fragments = (opcode: "text" | "binary", total: number, count: number): readonly FrameSpec[] => {
  const fill = { text: LETTER[opcode], count: Math.ceil(total / count) };
  return [first({ opcode, fill }), ...Array.from({ length: count - 2 }, () => more({ fill })), last({ fill })];
};
const number = (count: number): string => count.toLocaleString("en");

const TYPES = ["text", "binary"] as const;
const LENGTHS = [0, 16, 64, 256, 1024, 4096] as const;
const COMPRESSED = [16, 256, 4096, 65_536] as const;

/** The cases at one scale: their ids are the same at every one. */
export const casesAt = (scale: Scale): readonly Case[] => {
  const size = sizeAt(scale, 128 * KIBI, 16 * MEBI);
  const total = sizeAt(scale, 64 * KIBI, 4 * MEBI);
  const count = sizeAt(scale, 50, 1000);
  const compressed = sizeAt(scale, 20, 1000);
  const again = (frames: readonly FrameSpec[], times: number): Step => ({ do: "repeat", frames, times });
  const all = (messages: number, ...steps: readonly Step[]): Pick<Case, "steps" | "control"> => {
    // A message at a time would be waited for in vain by who sends all of it first: the last one tells.
    const played = [...steps, awaitMessages(messages)];
    return { steps: played, control: played };
  };
  return [
    ...TYPES.map((type): Case => ({
      ...base,
      covers,
      id: `websocket/large-${type}-message`,
      title: `A ${type} message of ${number(size)} octets in one frame comes back, or is refused with 1009.`,
      ...framesOf([filled(type, size)], [filled(type, 1)]),
      allowed: whole,
    })),
    ...TYPES.map((type): Case => ({
      ...base,
      covers: [...covers, "rfc6455#5.4/fragments"],
      id: `websocket/large-${type}-message-in-fragments`,
      title: `A ${type} message of ${number(total)} octets in ${number(count)} fragments comes back, or is refused with 1009.`,
      ...framesOf(fragments(type, total, count), fragments(type, 3, 3)),
      allowed: whole,
    })),
    ...TYPES.map((type): Case => ({
      ...base,
      covers,
      id: `websocket/large-${type}-message-in-pieces`,
      title: `A ${type} message of ${number(total)} octets whose frame comes ${number(PIECE)} octets at a time comes back, or is refused with 1009.`,
      steps: [open(), sendCut(PIECE, filled(type, total))],
      control: [open(), send(filled(type, 1))],
      allowed: whole,
    })),
    ...LENGTHS.map((length): Case => ({
      ...base,
      covers,
      id: `websocket/many-messages-of-${length}`,
      title: `All of ${number(2 * count)} messages of ${number(length)} octets, text and binary by turns, come back in order.`,
      ...all(2 * count, open(), again([filled("text", length), filled("binary", length)], count)),
      allowed: [{ see: { see: "all echoed" } }],
    })),
    {
      ...base,
      spec: "rfc7692#7.2.2",
      covers: ["rfc7692#7.2.2/inflate", "rfc6455#10.4/limits"],
      id: "websocket/large-compressed-message",
      title: `A message of ${number(total)} octets that was compressed comes back, or is refused with 1009.`,
      needs: ["deflate"],
      steps: [open(offering()), send(filled("text", total, true))],
      control: [open(offering()), send(filled("text", 1, true))],
      allowed: whole,
    },
    ...COMPRESSED.map((length): Case => ({
      ...base,
      spec: "rfc7692#7.2.2",
      covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.3.2/takeover"],
      id: `websocket/many-compressed-messages-of-${length}`,
      title: `All of ${number(compressed)} compressed messages of ${number(length)} octets come back in order.`,
      needs: ["deflate", "client takes over"],
      ...all(compressed, open(offering()), again([filled("text", length, true)], compressed)),
      allowed: [{ see: { see: "all echoed" } }],
    })),
  ];
};

export const cases = casesAt(1);
