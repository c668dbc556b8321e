import { claims } from "../server/5.1-masking.ts";
import { ofClients } from "../claims.ts";
import { all, comesBackWith, first, holds, last, open, ping, send, text } from "../phrases.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

/** RFC 6455, sections 5.1 and 5.3, for clients: masking, which only a client does. */

const FRESH = { spec: "rfc6455#5.3", covers: ["rfc6455#5.3/fresh-key", "rfc6455#10.3/new-key"], level: "MUST", role: "client" } as const;
const steps = (...frames: readonly FrameSpec[]): Pick<Case, "steps" | "control"> => ({
  steps: [open(), send(...frames)],
  control: [open(), send(...frames)],
});
const KINDS: readonly FrameSpec[] = [
  text(""),
  text("Hello"),
  ping("Hello"),
  ping(),
  first(text("Hello")),
  ping("x"),
  last({ text: "!" }),
  { opcode: "binary", fill: { text: "b", count: 200 } },
  { opcode: "text", fill: { text: "c", count: 70_000 } },
];
/** Messages that are sent one by one, each after the echo of the previous one. */
const oneByOne = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, at): readonly Step[] => [
    send(text("the same")),
    { do: "await", see: { see: "messages", count: at + 1 } },
  ]).flat();

export const cases: readonly Case[] = [
  ...ofClients(claims),
  {
    id: "websocket/client-masks-everything",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks", "rfc6455#5.3/mask-bit"],
    level: "MUST",
    role: "client",
    title: "The client masks every frame: messages, Pongs, short, long and empty ones.",
    ...steps(...KINDS),
    allowed: comesBackWith(holds("all frames masked")),
  },
  {
    id: "websocket/client-masks-close",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks"],
    level: "MUST",
    role: "client",
    title: "The client masks its Close frame.",
    ...steps({ opcode: "close", code: 1000 }),
    allowed: [{ see: all({ see: "closing handshake" }, holds("all frames masked")) }],
  },
  {
    id: "websocket/client-masks-close-of-a-fault",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks", "rfc6455#7.1.7/fail-code"],
    level: "MUST",
    role: "client",
    title: "The client masks the Close frame with which it fails the connection.",
    steps: [open(), send({ opcode: 3, text: "x" })],
    control: [open(), send(text("x"))],
    allowed: [
      { see: all({ see: "Close and end", echoes: 0 }, holds("all frames masked")) },
      { see: { see: "abnormal closure", echoes: 0 }, by: "rfc6455#7.1.7", verdict: "warn" },
    ],
  },
  {
    id: "websocket/client-mask-key-fresh",
    ...FRESH,
    title: "The client masks each of twenty messages with a fresh key.",
    ...steps(...Array.from({ length: 20 }, () => text("the same"))),
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-fresh-one-by-one",
    ...FRESH,
    title: "The client masks each of five messages that are sent apart with a fresh key.",
    steps: [open(), ...oneByOne(5)],
    control: [open(), ...oneByOne(1)],
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-fresh-for-thousands",
    ...FRESH,
    title: "The client masks 2,000 messages without repeating a sequence of keys.",
    steps: [open(), { do: "repeat", frames: [text("the same"), text("the same")], times: 1_000 }],
    control: [open(), send(text("the same"))],
    allowed: comesBackWith(holds("no repeated sequence of masking keys")),
  },
  {
    id: "websocket/client-mask-key-fresh-for-pongs",
    ...FRESH,
    title: "The client masks Pongs with fresh keys, like messages.",
    ...steps(...Array.from({ length: 10 }, (_, at) => [ping(`ping ${at}`), text("between")]).flat()),
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-without-bias",
    ...FRESH,
    title: "The client draws each bit of its masking keys at random: of 2,000 keys about half have it set.",
    steps: [open(), { do: "repeat", frames: [text("the same"), text("the same")], times: 1_000 }],
    control: [open(), send(text("the same"))],
    allowed: comesBackWith(holds("masking keys without bias")),
  },
  {
    id: "websocket/client-mask-key-random",
    ...FRESH,
    title: "The client chooses unpredictable masking keys: no counter, no constant octet, no octet of the key before, no zero key.",
    ...steps(...Array.from({ length: 30 }, (_, at) => text(`message ${at}`))),
    allowed: comesBackWith(holds("unpredictable masking keys")),
  },
];
