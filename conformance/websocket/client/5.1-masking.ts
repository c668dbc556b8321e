import { cases as server } from "../5.1-masking.ts";
import { all, comesBackWith, first, holds, last, open, ping, send, text } from "../phrases.ts";
import type { Case, FrameSpec, Step } from "../vocabulary.ts";
import { ofServers, renamed } from "./phrases.ts";

/** Only a server unmasks. */
const UNMASKING = server.map(({ id }) => id).filter((id) => id.startsWith("websocket/mask-key"));
const masked = renamed(
  ofServers(server, [...UNMASKING, "websocket/server-masks-nothing", "websocket/server-masks-no-close"]),
  "unmasked",
  "masked",
  ["without a mask", "with a mask"],
);

const FRESH = { spec: "rfc6455#5.3", covers: ["rfc6455#5.3/fresh-key"], level: "MUST", role: "client" } as const;
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
/** Messages that are sent one by one, each when the one before has come back. */
const oneByOne = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, at): readonly Step[] => [
    send(text("the same")),
    { do: "await", see: { see: "messages", count: at + 1 } },
  ]).flat();

export const cases: readonly Case[] = [
  ...masked,
  {
    id: "websocket/client-masks-everything",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks"],
    level: "MUST",
    role: "client",
    title: "Every frame of the client is masked: messages, PONGs, short and long, and such as are empty.",
    ...steps(...KINDS),
    allowed: comesBackWith(holds("all frames masked")),
  },
  {
    id: "websocket/client-masks-close",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks"],
    level: "MUST",
    role: "client",
    title: "The Close frame of the client is masked.",
    ...steps({ opcode: "close", code: 1000 }),
    allowed: [{ see: all({ see: "closing handshake" }, holds("all frames masked")) }],
  },
  {
    id: "websocket/client-masks-close-of-a-fault",
    spec: "rfc6455#5.1",
    covers: ["rfc6455#5.1/client-masks", "rfc6455#7.1.7/fail-code"],
    level: "MUST",
    role: "client",
    title: "The Close frame by which the client fails the connection is masked.",
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
    title: "Each of twenty messages has a masking key of its own.",
    ...steps(...Array.from({ length: 20 }, () => text("the same"))),
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-fresh-one-by-one",
    ...FRESH,
    title: "Each of five messages that are sent apart has a masking key of its own.",
    steps: [open(), ...oneByOne(5)],
    control: [open(), ...oneByOne(1)],
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-fresh-for-pongs",
    ...FRESH,
    title: "PONGs have masking keys of their own, as messages have.",
    ...steps(...Array.from({ length: 10 }, (_, at) => [ping(`ping ${at}`), text("between")]).flat()),
    allowed: comesBackWith(holds("fresh masking keys")),
  },
  {
    id: "websocket/client-mask-key-random",
    ...FRESH,
    title: "The masking keys of thirty messages cannot be foretold: they are not counted, no octet of them stands still, and none is zero.",
    ...steps(...Array.from({ length: 30 }, (_, at) => text(`message ${at}`))),
    allowed: comesBackWith(holds("unpredictable masking keys")),
  },
];
