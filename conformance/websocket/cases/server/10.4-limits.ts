import { awaitMessages, first, framesOf, last, more, offering, open, permitted, send, sendCut } from "../phrases.ts";
import { type Scale, sizeAt } from "../../scale.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

/** RFC 6455, section 10.4: large messages, many messages and many fragments. The scale of the run says how large and how many. */

const KIBI = 1024;
const MEBI = 1_048_576;
/** Octets per write, where a frame arrives in pieces. */
const PIECE = 8192;
/** The content of every message. */
const LETTER = { text: "*", binary: "*" } as const;

/** Everything is echoed, or rejected as too large (rfc6455#7.4.1). */
const whole: Case["allowed"] = [{ see: { see: "all echoed" } }, permitted({ see: "Close and end", codes: [1009] }, "rfc6455#10.4")];
/** Servers with a limit below this are rare; theirs is lawful, but no reason to reject a word. */
const LIMITED = KIBI;
const withinLimits = (length: number): Case["allowed"] => (length < LIMITED ? [{ see: { see: "all echoed" } }] : whole);
const orRejects = (length: number): string => (length < LIMITED ? "" : ", or rejects them with 1009");
const base = { spec: "rfc6455#10.4", level: "MUST", role: "server" } as const;
const covers: Case["covers"] = ["rfc6455#10.4/limits", "rfc6455#5.2/lengths"];

const filled = (opcode: "text" | "binary", count: number): FrameSpec => ({
  opcode,
  fill: { text: LETTER[opcode], count },
});
const compressedText = (count: number): FrameSpec => ({ ...filled("text", count), deflate: {} });
/** One message in `count` fragments of equal length. */
const fragments = (opcode: "text" | "binary", total: number, count: number): readonly FrameSpec[] => {
  const fill = { text: LETTER[opcode], count: Math.ceil(total / count) };
  return [first({ opcode, fill }), ...Array.from({ length: count - 2 }, () => more({ fill })), last({ fill })];
};
const number = (count: number): string => count.toLocaleString("en");

/** Sizes that every run sends, whatever its scale. */
const SIZES: readonly (readonly [id: string, type: "text" | "binary", size: number])[] = [
  ["256-kib", "binary", 256 * KIBI],
  ["1-mib-of-text", "text", MEBI],
  ["4-mib", "binary", 4 * MEBI],
  ["16-mib", "binary", 16 * MEBI],
];
/** Frames in all, and in each message. */
const FRAMES = 20_000;
const FRAMES_OF_ONE = 50;

const TYPES = ["text", "binary"] as const;
const LENGTHS = [0, 16, 64, 256, 1024, 4096] as const;
const COMPRESSED = [16, 256, 4096, 65_536] as const;

