import { streamStates } from "../shared/stream-states.ts";
import { acceptedWith, after, app, SERVER } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Frames about streams that cannot have them (rfc9000#3, rfc9000#19). */
export const cases: readonly Case[] = [
  ...streamStates(SERVER),
  after({
    id: "quic/stop-sending-is-answered",
    spec: "rfc9000#3.5",
    covers: ["rfc9000#3.5/reset"],
    title: "The server resets its part of a request stream for which the client sends STOP_SENDING.",
    steps: [
      ...SERVER.opened,
      app({ type: "STOP_SENDING", stream: 0, code: 0x10c }),
      { do: "await", see: { see: "frame", type: "RESET_STREAM", where: { stream: 0 } } },
    ],
    control: SERVER.opened,
    allowed: acceptedWith({ see: "frame", type: "RESET_STREAM", where: { stream: 0 } }),
  }),
];