/** The cases at one scale; their ids are the same at every scale. */
export const casesAt = (scale: Scale): readonly Case[] => {
  const size = sizeAt(scale, 128 * KIBI, 16 * MEBI);
  const total = sizeAt(scale, 64 * KIBI, 4 * MEBI);
  const count = sizeAt(scale, 50, 1000);
  const compressed = sizeAt(scale, 20, 1000);
  const again = (frames: readonly FrameSpec[], times: number): Step => ({ do: "repeat", frames, times });
  const all = (messages: number, ...steps: readonly Step[]): Pick<Case, "steps" | "control"> => {
    // The subject may read everything before it echoes anything: await only the last message.
    const played = [...steps, awaitMessages(messages)];
    return { steps: played, control: played };
  };
  return [
    ...TYPES.map((type): Case => ({
      ...base,
      covers,
      id: `websocket/large-${type}-message`,
      title: `The server echoes a ${type} message of ${number(size)} octets in one frame, or rejects it with 1009.`,
      ...framesOf({ wrong: [filled(type, size)], right: [filled(type, 1)] }),
      allowed: whole,
    })),
    ...TYPES.map((type): Case => ({
      ...base,
      covers: [...covers, "rfc6455#5.4/fragments"],
      id: `websocket/large-${type}-message-in-fragments`,
      title: `The server echoes a ${type} message of ${number(total)} octets in ${number(count)} fragments, or rejects it with 1009.`,
      ...framesOf({ wrong: fragments(type, total, count), right: fragments(type, 3, 3) }),
      allowed: whole,
    })),
    ...TYPES.map((type): Case => ({
      ...base,
      covers,
      id: `websocket/large-${type}-message-in-pieces`,
      title: `The server echoes a ${type} message of ${number(total)} octets that arrives ${number(PIECE)} octets at a time, or rejects it with 1009.`,
      steps: [open(), sendCut(PIECE, filled(type, total))],
      control: [open(), send(filled(type, 1))],
      allowed: whole,
    })),
    ...SIZES.map(([id, type, octets]): Case => ({
      ...base,
      covers,
      id: `websocket/message-of-${id}`,
      title: `The server echoes a ${type} message of ${number(octets)} octets, or rejects it with 1009.`,
      ...framesOf({ wrong: [filled(type, octets)], right: [filled(type, 1)] }),
      allowed: whole,
    })),
    {
      ...base,
      covers: [...covers, "rfc6455#5.4/fragments"],
      id: "websocket/many-thousand-frames",
      title: `The server echoes ${number(FRAMES / FRAMES_OF_ONE)} messages in ${number(FRAMES)} frames on one connection.`,
      over: "http1",
      steps: [open(), again(fragments("text", FRAMES_OF_ONE, FRAMES_OF_ONE), FRAMES / FRAMES_OF_ONE)],
      control: [open(), send(...fragments("text", FRAMES_OF_ONE, FRAMES_OF_ONE))],
      allowed: [{ see: { see: "all echoed" } }],
    },
    {
      ...base,
      covers,
      id: "websocket/many-thousand-messages",
      title: "The server echoes 10,000 messages of 4 octets on one connection in order.",
      over: "http1",
      steps: [open(), again(Array.from({ length: 5 }, () => [filled("text", 4), filled("binary", 4)]).flat(), 1_000)],
      control: [open(), send(filled("text", 4), filled("binary", 4))],
      allowed: [{ see: { see: "all echoed" } }],
    },
    ...LENGTHS.map((length): Case => ({
      ...base,
      covers,
      id: `websocket/many-messages-of-${length}`,
      title: `The server echoes ${number(2 * count)} messages of ${number(length)} octets, alternately text and binary, in order${orRejects(length)}.`,
      ...all(2 * count, open(), again([filled("text", length), filled("binary", length)], count)),
      ...(length < LIMITED ? {} : { control: [open(), send(filled("text", 1))] }),
      allowed: withinLimits(length),
    })),
    {
      ...base,
      spec: "rfc7692#7.2.2",
      covers: ["rfc7692#7.2.2/inflate", "rfc6455#10.4/limits"],
      id: "websocket/large-compressed-message",
      title: `The server echoes a compressed message of ${number(total)} octets, or rejects it with 1009.`,
      needs: ["deflate"],
      steps: [open(offering()), send(compressedText(total))],
      control: [open(offering()), send(compressedText(1))],
      allowed: whole,
    },
    ...COMPRESSED.map((length): Case => ({
      ...base,
      spec: "rfc7692#7.2.2",
      covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.3.2/takeover"],
      id: `websocket/many-compressed-messages-of-${length}`,
      title: `The server echoes ${number(compressed)} compressed messages of ${number(length)} octets in order${orRejects(length)}.`,
      needs: ["deflate", "client takes over"],
      ...all(compressed, open(offering()), again([compressedText(length)], compressed)),
      ...(length < LIMITED ? {} : { control: [open(offering()), send(compressedText(1))] }),
      allowed: withinLimits(length),
    })),
  ];
};

export const cases = casesAt(1);
